"""A state of Oriental Realm as one line of text that people can also write by hand.

``W:Ee2,Mb5,Mc4 B:Eh11,Mb4 move=B`` is a board and the side to move; every other field is optional and left out if it
has its default: ``options``, ``phase``, ``turns``, ``passed``, ``from`` (the Realm of a turn under way), ``unmoved``
(the pieces that may still move), ``end`` and ``won`` (for a finished game), and ``seen``, the keys of T1.
"""

from __future__ import annotations

from typing import Final

from realmtable.engine.errors import BadPosition
from realmtable.games.oriental_realm import layout
from realmtable.games.oriental_realm.first_state import State, empty_position, state_of
from realmtable.games.oriental_realm.groups import piece_cells
from realmtable.games.oriental_realm.notation import piece_text
from realmtable.games.oriental_realm.options import OrientalOptions
from realmtable.games.oriental_realm.rules import position_key
from realmtable.games.oriental_realm.validate import check_position
from realmtable.kit.position_text import Reader, choice_reader, flag_reader, number_reader, read_keys, write_seen
from realmtable.kit.realm_board.geometry import (
    SEAT_LETTERS,
    Cell,
    cell_name,
    cells_of_places,
    find_cell,
    realm_name,
    realm_of,
    spaces_of,
)
from realmtable.kit.realm_board.position_text import (
    center_reader,
    read_fields,
    read_pieces,
    split_piece,
    store_fields,
    write_board,
    write_pieces,
)
from realmtable.kit.rules import Position

PALETTE: Final = {"E@": "Emperor", "M@": "Mandarin"}
TURN_LIMIT: Final = 600


# ---- writing


def encode(state: State) -> str:
    """Return the whole state as one line; `decode` restores an equal one."""
    position = state.position
    fields = write_board(
        write_pieces(position, layout.SEAT_SHIFT, piece_text), position.item(layout.SEAT), state.options
    )
    if position[layout.PHASE] != layout.TURN:
        fields.append(f"phase={layout.PHASES[position[layout.PHASE]]}")
    if position[layout.TURNS]:
        fields.append(f"turns={position[layout.TURNS]}")
    if position[layout.PASSED]:
        fields.append("passed")
    fields += _turn_fields(position) if position[layout.PHASE] == layout.TURN else _end_fields(position)
    return " ".join(fields + write_seen(position, layout.HISTORY, _default_keys(position)))


def _turn_fields(position: Position) -> list[str]:
    realm = int(position[layout.TURN_REALM])
    if realm < 0:
        return []
    fields = [f"from={realm_name(realm)}"]
    spaces = map(cell_name, cells_of_places(realm, int(position[layout.UNMOVED_PLACES])))
    return [*fields, "unmoved=" + ",".join(spaces)] if position[layout.UNMOVED_PLACES] else fields


def _end_fields(position: Position) -> list[str]:
    fields = [f"end={layout.REASONS[position[layout.REASON]]}"] if position[layout.PHASE] == layout.OVER else []
    return [*fields, f"won={SEAT_LETTERS[position[layout.WINNER]]}"] if position[layout.WINNER] >= 0 else fields


def _default_keys(position: Position) -> list[int]:
    """Return the default for `seen`: the position itself if it is the start of a turn."""
    starts = position[layout.PHASE] == layout.TURN and position[layout.TURN_REALM] < 0
    return [int(position_key(position))] if starts else []


# ---- reading


def decode(text: str, *, sound: bool = True) -> State:
    """Read a state from a line, or raise `BadPosition`; with `sound` off, read unplayable positions too."""
    fields, options = read_fields(text, OrientalOptions, ("passed",))
    position = empty_position(options)
    position[layout.PHASE] = layout.TURN
    for cell, piece in read_pieces(fields, _read_piece).items():
        position[cell] = piece
    from_first = dict(sorted(fields.items(), key=lambda field: field[0] != "from"))  # `unmoved` needs it
    store_fields(position, from_first, _READERS)
    if position[layout.PHASE] in (layout.PLACE, layout.CHOOSE):
        position[layout.PLACED] = _count_setup_steps(position)
        if "move" not in fields:
            position[layout.SEAT] = position[layout.PLACED] & 1
    if "seen" not in fields:
        layout.HISTORY.store(position, _default_keys(position))
    if sound:
        check_position(position, options)
    return state_of(position, options)


def _count_setup_steps(position: Position) -> int:
    """Count the steps of a set-up so far: pieces placed, or Emperors chosen."""
    pieces = [int(position[cell]) & layout.KIND_MASK for seat in range(2) for cell in piece_cells(position, seat)]
    return len(pieces) if position[layout.PHASE] == layout.PLACE else pieces.count(layout.EMPEROR)


def _read_piece(text: str, seat: int) -> tuple[int, Cell]:
    letter, cell = split_piece("ME", text, "Mb5 or Ee2")
    return (layout.EMPEROR if letter == "E" else layout.MANDARIN) + (seat << layout.SEAT_SHIFT), cell


def _read_unmoved(position: Position, name: str, value: str) -> None:
    for text in value.split(","):
        cell = find_cell(text)
        if cell is None:
            raise BadPosition(f"{name} must be a space like b5, not {text[:20] or 'nothing'}.")
        if realm_of(cell) != position[layout.TURN_REALM]:
            raise BadPosition("The unmoved pieces must be in the Realm that `from` names.")
        position[layout.UNMOVED_PLACES] |= 1 << spaces_of(realm_of(cell)).index(cell)


_READERS: Final[dict[str, Reader]] = {
    "move": choice_reader(layout.SEAT, SEAT_LETTERS),
    "phase": choice_reader(layout.PHASE, layout.PHASES),
    "turns": number_reader(layout.TURNS, TURN_LIMIT),
    "passed": flag_reader(layout.PASSED),
    "from": center_reader(layout.TURN_REALM, "a Realm's Center like b5"),
    "unmoved": _read_unmoved,
    "end": choice_reader(layout.REASON, layout.REASONS),
    "won": choice_reader(layout.WINNER, SEAT_LETTERS),
    "seen": lambda position, name, value: layout.HISTORY.store(position, read_keys(name, value, layout.KEY_CAPACITY)),
}
