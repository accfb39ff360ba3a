"""A Realm state as one line of text that people can also write by hand.

``W:Bh11,Pg10,Eg12S,Ea7x B:Bh2,Pg3 move=B`` is a board and the side to move; every other field is optional and left
out if it has its default. docs/study/record-format.md lists the fields.
"""

from __future__ import annotations

import re
from typing import Final

from realmtable.engine.errors import BadPosition
from realmtable.games.realm import layout
from realmtable.games.realm.first_state import State, empty_position, state_of
from realmtable.games.realm.notation import piece_text
from realmtable.games.realm.options import RealmOptions
from realmtable.games.realm.rules import position_key
from realmtable.games.realm.validate import check_position, count_kinds
from realmtable.kit.position_text import (
    Reader,
    choice_reader,
    flag_reader,
    number_reader,
    read_keys,
    read_pair,
    write_seen,
)
from realmtable.kit.realm_board.geometry import (
    CELLS,
    CENTERS,
    FACINGS,
    SEAT_LETTERS,
    Cell,
    cell_name,
    find_cell,
    realm_name,
    realm_of,
    spaces_of,
)
from realmtable.kit.realm_board.position_text import (
    center_reader,
    read_center,
    read_fields,
    read_pieces,
    store_fields,
    write_board,
    write_pieces,
)
from realmtable.kit.rules import Position

PALETTE: Final = {
    "B@": "Base", "P@": "Power", "E@N": "Enforcer facing north", "E@E": "Enforcer facing east",
    "E@S": "Enforcer facing south", "E@W": "Enforcer facing west", "E@x": "immobile Enforcer",
}  # fmt: skip
PHASE_WORDS: Final = (
    "choose_place", "bases", "powers", "choose_move", "turn", "found", "create", "immobilise", "rearrange", "over",
)  # fmt: skip
OFFER_WORDS: Final = ("none", "made", "standing")
FLAGS: Final = {"moved": layout.MOVED, "freed": layout.SACRIFICED, "progress": layout.PROGRESS, "passed": layout.PASSED}
NUMBERS: Final = {"placed": (layout.PLACED, 9), "turns": (layout.TURNS, 1000), "quiet": (layout.QUIET_TURNS, 120)}
PAIRS: Final = {"left": (layout.BASES_LEFT, 15), "stock": (layout.ENFORCERS_LEFT, 9), "captured": (layout.CAPTURED, 30)}
_PIECE = re.compile(r"([BPE])([a-l])(1[0-2]|[1-9])([NESWx]?)")


# ---- writing


def encode(state: State) -> str:
    """Return the whole state as one line; `decode` restores an equal one."""
    position = state.position
    default = _fill_defaults(_board_only(state), state.options)
    fields = write_board(
        write_pieces(position, layout.SEAT_SHIFT, piece_text), position.item(layout.SEAT), state.options
    )
    if position[layout.PHASE] != layout.TURN:
        fields.append(f"phase={PHASE_WORDS[position[layout.PHASE]]}")
    fields += _pair_fields(position, default)
    fields += [f"{name}={position[entry]}" for name, (entry, _) in NUMBERS.items() if position[entry]]
    fields += [name for name, entry in FLAGS.items() if position[entry]]
    fields += _place_fields(position)
    fields += _history_fields(position)
    return " ".join(fields)


def _board_only(state: State) -> Position:
    board = empty_position(state.options)
    board[:CELLS] = state.position[:CELLS]
    board[layout.CAPTURED : layout.CAPTURED + 2] = state.position[layout.CAPTURED : layout.CAPTURED + 2]
    return board


def _pair_fields(position: Position, default: Position) -> list[str]:
    fields = []
    for name, (entry, _) in PAIRS.items():
        usual = (0, 0) if entry == layout.CAPTURED else tuple(default[entry : entry + 2])
        if tuple(position[entry : entry + 2]) != usual:
            fields.append(f"{name}={position[entry]}/{position[entry + 1]}")
    return fields


def _place_fields(position: Position) -> list[str]:
    fields = []
    if position[layout.FIRST_PLACER]:
        fields.append("first=B")
    for name, entry in (("from", layout.ORIGIN), ("into", layout.TARGET)):
        if position[entry] >= 0:
            fields.append(f"{name}={realm_name(int(position[entry]))}")
    if position[layout.EVENT_CELL] >= 0:
        fields.append(f"at={cell_name(int(position[layout.EVENT_CELL]))}")
    if position[layout.OFFER]:
        fields.append(f"offer={OFFER_WORDS[position[layout.OFFER]]}")
    if position[layout.PHASE] == layout.OVER:
        fields.append(f"end={layout.REASONS[position[layout.REASON]]}")
    if position[layout.PHASE] == layout.REARRANGE:
        fields.append("lifted=" + ",".join(_format_lifted_pieces(position)))
    return fields


def _format_lifted_pieces(position: Position) -> list[str]:
    spaces = spaces_of(int(position[layout.ORIGIN]))
    pieces = [(int(position[layout.LIFTED + place]), spaces[place]) for place in range(9)]
    return [
        SEAT_LETTERS[piece >> layout.SEAT_SHIFT] + piece_text(piece, space)
        for piece, space in pieces
        if piece != layout.EMPTY
    ]


def _history_fields(position: Position) -> list[str]:
    fields = []
    for seat in range(2):
        if position[layout.STREAK_LENGTH + seat]:
            realm = realm_name(int(position[layout.STREAK_REALM + seat]))
            fields.append(f"row{SEAT_LETTERS[seat]}={realm}*{position[layout.STREAK_LENGTH + seat]}")
    return fields + write_seen(position, layout.HISTORY, _default_keys(position))


def _default_keys(position: Position) -> list[int]:
    """Return the default for `seen`: the position itself if it is the start of a turn."""
    starts = position[layout.PHASE] == layout.TURN and not position[layout.MOVED] and not position[layout.SACRIFICED]
    return [int(position_key(position))] if starts else []


# ---- reading


def decode(text: str, *, sound: bool = True) -> State:
    """Read a state from a line, or raise `BadPosition`; with `sound` off, read unplayable positions too."""
    fields, options = read_fields(text, RealmOptions, FLAGS)
    position = empty_position(options)
    for cell, piece in read_pieces(fields, _read_piece).items():
        position[cell] = piece
    _read_pair(position, "captured", fields.pop("captured", "0/0"))
    _fill_defaults(position, options)
    from_first = dict(sorted(fields.items(), key=lambda field: field[0] != "from"))  # `lifted` needs it
    store_fields(position, from_first, _READERS)
    if "seen" not in fields:
        layout.HISTORY.store(position, _default_keys(position))
    if sound:
        check_position(position, options)
    return state_of(position, options)


def _read_piece(text: str, seat: int) -> tuple[int, Cell]:
    found = _PIECE.fullmatch(text)
    if found is None or (found[1] == "E") != bool(found[4]):
        raise BadPosition(f"{text[:40] or 'Nothing'} is not a piece on a space; write Bh11, Pg10, Eg12S or Ea7x.")
    cell = find_cell(found[2] + found[3])
    assert cell is not None  # noqa: S101 - the pattern allows nothing else
    if (found[1] == "B") != (cell in CENTERS):
        raise BadPosition(f"{text} is not possible: Bases go on Centers, other pieces on Border spaces.")
    kind = {"B": layout.BASE, "P": layout.POWER}.get(found[1]) or (
        layout.IMMOBILE if found[4] == "x" else layout.ENFORCER + FACINGS.index(found[4])
    )
    return kind + (seat << layout.SEAT_SHIFT), cell


def _fill_defaults(position: Position, options: RealmOptions) -> Position:
    """Fill in the defaults for a board and its captures: White to move, all other pieces uncreated."""
    position[layout.PHASE] = layout.TURN
    position[layout.SEAT] = 0
    for seat in range(2):
        kinds = count_kinds(position, seat)
        position[layout.BASES_LEFT + seat] = options.bases - kinds[layout.BASE] - position[layout.CAPTURED + 1 - seat]
        position[layout.ENFORCERS_LEFT + seat] = options.enforcers - sum(kinds[layout.ENFORCER :])
    return position


def _read_pair(position: Position, name: str, value: str) -> None:
    entry, most = PAIRS[name]
    position[entry : entry + 2] = read_pair(name, value, most)


def _read_at(position: Position, name: str, value: str) -> None:
    cell = find_cell(value)
    if cell is None or cell in CENTERS:
        raise BadPosition(f"{name} must be a Border space like g10, not {value[:20]}.")
    position[layout.EVENT_CELL] = cell


def _read_row(position: Position, name: str, value: str) -> None:
    seat = SEAT_LETTERS.index(name[-1])
    realm, star, length = value.partition("*")
    if not star or length not in {"1", "2"}:
        raise BadPosition("Write a row of rearrangements like rowW=h11*2.")
    position[layout.STREAK_REALM + seat] = read_center("rowW or rowB", realm)
    position[layout.STREAK_LENGTH + seat] = int(length)


def _read_lifted(position: Position, value: str) -> None:
    for text in value.split(","):
        if text[:1] not in tuple(SEAT_LETTERS):
            raise BadPosition("Write lifted pieces with their owner, like lifted=WPg10,WEi12S.")
        piece, cell = _read_piece(text[1:], SEAT_LETTERS.index(text[0]))
        spaces = spaces_of(realm_of(cell))
        if position[layout.ORIGIN] not in (-1, realm_of(cell)) or piece & layout.KIND_MASK == layout.BASE:
            raise BadPosition("The lifted pieces must be Powers and Enforcers of the Realm that `from` names.")
        if position[layout.LIFTED + spaces.index(cell)] != layout.EMPTY:
            raise BadPosition(f"{cell_name(cell)} held two lifted pieces.")
        position[layout.LIFTED + spaces.index(cell)] = piece
        position[layout.ORIGIN] = realm_of(cell)


_READERS: Final[dict[str, Reader]] = {
    "move": choice_reader(layout.SEAT, SEAT_LETTERS),
    "first": choice_reader(layout.FIRST_PLACER, SEAT_LETTERS),
    "phase": choice_reader(layout.PHASE, PHASE_WORDS),
    "from": center_reader(layout.ORIGIN),
    "into": center_reader(layout.TARGET),
    "at": _read_at,
    "offer": choice_reader(layout.OFFER, OFFER_WORDS),
    "end": choice_reader(layout.REASON, layout.REASONS),
    "rowW": _read_row,
    "rowB": _read_row,
    "lifted": lambda position, _, value: _read_lifted(position, value),
    "seen": lambda position, name, value: layout.HISTORY.store(
        position, read_keys(name, value, layout.KEY_CAPACITY - 4)
    ),
    **{name: flag_reader(entry) for name, entry in FLAGS.items()},
    **{name: number_reader(entry, most) for name, (entry, most) in NUMBERS.items()},
    **dict.fromkeys(PAIRS, _read_pair),
}
