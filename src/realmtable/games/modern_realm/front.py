"""Which Realms the pieces of a Realm can enter (D4 to D7): what a judgement at a glance asks of every piece.

`moves.mark_targets` finds every space of one piece. Here only Realms matter, so it is enough to follow entries, a space
and the way on which a piece comes to it out of another Realm, and the pieces of a Realm are followed together.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from realmtable.games.modern_realm.moves import way_out
from realmtable.games.modern_realm.position import AGENT, COUNTER, EMPTY, HQ, KIND, R_HQ_COUNTS, SIDE_BIT
from realmtable.kit.array_state import Position
from realmtable.kit.kernel import kernel
from realmtable.kit.realm_board import CELLS, REALMS, Cell, Direction, Realm
from realmtable.kit.realm_tables import REACH, REALM_OF, SPACES, STRIDE

Mask = int  # one bit a Realm
Places = int  # one bit a space of a Realm
Notes = NDArray[np.int64]

# What is noted of a board; a seat's part of two is the one it adds to the name.
PIECES: Final = 0  # [2, 16] how many pieces are in a Realm, Headquarters counted where they count
AGENTS: Final = PIECES + 2 * REALMS  # [2, 16] the places of Agents in a Realm
CENTERS: Final = AGENTS + 2 * REALMS  # [2] the Realms with a piece on the Center
COUNTER_REALM: Final = CENTERS + 2  # [2] where the Counter-Agent is; -1 out of play
COUNTER_PLACE: Final = COUNTER_REALM + 2  # [2] and its place there
FLOODS: Final = COUNTER_PLACE + 2  # how often entries were followed
SEEN: Final = FLOODS + 1  # [576] in which flood an entry was last come to
WAITING: Final = SEEN + 4 * CELLS  # [144] entries still to follow: no more than lie between Realms
NOTES: Final = WAITING + CELLS

MIDDLE: Final = 4  # the place of the Center


@kernel
def take_notes(position: Position, notes: Notes) -> None:
    """Note what stands where."""
    notes[:] = 0
    notes[COUNTER_REALM] = notes[COUNTER_REALM + 1] = -1
    for realm in range(REALMS):
        for place in range(9):
            piece = position[SPACES[realm, place]]
            if piece != EMPTY:
                note_piece(position, notes, piece, realm, place)


@kernel
def note_piece(position: Position, notes: Notes, piece: int, realm: Realm, place: int) -> None:
    """Note one piece."""
    seat = piece >> SIDE_BIT
    kind = piece & KIND
    if kind != HQ or position[R_HQ_COUNTS]:
        notes[PIECES + seat * REALMS + realm] += 1
    if kind == AGENT:
        notes[AGENTS + seat * REALMS + realm] |= 1 << place
    elif kind == COUNTER:
        notes[COUNTER_REALM + seat] = realm
        notes[COUNTER_PLACE + seat] = 1 << place
    if place == MIDDLE:
        notes[CENTERS + seat] |= 1 << realm


@kernel
def entered(position: Position, notes: Notes, seat: int, realm: Realm, places: Places, goals: Mask) -> Mask:
    """Which of some Realms a seat's pieces on some places of a Realm can enter; they need not be mobile."""
    if places == 0 or goals == 0:
        return 0
    notes[FLOODS] += 1
    waiting = leave(position, notes, seat, realm, places)
    reached = 0
    while waiting > 0 and reached != goals:
        waiting -= 1
        entry = notes[WAITING + waiting]
        reached |= 1 << REALM_OF[entry >> 2] & goals
        waiting = follow(position, notes, seat, realm, entry, waiting)
    return reached


@kernel
def leave(position: Position, notes: Notes, seat: int, realm: Realm, places: Places) -> int:
    """Note the entries that lead out of a Realm; how many is returned."""
    waiting = 0
    for place in range(9):
        if places >> place & 1:
            for way in range(4):
                space = way_out(position, SPACES[realm, place], way, notes[COUNTER_REALM + 1 - seat])
                waiting = note_entry(notes, realm, space, way, waiting)
    return waiting


@kernel
def follow(position: Position, notes: Notes, seat: int, home: Realm, entry: int, waiting: int) -> int:
    """Go on from an entry: straight, to both sides too where a friend has the Center, nowhere where an enemy has it."""
    space, way = entry >> 2, entry & 3
    realm = REALM_OF[space]
    closed = notes[COUNTER_REALM + 1 - seat]
    if notes[CENTERS + 1 - seat] >> realm & 1:  # D6
        return waiting
    waiting = note_entry(notes, home, way_out(position, space, way, closed), way, waiting)
    left = REACH[space, way] if notes[CENTERS + seat] >> realm & 1 else -1
    while left >= 0 and REALM_OF[space] == realm and position[space] == EMPTY:  # D7
        for aside in (way ^ 1, way ^ 3):
            waiting = note_entry(notes, home, way_out(position, space, aside, closed), aside, waiting)
        space += STRIDE[way] if left > 0 else 0
        left -= 1
    return waiting


@kernel
def note_entry(notes: Notes, home: Realm, space: Cell, way: Direction, waiting: int) -> int:
    """Let an entry wait, if there is one, it does not lead back home (D4) and was not come to before."""
    if space < 0 or REALM_OF[space] == home or notes[SEEN + space * 4 + way] == notes[FLOODS]:
        return waiting
    notes[SEEN + space * 4 + way] = notes[FLOODS]
    notes[WAITING + waiting] = space * 4 + way
    return waiting + 1
