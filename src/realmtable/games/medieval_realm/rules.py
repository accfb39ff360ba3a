"""What a step does, and how the game ends. The clauses are those of RULES.md.

`apply_step` changes a position in place and trusts the step to be legal; `legal.py` says which are.
"""

from __future__ import annotations

from realmtable.games.medieval_realm.position import (
    BORDER,
    BORNE_OFF,
    CENTER_KEYS,
    DUKE,
    DUKE_DRAW,
    DUKE_ROW,
    EMPTY,
    ENTRY_KEYS,
    KEYS,
    KIND,
    MAN,
    MAX_PLIES,
    OFF,
    OFF_BOARD,
    PASS,
    PASSED,
    PIECES,
    R_DUKE_DRAW,
    R_MAX_PLIES,
    REASON,
    REPETITION,
    ROW,
    SEAT,
    SEEN,
    SIDE_BIT,
    TARGETS,
    TURNS,
    TWO_PASSES,
)
from realmtable.kit.array_state import Position
from realmtable.kit.compile import kernel
from realmtable.kit.random_kernels import appearances
from realmtable.kit.realm_board import REALM_SIDE, REALMS, Realm


@kernel
def apply_step(position: Position, code: int) -> None:
    """Carry out a legal step, in place."""
    if code == PASS:
        end_turn(position, True, False)
        return
    source, target = code // TARGETS, code % TARGETS
    kind = position[source] & KIND
    move_piece(position, source, target)
    if position[OFF + position[SEAT]] == PIECES:
        position[REASON] = BORNE_OFF  # M9
        return
    if target == OFF_BOARD or (kind == MAN and target // REALM_SIDE != source // REALM_SIDE):
        position[SEEN] = 0  # Men never come back, so no earlier position can appear again
    end_turn(position, False, kind == DUKE)


@kernel
def move_piece(position: Position, source: Realm, target: Realm) -> None:
    """Move a piece: it leaves its Center (M6), and dislodges where it ends (M4) or is borne off (M8)."""
    seat = position[SEAT]
    foe = 1 - seat
    piece = position[source]
    position[source] = EMPTY
    if position[BORDER + 2 * source + foe] > 0:
        position[BORDER + 2 * source + foe] -= 1
        position[source] = MAN + (foe << SIDE_BIT)
    if target == OFF_BOARD:
        position[OFF + seat] += 1
        return
    if position[target] != EMPTY:
        position[BORDER + 2 * target + foe] += 1
    position[target] = piece


@kernel
def end_turn(position: Position, passed: bool, by_duke: bool) -> None:
    """Hand the turn over and look whether the game is drawn (M11, T1 to T3)."""
    row = DUKE_ROW + position[SEAT]
    position[row] = min(position[row] + 1, ROW) if by_duke else 0
    position[SEAT] = 1 - position[SEAT]
    position[TURNS] += 1
    two_passes = passed and position[PASSED] == 1
    position[PASSED] = 1 if passed else 0
    key = position_key(position)
    position[KEYS + position[SEEN]] = key
    position[SEEN] += 1
    if position[R_DUKE_DRAW] and position[DUKE_ROW] == ROW and position[DUKE_ROW + 1] == ROW:
        position[REASON] = DUKE_DRAW
    elif two_passes:
        position[REASON] = TWO_PASSES
    elif appearances(position, KEYS, position[SEEN], key) >= 3:  # noqa: PLR2004 - T2
        position[REASON] = REPETITION
    elif position[TURNS] >= position[R_MAX_PLIES]:
        position[REASON] = MAX_PLIES


@kernel
def position_key(position: Position) -> int:
    """A key of what T2 compares: pieces, who moves, rows of Duke moves; what is borne off follows from these."""
    key = 0
    for realm in range(REALMS):
        if position[realm] != EMPTY:
            key ^= int(CENTER_KEYS[realm, position[realm]])
    for entry in range(BORDER, OFF):
        if position[entry] != 0:
            key ^= int(ENTRY_KEYS[entry, position[entry]])
    return key


@kernel
def state_key(position: Position) -> int:
    """A key of the whole state but its counters and history."""
    key = position_key(position)
    for entry in range(PASSED, TURNS):
        key ^= int(ENTRY_KEYS[entry, position[entry]])
    return key
