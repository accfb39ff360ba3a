"""Rearrangement (R11, V14, V15, S8): which pieces are lifted, where each may be put, and whether a change is possible.

The spaces of a Realm are places 0..8, and sets of them are 9-bit masks. Lifted pieces form six classes, put back in
this order: own Powers, own mobile Enforcers, own immobile ones, then the same three of the opponent.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from realmtable.games.realm.layout import (
    BASE,
    EMPTY,
    ENFORCER,
    IMMOBILE,
    IMMOBILE_FACING,
    KIND_MASK,
    LIFTED,
    NO_FACING,
    ORIGIN,
    PHASE,
    PIECE_LIST,
    POWER,
    PUT0,
    R_ALL_MOVE,
    R_REARRANGE_BOTH,
    R_STREAK_LIMIT,
    REARRANGE,
    REARRANGE0,
    SEAT,
    SEAT_SHIFT,
    STREAK_LENGTH,
    STREAK_REALM,
)
from realmtable.games.realm.moves import has_vacant_border
from realmtable.kit.bits import count_bits
from realmtable.kit.compile import kernel
from realmtable.kit.realm_board.arrays import REALM_OF, SPACES
from realmtable.kit.realm_board.geometry import REALMS, Cell, Realm
from realmtable.kit.rules import Position

CLASSES = 6
MOBILE = 1  # class % 3 of mobile Enforcers
CENTER_PLACE = 4
PLACES = 9
ALL_PLACES = (1 << PLACES) - 1

# The places of all six classes in one number: those of class g are bits 9 * g and up.
Places = int


@kernel
def class_of(piece: int, seat: int) -> int:
    """Return the class of a piece when `seat` rearranges."""
    kind = piece & KIND_MASK
    group = 0 if kind == POWER else 2 if kind == IMMOBILE else MOBILE
    return group if piece >> SEAT_SHIFT == seat else group + 3


@kernel
def places_of_class(places: Places, group: int) -> int:
    """Return the mask of one class."""
    return places >> PLACES * group & ALL_PLACES


@kernel
def is_lifted(position: Position, piece: int) -> bool:
    """Whether a Rearrangement by the acting seat lifts such a piece."""
    if piece & KIND_MASK <= BASE:
        return False
    return bool(piece >> SEAT_SHIFT == position[SEAT] or position[R_REARRANGE_BOTH] != 0)


@kernel
def current_places(position: Position, realm: Realm) -> Places:
    """Return the places of the pieces to lift or, once they are lifted, of those put back."""
    places = 0
    for place in range(PLACES):
        piece = position[SPACES[realm, place]]
        if is_lifted(position, piece):
            places |= 1 << PLACES * class_of(piece, position[SEAT]) + place
    return places


@kernel
def original_places(position: Position) -> Places:
    """Return the places the lifted pieces came from."""
    places = 0
    for place in range(PLACES):
        piece = position[LIFTED + place]
        if piece != EMPTY:
            places |= 1 << PLACES * class_of(piece, position[SEAT]) + place
    return places


@kernel
def vacant_places(position: Position, realm: Realm) -> int:
    """Return the mask of empty Border places."""
    mask = 0
    for place in range(PLACES):
        if place != CENTER_PLACE and position[SPACES[realm, place]] == EMPTY:
            mask |= 1 << place
    return mask


@kernel
def can_rearrange(position: Position, realm: Realm) -> bool:
    """Whether the acting seat may rearrange a Realm where it has a Power or Enforcer (R11)."""
    seat = position[SEAT]
    if position[R_STREAK_LIMIT] and position[STREAK_REALM + seat] == realm and position[STREAK_LENGTH + seat] == 2:  # noqa: PLR2004
        return False
    if not position[R_ALL_MOVE]:
        return has_other_arrangement(position, realm)
    before = current_places(position, realm)
    free = vacant_places(position, realm)
    for group in range(CLASSES):
        free |= places_of_class(before, group)
    return can_complete(position, before, 0, free, False)


@kernel
def has_other_arrangement(position: Position, realm: Realm) -> bool:
    """Answer `can_rearrange` for games without V15. It needs no search, which matters: every turn asks it first.

    Any piece can go to a vacant Border space, a mobile Enforcer can be turned, and two pieces of different classes can
    trade places. If none of these is possible, every arrangement equals the current one.
    """
    if has_vacant_border(position, realm):
        return True
    group = -1
    for place in range(PLACES):
        piece = position[SPACES[realm, place]]
        if is_lifted(position, piece):
            another = class_of(piece, position[SEAT])
            if another % 3 == MOBILE or group not in (-1, another):
                return True
            group = another
    return False


@kernel
def can_complete(position: Position, before: Places, after: Places, free: int, changed: bool) -> bool:
    """Whether the pieces still in hand can be put on free places to reach a legal result.

    `after` holds the pieces already put; `changed` says whether one of its Enforcers faces a new direction. Without
    V15, an earlier change or a mobile Enforcer in hand is enough: the rest fits if the class being put has room above
    its last place. Otherwise places are tried piece by piece, ascending within a class.
    """
    begun = 0  # the first class with pieces still in hand
    left = 0
    for group in range(CLASSES):
        missing = count_bits(places_of_class(before, group)) - count_bits(places_of_class(after, group))
        changed = changed or (group % 3 == MOBILE and missing > 0)  # it can be turned
        if missing == 0:
            changed = changed or places_of_class(before, group) != places_of_class(after, group)
        elif left == 0:
            begun = group
            if count_bits(free & ~places_up_to(places_of_class(after, group))) < missing:
                return False
            changed = changed or places_of_class(after, group) & ~places_of_class(before, group) != 0
        left += missing
    if changed and not position[R_ALL_MOVE]:
        return True
    return search_completion(position, before, after, free, changed, begun)


@kernel
def places_up_to(mask: int) -> int:
    """Return all places up to the highest one in a mask."""
    low = 0
    while low < mask:
        low = low << 1 | 1
    return low


@kernel
def search_completion(
    position: Position, before: Places, after: Places, free: int, changed: bool, begun: int
) -> bool:  # fmt: skip
    """Whether any way to put the rest is legal, by trying them; `begun` is the first class with a piece in hand."""
    groups = np.empty(PLACES, dtype=np.int64)  # class of each piece in hand
    spots = np.empty(PLACES, dtype=np.int64)  # the place tried for it, as a bit
    in_hand = 0
    for group in range(begun, CLASSES):
        for _ in range(count_bits(places_of_class(before, group)) - count_bits(places_of_class(after, group))):
            groups[in_hand] = group
            spots[in_hand] = 0
            in_hand += 1
    depth = 0
    while depth >= 0:
        if depth == in_hand:
            if is_legal_rearrangement(position, before, after, changed):
                return True
            depth -= 1
            continue
        shift = PLACES * groups[depth]
        after ^= spots[depth] << shift  # undo the previous try
        free |= spots[depth]
        spots[depth] = next_free_place(free, places_of_class(after, groups[depth]), spots[depth])
        after ^= spots[depth] << shift
        free ^= spots[depth]
        depth += 1 if spots[depth] else -1
    return False


@kernel
def next_free_place(free: int, taken: int, tried: int) -> int:
    """Return the lowest free place above `taken` and `tried` as a bit, or 0 if there is none."""
    room = free & ~places_up_to(taken) & ~places_up_to(tried)
    return room & -room


@kernel
def is_legal_rearrangement(position: Position, before: Places, after: Places, changed: bool) -> bool:
    """Whether a finished Rearrangement is legal: something changed (R11) and lone own pieces moved (V15)."""
    if position[R_ALL_MOVE]:
        for group in range(3):
            stood = places_of_class(before, group)
            if count_bits(stood) == 1 and stood == places_of_class(after, group):
                return False
    return changed or before != after


@kernel
def list_rearrangements(position: Position, out: NDArray[np.int64], men: int, count: int) -> int:
    """List the Realms of the listed pieces that may be rearranged."""
    held = 0
    for index in range(men):
        held |= 1 << REALM_OF[out[PIECE_LIST + index]]
    for realm in range(REALMS):
        if held >> realm & 1 and can_rearrange(position, realm):
            out[count] = REARRANGE0 + realm
            count += 1
    return count


@kernel
def lift_pieces(position: Position) -> None:
    """Take the pieces off the Realm being rearranged."""
    realm = position[ORIGIN]
    for place in range(PLACES):
        space = SPACES[realm, place]
        if is_lifted(position, position[space]):
            position[LIFTED + place] = position[space]
            position[space] = EMPTY


@kernel
def list_puts(position: Position, out: NDArray[np.int64]) -> int:
    """List where the next lifted piece may be put (S8)."""
    realm = position[ORIGIN]
    before = original_places(position)
    after = current_places(position, realm)
    group = next_class_to_put(before, after)
    free = vacant_places(position, realm)
    turned = has_turned_enforcer(position)
    low = NO_FACING if group % 3 == 0 else 0 if group % 3 == MOBILE else IMMOBILE_FACING
    high = NO_FACING if group % 3 == MOBILE else low + 1
    count = 0
    spot = next_free_place(free, places_of_class(after, group), 0)
    while spot:
        place = count_bits(spot - 1)
        put = after | spot << PLACES * group
        stood = position[LIFTED + place]
        for facing in range(low, high):
            turns = (
                stood != EMPTY and group == class_of(stood, position[SEAT]) and (stood & KIND_MASK) - ENFORCER != facing
            )
            if can_complete(position, before, put, free ^ spot, turned or (turns and group % 3 == MOBILE)):
                out[count] = PUT0 + SPACES[realm, place] * 6 + facing
                count += 1
        spot = next_free_place(free, places_of_class(after, group), spot)
    return count


def has_room_for_next(position: Position, space: Cell) -> bool:
    """Whether S8 allows the next piece on a free space: above its class, with room for the pieces after it."""
    realm = int(position[ORIGIN])
    before, after = original_places(position), current_places(position, realm)
    group = next_class_to_put(before, after)
    room = vacant_places(position, realm) & ~places_up_to(places_of_class(after, group))
    place = 1 << int(np.flatnonzero(SPACES[realm] == space)[0])
    left = count_bits(places_of_class(before, group)) - count_bits(places_of_class(after, group))
    return bool(room & place) and count_bits(room & ~places_up_to(place)) >= left - 1


@kernel
def next_class_to_put(before: Places, after: Places) -> int:
    """Return the class of the next piece to put."""
    group = 0
    while count_bits(places_of_class(after, group)) == count_bits(places_of_class(before, group)):
        group += 1
    return group


@kernel
def has_turned_enforcer(position: Position) -> bool:
    """Whether an Enforcer was put where one of its class stood, but facing another direction."""
    for place in range(PLACES):
        stood = position[LIFTED + place]
        stands = position[SPACES[position[ORIGIN], place]]
        both = stood != EMPTY and is_lifted(position, stands)
        if both and stood != stands and class_of(stood, position[SEAT]) == class_of(stands, position[SEAT]):
            return True
    return False


@kernel
def put_back(position: Position, space: Cell, facing: int) -> None:
    """Put the next lifted piece on a space."""
    group = next_class_to_put(original_places(position), current_places(position, position[ORIGIN]))
    seat = position[SEAT] if group < 3 else 1 - position[SEAT]  # noqa: PLR2004 - own classes
    kind = POWER if facing == NO_FACING else IMMOBILE if facing == IMMOBILE_FACING else ENFORCER + facing
    position[space] = kind + (seat << SEAT_SHIFT)


@kernel
def count_puts_left(position: Position) -> int:
    """Count the lifted pieces still in hand."""
    return count_bits(original_places(position)) - count_bits(current_places(position, position[ORIGIN]))


def pieces_in_hand(position: Position) -> list[int]:
    """Return the pieces that a Rearrangement has lifted and not yet put, the next one first (S8)."""
    if position[PHASE] != REARRANGE:
        return []
    seat = int(position[SEAT])
    lifted = [int(piece) for piece in position[LIFTED : LIFTED + 9] if piece != EMPTY]
    lifted.sort(key=lambda piece: class_of(piece, seat))
    return lifted[len(lifted) - count_puts_left(position) :]
