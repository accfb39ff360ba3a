"""A state of Modern Realm as one line of text that people can also write by hand.

``W:Ab2,Ce2,Hh8 B:Ah11,Ck8 move=B`` is a board and the side to move; every other field is optional and left out if it
has its default: ``from``, the Realm of the turn; ``left``, the pieces still to move out of it (by default all its
mobile ones); ``waiting``, the Realm where a dislodged Agent is to be placed; ``end``, why the game is over; ``turns``
and ``passed``; and ``choosing`` while the Counter-Agents are chosen.
"""

from __future__ import annotations

from typing import Final

from realmtable.engine.errors import BadPosition
from realmtable.games.modern_realm import layout
from realmtable.games.modern_realm.first_state import State, empty_position, state_of
from realmtable.games.modern_realm.moves import mobile_places
from realmtable.games.modern_realm.notation import LETTERS, piece_text
from realmtable.games.modern_realm.options import ModernOptions
from realmtable.games.modern_realm.validate import check_position
from realmtable.games.modern_realm.view import find_unmoved_cells
from realmtable.kit.position_text import (
    Reader,
    choice_reader,
    entry_reader,
    flag_reader,
    number_reader,
    read_choice,
    unknown_field,
)
from realmtable.kit.realm_board.geometry import SEAT_LETTERS, Cell, cell_name, find_cell, realm_name, spaces_of
from realmtable.kit.realm_board.position_text import (
    center_reader,
    read_center,
    read_fields,
    read_pieces,
    split_piece,
    write_board,
    write_pieces,
)
from realmtable.kit.rules import Position

PALETTE: Final = {"A@": "Agent", "C@": "Counter-Agent", "H@": "Headquarters"}
FLAGS: Final = ("passed", "choosing")
TURN_LIMIT: Final = 1000
_KINDS: Final = {letter: kind for kind, letter in LETTERS.items()}


# ---- writing


def encode(state: State) -> str:
    """Return the whole state as one line; `decode` restores an equal one."""
    position = state.position
    fields = write_board(
        write_pieces(position, layout.SEAT_SHIFT, piece_text), position.item(layout.SEAT), state.options
    )
    if position[layout.TURNS]:
        fields.append(f"turns={position[layout.TURNS]}")
    fields += ["passed"] if position[layout.PASSED] else []
    fields += ["choosing"] if position[layout.PHASE] == layout.CHOOSE else []
    if position[layout.ORIGIN] >= 0:
        fields.append(f"from={realm_name(int(position[layout.ORIGIN]))}")
        fields.append("left=" + ",".join(cell_name(cell) for cell in find_unmoved_cells(state)))
    if position[layout.DISLODGED_REALM] >= 0:
        fields.append(f"waiting={realm_name(int(position[layout.DISLODGED_REALM]))}")
    if position[layout.PHASE] == layout.OVER:
        fields.append(f"end={layout.REASONS[position[layout.REASON]]}")
    return " ".join(fields)


# ---- reading


def decode(text: str, *, sound: bool = True) -> State:
    """Read a state from a line, or raise `BadPosition`; with `sound` off, read unplayable positions too."""
    fields, options = read_fields(text, ModernOptions, FLAGS)
    position = empty_position(options)
    for cell, piece in read_pieces(fields, _read_piece).items():
        position[cell] = piece
    for name in _READERS:  # in this order: `left` needs `move` and `from`
        if name in fields:
            _READERS[name](position, name, fields.pop(name))
        elif name == "left" and position[layout.ORIGIN] >= 0:
            position[layout.UNMOVED_PLACES] = mobile_places(
                position, int(position[layout.ORIGIN]), int(position[layout.SEAT])
            )
    for name in fields:
        raise unknown_field(name, [*SEAT_LETTERS, "options", *_READERS])
    if sound:
        check_position(position, options)
    return state_of(position, options)


def _read_piece(text: str, seat: int) -> tuple[int, Cell]:
    letter, cell = split_piece("HAC", text, "Ab5, Ce2 or Hb8")
    return _KINDS[letter] + (seat << layout.SEAT_SHIFT), cell


def _read_left(position: Position, name: str, value: str) -> None:
    spaces = spaces_of(int(position[layout.ORIGIN])) if position[layout.ORIGIN] >= 0 else ()
    for text in value.split(",") if value else []:
        cell = find_cell(text)
        if cell is None:
            raise BadPosition(f"{name} must name spaces like b5, not {text[:20] or 'nothing'}.")
        if cell not in spaces:
            raise BadPosition(f"`left` must name pieces of the Realm that `from` names, and {text} is not in it.")
        if position[layout.UNMOVED_PLACES] >> spaces.index(cell) & 1:
            raise BadPosition(f"`left` names {text} twice.")
        position[layout.UNMOVED_PLACES] |= 1 << spaces.index(cell)


def _read_waiting(position: Position, name: str, value: str) -> None:
    position[layout.DISLODGED_REALM] = read_center(name, value)
    position[layout.PHASE] = layout.DISLODGE


def _read_end(position: Position, name: str, value: str) -> None:
    position[layout.REASON] = read_choice(name, value, layout.REASONS[1:]) + 1
    position[layout.PHASE] = layout.OVER


_READERS: Final[dict[str, Reader]] = {
    "move": choice_reader(layout.SEAT, SEAT_LETTERS),
    "turns": number_reader(layout.TURNS, TURN_LIMIT),
    "passed": flag_reader(layout.PASSED),
    "from": center_reader(layout.ORIGIN),
    "left": _read_left,
    "waiting": _read_waiting,
    "choosing": entry_reader(layout.PHASE, lambda _name, _text: layout.CHOOSE),
    "end": _read_end,
}
