"""Players who are away while the game waits for them: claims against an opponent, and bots in their place.

Who is away is known to the process that serves the viewers, not to the log; it is given as a time for each seat. An
absence counts only while it is the absent player's turn, and never before their first step, when the game is aborted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from realmtable.engine.protocol import Seat
from realmtable.server.tables.first_steps import first_step_deadlines
from realmtable.server.tables.table import Table

AwaySince = Sequence[float | None] | None  # by seat; None if somebody is there, or if this is not known of any
CLAIMS: Final = ("win", "draw")
TWO_PLAYERS: Final = 2


class Claim(NamedTuple):
    """The opponent against whom a player can claim a win or a draw, and from when."""

    seat: Seat
    possible_at: float


def find_claim(table: Table, you: Sequence[Seat], away_since: AwaySince) -> Claim | None:
    """Return the claim of a player who waits for an absent opponent, or None."""
    if len(table.seats) != TWO_PLAYERS or len(you) != 1 or you[0] in table.acting:
        return None
    found = _ends_of_waits(table, away_since)
    return next((Claim(seat, at) for seat, at in found.items() if seat not in you), None)


def replaces_absent_players(table: Table) -> bool:
    """Whether bots take over for absent players. In a rated game, their clock decides instead."""
    return len(table.seats) > TWO_PLAYERS and table.setup.absence_s > 0 and not table.setup.rated


def absent_seats(table: Table, away_since: AwaySince, now: float) -> list[Seat]:
    """Return the seats that bots take over now, for a person who waits at the table."""
    if away_since is None or not replaces_absent_players(table):
        return []
    is_watched = any(away_since[seat] is None for seat in table.people)
    return [seat for seat, at in _ends_of_waits(table, away_since).items() if is_watched and now >= at]


def _ends_of_waits(table: Table, away_since: AwaySince) -> Mapping[Seat, float]:
    """Return until when the others wait, for each person who is to move and away."""
    if away_since is None or not table.setup.absence_s:
        return {}
    beginning = first_step_deadlines(table)
    return {
        seat: max(since, table.clock.since) + table.setup.absence_s
        for seat in table.acting
        if seat in table.people and seat not in beginning and (since := away_since[seat]) is not None
    }
