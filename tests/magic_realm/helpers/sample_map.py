"""A stock map with counters of every kind, as the view would show it."""

from __future__ import annotations

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import SIDES
from realmtable.games.magic_realm.catalog.tiles import OPEN
from realmtable.games.magic_realm.view_parts.map_schema import ChitData, DenizenData, MapData, TileData

ENCHANTED = ("DV", "M")


def make_tiles(number: int, enchanted: tuple[str, ...] = ENCHANTED) -> list[TileData]:
    catalog = load_catalog()
    return [
        {
            "tile": catalog.tiles[placement.tile].code,
            "column": placement.column,
            "row": placement.row,
            "turn": placement.turn,
            "side": SIDES[catalog.tiles[placement.tile].code in enchanted],
        }
        for placement in catalog.stock_maps[number].layout
    ]


def make_bare_map(number: int = 0, enchanted: tuple[str, ...] = ()) -> MapData:
    return {
        "tiles": make_tiles(number, enchanted),
        "chits": [],
        "dwellings": [],
        "heroes": [],
        "denizens": [],
        "piles": [],
        "known_roads": [],
        "route": [],
        "focus": "",
    }


def make_map(number: int = 0) -> MapData:
    known = [road.id for road in load_catalog().roads if road.secret_id != OPEN and road.tile % 2 and road.side == 0]
    return {
        **make_bare_map(number, ENCHANTED),
        "chits": _make_chits(),
        "dwellings": [
            {"at": "BV5", "name": "Inn"},
            {"at": "AV5", "name": "House"},
            {"at": "CV5", "name": "Chapel"},
            {"at": "EV5", "name": "Guardhouse"},
            {"at": "LW5", "name": "Large Campfire"},
            {"at": "OW5", "name": "Small Campfire"},
        ],
        "heroes": [
            {"seat": 0, "character": "Elf", "at": "BV5", "hidden": False},
            {"seat": 1, "character": "Dwarf", "at": "BV5", "hidden": True},
            {"seat": 2, "character": "Witch King", "at": "CG2", "hidden": True},
            {"seat": 3, "character": "Amazon", "at": "R5", "hidden": False},
            {"seat": 4, "character": "Swordsman", "at": "R5", "hidden": True},
            {"seat": 5, "character": "White Knight", "at": "R5", "hidden": False},
        ],
        "denizens": _make_denizens(),
        "piles": [{"at": "CG4", "count": 3}, {"at": "HP1", "count": 1}],
        "known_roads": known,
        "route": ["BV2", "BV5", "CN1", "CN3"],
        "focus": "BV5",
    }


def _make_chits() -> list[ChitData]:
    """A warning in each tile outside the valleys, a second chit in tiles of six clearings, and the Lost City."""
    warnings = {"LW": ("Stink W", True), "MW": ("Bones W", False), "HP": ("Dank C", True)}
    seconds = {
        "CG": [("Howl-4", True)],
        "CL": [("Hoard", False)],
        "CN": [("Lost City", True), ("Slither-3", True), ("Statue", True), ("Roar-6", False), ("", False)],
    }
    chits: list[ChitData] = []
    for tile in load_catalog().tiles:
        here = [] if tile.letter == "V" else [warnings.get(tile.code, ("", False))]
        if tile.has_six_clearings:
            here += seconds.get(tile.code, [("", False)])
        chits += [
            {"tile": tile.code, "back": tile.letter, "name": name, "face_up": face_up} for name, face_up in here
        ]  # fmt: skip
    return chits


def _make_denizens() -> list[DenizenData]:
    catalog = load_catalog()
    rogues = [native.name for native in catalog.natives if native.code.startswith("R")]
    denizens: list[DenizenData] = [{"at": "BV5", "name": name, "side": "light"} for name in rogues]
    wolves = [monster.name for monster in catalog.monsters if monster.kind == "Wolf"]
    denizens += [{"at": "CG4", "name": name, "side": "light"} for name in wolves[:2]]
    denizens += [{"at": "CG4", "name": "T Dragon-1", "side": "dark"}]
    denizens += [
        {"at": "CN3", "name": "T Serpent", "side": "light"},
        {"at": "CN3", "name": "H Serpent-1", "side": "dark"},
    ]
    denizens += [{"at": "CS6", "name": f"Giant Bat-{number}", "side": "light"} for number in (1, 2, 3)]
    denizens += [{"at": "CS6", "name": "Ogre-1", "side": "dark"}]
    names = ("T Troll-1", "Imp", "Ghost-1", "Viper-1", "Spear Goblin-1", "Axe Goblin-1")
    denizens += [{"at": "HP1", "name": name, "side": "light"} for name in names]
    denizens += [{"at": "R5", "name": "Lancers-1", "side": "light", "employer": 3}]
    return denizens
