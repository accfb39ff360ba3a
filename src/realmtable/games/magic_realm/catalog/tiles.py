"""The tiles: clearings, roads and colours of both sides, and where they are drawn (M1)."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final

from realmtable.engine.errors import BadInput
from realmtable.games.magic_realm.catalog.ids import (
    COLOURS,
    EDGES,
    ENCHANTED,
    GREEN,
    LETTERS,
    MAX_CLEARING,
    SIDES,
    Edge,
    Place,
    RoadId,
    SecretId,
    Side,
    TileId,
    Turn,
    place_of,
)
from realmtable.games.magic_realm.catalog.toml_entry import TomlEntry

HEX_RADIUS: Final = 100  # pixels from the centre of a tile to a corner
HEX_HEIGHT: Final = HEX_RADIUS * sqrt(3)
CLEARING_KINDS: Final = ("woods", "cave", "mountain")
ROAD_KINDS: Final = ("road", "tunnel", "hidden", "secret")
SECRET_KINDS: Final = ("hidden", "secret")
INSIDE: Final = -1  # the edge of a road that stays within its tile
OPEN: Final = -1  # the secret id of a road that needs no discovery

Point = tuple[float, float]  # pixels; x to the right, y down


@dataclass(frozen=True, slots=True)
class Clearing:
    """A clearing on one side of a tile."""

    place: Place
    number: int
    kind: str  # one of CLEARING_KINDS
    is_open: bool  # woods drawn as a meadow
    magic: tuple[str, ...]  # colours it supplies
    at: tuple[int, int]  # pixels from the centre of the unturned tile


@dataclass(frozen=True, slots=True)
class Road:
    """A roadway on one side of a tile, between two clearings or from a clearing to an edge."""

    id: RoadId
    tile: TileId
    side: Side
    kind: str  # one of ROAD_KINDS
    start: int  # clearing number
    end: int  # clearing number, 0 if the road leads to an edge
    edge: Edge  # of the unturned tile, or INSIDE
    bend: tuple[int, int] | None  # the control point of a quadratic curve; straight without one
    secret_id: SecretId  # OPEN unless it has to be discovered


@dataclass(frozen=True, slots=True)
class TileSide:
    """One side of a tile."""

    clearings: tuple[Clearing, ...]  # by number
    roads: tuple[Road, ...]

    def road_at(self, edge: Edge) -> Road | None:
        """Return the road that leads to an edge of the unturned tile, if there is one."""
        return next((road for road in self.roads if road.edge == edge), None)


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile; both sides have the same clearings and road edges."""

    id: TileId
    name: str
    code: str
    letter: str  # of its warning chit
    sides: tuple[TileSide, TileSide]  # GREEN, ENCHANTED
    edges: tuple[bool, ...]  # whether a road leads to each edge of the unturned tile

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of its clearings."""
        return tuple(clearing.number for clearing in self.sides[GREEN].clearings)

    @property
    def has_six_clearings(self) -> bool:
        """Whether it is one of the ten tiles of caves and mountains."""
        return len(self.sides[GREEN].clearings) == MAX_CLEARING


def read_tiles(file: TomlEntry) -> tuple[Tile, ...]:
    """Return the tiles of `tiles.toml`."""
    reader = _TileReader()
    tiles = tuple(reader.read(number, entry) for number, entry in enumerate(file.entries("tile")))
    file.finish()
    return tiles


class _TileReader:
    """Numbers the roads of all tiles while it reads them."""

    def __init__(self) -> None:
        self._roads = 0
        self._secrets = 0

    def read(self, tile: TileId, entry: TomlEntry) -> Tile:
        name, code, letter = entry.text("name"), entry.text("code"), entry.word("group", LETTERS)
        green = self._read_side(tile, GREEN, entry.entry(SIDES[GREEN], f"the green side of {name}"))
        enchanted = self._read_side(tile, ENCHANTED, entry.entry(SIDES[ENCHANTED], f"the enchanted side of {name}"))
        entry.finish()
        edges = tuple(green.road_at(edge) is not None for edge in range(len(EDGES)))
        if edges != tuple(enchanted.road_at(edge) is not None for edge in range(len(EDGES))):
            raise BadInput(f"The roads of {name} must lead to the same edges on both sides.")
        if [clearing.number for clearing in green.clearings] != [clearing.number for clearing in enchanted.clearings]:
            raise BadInput(f"{name} must have the same clearings on both sides.")
        return Tile(tile, name, code, letter, (green, enchanted), edges)

    def _read_side(self, tile: TileId, side: Side, entry: TomlEntry) -> TileSide:
        clearings = tuple(_read_clearing(tile, row) for row in entry.entries("clearings", "number"))
        numbers = [clearing.number for clearing in clearings]
        if numbers != sorted(set(numbers)):
            raise BadInput(f"The clearings of {entry.title} must have different numbers in ascending order.")
        roads = tuple(self._read_road(tile, side, row, numbers) for row in entry.entries("roads"))
        edges = [road.edge for road in roads if road.edge != INSIDE]
        if len(edges) != len(set(edges)):
            raise BadInput(f"Only one road of {entry.title} can lead to an edge.")
        entry.finish()
        return TileSide(clearings, roads)

    def _read_road(self, tile: TileId, side: Side, entry: TomlEntry, numbers: list[int]) -> Road:
        start = entry.number("from", 1, MAX_CLEARING)
        end, edge = _read_end(entry)
        if start not in numbers or (edge == INSIDE and (end not in numbers or end <= start)):
            raise BadInput(
                f"{entry.title} must lead from a clearing to a clearing with a higher number, or to an edge."
            )
        kind = entry.word("kind", ROAD_KINDS, "road")
        bend = entry.point("bend") if entry.has("bend") else None
        entry.finish()
        secret = self._secrets if kind in SECRET_KINDS else OPEN
        self._secrets += kind in SECRET_KINDS
        self._roads += 1
        return Road(self._roads - 1, tile, side, kind, start, end, edge, bend, secret)


def _read_end(entry: TomlEntry) -> tuple[int, Edge]:
    """Take where a road leads: a clearing number and INSIDE, or 0 and an edge."""
    if entry.holds_text("to"):
        return 0, EDGES.index(entry.word("to", EDGES))
    return entry.number("to", 1, MAX_CLEARING), INSIDE


def _read_clearing(tile: TileId, entry: TomlEntry) -> Clearing:
    number = entry.number("number", 1, MAX_CLEARING)
    clearing = Clearing(
        place_of(tile, number),
        number,
        entry.word("kind", CLEARING_KINDS),
        entry.flag("open"),
        entry.words("magic", COLOURS),
        entry.point("at"),
    )
    entry.finish()
    return clearing


# ---- where things are drawn


def turn_point(point: Point, turn: Turn) -> Point:
    """Return a point of a tile after the tile has been turned about its centre.

    >>> turn_point((0, -80), 3)
    (0.0, 80.0)
    """
    cosine = (1, 0.5, -0.5, -1, -0.5, 0.5)[turn]
    sine = (0, 1, 1, 0, -1, -1)[turn] * sqrt(3) / 2
    x, y = point
    return x * cosine - y * sine + 0.0, x * sine + y * cosine + 0.0


def tile_centre(column: int, row: int) -> Point:
    """Return the centre of the tile at a column and row of the map."""
    return 1.5 * HEX_RADIUS * column, HEX_HEIGHT * (row + column / 2)


def edge_middle(edge: Edge) -> Point:
    """Return the middle of an edge, where roads cross it, from the centre of an unturned tile."""
    return turn_point((0, -HEX_HEIGHT / 2), edge)
