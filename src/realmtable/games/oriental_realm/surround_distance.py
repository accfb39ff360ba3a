"""Estimate how close a player's groups are to being surrounded in one turn (O2, O8), for the evaluation.

A turn moves pieces of one Realm, so what counts is whether a squad, the free pieces of one enemy Realm, can fill all
empty neighbours of a group. Pieces are judged on the board as it is: that they clear or block each other's way is left
to the search, and `threats` examines it exactly.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from realmtable.games.oriental_realm.layout import EMPTY, SEAT_SHIFT, TURN_REALM, UNMOVED_PLACES
from realmtable.games.oriental_realm.moves import is_pinned, slide_length
from realmtable.kit.bits import count_bits
from realmtable.kit.compile import kernel
from realmtable.kit.realm_board.arrays import REACH, REALM_OF, STRIDE
from realmtable.kit.realm_board.geometry import CELLS, REALMS, SIDE, Cell
from realmtable.kit.rules import Position

PieceSet = int  # one bit per piece of a seat, in the order of their spaces
BoardSummary = NDArray[np.int64]

PIECES_EACH: Final = 8  # per seat

# The entries of a board summary; add the seat to the index of a pair.
REACHED_BY: Final = 0  # [2, 144] the free pieces that can move to a space
PIECE_CELLS: Final = REACHED_BY + 2 * CELLS  # [2, 8] the spaces of the pieces
PIECE_COUNT: Final = PIECE_CELLS + 2 * PIECES_EACH  # [2] the number of pieces
PINNED: Final = PIECE_COUNT + 2  # [2] the pieces that may not move (O4)
SQUADS: Final = PINNED + 2  # [2, 16] the other pieces, by Realm
MOBILITY: Final = SQUADS + 2 * REALMS  # [2] the number of moves

# The entries for the group being examined.
EMPTY_COUNT: Final = MOBILITY + 2  # the number of its empty neighbours
ADJACENT_ENEMIES: Final = EMPTY_COUNT + 1  # the enemies next to it; moving one would leave a space
EDGE_SIDES: Final = ADJACENT_ENEMIES + 1  # how many of its sides are at the board's edge
EMPTY_CELLS: Final = EDGE_SIDES + 1  # [32] its empty neighbours
FILLABLE: Final = EMPTY_CELLS + 4 * PIECES_EACH  # [8] which of them each enemy can move to, as bits
SUMMARY_SIZE: Final = FILLABLE + PIECES_EACH

UNREACHABLE: Final = 99  # the shortage if no squad is large enough


# ---- the board


@kernel
def summarise_board(position: Position, notes: BoardSummary) -> None:
    """Summarise where the pieces are and where they can go."""
    notes[:] = 0
    for cell in range(CELLS):
        if position[cell] != EMPTY:
            seat = position[cell] >> SEAT_SHIFT
            summarise_piece(position, notes, seat, cell)


@kernel
def summarise_piece(position: Position, notes: BoardSummary, seat: int, cell: Cell) -> None:
    """Add one piece to the summary."""
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
    """Return the acting seat's free pieces that may still move in a turn under way (O2)."""
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
    """Return the group of a piece (O8)."""
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
    """Whether a piece is a neighbour of a group."""
    cell = notes[PIECE_CELLS + seat * PIECES_EACH + man]
    for other in range(notes[PIECE_COUNT + seat]):
        if group >> other & 1:
            gap = abs(cell - notes[PIECE_CELLS + seat * PIECES_EACH + other])
            if gap == SIDE or (gap == 1 and cell // SIDE == notes[PIECE_CELLS + seat * PIECES_EACH + other] // SIDE):
                return True
    return False


@kernel
def survey_group(position: Position, notes: BoardSummary, seat: int, group: PieceSet) -> None:
    """Record the surroundings of a group: empty neighbours, who can fill them, and adjacent enemies."""
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
    """Record an empty neighbour of a group, once, and the enemies that can move to it."""
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
    """Return the enemy on a space, or none if the piece there is the seat's own."""
    foe = 1 - seat
    for man in range(notes[PIECE_COUNT + foe]):
        if notes[PIECE_CELLS + foe * PIECES_EACH + man] == cell:
            return 1 << man
    return 0


@kernel
def shortage(notes: BoardSummary, squad: PieceSet) -> int:
    """Return how many empty neighbours a squad must leave open; UNREACHABLE if it is two or more pieces too small."""
    squad &= ~notes[ADJACENT_ENEMIES]
    size = count_bits(squad)
    if notes[EMPTY_COUNT] - size > 1:
        return UNREACHABLE
    return int(notes[EMPTY_COUNT] - max_filled_cells(notes, squad, size))


@kernel
def max_filled_cells(notes: BoardSummary, squad: PieceSet, size: int) -> int:
    """Return how many empty neighbours of the group a squad can fill if each piece moves to one.

    By Kőnig's theorem this is the minimum, over all subsets of the squad, of the number of spaces the subset can fill
    plus the number of pieces outside it.
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
    """Return the shortage of a seat's best squad for surrounding the enemy group being examined."""
    least = UNREACHABLE
    for realm in range(REALMS):
        squad = notes[SQUADS + seat * REALMS + realm]
        if squad:
            least = min(least, shortage(notes, squad))
    return least
