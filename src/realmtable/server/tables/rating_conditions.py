"""Which games count for ratings: those that begin normally, with an unchanged preset, and in which everyone has played.

Otherwise ratings could be gamed: with positions that are won in one move, or with opponents who resign at once.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from realmtable.engine import registry
from realmtable.engine.language import translate
from realmtable.engine.options import as_pairs, make_options
from realmtable.server.accounts.accounts import Player
from realmtable.server.errors import BadSetup
from realmtable.server.storage.table_store import ABORTED
from realmtable.server.tables.events.timeout import rank_last
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.table import Table

MIN_TURNS: Final = 3  # per seat, if the game ended early
TOO_MANY_TODAY: Final = "Not counted for ratings: of two players, only the first three rated games a day count."


def check_rated_setup(setup: Setup) -> None:
    """Raise BadSetup if a game with this set-up cannot be rated."""
    if setup.seats == 1:
        raise BadSetup("A solo game cannot be rated: there is nobody to compare you with; play unrated.")
    if setup.start is not None:
        raise BadSetup("A rated game cannot start from a position or record; remove it, or play unrated.")
    if setup.clock.kind == "none":
        raise BadSetup("A rated game needs a clock or days per move, or it may never end; choose one, or play unrated.")
    if not is_preset(setup):
        raise BadSetup("A rated game must use one of the presets unchanged; reset the options, or play unrated.")


def unrate_if_necessary(setup: Setup) -> Setup:
    """Return the set-up for another game; it is unrated if a game with it can no longer be rated."""
    if not setup.rated:
        return setup
    try:
        check_rated_setup(setup)
    except BadSetup:
        return dataclasses.replace(setup, rated=False)
    return setup


def is_preset(setup: Setup) -> bool:
    """Whether the options are those of one of the game's presets."""
    info = registry.info(setup.game)
    options: list[Any] = [make_options(info.options_type, info.presets, name, {}) for name in info.presets]
    return setup.options in [tuple(as_pairs(chosen)) for chosen in options]


def why_not_counted(table: Table) -> str | None:
    """Return why a rated game does not count for ratings, as far as is known; None if it counts or is not rated."""
    if table.is_uncounted:
        return TOO_MANY_TODAY
    if not table.setup.rated or table.result is None:
        return None
    if table.result.reason == ABORTED:
        return translate("Not counted for ratings: the game was aborted.")
    if table.setup.start is not None:
        return "Not counted for ratings: the game started from a custom position."
    turns = Counter(line.seat for line in table.move_list)
    ended_early = any(turns[seat] < MIN_TURNS for seat in range(len(table.seats)))
    if ended_early and table.match.outcome() is None:  # by resignation, time or agreement
        return f"Not counted for ratings: the game ended before everyone had played {MIN_TURNS} turns."
    return None


def rated_players(table: Table) -> list[str]:
    """Return the ids of the rated players by seat: those who ran out of time, not the bots that took over."""
    late = {late.seat: late.player_id for late in table.timed_out}
    return [late.get(seat, sitter.player_id) for seat, sitter in enumerate(table.seats) if sitter is not None]


def rated_ranking(table: Table) -> tuple[int, ...]:
    """Return the ranking of a finished game for ratings: players who ran out of time share the last place."""
    assert table.result is not None  # noqa: S101 - the caller has checked
    return rank_last(table.result.ranking, table.timed_out_seats)


def are_named(players: Iterable[Player | None]) -> bool:
    """Whether all players are members or bots; rated games with guests date from before this was required."""
    return all(player is not None and player.kind != "guest" for player in players)
