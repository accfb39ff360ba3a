"""A state of Oriental Realm as one line of text that people can also write by hand.

``W:Ee2,Mb5,Mc4 B:Eh11,Mb4 move=B`` is a board and the side to move; every other field is optional and left out if it
has its default: ``options``, ``phase``, ``turns``, ``passed``, ``from`` (the Realm of a turn under way), ``unmoved``
(the pieces that may still move), ``end`` and ``won`` (for a finished game), and ``seen``, the keys of T1.
"""

from __future__ import annotations

from typing import Final

from realmtable.engine.errors import BadPosition
from realmtable.games.oriental_realm import layout
from realmtable.games.oriental_realm.first_state import HOMES, State, empty_position, state_of
from realmtable.games.oriental_realm.groups import empty_neighbours, groups_of, piece_cells
from realmtable.games.oriental_realm.notation import piece_text
from realmtable.games.oriental_realm.options import OrientalOptions
from realmtable.games.oriental_realm.rules import CHOICES, PLACEMENTS, own_places, position_key
from realmtable.kit.realm_board import position_text
from realmtable.kit.realm_board.geometry import (
    SEAT_LETTERS,
    SEAT_NAMES,
    Cell,
    cell_name,
    cells_of_places,
    find_cell,
    realm_of,
    spaces_of,
)
from realmtable.kit.realm_board.position_text import Field, refuse_if
from realmtable.kit.rules import Position

PALETTE: Final = {"E@": "Emperor", "M@": "Mandarin"}
TURN_LIMIT: Final = 600


def encode(state: State) -> str:
    """Return the whole state as one line; `decode` restores an equal one."""
    pieces = position_text.write_pieces(state.position, layout.SEAT_SHIFT, piece_text)
    return position_text.write_position(state, pieces, _blank_position(state.options), FIELDS)


def decode(text: str, *, sound: bool = True) -> State:
    """Read a state from a line, or raise `BadPosition`; with `sound` off, read unplayable positions too."""
    texts, options = position_text.read_fields(text, OrientalOptions, FIELDS)
    position = _blank_position(options)
    for cell, piece in position_text.read_pieces(texts, _read_piece).items():
        position[cell] = piece
    position_text.store_fields(position, texts, FIELDS)
    if position[layout.PHASE] in (layout.PLACE, layout.CHOOSE):
        position[layout.PLACED] = _count_setup_steps(position)
        if "move" not in texts:
            position[layout.SEAT] = position[layout.PLACED] & 1
    if "seen" not in texts:
        layout.HISTORY.store(position, _default_keys(position))
    if sound:
        _check_position(position, options)
    return state_of(position, options)


def _blank_position(options: OrientalOptions) -> Position:
    """Return an empty board in a turn of White's."""
    position = empty_position(options)
    position[layout.PHASE] = layout.TURN
    return position


def _default_keys(position: Position) -> list[int]:
    """Return the default for `seen`: the position itself if it is the start of a turn."""
    starts = position[layout.PHASE] == layout.TURN and position[layout.TURN_REALM] < 0
    return [int(position_key(position))] if starts else []


def _count_setup_steps(position: Position) -> int:
    """Count the steps of a set-up so far: pieces placed, or Emperors chosen."""
    pieces = [int(position[cell]) & layout.KIND_MASK for seat in range(2) for cell in piece_cells(position, seat)]
    return len(pieces) if position[layout.PHASE] == layout.PLACE else pieces.count(layout.EMPEROR)


def _read_piece(text: str, seat: int) -> tuple[int, Cell]:
    letter, cell = position_text.split_piece("ME", text, "Mb5 or Ee2")
    return (layout.EMPEROR if letter == "E" else layout.MANDARIN) + (seat << layout.SEAT_SHIFT), cell


def _read_unmoved(position: Position, name: str, value: str) -> None:
    for text in value.split(","):
        cell = find_cell(text)
        if cell is None:
            raise BadPosition(f"{name} must be a space like b5, not {text[:20] or 'nothing'}.")
        refuse_if(
            realm_of(cell) != position[layout.TURN_REALM],
            "The unmoved pieces must be in the Realm that `from` names.",
        )
        position[layout.UNMOVED_PLACES] |= 1 << spaces_of(realm_of(cell)).index(cell)


def _write_unmoved(position: Position, _usual: Position) -> str:
    cells = cells_of_places(int(position[layout.TURN_REALM]), int(position[layout.UNMOVED_PLACES]))
    return "unmoved=" + ",".join(map(cell_name, cells)) if cells else ""


FIELDS: Final = (
    position_text.move_field(layout.SEAT),
    position_text.choice_field("phase", layout.PHASE, layout.PHASES),
    position_text.number_field("turns", layout.TURNS, TURN_LIMIT),
    position_text.flag_field("passed", layout.PASSED),
    position_text.realm_field("from", layout.TURN_REALM, "a Realm's Center like b5"),
    Field("unmoved", _read_unmoved, _write_unmoved),
    position_text.choice_field("end", layout.REASON, layout.REASONS),
    position_text.choice_field("won", layout.WINNER, SEAT_LETTERS),
    position_text.history_field(layout.HISTORY, layout.KEY_CAPACITY, _default_keys),
)


# ---- validation


def _check_position(position: Position, options: OrientalOptions) -> None:
    """Refuse a position from which play cannot continue."""
    phase = position[layout.PHASE]
    for seat in range(2):
        _check_counts(position, seat)
    over = phase == layout.OVER
    refuse_if(
        over != (position[layout.REASON] > 0),
        "A finished game needs both phase=over and a reason, like end=surrounded.",
    )
    refuse_if(
        (position[layout.REASON] == layout.SURROUNDED) != (position[layout.WINNER] >= 0),
        "Name the winner, like won=W, exactly when the game ended by surrounding.",
    )
    if phase == layout.TURN:
        _check_turn(position, options)
    else:
        begun = position[layout.TURN_REALM] >= 0
        refuse_if(begun, "`from` names the Realm of a turn, but no turn is under way.")
    if phase in (layout.PLACE, layout.CHOOSE):
        _check_setup(position, options)
    refuse_if(
        position[layout.KEY_COUNT] > position[layout.TURNS] + 1,
        "`seen` lists more positions than the turns played allow.",
    )


def _check_counts(position: Position, seat: int) -> None:
    name, most = SEAT_NAMES[seat], layout.MANDARINS_EACH
    kinds = [int(position[cell]) & layout.KIND_MASK for cell in piece_cells(position, seat)]
    emperors = kinds.count(layout.EMPEROR)
    mandarins = len(kinds) - emperors
    refuse_if(emperors > 1, f"{name} has {emperors} Emperors, but the limit is one.")
    too_many = mandarins > most + (position[layout.PHASE] == layout.CHOOSE)
    refuse_if(too_many, f"{name} has {mandarins} Mandarins, but the limit is {most}.")


def _check_turn(position: Position, options: OrientalOptions) -> None:
    last = position[layout.TURNS] >= options.max_turns
    refuse_if(last, "The game has reached its last turn, so it is over; write phase=over end=max_turns.")
    for seat, name in enumerate(SEAT_NAMES):
        for group in groups_of(position, seat):
            refuse_if(
                not empty_neighbours(position, group),
                f"{name}'s group on {cell_name(group[0])} is surrounded, so the game is over; "
                "write phase=over, end=surrounded and the winner.",
            )
    unmoved, realm = int(position[layout.UNMOVED_PLACES]), int(position[layout.TURN_REALM])
    if realm >= 0:
        own = int(own_places(position, realm))
        elsewhere = [cell for cell in piece_cells(position, position.item(layout.SEAT)) if realm_of(cell) != realm]
        refuse_if(
            unmoved & ~own or not (elsewhere or own != unmoved),
            "In a turn under way, one of the mover's pieces has moved, and `unmoved` names others.",
        )


def _check_setup(position: Position, options: OrientalOptions) -> None:
    """Check that the pieces are those the players have placed or chosen so far, in turn."""
    men = [piece_cells(position, seat) for seat in range(2)]
    placed = int(position[layout.PLACED])
    fits = (
        position[layout.SEAT] == placed & 1
        and not position[layout.TURNS]
        and not position[layout.PASSED]
        and not position[layout.KEY_COUNT]
    )
    if position[layout.PHASE] == layout.PLACE:
        realms = {realm_of(cell) for cells in men for cell in cells}
        fits = fits and options.free_setup and placed < PLACEMENTS and len(realms) == placed
        fits = fits and len(men[0]) == (placed + 1) // 2
    else:
        thrones = [sum(int(position[cell]) & layout.KIND_MASK == layout.EMPEROR for cell in cells) for cells in men]
        fits = fits and options.emperor == "choose" and placed < CHOICES and thrones[1] == 0
        fits = fits and all(tuple(cells) == home for cells, home in zip(men, HOMES, strict=True))
    refuse_if(not fits, "The pieces do not match the set-up so far: check move, the options and where the pieces are.")
