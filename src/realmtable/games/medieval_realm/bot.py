"""What a position is worth to a seat, at a glance: enough for a bot that plans one turn."""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.medieval_realm.position import BORDER, EMPTY, GOES_ON, OFF, REASON, SIDE_BIT
from realmtable.games.medieval_realm.state import State
from realmtable.games.medieval_realm.view import outcome
from realmtable.kit.array_state import Position
from realmtable.kit.realm_board import REALM_SIDE, REALMS

WIN: Final = 1000.0
HOME: Final = 10.0  # a piece borne off
ROWS: Final = (0.0, 2.0, 4.5, 7.0)  # a piece on a Center, by how many rows it has come
DOWN: Final = 4.0  # what a dislodged Man has lost: he waits until his opponent leaves
BURIED: Final = 1.0  # and more for every Man above the first who lies in the same Realm


def evaluate(state: State, seat: Seat) -> float:
    """How good a state is for a seat: a win or loss if it is over, else how far each side's pieces have come."""
    position = state.position
    if position[REASON] != GOES_ON:
        ended = outcome(state)
        assert ended is not None  # noqa: S101 - it is over
        return 0.0 if ended.winner is None else WIN if ended.winner == seat else -WIN
    return _march(position, seat) - _march(position, 1 - seat)


def _march(position: Position, seat: Seat) -> float:
    worth = HOME * float(position[OFF + seat])
    for realm in range(REALMS):
        row = realm // REALM_SIDE
        come = ROWS[REALM_SIDE - 1 - row if seat else row]
        piece = position[realm]
        if piece != EMPTY and piece >> SIDE_BIT == seat:
            worth += come
        lying = float(position[BORDER + 2 * realm + seat])
        worth += lying * (come - DOWN) - BURIED * lying * (lying - 1) / 2
    return worth
