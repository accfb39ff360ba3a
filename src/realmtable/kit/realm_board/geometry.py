"""The board that all five Realm games share: 12 x 12 spaces in 16 Realms of 3 x 3, with names and geometry.

A space is an int, ``rank * 12 + file``; a Realm is an int from 0 to 15, row by row from White's edge.
This module is plain Python because notation and drawing need no arrays; those are in `arrays`.
"""

from __future__ import annotations

from functools import cache
from typing import Final, Literal, get_args

Cell = int
Realm = int
Direction = int

SIDE: Final = 12
CELLS: Final = SIDE * SIDE
REALMS: Final = 16
REALM_SIDE: Final = 4
FILES: Final = "abcdefghijkl"

SEAT_NAMES: Final = ("White", "Black")  # seat 0 sits at rank 1
SEAT_LETTERS: Final = "WB"

NORTH: Final = 0
EAST: Final = 1
SOUTH: Final = 2
WEST: Final = 3
FACINGS: Final = "NESW"
DIRECTION_OFFSETS: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))  # (file, rank) change for N, E, S, W

Symmetry = Literal[0, 1, 2, 3, 4, 5, 6, 7]
SYMMETRIES: Final[tuple[Symmetry, ...]] = get_args(Symmetry)
FIRST_MIRRORED: Final = 4  # symmetries from here on mirror first


def cell_at(file: int, rank: int) -> Cell:
    """Return the space on a file and rank, both counted from 0.

    >>> cell_name(cell_at(2, 9))
    'c10'
    """
    return rank * SIDE + file


@cache
def cell_name(cell: Cell) -> str:
    """Return the name of a space, ``a1`` to ``l12``."""
    return FILES[cell % SIDE] + str(cell // SIDE + 1)


def find_cell(name: str) -> Cell | None:
    """Return the space with this name, or None if there is none.

    >>> find_cell("c10"), find_cell("m1"), find_cell("a13")
    (110, None, None)
    """
    return _CELLS_BY_NAME.get(name)


def realm_of(cell: Cell) -> Realm:
    """Return the Realm of a space."""
    return cell // SIDE // 3 * REALM_SIDE + cell % SIDE // 3


def center_of(realm: Realm) -> Cell:
    """Return the Center of a Realm.

    >>> [cell_name(center_of(realm)) for realm in (0, 3, 15)]
    ['b2', 'k2', 'k11']
    """
    return cell_at(realm % REALM_SIDE * 3 + 1, realm // REALM_SIDE * 3 + 1)


def realm_name(realm: Realm) -> str:
    """Return the name of a Realm, which is that of its Center."""
    return cell_name(center_of(realm))


def find_realm_name(realm: Realm) -> str | None:
    """Return the name of a Realm, or None for a negative number, which stands for no Realm."""
    return realm_name(realm) if realm >= 0 else None


def explain_not_adjacent(source: Realm, target: Realm) -> str:
    """Say that a piece on one Center cannot step to another, for games in which it steps north, east, south or west.

    >>> explain_not_adjacent(0, 2), explain_not_adjacent(0, 5)
    ('h2 is not next to b2', 'e5 is only diagonally next to b2, which does not count')
    """
    across, up = abs(source % REALM_SIDE - target % REALM_SIDE), abs(source // REALM_SIDE - target // REALM_SIDE)
    if (across, up) == (1, 1):
        return f"{realm_name(target)} is only diagonally next to {realm_name(source)}, which does not count"
    return f"{realm_name(target)} is not next to {realm_name(source)}"


@cache
def spaces_of(realm: Realm) -> tuple[Cell, ...]:
    """Return the nine spaces of a Realm in ascending order; the fifth is its Center."""
    file, rank = realm % REALM_SIDE * 3, realm // REALM_SIDE * 3
    return tuple(cell_at(file + across, rank + up) for up in range(3) for across in range(3))


def cells_of_places(realm: Realm, places: int) -> list[Cell]:
    """Return some of the spaces of a Realm; bit n of `places` stands for the place n. Realm -1 has none."""
    return [space for place, space in enumerate(spaces_of(realm)) if places >> place & 1] if realm >= 0 else []


def ray(cell: Cell, direction: Direction) -> tuple[Cell, ...]:
    """Return the spaces from the neighbour of `cell` to the edge in one direction."""
    file, rank = cell % SIDE, cell // SIDE
    across, up = DIRECTION_OFFSETS[direction]
    spaces = []
    while 0 <= (file := file + across) < SIDE and 0 <= (rank := rank + up) < SIDE:
        spaces.append(cell_at(file, rank))
    return tuple(spaces)


def direction_between(source: Cell, target: Cell) -> Direction | None:
    """Return the direction from one space to another along a rank or file, or None if they share neither."""
    across = target % SIDE - source % SIDE
    up = target // SIDE - source // SIDE
    if (across == 0) == (up == 0):
        return None
    if across == 0:
        return NORTH if up > 0 else SOUTH
    return EAST if across > 0 else WEST


def transform_cell(cell: Cell, symmetry: Symmetry) -> Cell:
    """Apply one of the board's eight symmetries to a space: 0 to 3 clockwise quarter-turns; 4 to 7 mirror first.

    >>> [cell_name(transform_cell(cell_at(0, 0), symmetry)) for symmetry in (0, 1, 2, 3, 4)]
    ['a1', 'a12', 'l12', 'l1', 'l1']
    """
    file, rank = cell % SIDE, cell // SIDE
    if symmetry >= FIRST_MIRRORED:
        file = SIDE - 1 - file
    for _ in range(symmetry % 4):
        file, rank = rank, SIDE - 1 - file
    return cell_at(file, rank)


_CELLS_BY_NAME: Final = {cell_name(cell): cell for cell in range(CELLS)}
REALM_OF_CELL: Final = tuple(realm_of(cell) for cell in range(CELLS))  # faster than the function
CENTERS: Final = tuple(center_of(realm) for realm in range(REALMS))
