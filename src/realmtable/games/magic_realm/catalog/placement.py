"""Where tiles lie: columns, rows and turns, and the stock maps (M1, M3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from realmtable.engine.errors import BadInput
from realmtable.games.magic_realm.catalog.ids import EDGES, Edge, Place, TileId, Turn, place_of
from realmtable.games.magic_realm.catalog.parse_numbers import parse_short_number
from realmtable.games.magic_realm.catalog.tiles import Point, Tile, tile_centre, turn_point
from realmtable.games.magic_realm.catalog.toml_entry import TomlEntry

# The neighbour across each edge, as steps of column and row.
STEPS: Final = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
TURNS: Final = len(EDGES)
TURN_TEXTS: Final = tuple(map(str, range(TURNS)))
PARTS: Final = 4  # of a placement's text

Position = tuple[int, int]  # column, row


class Placement(NamedTuple):
    """A tile on the map."""

    tile: TileId
    column: int
    row: int
    turn: Turn

    @property
    def position(self) -> Position:
        """Column and row."""
        return self.column, self.row

    def edge_to(self, edge: Edge) -> Edge:
        """Return the edge of the unturned tile that lies in a direction of the map."""
        return (edge - self.turn) % TURNS

    def point(self, x: float, y: float) -> Point:
        """Return where a point of the unturned tile lies on the map, in pixels."""
        turned = turn_point((x, y), self.turn)
        centre = tile_centre(self.column, self.row)
        return centre[0] + turned[0], centre[1] + turned[1]


Layout = tuple[Placement, ...]  # of a whole map: by tile


@dataclass(frozen=True, slots=True)
class StockMap:
    """A ready-made map."""

    layout: Layout
    cut_off: tuple[Place, ...]  # clearings that no road joins to the Borderland


def neighbour_position(position: Position, edge: Edge) -> Position:
    """Return the position across an edge."""
    return position[0] + STEPS[edge][0], position[1] + STEPS[edge][1]


def opposite_edge(edge: Edge) -> Edge:
    """Return the edge that the neighbour shares."""
    return (edge + TURNS // 2) % TURNS


def adjacent_tiles(layout: Sequence[Placement], tile: TileId) -> tuple[TileId, ...]:
    """Return the tiles that touch a tile of the map, clockwise from the north."""
    tiles = {placement.position: placement.tile for placement in layout}
    own = next(placement for placement in layout if placement.tile == tile)
    around = [neighbour_position(own.position, edge) for edge in range(TURNS)]
    return tuple(tiles[position] for position in around if position in tiles)


def parse_placement(codes: Mapping[str, TileId], text: str) -> Placement:
    """Return the placement that a text describes; raise `BadInput` if it describes none."""
    parts = text.split()
    numbers = [parse_short_number(part) for part in parts[1:]]
    if len(parts) != PARTS or parts[0] not in codes or None in numbers or parts[3] not in TURN_TEXTS:
        raise BadInput(f"A tile on the map stands as code, column, row and turn, such as CG 0 1 0, not {text[:40]}.")
    column, row, turn = (number or 0 for number in numbers)
    return Placement(codes[parts[0]], column, row, turn)


def read_stock_maps(file: TomlEntry, tiles: Sequence[Tile]) -> tuple[StockMap, ...]:
    """Return the maps of `maps.toml`."""
    codes = {tile.code: tile.id for tile in tiles}
    places = {f"{tile.code}{number}": place_of(tile.id, number) for tile in tiles for number in tile.numbers}
    maps = []
    for entry in file.entries("map"):
        layout = tuple(sorted(parse_placement(codes, text) for text in entry.words("tiles", default=None)))
        if [placement.tile for placement in layout] != [*range(len(tiles))]:
            raise BadInput(f"{entry.title} must hold every tile once.")
        cut_off = tuple(places[name] for name in entry.words("cut_off", places))
        entry.finish()
        maps.append(StockMap(layout, cut_off))
    file.finish()
    return tuple(maps)
