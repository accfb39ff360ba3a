"""Which steps are legal: where a piece on a Center comes to, over its own side's pieces (M2, M3, M5, M7, M8).

Sets of Realms are numbers of 16 bits, so that one shift takes all of them a Center further.
"""

from __future__ import annotations

from typing import Final

from realmtable.games.medieval_realm.position import (
    BORDER,
    DUKE,
    EMPTY,
    GOES_ON,
    KIND,
    OFF_BOARD,
    PASS,
    REASON,
    SEAT,
    SIDE_BIT,
    TARGETS,
)
from realmtable.kit.array_state import Position, Steps
from realmtable.kit.compile import kernel
from realmtable.kit.realm_board import REALMS, Realm

ALL: Final = 0xFFFF
WEST_FILE: Final = 0x1111
EAST_FILE: Final = 0x8888
FAR_ROW: Final = (0xF000, 0x000F)  # of White and of Black (B3)
FULL: Final = 9  # M7


@kernel
def own_realms(position: Position, seat: int) -> int:
    """The Realms with a piece of a seat on the Center."""
    realms = 0
    for realm in range(REALMS):
        if position[realm] != EMPTY and position[realm] >> SIDE_BIT == seat:
            realms |= 1 << realm
    return realms


@kernel
def guarded_realms(position: Position, seat: int) -> int:
    """The Realms a seat may not enter for an enemy Duke (M5)."""
    realms = 0
    for realm in range(REALMS):
        if position[realm] == DUKE + (1 - seat << SIDE_BIT):
            realms |= 1 << realm
    return realms


@kernel
def full_realms(position: Position) -> int:
    """The Realms nobody may enter, for they hold nine pieces (M7)."""
    realms = 0
    for realm in range(REALMS):
        lying = position[BORDER + 2 * realm] + position[BORDER + 2 * realm + 1]
        if lying + (position[realm] != EMPTY) == FULL:
            realms |= 1 << realm
    return realms


@kernel
def neighbours(realms: int, seat: int, is_duke: bool) -> int:
    """The Realms next to some Realms as a piece moves: forward and sideways, a Duke also back (M2)."""
    north, south = realms << 4 & ALL, realms >> 4
    sideways = (realms & ~EAST_FILE) << 1 | (realms & ~WEST_FILE) >> 1
    if is_duke:
        return north | south | sideways
    return (north if seat == 0 else south) | sideways


@kernel
def reach(start: Realm, seat: int, is_duke: bool, own: int, closed: int) -> int:
    """The Realms a piece gets to over its own side's pieces, its own Realm included, none of them twice (M3).

    It can end in those without a piece of its own side; as nothing it jumps changes, they are all that matters.
    """
    visited = going_on = 1 << start
    while going_on:
        fresh = neighbours(going_on, seat, is_duke) & ~closed & ~visited
        visited |= fresh
        going_on = fresh & own
    return visited


@kernel
def legal_steps(position: Position, out: Steps) -> int:
    """List the legal steps of who acts in rising order; how many there are is returned."""
    if position[REASON] != GOES_ON:
        return 0
    seat = int(position[SEAT])
    own = own_realms(position, seat)
    closed = guarded_realms(position, seat) | full_realms(position)
    count = 0
    for start in range(REALMS):
        if own >> start & 1:
            visited = reach(start, seat, position[start] & KIND == DUKE, own, closed)
            for target in range(REALMS):
                if (visited & ~own) >> target & 1:
                    out[count] = start * TARGETS + target
                    count += 1
            if visited & own & (FAR_ROW[0] if seat == 0 else FAR_ROW[1]):  # M8
                out[count] = start * TARGETS + OFF_BOARD
                count += 1
    if count == 0:  # M10
        out[0] = PASS
        count = 1
    return count
