"""Facts of the catalog that the world needs again and again, looked up once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.goods_and_spells import Treasure
from realmtable.games.magic_realm.catalog.ids import (
    BoxId,
    DwellingId,
    GoodsId,
    MapChitId,
    Place,
    TileId,
)
from realmtable.games.magic_realm.catalog.setup_card import LARGE, SMALL
from realmtable.games.magic_realm.world.entities import OPEN_LARGE, OPEN_SMALL

NO_STACK: Final = -1
NO_BACK: Final = 0  # of counters, which have no secret side
CHEST: Final = "Chest"


@dataclass(frozen=True)
class CatalogLookups:
    """Lists of numbers by what they are used for."""

    warnings: tuple[tuple[MapChitId, ...], ...]  # per tile: the warnings of its letter
    sounds_and_sites: tuple[MapChitId, ...]
    red_chits: tuple[MapChitId, ...]  # Lost City, Lost Castle
    stack_of_tile: tuple[int, ...]  # per tile: 0 or 1 if it may hide the Lost City or the Lost Castle, or NO_STACK
    tiles_of_stack: tuple[tuple[TileId, ...], ...]
    small: tuple[GoodsId, ...]
    large: tuple[GoodsId, ...]
    within: tuple[GoodsId, ...]  # cards that lead to other treasures
    portable: frozenset[GoodsId]  # those of them that can be carried: the Chest
    enchanted: frozenset[GoodsId]
    backs: tuple[int, ...]  # per goods: what its back shows
    site_boxes: tuple[BoxId, ...]
    clearings: frozenset[Place]
    starts: tuple[tuple[DwellingId, ...], ...]  # per character; the number behind the dwellings means the Ghosts


@cache
def catalog_lookups() -> CatalogLookups:
    """Return the tables."""
    catalog = load_catalog()
    red = [chit for chit in catalog.map_chits if chit.kind == "red"]
    letters = {chit.letter: stack for stack, chit in enumerate(red)}
    stacks = [letters.get(tile.letter, NO_STACK) for tile in catalog.tiles]
    treasures = [goods for goods in catalog.goods if isinstance(goods, Treasure)]
    sizes = {size: tuple(card.id for card in treasures if card.size == size) for size in (SMALL, LARGE, "within")}
    backs = {card.id: OPEN_SMALL if card.size == SMALL else OPEN_LARGE for card in treasures}
    starts = catalog.names.by_name("start")
    return CatalogLookups(
        tuple(
            tuple(chit.id for chit in catalog.map_chits if chit.kind == "warning" and chit.letter == tile.letter)
            for tile in catalog.tiles
        ),
        tuple(chit.id for chit in catalog.map_chits if chit.kind in ("sound", "site")),
        tuple(chit.id for chit in red),
        tuple(stacks),
        tuple(tuple(tile for tile, found in enumerate(stacks) if found == stack) for stack in range(len(red))),
        sizes[SMALL],
        sizes[LARGE],
        sizes["within"],
        frozenset(card.id for card in treasures if card.name == CHEST),
        frozenset(card.id for card in treasures if card.colour),
        tuple(backs.get(goods.id, NO_BACK) for goods in catalog.goods),
        tuple(box.id for box in catalog.boxes if box.kind == "site"),
        frozenset(catalog.names.by_number("clearing")),
        tuple(tuple(starts[start] for start in character.starts) for character in catalog.characters),
    )
