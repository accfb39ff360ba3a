"""List the legal steps and apply them: moves, captures, the end of a turn and of the game.

`apply_step` changes a position in place and assumes that the step is legal; `legal_steps` lists the legal ones.
"""

from __future__ import annotations

import numpy as np

from realmtable.games.modern_realm.layout import (
    AGENT,
    CHOOSE,
    CHOOSE0,
    COUNTER,
    DISLODGE,
    DISLODGE0,
    DISLODGED_REALM,
    EIGHT_HQS,
    EMPTY,
    HQ,
    KIND_MASK,
    MAX_TURNS,
    MOVE0,
    ORIGIN,
    OVER,
    PASS,
    PASSED,
    PHASE,
    PIECES,
    PIECES_EACH,
    R_COUNTER_AGENT,
    R_MAX_TURNS,
    REASON,
    SEAT,
    SEAT_SHIFT,
    TURN,
    TURNS,
    TWO_PASSES,
    UNMOVED_PLACES,
    WORK_SIZE,
)
from realmtable.games.modern_realm.moves import (
    Work,
    agents_are_mobile,
    belongs_to,
    can_leave,
    count_pieces,
    enemy_counter_realm,
    list_piece_moves,
    mobile_places,
    prepare_marks,
)
from realmtable.kit.compile import kernel
from realmtable.kit.realm_board.arrays import CENTER, REALM_OF, SPACES
from realmtable.kit.realm_board.geometry import CELLS, REALMS, Cell, Realm
from realmtable.kit.rules import Position, Steps

HALF = REALMS // 2


@kernel
def is_target(realm: Realm, seat: int) -> bool:
    """Whether a Realm is one of a seat's targets (B2)."""
    return (realm >= HALF) == (seat == 0)


@kernel
def count_headquarters(position: Position, seat: int) -> int:
    """Count a seat's Headquarters on the board."""
    count = 0
    for realm in range(REALMS):
        count += 1 if position[CENTER[realm]] == HQ + (seat << SEAT_SHIFT) else 0
    return count


# ---- legal steps


@kernel
def legal_steps(position: Position, out: Steps) -> int:
    """Write the legal steps to `out` in ascending order and return their number."""
    phase = position[PHASE]
    if phase == TURN:
        count = list_moves(position, out)
        if count == 0:
            out[0] = PASS
            count = 1
        return count
    if phase == DISLODGE:
        return list_dislodge_spaces(position, out)
    if phase == CHOOSE:
        for home in range(PIECES_EACH):
            out[home] = CHOOSE0 + CENTER[position[SEAT] * HALF + home]
        return PIECES_EACH
    return 0


@kernel
def list_moves(position: Position, out: Steps) -> int:
    """List the moves that the turn so far allows (D2)."""
    seat = position[SEAT]
    work = np.empty(WORK_SIZE, dtype=np.int64)
    prepare_marks(position, seat, work)
    men = collect_unmoved_pieces(position, work) if position[ORIGIN] >= 0 else collect_mobile_pieces(position, work)
    count = 0
    for index in range(men):  # not inside the loops over spaces, where the threads of a GPU would wait for each other
        count = list_piece_moves(position, work[PIECES + index], work, out, count)
    return count


@kernel
def collect_unmoved_pieces(position: Position, work: Work) -> int:
    """Write the spaces of the pieces that may still move in this turn from `work[PIECES]` on; return their number."""
    men = 0
    for place in range(9):
        if position[UNMOVED_PLACES] >> place & 1:
            work[PIECES + men] = SPACES[position[ORIGIN], place]
            men += 1
    return men


@kernel
def collect_mobile_pieces(position: Position, work: Work) -> int:
    """Write the spaces of the acting seat's mobile pieces (D3) from `work[PIECES]` on and return their number."""
    side = position[SEAT] << SEAT_SHIFT
    found = 0
    for cell in range(CELLS):
        if position[cell] - side == COUNTER or position[cell] - side == AGENT:
            work[PIECES + found] = cell
            found += 1
    men = 0
    for index in range(found):
        cell = work[PIECES + index]
        if position[cell] - side == COUNTER or agents_are_mobile(position, REALM_OF[cell], position[SEAT]):
            work[PIECES + men] = cell
            men += 1
    return men


@kernel
def place_in_realm(cell: Cell) -> int:
    """Return the index of a space among the nine of its Realm."""
    return cell // 12 % 3 * 3 + cell % 3


@kernel
def list_dislodge_spaces(position: Position, out: Steps) -> int:
    """List the vacant Border spaces for the dislodged Agent (D10); the Center holds the new HQ."""
    count = 0
    for place in range(9):
        space = SPACES[position[DISLODGED_REALM], place]
        if position[space] == EMPTY:
            out[count] = DISLODGE0 + space
            count += 1
    return count


# ---- applying steps


@kernel
def apply_step(position: Position, code: int) -> None:
    """Apply a legal step in place."""
    if code < DISLODGE0:
        move_piece(position, (code - MOVE0) // CELLS, (code - MOVE0) % CELLS)
    elif code < CHOOSE0:
        position[code - DISLODGE0] = AGENT + ((1 - position[SEAT]) << SEAT_SHIFT)
        position[DISLODGED_REALM] = -1
        position[PHASE] = TURN
        end_turn_if_complete(position)
    elif code < PASS:
        seat = position[SEAT]
        position[code - CHOOSE0] = COUNTER + (seat << SEAT_SHIFT)
        position[PHASE] = CHOOSE if seat == 0 else TURN
        position[SEAT] = 1 - seat
    else:
        end_turn(position, True)


@kernel
def move_piece(position: Position, source: Cell, target: Cell) -> None:
    """Move a piece, update the pieces still to move (D2) and capture if required (D9)."""
    if position[ORIGIN] < 0:
        position[ORIGIN] = REALM_OF[source]
        position[UNMOVED_PLACES] = mobile_places(position, REALM_OF[source], position[SEAT])
    position[UNMOVED_PLACES] &= ~(1 << place_in_realm(source))
    piece = position[source]
    center = position[CENTER[REALM_OF[target]]]
    position[source] = EMPTY
    position[target] = piece
    if is_capture(position, target, center):
        capture(position, target, center != EMPTY)
    else:
        end_turn_if_complete(position)


@kernel
def is_capture(position: Position, at: Cell, center: int) -> bool:
    """Whether the piece that moved to `at` captures its Realm (D9); `center` is what the Center held before."""
    seat = position[SEAT]
    realm = REALM_OF[at]
    if not is_target(realm, seat) or belongs_to(center, seat):
        return False
    if center == EMPTY or position[at] & KIND_MASK == COUNTER:
        return True
    return count_pieces(position, realm, seat) > count_pieces(position, realm, 1 - seat)


@kernel
def capture(position: Position, at: Cell, dislodges: bool) -> None:
    """Replace the captor by a Headquarters on the Center (D10); the eighth wins at once (D13)."""
    seat = position[SEAT]
    realm = REALM_OF[at]
    position[at] = EMPTY
    position[CENTER[realm]] = HQ + (seat << SEAT_SHIFT)
    if count_headquarters(position, seat) == PIECES_EACH:
        position[ORIGIN] = -1
        position[UNMOVED_PLACES] = 0
        finish(position, EIGHT_HQS)
    elif dislodges:
        position[DISLODGED_REALM] = realm
        position[PHASE] = DISLODGE
    else:
        end_turn_if_complete(position)


@kernel
def end_turn_if_complete(position: Position) -> None:
    """End the turn if no piece still to move can leave (D2)."""
    closed = enemy_counter_realm(position, position[SEAT])
    if not can_leave(position, position[ORIGIN], position[UNMOVED_PLACES], closed):
        end_turn(position, False)


@kernel
def end_turn(position: Position, passed: bool) -> None:
    """Pass the turn to the opponent and check whether the game is over (T1, T2)."""
    position[TURNS] += 1
    position[SEAT] = 1 - position[SEAT]
    position[ORIGIN] = -1
    position[UNMOVED_PLACES] = 0
    two_passes = passed and position[PASSED]
    position[PASSED] = 1 if passed else 0
    if two_passes:
        finish(position, TWO_PASSES)
    elif position[TURNS] >= position[R_MAX_TURNS]:
        finish(position, MAX_TURNS)


@kernel
def finish(position: Position, reason: int) -> None:
    """End the game."""
    position[PHASE] = OVER
    position[REASON] = reason


@kernel
def number_turn(position: Position) -> int:
    """Return the number of the turn, as records write it: one per pair of turns; the choices of V1 are number 1."""
    chosen = position[R_COUNTER_AGENT] < 0 and position[PHASE] != CHOOSE
    return int(position[TURNS] // 2 + (2 if chosen else 1))
