"""Which pieces are mobile (D3) and where a piece can go (D4 to D8)."""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from realmtable.games.modern_realm.layout import (
    AGENT,
    COUNTER,
    EMPTY,
    ENEMY_CENTERS,
    ENEMY_COUNTER_REALM,
    ENTRY_CAPTURES,
    HQ,
    KIND_MASK,
    LINES,
    MARKS,
    MOVE0,
    OWN_CENTERS,
    R_CAPTURE_ON_ENTRY,
    R_HQ_COUNTS,
    R_ORIGIN_CLOSED,
    SEAT_SHIFT,
)
from realmtable.kit.compile import kernel
from realmtable.kit.realm_board.arrays import CENTER, REACH, REALM_OF, SPACES, STRIDE
from realmtable.kit.realm_board.geometry import CELLS, REALMS, Cell, Direction, Realm
from realmtable.kit.rules import Position, Steps

Work: TypeAlias = NDArray[np.int64]  # [WORK_SIZE]
TARGET_REALMS: Final = (0xFF00, 0x00FF)  # B2: bits of the Realms each seat must capture


@kernel
def belongs_to(piece: int, seat: int) -> bool:
    """Whether there is a piece and it belongs to a seat."""
    return piece != EMPTY and piece >> SEAT_SHIFT == seat


@kernel
def count_pieces(position: Position, realm: Realm, seat: int) -> int:
    """Count a seat's pieces in a Realm, including Headquarters unless V2 is off (D11)."""
    count = 0
    for place in range(9):
        piece = position[SPACES[realm, place]]
        if belongs_to(piece, seat) and (piece & KIND_MASK != HQ or position[R_HQ_COUNTS]):
            count += 1
    return count


@kernel
def agents_are_mobile(position: Position, realm: Realm, seat: int) -> bool:
    """Whether a seat's Agents in a Realm are mobile; either all are or none is (D3)."""
    center = position[CENTER[realm]]
    if center == EMPTY or belongs_to(center, seat):
        return True
    return count_pieces(position, realm, seat) >= count_pieces(position, realm, 1 - seat)


@kernel
def mobile_places(position: Position, realm: Realm, seat: int) -> int:
    """Return bits of the places in a Realm where a seat has mobile pieces (D3)."""
    places = 0
    agents = agents_are_mobile(position, realm, seat)
    for place in range(9):
        piece = position[SPACES[realm, place]] - (seat << SEAT_SHIFT)
        if piece == COUNTER or (agents and piece == AGENT):
            places |= 1 << place
    return places


@kernel
def enemy_counter_realm(position: Position, seat: int) -> Realm:
    """Return the Realm closed to a seat by the enemy Counter-Agent (D5), or -1."""
    counter = COUNTER + ((1 - seat) << SEAT_SHIFT)
    for cell in range(CELLS):
        if position[cell] == counter:
            return int(REALM_OF[cell])
    return -1


@kernel
def can_leave(position: Position, realm: Realm, places: int, closed: Realm) -> bool:
    """Whether a piece on one of these places can reach the first space outside the Realm (D2, D4, D5)."""
    for place in range(9):
        if places >> place & 1:
            for way in range(4):
                if first_cell_outside(position, SPACES[realm, place], way, closed) >= 0:
                    return True
    return False


@kernel
def first_cell_outside(position: Position, source: Cell, way: Direction, closed: Realm) -> Cell:
    """Return the first space outside its Realm that a piece reaches in a direction, or -1 if it is blocked."""
    space = source
    for _ in range(REACH[source, way]):
        space += STRIDE[way]
        if position[space] != EMPTY:
            return -1
        if REALM_OF[space] != REALM_OF[source]:
            return -1 if REALM_OF[space] == closed else int(space)
    return -1


@kernel
def center_realms(position: Position, seat: int) -> int:
    """Return bits of the Realms where a seat has a piece on the Center."""
    realms = 0
    for realm in range(REALMS):
        if belongs_to(position[CENTER[realm]], seat):
            realms |= 1 << realm
    return realms


@kernel
def entry_capture_realms(position: Position, seat: int) -> int:
    """Return bits of the target Realms that a piece captures on entry; none unless V5 is on."""
    if not position[R_CAPTURE_ON_ENTRY]:
        return 0
    return TARGET_REALMS[seat] & ~(center_realms(position, seat) | center_realms(position, 1 - seat))


@kernel
def prepare_marks(position: Position, seat: int, work: Work) -> None:
    """Prepare the working memory of `mark_targets`, and clear the marks."""
    work[MARKS:LINES] = 0
    work[OWN_CENTERS] = center_realms(position, seat)
    work[ENEMY_CENTERS] = center_realms(position, 1 - seat)
    work[ENEMY_COUNTER_REALM] = enemy_counter_realm(position, seat)
    work[ENTRY_CAPTURES] = entry_capture_realms(position, seat)


@kernel
def list_piece_moves(position: Position, source: Cell, work: Work, out: Steps, count: int) -> int:
    """List the moves of one piece in ascending order of targets and clear the marks; call `prepare_marks` first."""
    mark_targets(position, source, work)
    for target in range(CELLS):
        out[count] = MOVE0 + source * CELLS + target
        count += 1 if work[MARKS + target] else 0
        work[MARKS + target] = 0
    return count


@kernel
def forbidden_realms(position: Position, home: Realm, work: Work) -> int:
    """Return bits of the Realms a piece from `home` may not enter (D4, D5, V4); call `prepare_marks` first."""
    shut = 1 << work[ENEMY_COUNTER_REALM] if work[ENEMY_COUNTER_REALM] >= 0 else 0
    if (
        position[R_ORIGIN_CLOSED] or (work[ENEMY_CENTERS] | work[ENTRY_CAPTURES]) >> home & 1
    ):  # it would have to end there
        shut |= 1 << home
    return int(shut)


@kernel
def mark_targets(position: Position, source: Cell, work: Work) -> None:
    """Mark every space a piece can end on, from `work[MARKS]` on; call `prepare_marks` first.

    A mark has a bit for each direction in which the piece can reach a space: 0 to 3 if it may still turn in that
    Realm, 4 to 7 if it has already turned there. Lines still to follow are queued from `work[LINES]` on.
    """
    home = REALM_OF[source]
    shut = forbidden_realms(position, home, work)
    must_end = work[ENEMY_CENTERS] & ~(1 << home)  # D6; leaving its own Realm is not entering it
    own = (
        work[OWN_CENTERS] if source != CENTER[home] else work[OWN_CENTERS] & ~(1 << home)
    )  # D4: it has left that Center
    waiting = 0
    for way in range(4):
        space = first_cell_outside(position, source, way, work[ENEMY_COUNTER_REALM])
        if space >= 0:
            work[LINES + waiting] = (space - STRIDE[way]) * 8 + way
            waiting += 1
    while waiting > 0:
        waiting -= 1
        space, heading = work[LINES + waiting] >> 3, work[LINES + waiting] & 7
        way = heading & 3
        realm = REALM_OF[space]
        for _ in range(REACH[space, way]):
            space += STRIDE[way]
            if position[space] != EMPTY and space != source:
                break
            if REALM_OF[space] != realm:
                if must_end >> realm & 1 or shut >> REALM_OF[space] & 1:
                    break
                realm = REALM_OF[space]
                heading = way
            if work[MARKS + space] & (1 << heading | 1 << way):  # a piece that may still turn reaches at least as much
                break
            work[MARKS + space] |= 1 << heading
            if work[ENTRY_CAPTURES] >> realm & 1:  # V5
                break
            if heading < 4 and own >> realm & 1:  # noqa: PLR2004 - D7: it has not turned in this Realm
                waiting = add_perpendicular_lines(space, way, work, waiting)
    for place in range(9):  # D4: it may pass through the Realm it started in, but not end there
        work[MARKS + SPACES[home, place]] = 0


@kernel
def add_perpendicular_lines(space: Cell, way: Direction, work: Work, waiting: int) -> int:
    """Queue the perpendicular lines from a space that were not followed yet; return the queue's length (D7)."""
    for aside in (way ^ 1, way ^ 3):
        if not work[MARKS + space] >> (4 + aside) & 1:
            work[MARKS + space] |= 16 << aside
            work[LINES + waiting] = space * 8 + 4 + aside
            waiting += 1
    return waiting
