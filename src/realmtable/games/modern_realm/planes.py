"""A position of Modern Realm as planes of its 144 spaces and numbers, as the acting seat sees it."""

from __future__ import annotations

from typing import Final

from realmtable.games.modern_realm.layout import (
    DISLODGED_REALM,
    ORIGIN,
    PHASE,
    PHASES,
    SEAT,
    SEAT_SHIFT,
    UNMOVED_PLACES,
)
from realmtable.games.modern_realm.rules import number_turn
from realmtable.kit.compile import kernel
from realmtable.kit.plane_kernels import Numbers, Planes, clear_observation
from realmtable.kit.realm_board.geometry import SIDE
from realmtable.kit.realm_board.plane_kernels import mark_pieces, mark_places, mark_realm
from realmtable.kit.rules import Position

SHAPE: Final = (SIDE, SIDE)  # rows from White's edge
KINDS: Final = ("hq", "agents", "counter")
KIND_COUNT: Final = len(KINDS)
PLANES: Final = (
    *(f"own_{kind}" for kind in KINDS), *(f"opponent_{kind}" for kind in KINDS), "origin", "unmoved", "dislodged",
)  # fmt: skip
ORIGIN_PLANE, UNMOVED_PLANE, DISLODGED_PLANE = range(2 * KIND_COUNT, 2 * KIND_COUNT + 3)
NUMBERS: Final = ("seat", "turn", *(f"phase_{name}" for name in PHASES))
SEAT_NUMBER, TURN_NUMBER, PHASE0 = range(3)


@kernel
def write_observation(position: Position, planes: Planes, numbers: Numbers) -> None:
    """Write a position as its acting seat sees it."""
    clear_observation(planes, numbers)
    seat = int(position[SEAT])
    mark_pieces(planes, position, seat, KIND_COUNT, SEAT_SHIFT)
    origin = int(position[ORIGIN])
    if origin >= 0:
        mark_realm(planes, ORIGIN_PLANE, origin)
        mark_places(planes, UNMOVED_PLANE, origin, int(position[UNMOVED_PLACES]))
    mark_realm(planes, DISLODGED_PLANE, int(position[DISLODGED_REALM]))
    numbers[SEAT_NUMBER] = seat
    numbers[TURN_NUMBER] = number_turn(position)
    numbers[PHASE0 + position[PHASE]] = 1
