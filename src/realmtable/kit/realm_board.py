"""The board all five Realm games share: 12 x 12 spaces in 16 Realms of 3 x 3, with names and geometry.

A space is an int, ``rank * 12 + file``; a Realm is an int 0..15, row by row from White's edge.
Plain Python on purpose: notation and drawing need no arrays. The arrays are in `realm_tables`.
"""

from __future__ import annotations

from functools import cache
from typing import Final, Literal

Cell = int
Realm = int
Direction = int

SIDE: Final = 12
CELLS: Final = SIDE * SIDE
REALMS: Final = 16
REALM_SIDE: Final = 4
FILES: Final = "abcdefghijkl"

NORTH: Final = 0
EAST: Final = 1
SOUTH: Final = 2
WEST: Final = 3
FACINGS: Final = "NESW"
DIRECTION_OFFSETS: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))  # (file, rank) change for N, E, S, W

Symmetry = Literal[0, 1, 2, 3, 4, 5, 6, 7]
FIRST_MIRRORED: Final = 4  # symmetries from here on mirror first


def cell_at(file: int, rank: int) -> Cell:
    """The space on a file and rank, both counted from 0.

    >>> cell_name(cell_at(2, 9))
    'c10'
    """
    return rank * SIDE + file


@cache
def cell_name(cell: Cell) -> str:
    """The space's name as players write it, ``a1`` to ``l12``."""
    return FILES[cell % SIDE] + str(cell // SIDE + 1)


def find_cell(name: str) -> Cell | None:
    """The space with this name, or None if there is no such space.

    >>> find_cell("c10"), find_cell("m1"), find_cell("a13")
    (110, None, None)
    """
    return _CELLS_BY_NAME.get(name)


def realm_of(cell: Cell) -> Realm:
    """The Realm a space lies in."""
    return cell // SIDE // 3 * REALM_SIDE + cell % SIDE // 3


def center_of(realm: Realm) -> Cell:
    """The Center of a Realm.

    >>> [cell_name(center_of(realm)) for realm in (0, 3, 15)]
    ['b2', 'k2', 'k11']
    """
    return cell_at(realm % REALM_SIDE * 3 + 1, realm // REALM_SIDE * 3 + 1)


@cache
def spaces_of(realm: Realm) -> tuple[Cell, ...]:
    """The nine spaces of a Realm in rising order; the fifth is its Center."""
    file, rank = realm % REALM_SIDE * 3, realm // REALM_SIDE * 3
    return tuple(cell_at(file + across, rank + up) for up in range(3) for across in range(3))


def ray(cell: Cell, direction: Direction) -> tuple[Cell, ...]:
    """The spaces from next to `cell` to the edge, going one way."""
    file, rank = cell % SIDE, cell // SIDE
    across, up = DIRECTION_OFFSETS[direction]
    spaces = []
    while 0 <= (file := file + across) < SIDE and 0 <= (rank := rank + up) < SIDE:
        spaces.append(cell_at(file, rank))
    return tuple(spaces)


def direction_between(source: Cell, target: Cell) -> Direction | None:
    """The way from one space to another on its rank or file, or None if they share neither."""
    across = target % SIDE - source % SIDE
    up = target // SIDE - source // SIDE
    if (across == 0) == (up == 0):
        return None
    if across == 0:
        return NORTH if up > 0 else SOUTH
    return EAST if across > 0 else WEST


def transform_cell(cell: Cell, symmetry: Symmetry) -> Cell:
    """Where one of the board's eight symmetries takes a space: quarter-turns 0..3 clockwise, 4..7 mirrored first.

    >>> [cell_name(transform_cell(cell_at(0, 0), symmetry)) for symmetry in (0, 1, 2, 3, 4)]
    ['a1', 'a12', 'l12', 'l1', 'l1']
    """
    file, rank = cell % SIDE, cell // SIDE
    if symmetry >= FIRST_MIRRORED:
        file = SIDE - 1 - file
    for _ in range(symmetry % 4):
        file, rank = rank, SIDE - 1 - file
    return cell_at(file, rank)


def transform_direction(direction: Direction, symmetry: Symmetry) -> Direction:
    """Where a symmetry takes a direction."""
    if symmetry >= FIRST_MIRRORED and direction in (EAST, WEST):
        direction = EAST + WEST - direction
    return (direction + symmetry) % 4


_CELLS_BY_NAME: Final = {cell_name(cell): cell for cell in range(CELLS)}
CENTERS: Final = tuple(center_of(realm) for realm in range(REALMS))
