"""Find free space on a tile: a grid of cells, each of which has a cost, 0 where nothing is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from math import sqrt
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from realmtable.games.magic_realm.catalog.tiles import Point
from realmtable.games.magic_realm.picture.geometry import SAMPLES, Curve

Grid = npt.NDArray[np.int32]  # (_ROWS + 2 * _RIM, _COLUMNS + 2 * _RIM)
Points = npt.NDArray[np.float64]  # (number of points, 2)

CELL: Final = 6
NEAR_CLEARING, ON_ROAD, ON_CLEARING, OUTSIDE = 2, 4, 9, 12  # where counters lie, names give way, trees do not
_COLUMNS: Final = 34
_ROWS: Final = 30
_RIM: Final = 8  # cells around the grid, so that nothing has to be cut off at its edges
_INNER_RADIUS: Final = 93  # names and trees keep this distance from the edges
_PARTS: Final = np.arange(0, SAMPLES + 1, 2) / SAMPLES  # of a road, close enough together for its width
_WEIGHTS: Final = np.stack([(1 - _PARTS) ** 2, 2 * (1 - _PARTS) * _PARTS, _PARTS**2], axis=1)  # (points, 3)


class BoxSpot(NamedTuple):
    """A place for a box."""

    cost: float
    left: float
    top: float


def start_grid(clearings: Iterable[Point], roads: Sequence[Curve]) -> Grid:
    """Return the costs of a tile with clearings and roads."""
    grid = _empty_grid().copy()
    if roads:
        points = (_WEIGHTS @ np.array(roads)).reshape(-1, 2)
        near = np.zeros_like(grid, np.bool_)
        near[_cells_of(points)] = True
        near[:, 1:-1] |= near[:, :-2] | near[:, 2:]
        near[1:-1] |= near[:-2] | near[2:]
        np.maximum(grid, near * np.int32(ON_ROAD), out=grid)
    for x, y in clearings:
        _stamp(grid, (x, y), 22, ON_CLEARING)
        _stamp(grid, (x, y), 27, NEAR_CLEARING)  # the ring around a clearing that can be chosen
        for down in (18, -20):
            _stamp(grid, (x, y + down), 14, NEAR_CLEARING)
    return grid


@lru_cache(maxsize=1)
def _empty_grid() -> Grid:
    across = np.abs(np.arange(-_COLUMNS // 2, _COLUMNS // 2) + 0.5) * CELL
    down = np.abs(np.arange(-_ROWS // 2, _ROWS // 2) + 0.5)[:, None] * CELL
    is_inside = (down <= _INNER_RADIUS * sqrt(3) / 2) & (across * sqrt(3) + down <= _INNER_RADIUS * sqrt(3))
    return np.pad(np.where(is_inside, 0, OUTSIDE), _RIM, constant_values=OUTSIDE).astype(np.int32)


def _cells_of(points: Points) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return the rows and columns of the cells of points."""
    cells = (points // CELL).astype(np.intp)
    return cells[:, 1] + _ROWS // 2 + _RIM, cells[:, 0] + _COLUMNS // 2 + _RIM


def _cell_of(point: Point) -> tuple[int, int]:
    """Return the row and column of the cell of a point."""
    return int(point[1] // CELL) + _ROWS // 2 + _RIM, int(point[0] // CELL) + _COLUMNS // 2 + _RIM


def _stamp(grid: Grid, point: Point, radius: int, cost: int) -> None:
    """Raise the costs around a point."""
    disc = _disc(radius, cost)
    reach = len(disc) // 2
    row, column = _cell_of(point)
    around = grid[row - reach : row + reach + 1, column - reach : column + reach + 1]
    np.maximum(around, disc, out=around)


@cache
def _disc(radius: int, cost: int) -> Grid:
    """Return a square of cells in which those of a disc have a cost."""
    reach = radius // CELL
    steps = np.arange(-reach, reach + 1) * CELL
    return np.where(steps[:, None] ** 2 + steps**2 <= radius**2, cost, 0).astype(np.int32)


def block_box(grid: Grid, left: float, top: float, wide: float, high: float) -> None:
    """Mark a box as used."""
    first, last = _cell_of((left, top)), _cell_of((left + wide, top + high))
    grid[first[0] : last[0] + 1, first[1] : last[1] + 1] = OUTSIDE


def sum_costs(grid: Grid) -> Grid:
    """Return the sums of all cells above and left of each corner."""
    sums = np.zeros((grid.shape[0] + 1, grid.shape[1] + 1), np.int32)
    sums[1:, 1:] = grid.cumsum(axis=0, dtype=np.int32).cumsum(axis=1, dtype=np.int32)
    return sums


def find_box(sums: Grid, wide: float, high: float, near: Point, nearer: float) -> BoxSpot:
    """Return the cheapest place of a box; `nearer` is the distance of its middle from a point that costs 1."""
    columns, rows = -(-int(wide) // CELL), -(-int(high) // CELL)
    inner = sums[_RIM : _RIM + _ROWS + 1, _RIM : _RIM + _COLUMNS + 1]
    lower, upper = inner[rows:], inner[:-rows]
    lefts, tops = _list_edges(_COLUMNS, columns), _list_edges(_ROWS, rows)
    costs = (
        (lower[:, columns:] - upper[:, columns:] - lower[:, :-columns] + upper[:, :-columns])
        + np.abs(lefts + (wide / 2 - near[0])) / nearer
        + np.abs(tops + (high / 2 - near[1]))[:, None] / nearer
    )
    row, column = divmod(int(costs.argmin()), len(lefts))
    return BoxSpot(float(costs[row, column]), float(lefts[column]), float(tops[row]))


@cache
def _list_edges(cells: int, used: int) -> npt.NDArray[np.intp]:
    """Return where something can begin that takes up a number of cells in a row of cells around 0."""
    return (np.arange(cells - used + 1) - cells // 2) * CELL


class Corners(NamedTuple):
    """The cells that things cover: rows and columns of their first corners, and of those behind their last."""

    top: npt.NDArray[np.intp]
    left: npt.NDArray[np.intp]
    bottom: npt.NDArray[np.intp]
    right: npt.NDArray[np.intp]


def find_corners(feet: Points, half: float, high: float) -> Corners:
    """Return what things cover whose feet are at some points."""
    top, left = _cells_of(np.subtract(feet, (half, high)))
    bottom, right = (cells + 1 for cells in _cells_of(np.add(feet, (half, 1))))
    return Corners(top, left, bottom, right)


def sum_used(grid: Grid) -> Grid:
    """Return the number of cells with a road, clearing or name above and left of each corner."""
    return sum_costs((grid > NEAR_CLEARING).astype(np.int32))


def are_free(used: Grid, at: Corners) -> npt.NDArray[np.bool_]:
    """Return for each thing whether it covers no road, clearing or name; `used` is what `sum_used` returns."""
    covered = used[at.bottom, at.right] - used[at.top, at.right] - used[at.bottom, at.left] + used[at.top, at.left]
    free: npt.NDArray[np.bool_] = covered == 0
    return free
