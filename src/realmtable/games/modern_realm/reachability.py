"""Which Realms the pieces of a Realm can enter (D4 to D7): what a judgement at a glance asks of every piece.

`moves.mark_targets` finds every space of one piece. Here only Realms matter, so it is enough to follow the gates by
which pieces come into Realms, and the pieces of a Realm are followed together. What gates lead to which depends on no
more than a Realm's nine spaces: it is looked up. Ways back through the Realm where a piece begins (D4) are left out:
they differ from piece to piece and seldom lead to a Realm that no other way leads to.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from realmtable.games.modern_realm.moves import seized_realms
from realmtable.games.modern_realm.position import AGENT, COUNTER, EMPTY, HQ, KIND, R_HQ_COUNTS, SIDE_BIT
from realmtable.kit.array_state import Position
from realmtable.kit.compile import kernel
from realmtable.kit.realm_arrays import CENTER, REACH, REALM_OF, SPACES, STRIDE
from realmtable.kit.realm_board import REALMS, Realm

Mask = int  # one bit a Realm
Places = int  # one bit a space of a Realm
Gates = int  # bit 3 * way + lane: where a piece that goes a way crosses from one Realm into the next
Notes = NDArray[np.int64]
Table = NDArray[np.int16]

PLACES: Final = 9
MIDDLE: Final = 4  # the place of the Center
PATTERNS: Final = 1 << PLACES  # of what is taken in a Realm
WAYS: Final = 4
GATES: Final = 12
LANES: Final = 7  # the gates of one way
ALL_GATES: Final = (1 << GATES) - 1
OFF: Final = REALMS  # stands for what lies beyond the board: a Realm whose gates are shut

# What is noted of a board; a seat's part of two is the one it adds to the name.
PIECES: Final = 0  # [2, 16] how many pieces are in a Realm, Headquarters counted where they count
AGENTS: Final = PIECES + 2 * REALMS  # [2, 16] the places of Agents in a Realm
CENTERS: Final = AGENTS + 2 * REALMS  # [2] the Realms with a piece on the Center
COUNTER_REALM: Final = CENTERS + 2  # [2] where the Counter-Agent is; -1 out of play
COUNTER_PLACE: Final = COUNTER_REALM + 2  # [2] and its place there
SEIZED: Final = COUNTER_PLACE + 2  # [2] the Realms that a piece captures as it enters (V5)
TAKEN: Final = SEIZED + 2  # [16] the places in a Realm where a piece stands
SHUT: Final = TAKEN + REALMS  # [17] gates into a Realm that are not open, or were come through before
COMING: Final = SHUT + REALMS + 1  # [17] gates into a Realm that were come through and are still to be followed
WAITING: Final = COMING + REALMS + 1  # [16] the Realms where there are such
NOTES: Final = WAITING + REALMS


# ---- what is looked up


def line_of(way: int, lane: int) -> list[int]:
    """The places that a piece comes to which crosses a Realm, in their order."""
    upwards = [[lane + 3 * rank for rank in range(3)], [3 * lane + file for file in range(3)]][way & 1]
    return upwards if way < 2 else upwards[::-1]  # noqa: PLR2004 - north and east come before south and west


def ways_out() -> Table:
    """By pattern and place: the gates by which a piece there can leave."""
    patterns = np.arange(PATTERNS)
    table = np.zeros((PATTERNS, PLACES), dtype=np.int16)
    for gate in range(GATES):
        clear = np.ones(PATTERNS, dtype=np.bool_)
        for place in reversed(line_of(*divmod(gate, 3))):
            table[clear, place] |= 1 << gate
            clear &= patterns >> place & 1 == 0
    return table


def ways_through() -> Table:
    """By who has the Center (1: a friend), pattern, way and lanes: the gates by which pieces that come in can leave."""
    table = np.zeros((2, PATTERNS, WAYS, LANES + 1), dtype=np.int16)
    for gate in range(GATES):
        way, lane = divmod(gate, 3)
        straight = OUT[:, line_of(way, lane)[0]] & LANES << 3 * way
        for lanes in range(LANES + 1):
            if lanes >> lane & 1:
                table[0, :, way, lanes] |= straight
                table[1, :, way, lanes] |= straight | ways_aside(way, lane)
    return table


def ways_aside(way: int, lane: int) -> Table:
    """By pattern: the gates by which a piece that comes in can leave to the side, from any space it gets to (D7)."""
    patterns = np.arange(PATTERNS)
    aside = LANES << 3 * (way ^ 1) | LANES << 3 * (way ^ 3)
    gates = np.zeros(PATTERNS, dtype=np.int16)
    clear = np.ones(PATTERNS, dtype=np.bool_)
    for place in line_of(way, lane):
        clear &= patterns >> place & 1 == 0
        gates[clear] |= OUT[clear, place] & aside
    return gates


def gates_blocked() -> Table:
    """By pattern: the gates right behind which a piece stands."""
    patterns = np.arange(PATTERNS, dtype=np.int16)
    table = np.zeros(PATTERNS, dtype=np.int16)
    for gate in range(GATES):
        first = line_of(*divmod(gate, 3))[0]
        table |= (patterns >> first & 1) << gate
    return table


def next_realms() -> NDArray[np.int64]:
    """By Realm and way: the Realm that lies next, or OFF."""
    table = np.full((REALMS, WAYS), OFF, dtype=np.int64)
    for realm in range(REALMS):
        for way in range(WAYS):
            if REACH[CENTER[realm], way] > 1:
                table[realm, way] = REALM_OF[CENTER[realm] + 3 * STRIDE[way]]
    return table


OUT: Final = ways_out()  # [512, 9]
THROUGH: Final = ways_through()  # [2, 512, 4, 8]
BLOCKED: Final = gates_blocked()  # [512]
NEXT: Final = next_realms()  # [16, 4]


# ---- notes


@kernel
def take_notes(position: Position, notes: Notes) -> None:
    """Note what stands where."""
    notes[:] = 0
    notes[COUNTER_REALM] = notes[COUNTER_REALM + 1] = -1
    for realm in range(REALMS):
        for place in range(PLACES):
            piece = position[SPACES[realm, place]]
            if piece != EMPTY:
                note_piece(position, notes, piece, realm, place)
    for seat in range(2):
        notes[SEIZED + seat] = seized_realms(position, seat)


@kernel
def note_piece(position: Position, notes: Notes, piece: int, realm: Realm, place: int) -> None:
    """Note one piece."""
    seat = piece >> SIDE_BIT
    kind = piece & KIND
    notes[TAKEN + realm] |= 1 << place
    if kind != HQ or position[R_HQ_COUNTS]:
        notes[PIECES + seat * REALMS + realm] += 1
    if kind == AGENT:
        notes[AGENTS + seat * REALMS + realm] |= 1 << place
    elif kind == COUNTER:
        notes[COUNTER_REALM + seat] = realm
        notes[COUNTER_PLACE + seat] = 1 << place
    if place == MIDDLE:
        notes[CENTERS + seat] |= 1 << realm


# ---- following


@kernel
def entered(notes: Notes, seat: int, home: Realm, places: Places, goals: Mask) -> Mask:
    """Which of some Realms a seat's pieces on some places of a Realm can enter; they need not be mobile."""
    if places == 0 or goals == 0:
        return 0
    shut_gates(notes, seat, home)
    waiting = cross(notes, home, gates_from(notes, home, places), 0)
    reached = 0
    while waiting > 0 and reached != goals:
        waiting -= 1
        realm = notes[WAITING + waiting]
        reached |= 1 << realm & goals
        waiting = cross(notes, realm, gates_beyond(notes, seat, realm), waiting)
    return reached


@kernel
def shut_gates(notes: Notes, seat: int, home: Realm) -> None:
    """Begin anew: nobody comes in where a piece stands, where the enemy Counter-Agent is (D5), or back home."""
    for realm in range(REALMS):
        notes[SHUT + realm] = BLOCKED[notes[TAKEN + realm]]
        notes[COMING + realm] = 0
    notes[SHUT + OFF] = ALL_GATES
    notes[SHUT + home] = ALL_GATES
    closed = notes[COUNTER_REALM + 1 - seat]
    if closed >= 0:
        notes[SHUT + closed] = ALL_GATES


@kernel
def gates_from(notes: Notes, realm: Realm, places: Places) -> Gates:
    """The gates by which pieces on some places of a Realm can leave it."""
    gates = 0
    for place in range(PLACES):
        if places >> place & 1:
            gates |= OUT[notes[TAKEN + realm], place]
    return gates


@kernel
def gates_beyond(notes: Notes, seat: int, realm: Realm) -> Gates:
    """The gates by which those that came into a Realm can go on: none where they must end (D6, V5)."""
    coming = notes[COMING + realm]
    notes[COMING + realm] = 0
    if (notes[CENTERS + 1 - seat] | notes[SEIZED + seat]) >> realm & 1:
        return 0
    friend = notes[CENTERS + seat] >> realm & 1
    gates = 0
    for way in range(WAYS):
        gates |= THROUGH[friend, notes[TAKEN + realm], way, coming >> 3 * way & LANES]
    return gates


@kernel
def cross(notes: Notes, realm: Realm, gates: Gates, waiting: int) -> int:
    """Go through those gates out of a Realm that are open; how many Realms wait then is returned."""
    for way in range(WAYS):
        beyond = NEXT[realm, way]
        fresh = gates & LANES << 3 * way & ~notes[SHUT + beyond]
        if fresh:
            if notes[COMING + beyond] == 0:
                notes[WAITING + waiting] = beyond
                waiting += 1
            notes[COMING + beyond] |= fresh
            notes[SHUT + beyond] |= fresh
    return waiting
