"""The plan of a tile as it lies: where its clearings, roads, name, chits and trees are drawn.

Tiles are turned, but names and trees stay upright, so free space is searched for each side and turn of a tile.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from math import sqrt
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

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
from realmtable.games.magic_realm.picture.free_space import (
    ON_ROAD,
    Corners,
    Grid,
    Points,
    are_free,
    block_box,
    find_box,
    find_corners,
    start_grid,
    sum_costs,
    sum_used,
)
from realmtable.games.magic_realm.picture.geometry import Curve, find_exit, is_inside, make_curve
from realmtable.kit.text_metrics import text_width

CLEARING_RADIUS: Final = 13
_ROAD_START: Final = 12  # from the middle of a clearing: under its rim
NAME_SIZES: Final = (15, 13, 11)
CHIT_HEIGHT: Final = 15
NAME_FONT: Final = 1.04  # the width of the serif letters
_SMALLER: Final = 3  # the cost of each step to smaller letters
_NEARER: Final = 12  # the distance that costs 1
_TRAY_WIDTH: Final = 34


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
    clearings = {clearing.number: _round(turn_point(clearing.at, turn)) for clearing in shown.clearings}
    roads = tuple(RoadPlan(road, _plan_road(road, clearings, turn)) for road in shown.roads)
    grid = start_grid(clearings.values(), [plan.curve for plan in roads])
    label = _place_label(found, grid)
    return TilePlan(found, shown, clearings, roads, label, tuple(_place_decorations(found, shown, clearings, grid)))


def _round(point: Point) -> Point:
    """Return a point without decimals, to keep pictures small."""
    return round(point[0]), round(point[1])


def _plan_road(road: Road, clearings: Mapping[int, Point], turn: Turn) -> Curve:
    end = clearings[road.end] if road.edge == INSIDE else turn_point(edge_middle(road.edge), turn)
    bend = None if road.bend is None else turn_point(road.bend, turn)
    whole = make_curve(clearings[road.start], bend, end)
    first = find_exit(whole, _ROAD_START)
    last = 1 - find_exit(Curve(*whole[::-1]), _ROAD_START) if road.edge == INSIDE else 1
    return whole.cut(first, last)


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
    name = _find_name_spot(tile.name, sum_costs(grid))
    high = len(name.lines) * name.size + 2
    block_box(grid, name.left, name.top, name.wide, high)
    middle = name.left + name.wide / 2
    below = middle, name.top + high + CHIT_HEIGHT / 2
    if tile.letter == "V":  # the chits of valleys are replaced when the game begins (M5)
        return Label(name.lines, name.size, (middle, name.top), below, rises=False)
    _, left, top = find_box(sum_costs(grid), _TRAY_WIDTH, CHIT_HEIGHT, below, _NEARER / 3)
    block_box(grid, left, top, _TRAY_WIDTH, CHIT_HEIGHT)
    tray = left + _TRAY_WIDTH / 2, top + CHIT_HEIGHT / 2
    return Label(name.lines, name.size, (middle, name.top), tray, rises=tray[1] < name.top)


def _find_name_spot(name: str, sums: Grid) -> _Spot:
    """Return the cheapest place of a name in one line or two, in the largest letters that cover nothing."""
    spots: list[_Spot] = []
    for size in NAME_SIZES:
        for lines in sorted({(name,), tuple(name.split())}):
            wide = max(text_width(line, size, NAME_FONT) for line in lines)
            cost, left, top = find_box(sums, wide, len(lines) * size + 2, (0, -10), _NEARER)
            spots.append(_Spot(cost + _SMALLER * (NAME_SIZES[0] - size), left, top, size, lines, wide))
        if min(spots).cost < ON_ROAD + _SMALLER * (NAME_SIZES[0] - size):
            break
    return min(spots)


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
    lattice, points, used = _lattice(), _list_points(), sum_used(grid)
    middles = np.array([clearings[clearing.number] for clearing in side.clearings])
    nearest = ((lattice[:, None] - middles) ** 2).sum(axis=2).argmin(axis=1)
    growths = [_growths_of(tile, clearing.kind, clearing.is_open) for clearing in side.clearings]
    placed: dict[int, Decoration] = {}  # by the number of the point
    for rank in (0, 1):
        for growth in dict.fromkeys(found for row in growths for found in row[rank : rank + 1]):
            grows = np.array([growth in row[rank : rank + 1] for row in growths])[nearest]
            near = _neighbours(growth.gap)
            is_taken: npt.NDArray[np.bool_] = np.logical_or.reduce(near[[*placed]], axis=0)
            free = are_free(used, _find_corners(growth.half, growth.high))
            for number in np.flatnonzero(grows & free).tolist():
                if not is_taken[number]:
                    is_taken |= near[number]
                    shape = growth.shapes[(number * 7 + tile.id) % len(growth.shapes)]
                    placed[number] = Decoration(shape, points[number])
    return sorted(placed.values(), key=lambda decoration: decoration.at[1])


@cache
def _neighbours(gap: float) -> npt.NDArray[np.bool_]:
    """Return for each two points of the lattice whether they are closer together than a gap."""
    near: npt.NDArray[np.bool_] = _square_distances() < gap**2
    return near


@cache
def _find_corners(half: float, high: float) -> Corners:
    return find_corners(_lattice(), half, high)


@lru_cache(maxsize=1)
def _list_points() -> list[Point]:
    return [(x, y) for x, y in _lattice().tolist()]


@lru_cache(maxsize=1)
def _square_distances() -> npt.NDArray[np.int32]:
    """Return the squares of the distances between all points of the lattice, which are whole numbers."""
    across, down = _lattice().T.astype(np.int32)
    squares: npt.NDArray[np.int32] = np.square(across[:, None] - across) + np.square(down[:, None] - down)
    return squares


@lru_cache(maxsize=1)
def _lattice() -> Points:
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
    return np.array([point for _, point in sorted(points)], np.float64)
