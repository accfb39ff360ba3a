"""The legal steps: where a piece on a Center can go, jumping over its own side's pieces (M2, M3, M5, M7, M8).

Sets of Realms are 16-bit masks, so one shift moves all of them by one Center.
"""

from __future__ import annotations

from typing import Final

from realmtable.games.medieval_realm.layout import (
    BORDER_COUNTS,
    DUKE,
    EMPTY,
    KIND_MASK,
    OFF_BOARD,
    PASS,
    REASON,
    SEAT,
    SEAT_SHIFT,
    TARGETS_PER_REALM,
    UNFINISHED,
)
from realmtable.kit.compile import kernel
from realmtable.kit.realm_board.geometry import REALMS, Realm
from realmtable.kit.rules import Position, Steps

ALL_REALMS: Final = 0xFFFF
WEST_FILE: Final = 0x1111
EAST_FILE: Final = 0x8888
FAR_ROW: Final = (0xF000, 0x000F)  # for White and for Black (B3)
REALM_CAPACITY: Final = 9  # M7


@kernel
def center_realms(position: Position, seat: int) -> int:
    """Return the Realms where a seat has a piece on the Center."""
    realms = 0
    for realm in range(REALMS):
        if position[realm] != EMPTY and position[realm] >> SEAT_SHIFT == seat:
            realms |= 1 << realm
    return realms


@kernel
def enemy_duke_realms(position: Position, seat: int) -> int:
    """Return the Realms a seat may not enter because of an enemy Duke (M5)."""
    realms = 0
    for realm in range(REALMS):
        if position[realm] == DUKE + (1 - seat << SEAT_SHIFT):
            realms |= 1 << realm
    return realms


@kernel
def full_realms(position: Position) -> int:
    """Return the Realms closed to both seats because they hold nine pieces (M7)."""
    realms = 0
    for realm in range(REALMS):
        lying = position[BORDER_COUNTS + 2 * realm] + position[BORDER_COUNTS + 2 * realm + 1]
        if lying + (position[realm] != EMPTY) == REALM_CAPACITY:
            realms |= 1 << realm
    return realms


@kernel
def neighbours(realms: int, seat: int, is_duke: bool) -> int:
    """Return the Realms one move away: forward and sideways, for a Duke also backwards (M2)."""
    north, south = realms << 4 & ALL_REALMS, realms >> 4
    sideways = (realms & ~EAST_FILE) << 1 | (realms & ~WEST_FILE) >> 1
    if is_duke:
        return north | south | sideways
    return (north if seat == 0 else south) | sideways


@kernel
def reachable_realms(start: Realm, seat: int, is_duke: bool, own: int, closed: int) -> int:
    """Return the Realms a piece can reach by jumping over its own side's pieces, including its own Realm (M3).

    It can end in those without a piece of its own side. Jumping changes nothing, so the path does not matter.
    """
    visited = going_on = 1 << start
    while going_on:
        fresh = neighbours(going_on, seat, is_duke) & ~closed & ~visited
        visited |= fresh
        going_on = fresh & own
    return visited


@kernel
def legal_steps(position: Position, out: Steps) -> int:
    """Write the acting seat's legal steps to `out` in ascending order and return their number."""
    if position[REASON] != UNFINISHED:
        return 0
    seat = int(position[SEAT])
    own = center_realms(position, seat)
    closed = enemy_duke_realms(position, seat) | full_realms(position)
    count = 0
    for start in range(REALMS):
        if own >> start & 1:
            visited = reachable_realms(start, seat, position[start] & KIND_MASK == DUKE, own, closed)
            for target in range(REALMS):
                if (visited & ~own) >> target & 1:
                    out[count] = start * TARGETS_PER_REALM + target
                    count += 1
            if visited & own & (FAR_ROW[0] if seat == 0 else FAR_ROW[1]):  # M8
                out[count] = start * TARGETS_PER_REALM + OFF_BOARD
                count += 1
    if count == 0:  # M10
        out[0] = PASS
        count = 1
    return count
