"""Groups on a board (O8) for Python callers: the view, the warning and the bot."""

from __future__ import annotations

import numpy as np

from realmtable.games.oriental_realm.layout import EMPTY, SEAT_SHIFT
from realmtable.games.oriental_realm.moves import MAX_PIECES, list_group
from realmtable.kit.realm_board.geometry import CELLS, Cell, ray
from realmtable.kit.rules import Position

Group = tuple[Cell, ...]  # in ascending order

NEIGHBOURS = tuple(tuple(line[0] for way in range(4) if (line := ray(cell, way))) for cell in range(CELLS))  # B2


def piece_cells(position: Position, seat: int) -> list[Cell]:
    """Return the spaces of a seat's pieces."""
    cells = enumerate(position[:CELLS].tolist())
    return [cell for cell, piece in cells if piece != EMPTY and piece >> SEAT_SHIFT == seat]


def groups_of(position: Position, seat: int) -> list[Group]:
    """Return the groups of a seat, in the order of their first spaces."""
    groups: list[Group] = []
    known: set[Cell] = set()
    room = np.empty(MAX_PIECES, dtype=np.int64)
    for cell in piece_cells(position, seat):
        if cell not in known:
            size = list_group(position, cell, room)
            groups.append(tuple(sorted(room[:size].tolist())))
            known.update(groups[-1])
    return groups


def neighbours_of_group(group: Group) -> list[Cell]:
    """Return the neighbours of a group's pieces outside the group."""
    return sorted({near for cell in group for near in NEIGHBOURS[cell]} - set(group))


def empty_neighbours(position: Position, group: Group) -> list[Cell]:
    """Return the empty neighbours of a group."""
    return [cell for cell in neighbours_of_group(group) if position.item(cell) == EMPTY]
