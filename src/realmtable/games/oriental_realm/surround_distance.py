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
from realmtable.games.oriental_realm.position import EMPTY, REALM, SIDE_BIT, UNMOVED
from realmtable.kit.array_state import Position
from realmtable.kit.bits import count_bits
from realmtable.kit.compile import kernel
from realmtable.kit.realm_arrays import REACH, REALM_OF, STRIDE
from realmtable.kit.realm_board import CELLS, REALMS, SIDE, Cell

Men = int  # one bit for each of a seat's pieces, in the order of their spaces
Notes = NDArray[np.int64]

MOST: Final = 8  # pieces of a seat

# What is noted of a board; a seat's part of two is the one it adds to the name.
REACHED: Final = 0  # [2, 144] the free pieces that can move to a space
PLACES: Final = REACHED + 2 * CELLS  # [2, 8] where pieces are
NUMBER: Final = PLACES + 2 * MOST  # [2] how many there are
PINNED: Final = NUMBER + 2  # [2] those that may not move (O4)
SQUADS: Final = PINNED + 2  # [2, 16] the others, by Realms
MOBILITY: Final = SQUADS + 2 * REALMS  # [2] moves

# And of the group that is being looked at.
ROOM: Final = MOBILITY + 2  # how many empty neighbours it has
BESIDE: Final = ROOM + 1  # the enemies next to it: where they go they leave a space
CLOSED: Final = BESIDE + 1  # how many of its sides are the board's edge
SPACES: Final = CLOSED + 1  # [32] its empty neighbours
FILLS: Final = SPACES + 4 * MOST  # [8] which of them each enemy can move to, as bits
NOTES: Final = FILLS + MOST

FAR: Final = 99  # how short of a siege who has no squad for it is


# ---- the board


@kernel
def take_notes(position: Position, notes: Notes) -> None:
    """Note where pieces are and where they can go."""
    notes[:] = 0
    for cell in range(CELLS):
        if position[cell] != EMPTY:
            seat = position[cell] >> SIDE_BIT
            note_man(position, notes, seat, cell)


@kernel
def note_man(position: Position, notes: Notes, seat: int, cell: Cell) -> None:
    """Note one piece."""
    man = notes[NUMBER + seat]
    notes[NUMBER + seat] += 1
    notes[PLACES + seat * MOST + man] = cell
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
            notes[REACHED + seat * CELLS + space] |= 1 << man


@kernel
def squad_now(position: Position, notes: Notes, seat: int) -> Men:
    """The free pieces of the acting seat that the turn, once begun, may still move (O2)."""
    squad = notes[SQUADS + seat * REALMS + position[REALM]]
    for man in range(notes[NUMBER + seat]):
        cell = notes[PLACES + seat * MOST + man]
        place = cell // SIDE % 3 * 3 + cell % 3
        if squad >> man & 1 and not position[UNMOVED] >> place & 1:
            squad &= ~(1 << man)
    return int(squad)


# ---- a group


@kernel
def group_of(notes: Notes, seat: int, first: int) -> Men:
    """The group of a piece (O8)."""
    group = 1 << first
    before = 0
    while group != before:
        before = group
        for man in range(notes[NUMBER + seat]):
            if not group >> man & 1 and touches(notes, seat, man, group):
                group |= 1 << man
    return group


@kernel
def touches(notes: Notes, seat: int, man: int, group: Men) -> bool:
    """Whether a piece is a neighbour of one of a group."""
    cell = notes[PLACES + seat * MOST + man]
    for other in range(notes[NUMBER + seat]):
        if group >> other & 1:
            gap = abs(cell - notes[PLACES + seat * MOST + other])
            if gap == SIDE or (gap == 1 and cell // SIDE == notes[PLACES + seat * MOST + other] // SIDE):
                return True
    return False


@kernel
def survey(position: Position, notes: Notes, seat: int, group: Men) -> None:
    """Note what is around a group: its room, who can fill it, and the enemies beside it."""
    notes[ROOM:SPACES] = 0
    notes[FILLS : FILLS + MOST] = 0
    for man in range(notes[NUMBER + seat]):
        if group >> man & 1:
            cell = notes[PLACES + seat * MOST + man]
            for way in range(4):
                if REACH[cell, way] == 0:
                    notes[CLOSED] += 1
                elif position[cell + STRIDE[way]] == EMPTY:
                    note_room(notes, seat, cell + STRIDE[way])
                else:
                    notes[BESIDE] |= enemy_on(notes, seat, cell + STRIDE[way])


@kernel
def note_room(notes: Notes, seat: int, space: Cell) -> None:
    """Note an empty neighbour of a group, once, and the enemies that can move to it."""
    room = notes[ROOM]
    for index in range(room):
        if notes[SPACES + index] == space:
            return
    notes[SPACES + room] = space
    notes[ROOM] += 1
    fillers = notes[REACHED + (1 - seat) * CELLS + space]
    for man in range(MOST):
        notes[FILLS + man] |= (fillers >> man & 1) << room


@kernel
def enemy_on(notes: Notes, seat: int, cell: Cell) -> Men:
    """The enemy on a space, none if the piece there is a seat's own."""
    foe = 1 - seat
    for man in range(notes[NUMBER + foe]):
        if notes[PLACES + foe * MOST + man] == cell:
            return 1 << man
    return 0


@kernel
def shortage(notes: Notes, squad: Men) -> int:
    """How many empty neighbours of the group a squad must leave open; FAR if it is two or more by its size alone."""
    squad &= ~notes[BESIDE]
    size = count_bits(squad)
    if notes[ROOM] - size > 1:
        return FAR
    return int(notes[ROOM] - most_filled(notes, squad, size))


@kernel
def most_filled(notes: Notes, squad: Men, size: int) -> int:
    """How many empty neighbours of the group the pieces of a squad fill if each moves to one.

    By Kőnig's theorem it is the least, over all parts of the squad, of the spaces that part can fill and the pieces
    outside it.
    """
    most = size
    part = squad
    while part:
        filled = 0
        for man in range(MOST):
            if part >> man & 1:
                filled |= notes[FILLS + man]
        most = min(most, size - count_bits(part) + count_bits(filled))
        part = (part - 1) & squad
    return most


@kernel
def least_shortage(notes: Notes, seat: int) -> int:
    """How short of surrounding the group, one of the other seat's, a seat's best squad is."""
    least = FAR
    for realm in range(REALMS):
        squad = notes[SQUADS + seat * REALMS + realm]
        if squad:
            least = min(least, shortage(notes, squad))
    return least
