"""How pieces move and are pinned (O3 to O6), and when a group is surrounded (O8)."""

from __future__ import annotations

import numpy as np

from realmtable.games.oriental_realm.layout import EMPEROR, EMPTY, KIND_MASK, MANDARIN, MOVE0, SEAT_SHIFT
from realmtable.kit.compile import kernel
from realmtable.kit.realm_board.arrays import REACH, STRIDE
from realmtable.kit.realm_board.geometry import CELLS, EAST, NORTH, SOUTH, WEST, Cell, Direction
from realmtable.kit.rules import Position, Steps

MAX_PIECES = 16


@kernel
def neighbour_piece(position: Position, cell: Cell, way: Direction) -> int:
    """Return the piece next to a space, EMPTY, or -1 beyond the edge."""
    return int(position[cell + STRIDE[way]]) if REACH[cell, way] > 0 else -1


@kernel
def belongs_to(piece: int, seat: int) -> bool:
    """Whether the result of `neighbour_piece` is a piece of a seat."""
    return piece > EMPTY and piece >> SEAT_SHIFT == seat


@kernel
def is_flanked(position: Position, cell: Cell) -> bool:
    """Whether enemies are on two opposite neighbours of a piece (O4)."""
    enemy = 1 - (position[cell] >> SEAT_SHIFT)
    for way in (NORTH, EAST):
        one, other = neighbour_piece(position, cell, way), neighbour_piece(position, cell, way + 2)
        if belongs_to(one, enemy) and belongs_to(other, enemy):
            return True
    return False


@kernel
def is_next_to_emperor(position: Position, cell: Cell) -> bool:
    """Whether a piece is next to its own Emperor (O5)."""
    emperor = EMPEROR + ((position[cell] >> SEAT_SHIFT) << SEAT_SHIFT)
    for way in range(4):
        if neighbour_piece(position, cell, way) == emperor:
            return True
    return False


@kernel
def is_pinned(position: Position, cell: Cell) -> bool:
    """Whether the piece on a space is a Mandarin that may not move (O4, O5)."""
    return (
        position[cell] & KIND_MASK == MANDARIN and is_flanked(position, cell) and not is_next_to_emperor(position, cell)
    )


@kernel
def slide_length(position: Position, source: Cell, way: Direction) -> int:
    """Return how many spaces a piece can move in a direction before it is stopped (O3)."""
    space = source
    for length in range(REACH[source, way]):
        space += STRIDE[way]
        if position[space] != EMPTY:
            return length
    return int(REACH[source, way])


@kernel
def list_piece_moves(position: Position, source: Cell, out: Steps, count: int) -> int:
    """List the moves of one piece in ascending order of targets; none if it is pinned."""
    if is_pinned(position, source):
        return count
    for way in (SOUTH, WEST, EAST, NORTH):
        length = slide_length(position, source, way)
        stride = STRIDE[way]
        target = source + stride * length if stride < 0 else source + stride
        for _ in range(length):
            out[count] = MOVE0 + source * CELLS + target
            count += 1
            target += abs(stride)
    return count


@kernel
def has_empty_neighbour(position: Position, cell: Cell) -> bool:
    """Whether a neighbour of a space is empty."""
    for way in range(4):
        if neighbour_piece(position, cell, way) == EMPTY:
            return True
    return False


@kernel
def list_group(position: Position, cell: Cell, group: Steps) -> int:
    """Write the spaces of the group of the piece on `cell` (O8), that one first, and return their number."""
    seat = position[cell] >> SEAT_SHIFT
    group[0] = cell
    size = 1
    index = 0
    while index < size:
        for way in range(4):
            near = group[index] + STRIDE[way]
            if belongs_to(neighbour_piece(position, group[index], way), seat) and not contains(group, size, near):
                group[size] = near
                size += 1
        index += 1
    return size


@kernel
def contains(group: Steps, size: int, cell: Cell) -> bool:
    """Whether a space is among the first `size` of a list."""
    for index in range(size):
        if group[index] == cell:
            return True
    return False


@kernel
def is_surrounded(position: Position, cell: Cell) -> bool:
    """Whether the group of the piece on a space has no empty neighbour (O8)."""
    if has_empty_neighbour(position, cell):
        return False
    group = np.empty(MAX_PIECES, dtype=np.int64)
    for index in range(list_group(position, cell, group)):
        if has_empty_neighbour(position, group[index]):
            return False
    return True
