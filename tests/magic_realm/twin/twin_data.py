"""The pieces of Magic Realm for the twin, read straight from the tables in `data`.

The twin imports nothing from the game: only RULES.md and the TOML files are shared with it. Everything is kept as plain
dicts and lists, by the names that Z2 gives: clearings `CG2`, roadways `BV2-BV5`, goods `Shield-1`, monsters `Wolf-2`.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final

import realmtable

DATA: Final = Path(realmtable.__file__).parent / "games" / "magic_realm" / "data"
EDGES: Final = ("N", "NE", "SE", "S", "SW", "NW")  # clockwise
STEPS: Final = {"N": (0, -1), "NE": (1, -1), "SE": (1, 0), "S": (0, 1), "SW": (-1, 1), "NW": (-1, 0)}
LEVELS: Final = "NLMHT"  # G6

# Rows of TOML have values of many types, so they stay untyped here.
Row = dict[str, Any]


@cache
def load(name: str) -> Row:
    with (DATA / f"{name}.toml").open("rb") as file:
        return tomllib.load(file)


def number_copies(names: list[str]) -> list[str]:
    """Number the names that occur more than once (Z2)."""
    return [f"{name}-{names[: i + 1].count(name)}" if names.count(name) > 1 else name for i, name in enumerate(names)]


TILES: Final[dict[str, Row]] = {row["code"]: row for row in load("tiles")["tile"]}
CLEARINGS: Final[dict[str, str]] = {
    f"{code}{clearing['number']}": clearing["kind"]
    for code, tile in TILES.items()
    for clearing in tile["green"]["clearings"]
}
CHARACTERS: Final[dict[str, Row]] = {row["name"]: row for row in load("characters")["character"]}
TABLES: Final[dict[str, list[list[str]]]] = {row["name"]: row["results"] for row in load("tables")["table"]}
SITES: Final[dict[str, int]] = {row["name"]: row["clearing"] for row in load("chits")["sites"]}
RED_CHITS: Final = ("Lost City", "Lost Castle")
CHITS: Final[list[str]] = [  # sounds and sites in the order of the data
    *(f"{row['name']}-{clearing}" for row in load("chits")["sounds"] for clearing in row["clearings"]),
    *SITES,
]
SITE_CARDS: Final = ("Toadstool Circle", "Crypt of the Knight", "Enchanted Meadow")
SPECIAL_BOXES: Final[dict[str, Row]] = {row["name"]: row for row in load("setup")["box"] if row["kind"] == "within"}


def tile_of(clearing: str) -> str:
    return clearing.rstrip("0123456789")


def number_of(clearing: str) -> int:
    return int(clearing.removeprefix(tile_of(clearing)))


def is_cave(place: str) -> bool:
    return CLEARINGS.get(place) == "cave"


def is_mountain(place: str) -> bool:
    return CLEARINGS.get(place) == "mountain"


def clearing_order(clearing: str) -> tuple[int, int]:
    """The order of M3 and of the numbers."""
    return [*TILES].index(tile_of(clearing)), number_of(clearing)


# Goods: what kind of belonging each piece is, its weight, strength and values.


def load_goods() -> dict[str, Row]:
    goods: dict[str, Row] = {}
    weapons = [row for row in load("weapons")["weapon"] for _ in range(row["count"])]
    armour = [row for row in load("armor")["armor"] for _ in range(row["count"])]
    horses = load("horses")["horse"]
    for name, row in zip(number_copies([row["name"] for row in weapons]), weapons, strict=True):
        goods[name] = {**row, "class": "weapon", "counter": True}
    for name, row in zip(number_copies([row["name"] for row in armour]), armour, strict=True):
        goods[name] = {**row, "class": row["name"].split()[-1].lower(), "counter": True}  # shield, helmet, ...
        if row["layer"] == "suit":
            goods[name]["class"] = "suit"
    for name, row in zip(number_copies([row["kind"].capitalize() for row in horses]), horses, strict=True):
        strength = max(row["walk"][0], row["gallop"][0], key=LEVELS.index)  # D11: the stronger side counts
        goods[name] = {**row, "class": "horse", "counter": True, "breed": row["kind"], "strength": strength}
    for row in load("treasures")["treasure"]:
        goods[row["name"]] = {**row, "class": row["kind"] if row["kind"] in {"boots", "gloves"} else "card"}
        goods[row["name"]]["counter"] = False
        for does in row.get("does", []):
            if does["verb"] in {"move_piece", "fight_piece"}:
                goods[row["name"]]["strength"] = does["strength"]
            if does["verb"] == "move_piece":
                goods[row["name"]]["time"] = does["time"]
    return goods


GOODS: Final = load_goods()
ENCHANTED: Final = ("Cloven Hoof", "Dragon Essence", "Flowers of Rest", "Golden Icon", "Sacred Grail")  # T2
USABLE_CARDS: Final = (  # T1: boots and gloves, the cards of G3 and D5, the Lost Keys
    *(name for name, row in GOODS.items() if row["class"] in {"boots", "gloves"}),
    *("Lucky Charm", "Map of Lost City", "Map of Lost Castle", "Map of Ruins", "Cloak of Mist", "Magic Spectacles"),
    *("Shielded Lantern", "Ancient Telescope", "Lost Keys"),
)


def weight_of(name: str) -> str:
    """The weight of an item; horses have none, because they always come along (D11)."""
    return str(GOODS[name].get("weight", "N"))


def is_at_least(strength: str, weight: str) -> bool:
    return LEVELS.index(strength) >= LEVELS.index(weight)


# Monsters and their boxes in the chart (P3). Copies are numbered in the order of the chart's boxes.


def load_chart() -> list[Row]:
    boxes = load("chart")["box"]
    names = number_copies([box["monster"] for box in boxes for _ in range(box["count"])])
    for box in boxes:
        box["monsters"] = [names.pop(0) for _ in range(box["count"])]
    return list(boxes)


CHART: Final = load_chart()
MONSTERS: Final[dict[str, Row]] = {  # in the order of their numbers
    name: row
    for rows in [[row for row in load("monsters")["monster"] for _ in range(row["count"])]]
    for name, row in zip(number_copies([row["name"] for row in rows]), rows, strict=True)
}
GHOSTS: Final = ("Ghost-1", "Ghost-2")
BOX_OF: Final[dict[str, int]] = {name: i for i, box in enumerate(CHART) for name in box["monsters"]}
ROW_OF: Final[dict[str, int]] = {name: box["row"] for box in CHART for name in box["monsters"]}


def kind_of(monster: str) -> str:
    return monster.rstrip("0123456789").removesuffix("-")


# The map.


def build_roadways(tiles: list[str]) -> dict[str, Row]:
    """The roadways of a map whose tiles are written `AV 1 -1 5`: code, hex and turn (M1, D9).

    Roads that end at the edge of the map lead nowhere and are left out.
    """
    hexes: dict[tuple[int, int], tuple[str, dict[str, int]]] = {}  # hex: tile, clearing at each of its edges
    roadways: dict[str, Row] = {}

    def add(one: str, two: str, kind: str) -> None:
        low, high = sorted((one, two), key=clearing_order)
        assert f"{low}-{high}" not in roadways
        roadways[f"{low}-{high}"] = {"ends": (low, high), "kind": kind}

    for text in tiles:
        code, q, r, turn = text.split()
        edges = {}
        for road in TILES[code]["green"]["roads"]:
            if isinstance(road["to"], str):
                edges[EDGES[(EDGES.index(road["to"]) + int(turn)) % 6]] = road["from"]
            else:
                add(f"{code}{road['from']}", f"{code}{road['to']}", road.get("kind", "road"))
        hexes[int(q), int(r)] = (code, edges)
    for (column, row), (code, edges) in hexes.items():
        for edge in EDGES[:3]:  # each border once
            other = hexes.get((column + STEPS[edge][0], row + STEPS[edge][1]))
            if other is None:
                continue
            opposite = EDGES[(EDGES.index(edge) + 3) % 6]
            assert (edge in edges) == (opposite in other[1]), f"{code} and {other[0]} do not fit (M1)"
            if edge in edges:
                add(f"{code}{edges[edge]}", f"{other[0]}{other[1][opposite]}", "road")
    return roadways


def find_neighbours(tiles: list[str]) -> dict[str, set[str]]:
    """Which tiles touch which."""
    hexes = {(int(q), int(r)): code for code, q, r, _ in map(str.split, tiles)}
    return {
        code: {hexes[q + dq, r + dr] for dq, dr in STEPS.values() if (q + dq, r + dr) in hexes}
        for (q, r), code in hexes.items()
    }


def stock_map(name: str) -> list[str]:
    """One of the ready-made maps `stock1` to `stock3` (V2)."""
    return list(load("maps")["map"][int(name.removeprefix("stock")) - 1]["tiles"])


def find_connected(roadways: dict[str, Row]) -> set[str]:
    """The clearings that roadways of any kind join to the Borderland (M2, M5, M6)."""
    found = {name for name in CLEARINGS if tile_of(name) == "B"}
    while True:
        more = {end for row in roadways.values() if found & {*row["ends"]} for end in row["ends"]} - found
        if not more:
            return found
        found |= more


@cache
def read_map(tiles: tuple[str, ...]) -> tuple[dict[str, Row], dict[str, set[str]], set[str]]:
    """A map's roadways, the tiles that touch each other, and the clearings joined to the Borderland."""
    roadways = build_roadways([*tiles])
    return roadways, find_neighbours([*tiles]), find_connected(roadways)
