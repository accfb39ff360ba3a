"""Kernels that list the legal steps. Clauses refer to RULES.md."""

from __future__ import annotations

from realmtable.games.realms_of_etherium.kernels.displace import can_displace, is_first_of_equals, list_pushes
from realmtable.games.realms_of_etherium.kernels.gains import list_reactions
from realmtable.games.realms_of_etherium.kernels.layout import (
    ACTIVE_MAGE,
    ACTIVE_SEAT,
    ASKED,
    BLACK,
    BUY_PROTECTION,
    COLLECT_BLACK,
    COLLECT_WHITE,
    COLOUR0,
    COLOUR_NAMES,
    CONTROL,
    CONTROL_SAVE_BLACK,
    CONTROL_SAVE_WHITE,
    CONTROL_WHITE,
    CONTROLLED,
    CONVERT,
    DISPLACE,
    DISPLACE_PLACE,
    DRAW0,
    END,
    ENTERING,
    EXHAUSTED,
    EXTRA_MOVE,
    FIRST0,
    FIRST_TILE,
    IN_ACT,
    IN_COLOURS,
    IN_DRAW,
    IN_ENTER,
    IN_FIRST,
    IN_MAGE,
    IN_PROTECT,
    IN_PUSH,
    IN_PUT,
    IN_REFILL,
    IN_SOURCE,
    IN_TARGET,
    IN_TRIBUTE,
    IN_WITH,
    KIND_COUNT,
    MAGE0,
    MAGE_PLACE,
    MAX_MAGES,
    MAX_STEPS,
    MOVED,
    NEXT,
    NO_PRICE,
    NONE,
    OVER,
    PHASE,
    PICKED,
    PORTALS,
    R_MARKERS,
    R_TRANSFER_CONTROL,
    R_TRANSFER_TO_ANYONE,
    REALM_SUPPLY,
    RECEIVED,
    RESERVE,
    REVEAL0,
    SEAT,
    SEATS,
    SHIFT,
    SKIP,
    SUMMON0,
    SUPPLY,
    SWAP,
    TAKE0,
    TILE_KIND,
    TILE_OWNER,
    TO0,
    TRANSFER,
    TRANSFER0,
    TRANSFER_MAGE0,
    USE,
    VERB_OF,
    VICTORY_SUPPLY,
    WHITE,
    MageNumber,
    Place,
    TileNumber,
)
from realmtable.games.realms_of_etherium.kernels.powers import can_collect, is_active, list_conversions
from realmtable.games.realms_of_etherium.kernels.prices import (
    can_pay,
    control_price,
    count_helpers,
    find_unused,
    has_control_discount,
    has_mage_in,
)
from realmtable.games.realms_of_etherium.kernels.rearranging import (
    list_partners,
    list_shift_targets,
    list_shifts,
    list_swaps,
)
from realmtable.games.realms_of_etherium.kernels.supplies import count_tiles, list_reveals, reveal_weight
from realmtable.games.realms_of_etherium.kernels.turns import is_colour_free
from realmtable.games.realms_of_etherium.kernels.world import fact, list_adjacent_places, list_summon_hexes
from realmtable.kit.compile import kernel
from realmtable.kit.rules import Position, Steps


@kernel
def legal_steps(position: Position, out: Steps) -> int:
    """Write the legal steps to `out` in ascending order and return their number; for chance, its results."""
    phase = position[PHASE]
    if phase == OVER:
        return 0
    if phase == IN_ACT:
        return list_act(position, out)
    if phase == IN_MAGE:
        return list_mages(position, out)
    if phase == IN_SOURCE:
        return list_sources(position, out)
    if phase in (IN_COLOURS, IN_REFILL, IN_DRAW, IN_FIRST):
        return list_chance(position, out)
    if phase == IN_ENTER:
        return list_entering(position, out)
    if phase == IN_PUT:
        return list_shift_targets(position, int(position[PICKED]), out, MAX_STEPS)
    if phase == IN_TRIBUTE:
        return list_tribute(position, out)
    if phase == IN_WITH:
        return list_partners(position, int(position[PICKED]), out, MAX_STEPS)
    return list_answers(position, out)


@kernel
def list_answers(position: Position, out: Steps) -> int:
    """List the answers to a question: on Protection, a push, its target or a reaction (N9)."""
    phase = position[PHASE]
    if phase == IN_PROTECT:
        out[0] = BUY_PROTECTION
        out[1] = SKIP
        return 2
    if phase == IN_PUSH:
        listed = list_pushes(position, out)
        out[listed] = NEXT
        return listed + 1
    if phase == IN_TARGET:
        return list_adjacent_places(position, int(position[DISPLACE_PLACE]), TO0, out, 0)
    return list_reactions(position, int(position[SEAT]), out)


@kernel
def list_chance(position: Position, out: Steps) -> int:
    """List what can happen when chance acts (N11), or the colours that a player can choose (V21)."""
    phase = position[PHASE]
    if phase in (IN_REFILL, IN_DRAW):
        return list_reveals(position, out)
    listed = 0
    if phase == IN_COLOURS:
        for colour in range(len(COLOUR_NAMES)):
            if is_colour_free(position, colour):
                out[listed] = COLOUR0 + colour
                listed += 1
        return listed
    for seat in range(position[SEATS]):
        out[seat] = FIRST0 + seat
    return int(position[SEATS])


@kernel
def chance_weight(position: Position, code: int) -> int:
    """Return the weight of a result of chance (N11)."""
    return reveal_weight(position, code - REVEAL0) if REVEAL0 <= code < COLOUR0 else 1


@kernel
def list_mages(position: Position, out: Steps) -> int:
    """List the Mages that can be activated (R1, N4)."""
    seat = int(position[ACTIVE_SEAT])
    listed = 0
    for number in range(MAX_MAGES):
        mage = seat * MAX_MAGES + number
        if position[MAGE_PLACE + mage] == NONE or position[EXHAUSTED + mage]:
            continue
        if is_first_of_equals(position, mage, 0):
            out[listed] = MAGE0 + number
            listed += 1
    return listed


# ---- the state `act`


@kernel
def list_act(position: Position, out: Steps) -> int:
    """List what the active player can do when nothing is pending (N6)."""
    place = int(position[MAGE_PLACE + position[ACTIVE_MAGE]])
    listed = 0
    can_move = count_moves_left(position) > 0
    if can_move:
        listed = list_adjacent_places(position, place, TO0, out, listed)
        if has_source(position):
            listed = list_summon_hexes(position, place, SUMMON0, out, listed)
    if position[ACTIVE_MAGE] // MAX_MAGES == position[ACTIVE_SEAT]:
        listed = list_powers_and_control(position, place, out, listed)
    out[listed] = END
    return list_transfers_to_opponents(position, out, listed + 1)


@kernel
def list_powers_and_control(position: Position, place: Place, out: Steps, listed: int) -> int:
    """List what the active player can do besides moving, unless the active Mage is an opponent's (V19)."""
    if place != PORTALS and can_be_controlled(position, place):
        listed = list_control(position, place, out, listed)
    if can_displace(position):
        out[listed] = DISPLACE
        listed += 1
    return list_transfers(position, out, listed)


@kernel
def count_moves_left(position: Position) -> int:
    """Return the number of moves left (T9)."""
    seat = int(position[ACTIVE_SEAT])
    return max(0, 1 + count_helpers(position, seat, EXTRA_MOVE) - int(position[MOVED]))


@kernel
def has_source(position: Position) -> bool:
    """Whether there is a tile to summon (M3)."""
    for kind in range(KIND_COUNT):
        if position[RESERVE + kind] > 0 or position[SUPPLY + kind] > 0:
            return True
    return False


@kernel
def can_be_controlled(position: Position, tile: TileNumber) -> bool:
    """Whether the active player may take Control of a Realm, apart from the price (C2)."""
    seat = int(position[ACTIVE_SEAT])
    kind = int(position[TILE_KIND + tile])
    if fact(position, kind, CONTROL_WHITE) == NO_PRICE or position[TILE_OWNER + tile]:
        return False
    if position[RECEIVED] and not position[R_TRANSFER_CONTROL]:
        return False
    if position[CONTROLLED + seat] >= position[R_MARKERS]:
        return False
    for other in range(position[FIRST_TILE + kind], position[FIRST_TILE + kind + 1]):
        if position[TILE_OWNER + other] == seat + 1:
            return False
    for other in range(position[SEATS]):
        if other != seat and has_mage_in(position, other, tile):
            return False
    return True


@kernel
def list_control(position: Position, tile: TileNumber, out: Steps, listed: int) -> int:
    """List the ways to pay for Control (N6)."""
    seat = int(position[ACTIVE_SEAT])
    kind = int(position[TILE_KIND + tile])
    white, black, _ = control_price(position, seat, kind)
    has_discount = has_control_discount(position, seat, kind)
    for code in range(CONTROL, CONTROL_SAVE_BLACK + 1):
        if (code != CONTROL) != (has_discount and white > 0 and black > 0):
            continue
        less_white, less_black = control_savings(code, has_discount, white, black)
        if position[WHITE + seat] >= white - less_white and position[BLACK + seat] >= black - less_black:
            out[listed] = code
            listed += 1
    return listed


@kernel
def control_savings(code: int, has_discount: bool, white: int, black: int) -> tuple[int, int]:
    """Return what Y4 or Y5 takes off the White and the Black of a price."""
    if code == CONTROL_SAVE_WHITE:
        return 1, 0
    if code == CONTROL_SAVE_BLACK:
        return 0, 1
    if not has_discount:
        return 0, 0
    return min(white, 1), 0 if white > 0 else min(black, 1)


@kernel
def list_transfers(position: Position, out: Steps, listed: int) -> int:
    """List the Mages that can receive a Transfer (T10)."""
    seat = int(position[ACTIVE_SEAT])
    if not can_transfer(position):
        return listed
    for number in range(MAX_MAGES):
        mage = seat * MAX_MAGES + number
        if can_receive(position, mage):
            out[listed] = TRANSFER0 + number
            listed += 1
    return listed


@kernel
def list_transfers_to_opponents(position: Position, out: Steps, listed: int) -> int:
    """List the opponents' Mages that can receive a Transfer (V19)."""
    if not position[R_TRANSFER_TO_ANYONE] or not can_transfer(position):
        return listed
    for mage in range(position[SEATS] * MAX_MAGES):
        if mage // MAX_MAGES != position[ACTIVE_SEAT] and can_receive(position, mage):
            out[listed] = TRANSFER_MAGE0 + mage
            listed += 1
    return listed


@kernel
def can_transfer(position: Position) -> bool:
    """Whether the active player has a move to give away, an own active Mage, and can pay for a Transfer (T10)."""
    seat = int(position[ACTIVE_SEAT])
    if position[ACTIVE_MAGE] // MAX_MAGES != seat or count_moves_left(position) == 0:
        return False
    tile = find_unused(position, seat, TRANSFER)
    return tile != NONE and can_pay(position, seat, int(position[TILE_KIND + tile]))


@kernel
def can_receive(position: Position, mage: MageNumber) -> bool:
    """Whether a Mage can receive a Transfer: another Exhausted one, the first of those equal to it (N4)."""
    if is_active(position, mage) or not position[EXHAUSTED + mage]:
        return False
    return is_first_of_equals(position, mage, 0)


@kernel
def list_sources(position: Position, out: Steps) -> int:
    """List the sources of a summoning (M3, N7)."""
    listed = 0
    for source in (REALM_SUPPLY, VICTORY_SUPPLY):
        if count_tiles(position, SUPPLY, source) > 0:
            out[listed] = DRAW0 + source
            listed += 1
    for kind in range(KIND_COUNT):
        if position[RESERVE + kind] > 0:
            out[listed] = TAKE0 + kind
            listed += 1
    return listed


# ---- entering


@kernel
def list_entering(position: Position, out: Steps) -> int:
    """List the uses of an entering power (N8)."""
    tile = int(position[MAGE_PLACE + position[ENTERING]])
    kind = int(position[TILE_KIND + tile])
    verb = VERB_OF[kind]
    if verb == CONVERT:
        listed = list_conversions(position, int(position[SEAT]), kind, out)
    elif verb == SHIFT:
        listed = list_shifts(position, out, MAX_STEPS)
    elif verb == SWAP:
        listed = list_swaps(position, out, MAX_STEPS)
    else:
        out[0] = USE
        listed = 1
    out[listed] = SKIP
    return listed + 1


@kernel
def list_tribute(position: Position, out: Steps) -> int:
    """List what the user can take from a Mage (T15)."""
    seat = int(position[SEAT])
    owner = int(position[ASKED]) // MAX_MAGES
    listed = 0
    if can_collect(position, seat, owner, WHITE):
        out[listed] = COLLECT_WHITE
        listed += 1
    if can_collect(position, seat, owner, BLACK):
        out[listed] = COLLECT_BLACK
        listed += 1
    out[listed] = SKIP
    return listed + 1
