"""Which steps are legal: one list for each phase, always in rising order."""

from __future__ import annotations

from realmtable.games.oriental_realm.moves import is_side, list_moves_of
from realmtable.games.oriental_realm.position import (
    CHOOSE,
    EMPEROR,
    EMPEROR0,
    EMPTY,
    END,
    MANDARIN,
    MANDARIN0,
    MANDARINS,
    MEN,
    PASS,
    PHASE,
    PLACE,
    REALM,
    SEAT,
    SIDE_BIT,
    TURN,
    UNMOVED,
)
from realmtable.kit.array_state import Position, Steps
from realmtable.kit.compile import kernel
from realmtable.kit.realm_arrays import CENTER, REALM_OF, SPACES
from realmtable.kit.realm_board import CELLS, REALMS


@kernel
def legal_steps(position: Position, out: Steps) -> int:
    """List every legal step, rising; how many is returned."""
    if position[PHASE] == TURN:
        return list_opening(position, out) if position[REALM] < 0 else list_further(position, out)
    if position[PHASE] == PLACE:
        return list_placements(position, out)
    if position[PHASE] == CHOOSE:
        return list_thrones(position, out)
    return 0


@kernel
def list_opening(position: Position, out: Steps) -> int:
    """List the moves a turn can begin with, or the pass of a player who has none (O2, O7)."""
    men = list_men(position, out)
    count = 0
    for index in range(men):
        count = list_moves_of(position, out[MEN + index], out, count)
    if count == 0:
        out[0] = PASS
        count = 1
    return count


@kernel
def list_men(position: Position, out: Steps) -> int:
    """List the spaces of the acting seat's pieces from `out[MEN]` on; how many is returned.

    Written without a branch: which of the 144 spaces hold a piece is what a processor cannot guess.
    """
    low = MANDARIN + (position[SEAT] << SIDE_BIT)
    men = 0
    for cell in range(CELLS):
        out[MEN + men] = cell
        men += 1 if low <= position[cell] <= low + EMPEROR - MANDARIN else 0
    return men


@kernel
def list_further(position: Position, out: Steps) -> int:
    """List the moves a turn can go on with, and its end (S2)."""
    count = 0
    for place in range(9):
        if position[UNMOVED] >> place & 1:
            count = list_moves_of(position, SPACES[position[REALM], place], out, count)
    out[count] = END
    return count + 1


@kernel
def list_placements(position: Position, out: Steps) -> int:
    """List where a Mandarin and where the Emperor may be placed (V1)."""
    side = position[SEAT] << SIDE_BIT
    mandarins = 0
    emperors = 0
    held = 0
    for cell in range(CELLS):
        if position[cell] != EMPTY:
            held |= 1 << REALM_OF[cell]
            mandarins += position[cell] == MANDARIN + side
            emperors += position[cell] == EMPEROR + side
    count = 0
    if mandarins < MANDARINS:
        count = list_free(held, MANDARIN0, out, count)
    if emperors == 0:
        count = list_free(held, EMPEROR0, out, count)
    return count


@kernel
def list_free(held: int, first: int, out: Steps, count: int) -> int:
    """List one kind of placement on every space of the Realms that hold no piece yet."""
    for cell in range(CELLS):
        if not held >> REALM_OF[cell] & 1:
            out[count] = first + cell
            count += 1
    return count


@kernel
def list_thrones(position: Position, out: Steps) -> int:
    """List the Centers a player may choose for his Emperor (V2)."""
    count = 0
    for realm in range(REALMS):
        if is_side(position[CENTER[realm]], position[SEAT]):
            out[count] = EMPEROR0 + CENTER[realm]
            count += 1
    return count
