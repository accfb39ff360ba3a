"""Which games count for ratings: those from the game's own start, by one of its presets, in which everybody has played.

Otherwise a rating could be made rather than earned: by a position that is won in one move, or by games that somebody
gives up at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from realmtable.engine import registry
from realmtable.engine.options import as_pairs, make_options
from realmtable.server.accounts.accounts import Player
from realmtable.server.errors import BadSetup
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.table import Table

MIN_TURNS: Final = 3  # of each seat, in a game that the rules did not end


def check_rated_setup(setup: Setup) -> None:
    """BadSetup where a table that is to be rated does not begin as the game itself does."""
    if setup.start is not None:
        raise BadSetup(
            "A rated game begins from the game's own start; leave the position or record out, or play unrated."
        )
    if not is_preset(setup):
        raise BadSetup(
            "A rated game is played by one of the game's presets as it is; set the options back, or play unrated."
        )


def is_preset(setup: Setup) -> bool:
    """Whether the options are those of one of the game's presets."""
    info = registry.info(setup.game)
    options: list[Any] = [make_options(info.options_type, info.presets, name, {}) for name in info.presets]
    return setup.options in [tuple(as_pairs(chosen)) for chosen in options]


def why_not_counted(table: Table) -> str | None:
    """Why a rated game that is over leaves the ratings as they are; None where it counts (or was never to count)."""
    if not table.setup.rated or table.result is None:
        return None
    if table.setup.start is not None:
        return "It does not count for ratings: it began from a set position."
    turns = Counter(line.seat for line in table.lines)
    ended_early = any(turns[seat] < MIN_TURNS for seat in range(len(table.seats)))
    if ended_early and table.match.outcome() is None:  # resigned, run out of time or agreed on
        return f"It does not count for ratings: it ended before everybody had played {MIN_TURNS} turns."
    return None


def are_named(players: Iterable[Player | None]) -> bool:
    """Whether everybody is a member or a bot; games of guests, from before that was asked for, are not counted."""
    return all(player is not None and player.kind != "guest" for player in players)
