"""The rules as kernels: list the legal steps, and apply them: moves, surrounding (O9), the set-up, the end of a turn.

Lists of steps are in ascending order; there is one for each phase. `apply_step` changes a position in place.
"""

from __future__ import annotations

from realmtable.games.oriental_realm.layout import (
    CELL_KEYS,
    CHOOSE,
    EMPEROR,
    EMPEROR0,
    EMPTY,
    END,
    ENTRY_KEYS,
    KEY_COUNT,
    KEYS,
    MANDARIN,
    MANDARIN0,
    MANDARINS_EACH,
    MAX_TURNS,
    MOVE0,
    OVER,
    PASS,
    PASSED,
    PHASE,
    PIECE_LIST,
    PLACE,
    PLACED,
    R_EMPEROR,
    R_FREE_SETUP,
    R_MAX_TURNS,
    REASON,
    REPETITION,
    SEAT,
    SEAT_SHIFT,
    SURROUNDED,
    TURN,
    TURN_REALM,
    TURNS,
    TWO_PASSES,
    UNMOVED_PLACES,
    WINNER,
)
from realmtable.games.oriental_realm.moves import belongs_to, is_surrounded, list_piece_moves, neighbour_piece
from realmtable.kit.array_kernels import count_key
from realmtable.kit.compile import kernel
from realmtable.kit.realm_board.arrays import CENTER, REALM_OF, SPACES, STRIDE
from realmtable.kit.realm_board.geometry import CELLS, REALMS, Cell
from realmtable.kit.rules import Position, Steps

PLACEMENTS = 16  # V1
CHOICES = 2  # V2

# ---- legal steps


@kernel
def legal_steps(position: Position, out: Steps) -> int:
    """Write the legal steps to `out` in ascending order and return their number."""
    if position[PHASE] == TURN:
        return list_first_moves(position, out) if position[TURN_REALM] < 0 else list_later_moves(position, out)
    if position[PHASE] == PLACE:
        return list_placements(position, out)
    if position[PHASE] == CHOOSE:
        return list_emperor_choices(position, out)
    return 0


@kernel
def list_first_moves(position: Position, out: Steps) -> int:
    """List the first moves of a turn, or a pass if there are none (O2, O7)."""
    men = list_pieces(position, out)
    count = 0
    for index in range(men):
        count = list_piece_moves(position, out[PIECE_LIST + index], out, count)
    if count == 0:
        out[0] = PASS
        count = 1
    return count


@kernel
def list_pieces(position: Position, out: Steps) -> int:
    """Write the spaces of the acting seat's pieces from `out[PIECE_LIST]` on and return their number.

    Branch-free, because the processor cannot predict which of the 144 spaces hold a piece.
    """
    low = MANDARIN + (position[SEAT] << SEAT_SHIFT)
    men = 0
    for cell in range(CELLS):
        out[PIECE_LIST + men] = cell
        men += 1 if low <= position[cell] <= low + EMPEROR - MANDARIN else 0
    return men


@kernel
def list_later_moves(position: Position, out: Steps) -> int:
    """List the further moves of a turn, and its end (S2)."""
    count = 0
    for place in range(9):
        if position[UNMOVED_PLACES] >> place & 1:
            count = list_piece_moves(position, SPACES[position[TURN_REALM], place], out, count)
    out[count] = END
    return count + 1


@kernel
def list_placements(position: Position, out: Steps) -> int:
    """List the spaces for a Mandarin and for the Emperor (V1)."""
    side = position[SEAT] << SEAT_SHIFT
    mandarins = 0
    emperors = 0
    held = 0
    for cell in range(CELLS):
        if position[cell] != EMPTY:
            held |= 1 << REALM_OF[cell]
            mandarins += position[cell] == MANDARIN + side
            emperors += position[cell] == EMPEROR + side
    count = 0
    if mandarins < MANDARINS_EACH:
        count = list_placements_of_kind(held, MANDARIN0, out, count)
    if emperors == 0:
        count = list_placements_of_kind(held, EMPEROR0, out, count)
    return count


@kernel
def list_placements_of_kind(held: int, first: int, out: Steps, count: int) -> int:
    """List the placements of one kind of piece on all spaces of empty Realms."""
    for cell in range(CELLS):
        if not held >> REALM_OF[cell] & 1:
            out[count] = first + cell
            count += 1
    return count


@kernel
def list_emperor_choices(position: Position, out: Steps) -> int:
    """List the Centers a player may choose for their Emperor (V2)."""
    count = 0
    for realm in range(REALMS):
        if belongs_to(position[CENTER[realm]], position[SEAT]):
            out[count] = EMPEROR0 + CENTER[realm]
            count += 1
    return count


# ---- applying steps


@kernel
def apply_step(position: Position, code: int) -> None:
    """Apply a legal step in place."""
    if code < MANDARIN0:
        move_piece(position, (code - MOVE0) // CELLS, (code - MOVE0) % CELLS)
    elif code < EMPEROR0:
        place_piece(position, code - MANDARIN0, MANDARIN)
    elif code < END:
        place_piece(position, code - EMPEROR0, EMPEROR)
    else:
        end_turn(position, code == PASS)


# ---- moves


@kernel
def move_piece(position: Position, source: Cell, target: Cell) -> None:
    """Move a piece; the first move of a turn fixes its Realm (O2), and any move may surround (O9)."""
    if position[TURN_REALM] < 0:
        position[TURN_REALM] = REALM_OF[source]
        position[UNMOVED_PLACES] = own_places(position, REALM_OF[source])
    for place in range(9):
        if SPACES[position[TURN_REALM], place] == source:
            position[UNMOVED_PLACES] &= ~(1 << place)
    position[target] = position[source]
    position[source] = EMPTY
    seat = position[SEAT]
    if has_surrounded_neighbour(position, target, 1 - seat):
        finish(position, SURROUNDED, seat)


@kernel
def own_places(position: Position, realm: int) -> int:
    """Return bits of the places in a Realm where the acting seat has pieces."""
    places = 0
    for place in range(9):
        if belongs_to(position[SPACES[realm, place]], position[SEAT]):
            places |= 1 << place
    return places


@kernel
def has_surrounded_neighbour(position: Position, cell: Cell, seat: int) -> bool:
    """Whether a seat's group next to a space is surrounded.

    A move that ends there cannot surround any other group, nor one of the mover's own: the moved piece has an empty
    neighbour on the path it came along, and the pieces left behind have the space it vacated.
    """
    for way in range(4):
        if belongs_to(neighbour_piece(position, cell, way), seat) and is_surrounded(position, cell + STRIDE[way]):
            return True
    return False


# ---- the set-up


@kernel
def place_piece(position: Position, cell: Cell, kind: int) -> None:
    """Place a piece (V1), or make the piece on a Center the Emperor (V2)."""
    position[cell] = kind + (position[SEAT] << SEAT_SHIFT)
    position[PLACED] += 1
    position[SEAT] = 1 - position[SEAT]
    if position[PLACED] == (CHOICES if position[PHASE] == CHOOSE else PLACEMENTS):
        start_play(position)


@kernel
def start_play(position: Position) -> None:
    """Start the first turn: the current position has appeared once (T1)."""
    position[PHASE] = TURN
    position[PLACED] = 0
    position[KEYS] = position_key(position)
    position[KEY_COUNT] = 1


# ---- the end of a turn and of the game


@kernel
def end_turn(position: Position, passed: bool) -> None:
    """Pass the turn to the opponent and check whether the game is over (O10, T1, T2, in this order)."""
    two_passes = passed and position[PASSED] == 1
    position[PASSED] = 1 if passed else 0
    position[TURNS] += 1
    position[SEAT] = 1 - position[SEAT]
    position[TURN_REALM] = -1
    position[UNMOVED_PLACES] = 0
    key = position_key(position)
    position[KEYS + position[KEY_COUNT]] = key
    position[KEY_COUNT] += 1
    if two_passes:
        finish(position, TWO_PASSES, -1)
    elif count_key(position, KEYS, position[KEY_COUNT], key) >= 3:  # noqa: PLR2004 - T1
        finish(position, REPETITION, -1)
    elif position[TURNS] >= position[R_MAX_TURNS]:
        finish(position, MAX_TURNS, -1)


@kernel
def finish(position: Position, reason: int, winner: int) -> None:
    """End the game and close the turn."""
    position[PHASE] = OVER
    position[REASON] = reason
    position[WINNER] = winner
    position[TURN_REALM] = -1
    position[UNMOVED_PLACES] = 0


# ---- keys


@kernel
def position_key(position: Position) -> int:
    """Return a key of what T1 compares: pieces and side to move."""
    key = int(ENTRY_KEYS[SEAT - PHASE, position[SEAT] + 1])
    for cell in range(CELLS):
        if position[cell] != EMPTY:
            key ^= int(CELL_KEYS[cell, position[cell]])
    return key


@kernel
def state_key(position: Position) -> int:
    """Return a key of the state without counters and history; the order of moves in a turn does not matter (S4)."""
    key = position_key(position)
    for entry in (PHASE, PLACED, TURN_REALM, UNMOVED_PLACES, PASSED):
        key ^= int(ENTRY_KEYS[entry - PHASE, position[entry] + 1])
    return key


@kernel
def number_turn(position: Position) -> int:
    """Number the turn: pairs of placements or choices first, then pairs of turns."""
    if position[PHASE] < TURN:
        return int(position[PLACED] // 2 + 1)
    setup = PLACEMENTS if position[R_FREE_SETUP] else CHOICES if position[R_EMPEROR] < 0 else 0
    return int(setup // 2 + position[TURNS] // 2 + 1)
