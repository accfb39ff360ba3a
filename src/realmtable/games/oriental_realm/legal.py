"""The legal steps: one list for each phase, always in ascending order."""

from __future__ import annotations

from realmtable.games.oriental_realm.layout import (
    CHOOSE,
    EMPEROR,
    EMPEROR0,
    EMPTY,
    END,
    MANDARIN,
    MANDARIN0,
    MANDARINS_EACH,
    PASS,
    PHASE,
    PIECE_LIST,
    PLACE,
    SEAT,
    SEAT_SHIFT,
    TURN,
    TURN_REALM,
    UNMOVED_PLACES,
)
from realmtable.games.oriental_realm.moves import belongs_to, list_piece_moves
from realmtable.kit.compile import kernel
from realmtable.kit.realm_board.arrays import CENTER, REALM_OF, SPACES
from realmtable.kit.realm_board.geometry import CELLS, REALMS
from realmtable.kit.rules import Position, Steps


@kernel
def legal_steps(position: Position, out: Steps) -> int:
    """Write the legal steps to `out` in ascending order and return their number."""
    if position[PHASE] == TURN:
        return list_first_moves(position, out) if position[TURN_REALM] < 0 else list_later_moves(position, out)
    if position[PHASE] == PLACE:
        return list_placements(position, out)
    if position[PHASE] == CHOOSE:
        return list_emperor_choices(position, out)
    return 0


@kernel
def list_first_moves(position: Position, out: Steps) -> int:
    """List the first moves of a turn, or a pass if there are none (O2, O7)."""
    men = list_pieces(position, out)
    count = 0
    for index in range(men):
        count = list_piece_moves(position, out[PIECE_LIST + index], out, count)
    if count == 0:
        out[0] = PASS
        count = 1
    return count


@kernel
def list_pieces(position: Position, out: Steps) -> int:
    """Write the spaces of the acting seat's pieces from `out[PIECE_LIST]` on and return their number.

    Branch-free, because the processor cannot predict which of the 144 spaces hold a piece.
    """
    low = MANDARIN + (position[SEAT] << SEAT_SHIFT)
    men = 0
    for cell in range(CELLS):
        out[PIECE_LIST + men] = cell
        men += 1 if low <= position[cell] <= low + EMPEROR - MANDARIN else 0
    return men


@kernel
def list_later_moves(position: Position, out: Steps) -> int:
    """List the further moves of a turn, and its end (S2)."""
    count = 0
    for place in range(9):
        if position[UNMOVED_PLACES] >> place & 1:
            count = list_piece_moves(position, SPACES[position[TURN_REALM], place], out, count)
    out[count] = END
    return count + 1


@kernel
def list_placements(position: Position, out: Steps) -> int:
    """List the spaces for a Mandarin and for the Emperor (V1)."""
    side = position[SEAT] << SEAT_SHIFT
    mandarins = 0
    emperors = 0
    held = 0
    for cell in range(CELLS):
        if position[cell] != EMPTY:
            held |= 1 << REALM_OF[cell]
            mandarins += position[cell] == MANDARIN + side
            emperors += position[cell] == EMPEROR + side
    count = 0
    if mandarins < MANDARINS_EACH:
        count = list_placements_of_kind(held, MANDARIN0, out, count)
    if emperors == 0:
        count = list_placements_of_kind(held, EMPEROR0, out, count)
    return count


@kernel
def list_placements_of_kind(held: int, first: int, out: Steps, count: int) -> int:
    """List the placements of one kind of piece on all spaces of empty Realms."""
    for cell in range(CELLS):
        if not held >> REALM_OF[cell] & 1:
            out[count] = first + cell
            count += 1
    return count


@kernel
def list_emperor_choices(position: Position, out: Steps) -> int:
    """List the Centers a player may choose for their Emperor (V2)."""
    count = 0
    for realm in range(REALMS):
        if belongs_to(position[CENTER[realm]], position[SEAT]):
            out[count] = EMPEROR0 + CENTER[realm]
            count += 1
    return count
