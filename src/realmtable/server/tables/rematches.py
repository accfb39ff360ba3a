"""Rematches: who begins (by the rulebooks, the loser of the previous game), and which bots to try next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from realmtable.engine import registry
from realmtable.engine.protocol import GameInfo, Seat
from realmtable.search.bot_levels import next_level
from realmtable.server.tables.table import Table

FIRST = 0
TWO_PLAYERS = 2


def rematch_seats(ranking: Sequence[int]) -> list[int]:
    """Return the new seat of each seat.

    With two players, the loser gets the first seat. After a draw, and with more players, everyone moves by one seat.

    >>> rematch_seats([1, 2]), rematch_seats([2, 1]), rematch_seats([1, 1]), rematch_seats([1, 3, 2])
    ([1, 0], [0, 1], [1, 0], [1, 2, 0])
    """
    if len(ranking) == TWO_PLAYERS and ranking[0] > ranking[1]:
        return [FIRST, 1]
    return [(seat + 1) % len(ranking) for seat in range(len(ranking))]


LEVEL_CHANGES: Final[Mapping[str, int]] = {"easier": -1, "stronger": 1}


def choose_level(bot: str, wish: str, info: GameInfo | None = None) -> str | None:
    """Return the bot to play instead of `bot`: easier or stronger, or the level that `wish` names; None if none fits.

    >>> choose_level("level2", "easier"), choose_level("level2", "level7"), choose_level("random", "level9")
    ('level1', 'level7', None)
    """
    if wish in LEVEL_CHANGES:
        return next_level(bot, LEVEL_CHANGES[wish], info)
    return next_level(wish, 0, info)


def suggest_bots(table: Table, you: Sequence[Seat]) -> str | None:
    """Return which bots to suggest to a player next: "easier" after a loss, "stronger" after a win, or None.

    Only a player who met nothing but bots in an unrated game gets a suggestion, and only if the game has such bots.
    """
    result = table.result
    if result is None or len(you) != 1 or table.setup.rated:
        return None
    bots = [sitter.bot for seat, sitter in enumerate(table.seats) if seat not in you and sitter is not None]
    places = [place for seat, place in enumerate(result.ranking) if seat not in you]
    own = result.ranking[you[0]]
    if not bots or len(bots) < len(table.seats) - 1 or own in places:
        return None
    change = "stronger" if own < min(places) else "easier"
    info = registry.info(table.setup.game)
    names = [None if bot is None else next_level(bot, LEVEL_CHANGES[change], info) for bot in bots]
    return change if all(names) else None
