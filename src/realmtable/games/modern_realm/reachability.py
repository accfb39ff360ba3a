"""Find which Realms the pieces of a Realm can enter (D4 to D7), for the evaluation.

`moves.mark_targets` finds every space for one piece. Here only Realms matter, so it is enough to follow the gates
through which pieces enter Realms, for all pieces of a Realm together. Which gates lead to which depends only on the
nine spaces of a Realm and is looked up in tables. Paths back through the starting Realm (D4) are ignored: they differ
from piece to piece and rarely lead to a Realm that is otherwise out of reach.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from realmtable.games.modern_realm.layout import AGENT, COUNTER, EMPTY, HQ, KIND_MASK, R_HQ_COUNTS, SEAT_SHIFT
from realmtable.games.modern_realm.moves import entry_capture_realms
from realmtable.kit.compile import kernel
from realmtable.kit.realm_board.arrays import CENTER, REACH, REALM_OF, SPACES, STRIDE
from realmtable.kit.realm_board.geometry import REALMS, Realm
from realmtable.kit.rules import Position

Mask = int  # one bit per Realm
Places = int  # one bit per space of a Realm
Gates = int  # bit 3 * way + lane: where a piece moving that way crosses from one Realm into the next
BoardSummary = NDArray[np.int64]
GateTable = NDArray[np.int16]

PLACES: Final = 9
CENTER_PLACE: Final = 4  # the place of the Center
PATTERNS: Final = 1 << PLACES  # patterns of occupied places in a Realm
DIRECTIONS: Final = 4
GATES: Final = 12
LANE_MASK: Final = 7  # the gates in one direction
ALL_GATES: Final = (1 << GATES) - 1
OUTSIDE: Final = REALMS  # beyond the edge of the board: a Realm whose gates are all closed

# The entries of a board summary; add the seat to the index of a pair.
PIECE_COUNTS: Final = 0  # [2, 16] number of pieces in a Realm, including Headquarters if V2 is on
AGENTS: Final = PIECE_COUNTS + 2 * REALMS  # [2, 16] the places of Agents in a Realm
CENTER_REALMS: Final = AGENTS + 2 * REALMS  # [2] the Realms with a piece on the Center
COUNTER_REALM: Final = CENTER_REALMS + 2  # [2] the Realm of the Counter-Agent; -1 if out of play
COUNTER_PLACE: Final = COUNTER_REALM + 2  # [2] its place in that Realm
ENTRY_CAPTURES: Final = COUNTER_PLACE + 2  # [2] the Realms that a piece captures on entry (V5)
OCCUPIED: Final = ENTRY_CAPTURES + 2  # [16] the occupied places in a Realm
CLOSED_GATES: Final = OCCUPIED + REALMS  # [17] gates into a Realm that are closed or already used
PENDING_GATES: Final = CLOSED_GATES + REALMS + 1  # [17] gates into a Realm that are used but not yet followed
PENDING_REALMS: Final = PENDING_GATES + REALMS + 1  # [16] the Realms with pending gates
SUMMARY_SIZE: Final = PENDING_REALMS + REALMS


# ---- lookup tables


def gate_line(way: int, lane: int) -> list[int]:
    """Return the places a piece crosses in a Realm, in order."""
    upwards = [[lane + 3 * rank for rank in range(3)], [3 * lane + file for file in range(3)]][way & 1]
    return upwards if way < 2 else upwards[::-1]  # noqa: PLR2004 - north and east come before south and west


def exit_gate_table() -> GateTable:
    """Build the table [pattern, place] of the gates through which a piece there can leave."""
    patterns = np.arange(PATTERNS)
    table = np.zeros((PATTERNS, PLACES), dtype=np.int16)
    for gate in range(GATES):
        clear = np.ones(PATTERNS, dtype=np.bool_)
        for place in reversed(gate_line(*divmod(gate, 3))):
            table[clear, place] |= 1 << gate
            clear &= patterns >> place & 1 == 0
    return table


def through_gate_table() -> GateTable:
    """Build the table [friend on the Center, pattern, way, lanes] of the gates by which entering pieces leave."""
    table = np.zeros((2, PATTERNS, DIRECTIONS, LANE_MASK + 1), dtype=np.int16)
    for gate in range(GATES):
        way, lane = divmod(gate, 3)
        straight = EXIT_GATES[:, gate_line(way, lane)[0]] & LANE_MASK << 3 * way
        for lanes in range(LANE_MASK + 1):
            if lanes >> lane & 1:
                table[0, :, way, lanes] |= straight
                table[1, :, way, lanes] |= straight | side_gates(way, lane)
    return table


def side_gates(way: int, lane: int) -> GateTable:
    """Return, by pattern, the gates by which an entering piece can leave sideways from any space it reaches (D7)."""
    patterns = np.arange(PATTERNS)
    aside = LANE_MASK << 3 * (way ^ 1) | LANE_MASK << 3 * (way ^ 3)
    gates = np.zeros(PATTERNS, dtype=np.int16)
    clear = np.ones(PATTERNS, dtype=np.bool_)
    for place in gate_line(way, lane):
        clear &= patterns >> place & 1 == 0
        gates[clear] |= EXIT_GATES[clear, place] & aside
    return gates


def gate_block_table() -> GateTable:
    """Build the table [pattern] of the gates blocked by a piece right behind them."""
    patterns = np.arange(PATTERNS, dtype=np.int16)
    table = np.zeros(PATTERNS, dtype=np.int16)
    for gate in range(GATES):
        first = gate_line(*divmod(gate, 3))[0]
        table |= (patterns >> first & 1) << gate
    return table


def next_realm_table() -> NDArray[np.int64]:
    """Build the table [Realm, way] of the next Realm, or OUTSIDE."""
    table = np.full((REALMS, DIRECTIONS), OUTSIDE, dtype=np.int64)
    for realm in range(REALMS):
        for way in range(DIRECTIONS):
            if REACH[CENTER[realm], way] > 1:
                table[realm, way] = REALM_OF[CENTER[realm] + 3 * STRIDE[way]]
    return table


EXIT_GATES: Final = exit_gate_table()  # [512, 9]
THROUGH_GATES: Final = through_gate_table()  # [2, 512, 4, 8]
BLOCKED_GATES: Final = gate_block_table()  # [512]
NEXT_REALM: Final = next_realm_table()  # [16, 4]


# ---- the board summary


@kernel
def summarise_board(position: Position, notes: BoardSummary) -> None:
    """Summarise the pieces on the board."""
    notes[:] = 0
    notes[COUNTER_REALM] = notes[COUNTER_REALM + 1] = -1
    for realm in range(REALMS):
        for place in range(PLACES):
            piece = position[SPACES[realm, place]]
            if piece != EMPTY:
                summarise_piece(position, notes, piece, realm, place)
    for seat in range(2):
        notes[ENTRY_CAPTURES + seat] = entry_capture_realms(position, seat)


@kernel
def summarise_piece(position: Position, notes: BoardSummary, piece: int, realm: Realm, place: int) -> None:
    """Add one piece to the summary."""
    seat = piece >> SEAT_SHIFT
    kind = piece & KIND_MASK
    notes[OCCUPIED + realm] |= 1 << place
    if kind != HQ or position[R_HQ_COUNTS]:
        notes[PIECE_COUNTS + seat * REALMS + realm] += 1
    if kind == AGENT:
        notes[AGENTS + seat * REALMS + realm] |= 1 << place
    elif kind == COUNTER:
        notes[COUNTER_REALM + seat] = realm
        notes[COUNTER_PLACE + seat] = 1 << place
    if place == CENTER_PLACE:
        notes[CENTER_REALMS + seat] |= 1 << realm


# ---- the search


@kernel
def reachable_goals(notes: BoardSummary, seat: int, home: Realm, places: Places, goals: Mask) -> Mask:
    """Return which `goals` a seat's pieces on `places` of `home` can enter, mobile or not."""
    if places == 0 or goals == 0:
        return 0
    reset_gates(notes, seat, home)
    waiting = cross_gates(notes, home, gates_from(notes, home, places), 0)
    reached = 0
    while waiting > 0 and reached != goals:
        waiting -= 1
        realm = notes[PENDING_REALMS + waiting]
        reached |= 1 << realm & goals
        waiting = cross_gates(notes, realm, onward_gates(notes, seat, realm), waiting)
    return reached


@kernel
def reset_gates(notes: BoardSummary, seat: int, home: Realm) -> None:
    """Reset the gates: closed where a piece blocks them, into the enemy Counter-Agent's Realm (D5), and back home."""
    for realm in range(REALMS):
        notes[CLOSED_GATES + realm] = BLOCKED_GATES[notes[OCCUPIED + realm]]
        notes[PENDING_GATES + realm] = 0
    notes[CLOSED_GATES + OUTSIDE] = ALL_GATES
    notes[CLOSED_GATES + home] = ALL_GATES
    closed = notes[COUNTER_REALM + 1 - seat]
    if closed >= 0:
        notes[CLOSED_GATES + closed] = ALL_GATES


@kernel
def gates_from(notes: BoardSummary, realm: Realm, places: Places) -> Gates:
    """Return the gates through which pieces on `places` of a Realm can leave it."""
    gates = 0
    for place in range(PLACES):
        if places >> place & 1:
            gates |= EXIT_GATES[notes[OCCUPIED + realm], place]
    return gates


@kernel
def onward_gates(notes: BoardSummary, seat: int, realm: Realm) -> Gates:
    """Return the gates through which entering pieces can go on; none where they must end (D6, V5)."""
    coming = notes[PENDING_GATES + realm]
    notes[PENDING_GATES + realm] = 0
    if (notes[CENTER_REALMS + 1 - seat] | notes[ENTRY_CAPTURES + seat]) >> realm & 1:
        return 0
    friend = notes[CENTER_REALMS + seat] >> realm & 1
    gates = 0
    for way in range(DIRECTIONS):
        gates |= THROUGH_GATES[friend, notes[OCCUPIED + realm], way, coming >> 3 * way & LANE_MASK]
    return gates


@kernel
def cross_gates(notes: BoardSummary, realm: Realm, gates: Gates, waiting: int) -> int:
    """Cross the open gates out of a Realm and return the number of pending Realms."""
    for way in range(DIRECTIONS):
        beyond = NEXT_REALM[realm, way]
        fresh = gates & LANE_MASK << 3 * way & ~notes[CLOSED_GATES + beyond]
        if fresh:
            if notes[PENDING_GATES + beyond] == 0:
                notes[PENDING_REALMS + waiting] = beyond
                waiting += 1
            notes[PENDING_GATES + beyond] |= fresh
            notes[CLOSED_GATES + beyond] |= fresh
    return waiting
