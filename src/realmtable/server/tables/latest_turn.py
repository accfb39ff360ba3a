"""The latest turn: the run of steps that one seat has taken, and the line of text that sums up what happened last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any, Final, NamedTuple

from realmtable.engine.match import Match
from realmtable.engine.protocol import CHANCE, CLOCK, AnyGame, Seat
from realmtable.kit.wording import END_TURN_LABEL

MAX_STEPS: Final = 5  # shown of one seat's long turn
MAX_STEPS_OF_MANY: Final = 20  # shown of what several seats did
TWO_PLAYERS: Final = 2
TURN_END: Final = f": {END_TURN_LABEL}"

OWN_KINDS: Final = ("hinted", "offered")  # of news that the player themselves need not read

DREW: Final = "drew"
STEPS: Final = {"stepped", DREW}

NewsItem = Mapping[str, Any]  # as in a scene


# ---- the latest run of steps


class Run(NamedTuple):
    """The latest run of steps by one seat in one turn."""

    turn: int
    seat: Seat
    before: Any
    moves: tuple[Any, ...]


def latest_run(match: Match) -> Run:
    """Return the latest run of steps; the match must have at least one step."""
    latest = match.entry
    assert latest is not None  # noqa: S101 - the caller has checked
    moves = []
    before = latest.before
    node: Match | None = match
    while node is not None and node.entry is not None and _is_in_run(node, match):
        moves.append(node.entry.move)
        before = node.entry.before
        node = node.parent
    return Run(latest.turn.number, latest.seat, before, tuple(reversed(moves)))


def _is_in_run(node: Match, latest: Match) -> bool:
    entry, last = node.entry, latest.entry
    assert entry is not None  # noqa: S101 - both have steps
    assert last is not None  # noqa: S101 - both have steps
    if last.seat < 0:
        return node is latest
    return (entry.turn, entry.seat) == (last.turn, last.seat)


def actor_name(seat: Seat, names: Sequence[str]) -> str:
    """Return the name of a seat, of chance or of the clock."""
    return {CHANCE: "Chance", CLOCK: "The clock"}.get(seat) or names[seat]


def format_run(game: AnyGame, run: Run) -> str:
    """Return a run in notation, for games without hidden information."""
    return game.format_move(run.before, run.moves[0]) if run.seat < 0 else game.format_turn(run.before, run.moves)


# ---- what happened last


def describe_latest(news: Sequence[NewsItem], you: Sequence[Seat], names: Sequence[str]) -> str:
    """Sum up the latest news for a viewer on the seats `you`: "Black: Power from g2 to g4; b2 to b5".

    This is the latest turn or, with more than two seats, everything since the viewer's own latest step. Steps that only
    end a turn, and the viewer's own offers and requests for hints, are left out.
    """
    latest = _latest_seat_news(news, you)
    if not latest:
        return ""
    last = latest[-1]
    if last["kind"] == "hinted":
        return str(last["words"])
    if len(names) > TWO_PLAYERS and len(you) == 1 and last["seat"] != you[0]:
        items = [item for item in news if _is_shown(item, you)]
        return _join_news(_shorten(_news_since(items, you[0])), names)
    return _join_news(latest[-MAX_STEPS:], names)


def _is_shown(item: NewsItem, you: Sequence[Seat]) -> bool:
    if item["kind"] in OWN_KINDS and item["seat"] in you:
        return False
    words = item["words"]
    return bool(words) and not words.endswith(TURN_END)


def _news_since(items: Sequence[NewsItem], seat: Seat) -> Sequence[NewsItem]:
    """Return everything after a seat's own latest step, or after the start of the game."""
    own = [index for index, item in enumerate(items) if item["seat"] == seat or item["kind"] == "started"]
    return items[own[-1] + 1 :] if own and own[-1] + 1 < len(items) else items[-1:] if own else items


def _shorten(items: Sequence[NewsItem]) -> Sequence[NewsItem]:
    """Return the latest items, and before them what the viewer's own step led to, such as a roll."""
    own = list(takewhile(_is_about_viewer, items[:-MAX_STEPS_OF_MANY]))
    return [*own, *items[-MAX_STEPS_OF_MANY + len(own) :]]


def _is_about_viewer(item: NewsItem) -> bool:
    return str(item["words"]).startswith("You ")


def _latest_seat_news(news: Sequence[NewsItem], you: Sequence[Seat]) -> list[NewsItem]:
    """Return the latest steps of one seat, or of chance; earlier news is not looked at.

    An opponent's steps include the chance steps between and after them, which would make no sense alone.
    """
    latest: list[NewsItem] = []
    for item in reversed(news):
        if _is_shown(item, you):
            if latest and not _belongs(item, latest, you):
                break
            latest.append(item)
    while len(latest) > 1 and latest[-1]["kind"] == DREW != latest[-2]["kind"]:
        latest.pop()  # a step of chance before the seat's own
    return latest[::-1]


def _belongs(item: NewsItem, latest: Sequence[NewsItem], you: Sequence[Seat]) -> bool:
    """Whether an item and the news after it are steps of one seat, or of an opponent and of chance in their turn."""
    items = (item, *latest)
    seats = {each["seat"] for each in items}
    if len(seats) == 1:
        return bool(item["kind"] == latest[-1]["kind"])
    return len(seats) == 2 and None in seats and seats.isdisjoint(you) and {each["kind"] for each in items} <= STEPS  # noqa: PLR2004 - a seat and chance


def _join_news(items: Sequence[NewsItem], names: Sequence[str]) -> str:
    """Join news to one line; an actor with several items in a row is named once."""
    line, previous = "", None
    for item in items:
        words = str(item["words"])
        actor = "You" if words.startswith("You ") else "" if item["seat"] is None else actor_name(item["seat"], names)
        is_same_actor = bool(line) and actor == previous
        if is_same_actor and words.startswith(f"{actor} "):
            line += f", {words[len(actor) + 1 :]}"
        else:
            line += f"; {words.partition(': ')[2] if is_same_actor and ': ' in words else words}"
        previous = actor
    return line.removeprefix("; ")
