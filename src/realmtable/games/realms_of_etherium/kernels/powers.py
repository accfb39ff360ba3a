"""Kernels for powers on entering a Realm (P2, P3, P10).

Functions that resolve a power, or a part of it, return whether it is finished.
"""

from __future__ import annotations

import numpy as np

from realmtable.games.realms_of_etherium.kernels.gains import gain, settle_gain
from realmtable.games.realms_of_etherium.kernels.layout import (
    ACTIVE_MAGE,
    ACTIVE_SEAT,
    ASKED,
    BLACK,
    BLUE,
    COLOUR,
    CONJURE,
    CONVERT,
    DISPLACE_OWNER,
    DISPLACE_PLACE,
    DISRUPT,
    ENDING,
    ENTERING,
    EXHAUST,
    EXHAUSTED,
    GAIN,
    GAINED_BLACK,
    GAINED_WHITE,
    GIVES_BLACK,
    GIVES_WHITE,
    HELD,
    IN_ENTER,
    IN_PROTECT,
    IN_TRIBUTE,
    LESSEN,
    LESSEN_LEFT,
    MAGE_PLACE,
    MAKE0,
    MAX_CONVERSIONS,
    MAX_MADE,
    MAX_MAGES,
    NO_COLOUR_NUMBER,
    NONE,
    PER,
    PHASE,
    PLAYER_COLOUR,
    PORTALS,
    R_DISRUPTION_ENDS_DISPLACE,
    R_ETHERIUM_CAP,
    R_MOST_MAGES,
    R_PARALYZE_GUARD,
    R_TRIBUTE_FROM_OWN,
    ROUND,
    SEAT,
    SEATS,
    SHIFT,
    SPARED,
    SWAP,
    TILE_KIND,
    TILE_MARKS,
    TRIBUTE,
    TRIED,
    USE_WHITE,
    VERB_OF,
    WHITE,
    Kind,
    MageNumber,
    TileNumber,
)
from realmtable.games.realms_of_etherium.kernels.prices import (
    black_price,
    can_pay,
    can_protect,
    conversion_price,
    count_helpers,
    is_lessened,
    is_used,
    mark_helpers,
    mark_used,
    pay_for,
)
from realmtable.games.realms_of_etherium.kernels.rearranging import list_shifts, list_swaps
from realmtable.games.realms_of_etherium.kernels.scoring import count_colour
from realmtable.games.realms_of_etherium.kernels.world import fact, touches_place
from realmtable.kit.compile import kernel
from realmtable.kit.rules import Position, Steps


@kernel
def is_active(position: Position, mage: MageNumber) -> bool:
    """Whether a Mage is the active one."""
    return bool(position[ACTIVE_MAGE] == mage)


@kernel
def ask(position: Position, phase: int, seat: int, mage: MageNumber) -> None:
    """Let a seat decide on a Mage."""
    position[PHASE] = phase
    position[SEAT] = seat
    position[ASKED] = mage


@kernel
def enter_place(position: Position, mage: MageNumber) -> bool:
    """Let a Mage enter the place it is in (P10)."""
    tile = int(position[MAGE_PLACE + mage])
    if tile == PORTALS:
        return True
    seat = mage // MAX_MAGES
    if is_active(position, mage) and seat == position[ACTIVE_SEAT]:
        position[TILE_MARKS + tile] |= HELD
    position[ENTERING] = mage
    kind = int(position[TILE_KIND + tile])
    verb = int(VERB_OF[kind])
    if verb == DISRUPT:
        return enter_disruption(position, mage)
    if is_used(position, seat, tile):
        return True
    if verb == GAIN:
        return gain_on_entering(position, seat, tile)
    if verb == TRIBUTE:
        position[LESSEN_LEFT] = count_helpers(position, seat, LESSEN) if is_lessened(position, kind) else 0
        return continue_tribute(position)
    if not is_offered(position, seat, tile):
        return True
    position[PHASE] = IN_ENTER
    position[SEAT] = seat
    return False


@kernel
def is_offered(position: Position, seat: int, tile: TileNumber) -> bool:
    """Whether the user can pay for an optional power and it would do something (P3)."""
    kind = int(position[TILE_KIND + tile])
    verb = int(VERB_OF[kind])
    if verb == CONVERT:
        return list_conversions(position, seat, kind, np.empty(MAX_CONVERSIONS, dtype=np.int64)) > 0
    if verb not in (CONJURE, EXHAUST, SHIFT, SWAP) or not can_pay(position, seat, kind):
        return False
    if verb == CONJURE:
        return bool(count_mages(position, seat) < position[R_MOST_MAGES])
    if verb == EXHAUST:
        return can_paralyze(position, seat, tile)
    found = np.empty(1, dtype=np.int64)
    return (list_shifts(position, found, 1) if verb == SHIFT else list_swaps(position, found, 1)) > 0


# ---- Disruption, gains, Conjure and Transmute


@kernel
def enter_disruption(position: Position, mage: MageNumber) -> bool:
    """Let Disruption affect a Mage, or its owner decide on Protection (T2)."""
    if position[EXHAUSTED + mage] and not is_active(position, mage):
        return True
    if can_protect(position, mage // MAX_MAGES):
        ask(position, IN_PROTECT, mage // MAX_MAGES, mage)
        return False
    disrupt(position, mage)
    return True


@kernel
def disrupt(position: Position, mage: MageNumber) -> None:
    """Exhaust a Mage and note that its activation ends if it is the active one."""
    position[EXHAUSTED + mage] = 1
    if is_active(position, mage):
        position[ENDING] = 1
        if position[R_DISRUPTION_ENDS_DISPLACE]:
            stop_displace(position)


@kernel
def stop_displace(position: Position) -> None:
    """Forget the Displace that is being resolved, if there is one."""
    position[DISPLACE_PLACE] = NONE
    position[DISPLACE_OWNER] = NONE
    position[TRIED] = 0


@kernel
def gain_on_entering(position: Position, seat: int, tile: TileNumber) -> bool:
    """Give the user what a Blue Realm gives (T3, Y2)."""
    kind = int(position[TILE_KIND + tile])
    colour = fact(position, kind, PER)
    times = 1 if colour == NO_COLOUR_NUMBER else count_colour(position, tile, colour)
    white = fact(position, kind, GIVES_WHITE) * times
    if fact(position, kind, COLOUR) == BLUE == position[PLAYER_COLOUR + seat]:
        white += 1
    gain(position, seat, white, fact(position, kind, GIVES_BLACK) * times)
    if position[GAINED_WHITE] + position[GAINED_BLACK] == 0:
        return True
    mark_used(position, seat, tile)
    return settle_gain(position, seat)


@kernel
def count_mages(position: Position, seat: int) -> int:
    """Return the number of a seat's Mages."""
    number = 0
    while number < MAX_MAGES and position[MAGE_PLACE + seat * MAX_MAGES + number] != NONE:
        number += 1
    return number


@kernel
def conjure(position: Position, seat: int, tile: TileNumber) -> None:
    """Put a new Mage, Exhausted, into a Realm (T4)."""
    mage = seat * MAX_MAGES + count_mages(position, seat)
    position[MAGE_PLACE + mage] = tile
    position[EXHAUSTED + mage] = 1


@kernel
def list_conversions(position: Position, seat: int, kind: Kind, out: Steps) -> int:
    """List what the user can make with Transmute: first White, then Black (T5)."""
    listed = 0
    each = fact(position, kind, USE_WHITE)
    cap = int(position[R_ETHERIUM_CAP])
    white = int(position[WHITE + seat])
    black = int(position[BLACK + seat])
    for times in range(1, black + 1):
        if white + each * (times - 1) < cap:
            out[listed] = MAKE0 + each * times
            listed += 1
    for made in range(1, cap - black + 1):
        if conversion_price(position, seat, kind, made)[0] <= white:
            out[listed] = MAKE0 + MAX_MADE + made
            listed += 1
    return listed


@kernel
def convert(position: Position, seat: int, kind: Kind, made: int, is_black: bool) -> bool:
    """Turn White into so much Black, or Black into so much White."""
    if is_black:
        price, lessens = conversion_price(position, seat, kind, made)
        position[WHITE + seat] -= price
        mark_helpers(position, seat, LESSEN, lessens)
        gain(position, seat, 0, made)
    else:
        position[BLACK + seat] -= made // fact(position, kind, USE_WHITE)
        gain(position, seat, made, 0)
    return settle_gain(position, seat)


# ---- Paralyze and Tribute


@kernel
def mage_in_order(position: Position, index: int) -> MageNumber:
    """Return the Mage with an index in turn order (R7), each owner's Mages by number."""
    return int((position[ACTIVE_SEAT] + index // MAX_MAGES) % position[SEATS] * MAX_MAGES + index % MAX_MAGES)


@kernel
def next_index(position: Position) -> int:
    """Return the index in turn order of the Mage after the one that was asked last."""
    if position[ASKED] == NONE:
        return 0
    owner = int(position[ASKED]) // MAX_MAGES
    return int((owner - position[ACTIVE_SEAT]) % position[SEATS] * MAX_MAGES + position[ASKED] % MAX_MAGES + 1)


@kernel
def is_adjacent_opponent(position: Position, seat: int, tile: TileNumber, mage: MageNumber) -> bool:
    """Whether a Mage is an opponent's, in a place adjacent to a Realm."""
    return mage // MAX_MAGES != seat and is_adjacent_mage(position, tile, mage)


@kernel
def is_adjacent_mage(position: Position, tile: TileNumber, mage: MageNumber) -> bool:
    """Whether a Mage is in a place adjacent to a Realm."""
    place = int(position[MAGE_PLACE + mage])
    return place != NONE and touches_place(position, tile, place)


@kernel
def owes_tribute(position: Position, seat: int, tile: TileNumber, mage: MageNumber) -> bool:
    """Whether a Tribute can take from a Mage: an adjacent opponent's or, with V25, any adjacent one (T15)."""
    return bool(position[R_TRIBUTE_FROM_OWN] or mage // MAX_MAGES != seat) and is_adjacent_mage(position, tile, mage)


@kernel
def can_paralyze(position: Position, seat: int, tile: TileNumber) -> bool:
    """Whether Paralyze would Exhaust a Mage (T11)."""
    if position[R_PARALYZE_GUARD] and position[ROUND] == 1:
        return False
    for mage in range(position[SEATS] * MAX_MAGES):
        if not position[EXHAUSTED + mage] and is_adjacent_opponent(position, seat, tile, mage):
            return True
    return False


@kernel
def continue_paralyze(position: Position) -> bool:
    """Ask for the next Protection, or Exhaust the Mages that have none."""
    seat = int(position[ENTERING]) // MAX_MAGES
    tile = int(position[MAGE_PLACE + position[ENTERING]])
    for index in range(next_index(position), position[SEATS] * MAX_MAGES):
        mage = mage_in_order(position, index)
        if position[EXHAUSTED + mage] or not is_adjacent_opponent(position, seat, tile, mage):
            continue
        position[ASKED] = mage
        if can_protect(position, mage // MAX_MAGES):
            ask(position, IN_PROTECT, mage // MAX_MAGES, mage)
            return False
    for mage in range(position[SEATS] * MAX_MAGES):
        if is_adjacent_opponent(position, seat, tile, mage) and not position[SPARED] >> mage & 1:
            position[EXHAUSTED + mage] = 1
    return True


@kernel
def can_collect(position: Position, seat: int, owner: int, entry: int) -> bool:
    """Whether the user can take 1 White or Black from a Mage's owner (T15)."""
    if position[entry + owner] == 0:
        return False
    return bool(entry == WHITE or position[WHITE + seat] >= tribute_price(position, seat))


@kernel
def tribute_price(position: Position, seat: int) -> int:
    """Return the White for 1 Black: a Lessen tile that is left pays it alone."""
    if position[LESSEN_LEFT] > 0:
        return 0
    return black_price(position, seat, int(position[TILE_KIND + position[MAGE_PLACE + position[ENTERING]]]))


@kernel
def continue_tribute(position: Position) -> bool:
    """Go on to the next Mage that something can be taken from; after the last one, let Realms react."""
    seat = int(position[ENTERING]) // MAX_MAGES
    tile = int(position[MAGE_PLACE + position[ENTERING]])
    for index in range(next_index(position), position[SEATS] * MAX_MAGES):
        mage = mage_in_order(position, index)
        owner = mage // MAX_MAGES
        if not owes_tribute(position, seat, tile, mage):
            continue
        if not (can_collect(position, seat, owner, WHITE) or can_collect(position, seat, owner, BLACK)):
            continue
        position[ASKED] = mage
        if owner != seat and can_protect(position, owner):
            ask(position, IN_PROTECT, owner, mage)
        else:
            ask(position, IN_TRIBUTE, seat, mage)
        return False
    position[ASKED] = NONE
    position[LESSEN_LEFT] = 0
    return settle_gain(position, seat)


@kernel
def collect(position: Position, entry: int) -> None:
    """Take 1 White or Black from the owner of the Mage that is asked."""
    seat = int(position[ENTERING]) // MAX_MAGES
    tile = int(position[MAGE_PLACE + position[ENTERING]])
    if entry == BLACK:
        pay_tribute(position, seat, int(position[TILE_KIND + tile]))
    position[entry + position[ASKED] // MAX_MAGES] -= 1
    gain(position, seat, 1 if entry == WHITE else 0, 1 if entry == BLACK else 0)
    mark_used(position, seat, tile)


@kernel
def pay_tribute(position: Position, seat: int, kind: Kind) -> None:
    """Pay for 1 Black: with a Lessen tile if one is left."""
    price = black_price(position, seat, kind)
    if price > 0 and position[LESSEN_LEFT] > 0:
        position[LESSEN_LEFT] -= 1
        mark_helpers(position, seat, LESSEN, 1)
    else:
        position[WHITE + seat] -= price


@kernel
def use_power(position: Position) -> bool:
    """Use Conjure or Paralyze."""
    seat = int(position[ENTERING]) // MAX_MAGES
    tile = int(position[MAGE_PLACE + position[ENTERING]])
    kind = int(position[TILE_KIND + tile])
    pay_for(position, seat, kind)
    mark_used(position, seat, tile)
    if VERB_OF[kind] == CONJURE:
        conjure(position, seat, tile)
        return True
    return continue_paralyze(position)
