"""A position of Medieval Realm as planes of its 16 Realms and numbers, as the acting seat sees it."""

from __future__ import annotations

from typing import Final

from realmtable.games.medieval_realm.layout import (
    BORDER_COUNTS,
    DUKE,
    DUKE_STREAK,
    EMPTY,
    KIND_MASK,
    OFF_COUNT,
    SEAT,
    SEAT_SHIFT,
)
from realmtable.games.medieval_realm.rules import number_turn
from realmtable.kit.compile import kernel
from realmtable.kit.plane_kernels import Numbers, Planes, clear_observation
from realmtable.kit.realm_board.geometry import REALM_SIDE, REALMS
from realmtable.kit.rules import Position

SHAPE: Final = (REALM_SIDE, REALM_SIDE)  # rows from White's edge
PLANES: Final = ("own_dukes", "own_men", "own_dislodged", "opponent_dukes", "opponent_men", "opponent_dislodged")
PLANES_EACH: Final = 3
NUMBERS: Final = ("seat", "turn", "own_off", "opponent_off", "own_duke_moves", "opponent_duke_moves")
SEAT_NUMBER, TURN_NUMBER, OFF0, DUKE_MOVES0 = 0, 1, 2, 4


@kernel
def write_observation(position: Position, planes: Planes, numbers: Numbers) -> None:
    """Write a position as its acting seat sees it."""
    clear_observation(planes, numbers)
    seat = int(position[SEAT])
    for realm in range(REALMS):
        piece = int(position[realm])
        if piece != EMPTY:
            plane = PLANES_EACH * ((piece >> SEAT_SHIFT) ^ seat) + (0 if piece & KIND_MASK == DUKE else 1)
            planes[plane * REALMS + realm] = 1
        for each in range(2):
            dislodged = PLANES_EACH * (each ^ seat) + 2
            planes[dislodged * REALMS + realm] = position[BORDER_COUNTS + 2 * realm + each]
    for each in range(2):
        numbers[OFF0 + (each ^ seat)] = position[OFF_COUNT + each]
        numbers[DUKE_MOVES0 + (each ^ seat)] = position[DUKE_STREAK + each]
    numbers[SEAT_NUMBER] = seat
    numbers[TURN_NUMBER] = number_turn(position)
