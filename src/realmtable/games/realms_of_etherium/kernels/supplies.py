"""Kernels for the Supplies and Reserves: drawing, refilling, and three Disruptions (M3 to M8)."""

from __future__ import annotations

from realmtable.games.realms_of_etherium.kernels.layout import (
    AGAIN,
    CHANCE,
    DISRUPTION_KIND,
    FIRST_TILE,
    IN_REFILL,
    IS_VICTORY,
    KIND_COUNT,
    MOST_AGAIN,
    PHASE,
    R_NO_THREE_DISRUPTIONS,
    REALM_SUPPLY,
    RESERVE,
    RESERVE_SIZE,
    REVEAL0,
    SEAT,
    SOURCE,
    SUPPLY,
    TILE_HEX,
    Kind,
    TileNumber,
)
from realmtable.kit.compile import kernel
from realmtable.kit.rules import Position, Steps


@kernel
def count_tiles(position: Position, first: int, source: int) -> int:
    """Return the number of tiles in a Supply, if `first` is SUPPLY, or a Reserve, if it is RESERVE."""
    number = 0
    for kind in range(KIND_COUNT):
        if IS_VICTORY[kind] == source:
            number += int(position[first + kind])
    return number


@kernel
def find_free_tile(position: Position, kind: Kind) -> TileNumber:
    """Return the lowest tile of a kind that is not in play (F1)."""
    tile = int(position[FIRST_TILE + kind])
    while position[TILE_HEX + tile]:
        tile += 1
    return tile


@kernel
def fill_reserve(position: Position) -> bool:
    """Refill the Reserve of SOURCE (M5, M8); return whether it is finished, or a tile must be drawn first."""
    source = int(position[SOURCE])
    while True:
        if count_tiles(position, RESERVE, source) < RESERVE_SIZE and count_tiles(position, SUPPLY, source) > 0:
            position[PHASE] = IN_REFILL
            position[SEAT] = CHANCE
            return False
        if not must_return_reserve(position):
            position[AGAIN] = 0
            position[SOURCE] = REALM_SUPPLY
            return True
        return_reserve(position)
        position[AGAIN] += 1


@kernel
def must_return_reserve(position: Position) -> bool:
    """Whether three Disruptions send the Realm Reserve back to its Supply (M8)."""
    if position[SOURCE] != REALM_SUPPLY or position[AGAIN] >= MOST_AGAIN:
        return False
    if position[RESERVE + DISRUPTION_KIND] < RESERVE_SIZE:
        return False
    disruptions = position[RESERVE + DISRUPTION_KIND] + position[SUPPLY + DISRUPTION_KIND]
    all_tiles = count_tiles(position, RESERVE, REALM_SUPPLY) + count_tiles(position, SUPPLY, REALM_SUPPLY)
    return bool(disruptions < all_tiles)


@kernel
def return_reserve(position: Position) -> None:
    """Return the Realm Reserve to its Supply."""
    for kind in range(KIND_COUNT):
        if IS_VICTORY[kind] == REALM_SUPPLY:
            position[SUPPLY + kind] += position[RESERVE + kind]
            position[RESERVE + kind] = 0


@kernel
def reveal_weight(position: Position, kind: Kind) -> int:
    """Return the weight of drawing a kind (N11).

    With V20, a Reserve that has been returned is dealt anew so that it has fewer than three Disruptions. Each tile
    weighs as much as there are ways to complete such a deal after it, so all such deals are equally likely.
    """
    copies = int(position[SUPPLY + kind])
    if copies == 0 or position[AGAIN] == 0 or not position[R_NO_THREE_DISRUPTIONS]:
        return copies
    dealt = count_tiles(position, RESERVE, REALM_SUPPLY) + 1
    disruptions = int(position[RESERVE + DISRUPTION_KIND]) + (1 if kind == DISRUPTION_KIND else 0)
    ways = count_orders(count_tiles(position, SUPPLY, REALM_SUPPLY) - 1, RESERVE_SIZE - dealt)
    if disruptions == dealt:
        ways -= count_orders(int(position[SUPPLY + DISRUPTION_KIND]) - 1, RESERVE_SIZE - dealt)
    return copies * ways


@kernel
def count_orders(tiles: int, drawn: int) -> int:
    """Return in how many orders so many tiles can be drawn from a stock."""
    orders = 1
    for index in range(drawn):
        orders *= tiles - index
    return orders


@kernel
def list_reveals(position: Position, out: Steps) -> int:
    """List the tiles that can be drawn from the Supply of SOURCE."""
    listed = 0
    for kind in range(KIND_COUNT):
        if IS_VICTORY[kind] == position[SOURCE] and reveal_weight(position, kind) > 0:
            out[listed] = REVEAL0 + kind
            listed += 1
    return listed
