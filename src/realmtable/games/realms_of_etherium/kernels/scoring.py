"""Kernels for points (C4 to C9) and for who is first (E2)."""

from __future__ import annotations

from typing import Final

import numpy as np

from realmtable.games.realms_of_etherium.kernels.layout import (
    BLACK,
    BY_OPPONENTS,
    CONNECTED,
    CONTROLLED,
    DISRUPTION_KIND,
    DISRUPTION_TYPE,
    IS_VICTORY,
    NONE,
    OF,
    POINTS,
    PORTAL_KIND,
    PORTAL_TYPE,
    PORTALS,
    R_ANY_CONTROL,
    R_LONE_CONNECTED,
    R_POINTS,
    SCORE_ADJACENT,
    SCORE_CONNECTED,
    SCORE_CONTROLLED,
    SCORE_PAIRS,
    SEATS,
    SECOND_COLOUR,
    SIDE_COUNT,
    SIDES,
    TILE_HEX,
    TILE_KIND,
    TILE_OWNER,
    TRIGGERED,
    VALUE,
    VERB_OF,
    WHITE,
    TileNumber,
)
from realmtable.games.realms_of_etherium.kernels.world import Labels, colour_of, fact, tile_count, tile_on
from realmtable.kit.bits import count_bits
from realmtable.kit.compile import kernel
from realmtable.kit.rules import NO_WINNER, Position

MAX_LISTED: Final = PORTALS + 1  # tiles in a list of groups: all, and the Victory Realm a second time


@kernel
def update_points(position: Position) -> None:
    """Compute the points and Controlled Realms of all seats, and check whether the end is triggered (N10, E1)."""
    seats = int(position[SEATS])
    for seat in range(seats):
        position[POINTS + seat] = 0
        position[CONTROLLED + seat] = 0
    for tile in range(tile_count(position)):
        owner = int(position[TILE_OWNER + tile]) - 1
        if owner >= 0:
            position[CONTROLLED + owner] += 1
            if IS_VICTORY[position[TILE_KIND + tile]]:
                position[POINTS + owner] += value_of(position, tile)
    for seat in range(seats):
        if position[POINTS + seat] >= position[R_POINTS]:
            position[TRIGGERED] = 1


@kernel
def value_of(position: Position, tile: TileNumber) -> int:
    """Return the points of a Controlled Victory Realm."""
    kind = int(position[TILE_KIND + tile])
    verb = int(VERB_OF[kind])
    if verb == SCORE_ADJACENT:
        number = count_colour(position, tile, fact(position, kind, OF))
    elif verb == SCORE_PAIRS:
        first = count_colour(position, tile, fact(position, kind, OF))
        number = min(first, count_colour(position, tile, fact(position, kind, SECOND_COLOUR)))
    elif verb == SCORE_CONNECTED:
        number = count_connected(position, tile)
    elif verb == SCORE_CONTROLLED:
        number = count_connected(position, tile) if fact(position, kind, CONNECTED) else count_counting(position, tile)
    else:
        number = count_types(position, tile)
    return number * fact(position, kind, VALUE)


@kernel
def count_colour(position: Position, tile: TileNumber, colour: int) -> int:
    """Return how many Realms of a colour touch a Realm."""
    hex_ = int(position[TILE_HEX + tile])
    number = 0
    for side in range(SIDE_COUNT):
        other = tile_on(position, hex_ + int(SIDES[side]))
        if other != NONE and colour_of(position, other) == colour:
            number += 1
    return number


@kernel
def count_types(position: Position, tile: TileNumber) -> int:
    """Return how many types touch a Realm (C9, W6)."""
    hex_ = int(position[TILE_HEX + tile])
    types = 0
    for side in range(SIDE_COUNT):
        other = tile_on(position, hex_ + int(SIDES[side]))
        if other != NONE:
            types |= 1 << type_of(position, other)
    return count_bits(types)


@kernel
def type_of(position: Position, tile: TileNumber) -> int:
    """Return the type of a Realm (W6)."""
    kind = position[TILE_KIND + tile]
    if kind == PORTAL_KIND:
        return PORTAL_TYPE
    return DISRUPTION_TYPE if kind == DISRUPTION_KIND else colour_of(position, tile)


@kernel
def is_counting(position: Position, victory: TileNumber, tile: TileNumber) -> bool:
    """Whether a Realm is of the colour that a Victory Realm counts, or Controlled by the seats that it counts (C8)."""
    kind = int(position[TILE_KIND + victory])
    if VERB_OF[kind] == SCORE_CONNECTED:
        return colour_of(position, tile) == fact(position, kind, OF)
    owner = position[TILE_OWNER + tile]
    if owner == 0:
        return False
    if fact(position, kind, BY_OPPONENTS):
        return bool(owner != position[TILE_OWNER + victory])
    return bool(position[R_ANY_CONTROL] or owner == position[TILE_OWNER + victory])


@kernel
def count_counting(position: Position, victory: TileNumber) -> int:
    """Return how many Realms that count touch a Victory Realm."""
    hex_ = int(position[TILE_HEX + victory])
    number = 0
    for side in range(SIDE_COUNT):
        other = tile_on(position, hex_ + int(SIDES[side]))
        if other != NONE and is_counting(position, victory, other):
            number += 1
    return number


@kernel
def count_connected(position: Position, victory: TileNumber) -> int:
    """Return how many Realms that count are connected to a Victory Realm (C7)."""
    hex_ = int(position[TILE_HEX + victory])
    for side in range(SIDE_COUNT):
        other = tile_on(position, hex_ + int(SIDES[side]))
        if other != NONE and is_counting(position, victory, other):
            return count_in_groups(position, victory)
    return 0


@kernel
def count_in_groups(position: Position, victory: TileNumber) -> int:
    """Return how many Realms that count are in the groups that touch a Victory Realm."""
    found = np.empty(MAX_LISTED, dtype=np.int64)
    found[0] = victory  # C4: it never counts itself
    listed = 1
    lone = position[R_LONE_CONNECTED] or is_counting(position, victory, victory)
    hex_ = int(position[TILE_HEX + victory])
    number = 0
    for side in range(SIDE_COUNT):
        other = tile_on(position, hex_ + int(SIDES[side]))
        if other != NONE and is_counting(position, victory, other) and not is_listed(found, listed, other):
            before = listed
            listed = list_group(position, victory, other, found, listed)
            if listed - before > 1 or lone:
                number += listed - before
    return number


@kernel
def is_listed(found: Labels, listed: int, tile: TileNumber) -> bool:
    """Whether a Realm was found before."""
    for index in range(listed):
        if found[index] == tile:
            return True
    return False


@kernel
def list_group(position: Position, victory: TileNumber, start: TileNumber, found: Labels, listed: int) -> int:
    """Append the group of counting Realms around a Realm that was not found before; return the new length."""
    index = listed
    found[listed] = start
    listed += 1
    while index < listed:
        hex_ = int(position[TILE_HEX + found[index]])
        index += 1
        for side in range(SIDE_COUNT):
            other = tile_on(position, hex_ + int(SIDES[side]))
            if other != NONE and is_counting(position, victory, other) and not is_listed(found, listed, other):
                found[listed] = other
                listed += 1
    return listed


@kernel
def compare_seats(position: Position, first: int, second: int) -> int:
    """Return 1 if one seat is ahead of another, -1 if it is behind, and 0 if they are equal (E2)."""
    for entry in (POINTS, CONTROLLED, BLACK, WHITE):
        difference = position[entry + first] - position[entry + second]
        if difference != 0:
            return 1 if difference > 0 else -1
    return 0


@kernel
def rank_of(position: Position, seat: int) -> int:
    """Return the place of a seat: 1 for the first; equal seats share a place."""
    rank = 1
    for other in range(int(position[SEATS])):
        if compare_seats(position, other, seat) > 0:
            rank += 1
    return rank


@kernel
def winner_of(position: Position) -> int:
    """Return the only seat in first place (E2), or NO_WINNER."""
    winner = NO_WINNER
    for seat in range(int(position[SEATS])):
        if rank_of(position, seat) == 1:
            if winner != NO_WINNER:
                return NO_WINNER
            winner = seat
    return winner
