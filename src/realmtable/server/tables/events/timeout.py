"""What happens when a player runs out of time in a game of three or more, while the others play on.

A bot takes over the seat, because the rules know no absent players. The set-up decides whether the bot plays for its
own place or the seat comes last. For ratings the player comes last in either case.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

from realmtable.engine.protocol import Seat
from realmtable.kit.wording import join_words

TIMEOUT_RULES: Final = ("bot", "last")  # the bot plays for its own place, or the seat comes last
THEN_WORDS: Final = {"bot": "then a bot", "last": "then last place"}


class TimedOutPlayer(NamedTuple):
    """A player who ran out of time, and their seat."""

    seat: Seat
    player_id: str


def rank_last(ranking: Sequence[int], timed_out: Collection[Seat]) -> tuple[int, ...]:
    """Return a ranking in which the timed-out seats share the last place.

    >>> rank_last((2, 1, 3), {1}), rank_last((1, 1, 3, 4), {0, 3})
    ((1, 3, 2), (3, 1, 2, 3))
    """
    others = [rank for seat, rank in enumerate(ranking) if seat not in timed_out]
    return tuple(
        len(others) + 1 if seat in timed_out else 1 + sum(other < rank for other in others)
        for seat, rank in enumerate(ranking)
    )


def describe_timeout(name: str, rule: str) -> str:
    """Describe that a seat ran out of time while the others play on."""
    place = " and comes last" if rule == "last" else ""
    return f"{name} ran out of time{place}; a bot plays on for them."


def describe_ranking(text: str, before: Sequence[int], timed_out: AbstractSet[Seat], names: Sequence[str]) -> str:
    """Return the text of a result, given the one for the ranking `before` the timed-out seats were put last.

    >>> describe_ranking("Ann wins.", (1, 2, 3), {1}, ["Ann", "Bob", "Cid"])
    'Ann wins. Bob ran out of time and came last.'
    >>> describe_ranking("Ann wins.", (1, 2, 3), {0}, ["Ann", "Bob", "Cid"])
    'Ann ran out of time; Bob wins.'
    """
    if timed_out >= set(range(len(before))):
        return "Everyone ran out of time; nobody wins."
    winners = _first_seats(rank_last(before, timed_out))
    last_players = join_words([names[seat] for seat in sorted(timed_out)])
    if winners == _first_seats(before):
        return f"{text} {last_players} ran out of time and came last."
    verb = "wins" if len(winners) == 1 else "share the win"
    return f"{last_players} ran out of time; {join_words([names[seat] for seat in winners])} {verb}."


def _first_seats(ranking: Sequence[int]) -> list[Seat]:
    return [seat for seat, rank in enumerate(ranking) if rank == 1]
