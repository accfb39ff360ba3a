"""A Realm position as planes of its 144 spaces and numbers, as the acting seat sees it."""

from __future__ import annotations

from typing import Final

from realmtable.games.realm.layout import (
    BASES_LEFT,
    CAPTURED,
    ENFORCERS_LEFT,
    MOVED,
    OFFER,
    ORIGIN,
    PHASE,
    PHASES,
    REARRANGE,
    SEAT,
    SEAT_SHIFT,
    STANDING,
    TARGET,
)
from realmtable.games.realm.moves import is_single_power_turn
from realmtable.games.realm.rearrangement import CLASSES, current_places, original_places, places_of_class
from realmtable.games.realm.rules import number_turn
from realmtable.kit.bits import count_bits
from realmtable.kit.compile import kernel
from realmtable.kit.plane_kernels import Numbers, Planes, clear_observation
from realmtable.kit.realm_board.geometry import FACINGS, SIDE
from realmtable.kit.realm_board.plane_kernels import mark_pieces, mark_realm
from realmtable.kit.rules import Position

SHAPE: Final = (SIDE, SIDE)  # rows from White's edge
KINDS: Final = ("bases", "powers", *(f"enforcers_{facing}" for facing in FACINGS), "immobile_enforcers")
KIND_COUNT: Final = len(KINDS)
PLANES: Final = (*(f"own_{kind}" for kind in KINDS), *(f"opponent_{kind}" for kind in KINDS), "origin", "target")
ORIGIN_PLANE, TARGET_PLANE = 2 * KIND_COUNT, 2 * KIND_COUNT + 1
SIDES: Final = ("own", "opponent")
IN_HAND: Final = ("powers", "mobile_enforcers", "immobile_enforcers")  # of a Rearrangement
NUMBERS: Final = (
    "seat", "turn", "moved", "offered", "single_power",
    *(f"{side}_{stock}" for stock in ("bases_left", "enforcers_left", "captured") for side in SIDES),
    *(f"{side}_{kind}_in_hand" for side in SIDES for kind in IN_HAND),
    *(f"phase_{number}_{name}" for number, name in enumerate(PHASES)),
)  # fmt: skip
SEAT_NUMBER, TURN_NUMBER, MOVED_NUMBER, OFFERED_NUMBER, SINGLE_POWER, STOCKS0 = range(6)
HAND0: Final = STOCKS0 + 6
PHASE0: Final = HAND0 + CLASSES


@kernel
def write_observation(position: Position, planes: Planes, numbers: Numbers) -> None:
    """Write a position as its acting seat sees it."""
    clear_observation(planes, numbers)
    seat = int(position[SEAT])
    mark_pieces(planes, position, seat, KIND_COUNT, SEAT_SHIFT)
    mark_realm(planes, ORIGIN_PLANE, int(position[ORIGIN]))
    mark_realm(planes, TARGET_PLANE, int(position[TARGET]))
    numbers[SEAT_NUMBER] = seat
    numbers[TURN_NUMBER] = number_turn(position)
    numbers[MOVED_NUMBER] = position[MOVED]
    numbers[OFFERED_NUMBER] = 1 if position[OFFER] == STANDING else 0
    numbers[SINGLE_POWER] = 1 if is_single_power_turn(position) else 0
    for each in range(2):
        numbers[STOCKS0 + (each ^ seat)] = position[BASES_LEFT + each]
        numbers[STOCKS0 + 2 + (each ^ seat)] = position[ENFORCERS_LEFT + each]
        numbers[STOCKS0 + 4 + (each ^ seat)] = position[CAPTURED + each]
    if position[PHASE] == REARRANGE:
        lifted, put = original_places(position), current_places(position, position[ORIGIN])
        for group in range(CLASSES):
            numbers[HAND0 + group] = count_bits(places_of_class(lifted, group)) - count_bits(
                places_of_class(put, group)
            )
    numbers[PHASE0 + position[PHASE]] = 1
