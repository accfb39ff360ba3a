"""The world before the set-up: nothing on the map, everything in its box."""

from __future__ import annotations

from functools import lru_cache

from realmtable.engine.errors import BadOptions
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.setup_card import LARGE, SMALL, SetupBox
from realmtable.games.magic_realm.options import MagicOptions
from realmtable.games.magic_realm.world.catalog_lookups import NO_STACK, catalog_lookups
from realmtable.games.magic_realm.world.entities import (
    NO_SLOT,
    OPEN_LARGE,
    OPEN_SMALL,
    BoxState,
    Denizen,
    GoodsState,
    Hero,
    Slot,
    TileState,
)
from realmtable.games.magic_realm.world.knowledge import everyone
from realmtable.games.magic_realm.world.open_slots import SLOTS, site_slot
from realmtable.games.magic_realm.world.places import MAX_SEATS, NOWHERE, TILES, box_place
from realmtable.games.magic_realm.world.world import World

_OPEN_ENTRIES = {LARGE: OPEN_LARGE, SMALL: OPEN_SMALL}


@lru_cache(maxsize=64)
def world_before_setup(seats: int, options: MagicOptions) -> World:
    """Return a sealed world with everything in its box and an empty agenda (M4, M7)."""
    if not 1 <= seats <= MAX_SEATS:
        raise BadOptions(f"Magic Realm is for 1 to {MAX_SEATS} players, not {seats}.")
    catalog, tables = load_catalog(), catalog_lookups()
    world = World(options)
    world.tiles = [TileState() for _ in range(TILES)]
    world.slots = [Slot() for _ in range(SLOTS)]
    for tile, stack in enumerate(tables.stack_of_tile):
        if stack == NO_STACK:
            world.slots[site_slot(tile)] = Slot(NO_SLOT)
    world.heroes = [Hero() for _ in range(seats)]
    world.denizens = [Denizen() for _ in (*catalog.monsters, *catalog.natives)]
    world.boxes = [BoxState(_fill(box)) for box in catalog.boxes]
    places = {goods: box_place(box.id) for box in catalog.boxes for goods in box.goods}
    known = everyone(world)
    world.goods = [
        GoodsState(places.get(goods.id, NOWHERE), seen=known if goods.id in places else 0) for goods in catalog.goods
    ]
    return world.seal()


def _fill(box: SetupBox) -> tuple[int, ...]:
    return (*(_OPEN_ENTRIES[slot] for slot in box.slots if slot in _OPEN_ENTRIES), *box.goods)
