"""How pieces move (R6 to R8, V5), and which moves the turn so far allows (S4)."""

from __future__ import annotations

from realmtable.games.realm.layout import (
    BASE,
    EMPTY,
    ENFORCER,
    IMMOBILE,
    KIND_MASK,
    MOVE0,
    MOVED,
    ORIGIN,
    PIECE_LIST,
    POWER,
    R_SINGLE_POWER,
    R_STOP_IN_ENEMY_REALM,
    SACRIFICED,
    SEAT,
    SEAT_SHIFT,
    TARGET,
    TURNS,
)
from realmtable.kit.compile import kernel
from realmtable.kit.realm_board.arrays import CENTER, DIRECTIONS_BETWEEN, IS_CENTER, REACH, REALM_OF, SPACES, STRIDE
from realmtable.kit.realm_board.geometry import CELLS, EAST, NORTH, SOUTH, WEST, Cell, Direction, Realm
from realmtable.kit.rules import Position, Steps

ALL_DIRECTIONS = 15


@kernel
def count_powers(position: Position, realm: Realm, seat: int) -> int:
    """Count a seat's Powers in a Realm."""
    piece = POWER + (seat << SEAT_SHIFT)
    count = 0
    for place in range(9):
        if position[SPACES[realm, place]] == piece:
            count += 1
    return count


@kernel
def count_mobile_enforcers(position: Position, realm: Realm, seat: int) -> int:
    """Count a seat's mobile Enforcers in a Realm."""
    low = ENFORCER + (seat << SEAT_SHIFT)
    count = 0
    for place in range(9):
        if low <= position[SPACES[realm, place]] < low + 4:
            count += 1
    return count


@kernel
def has_vacant_border(position: Position, realm: Realm) -> bool:
    """Whether a Border space of a Realm is empty."""
    for place in range(9):
        if position[SPACES[realm, place]] == EMPTY and place != 4:  # noqa: PLR2004 - the Center
            return True
    return False


@kernel
def slide_length(position: Position, source: Cell, way: Direction) -> int:
    """Return how many spaces a piece can move in a direction before it is stopped (R7, V5)."""
    enemy_base = BASE + ((1 - (position[source] >> SEAT_SHIFT)) << SEAT_SHIFT)
    closed = position[R_STOP_IN_ENEMY_REALM] != 0
    last_realm = -1
    space = source
    stride = STRIDE[way]
    for length in range(REACH[source, way]):
        space += stride
        if position[space] != EMPTY:
            return length
        if closed:
            realm = REALM_OF[space]
            if last_realm not in (-1, realm):
                return length
            if realm != REALM_OF[source] and position[CENTER[realm]] == enemy_base:
                last_realm = realm
    return int(REACH[source, way])


@kernel
def can_move_toward(piece: int, way: Direction) -> bool:
    """Whether a piece can move in a direction: Enforcers not straight back, immobile ones and Bases never."""
    kind = piece & KIND_MASK
    if kind == POWER:
        return True
    return ENFORCER <= kind < IMMOBILE and (kind - ENFORCER) ^ 2 != way


@kernel
def can_stop_at(source: Cell, target: Cell, wanted: Realm) -> bool:
    """Whether a move may end on `target`: in another Realm (`wanted`, unless -1) and not on a Center (R7)."""
    realm = REALM_OF[target]
    return realm != REALM_OF[source] and not IS_CENTER[target] and (wanted in (-1, realm))


@kernel
def list_piece_moves(position: Position, source: Cell, wanted: Realm, out: Steps, count: int) -> int:
    """List the moves of one piece in ascending order of targets, only into the Realm `wanted` unless it is -1."""
    piece = int(position[source])
    ways = ALL_DIRECTIONS if wanted < 0 else DIRECTIONS_BETWEEN[REALM_OF[source], wanted]
    for way in (SOUTH, WEST, EAST, NORTH):
        if not (ways >> way & 1 and can_move_toward(piece, way)):
            continue
        length = slide_length(position, source, way)
        stride = STRIDE[way]
        target = source + stride * length if stride < 0 else source + stride
        for _ in range(length):
            if can_stop_at(source, target, wanted):
                out[count] = MOVE0 + source * CELLS + target
                count += 1
            target += abs(stride)
    return count


@kernel
def can_leave(position: Position, realm: Realm, seat: int) -> bool:
    """Whether a seat has a Dispersal from a Realm."""
    for place in range(9):
        source = SPACES[realm, place]
        piece = int(position[source])
        if piece == EMPTY or piece >> SEAT_SHIFT != seat:
            continue
        for way in range(4):
            if can_move_toward(piece, way):
                target = source
                for _ in range(slide_length(position, source, way)):
                    target += STRIDE[way]
                    if can_stop_at(source, target, -1):
                        return True
    return False


@kernel
def list_pieces(position: Position, out: Steps) -> int:
    """Write the spaces of the acting seat's Powers and Enforcers from `out[PIECE_LIST]` on and return their number.

    Branch-free, because the processor cannot predict which of the 144 spaces hold a piece.
    """
    low = POWER + (position[SEAT] << SEAT_SHIFT)
    men = 0
    for cell in range(CELLS):
        out[PIECE_LIST + men] = cell
        men += 1 if low <= position[cell] <= low + IMMOBILE - POWER else 0
    return men


@kernel
def list_moves(position: Position, out: Steps, men: int) -> int:
    """List every move of the listed pieces that the turn so far allows (S4)."""
    opening = position[MOVED] == 0 and position[SACRIFICED] == 0
    single = is_single_power_turn(position)
    count = 0
    for index in range(men):
        source = out[PIECE_LIST + index]
        if opening:
            if not single or position[source] & KIND_MASK == POWER:
                count = list_piece_moves(position, source, -1, out, count)
        elif REALM_OF[source] == position[ORIGIN]:
            count = list_piece_moves(position, source, -1, out, count)
        elif position[TARGET] >= 0 and DIRECTIONS_BETWEEN[REALM_OF[source], position[TARGET]]:
            count = list_piece_moves(position, source, position[TARGET], out, count)
    return count


@kernel
def is_single_power_turn(position: Position) -> bool:
    """Whether this is the turn of V9."""
    return bool(position[R_SINGLE_POWER] != 0 and position[TURNS] == 0)
