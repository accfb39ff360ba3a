"""A position of Oriental Realm as planes of its 144 spaces and numbers, as the acting seat sees it."""

from __future__ import annotations

from typing import Final

from realmtable.games.oriental_realm.layout import (
    PHASE,
    PHASES,
    SEAT,
    SEAT_SHIFT,
    TURN_REALM,
    UNMOVED_PLACES,
)
from realmtable.games.oriental_realm.rules import number_turn
from realmtable.kit.compile import kernel
from realmtable.kit.plane_kernels import Numbers, Planes, clear_observation
from realmtable.kit.realm_board.geometry import SIDE
from realmtable.kit.realm_board.plane_kernels import mark_pieces, mark_places, mark_realm
from realmtable.kit.rules import Position

SHAPE: Final = (SIDE, SIDE)  # rows from White's edge
PLANES: Final = (
    "own_mandarins", "own_emperor", "opponent_mandarins", "opponent_emperor", "turn_realm", "unmoved",
)  # fmt: skip
KIND_COUNT: Final = 2
TURN_REALM_PLANE, UNMOVED_PLANE = 4, 5
NUMBERS: Final = ("seat", "turn", *(f"phase_{name}" for name in PHASES))
SEAT_NUMBER, TURN_NUMBER, PHASE0 = range(3)


@kernel
def write_observation(position: Position, planes: Planes, numbers: Numbers) -> None:
    """Write a position as its acting seat sees it."""
    clear_observation(planes, numbers)
    seat = int(position[SEAT])
    mark_pieces(planes, position, seat, KIND_COUNT, SEAT_SHIFT)
    realm = int(position[TURN_REALM])
    if realm >= 0:
        mark_realm(planes, TURN_REALM_PLANE, realm)
        mark_places(planes, UNMOVED_PLANE, realm, int(position[UNMOVED_PLACES]))
    numbers[SEAT_NUMBER] = seat
    numbers[TURN_NUMBER] = number_turn(position)
    numbers[PHASE0 + position[PHASE]] = 1
