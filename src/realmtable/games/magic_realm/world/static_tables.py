"""What the world needs to know of the catalog again and again, looked up once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

from realmtable.games.magic_realm.catalog import Catalog, load_catalog
from realmtable.games.magic_realm.catalog.ids import (
    GREEN,
    BoxId,
    DwellingId,
    GoodsId,
    MapChitId,
    Place,
    TileId,
    place_of,
)
from realmtable.games.magic_realm.catalog.setup_card import LARGE, SMALL
from realmtable.games.magic_realm.catalog.things import Treasure
from realmtable.games.magic_realm.catalog.tiles import Road
from realmtable.games.magic_realm.world.records import OPEN_LARGE, OPEN_SMALL

NO_STACK: Final = -1
NO_BACK: Final = 0  # of counters, which have no secret side
GHOSTS: Final = "Ghosts"  # a start that is no dwelling
PILE: Final = "pile"
CHEST: Final = "Chest"


@dataclass(frozen=True)
class StaticTables:
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
    names: Mapping[str, Mapping[int, str]]  # by kind of thing
    numbers: Mapping[str, Mapping[str, int]]


@cache
def static_tables() -> StaticTables:
    """Return the tables."""
    catalog = load_catalog()
    red = [chit for chit in catalog.map_chits if chit.kind == "red"]
    letters = {chit.letter: stack for stack, chit in enumerate(red)}
    stacks = [letters.get(tile.letter, NO_STACK) for tile in catalog.tiles]
    treasures = [goods for goods in catalog.goods if isinstance(goods, Treasure)]
    sizes = {size: tuple(card.id for card in treasures if card.size == size) for size in (SMALL, LARGE, "within")}
    backs = {card.id: OPEN_SMALL if card.size == SMALL else OPEN_LARGE for card in treasures}
    names = _name_things(catalog)
    places = [*(dwelling.name for dwelling in catalog.dwellings), GHOSTS]
    return StaticTables(
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
        frozenset(names["clearing"]),
        tuple(tuple(places.index(start) for start in character.starts) for character in catalog.characters),
        MappingProxyType(names),
        MappingProxyType({kind: _find_first(found) for kind, found in names.items()}),
    )


def _find_first(names: Mapping[int, str]) -> dict[str, int]:
    """Return the lowest number of each name; only warnings of different letters share their short names."""
    return {name: number for number, name in reversed([*names.items()])}


def _name_things(catalog: Catalog) -> dict[str, dict[int, str]]:
    gear = sorted({goods.kind for goods in catalog.goods if not isinstance(goods, Treasure)})
    labels = [*dict.fromkeys(chit.label for character in catalog.characters for chit in character.chits)]
    cards = [card.name for card in catalog.treasures if card.kind == "site"]
    lists = {
        "tile": [tile.code for tile in catalog.tiles],
        "tile_name": [tile.name for tile in catalog.tiles],
        "character": [character.name for character in catalog.characters],
        "denizen": [*(monster.name for monster in catalog.monsters), *(native.name for native in catalog.natives)],
        "looted": [PILE, *(box.name for box in catalog.boxes if box.kind == "site"), *cards],
        "action": labels,
        "force": [*labels, *(goods.name for goods in catalog.goods)],
        "rest": [*labels, *(f"{state} {label}" for state in ("fatigued", "wounded") for label in labels)],
        "blocked": [*(row.name for row in catalog.characters), *(monster.name for monster in catalog.monsters)],
        "goods": [goods.name for goods in catalog.goods],
        "gear": gear,
        "chit": [chit.name for chit in catalog.map_chits],
        "short_chit": [chit.word if chit.kind == "warning" else chit.name for chit in catalog.map_chits],
        "start": [*(dwelling.name for dwelling in catalog.dwellings), GHOSTS],
        "box": [box.name for box in catalog.boxes],
    }
    named = {kind: dict(enumerate(found)) for kind, found in lists.items()}
    named["clearing"] = {
        place_of(tile.id, number): f"{tile.code}{number}" for tile in catalog.tiles for number in tile.numbers
    }
    secrets = {road.secret_id: _name_road(catalog, road) for road in catalog.secret_roads if road.side == GREEN}
    first_site = len(catalog.secret_roads)
    sites = [box.name for box in catalog.boxes if box.kind == "site"]
    named["discovery"] = {**secrets, **dict(enumerate([*sites, *cards], first_site))}
    return named


def _name_road(catalog: Catalog, road: Road) -> str:
    code = catalog.tiles[road.tile].code
    return f"{code}{road.start}-{code}{road.end}"
