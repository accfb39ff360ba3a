"""The rules as kernels: list the legal steps and apply them. Clauses refer to RULES.md.

Sets of Realms are 16-bit masks, so one shift moves all of them by one Center. `apply_step` changes a position in place
and assumes that the step is legal.
"""

from __future__ import annotations

from typing import Final

from realmtable.games.medieval_realm.layout import (
    BORDER_COUNTS,
    BORNE_OFF,
    CENTER_KEYS,
    DUKE,
    DUKE_DRAW,
    DUKE_STREAK,
    DUKE_STREAK_LIMIT,
    EMPTY,
    ENTRY_KEYS,
    KEY_COUNT,
    KEYS,
    KIND_MASK,
    MAN,
    MAX_PLIES,
    OFF_BOARD,
    OFF_COUNT,
    PASS,
    PASSED,
    PIECES_EACH,
    R_DUKE_DRAW,
    R_MAX_PLIES,
    REASON,
    REPETITION,
    SEAT,
    SEAT_SHIFT,
    TARGETS_PER_REALM,
    TURNS,
    TWO_PASSES,
    UNFINISHED,
)
from realmtable.kit.array_kernels import count_key
from realmtable.kit.compile import kernel
from realmtable.kit.realm_board.geometry import REALM_SIDE, REALMS, Realm
from realmtable.kit.rules import Position, Steps

ALL_REALMS: Final = 0xFFFF
WEST_FILE: Final = 0x1111
EAST_FILE: Final = 0x8888
FAR_ROW: Final = (0xF000, 0x000F)  # for White and for Black (B3)
REALM_CAPACITY: Final = 9  # M7


@kernel
def center_realms(position: Position, seat: int) -> int:
    """Return the Realms where a seat has a piece on the Center."""
    realms = 0
    for realm in range(REALMS):
        if position[realm] != EMPTY and position[realm] >> SEAT_SHIFT == seat:
            realms |= 1 << realm
    return realms


@kernel
def enemy_duke_realms(position: Position, seat: int) -> int:
    """Return the Realms a seat may not enter because of an enemy Duke (M5)."""
    realms = 0
    for realm in range(REALMS):
        if position[realm] == DUKE + (1 - seat << SEAT_SHIFT):
            realms |= 1 << realm
    return realms


@kernel
def full_realms(position: Position) -> int:
    """Return the Realms closed to both seats because they hold nine pieces (M7)."""
    realms = 0
    for realm in range(REALMS):
        lying = position[BORDER_COUNTS + 2 * realm] + position[BORDER_COUNTS + 2 * realm + 1]
        if lying + (position[realm] != EMPTY) == REALM_CAPACITY:
            realms |= 1 << realm
    return realms


@kernel
def neighbours(realms: int, seat: int, is_duke: bool) -> int:
    """Return the Realms one move away: forward and sideways, for a Duke also backwards (M2)."""
    north, south = realms << 4 & ALL_REALMS, realms >> 4
    sideways = (realms & ~EAST_FILE) << 1 | (realms & ~WEST_FILE) >> 1
    if is_duke:
        return north | south | sideways
    return (north if seat == 0 else south) | sideways


@kernel
def reachable_realms(start: Realm, seat: int, is_duke: bool, own: int, closed: int) -> int:
    """Return the Realms a piece can reach by jumping over its own side's pieces, including its own Realm (M3).

    It can end in those without a piece of its own side. Jumping changes nothing, so the path does not matter.
    """
    visited = going_on = 1 << start
    while going_on:
        fresh = neighbours(going_on, seat, is_duke) & ~closed & ~visited
        visited |= fresh
        going_on = fresh & own
    return visited


@kernel
def legal_steps(position: Position, out: Steps) -> int:
    """Write the acting seat's legal steps to `out` in ascending order and return their number."""
    if position[REASON] != UNFINISHED:
        return 0
    seat = int(position[SEAT])
    own = center_realms(position, seat)
    closed = enemy_duke_realms(position, seat) | full_realms(position)
    count = 0
    for start in range(REALMS):
        if own >> start & 1:
            visited = reachable_realms(start, seat, position[start] & KIND_MASK == DUKE, own, closed)
            for target in range(REALMS):
                if (visited & ~own) >> target & 1:
                    out[count] = start * TARGETS_PER_REALM + target
                    count += 1
            if visited & own & (FAR_ROW[0] if seat == 0 else FAR_ROW[1]):  # M8
                out[count] = start * TARGETS_PER_REALM + OFF_BOARD
                count += 1
    if count == 0:  # M10
        out[0] = PASS
        count = 1
    return count


# ---- applying steps


@kernel
def apply_step(position: Position, code: int) -> None:
    """Apply a legal step in place."""
    if code == PASS:
        end_turn(position, True, False)
        return
    source, target = code // TARGETS_PER_REALM, code % TARGETS_PER_REALM
    kind = position[source] & KIND_MASK
    move_piece(position, source, target)
    if position[OFF_COUNT + position[SEAT]] == PIECES_EACH:
        position[REASON] = BORNE_OFF  # M9
        return
    if target == OFF_BOARD or (kind == MAN and target // REALM_SIDE != source // REALM_SIDE):
        position[KEY_COUNT] = 0  # irreversible, so no earlier position can recur
    end_turn(position, False, kind == DUKE)


@kernel
def move_piece(position: Position, source: Realm, target: Realm) -> None:
    """Move a piece: replace it on its Center (M6), then dislodge a Man where it ends (M4) or bear it off (M8)."""
    seat = position[SEAT]
    foe = 1 - seat
    piece = position[source]
    position[source] = EMPTY
    if position[BORDER_COUNTS + 2 * source + foe] > 0:
        position[BORDER_COUNTS + 2 * source + foe] -= 1
        position[source] = MAN + (foe << SEAT_SHIFT)
    if target == OFF_BOARD:
        position[OFF_COUNT + seat] += 1
        return
    if position[target] != EMPTY:
        position[BORDER_COUNTS + 2 * target + foe] += 1
    position[target] = piece


@kernel
def end_turn(position: Position, passed: bool, by_duke: bool) -> None:
    """Pass the turn to the opponent and check whether the game is drawn (M11, T1 to T3)."""
    row = DUKE_STREAK + position[SEAT]
    position[row] = min(position[row] + 1, DUKE_STREAK_LIMIT) if by_duke else 0
    position[SEAT] = 1 - position[SEAT]
    position[TURNS] += 1
    two_passes = passed and position[PASSED] == 1
    position[PASSED] = 1 if passed else 0
    key = position_key(position)
    position[KEYS + position[KEY_COUNT]] = key
    position[KEY_COUNT] += 1
    if (
        position[R_DUKE_DRAW]
        and position[DUKE_STREAK] == DUKE_STREAK_LIMIT
        and position[DUKE_STREAK + 1] == DUKE_STREAK_LIMIT
    ):
        position[REASON] = DUKE_DRAW
    elif two_passes:
        position[REASON] = TWO_PASSES
    elif count_key(position, KEYS, position[KEY_COUNT], key) >= 3:  # noqa: PLR2004 - T2
        position[REASON] = REPETITION
    elif position[TURNS] >= position[R_MAX_PLIES]:
        position[REASON] = MAX_PLIES


@kernel
def position_key(position: Position) -> int:
    """Return a key of what T2 compares: pieces, side to move, rows of Duke moves."""
    key = 0
    for realm in range(REALMS):
        if position[realm] != EMPTY:
            key ^= int(CENTER_KEYS[realm, position[realm]])
    for entry in range(BORDER_COUNTS, OFF_COUNT):
        if position[entry] != 0:
            key ^= int(ENTRY_KEYS[entry, position[entry]])
    return key


@kernel
def state_key(position: Position) -> int:
    """Return a key of the whole state except its counters and history."""
    key = position_key(position)
    for entry in range(PASSED, TURNS):
        key ^= int(ENTRY_KEYS[entry, position[entry]])
    return key


@kernel
def number_turn(position: Position) -> int:
    """Return the number of the turn, as records write it: one number for each pair of turns."""
    return int(position[TURNS] // 2 + 1)
