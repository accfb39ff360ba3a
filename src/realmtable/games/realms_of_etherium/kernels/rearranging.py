"""Kernels for Shift and Swap: which Realms can be moved, and where to (T12 to T14, W8)."""

from __future__ import annotations

import numpy as np

from realmtable.games.realms_of_etherium.kernels.layout import (
    ACTIVE_SEAT,
    ENTERING,
    FIRST_TILE,
    INSIDE,
    IS_VICTORY,
    MAX_MAGES,
    MOVED_BEFORE,
    MOVED_NOW,
    NONE,
    PORTAL_KIND,
    PORTALS,
    PUT0,
    R_KEEP_CONNECTED,
    R_MOVED_BY_PLAYER,
    R_SHIFT_KEEPS_TOUCHING,
    SHIFT0,
    SIDE_COUNT,
    SIDES,
    SWAP0,
    TILE_HEX,
    TILE_KIND,
    TILE_MARKS,
    TRIGGERED,
    WITH0,
    Hex,
    TileNumber,
)
from realmtable.games.realms_of_etherium.kernels.scoring import update_points
from realmtable.games.realms_of_etherium.kernels.world import (
    Labels,
    count_parts,
    count_touched,
    insert_step,
    is_constrained,
    is_portal,
    keeps_neighbours_touched,
    label_parts,
    lift_tile,
    may_join_parts,
    put_tile,
    tile_count,
    tile_on,
)
from realmtable.kit.compile import kernel
from realmtable.kit.rules import Position, Steps


@kernel
def can_be_moved(position: Position, tile: TileNumber) -> bool:
    """Whether T14 allows a Realm to be Shifted or Swapped."""
    if position[TILE_HEX + tile] == 0 or position[TILE_MARKS + tile] & MOVED_BEFORE:
        return False
    return not (position[TRIGGERED] and IS_VICTORY[position[TILE_KIND + tile]])


@kernel
def mark_moved(position: Position, tile: TileNumber) -> None:
    """Note that a Realm was moved in this turn; with V23 only if the player of the turn did it (T14)."""
    if not position[R_MOVED_BY_PLAYER] or position[ENTERING] // MAX_MAGES == position[ACTIVE_SEAT]:
        position[TILE_MARKS + tile] |= MOVED_NOW


# ---- Shift


@kernel
def can_be_shifted(position: Position, tile: TileNumber) -> bool:
    """Whether a Realm has a legal target for Shift."""
    if not can_be_moved(position, tile) or is_constrained(position, tile):
        return False
    return list_shift_targets(position, tile, np.empty(1, dtype=np.int64), 1) > 0


@kernel
def list_shift_targets(position: Position, tile: TileNumber, out: Steps, most: int) -> int:
    """List the hexes that a Realm can be Shifted to (T12), up to `most` of them."""
    labels = np.empty(PORTALS, dtype=np.int64)
    can_split = position[R_KEEP_CONNECTED] != 0 and may_join_parts(position, tile)
    parts_left = 0  # not counted yet
    parts_now = 0
    listed = 0
    for other in range(tile_count(position)):
        hex_ = int(position[TILE_HEX + other])
        if hex_ == 0 or other == tile:
            continue
        for side in range(SIDE_COUNT):
            target = hex_ + int(SIDES[side])
            if not INSIDE[target] or tile_on(position, target) != NONE:
                continue
            if count_touched(position, target, tile, NONE) < 2:  # noqa: PLR2004 - Realms
                continue
            if position[R_SHIFT_KEEPS_TOUCHING] and not keeps_neighbours_touched(position, tile, target):
                continue
            if can_split and parts_left == 0:
                parts_left = label_parts(position, labels, tile, NONE, NONE)
                parts_now = count_parts(position)
            if can_split:
                joined = count_joined_parts(position, tile, target, labels, parts_left)
                if parts_left - joined + 1 > parts_now:
                    continue
            listed = insert_step(out, 0, listed, PUT0 + target)
            if listed >= most:
                return listed
    return listed


@kernel
def count_joined_parts(position: Position, tile: TileNumber, target: Hex, labels: Labels, parts: int) -> int:
    """Return how many parts of the world without a tile it joins on a hex; a Portal also joins the other Portals."""
    is_joined = np.empty(PORTALS, dtype=np.int64)
    for part in range(parts):
        is_joined[part] = 0
    joined = 0
    for side in range(SIDE_COUNT):
        other = tile_on(position, target + int(SIDES[side]))
        if other >= 0 and other != tile:
            joined += 1 - is_joined[labels[other]]
            is_joined[labels[other]] = 1
    if is_portal(position, tile):
        for other in range(position[FIRST_TILE + PORTAL_KIND], position[FIRST_TILE + PORTAL_KIND + 1]):
            if other != tile and position[TILE_HEX + other]:
                joined += 1 - is_joined[labels[other]]
                is_joined[labels[other]] = 1
    return int(joined)


@kernel
def list_shifts(position: Position, out: Steps, most: int) -> int:
    """List the Realms that can be Shifted, up to `most` of them."""
    listed = 0
    for tile in range(tile_count(position)):
        if listed < most and can_be_shifted(position, tile):
            listed = insert_step(out, 0, listed, SHIFT0 + int(position[TILE_HEX + tile]))
    return listed


@kernel
def shift_tile(position: Position, tile: TileNumber, target: Hex) -> None:
    """Move a Realm with its Mages and marker to an empty hex."""
    lift_tile(position, tile)
    put_tile(position, tile, target)
    mark_moved(position, tile)
    update_points(position)


# ---- Swap


@kernel
def can_be_swapped(position: Position, tile: TileNumber, partner: TileNumber, parts_now: int) -> bool:
    """Whether two different Realms that T14 lets move can be exchanged: the world must not fall apart (W8)."""
    if tile == partner:
        return False
    if not position[R_KEEP_CONNECTED] or is_portal(position, tile) == is_portal(position, partner):
        return True
    gone = tile if is_portal(position, tile) else partner
    new = partner if is_portal(position, tile) else tile
    labels = np.empty(PORTALS, dtype=np.int64)
    return label_parts(position, labels, NONE, gone, new) <= parts_now


@kernel
def list_partners(position: Position, tile: TileNumber, out: Steps, most: int) -> int:
    """List the Realms that a Realm can be exchanged with, up to `most` of them."""
    parts_now = count_parts(position)
    listed = 0
    for partner in range(tile_count(position)):
        if listed < most and can_be_moved(position, partner) and can_be_swapped(position, tile, partner, parts_now):
            listed = insert_step(out, 0, listed, WITH0 + int(position[TILE_HEX + partner]))
    return listed


@kernel
def has_partner(position: Position, tile: TileNumber) -> bool:
    """Whether a Realm can be exchanged with another one; first, those that cannot split the world are tried."""
    for partner in range(tile_count(position)):
        is_alike = is_portal(position, partner) == is_portal(position, tile)
        if is_alike and partner != tile and can_be_moved(position, partner):
            return True
    return list_partners(position, tile, np.empty(1, dtype=np.int64), 1) > 0


@kernel
def list_swaps(position: Position, out: Steps, most: int) -> int:
    """List the Realms that can be exchanged with another one, up to `most` of them."""
    listed = 0
    for tile in range(tile_count(position)):
        if listed < most and can_be_moved(position, tile) and has_partner(position, tile):
            listed = insert_step(out, 0, listed, SWAP0 + int(position[TILE_HEX + tile]))
    return listed


@kernel
def swap_tiles(position: Position, tile: TileNumber, partner: TileNumber) -> None:
    """Exchange two Realms with their Mages and markers."""
    first = int(position[TILE_HEX + tile])
    second = int(position[TILE_HEX + partner])
    lift_tile(position, tile)
    lift_tile(position, partner)
    put_tile(position, tile, second)
    put_tile(position, partner, first)
    mark_moved(position, tile)
    mark_moved(position, partner)
    update_points(position)
