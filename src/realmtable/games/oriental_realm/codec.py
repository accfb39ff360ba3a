"""A state of Oriental Realm as one line of text that people can also write by hand.

``W:Ee2,Mb5,Mc4 B:Eh11,Mb4 move=B`` is a board and the side to move; every other field is optional and left out if it
has its default: ``options``, ``phase``, ``turns``, ``passed``, ``from`` (the Realm of a turn under way), ``unmoved``
(the pieces that may still move), ``end`` and ``won`` (for a finished game), and ``seen``, the keys of T1.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from realmtable.engine.errors import BadPosition
from realmtable.engine.options import as_pairs
from realmtable.games.oriental_realm.groups import piece_cells
from realmtable.games.oriental_realm.notation import piece_text
from realmtable.games.oriental_realm.options import OrientalOptions
from realmtable.games.oriental_realm.position import (
    CHOOSE,
    EMPEROR,
    EMPTY,
    KEY_CAPACITY,
    KEY_COUNT,
    KEYS,
    KIND_MASK,
    MANDARIN,
    OVER,
    PASSED,
    PHASE,
    PHASES,
    PLACE,
    PLACED,
    REASON,
    REASONS,
    SEAT,
    SEAT_SHIFT,
    TURN,
    TURN_REALM,
    TURNS,
    UNMOVED_PLACES,
    WINNER,
)
from realmtable.games.oriental_realm.rules import position_key
from realmtable.games.oriental_realm.state import State, empty_position, state_of
from realmtable.games.oriental_realm.validate import check_position
from realmtable.kit.position_text import (
    read_choice,
    read_keys,
    read_number,
    read_options,
    split_fields,
    unknown_field,
    write_keys,
)
from realmtable.kit.realm_board import CENTERS, Cell, cell_name, center_of, find_cell, realm_of, spaces_of
from realmtable.kit.rules import Position

SEAT_LETTERS: Final = "WB"
PALETTE: Final = {"E@": "Emperor", "M@": "Mandarin"}
TURN_LIMIT: Final = 600
_PIECE = re.compile(r"([ME])([a-l](?:1[0-2]|[1-9]))")


# ---- writing


def encode(state: State) -> str:
    """Return the whole state as one line; `decode` restores an equal one."""
    position = state.position
    fields = [_pieces_text(position, 0), _pieces_text(position, 1), f"move={SEAT_LETTERS[position[SEAT]]}"]
    if pairs := as_pairs(state.options):
        fields.append("options=" + ",".join(pairs))
    if position[PHASE] != TURN:
        fields.append(f"phase={PHASES[position[PHASE]]}")
    if position[TURNS]:
        fields.append(f"turns={position[TURNS]}")
    if position[PASSED]:
        fields.append("passed")
    fields += _turn_fields(position) if position[PHASE] == TURN else _end_fields(position)
    keys = [int(key) for key in position[KEYS : KEYS + position[KEY_COUNT]]]
    if keys != _default_keys(position):
        fields.append(f"seen={write_keys(keys)}")
    return " ".join(fields)


def _pieces_text(position: Position, seat: int) -> str:
    pieces = ",".join(piece_text(int(position[cell]), cell) for cell in piece_cells(position, seat))
    return f"{SEAT_LETTERS[seat]}:{pieces}"


def _turn_fields(position: Position) -> list[str]:
    realm = int(position[TURN_REALM])
    if realm < 0:
        return []
    fields = [f"from={cell_name(center_of(realm))}"]
    spaces = [cell_name(space) for place, space in enumerate(spaces_of(realm)) if position[UNMOVED_PLACES] >> place & 1]
    return [*fields, "unmoved=" + ",".join(spaces)] if spaces else fields


def _end_fields(position: Position) -> list[str]:
    fields = [f"end={REASONS[position[REASON]]}"] if position[PHASE] == OVER else []
    return [*fields, f"won={SEAT_LETTERS[position[WINNER]]}"] if position[WINNER] >= 0 else fields


def _default_keys(position: Position) -> list[int]:
    """Return the default for `seen`: the position itself if it is the start of a turn."""
    starts = position[PHASE] == TURN and position[TURN_REALM] < 0
    return [int(position_key(position))] if starts else []


# ---- reading


def decode(text: str, *, sound: bool = True) -> State:
    """Read a state from a line; raise `BadPosition` with a sentence that says what is wrong.

    With `sound` off, positions from which play cannot continue are accepted too, so that a board can be drawn while
    someone sets it up.
    """
    fields = split_fields(text, SEAT_LETTERS, ("passed",))
    options = read_options(OrientalOptions, fields.pop("options", ""))
    position = empty_position(options)
    position[PHASE] = TURN
    _read_pieces(position, fields)
    for name, value in sorted(fields.items(), key=lambda field: field[0] != "from"):  # `unmoved` needs it
        if name not in _READERS:
            raise unknown_field(name, [*SEAT_LETTERS, "options", *_READERS])
        _READERS[name](position, value)
    if position[PHASE] in (PLACE, CHOOSE):
        position[PLACED] = _count_setup_steps(position)
        if "move" not in fields:
            position[SEAT] = position[PLACED] & 1
    if "seen" not in fields:
        _set_keys(position, _default_keys(position))
    if sound:
        check_position(position, options)
    return state_of(position, options)


def _read_pieces(position: Position, fields: dict[str, str]) -> None:
    for seat, letter in enumerate(SEAT_LETTERS):
        texts = fields.pop(letter, "")
        for text in texts.split(",") if texts else []:
            found = _PIECE.fullmatch(text)
            if found is None:
                raise BadPosition(f"{text[:40] or 'Nothing'} is not a piece on a space; write Mb5 or Ee2.")
            cell = _parse_cell("a piece's space", found[2])
            if position[cell] != EMPTY:
                raise BadPosition(f"{cell_name(cell)} holds two pieces.")
            position[cell] = (EMPEROR if found[1] == "E" else MANDARIN) + (seat << SEAT_SHIFT)


def _count_setup_steps(position: Position) -> int:
    """Count the steps of a set-up so far: pieces placed, or Emperors chosen."""
    pieces = [int(position[cell]) & KIND_MASK for seat in range(2) for cell in piece_cells(position, seat)]
    return len(pieces) if position[PHASE] == PLACE else pieces.count(EMPEROR)


Reader = Callable[[Position, str], None]


def _parse_cell(name: str, value: str) -> Cell:
    cell = find_cell(value)
    if cell is None:
        raise BadPosition(f"{name} must be a space like b5, not {value[:20] or 'nothing'}.")
    return cell


def _read_realm(position: Position, value: str) -> None:
    cell = find_cell(value)
    if cell not in CENTERS:
        raise BadPosition(f"from must be a Realm's Center like b5, not {value[:20]}.")
    position[TURN_REALM] = realm_of(cell)


def _read_unmoved(position: Position, value: str) -> None:
    for text in value.split(","):
        cell = _parse_cell("unmoved", text)
        if realm_of(cell) != position[TURN_REALM]:
            raise BadPosition("The unmoved pieces must be in the Realm that `from` names.")
        position[UNMOVED_PLACES] |= 1 << spaces_of(realm_of(cell)).index(cell)


def _set_keys(position: Position, keys: list[int]) -> None:
    position[KEYS : KEYS + len(keys)] = keys
    position[KEY_COUNT] = len(keys)


def _entry_reader(entry: int, read: Callable[[str], int]) -> Reader:
    def reader(position: Position, value: str) -> None:
        position[entry] = read(value)

    return reader


_READERS: Final[dict[str, Reader]] = {
    "move": _entry_reader(SEAT, lambda value: read_choice("move", value, SEAT_LETTERS)),
    "phase": _entry_reader(PHASE, lambda value: read_choice("phase", value, PHASES)),
    "turns": _entry_reader(TURNS, lambda value: read_number("turns", value, TURN_LIMIT)),
    "passed": _entry_reader(PASSED, lambda _: 1),
    "from": _read_realm,
    "unmoved": _read_unmoved,
    "end": _entry_reader(REASON, lambda value: read_choice("end", value, REASONS)),
    "won": _entry_reader(WINNER, lambda value: read_choice("won", value, SEAT_LETTERS)),
    "seen": lambda position, value: _set_keys(position, read_keys("seen", value, KEY_CAPACITY)),
}
