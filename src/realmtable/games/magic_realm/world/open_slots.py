"""Chits and treasures that are undecided until someone looks at them (M4, M7).

The slots for map chits are numbered: the warning of tile t is slot t, its sound or site is slot 20 + t, and the stacks
of the Lost City and the Lost Castle are slots 40 to 44 and 45 to 49.
"""

from __future__ import annotations

from typing import Final

from realmtable.games.magic_realm.catalog.ids import BoxId, GoodsId, MapChitId, TileId
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.draw_weights import Weights, weigh_equally, weigh_group_slot, weigh_site_slot
from realmtable.games.magic_realm.world.entities import OPEN, OPEN_LARGE, OPEN_SMALL
from realmtable.games.magic_realm.world.places import NOWHERE, TILES, box_place
from realmtable.games.magic_realm.world.world import World

FIRST_STACK: Final = 2 * TILES
STACK_SIZE: Final = 5
SLOTS: Final = FIRST_STACK + 2 * STACK_SIZE


def warning_slot(tile: TileId) -> int:
    """Return the slot of a tile's warning."""
    return tile


def site_slot(tile: TileId) -> int:
    """Return the slot of a tile's sound or site; tiles of valleys and woods do not use it."""
    return TILES + tile


def stack_slots(stack: int) -> range:
    """Return the slots of the stack of the Lost City (0) or the Lost Castle (1)."""
    return range(FIRST_STACK + stack * STACK_SIZE, FIRST_STACK + (stack + 1) * STACK_SIZE)


def weigh_chits(world: World, slot: int) -> Weights:
    """Return the chits that an open slot may hold, with their weights."""
    tables = catalog_lookups()
    decided = {found.chit for found in world.slots}
    if slot < TILES:
        return weigh_equally([chit for chit in tables.warnings[slot] if chit not in decided])
    chits = [chit for chit in tables.sounds_and_sites if chit not in decided]
    if slot >= FIRST_STACK:
        return weigh_equally(chits)
    stack = tables.stack_of_tile[slot - TILES]
    red = tables.red_chits[stack]
    group = [site_slot(tile) for tile in tables.tiles_of_stack[stack]]
    open_slots = sum(world.slots[other].chit == OPEN for other in group)
    return weigh_group_slot(chits, None if red in decided else red, open_slots)


def decide_chit(world: World, slot: int, chit: MapChitId) -> None:
    """Put a chit into an open slot; nobody knows it yet."""
    world.writable_slot(slot).chit = chit


def weigh_cards(world: World, box: BoxId, index: int) -> Weights:
    """Return the treasures that an open entry of a box may hold, with their weights."""
    tables = catalog_lookups()
    if world.boxes[box].entries[index] == OPEN_SMALL:
        return weigh_equally(list_undecided(world, tables.small))
    large = list_undecided(world, tables.large)
    if box not in tables.site_boxes:
        return weigh_equally(large)
    return weigh_site_slot(large, list_undecided(world, tables.within), count_open_site_slots(world))


def decide_card(world: World, box: BoxId, index: int, card: GoodsId) -> None:
    """Put a treasure into an open entry of a box; nobody knows it yet."""
    found = world.writable_box(box)
    found.entries = (*found.entries[:index], card, *found.entries[index + 1 :])
    world.move_goods(card, box_place(box))


def count_open_site_slots(world: World) -> int:
    """Return the number of large treasures of sites that are not decided."""
    return sum(world.boxes[box].entries.count(OPEN_LARGE) for box in catalog_lookups().site_boxes)


def list_undecided(world: World, cards: tuple[GoodsId, ...]) -> list[GoodsId]:
    """Return those of some treasures that are not decided."""
    return [card for card in cards if world.goods[card].place == NOWHERE]
