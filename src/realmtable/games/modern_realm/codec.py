"""A state of Modern Realm as one line of text that people can also write by hand.

``W:Ab2,Ce2,Hh8 B:Ah11,Ck8 move=B`` is a board and the side to move; every other field is optional and left out if it
has its default: ``from``, the Realm of the turn; ``left``, the pieces still to move out of it (by default all its
mobile ones); ``waiting``, the Realm where a dislodged Agent is to be placed; ``end``, why the game is over; ``turns``
and ``passed``; and ``choosing`` while the Counter-Agents are chosen.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from realmtable.engine.errors import BadPosition
from realmtable.engine.options import as_pairs
from realmtable.games.modern_realm.moves import mobile_places
from realmtable.games.modern_realm.notation import LETTERS
from realmtable.games.modern_realm.options import ModernOptions
from realmtable.games.modern_realm.position import (
    CHOOSE,
    DISLODGE,
    DISLODGED_REALM,
    EMPTY,
    KIND_MASK,
    ORIGIN,
    OVER,
    PASSED,
    PHASE,
    REASON,
    REASONS,
    SEAT,
    SEAT_SHIFT,
    TURNS,
    UNMOVED_PLACES,
)
from realmtable.games.modern_realm.state import State, empty_position, state_of
from realmtable.games.modern_realm.validate import check_position
from realmtable.games.modern_realm.view import find_unmoved_cells
from realmtable.kit.position_text import read_choice, read_number, read_options, split_fields, unknown_field
from realmtable.kit.realm_board import CELLS, CENTERS, Cell, cell_name, center_of, find_cell, realm_of, spaces_of
from realmtable.kit.rules import Position

SEAT_LETTERS: Final = "WB"
PALETTE: Final = {"A@": "Agent", "C@": "Counter-Agent", "H@": "Headquarters"}
FLAGS: Final = ("passed", "choosing")
TURN_LIMIT: Final = 1000
_PIECE = re.compile(r"([HAC])([a-l](?:1[0-2]|[1-9]))")
_KINDS: Final = {letter: kind for kind, letter in LETTERS.items()}


# ---- writing


def encode(state: State) -> str:
    """Return the whole state as one line; `decode` restores an equal one."""
    position = state.position
    fields = [_pieces_text(position, 0), _pieces_text(position, 1), f"move={SEAT_LETTERS[position[SEAT]]}"]
    if pairs := as_pairs(state.options):
        fields.append("options=" + ",".join(pairs))
    if position[TURNS]:
        fields.append(f"turns={position[TURNS]}")
    fields += ["passed"] if position[PASSED] else []
    fields += ["choosing"] if position[PHASE] == CHOOSE else []
    if position[ORIGIN] >= 0:
        fields.append(f"from={_center_name(position, ORIGIN)}")
        fields.append("left=" + ",".join(cell_name(cell) for cell in find_unmoved_cells(state)))
    if position[DISLODGED_REALM] >= 0:
        fields.append(f"waiting={_center_name(position, DISLODGED_REALM)}")
    if position[PHASE] == OVER:
        fields.append(f"end={REASONS[position[REASON]]}")
    return " ".join(fields)


def _pieces_text(position: Position, seat: int) -> str:
    texts = [
        LETTERS[int(position[cell]) & KIND_MASK] + cell_name(cell)
        for cell in range(CELLS)
        if position[cell] != EMPTY and position[cell] >> SEAT_SHIFT == seat
    ]
    return f"{SEAT_LETTERS[seat]}:{','.join(texts)}"


def _center_name(position: Position, entry: int) -> str:
    return cell_name(center_of(int(position[entry])))


# ---- reading


def decode(text: str, *, sound: bool = True) -> State:
    """Read a state from a line; raise `BadPosition` with a sentence that says what is wrong.

    With `sound` off, positions from which play cannot continue are accepted too, so that a board can be drawn while
    someone sets it up.
    """
    fields = split_fields(text, SEAT_LETTERS, FLAGS)
    options = read_options(ModernOptions, fields.pop("options", ""))
    position = empty_position(options)
    _read_pieces(position, fields)
    for name in _READERS:  # in this order: `left` needs `move` and `from`
        if name in fields:
            _READERS[name](position, fields.pop(name))
        elif name == "left" and position[ORIGIN] >= 0:
            position[UNMOVED_PLACES] = mobile_places(position, int(position[ORIGIN]), int(position[SEAT]))
    for name in fields:
        raise unknown_field(name, [*SEAT_LETTERS, "options", *_READERS])
    if sound:
        check_position(position, options)
    return state_of(position, options)


def _read_pieces(position: Position, fields: dict[str, str]) -> None:
    for seat, letter in enumerate(SEAT_LETTERS):
        texts = fields.pop(letter, "")
        for text in texts.split(",") if texts else []:
            found = _PIECE.fullmatch(text)
            if found is None:
                raise BadPosition(f"{text[:40] or 'Nothing'} is not a piece on a space; write Ab5, Ce2 or Hb8.")
            cell = _parse_cell("A piece", found[2])
            if position[cell] != EMPTY:
                raise BadPosition(f"{cell_name(cell)} holds two pieces.")
            position[cell] = _KINDS[found[1]] + (seat << SEAT_SHIFT)


def _parse_cell(name: str, text: str) -> Cell:
    cell = find_cell(text)
    if cell is None:
        raise BadPosition(f"{name} must name spaces like b5, not {text[:20] or 'nothing'}.")
    return cell


def _parse_realm(name: str, value: str) -> int:
    cell = find_cell(value)
    if cell not in CENTERS:
        raise BadPosition(f"{name} must be a Realm's Center like h11, not {value[:20]}.")
    return realm_of(cell)


def _read_left(position: Position, value: str) -> None:
    spaces = spaces_of(int(position[ORIGIN])) if position[ORIGIN] >= 0 else ()
    for text in value.split(",") if value else []:
        cell = _parse_cell("left", text)
        if cell not in spaces:
            raise BadPosition(f"`left` must name pieces of the Realm that `from` names, and {text} is not in it.")
        if position[UNMOVED_PLACES] >> spaces.index(cell) & 1:
            raise BadPosition(f"`left` names {text} twice.")
        position[UNMOVED_PLACES] |= 1 << spaces.index(cell)


def _read_waiting(position: Position, value: str) -> None:
    position[DISLODGED_REALM] = _parse_realm("waiting", value)
    position[PHASE] = DISLODGE


def _read_choosing(position: Position, value: str) -> None:  # noqa: ARG001 - a flag has no value
    position[PHASE] = CHOOSE


def _read_end(position: Position, value: str) -> None:
    position[REASON] = read_choice("end", value, REASONS[1:]) + 1
    position[PHASE] = OVER


def _entry_reader(entry: int, read: Callable[[str], int]) -> Callable[[Position, str], None]:
    def reader(position: Position, value: str) -> None:
        position[entry] = read(value)

    return reader


_READERS: Final[dict[str, Callable[[Position, str], None]]] = {
    "move": _entry_reader(SEAT, lambda value: read_choice("move", value, SEAT_LETTERS)),
    "turns": _entry_reader(TURNS, lambda value: read_number("turns", value, TURN_LIMIT)),
    "passed": _entry_reader(PASSED, lambda _: 1),
    "from": _entry_reader(ORIGIN, lambda value: _parse_realm("from", value)),
    "left": _read_left,
    "waiting": _read_waiting,
    "choosing": _read_choosing,
    "end": _read_end,
}
