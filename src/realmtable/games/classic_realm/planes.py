"""A position of Classic Realm as planes of its 16 Realms and numbers, as the acting seat sees it."""

from __future__ import annotations

from typing import Final

from realmtable.games.classic_realm.layout import (
    DOUBLE_MOVE_HOLDER,
    NOBODY,
    OWED_TURNS,
    PADS,
    PHASE,
    PHASES,
    RESCUED_REALM,
    SEAT,
    WATER,
)
from realmtable.games.classic_realm.rules import number_turn
from realmtable.kit.compile import kernel
from realmtable.kit.plane_kernels import Numbers, Planes, clear_observation
from realmtable.kit.realm_board.geometry import REALM_SIDE, REALMS
from realmtable.kit.rules import Position

SHAPE: Final = (REALM_SIDE, REALM_SIDE)  # rows from White's edge
PLANES: Final = (
    "own_pads",
    "opponent_pads",
    "own_water",
    "opponent_water",
    "rescued",
)  # in the water: numbers of frogs
NUMBERS: Final = ("seat", "turn", "own_right", "opponent_right", "owed_turns", *(f"phase_{name}" for name in PHASES))
OWN_PADS, OPPONENT_PADS, OWN_WATER, OPPONENT_WATER, RESCUED = (REALMS * plane for plane in range(len(PLANES)))
SEAT_NUMBER, TURN_NUMBER, OWN_RIGHT, OPPONENT_RIGHT, OWED, PHASE0 = range(6)


@kernel
def write_observation(position: Position, planes: Planes, numbers: Numbers) -> None:
    """Write a position as its acting seat sees it."""
    clear_observation(planes, numbers)
    seat = int(position[SEAT])
    own, opponent = int(position[PADS + seat]), int(position[PADS + 1 - seat])
    for realm in range(REALMS):
        planes[OWN_PADS + realm] = own >> realm & 1
        planes[OPPONENT_PADS + realm] = opponent >> realm & 1
        planes[OWN_WATER + realm] = position[WATER + seat * REALMS + realm]
        planes[OPPONENT_WATER + realm] = position[WATER + (1 - seat) * REALMS + realm]
    if position[RESCUED_REALM] != NOBODY:
        planes[RESCUED + position[RESCUED_REALM]] = 1
    numbers[SEAT_NUMBER] = seat
    numbers[TURN_NUMBER] = number_turn(position)
    numbers[OWN_RIGHT] = 1 if position[DOUBLE_MOVE_HOLDER] == seat else 0
    numbers[OPPONENT_RIGHT] = 1 if position[DOUBLE_MOVE_HOLDER] == 1 - seat else 0
    numbers[OWED] = position[OWED_TURNS]
    numbers[PHASE0 + position[PHASE]] = 1
