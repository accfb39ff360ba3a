"""A position of Realms of Etherium as planes of hexes and numbers, as the acting seat sees it.

Seats are relative: 0 is the acting seat, 1 the next one in turn order, and so on. Nothing is hidden (W9).
"""

from __future__ import annotations

from typing import Final

from realmtable.games.realms_of_etherium.kernels.layout import (
    ACTIVE_MAGE,
    ACTIVE_SEAT,
    ASKED,
    BLACK,
    CONTROLLED,
    DECLARED_HEX,
    ENTERING,
    EXHAUSTED,
    HELD,
    HEX_COUNT,
    KIND_COUNT,
    KIND_NAMES,
    MAGE_PLACE,
    MAX_MAGES,
    MAX_SEATS,
    MOVED_BEFORE,
    NONE,
    PHASE,
    PHASES,
    PICKED,
    PLAYER_COLOUR,
    POINTS,
    PORTALS,
    RESERVE,
    ROUND,
    SEAT,
    SEATS,
    SUPPLY,
    TILE_HEX,
    TILE_KIND,
    TILE_MARKS,
    TILE_OWNER,
    TRIED,
    TRIGGERED,
    TURN,
    WHITE,
    WIDTH,
)
from realmtable.games.realms_of_etherium.tiles.manifest import MAX_TILES
from realmtable.kit.compile import kernel
from realmtable.kit.plane_kernels import Numbers, Planes, clear_observation
from realmtable.kit.rules import Position

SHAPE: Final = (WIDTH, WIDTH)  # rows r and columns q from -21 to 21
PLANES: Final = (
    "kind",  # 0 for no Realm, or the index of its kind in `layout.KIND_NAMES` + 1
    "owner",  # 0 for none, or the relative seat + 1
    "held", "moved", "declared", "picked",
    *(f"own_mage_{number}" for number in range(1, MAX_MAGES + 1)),
    *(f"seat_{seat}_mages" for seat in range(1, MAX_SEATS)),  # how many are there
)  # fmt: skip
KIND_PLANE, OWNER_PLANE, HELD_PLANE, MOVED_PLANE, DECLARED_PLANE, PICKED_PLANE, MAGES_PLANE = range(7)

PLAYER_NUMBERS: Final = ("white", "black", "points", "controlled", "colour")
MAGES: Final = tuple(f"{seat}_mage_{number}" for seat in range(MAX_SEATS) for number in range(1, MAX_MAGES + 1))
NUMBERS: Final = (
    "seat", "seats", "turn", "turn_seat", "round", "triggered",
    "active_mage",  # its number, or 0; an opponent's (V19) has 5 more for each seat after the active one
    "entering_seat", "entering_mage", "asked_seat", "asked_mage",  # the relative seat + 1 and the number, or 0
    *(f"phase_{name}" for name in PHASES),
    *(f"seat_{seat}_{name}" for seat in range(MAX_SEATS) for name in PLAYER_NUMBERS),
    *(f"seat_{mage}" for mage in MAGES),  # 0: not in play, 1: on a Realm, 2: on the Portals
    *(f"seat_{mage}_exhausted" for mage in MAGES),
    *(f"seat_{mage}_protected" for mage in MAGES),
    *(f"reserve_{name}" for name in KIND_NAMES),
    *(f"supply_{name}" for name in KIND_NAMES),
)  # fmt: skip
(
    SEAT_NUMBER, SEATS_NUMBER, TURN_NUMBER, TURN_SEAT, ROUND_NUMBER, TRIGGERED_NUMBER, ACTIVE_NUMBER, ENTERING_NUMBER,
    _, ASKED_NUMBER, _, PHASE0,
) = range(12)  # fmt: skip
PLAYERS0: Final = PHASE0 + len(PHASES)
MAGES0: Final = PLAYERS0 + MAX_SEATS * len(PLAYER_NUMBERS)
EXHAUSTED0: Final = MAGES0 + len(MAGES)
PROTECTED0: Final = EXHAUSTED0 + len(MAGES)
RESERVE0: Final = PROTECTED0 + len(MAGES)
SUPPLY0: Final = RESERVE0 + KIND_COUNT
NUMBERS_EACH: Final = len(PLAYER_NUMBERS)


@kernel
def write_observation(position: Position, planes: Planes, numbers: Numbers) -> None:
    """Write a position as its acting seat sees it."""
    clear_observation(planes, numbers)
    write_tiles(position, planes)
    write_turn(position, numbers)
    seats, own = int(position[SEATS]), int(position[SEAT])
    for relative in range(seats):
        seat = (own + relative) % seats
        first = PLAYERS0 + relative * NUMBERS_EACH
        numbers[first] = position[WHITE + seat]
        numbers[first + 1] = position[BLACK + seat]
        numbers[first + 2] = position[POINTS + seat]
        numbers[first + 3] = position[CONTROLLED + seat]
        numbers[first + 4] = position[PLAYER_COLOUR + seat]
        for number in range(MAX_MAGES):
            write_mage(position, seat * MAX_MAGES + number, relative, planes, numbers)
    for kind in range(KIND_COUNT):
        numbers[RESERVE0 + kind] = position[RESERVE + kind]
        numbers[SUPPLY0 + kind] = position[SUPPLY + kind]


@kernel
def relative_seat(position: Position, seat: int) -> int:
    """Return how many places after the acting seat a seat comes."""
    return (seat - int(position[SEAT])) % int(position[SEATS])


@kernel
def write_tiles(position: Position, planes: Planes) -> None:
    """Write the Realms, and the hexes that a step has named."""
    for tile in range(MAX_TILES):
        hex_ = int(position[TILE_HEX + tile])
        if hex_ == 0:
            continue
        planes[KIND_PLANE * HEX_COUNT + hex_] = position[TILE_KIND + tile] + 1
        owner = int(position[TILE_OWNER + tile])
        if owner:
            planes[OWNER_PLANE * HEX_COUNT + hex_] = relative_seat(position, owner - 1) + 1
        marks = int(position[TILE_MARKS + tile])
        planes[HELD_PLANE * HEX_COUNT + hex_] = 1 if marks & HELD else 0
        planes[MOVED_PLANE * HEX_COUNT + hex_] = 1 if marks & MOVED_BEFORE else 0
    if position[DECLARED_HEX] != NONE:
        planes[DECLARED_PLANE * HEX_COUNT + position[DECLARED_HEX]] = 1
    if position[PICKED] != NONE:
        planes[PICKED_PLANE * HEX_COUNT + position[TILE_HEX + position[PICKED]]] = 1


@kernel
def write_turn(position: Position, numbers: Numbers) -> None:
    """Write whose turn it is and what is being decided."""
    numbers[SEAT_NUMBER] = position[SEAT]
    numbers[SEATS_NUMBER] = position[SEATS]
    numbers[TURN_NUMBER] = position[TURN]
    numbers[TURN_SEAT] = relative_seat(position, int(position[ACTIVE_SEAT]))
    numbers[ROUND_NUMBER] = position[ROUND]
    numbers[TRIGGERED_NUMBER] = position[TRIGGERED]
    if position[ACTIVE_MAGE] != NONE:
        after = (position[ACTIVE_MAGE] // MAX_MAGES - position[ACTIVE_SEAT]) % position[SEATS]
        numbers[ACTIVE_NUMBER] = after * MAX_MAGES + position[ACTIVE_MAGE] % MAX_MAGES + 1
    numbers[PHASE0 + position[PHASE]] = 1
    write_named_mage(position, int(position[ENTERING]), numbers, ENTERING_NUMBER)
    write_named_mage(position, int(position[ASKED]), numbers, ASKED_NUMBER)


@kernel
def write_named_mage(position: Position, mage: int, numbers: Numbers, first: int) -> None:
    """Write the relative seat + 1 and the number of a Mage, unless it is NONE."""
    if mage != NONE:
        numbers[first] = relative_seat(position, mage // MAX_MAGES) + 1
        numbers[first + 1] = mage % MAX_MAGES + 1


@kernel
def write_mage(position: Position, mage: int, relative: int, planes: Planes, numbers: Numbers) -> None:
    """Write where a Mage of a relative seat is, and whether it is exhausted or protected."""
    place = int(position[MAGE_PLACE + mage])
    if place == NONE:
        return
    index = relative * MAX_MAGES + mage % MAX_MAGES
    numbers[MAGES0 + index] = 2 if place == PORTALS else 1
    numbers[EXHAUSTED0 + index] = position[EXHAUSTED + mage]
    numbers[PROTECTED0 + index] = position[TRIED] >> mage & 1
    if place != PORTALS:
        plane = MAGES_PLANE + (index if relative == 0 else MAX_MAGES + relative - 1)
        planes[plane * HEX_COUNT + position[TILE_HEX + place]] += 1
