"""The legal steps: one list for each phase, always in ascending order."""

from __future__ import annotations

import numpy as np

from realmtable.games.realm.layout import (
    ACCEPT_END,
    BASE,
    CHOOSE0,
    CHOOSE_MOVE,
    CHOOSE_PLACE,
    CREATE_ENFORCER,
    DECLINE,
    EMPTY,
    END,
    ENFORCER,
    EVENT_CELL,
    FOUND_BASE,
    IMMOBILE,
    IMMOBILISE,
    IMMOBILISE0,
    MOVED,
    NO_FACING,
    OFFER,
    OFFER_END,
    OFFERED,
    PASS,
    PHASE,
    PLACE_BASES,
    PLACE_POWERS,
    POSITION_SIZE,
    POWER,
    PUT0,
    R_AGREE_END,
    R_FREE_PLACEMENT,
    R_OPTIONAL_CREATION,
    R_SACRIFICE,
    REARRANGE,
    SACRIFICE0,
    SACRIFICED,
    SEAT,
    SEAT_SHIFT,
    STANDING,
    TURN,
)
from realmtable.games.realm.moves import can_leave, count_powers, is_single_power_turn, list_moves, list_pieces
from realmtable.games.realm.rearrangement import list_puts, list_rearrangements
from realmtable.games.realm.rules import sacrifice
from realmtable.kit.array_kernels import copy_array
from realmtable.kit.compile import kernel
from realmtable.kit.realm_board.arrays import CENTER, IS_CENTER, REALM_OF, SPACES
from realmtable.kit.realm_board.geometry import CELLS, REALM_SIDE, REALMS, Cell, Direction, Realm
from realmtable.kit.rules import Position, Steps


@kernel
def legal_steps(position: Position, out: Steps) -> int:
    """Write the legal steps to `out` in ascending order and return their number."""
    count = legal_steps_without_offers(position, out)
    at_start = position[PHASE] == TURN and position[MOVED] == 0 and position[SACRIFICED] == 0
    if at_start and position[R_AGREE_END]:
        if position[OFFER] != OFFERED:
            out[count] = OFFER_END
            count += 1
        if position[OFFER] == STANDING:
            out[count] = ACCEPT_END
            count += 1
    return count


@kernel
def legal_steps_without_offers(position: Position, out: Steps) -> int:
    """Write the legal steps except offers and acceptances (T1) to `out` in ascending order; return their number."""
    phase = position[PHASE]
    if phase == TURN:
        return list_turn_steps(position, out)
    if phase == CREATE_ENFORCER:
        count = list_creations(position, out)
    elif phase == IMMOBILISE:
        return list_victims(position, out)
    elif phase == REARRANGE:
        return list_puts(position, out)
    elif phase == PLACE_BASES:
        count = list_base_placements(position, not position[R_FREE_PLACEMENT], out)
        return count or list_base_placements(position, False, out)  # V3: the rule applies only while it can be met
    elif phase == PLACE_POWERS:
        return list_power_placements(position, out)
    elif phase == FOUND_BASE:
        out[0] = PUT0 + CENTER[REALM_OF[position[EVENT_CELL]]] * 6 + NO_FACING
        count = 1
    elif phase in (CHOOSE_PLACE, CHOOSE_MOVE):
        out[0] = CHOOSE0
        out[1] = CHOOSE0 + 1
        return 2
    else:
        return 0
    if position[R_OPTIONAL_CREATION]:
        out[count] = DECLINE
        count += 1
    return count


@kernel
def list_turn_steps(position: Position, out: Steps) -> int:
    """List the steps while no event is pending, except offers and acceptances."""
    men = list_pieces(position, out)
    if position[MOVED]:
        count = 0 if is_single_power_turn(position) else list_moves(position, out, men)
        out[count] = END
        return count + 1
    count = list_moves(position, out, men)
    if not (position[SACRIFICED] or is_single_power_turn(position)):
        count = list_rearrangements(position, out, men, count)
        if position[R_SACRIFICE]:
            count = list_sacrifices(position, out, count)
    if count == 0:
        out[0] = PASS
        count = 1
    return count


@kernel
def list_base_placements(position: Position, strict: bool, out: Steps) -> int:
    """List the Centers for a new Base; `strict` applies the row and column rule (R2)."""
    count = 0
    for realm in range(REALMS):
        vacant = position[CENTER[realm]] == EMPTY
        if vacant and not (strict and shares_row_or_column(position, realm, position[SEAT])):
            out[count] = PUT0 + CENTER[realm] * 6 + NO_FACING
            count += 1
    return count


@kernel
def shares_row_or_column(position: Position, realm: Realm, seat: int) -> bool:
    """Whether a seat has a Base in the Realm's row or column of Realms (R2)."""
    base = BASE + (seat << SEAT_SHIFT)
    for other in range(REALMS):
        same = other // REALM_SIDE == realm // REALM_SIDE or other % REALM_SIDE == realm % REALM_SIDE
        if same and position[CENTER[other]] == base:
            return True
    return False


@kernel
def list_power_placements(position: Position, out: Steps) -> int:
    """List the Border spaces for a Power in the set-up (R3)."""
    seat = position[SEAT]
    count = 0
    for cell in range(CELLS):
        realm = REALM_OF[cell]
        own = position[CENTER[realm]] == BASE + (seat << SEAT_SHIFT)
        if own and not IS_CENTER[cell] and count_powers(position, realm, seat) == 0:
            out[count] = PUT0 + cell * 6 + NO_FACING
            count += 1
    return count


@kernel
def list_creations(position: Position, out: Steps) -> int:
    """List the spaces and facings for a new Enforcer (E2)."""
    realm = REALM_OF[position[EVENT_CELL]]
    count = 0
    for place in range(9):
        space = SPACES[realm, place]
        if position[space] == EMPTY:
            for facing in range(4):
                out[count] = PUT0 + space * 6 + facing
                count += 1
    return count


@kernel
def list_victims(position: Position, out: Steps) -> int:
    """List the mobile enemy Enforcers that may be immobilised (E3)."""
    realm = REALM_OF[position[EVENT_CELL]]
    low = ENFORCER + ((1 - position[SEAT]) << SEAT_SHIFT)
    count = 0
    for place in range(9):
        space = SPACES[realm, place]
        if low <= position[space] < low + 4:
            out[count] = IMMOBILISE0 + space
            count += 1
    return count


@kernel
def list_sacrifices(position: Position, out: Steps, count: int) -> int:
    """List the sacrifices: which Power frees which Enforcer, with what facing (V13)."""
    seat = position[SEAT]
    side = seat << SEAT_SHIFT
    for source in range(CELLS):
        if position[source] != POWER + side:
            continue
        realm = REALM_OF[source]
        for place in range(9):
            if position[SPACES[realm, place]] != IMMOBILE + side:
                continue
            for facing in range(4):
                if frees_a_move(position, source, SPACES[realm, place], facing):
                    out[count] = SACRIFICE0 + (source * 9 + place) * 4 + facing
                    count += 1
    return count


@kernel
def frees_a_move(position: Position, power: Cell, enforcer: Cell, facing: Direction) -> bool:
    """Whether the Realm has a Dispersal once this Power is gone and this Enforcer mobile (V13)."""
    trial = np.empty(POSITION_SIZE, dtype=position.dtype)
    copy_array(trial, position)
    sacrifice(trial, power, enforcer, facing)
    return can_leave(trial, REALM_OF[power], position[SEAT])
