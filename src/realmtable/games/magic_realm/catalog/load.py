"""Loads the catalog from `data/` and keeps it, and the graphs of maps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from realmtable.games.magic_realm.catalog.build_names import build_names
from realmtable.games.magic_realm.catalog.catalog import Catalog
from realmtable.games.magic_realm.catalog.characters_and_denizens import read_characters, read_monsters, read_natives
from realmtable.games.magic_realm.catalog.check import check_catalog
from realmtable.games.magic_realm.catalog.game_numbers import read_numbers
from realmtable.games.magic_realm.catalog.goods_and_spells import (
    read_armor,
    read_horses,
    read_spells,
    read_treasures,
    read_weapons,
)
from realmtable.games.magic_realm.catalog.map_graph import MapGraph, build_graph
from realmtable.games.magic_realm.catalog.names import Names
from realmtable.games.magic_realm.catalog.placement import Layout, read_stock_maps
from realmtable.games.magic_realm.catalog.setup_card import (
    read_boxes,
    read_chart,
    read_dwellings,
    read_ghosts,
    read_map_chits,
)
from realmtable.games.magic_realm.catalog.tables import read_tables
from realmtable.games.magic_realm.catalog.tiles import OPEN, read_tiles
from realmtable.games.magic_realm.catalog.toml_entry import TomlEntry, parse_file

FOLDER: Final = Path(__file__).parents[1] / "data"
FILES: Final = (
    "tiles",
    "characters",
    "chits",
    "monsters",
    "natives",
    "weapons",
    "armor",
    "horses",
    "treasures",
    "spells",
    "tables",
    "chart",
    "setup",
    "maps",
)


@cache
def load_catalog() -> Catalog:
    """Return the catalog of this package."""
    return parse_catalog(read_texts())


def read_texts() -> dict[str, str]:
    """Return the texts of the data files by name."""
    return {name: FOLDER.joinpath(f"{name}.toml").read_text(encoding="utf-8") for name in FILES}


def map_graph(layout: Layout, enchanted: int = 0) -> MapGraph:
    """Return the clearings and roads of a map; `enchanted` is a set of tiles as bits."""
    return _keep_graph(layout, enchanted)


@lru_cache(maxsize=256)
def _keep_graph(layout: Layout, enchanted: int) -> MapGraph:
    return build_graph(load_catalog().tiles, layout, enchanted)


def parse_catalog(texts: Mapping[str, str]) -> Catalog:
    """Return the catalog that the data files describe; raise `BadInput` with a sentence about the first mistake."""
    files = {name: parse_file(f"{name}.toml", texts[name]) for name in FILES}
    tiles = read_tiles(files["tiles"])
    roads = tuple(road for tile in tiles for side in tile.sides for road in side.roads)
    weapons, dagger = read_weapons(files["weapons"])
    armor = read_armor(files["armor"], len(weapons))
    breeds, horses = read_horses(files["horses"], len(weapons) + len(armor))
    treasures = read_treasures(files["treasures"], len(weapons) + len(armor) + len(horses))
    goods = (*weapons, *armor, *horses, *treasures)
    monsters = read_monsters(files["monsters"])
    groups, natives, visitors = read_natives(files["natives"], breeds)
    chits = read_map_chits(files["chits"])
    catalog = Catalog(
        tiles=tiles,
        roads=roads,
        secret_roads=tuple(road for road in roads if road.secret_id != OPEN),
        characters=read_characters(files["characters"]),
        monsters=monsters,
        groups=groups,
        natives=natives,
        visitors=visitors,
        weapons=weapons,
        armor=armor,
        horses=horses,
        treasures=treasures,
        goods=goods,
        dagger=dagger,
        breeds=breeds,
        spells=read_spells(files["spells"]),
        map_chits=chits,
        dwellings=read_dwellings(files["chits"], chits),
        ghosts=read_ghosts(files["chits"], chits, monsters),
        boxes=read_boxes(files["setup"], goods),
        chart=read_chart(files["chart"], monsters),
        tables=read_tables(files["tables"]),
        numbers=read_numbers(files["setup"]),
        stock_maps=read_stock_maps(files["maps"], tiles),
        names=Names([]),
    )
    _finish(files["chits"], files["setup"])
    return check_catalog(replace(catalog, names=build_names(catalog)))


def _finish(*files: TomlEntry) -> None:
    for file in files:
        file.finish()
