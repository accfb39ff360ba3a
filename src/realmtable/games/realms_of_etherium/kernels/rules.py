"""Apply steps (N10) and play forced ones (N3). Clauses refer to RULES.md.

`apply_step` changes a position in place and assumes that the step is legal; `legal.py` lists the legal ones.
"""

from __future__ import annotations

import numpy as np

from realmtable.games.realms_of_etherium.kernels.displace import (
    choose_pushed,
    go_to_next_owner,
    push_mage,
    push_or_ask,
    start_displace,
)
from realmtable.games.realms_of_etherium.kernels.gains import find_reaction, react_with
from realmtable.games.realms_of_etherium.kernels.layout import (
    ACTIVE_MAGE,
    ACTIVE_SEAT,
    ASKED,
    BLACK,
    BUY_PROTECTION,
    CHANCE,
    COLLECT_BLACK,
    COLLECT_WHITE,
    COLOUR0,
    CONTROL,
    DECLARED_HEX,
    DISPLACE,
    DISPLACE_PLACE,
    DISRUPT,
    DRAW0,
    END,
    ENTERING,
    EXHAUST,
    EXHAUSTED,
    FIRST0,
    IN_ACT,
    IN_DRAW,
    IN_ENTER,
    IN_MAGE,
    IN_PROTECT,
    IN_PUT,
    IN_REFILL,
    IN_SOURCE,
    IN_TARGET,
    IN_TRIBUTE,
    IN_WITH,
    KIND_COUNT,
    MAGE0,
    MAGE_PLACE,
    MAKE0,
    MAX_MADE,
    MAX_MAGES,
    MAX_STEPS,
    NEXT,
    NONE,
    OVER,
    PHASE,
    PICKED,
    PUSH0,
    PUSH_MAGE0,
    PUT0,
    R_MAX_ROUNDS,
    REACT0,
    RESERVE,
    REVEAL0,
    SEAT,
    SHIFT0,
    SKIP,
    SOURCE,
    SPARED,
    STEPS,
    STREAMLINE,
    SUMMON0,
    SWAP0,
    TAKE0,
    TARGET,
    TARGETS,
    TILE_KIND,
    TILE_OWNER,
    TO0,
    TRANSFER,
    TRANSFER0,
    TRANSFER_MAGE0,
    TRIED,
    USE,
    VERB_OF,
    WHITE,
    WITH0,
    MageNumber,
)
from realmtable.games.realms_of_etherium.kernels.legal import control_savings, count_moves_left, legal_steps
from realmtable.games.realms_of_etherium.kernels.powers import (
    ask,
    collect,
    continue_paralyze,
    continue_tribute,
    convert,
    disrupt,
    use_power,
)
from realmtable.games.realms_of_etherium.kernels.prices import (
    buy_protection,
    can_protect,
    control_price,
    find_unused,
    has_control_discount,
    mark_helpers,
    mark_used,
    pay_for,
)
from realmtable.games.realms_of_etherium.kernels.rearranging import (
    list_partners,
    list_shift_targets,
    shift_tile,
    swap_tiles,
)
from realmtable.games.realms_of_etherium.kernels.scoring import update_points
from realmtable.games.realms_of_etherium.kernels.turns import (
    activate,
    assign_colour,
    begin_turn,
    end_activation,
    move_active_mage,
    pass_activation,
    resume,
    reveal_summoned,
    reveal_to_reserve,
    take_from_reserve,
)
from realmtable.games.realms_of_etherium.kernels.world import has_adjacent_place, place_of_target, tile_on
from realmtable.kit.compile import kernel
from realmtable.kit.rules import Position


@kernel
def apply_step(position: Position, code: int) -> None:
    """Apply a legal step in place, and the forced steps that follow (N3)."""
    position[STEPS] += 1
    carry_out(position, code)
    while position[SEAT] != CHANCE and not has_clear_choice(position):
        forced = find_forced_step(position)
        if forced == NONE:
            return
        if position[R_MAX_ROUNDS] == 0:  # E5: Mages that can do nothing would go on for ever
            position[STEPS] += 1
        carry_out(position, forced)


@kernel
def has_clear_choice(position: Position) -> bool:
    """Whether it is clear without a list that the game is over or the acting seat has several steps."""
    phase = position[PHASE]
    if phase == IN_ACT:
        place = int(position[MAGE_PLACE + position[ACTIVE_MAGE]])
        return count_moves_left(position) > 0 and has_adjacent_place(position, place)
    if phase == IN_MAGE:
        return has_mages_apart(position)
    if phase == IN_SOURCE:
        return has_two_offers(position)
    return bool(phase in (IN_ENTER, IN_PROTECT, OVER))  # powers are offered only if they can be used, or declined


@kernel
def has_mages_apart(position: Position) -> bool:
    """Whether Mages that the active player can activate are in different places."""
    found = NONE
    for mage in range(position[ACTIVE_SEAT] * MAX_MAGES, (position[ACTIVE_SEAT] + 1) * MAX_MAGES):
        place = int(position[MAGE_PLACE + mage])
        if place != NONE and not position[EXHAUSTED + mage]:
            if found not in (NONE, place):
                return True
            found = place
    return False


@kernel
def has_two_offers(position: Position) -> bool:
    """Whether the Reserves have tiles of two kinds."""
    found = False
    for kind in range(KIND_COUNT):
        if position[RESERVE + kind]:
            if found:
                return True
            found = True
    return False


@kernel
def find_forced_step(position: Position) -> int:
    """Return the only legal step, or NONE if there are several."""
    out = np.empty(MAX_STEPS, dtype=np.int64)
    if position[PHASE] == IN_PUT:
        listed = list_shift_targets(position, int(position[PICKED]), out, 2)
    elif position[PHASE] == IN_WITH:
        listed = list_partners(position, int(position[PICKED]), out, 2)
    else:
        listed = legal_steps(position, out)
    return int(out[0]) if listed == 1 else NONE


@kernel
def carry_out(position: Position, code: int) -> None:
    """Carry out a step up to the next decision, chance event or the end of the game (N10)."""
    if code >= REVEAL0:
        apply_chance(position, code)
    elif position[PHASE] == IN_ENTER:
        apply_entering(position, code)
    elif position[PHASE] == IN_PROTECT:
        apply_protection(position, code == BUY_PROTECTION)
    elif code < USE:
        apply_action(position, code)
    elif code >= TRANSFER_MAGE0:
        transfer(position, code - TRANSFER_MAGE0)
    else:
        apply_choice(position, code)


@kernel
def apply_chance(position: Position, code: int) -> None:
    """Apply a result of chance (N11)."""
    if code >= FIRST0:
        begin_turn(position, code - FIRST0)
    elif code >= COLOUR0:
        assign_colour(position, code - COLOUR0)
    elif position[PHASE] == IN_REFILL:
        reveal_to_reserve(position, code - REVEAL0)
    else:
        reveal_summoned(position, code - REVEAL0)


# ---- the active player's steps


@kernel
def apply_action(position: Position, code: int) -> None:
    """Apply a step of the states `mage`, `act` and `source`, or the target of a pushed Mage."""
    if code < TO0:
        activate(position, int(position[ACTIVE_SEAT]) * MAX_MAGES + code - MAGE0)
        position[PHASE] = IN_ACT
    elif code < SUMMON0:
        go_to_place(position, code - TO0)
    elif code < DRAW0:
        position[DECLARED_HEX] = code - SUMMON0
        position[PHASE] = IN_SOURCE
    elif code < TAKE0:
        position[SOURCE] = code - DRAW0
        position[PHASE] = IN_DRAW
        position[SEAT] = CHANCE
    elif code < CONTROL:
        take_from_reserve(position, code - TAKE0)
    elif code < DISPLACE:
        take_control(position, code)
    elif code == DISPLACE:
        start_displace(position)
        resume(position)
    elif code < END:
        transfer(position, int(position[ACTIVE_SEAT]) * MAX_MAGES + code - TRANSFER0)
    else:
        end_activation(position)


@kernel
def go_to_place(position: Position, target: int) -> None:
    """Move the active Mage, or push a Mage to the place that its owner has chosen (V3)."""
    place = place_of_target(position, target)
    if position[PHASE] != IN_TARGET:
        move_active_mage(position, place)
    elif push_mage(position, int(position[ASKED]), place):
        resume(position)


@kernel
def take_control(position: Position, code: int) -> None:
    """Pay for Control and put a marker on the active Mage's Realm (C1)."""
    seat = int(position[ACTIVE_SEAT])
    tile = int(position[MAGE_PLACE + position[ACTIVE_MAGE]])
    kind = int(position[TILE_KIND + tile])
    white, black, lowered = control_price(position, seat, kind)
    less_white, less_black = control_savings(code, has_control_discount(position, seat, kind), white, black)
    position[WHITE + seat] -= white - less_white
    position[BLACK + seat] -= black - less_black
    mark_helpers(position, seat, STREAMLINE, lowered)
    position[TILE_OWNER + tile] = seat + 1
    update_points(position)


@kernel
def transfer(position: Position, mage: MageNumber) -> None:
    """Pay for a Transfer to a Mage, which an opponent may protect (T10, V19)."""
    seat = int(position[ACTIVE_SEAT])
    tile = find_unused(position, seat, TRANSFER)
    pay_for(position, seat, int(position[TILE_KIND + tile]))
    mark_used(position, seat, tile)
    owner = mage // MAX_MAGES
    if owner != seat and can_protect(position, owner):
        ask(position, IN_PROTECT, owner, mage)
    else:
        pass_activation(position, mage)


# ---- entering powers and questions


@kernel
def apply_entering(position: Position, code: int) -> None:
    """Use or decline an entering power (N8)."""
    if code == SKIP:
        resume(position)
        return
    if code == USE:
        if use_power(position):
            resume(position)
        return
    seat = int(position[SEAT])
    tile = int(position[MAGE_PLACE + position[ENTERING]])
    kind = int(position[TILE_KIND + tile])
    mark_used(position, seat, tile)
    if code < SHIFT0:
        made = code - MAKE0
        if convert(position, seat, kind, made % MAX_MADE, made >= MAX_MADE):
            resume(position)
        return
    pay_for(position, seat, kind)
    if code < PUT0:
        position[PICKED] = tile_on(position, code - SHIFT0)
        position[PHASE] = IN_PUT
    else:
        position[PICKED] = tile_on(position, code - SWAP0)
        position[PHASE] = IN_WITH


@kernel
def apply_choice(position: Position, code: int) -> None:
    """Apply a step of the states `put`, `with`, `tribute`, `push` and `react`."""
    is_finished = True
    if code < SWAP0:
        shift_tile(position, int(position[PICKED]), code - PUT0)
    elif code < COLLECT_WHITE:
        swap_tiles(position, int(position[PICKED]), tile_on(position, code - WITH0))
    elif code in (COLLECT_WHITE, COLLECT_BLACK):
        collect(position, WHITE if code == COLLECT_WHITE else BLACK)
        is_finished = continue_tribute(position)
    elif code < PUSH_MAGE0:
        mage = (code - PUSH0) // TARGETS
        is_finished = choose_pushed(position, mage, place_of_target(position, (code - PUSH0) % TARGETS))
    elif code < NEXT:
        is_finished = choose_pushed(position, code - PUSH_MAGE0, NONE)
    elif code == NEXT:
        go_to_next_owner(position)
    elif code < SKIP:
        seat = int(position[SEAT])
        react_with(position, seat, find_reaction(position, seat, code - REACT0))
    else:
        is_finished = continue_tribute(position)
    if is_finished:
        resume(position)


@kernel
def apply_protection(position: Position, bought: bool) -> None:
    """Buy Protection for the Mage that is asked about, or let it be affected (P9)."""
    mage = int(position[ASKED])
    if bought:
        buy_protection(position, mage // MAX_MAGES)
    if position[ENTERING] != NONE:
        is_finished = decide_effect(position, mage, bought)
    elif position[DISPLACE_PLACE] != NONE:
        is_finished = decide_push(position, mage, bought)
    else:
        is_finished = decide_transfer(position, mage, bought)
    if is_finished:
        resume(position)


@kernel
def decide_push(position: Position, mage: int, bought: bool) -> bool:
    """Push a Mage unless it has Protection."""
    if not bought:
        return push_or_ask(position, mage, int(position[TARGET]))
    position[TRIED] |= 1 << mage
    position[TARGET] = NONE
    return True


@kernel
def decide_transfer(position: Position, mage: MageNumber, bought: bool) -> bool:
    """Give the rest of the activation to an opponent's Mage unless it has Protection (V19)."""
    if not bought:
        pass_activation(position, mage)
    return True


@kernel
def decide_effect(position: Position, mage: int, bought: bool) -> bool:
    """Continue Disruption, Paralyze or Tribute after a decision on Protection."""
    verb = VERB_OF[position[TILE_KIND + position[MAGE_PLACE + position[ENTERING]]]]
    if verb == DISRUPT:
        if not bought:
            disrupt(position, mage)
        return True
    if verb == EXHAUST:
        if bought:
            position[SPARED] |= 1 << mage
        return continue_paralyze(position)
    if bought:
        return continue_tribute(position)
    position[PHASE] = IN_TRIBUTE
    position[SEAT] = int(position[ENTERING]) // MAX_MAGES
    return False
