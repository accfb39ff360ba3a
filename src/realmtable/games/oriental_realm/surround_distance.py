"""How near a player's groups are to being surrounded in one turn (O2, O8): what a judgement at a glance asks.

A turn moves pieces of one Realm, so what counts is whether the free pieces of one enemy Realm, a squad, can fill all
empty neighbours of a group. Each is looked at as the board is: that pieces clear or bar each other's way is left to the
search, and `warning` looks at it exactly.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from realmtable.games.oriental_realm.moves import is_pinned, slide_length
from realmtable.games.oriental_realm.position import EMPTY, SEAT_SHIFT, TURN_REALM, UNMOVED_PLACES
from realmtable.kit.bits import count_bits
from realmtable.kit.compile import kernel
from realmtable.kit.realm_arrays import REACH, REALM_OF, STRIDE
from realmtable.kit.realm_board import CELLS, REALMS, SIDE, Cell
from realmtable.kit.rules import Position

PieceSet = int  # one bit for each of a seat's pieces, in the order of their spaces
BoardSummary = NDArray[np.int64]

PIECES_EACH: Final = 8  # pieces of a seat

# What is noted of a board; a seat's part of two is the one it adds to the name.
REACHED_BY: Final = 0  # [2, 144] the free pieces that can move to a space
PIECE_CELLS: Final = REACHED_BY + 2 * CELLS  # [2, 8] where pieces are
PIECE_COUNT: Final = PIECE_CELLS + 2 * PIECES_EACH  # [2] how many there are
PINNED: Final = PIECE_COUNT + 2  # [2] those that may not move (O4)
SQUADS: Final = PINNED + 2  # [2, 16] the others, by Realms
MOBILITY: Final = SQUADS + 2 * REALMS  # [2] moves

# And of the group that is being looked at.
EMPTY_COUNT: Final = MOBILITY + 2  # how many empty neighbours it has
ADJACENT_ENEMIES: Final = EMPTY_COUNT + 1  # the enemies next to it: where they go they leave a space
EDGE_SIDES: Final = ADJACENT_ENEMIES + 1  # how many of its sides are the board's edge
EMPTY_CELLS: Final = EDGE_SIDES + 1  # [32] its empty neighbours
FILLABLE: Final = EMPTY_CELLS + 4 * PIECES_EACH  # [8] which of them each enemy can move to, as bits
SUMMARY_SIZE: Final = FILLABLE + PIECES_EACH

UNREACHABLE: Final = 99  # how short of a siege who has no squad for it is


# ---- the board


@kernel
def summarise_board(position: Position, notes: BoardSummary) -> None:
    """Note where pieces are and where they can go."""
    notes[:] = 0
    for cell in range(CELLS):
        if position[cell] != EMPTY:
            seat = position[cell] >> SEAT_SHIFT
            summarise_piece(position, notes, seat, cell)


@kernel
def summarise_piece(position: Position, notes: BoardSummary, seat: int, cell: Cell) -> None:
    """Note one piece."""
    man = notes[PIECE_COUNT + seat]
    notes[PIECE_COUNT + seat] += 1
    notes[PIECE_CELLS + seat * PIECES_EACH + man] = cell
    if is_pinned(position, cell):
        notes[PINNED + seat] |= 1 << man
        return
    notes[SQUADS + seat * REALMS + REALM_OF[cell]] |= 1 << man
    for way in range(4):
        length = slide_length(position, cell, way)
        notes[MOBILITY + seat] += length
        space = cell
        for _ in range(length):
            space += STRIDE[way]
            notes[REACHED_BY + seat * CELLS + space] |= 1 << man


@kernel
def squad_this_turn(position: Position, notes: BoardSummary, seat: int) -> PieceSet:
    """The free pieces of the acting seat that the turn, once begun, may still move (O2)."""
    squad = notes[SQUADS + seat * REALMS + position[TURN_REALM]]
    for man in range(notes[PIECE_COUNT + seat]):
        cell = notes[PIECE_CELLS + seat * PIECES_EACH + man]
        place = cell // SIDE % 3 * 3 + cell % 3
        if squad >> man & 1 and not position[UNMOVED_PLACES] >> place & 1:
            squad &= ~(1 << man)
    return int(squad)


# ---- a group


@kernel
def group_of(notes: BoardSummary, seat: int, first: int) -> PieceSet:
    """The group of a piece (O8)."""
    group = 1 << first
    before = 0
    while group != before:
        before = group
        for man in range(notes[PIECE_COUNT + seat]):
            if not group >> man & 1 and touches(notes, seat, man, group):
                group |= 1 << man
    return group


@kernel
def touches(notes: BoardSummary, seat: int, man: int, group: PieceSet) -> bool:
    """Whether a piece is a neighbour of one of a group."""
    cell = notes[PIECE_CELLS + seat * PIECES_EACH + man]
    for other in range(notes[PIECE_COUNT + seat]):
        if group >> other & 1:
            gap = abs(cell - notes[PIECE_CELLS + seat * PIECES_EACH + other])
            if gap == SIDE or (gap == 1 and cell // SIDE == notes[PIECE_CELLS + seat * PIECES_EACH + other] // SIDE):
                return True
    return False


@kernel
def survey_group(position: Position, notes: BoardSummary, seat: int, group: PieceSet) -> None:
    """Note what is around a group: its room, who can fill it, and the enemies beside it."""
    notes[EMPTY_COUNT:EMPTY_CELLS] = 0
    notes[FILLABLE : FILLABLE + PIECES_EACH] = 0
    for man in range(notes[PIECE_COUNT + seat]):
        if group >> man & 1:
            cell = notes[PIECE_CELLS + seat * PIECES_EACH + man]
            for way in range(4):
                if REACH[cell, way] == 0:
                    notes[EDGE_SIDES] += 1
                elif position[cell + STRIDE[way]] == EMPTY:
                    add_empty_neighbour(notes, seat, cell + STRIDE[way])
                else:
                    notes[ADJACENT_ENEMIES] |= enemy_on(notes, seat, cell + STRIDE[way])


@kernel
def add_empty_neighbour(notes: BoardSummary, seat: int, space: Cell) -> None:
    """Note an empty neighbour of a group, once, and the enemies that can move to it."""
    room = notes[EMPTY_COUNT]
    for index in range(room):
        if notes[EMPTY_CELLS + index] == space:
            return
    notes[EMPTY_CELLS + room] = space
    notes[EMPTY_COUNT] += 1
    fillers = notes[REACHED_BY + (1 - seat) * CELLS + space]
    for man in range(PIECES_EACH):
        notes[FILLABLE + man] |= (fillers >> man & 1) << room


@kernel
def enemy_on(notes: BoardSummary, seat: int, cell: Cell) -> PieceSet:
    """The enemy on a space, none if the piece there is a seat's own."""
    foe = 1 - seat
    for man in range(notes[PIECE_COUNT + foe]):
        if notes[PIECE_CELLS + foe * PIECES_EACH + man] == cell:
            return 1 << man
    return 0


@kernel
def shortage(notes: BoardSummary, squad: PieceSet) -> int:
    """How many empty neighbours of the group a squad must leave open; FAR if it is two or more by its size alone."""
    squad &= ~notes[ADJACENT_ENEMIES]
    size = count_bits(squad)
    if notes[EMPTY_COUNT] - size > 1:
        return UNREACHABLE
    return int(notes[EMPTY_COUNT] - max_filled_cells(notes, squad, size))


@kernel
def max_filled_cells(notes: BoardSummary, squad: PieceSet, size: int) -> int:
    """How many empty neighbours of the group the pieces of a squad fill if each moves to one.

    By Kőnig's theorem it is the least, over all parts of the squad, of the spaces that part can fill and the pieces
    outside it.
    """
    most = size
    part = squad
    while part:
        filled = 0
        for man in range(PIECES_EACH):
            if part >> man & 1:
                filled |= notes[FILLABLE + man]
        most = min(most, size - count_bits(part) + count_bits(filled))
        part = (part - 1) & squad
    return most


@kernel
def least_shortage(notes: BoardSummary, seat: int) -> int:
    """How short of surrounding the group, one of the other seat's, a seat's best squad is."""
    least = UNREACHABLE
    for realm in range(REALMS):
        squad = notes[SQUADS + seat * REALMS + realm]
        if squad:
            least = min(least, shortage(notes, squad))
    return least
