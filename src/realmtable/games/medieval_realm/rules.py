"""Apply steps and detect the end of the game. Clauses refer to RULES.md.

`apply_step` changes a position in place and assumes that the step is legal; `legal.py` lists the legal ones.
"""

from __future__ import annotations

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
)
from realmtable.kit.array_kernels import count_key
from realmtable.kit.compile import kernel
from realmtable.kit.realm_board.geometry import REALM_SIDE, REALMS, Realm
from realmtable.kit.rules import Position


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
