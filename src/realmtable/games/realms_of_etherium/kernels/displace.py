"""Kernels for pushing Mages out of a place (T6, T7), and for Mages that leave one (D1)."""

from __future__ import annotations

from realmtable.games.realms_of_etherium.kernels.layout import (
    ACTIVE_MAGE,
    ACTIVE_SEAT,
    ASKED,
    DISPLACE_OWNER,
    DISPLACE_PLACE,
    DISRUPTION_KIND,
    EXHAUSTED,
    IN_PROTECT,
    IN_PUSH,
    IN_TARGET,
    LEFT,
    LEFT_COUNT,
    MAGE_PLACE,
    MAX_MAGES,
    NONE,
    PHASE,
    PORTALS,
    PUSH,
    PUSH0,
    PUSH_MAGE0,
    R_DISPLACE_SELF,
    R_OWNER_CHOOSES,
    SEAT,
    SEATS,
    TARGET,
    TARGETS,
    TILE_KIND,
    TRIED,
    MageNumber,
    Place,
)
from realmtable.games.realms_of_etherium.kernels.powers import ask, enter_place, is_active, stop_displace
from realmtable.games.realms_of_etherium.kernels.prices import can_pay, can_protect, find_unused, mark_used, pay_for
from realmtable.games.realms_of_etherium.kernels.world import has_adjacent_place, list_adjacent_places
from realmtable.kit.compile import kernel
from realmtable.kit.rules import Position, Steps

# ---- Mages


@kernel
def leave_place(position: Position, mage: MageNumber, place: Place) -> None:
    """Move a Mage to another place and note the Realm it leaves, unless that is Permanent or was noted last (D1)."""
    left = int(position[MAGE_PLACE + mage])
    position[MAGE_PLACE + mage] = place
    if left == PORTALS or position[TILE_KIND + left] == DISRUPTION_KIND:
        return
    count = int(position[LEFT_COUNT])
    if count > 0 and position[LEFT + count - 1] == left:
        return
    position[LEFT + count] = left
    position[LEFT_COUNT] = count + 1


@kernel
def is_first_of_equals(position: Position, mage: MageNumber, excluded: int) -> bool:
    """Whether a Mage has the lowest number of those equal to it (N4); `excluded` has the bits of Mages to leave out."""
    if is_active(position, mage):
        return True
    for other in range(mage // MAX_MAGES * MAX_MAGES, mage):
        if excluded >> other & 1 or is_active(position, other):
            continue
        if position[MAGE_PLACE + other] != position[MAGE_PLACE + mage]:
            continue
        if position[EXHAUSTED + other] == position[EXHAUSTED + mage]:
            return False
    return True


# ---- Displace


@kernel
def can_be_pushed(position: Position, mage: MageNumber, place: Place) -> bool:
    """Whether a Mage can be pushed out of a place."""
    if position[MAGE_PLACE + mage] != place or position[TRIED] >> mage & 1:
        return False
    return bool(position[R_DISPLACE_SELF] or not is_active(position, mage))


@kernel
def has_mage_to_push(position: Position, owner: int, place: Place) -> bool:
    """Whether a seat has a Mage that can be pushed out of a place."""
    for mage in range(owner * MAX_MAGES, owner * MAX_MAGES + MAX_MAGES):
        if can_be_pushed(position, mage, place):
            return True
    return False


@kernel
def can_displace(position: Position) -> bool:
    """Whether the active player can use Displace now (T6)."""
    seat = int(position[ACTIVE_SEAT])
    tile = find_unused(position, seat, PUSH)
    if tile == NONE or not can_pay(position, seat, int(position[TILE_KIND + tile])):
        return False
    place = int(position[MAGE_PLACE + position[ACTIVE_MAGE]])
    for owner in range(position[SEATS]):
        if has_mage_to_push(position, owner, place):
            return has_adjacent_place(position, place)
    return False


@kernel
def start_displace(position: Position) -> None:
    """Pay for a Displace; the active player's own Mages come first."""
    seat = int(position[ACTIVE_SEAT])
    tile = find_unused(position, seat, PUSH)
    pay_for(position, seat, int(position[TILE_KIND + tile]))
    mark_used(position, seat, tile)
    position[DISPLACE_PLACE] = position[MAGE_PLACE + position[ACTIVE_MAGE]]
    position[DISPLACE_OWNER] = seat


@kernel
def continue_displace(position: Position) -> bool:
    """Let the active player push a Mage of the next owner who has one; return whether the Displace is finished."""
    place = int(position[DISPLACE_PLACE])
    while not has_mage_to_push(position, int(position[DISPLACE_OWNER]), place):
        if not go_to_next_owner(position):
            return True
    position[PHASE] = IN_PUSH
    position[SEAT] = position[ACTIVE_SEAT]
    return False


@kernel
def go_to_next_owner(position: Position) -> bool:
    """Go on to the next player in turn order; return False and finish the Displace after the last one."""
    position[DISPLACE_OWNER] = (position[DISPLACE_OWNER] + 1) % position[SEATS]
    if position[DISPLACE_OWNER] != position[ACTIVE_SEAT]:
        return True
    stop_displace(position)
    return False


@kernel
def list_pushes(position: Position, out: Steps) -> int:
    """List which Mage of the owner being dealt with can be pushed and, unless its owner chooses (V3), where to."""
    place = int(position[DISPLACE_PLACE])
    owner = int(position[DISPLACE_OWNER])
    listed = 0
    for mage in range(owner * MAX_MAGES, owner * MAX_MAGES + MAX_MAGES):
        if not can_be_pushed(position, mage, place):
            continue
        if not is_first_of_equals(position, mage, int(position[TRIED])):
            continue
        if not position[R_OWNER_CHOOSES]:
            listed = list_adjacent_places(position, place, PUSH0 + mage * TARGETS, out, listed)
        elif has_adjacent_place(position, place):
            out[listed] = PUSH_MAGE0 + mage
            listed += 1
    return listed


@kernel
def choose_pushed(position: Position, mage: MageNumber, target: Place) -> bool:
    """Choose a Mage to push, to a place or NONE (V3); return whether its entry is finished."""
    owner = mage // MAX_MAGES
    if owner != position[ACTIVE_SEAT] and can_protect(position, owner):
        ask(position, IN_PROTECT, owner, mage)
        position[TARGET] = target
        return False
    return push_or_ask(position, mage, target)


@kernel
def push_or_ask(position: Position, mage: MageNumber, target: Place) -> bool:
    """Push a Mage that has no Protection, or let its owner choose the place (V3)."""
    if target == NONE:
        ask(position, IN_TARGET, mage // MAX_MAGES, mage)
        return False
    return push_mage(position, mage, target)


@kernel
def push_mage(position: Position, mage: MageNumber, target: Place) -> bool:
    """Push a Mage to a place, which it enters at once (P2)."""
    position[ASKED] = NONE
    position[TARGET] = NONE
    leave_place(position, mage, target)
    return enter_place(position, mage)
