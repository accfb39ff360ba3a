"""Games that nobody has to lose: before their first step, players may abort, and a live clock aborts for them.

Afterwards a game is resigned or lost on time. A rated game of chance is never aborted: its players have seen what they
were dealt, and would keep only good beginnings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from realmtable.engine.language import translate
from realmtable.engine.protocol import Seat
from realmtable.server.tables.table import Table


def why_not_abort(table: Table, seats: Sequence[Seat]) -> str | None:
    """Return why the player on these seats of a running game cannot abort it; None if they can."""
    if _is_rated_game_of_chance(table):
        return translate("A rated game of chance cannot be aborted; resign instead.")
    if not table.begun.isdisjoint(seats):
        return translate("You have already made a move; resign instead.")
    return None


def first_step_deadlines(table: Table) -> Mapping[Seat, float]:
    """Return when the game is aborted, by seat: for people whose clocks run and who have made no step yet.

    It is when the player's own clock has run for so long, so that it follows from the clock.
    """
    setup, clock = table.setup, table.clock
    if not setup.first_step_s or table.status != "running" or _is_rated_game_of_chance(table):
        return {}
    unused_s = clock.rule.seconds - setup.first_step_s
    return {
        seat: clock.since + clock.left[seat] - unused_s
        for seat in clock.running
        if seat not in table.begun and seat in table.people
    }


def describe_first_step(table: Table, you: Sequence[Seat]) -> dict[str, float] | None:
    """Return which seat must make its first step, and until when, or None.

    Where information is hidden, players read only their own time: others' first steps may be secret.
    """
    known = {
        seat: until for seat, until in first_step_deadlines(table).items() if seat in you or not table.game.info.hidden
    }
    if not known:
        return None
    seat = min(known, key=lambda seat: known[seat])
    return {"seat": seat, "until": round(known[seat], 3)}


def _is_rated_game_of_chance(table: Table) -> bool:
    return table.setup.rated and table.game.info.chance
