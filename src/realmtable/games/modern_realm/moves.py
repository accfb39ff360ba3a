"""Which pieces are mobile (D3) and where a piece can go (D4 to D8)."""

from __future__ import annotations

from typing import Final

from realmtable.games.modern_realm.position import (
    AGENT,
    CLOSED,
    COUNTER,
    EMPTY,
    ENEMY,
    HQ,
    KIND,
    LINES,
    MOVE0,
    OWN,
    R_CAPTURE_ON_ENTRY,
    R_HQ_COUNTS,
    R_ORIGIN_CLOSED,
    SEEN,
    SEIZED,
    SIDE_BIT,
)
from realmtable.kit.array_state import Position, Steps
from realmtable.kit.compile import kernel
from realmtable.kit.realm_arrays import CENTER, REACH, REALM_OF, SPACES, STRIDE
from realmtable.kit.realm_board import CELLS, REALMS, Cell, Direction, Realm

TARGETS: Final = (0xFF00, 0x00FF)  # B2: bits of the Realms that a seat is to capture


@kernel
def is_of(piece: int, seat: int) -> bool:
    """Whether a piece, or nothing, belongs to a seat."""
    return piece != EMPTY and piece >> SIDE_BIT == seat


@kernel
def pieces_in(position: Position, realm: Realm, seat: int) -> int:
    """How many pieces a seat has in a Realm, Headquarters counted where they count (D11, V2)."""
    count = 0
    for place in range(9):
        piece = position[SPACES[realm, place]]
        if is_of(piece, seat) and (piece & KIND != HQ or position[R_HQ_COUNTS]):
            count += 1
    return count


@kernel
def agents_are_mobile(position: Position, realm: Realm, seat: int) -> bool:
    """D3: whether the Agents of a seat in a Realm are mobile; they all are or none is."""
    center = position[CENTER[realm]]
    if center == EMPTY or is_of(center, seat):
        return True
    return pieces_in(position, realm, seat) >= pieces_in(position, realm, 1 - seat)


@kernel
def mobile_places(position: Position, realm: Realm, seat: int) -> int:
    """Bits of the places in a Realm where a seat has mobile pieces (D3)."""
    places = 0
    agents = agents_are_mobile(position, realm, seat)
    for place in range(9):
        piece = position[SPACES[realm, place]] - (seat << SIDE_BIT)
        if piece == COUNTER or (agents and piece == AGENT):
            places |= 1 << place
    return places


@kernel
def closed_realm(position: Position, seat: int) -> Realm:
    """The Realm that a seat may not enter, for the enemy Counter-Agent is in it (D5); -1 if there is none."""
    counter = COUNTER + ((1 - seat) << SIDE_BIT)
    for cell in range(CELLS):
        if position[cell] == counter:
            return int(REALM_OF[cell])
    return -1


@kernel
def can_leave(position: Position, realm: Realm, places: int, closed: Realm) -> bool:
    """Whether a piece on one of these places can leave the Realm: the first space outside is enough (D2, D4, D5)."""
    for place in range(9):
        if places >> place & 1:
            for way in range(4):
                if way_out(position, SPACES[realm, place], way, closed) >= 0:
                    return True
    return False


@kernel
def way_out(position: Position, source: Cell, way: Direction, closed: Realm) -> Cell:
    """The first space outside its Realm that a piece comes to one way; -1 if it does not get there."""
    space = source
    for _ in range(REACH[source, way]):
        space += STRIDE[way]
        if position[space] != EMPTY:
            return -1
        if REALM_OF[space] != REALM_OF[source]:
            return -1 if REALM_OF[space] == closed else int(space)
    return -1


@kernel
def centers_of(position: Position, seat: int) -> int:
    """Bits of the Realms with a piece of a seat on the Center."""
    realms = 0
    for realm in range(REALMS):
        if is_of(position[CENTER[realm]], seat):
            realms |= 1 << realm
    return realms


@kernel
def seized_realms(position: Position, seat: int) -> int:
    """V5: bits of the target Realms that a piece captures as it enters; none without the option."""
    if not position[R_CAPTURE_ON_ENTRY]:
        return 0
    return TARGETS[seat] & ~(centers_of(position, seat) | centers_of(position, 1 - seat))


@kernel
def survey(position: Position, seat: int, out: Steps) -> None:
    """Note behind the list what `mark_targets` looks at, and clear the marks."""
    out[SEEN:LINES] = 0
    out[OWN] = centers_of(position, seat)
    out[ENEMY] = centers_of(position, 1 - seat)
    out[CLOSED] = closed_realm(position, seat)
    out[SEIZED] = seized_realms(position, seat)


@kernel
def list_moves_of(position: Position, source: Cell, out: Steps, count: int) -> int:
    """After `survey`: list the moves of one piece, in rising order of targets; the marks are cleared again."""
    mark_targets(position, source, out)
    for target in range(CELLS):
        out[count] = MOVE0 + source * CELLS + target
        count += 1 if out[SEEN + target] else 0
        out[SEEN + target] = 0
    return count


@kernel
def shut_realms(position: Position, home: Realm, out: Steps) -> int:
    """After `survey`: bits of the Realms that a piece which began in `home` may not enter (D4, D5, V4)."""
    shut = 1 << out[CLOSED] if out[CLOSED] >= 0 else 0
    if position[R_ORIGIN_CLOSED] or (out[ENEMY] | out[SEIZED]) >> home & 1:  # it would have to end there
        shut |= 1 << home
    return int(shut)


@kernel
def mark_targets(position: Position, source: Cell, out: Steps) -> None:
    """After `survey`: mark from `out[SEEN]` on every space a piece can end on.

    A mark has a bit for each direction in which the piece can come to a space: 0 to 3 if it may still turn in that
    Realm, 4 to 7 if it has turned there. The lines still to follow wait from `out[LINES]` on.
    """
    home = REALM_OF[source]
    shut = shut_realms(position, home, out)
    must_end = out[ENEMY] & ~(1 << home)  # D6; it has not entered the Realm it leaves
    own = out[OWN] if source != CENTER[home] else out[OWN] & ~(1 << home)  # D4: it has left that Center
    waiting = 0
    for way in range(4):
        space = way_out(position, source, way, out[CLOSED])
        if space >= 0:
            out[LINES + waiting] = (space - STRIDE[way]) * 8 + way
            waiting += 1
    while waiting > 0:
        waiting -= 1
        space, heading = out[LINES + waiting] >> 3, out[LINES + waiting] & 7
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
            if out[SEEN + space] & (1 << heading | 1 << way):  # who may still turn comes to all that others come to
                break
            out[SEEN + space] |= 1 << heading
            if out[SEIZED] >> realm & 1:  # V5
                break
            if heading < 4 and own >> realm & 1:  # noqa: PLR2004 - D7: it has not turned in this Realm
                waiting = add_turns(space, way, out, waiting)
    for place in range(9):  # D4: it may come through the Realm it began in, but not end there
        out[SEEN + SPACES[home, place]] = 0


@kernel
def add_turns(space: Cell, way: Direction, out: Steps, waiting: int) -> int:
    """Add the lines at a right angle from a space that were not followed yet; how many wait then is returned (D7)."""
    for aside in (way ^ 1, way ^ 3):
        if not out[SEEN + space] >> (4 + aside) & 1:
            out[SEEN + space] |= 16 << aside
            out[LINES + waiting] = space * 8 + 4 + aside
            waiting += 1
    return waiting
