"""Kernels on tiles, hexes and places: what touches what, what is Constrained, and which parts the world has."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from realmtable.games.realms_of_etherium.kernels.layout import (
    COLOUR,
    FACT_MASK,
    FIRST_TILE,
    HEX_BITS,
    HEXES,
    INSIDE,
    KIND_COUNT,
    KINDS,
    NONE,
    PORTAL_KIND,
    PORTALS,
    R_PORTALS_AS_ONE,
    SIDE_COUNT,
    SIDES,
    TILE_HEX,
    TILE_KIND,
    TO_PORTALS,
    Hex,
    Kind,
    Place,
    TileNumber,
)
from realmtable.kit.compile import kernel
from realmtable.kit.rules import Position, Steps

Labels = NDArray[np.int64]  # [96] the number of the part that a tile belongs to

# ---- tiles and hexes


@kernel
def tile_on(position: Position, hex_: Hex) -> TileNumber:
    """Return the tile on a hex, or NONE."""
    return int(position[HEXES + (hex_ >> 3)] >> ((hex_ & 7) << 3) & HEX_BITS) - 1


@kernel
def write_hex(position: Position, hex_: Hex, tile: TileNumber) -> None:
    """Write a tile, or NONE, on a hex."""
    change = (tile + 1) ^ (tile_on(position, hex_) + 1)
    position[HEXES + (hex_ >> 3)] ^= change << ((hex_ & 7) << 3)


@kernel
def put_tile(position: Position, tile: TileNumber, hex_: Hex) -> None:
    """Put a tile that is not in play on an empty hex."""
    write_hex(position, hex_, tile)
    position[TILE_HEX + tile] = hex_


@kernel
def lift_tile(position: Position, tile: TileNumber) -> None:
    """Take a tile off its hex."""
    write_hex(position, int(position[TILE_HEX + tile]), NONE)
    position[TILE_HEX + tile] = 0


@kernel
def fact(position: Position, kind: Kind, shift: int) -> int:
    """Return a fact of the manifest about a kind."""
    return int(position[KINDS + kind] >> shift & FACT_MASK)


@kernel
def colour_of(position: Position, tile: TileNumber) -> int:
    """Return the colour of a tile."""
    return fact(position, int(position[TILE_KIND + tile]), COLOUR)


@kernel
def is_portal(position: Position, tile: TileNumber) -> bool:
    """Whether a tile is a Portal."""
    return bool(position[TILE_KIND + tile] == PORTAL_KIND)


@kernel
def tile_count(position: Position) -> int:
    """Return the number of tiles of the manifest, in play or not."""
    return int(position[FIRST_TILE + KIND_COUNT])


@kernel
def place_of(position: Position, tile: TileNumber) -> Place:
    """Return the place that a tile is, or belongs to (W5)."""
    return PORTALS if is_portal(position, tile) else tile


@kernel
def place_on(position: Position, hex_: Hex) -> Place:
    """Return the place on a hex, or NONE."""
    tile = tile_on(position, hex_)
    return NONE if tile == NONE else place_of(position, tile)


@kernel
def target_of(position: Position, place: Place) -> int:
    """Return how steps number a place: by its hex, or TO_PORTALS."""
    return TO_PORTALS if place == PORTALS else int(position[TILE_HEX + place])


@kernel
def place_of_target(position: Position, target: int) -> Place:
    """Return the place that a step names."""
    return PORTALS if target == TO_PORTALS else tile_on(position, target)


# ---- touching


@kernel
def count_touched(position: Position, hex_: Hex, moved: TileNumber, moved_to: Hex) -> int:
    """Return how many Realms a hex touches (W4), as if the tile `moved` lay on the hex `moved_to`, or on none."""
    count = 0
    portals = 0
    for side in range(SIDE_COUNT):
        neighbour = hex_ + int(SIDES[side])
        tile = tile_on(position, neighbour)
        if neighbour == moved_to:
            tile = moved
        elif tile == moved:
            tile = NONE
        if tile == NONE:
            continue
        if is_portal(position, tile):
            portals += 1
        else:
            count += 1
    if position[R_PORTALS_AS_ONE] and portals > 1:
        portals = 1
    return count + portals


@kernel
def keeps_neighbours_touched(position: Position, tile: TileNumber, moved_to: Hex) -> bool:
    """Whether each Realm that touches a tile touches at least two Realms once the tile lies elsewhere, or nowhere."""
    hex_ = int(position[TILE_HEX + tile])
    for side in range(SIDE_COUNT):
        neighbour = hex_ + int(SIDES[side])
        if tile_on(position, neighbour) != NONE and count_touched(position, neighbour, tile, moved_to) < 2:  # noqa: PLR2004
            return False
    return True


@kernel
def is_constrained(position: Position, tile: TileNumber) -> bool:
    """Whether no two neighbouring sides of a Realm are open (W7)."""
    hex_ = int(position[TILE_HEX + tile])
    before_open = tile_on(position, hex_ + int(SIDES[SIDE_COUNT - 1])) == NONE
    for side in range(SIDE_COUNT):
        is_open = tile_on(position, hex_ + int(SIDES[side])) == NONE
        if is_open and before_open:
            return False
        before_open = is_open
    return True


@kernel
def touches_place(position: Position, tile: TileNumber, place: Place) -> bool:
    """Whether a Realm that is no Portal touches a Realm of a place."""
    hex_ = int(position[TILE_HEX + tile])
    for side in range(SIDE_COUNT):
        if place_on(position, hex_ + int(SIDES[side])) == place:
            return True
    return False


# ---- lists


@kernel
def insert_step(out: Steps, first: int, listed: int, code: int) -> int:
    """Insert a step into the ascending part of a list from `first` on, unless it is there; return the new length."""
    index = listed
    while index > first and out[index - 1] > code:
        index -= 1
    if index > first and out[index - 1] == code:
        return listed
    for later in range(listed, index, -1):
        out[later] = out[later - 1]
    out[index] = code
    return listed + 1


@kernel
def first_tile_of(position: Position, place: Place) -> int:
    """Return the first of the tiles that make up a place: the Portals are one place of several tiles (W5)."""
    return int(position[FIRST_TILE + PORTAL_KIND]) if place == PORTALS else place


@kernel
def last_tile_of(position: Position, place: Place) -> int:
    """Return the last of the tiles that make up a place."""
    return int(position[FIRST_TILE + PORTAL_KIND + 1]) - 1 if place == PORTALS else place


@kernel
def list_adjacent_places(position: Position, place: Place, first_code: int, out: Steps, listed: int) -> int:
    """Append `first_code` + target for each place adjacent to a place (W5), in ascending order."""
    first = listed
    for tile in range(first_tile_of(position, place), last_tile_of(position, place) + 1):
        hex_ = int(position[TILE_HEX + tile])
        if hex_ == 0:
            continue
        for side in range(SIDE_COUNT):
            other = place_on(position, hex_ + int(SIDES[side]))
            if other >= 0 and other != place:
                listed = insert_step(out, first, listed, first_code + target_of(position, other))
    return listed


@kernel
def has_adjacent_place(position: Position, place: Place) -> bool:
    """Whether a place has an adjacent one."""
    for tile in range(first_tile_of(position, place), last_tile_of(position, place) + 1):
        hex_ = int(position[TILE_HEX + tile])
        for side in range(SIDE_COUNT if hex_ else 0):
            if place_on(position, hex_ + int(SIDES[side])) not in (NONE, place):
                return True
    return False


@kernel
def list_summon_hexes(position: Position, place: Place, first_code: int, out: Steps, listed: int) -> int:
    """Append `first_code` + hex for each hex where a Mage in a place can summon a Realm (M2)."""
    first = listed
    needed = touches_needed(position)
    for tile in range(first_tile_of(position, place), last_tile_of(position, place) + 1):
        hex_ = int(position[TILE_HEX + tile])
        if hex_ == 0:
            continue
        for side in range(SIDE_COUNT):
            empty = hex_ + int(SIDES[side])
            if not INSIDE[empty] or tile_on(position, empty) != NONE:
                continue
            if count_touched(position, empty, NONE, NONE) >= needed:
                listed = insert_step(out, first, listed, first_code + empty)
    return listed


@kernel
def touches_needed(position: Position) -> int:
    """Return how many Realms the hex of a summoning must touch: two, or one while there is only one Realm (M2)."""
    realms = 0
    portals = 0
    for tile in range(tile_count(position)):
        if position[TILE_HEX + tile]:
            if is_portal(position, tile):
                portals += 1
            else:
                realms += 1
    if position[R_PORTALS_AS_ONE] and portals > 1:
        portals = 1
    return 1 if realms + portals == 1 else 2


# ---- parts


@kernel
def label_parts(
    position: Position, labels: Labels, skipped: TileNumber, portal_gone: TileNumber, portal_new: TileNumber
) -> int:  # fmt: skip
    """Number the parts of the world (W8) without the tile `skipped` and return how many there are.

    `portal_new` counts as a Portal and `portal_gone` as none, as if these two had been exchanged.
    """
    count = tile_count(position)
    waiting = np.empty(PORTALS, dtype=np.int64)
    for tile in range(count):
        labels[tile] = NONE
    parts = 0
    for start in range(count):
        if position[TILE_HEX + start] == 0 or labels[start] != NONE or start == skipped:
            continue
        labels[start] = parts
        waiting[0] = start
        size = 1
        while size > 0:
            size -= 1
            tile = int(waiting[size])
            if counts_as_portal(position, tile, portal_gone, portal_new):
                for other in range(position[FIRST_TILE + PORTAL_KIND], position[FIRST_TILE + PORTAL_KIND + 1]):
                    if labels[other] != NONE or position[TILE_HEX + other] == 0 or other in (skipped, portal_gone):
                        continue
                    labels[other] = parts
                    waiting[size] = other
                    size += 1
                if portal_new != NONE and labels[portal_new] == NONE:
                    labels[portal_new] = parts
                    waiting[size] = portal_new
                    size += 1
            hex_ = int(position[TILE_HEX + tile])
            for side in range(SIDE_COUNT):
                other = tile_on(position, hex_ + int(SIDES[side]))
                if other >= 0 and other != skipped and labels[other] == NONE:
                    labels[other] = parts
                    waiting[size] = other
                    size += 1
        parts += 1
    return parts


@kernel
def counts_as_portal(
    position: Position, tile: TileNumber, portal_gone: TileNumber, portal_new: TileNumber
) -> bool:  # fmt: skip
    """Whether a tile is a Portal after an exchange of two tiles."""
    return tile == portal_new or (tile != portal_gone and is_portal(position, tile))


@kernel
def count_parts(position: Position) -> int:
    """Return the number of parts of the world (W8)."""
    return label_parts(position, np.empty(PORTALS, dtype=np.int64), NONE, NONE, NONE)


@kernel
def may_join_parts(position: Position, tile: TileNumber) -> bool:
    """Whether the world could have more parts without a Realm (W8): not if the Realms around it touch in a row."""
    if is_portal(position, tile):
        return True
    hex_ = int(position[TILE_HEX + tile])
    rows = 0
    for side in range(SIDE_COUNT):
        is_last = tile_on(position, hex_ + int(SIDES[(side + 1) % SIDE_COUNT])) == NONE
        if is_last and tile_on(position, hex_ + int(SIDES[side])) != NONE:
            rows += 1
    return rows > 1
