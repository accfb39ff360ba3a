"""What the evaluation remembers of the last position, so that it computes only what a few steps have changed.

The memory is one array, all zeros at first, and is used for positions of one match only. Everything in it follows from
the last position, so an evaluation does not depend on the positions before it.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from realmtable.games.realms_of_etherium.kernels.layout import (
    ACTIVE_SEAT,
    DISRUPTION_TYPE,
    FIRST_TILE,
    HEX_COUNT,
    IS_VICTORY,
    KIND_COUNT,
    MAGE_COUNT,
    MAGE_PLACE,
    MAX_MAGES,
    MAX_SEATS,
    MOVED,
    NONE,
    PHASE,
    PLAYER_COLOUR,
    PORTAL_KIND,
    PORTALS,
    RESERVE,
    SEATS,
    SIDE_COUNT,
    SIDES,
    TILE_HEX,
    TILE_KIND,
    TILE_OWNER,
    TRIGGERED,
    WIDTH,
    Hex,
    MageNumber,
    TileNumber,
)
from realmtable.games.realms_of_etherium.kernels.scoring import type_of
from realmtable.games.realms_of_etherium.kernels.world import tile_count
from realmtable.kit.compile import kernel
from realmtable.kit.rules import Position

Memory = NDArray[np.int64]

FAR: Final = 99
MOST_NEAR: Final = 5  # larger distances are all the same
FIRST_VICTORY: Final = int(np.flatnonzero(IS_VICTORY)[0])
SEAT_ENTRIES: Final = PLAYER_COLOUR - MAGE_PLACE  # of the position, from MAGE_PLACE on, that are evaluated
COLUMN_OF: Final = (np.arange(HEX_COUNT) % WIDTH).astype(np.int8)  # [hex] looked up, because dividing takes longer
ROW_OF: Final = (np.arange(HEX_COUNT) // WIDTH).astype(np.int8)  # [hex]

# The surroundings of a hex: how many Realms of each type touch it, how many do in all, and whether one lies on it.
TYPE_BITS: Final = 4
TYPES: Final = DISRUPTION_TYPE + 1
TOUCHING: Final = TYPES * TYPE_BITS  # the shift of how many touch it
OCCUPIED: Final = 1 << TOUCHING + TYPE_BITS
LEAST_TOUCHING: Final = 2  # for a hex where a Realm can be summoned

# Stamps: an entry holds a number in its low bits, and in the others when that was computed.
NEAR_BITS: Final = 3
PORTAL_BITS: Final = 7

# Entries of an offer.
OFFER_FIRST: Final = 0  # the shift of the type that counts; NONE if all do
OFFER_SECOND: Final = 1  # the shift of the other type of a pair, or the same
OFFER_WORTH: Final = 2  # of each in half points
OFFER_PRICES: Final = 3  # [6] what the seats lack to pay for Control
OFFER_SIZE: Final = OFFER_PRICES + MAX_SEATS

# Entries of the memory.
KNOWN: Final = 0  # 0 if there was no position yet
SEEN_HEX: Final = KNOWN + 1  # [96] TILE_HEX of the last position
SEEN_OWNER: Final = SEEN_HEX + PORTALS  # [96] TILE_OWNER
SEEN_RESERVE: Final = SEEN_OWNER + PORTALS  # [kinds] RESERVE, of Victory Realms only
SEEN_SEATS: Final = SEEN_RESERVE + KIND_COUNT  # [84] from MAGE_PLACE on
SEEN_REST: Final = SEEN_SEATS + SEAT_ENTRIES  # [4] PHASE, ACTIVE_SEAT, MOVED and TRIGGERED
MAGE_TILE: Final = SEEN_REST + 4  # [30] the place of each Mage + 1
MAGE_HEX: Final = MAGE_TILE + MAGE_COUNT  # [30] the hex of each Mage, NOT_IN_PLAY or IN_PORTALS
OCCUPANTS: Final = MAGE_HEX + MAGE_COUNT  # [98] the number of Mages in each place + 1, four bits per seat
PORTAL_CHANGES: Final = OCCUPANTS + PORTALS + 2  # how often Portals were added or moved
PORTALS_SEEN: Final = PORTAL_CHANGES + 1  # PORTAL_CHANGES when distances were noted last
MAGE_CHANGES: Final = PORTALS_SEEN + 1  # [6] how often the distances of a seat have changed
SEAT_PORTALS: Final = MAGE_CHANGES + MAX_SEATS  # [6] the distance of a seat's Mages to the nearest Portal
AROUND: Final = SEAT_PORTALS + MAX_SEATS  # [hexes] the surroundings
PORTAL_DISTANCE: Final = AROUND + HEX_COUNT  # [hexes] to the nearest Portal, with a stamp
EDGE_COUNT: Final = PORTAL_DISTANCE + HEX_COUNT  # the number of empty hexes that enough Realms touch
EDGE_LIST: Final = EDGE_COUNT + 1  # [hexes] these hexes
EDGE_INDEX: Final = EDGE_LIST + HEX_COUNT  # [hexes] the index of a hex in the list + 1, or 0
NEAR_SEATS: Final = 8  # MAX_SEATS, rounded up so that a hex has a cache line
NEAR: Final = EDGE_INDEX + HEX_COUNT  # [hexes, NEAR_SEATS] the distance to the seat's nearest Mage, with a stamp
CHANGED_TILES: Final = NEAR + HEX_COUNT * NEAR_SEATS  # [96] the tiles that were added, moved or removed just now
OFFERS: Final = CHANGED_TILES + PORTALS  # [kinds, OFFER_SIZE] the Victory Realms in the Reserve
MEMORY_SIZE: Final = OFFERS + KIND_COUNT * OFFER_SIZE

# What has changed since the last position.
NOTHING: Final = 0
IN_RESERVE: Final = 1
ANYTHING: Final = 2

NOT_IN_PLAY: Final = 1  # no hexes, because they are on the border
IN_PORTALS: Final = 2
OCCUPANT_BITS: Final = 4


# ---- changes


@kernel
def note_changes(position: Position, memory: Memory) -> int:
    """Bring the memory up to date and return what has changed: NOTHING, only IN_RESERVE, or ANYTHING."""
    tiles = tile_count(position)
    world = 0
    others = memory[KNOWN] ^ 1
    for tile in range(tiles):
        world |= position[TILE_HEX + tile] ^ memory[SEEN_HEX + tile]
        others |= position[TILE_OWNER + tile] ^ memory[SEEN_OWNER + tile]
    mages = 0
    for mage in range(MAGE_COUNT):
        mages |= position[MAGE_PLACE + mage] ^ memory[SEEN_SEATS + mage]
    seats = mages
    for entry in range(MAGE_COUNT, SEAT_ENTRIES):
        seats |= position[MAGE_PLACE + entry] ^ memory[SEEN_SEATS + entry]
    reserve = 0
    for kind in range(FIRST_VICTORY, KIND_COUNT):
        reserve |= position[RESERVE + kind] ^ memory[SEEN_RESERVE + kind]
    others |= position[PHASE] ^ memory[SEEN_REST]
    others |= position[ACTIVE_SEAT] ^ memory[SEEN_REST + 1]
    others |= position[MOVED] ^ memory[SEEN_REST + 2]
    others |= position[TRIGGERED] ^ memory[SEEN_REST + 3]
    if reserve:
        for kind in range(FIRST_VICTORY, KIND_COUNT):
            memory[SEEN_RESERVE + kind] = position[RESERVE + kind]
    if world | seats | others == 0:
        return IN_RESERVE if reserve else NOTHING
    if world:
        note_world(position, memory)
    if world | mages:
        note_mages(position, memory)
    if seats:
        for entry in range(SEAT_ENTRIES):
            memory[SEEN_SEATS + entry] = position[MAGE_PLACE + entry]
    if others:
        note_others(position, memory)
    return ANYTHING


@kernel
def note_others(position: Position, memory: Memory) -> None:
    """Remember what nothing else in the memory follows from."""
    memory[KNOWN] = 1
    for tile in range(tile_count(position)):
        memory[SEEN_OWNER + tile] = position[TILE_OWNER + tile]
    memory[SEEN_REST] = position[PHASE]
    memory[SEEN_REST + 1] = position[ACTIVE_SEAT]
    memory[SEEN_REST + 2] = position[MOVED]
    memory[SEEN_REST + 3] = position[TRIGGERED]


@kernel
def note_world(position: Position, memory: Memory) -> None:
    """Remember which Realms were added, moved and removed: first all hexes that they left, then where they are now."""
    count = 0
    for tile in range(tile_count(position)):
        before = int(memory[SEEN_HEX + tile])
        if before != position[TILE_HEX + tile]:
            memory[CHANGED_TILES + count] = tile
            count += 1
            if before:
                change_surroundings(position, memory, tile, before, -1)
    for index in range(count):
        tile = int(memory[CHANGED_TILES + index])
        now = int(position[TILE_HEX + tile])
        memory[SEEN_HEX + tile] = now
        if now:
            change_surroundings(position, memory, tile, now, 1)
        if position[TILE_KIND + tile] == PORTAL_KIND:
            memory[PORTAL_CHANGES] += 1


@kernel
def change_surroundings(position: Position, memory: Memory, tile: TileNumber, hex_: Hex, change: int) -> None:
    """Add a Realm on a hex to the surroundings of its neighbours, or remove it."""
    one = (1 << TYPE_BITS * type_of(position, tile)) + (1 << TOUCHING)
    memory[AROUND + hex_] += change * OCCUPIED
    update_edge(memory, hex_)
    for side in range(SIDE_COUNT):
        neighbour = hex_ + int(SIDES[side])
        memory[AROUND + neighbour] += change * one
        update_edge(memory, neighbour)


@kernel
def update_edge(memory: Memory, hex_: Hex) -> None:
    """Put a hex on the list of empty hexes that enough Realms touch, or take it off."""
    is_edge = LEAST_TOUCHING << TOUCHING <= memory[AROUND + hex_] < OCCUPIED
    index = int(memory[EDGE_INDEX + hex_]) - 1
    if is_edge and index == NONE:
        memory[EDGE_LIST + memory[EDGE_COUNT]] = hex_
        memory[EDGE_COUNT] += 1
        memory[EDGE_INDEX + hex_] = memory[EDGE_COUNT]
    elif not is_edge and index != NONE:
        memory[EDGE_COUNT] -= 1
        last = memory[EDGE_LIST + memory[EDGE_COUNT]]
        memory[EDGE_LIST + index] = last
        memory[EDGE_INDEX + last] = index + 1
        memory[EDGE_INDEX + hex_] = 0


@kernel
def note_mages(position: Position, memory: Memory) -> None:
    """Remember where Mages are, and for which seats distances have changed."""
    portals_moved = memory[PORTALS_SEEN] != memory[PORTAL_CHANGES]
    memory[PORTALS_SEEN] = memory[PORTAL_CHANGES]
    for seat in range(int(position[SEATS])):
        changed = portals_moved
        for mage in range(seat * MAX_MAGES, seat * MAX_MAGES + MAX_MAGES):
            if note_mage(position, memory, mage):
                changed = True
        if changed:
            memory[MAGE_CHANGES + seat] += 1
            memory[SEAT_PORTALS + seat] = find_seat_portals(position, memory, seat)


@kernel
def note_mage(position: Position, memory: Memory, mage: MageNumber) -> bool:
    """Remember where a Mage is; return whether it is on another hex than before."""
    place = int(position[MAGE_PLACE + mage])
    before = int(memory[MAGE_TILE + mage])
    if before != place + 1:
        one = 1 << OCCUPANT_BITS * (mage // MAX_MAGES)
        memory[OCCUPANTS + before] -= one
        memory[OCCUPANTS + place + 1] += one
        memory[MAGE_TILE + mage] = place + 1
    if place == NONE:
        hex_ = NOT_IN_PLAY
    elif place == PORTALS:
        hex_ = IN_PORTALS
    else:
        hex_ = int(position[TILE_HEX + place])
    if memory[MAGE_HEX + mage] == hex_:
        return False
    memory[MAGE_HEX + mage] = hex_
    return True


# ---- surroundings


@kernel
def count_type(memory: Memory, hex_: Hex, type_: int) -> int:
    """Return how many Realms of a type, such as a colour, touch a hex."""
    return int(memory[AROUND + hex_] >> TYPE_BITS * type_ & (1 << TYPE_BITS) - 1)


@kernel
def count_touching(memory: Memory, hex_: Hex) -> int:
    """Return how many Realms touch a hex."""
    return int(memory[AROUND + hex_] >> TOUCHING & (1 << TYPE_BITS) - 1)


@kernel
def has_other_occupant(memory: Memory, tile: TileNumber, seat: int) -> bool:
    """Whether a Mage of another seat is in a Realm."""
    own = (1 << OCCUPANT_BITS) - 1 << OCCUPANT_BITS * seat
    return bool(memory[OCCUPANTS + tile + 1] & ~own)


# ---- distances


@kernel
def hex_distance(one: Hex, other: Hex) -> int:
    """Return how many steps two hexes are apart."""
    q = int(COLUMN_OF[one]) - int(COLUMN_OF[other])
    r = int(ROW_OF[one]) - int(ROW_OF[other])
    return max(abs(q), abs(r), abs(q + r))


@kernel
def portal_distance(position: Position, memory: Memory, hex_: Hex) -> int:
    """Return the distance from a hex to the nearest Portal."""
    found = int(memory[PORTAL_DISTANCE + hex_])
    if found >> PORTAL_BITS == memory[PORTAL_CHANGES] + 1:
        return found & (1 << PORTAL_BITS) - 1
    return find_portal_distance(position, memory, hex_)


@kernel
def find_portal_distance(position: Position, memory: Memory, hex_: Hex) -> int:
    """Compute and remember the distance from a hex to the nearest Portal."""
    nearest = FAR
    for tile in range(position[FIRST_TILE + PORTAL_KIND], position[FIRST_TILE + PORTAL_KIND + 1]):
        if position[TILE_HEX + tile]:
            nearest = min(nearest, hex_distance(hex_, int(position[TILE_HEX + tile])))
    memory[PORTAL_DISTANCE + hex_] = (memory[PORTAL_CHANGES] + 1 << PORTAL_BITS) + nearest
    return nearest


@kernel
def find_seat_portals(position: Position, memory: Memory, seat: int) -> int:
    """Return the distance from a seat's Mages to the nearest Portal."""
    nearest = FAR
    for mage in range(seat * MAX_MAGES, seat * MAX_MAGES + MAX_MAGES):
        hex_ = int(memory[MAGE_HEX + mage])
        if hex_ == IN_PORTALS:
            nearest = 0
        elif hex_ != NOT_IN_PLAY:
            nearest = min(nearest, portal_distance(position, memory, hex_))
    return nearest


@kernel
def seat_distance(position: Position, memory: Memory, seat: int, hex_: Hex) -> int:
    """Return the distance of a seat's nearest Mage to a hex, directly or through the Portals; at most MOST_NEAR."""
    found = int(memory[NEAR + hex_ * NEAR_SEATS + seat])
    if found >> NEAR_BITS == memory[MAGE_CHANGES + seat]:
        return found & (1 << NEAR_BITS) - 1
    return find_seat_distance(position, memory, seat, hex_)


@kernel
def find_seat_distance(position: Position, memory: Memory, seat: int, hex_: Hex) -> int:
    """Compute and remember the distance of a seat's nearest Mage to a hex."""
    nearest = min(MOST_NEAR, int(memory[SEAT_PORTALS + seat]) + portal_distance(position, memory, hex_))
    for mage in range(seat * MAX_MAGES, seat * MAX_MAGES + MAX_MAGES):
        place = int(memory[MAGE_HEX + mage])
        if place > IN_PORTALS:
            nearest = min(nearest, hex_distance(hex_, place))
    memory[NEAR + hex_ * NEAR_SEATS + seat] = (memory[MAGE_CHANGES + seat] << NEAR_BITS) + nearest
    return nearest
