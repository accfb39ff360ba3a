"""The plan of a tile as it lies: where its clearings, roads, name, chits and trees are drawn.

Tiles are turned, but names and trees stay upright, so free space is searched for each side and turn of a tile. It is
searched on a grid of cells, each of which has a cost: 0 where nothing is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import accumulate
from math import sqrt
from typing import Final, NamedTuple

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import Side, TileId, Turn
from realmtable.games.magic_realm.catalog.tiles import (
    HEX_RADIUS,
    INSIDE,
    Point,
    Road,
    Tile,
    TileSide,
    edge_middle,
    turn_point,
)
from realmtable.games.magic_realm.drawing.geometry import Curve, distance, find_exit, is_inside, make_curve
from realmtable.kit.text_metrics import text_width

CLEARING_RADIUS: Final = 13
_ROAD_START: Final = 12  # from the middle of a clearing: under its rim
NAME_SIZES: Final = (15, 13, 11)
CHIT_HEIGHT: Final = 15
_NAME_FONT: Final = 1.04  # the width of the serif letters
_SMALLER: Final = 3  # the cost of each step to smaller letters
_NEARER: Final = 12  # the distance that costs 1
_TRAY_WIDTH: Final = 34
_CELL: Final = 6
_COLUMNS: Final = 34
_ROWS: Final = 30
_NEAR_CLEARING, _ON_ROAD, _ON_CLEARING, _OUTSIDE = 2, 4, 9, 12  # where counters lie, names give way, trees do not
_INNER_RADIUS: Final = 93  # names and trees keep this distance from the edges

Grid = list[list[int]]  # costs, _ROWS x _COLUMNS


class RoadPlan(NamedTuple):
    """A road as it lies, from clearing to clearing or edge."""

    road: Road
    curve: Curve  # between the rims of its clearings


class Label(NamedTuple):
    """Where a tile's name and chits are drawn."""

    lines: tuple[str, ...]
    size: int  # of the letters
    at: Point  # the middle of the upper side
    chits: Point  # the middle of the first row of chits
    rises: bool  # whether further rows lie above the first one, because the name is below it


class Decoration(NamedTuple):
    """A tree, peak or another thing on the ground; `at` is the middle of its foot."""

    shape: str
    at: Point


class TilePlan(NamedTuple):
    """All points from the centre of the tile."""

    tile: Tile
    side: TileSide
    clearings: Mapping[int, Point]  # by number
    roads: tuple[RoadPlan, ...]
    label: Label
    decorations: tuple[Decoration, ...]  # from the back to the front


@lru_cache(maxsize=256)
def plan_tile(tile: TileId, side: Side, turn: Turn) -> TilePlan:
    """Return the plan of a tile with a side up and turned."""
    found = load_catalog().tiles[tile]
    shown = found.sides[side]
    clearings = {clearing.number: turn_point(clearing.at, turn) for clearing in shown.clearings}
    roads = tuple(RoadPlan(road, _plan_road(road, clearings, turn)) for road in shown.roads)
    grid = _start_grid(clearings, roads)
    label = _place_label(found, grid)
    return TilePlan(found, shown, clearings, roads, label, tuple(_place_decorations(found, shown, clearings, grid)))


def _plan_road(road: Road, clearings: Mapping[int, Point], turn: Turn) -> Curve:
    end = clearings[road.end] if road.edge == INSIDE else turn_point(edge_middle(road.edge), turn)
    bend = None if road.bend is None else turn_point(road.bend, turn)
    whole = make_curve(clearings[road.start], bend, end)
    first = find_exit(whole, _ROAD_START)
    last = 1 - find_exit(Curve(*whole[::-1]), _ROAD_START) if road.edge == INSIDE else 1
    return whole.cut(first, last)


# ---- the grid


def _cell_of(point: Point) -> tuple[int, int]:
    """Return the row and column of the cell of a point."""
    return int(point[1] // _CELL) + _ROWS // 2, int(point[0] // _CELL) + _COLUMNS // 2


def _point_of(row: int, column: int) -> Point:
    """Return the middle of a cell."""
    return (column - _COLUMNS // 2 + 0.5) * _CELL, (row - _ROWS // 2 + 0.5) * _CELL


@lru_cache(maxsize=1)
def _empty_grid() -> Grid:
    return [
        [0 if is_inside(_point_of(row, column), _INNER_RADIUS) else _OUTSIDE for column in range(_COLUMNS)]
        for row in range(_ROWS)
    ]


def _start_grid(clearings: Mapping[int, Point], roads: tuple[RoadPlan, ...]) -> Grid:
    grid = [row[:] for row in _empty_grid()]
    for plan in roads:
        for point in plan.curve.points()[::2]:
            _stamp(grid, point, 9, _ON_ROAD)
    for point in clearings.values():
        _stamp(grid, point, 22, _ON_CLEARING)
        for down in (18, -20):
            _stamp(grid, (point[0], point[1] + down), 14, _NEAR_CLEARING)
    return grid


def _stamp(grid: Grid, point: Point, radius: float, cost: int) -> None:
    """Raise the costs around a point."""
    row, column = _cell_of(point)
    for down, left, right in _disc_rows(radius):
        if 0 <= row + down < _ROWS:
            cells = grid[row + down]
            for near in range(max(0, column + left), min(_COLUMNS, column + right + 1)):
                if cells[near] < cost:  # noqa: PLR1730  # quicker than calling max
                    cells[near] = cost


@cache
def _disc_rows(radius: float) -> tuple[tuple[int, int, int], ...]:
    """Return the rows of cells in a disc around a cell: each with its first and last column."""
    reach = int(radius // _CELL)
    widths = [int(sqrt(radius * radius - (row * _CELL) ** 2) // _CELL) for row in range(-reach, reach + 1)]
    return tuple((row, -wide, wide) for row, wide in zip(range(-reach, reach + 1), widths, strict=True))


def _block(grid: Grid, left: float, top: float, wide: float, high: float) -> None:
    first, last = _cell_of((left, top)), _cell_of((left + wide, top + high))
    for row in grid[max(0, first[0]) : last[0] + 1]:
        for column in range(max(0, first[1]), min(_COLUMNS, last[1] + 1)):
            row[column] = _OUTSIDE


# ---- the name and the chits


class _Spot(NamedTuple):
    """A place for a name, the cheapest first."""

    cost: float
    left: float
    top: float
    size: int
    lines: tuple[str, ...]
    wide: float


def _place_label(tile: Tile, grid: Grid) -> Label:
    """Return the cheapest places for the name and the chits, and block them."""
    name = _find_name_spot(tile.name, _sum_costs(grid))
    high = len(name.lines) * name.size + 2
    _block(grid, name.left, name.top, name.wide, high)
    middle = name.left + name.wide / 2
    below = middle, name.top + high + CHIT_HEIGHT / 2
    if tile.letter == "V":  # the chits of valleys are replaced when the game begins (M5)
        return Label(name.lines, name.size, (middle, name.top), below, rises=False)
    _, left, top = _find_box(_sum_costs(grid), _TRAY_WIDTH, CHIT_HEIGHT, below, _NEARER / 3)
    _block(grid, left, top, _TRAY_WIDTH, CHIT_HEIGHT)
    tray = left + _TRAY_WIDTH / 2, top + CHIT_HEIGHT / 2
    return Label(name.lines, name.size, (middle, name.top), tray, rises=tray[1] < name.top)


def _find_name_spot(name: str, sums: Grid) -> _Spot:
    """Return the cheapest place of a name in one line or two, in the largest letters that cover nothing."""
    spots: list[_Spot] = []
    for size in NAME_SIZES:
        for lines in sorted({(name,), tuple(name.split())}):
            wide = max(text_width(line, size, _NAME_FONT) for line in lines)
            cost, left, top = _find_box(sums, wide, len(lines) * size + 2, (0, -10))
            spots.append(_Spot(cost + _SMALLER * (NAME_SIZES[0] - size), left, top, size, lines, wide))
        if min(spots).cost < _ON_ROAD + _SMALLER * (NAME_SIZES[0] - size):
            break
    return min(spots)


def _sum_costs(grid: Grid) -> Grid:
    """Return the sums of all cells above and left of each corner."""
    sums = [[0] * (_COLUMNS + 1)]
    for row in grid:
        sums.append([0, *(above + left for above, left in zip(sums[-1][1:], accumulate(row), strict=True))])
    return sums


def _find_box(
    sums: Grid, wide: float, high: float, near: Point, nearer: float = _NEARER
) -> tuple[float, float, float]:  # fmt: skip
    """Return cost, left and top of the cheapest box of a size; those whose middle is near a point are cheaper."""
    columns, rows = -(-int(wide) // _CELL), -(-int(high) // _CELL)
    lefts = [(column - _COLUMNS // 2) * _CELL for column in range(_COLUMNS - columns + 1)]
    aways = [abs(left + wide / 2 - near[0]) / nearer for left in lefts]
    found = []
    for row in range(_ROWS - rows + 1):
        top = (row - _ROWS // 2) * _CELL
        upper, lower = sums[row], sums[row + rows]
        corners = zip(aways, lower[columns:], upper[columns:], lower, upper, strict=False)
        costs = [a - b - c + d + away for away, a, b, c, d in corners]
        least = min(costs)
        found.append((least + abs(top + high / 2 - near[1]) / nearer, lefts[costs.index(least)], top))
    return min(found)


# ---- trees and peaks


class _Growth(NamedTuple):
    """What grows near a clearing of a kind: shapes, half their width, their height and the gap to the next one."""

    shapes: tuple[str, ...]
    half: float
    high: float
    gap: float


_SPECIES: Final = {"PW": ("pine",), "DW": ("pine", "tree", "pine"), "NW": ("tree", "bush"), "L": ("pine", "tree")}
_TREES: Final = ("tree", "tree", "bush")
_MEADOW: Final = (_Growth(("grass", "flower", "grass", "bush"), 5, 6, 15),)
_PEAKS: Final = (_Growth(("peak", "peak", "ridge"), 12, 18, 19), _Growth(("hill",), 6, 7, 13))
_ROCKS: Final = (_Growth(("rock", "spire", "rock"), 8, 11, 17), _Growth(("pebble",), 4, 4, 12))


def _growths_of(tile: Tile, kind: str, is_open: bool) -> tuple[_Growth, ...]:
    """Return what grows near a clearing, the largest first."""
    if kind == "mountain":
        return _PEAKS
    if kind == "cave":
        return _ROCKS
    return _MEADOW if is_open else (_Growth(_SPECIES.get(tile.code, _TREES), 6, 13, 10),)


def _place_decorations(
    tile: Tile, side: TileSide, clearings: Mapping[int, Point], grid: Grid
) -> list[Decoration]:  # fmt: skip
    """Return what grows where nothing else is drawn, each thing of the kind of the nearest clearing."""
    placed: list[Decoration] = []
    near = [
        (point, min(side.clearings, key=lambda clearing: distance(clearings[clearing.number], point)))
        for point in _lattice()
        if _cost_at(grid, point) <= _NEAR_CLEARING
    ]
    for rank in (0, 1):
        for number, (point, clearing) in enumerate(near):
            for growth in _growths_of(tile, clearing.kind, clearing.is_open)[rank : rank + 1]:
                if _is_free(grid, point, growth) and all(distance(other.at, point) >= growth.gap for other in placed):
                    placed.append(Decoration(growth.shapes[(number * 7 + tile.id) % len(growth.shapes)], point))
    return sorted(placed, key=lambda decoration: decoration.at[1])


def _cost_at(grid: Grid, point: Point) -> int:
    row, column = _cell_of(point)
    return grid[row][column]


def _is_free(grid: Grid, foot: Point, growth: _Growth) -> bool:
    x, y = foot
    first, last = _cell_of((x - growth.half, y - growth.high)), _cell_of((x + growth.half, y + 1))
    if first[0] < 0 or last[0] >= _ROWS or first[1] < 0 or last[1] >= _COLUMNS:
        return False
    return all(max(row[first[1] : last[1] + 1]) <= _NEAR_CLEARING for row in grid[first[0] : last[0] + 1])


@lru_cache(maxsize=1)
def _lattice() -> tuple[Point, ...]:
    """Return the points of a lattice of triangles, each moved a little, in a mixed order."""
    points = []
    step = 11
    for row in range(-9, 10):
        for column in range(-10, 11):
            noise = (row * 73 + column * 151 + row * column * 31) % 97
            x = (column + row % 2 / 2) * step + noise % 7 - 3
            y = row * step * sqrt(3) / 2 + noise // 7 % 5 - 2
            if is_inside((x, y), HEX_RADIUS):
                points.append((noise, (round(x), round(y))))
    return tuple(point for _, point in sorted(points))
