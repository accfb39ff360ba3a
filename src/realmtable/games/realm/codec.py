"""A Realm state as one line of text that people can also write by hand.

``W:Bh11,Pg10,Eg12S,Ea7x B:Bh2,Pg3 move=B`` is a board and the side to move; every other field is optional and left
out if it has its default. docs/record-format.md lists the fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from realmtable.engine.errors import BadPosition
from realmtable.engine.options import as_pairs
from realmtable.games.realm.notation import piece_text
from realmtable.games.realm.options import RealmOptions
from realmtable.games.realm.position import (
    BASE,
    BASES_LEFT,
    CAPTURED,
    EMPTY,
    ENFORCER,
    ENFORCERS_LEFT,
    EVENT_CELL,
    FIRST_PLACER,
    IMMOBILE,
    KEY_CAPACITY,
    KEY_COUNT,
    KEYS,
    KIND_MASK,
    LIFTED,
    MOVED,
    OFFER,
    ORIGIN,
    OVER,
    PASSED,
    PHASE,
    PLACED,
    POWER,
    PROGRESS,
    QUIET_TURNS,
    REARRANGE,
    REASON,
    REASONS,
    SACRIFICED,
    SEAT,
    SEAT_SHIFT,
    STREAK_LENGTH,
    STREAK_REALM,
    TARGET,
    TURN,
    TURNS,
)
from realmtable.games.realm.rules import position_key
from realmtable.games.realm.state import State, empty_position, state_of
from realmtable.games.realm.validate import check_position, count_kinds
from realmtable.kit.position_text import (
    read_choice,
    read_keys,
    read_number,
    read_options,
    read_pair,
    split_fields,
    unknown_field,
    write_keys,
)
from realmtable.kit.realm_board import (
    CELLS,
    CENTERS,
    FACINGS,
    Cell,
    cell_name,
    center_of,
    find_cell,
    realm_of,
    spaces_of,
)
from realmtable.kit.rules import Position

SEAT_LETTERS: Final = "WB"
PALETTE: Final = {
    "B@": "Base", "P@": "Power", "E@N": "Enforcer facing north", "E@E": "Enforcer facing east",
    "E@S": "Enforcer facing south", "E@W": "Enforcer facing west", "E@x": "immobile Enforcer",
}  # fmt: skip
PHASE_WORDS: Final = (
    "choose_place", "bases", "powers", "choose_move", "turn", "found", "create", "immobilise", "rearrange", "over",
)  # fmt: skip
OFFER_WORDS: Final = ("none", "made", "standing")
FLAGS: Final = {"moved": MOVED, "freed": SACRIFICED, "progress": PROGRESS, "passed": PASSED}
NUMBERS: Final = {"placed": (PLACED, 9), "turns": (TURNS, 1000), "quiet": (QUIET_TURNS, 120)}
PAIRS: Final = {"left": (BASES_LEFT, 15), "stock": (ENFORCERS_LEFT, 9), "captured": (CAPTURED, 30)}
_PIECE = re.compile(r"([BPE])([a-l])(1[0-2]|[1-9])([NESWx]?)")


# ---- writing


def encode(state: State) -> str:
    """Return the whole state as one line; `decode` restores an equal one."""
    position = state.position
    default = _fill_defaults(_board_only(state), state.options)
    fields = [_pieces_text(position, 0), _pieces_text(position, 1), f"move={SEAT_LETTERS[position[SEAT]]}"]
    if pairs := as_pairs(state.options):
        fields.append("options=" + ",".join(pairs))
    if position[PHASE] != TURN:
        fields.append(f"phase={PHASE_WORDS[position[PHASE]]}")
    fields += _pair_fields(position, default)
    fields += [f"{name}={position[entry]}" for name, (entry, _) in NUMBERS.items() if position[entry]]
    fields += [name for name, entry in FLAGS.items() if position[entry]]
    fields += _place_fields(position)
    fields += _history_fields(position)
    return " ".join(fields)


def _board_only(state: State) -> Position:
    board = empty_position(state.options)
    board[:CELLS] = state.position[:CELLS]
    board[CAPTURED : CAPTURED + 2] = state.position[CAPTURED : CAPTURED + 2]
    return board


def _pieces_text(position: Position, seat: int) -> str:
    texts = [
        piece_text(int(position[cell]), cell)
        for cell in range(CELLS)
        if position[cell] != EMPTY and position[cell] >> SEAT_SHIFT == seat
    ]
    return f"{SEAT_LETTERS[seat]}:{','.join(texts)}"


def _pair_fields(position: Position, default: Position) -> list[str]:
    fields = []
    for name, (entry, _) in PAIRS.items():
        usual = (0, 0) if entry == CAPTURED else tuple(default[entry : entry + 2])
        if tuple(position[entry : entry + 2]) != usual:
            fields.append(f"{name}={position[entry]}/{position[entry + 1]}")
    return fields


def _place_fields(position: Position) -> list[str]:
    fields = []
    if position[FIRST_PLACER]:
        fields.append("first=B")
    for name, entry in (("from", ORIGIN), ("into", TARGET)):
        if position[entry] >= 0:
            fields.append(f"{name}={cell_name(center_of(int(position[entry])))}")
    if position[EVENT_CELL] >= 0:
        fields.append(f"at={cell_name(int(position[EVENT_CELL]))}")
    if position[OFFER]:
        fields.append(f"offer={OFFER_WORDS[position[OFFER]]}")
    if position[PHASE] == OVER:
        fields.append(f"end={REASONS[position[REASON]]}")
    if position[PHASE] == REARRANGE:
        fields.append("lifted=" + ",".join(_format_lifted_pieces(position)))
    return fields


def _format_lifted_pieces(position: Position) -> list[str]:
    spaces = spaces_of(int(position[ORIGIN]))
    pieces = [(int(position[LIFTED + place]), spaces[place]) for place in range(9)]
    return [SEAT_LETTERS[piece >> SEAT_SHIFT] + piece_text(piece, space) for piece, space in pieces if piece != EMPTY]


def _history_fields(position: Position) -> list[str]:
    fields = []
    for seat in range(2):
        if position[STREAK_LENGTH + seat]:
            realm = cell_name(center_of(int(position[STREAK_REALM + seat])))
            fields.append(f"row{SEAT_LETTERS[seat]}={realm}*{position[STREAK_LENGTH + seat]}")
    keys = [int(key) for key in position[KEYS : KEYS + position[KEY_COUNT]]]
    if keys != _default_keys(position):
        fields.append(f"seen={write_keys(keys)}")
    return fields


def _default_keys(position: Position) -> list[int]:
    """Return the default for `seen`: the position itself if it is the start of a turn."""
    starts = position[PHASE] == TURN and not position[MOVED] and not position[SACRIFICED]
    return [int(position_key(position))] if starts else []


# ---- reading


def decode(text: str, *, sound: bool = True) -> State:
    """Read a state from a line; raise `BadPosition` with a sentence that says what is wrong.

    With `sound` off, positions from which play cannot continue are accepted too, so that a board can be drawn while
    someone sets it up.
    """
    fields = split_fields(text, SEAT_LETTERS, FLAGS)
    options = read_options(RealmOptions, fields.pop("options", ""))
    position = empty_position(options)
    _read_pieces(position, fields)
    _read_pair(position, "captured", fields.pop("captured", "0/0"))
    _fill_defaults(position, options)
    for name, value in sorted(fields.items(), key=lambda field: field[0] != "from"):  # `lifted` needs it
        reader = _find_reader(name)
        if reader is None:
            raise unknown_field(name, _field_names())
        reader(position, value)
    if "seen" not in fields:
        _set_keys(position, _default_keys(position))
    if sound:
        check_position(position, options)
    return state_of(position, options)


def _read_pieces(position: Position, fields: dict[str, str]) -> None:
    for seat, letter in enumerate(SEAT_LETTERS):
        texts = fields.pop(letter, "")
        for text in texts.split(",") if texts else []:
            piece, cell = _read_piece(text, seat)
            if position[cell] != EMPTY:
                raise BadPosition(f"{cell_name(cell)} holds two pieces.")
            position[cell] = piece


def _read_piece(text: str, seat: int) -> tuple[int, Cell]:
    found = _PIECE.fullmatch(text)
    if found is None or (found[1] == "E") != bool(found[4]):
        raise BadPosition(f"{text[:40] or 'Nothing'} is not a piece on a space; write Bh11, Pg10, Eg12S or Ea7x.")
    cell = find_cell(found[2] + found[3])
    assert cell is not None  # noqa: S101 - the pattern allows nothing else
    if (found[1] == "B") != (cell in CENTERS):
        raise BadPosition(f"{text} is not possible: Bases go on Centers, other pieces on Border spaces.")
    kind = {"B": BASE, "P": POWER}.get(found[1]) or (
        IMMOBILE if found[4] == "x" else ENFORCER + FACINGS.index(found[4])
    )
    return kind + (seat << SEAT_SHIFT), cell


def _fill_defaults(position: Position, options: RealmOptions) -> Position:
    """Fill in the defaults for a board and its captures: White to move, all other pieces uncreated."""
    position[PHASE] = TURN
    position[SEAT] = 0
    for seat in range(2):
        kinds = count_kinds(position, seat)
        position[BASES_LEFT + seat] = options.bases - kinds[BASE] - position[CAPTURED + 1 - seat]
        position[ENFORCERS_LEFT + seat] = options.enforcers - sum(kinds[ENFORCER:])
    return position


Reader = Callable[[Position, str], None]


def _field_names() -> list[str]:
    return [*SEAT_LETTERS, "options", *_READERS, *FLAGS, *NUMBERS, *PAIRS]


def _find_reader(name: str) -> Reader | None:
    if name in FLAGS:
        return _entry_reader(FLAGS[name], lambda _: 1)
    if name in NUMBERS:
        entry, most = NUMBERS[name]
        return _entry_reader(entry, lambda value: read_number(name, value, most))
    if name in PAIRS:
        return lambda position, value: _read_pair(position, name, value)
    return _READERS.get(name)


def _read_pair(position: Position, name: str, value: str) -> None:
    entry, most = PAIRS[name]
    position[entry : entry + 2] = read_pair(name, value, most)


def _parse_realm(name: str, value: str) -> int:
    cell = find_cell(value)
    if cell not in CENTERS:
        raise BadPosition(f"{name} must be a Realm's Center like h11, not {value[:20]}.")
    return realm_of(cell)


def _read_at(position: Position, value: str) -> None:
    cell = find_cell(value)
    if cell is None or cell in CENTERS:
        raise BadPosition(f"at must be a Border space like g10, not {value[:20]}.")
    position[EVENT_CELL] = cell


def _read_row(position: Position, value: str, seat: int) -> None:
    realm, star, length = value.partition("*")
    if not star or length not in {"1", "2"}:
        raise BadPosition("Write a row of rearrangements like rowW=h11*2.")
    position[STREAK_REALM + seat] = _parse_realm("rowW or rowB", realm)
    position[STREAK_LENGTH + seat] = int(length)


def _read_lifted(position: Position, value: str) -> None:
    for text in value.split(","):
        if text[:1] not in tuple(SEAT_LETTERS):
            raise BadPosition("Write lifted pieces with their owner, like lifted=WPg10,WEi12S.")
        piece, cell = _read_piece(text[1:], SEAT_LETTERS.index(text[0]))
        spaces = spaces_of(realm_of(cell))
        if position[ORIGIN] not in (-1, realm_of(cell)) or piece & KIND_MASK == BASE:
            raise BadPosition("The lifted pieces must be Powers and Enforcers of the Realm that `from` names.")
        if position[LIFTED + spaces.index(cell)] != EMPTY:
            raise BadPosition(f"{cell_name(cell)} held two lifted pieces.")
        position[LIFTED + spaces.index(cell)] = piece
        position[ORIGIN] = realm_of(cell)


def _set_keys(position: Position, keys: list[int]) -> None:
    position[KEYS : KEYS + len(keys)] = keys
    position[KEY_COUNT] = len(keys)


def _entry_reader(entry: int, read: Callable[[str], int]) -> Reader:
    def reader(position: Position, value: str) -> None:
        position[entry] = read(value)

    return reader


_READERS: Final[dict[str, Reader]] = {
    "move": _entry_reader(SEAT, lambda value: read_choice("move", value, SEAT_LETTERS)),
    "first": _entry_reader(FIRST_PLACER, lambda value: read_choice("first", value, SEAT_LETTERS)),
    "phase": _entry_reader(PHASE, lambda value: read_choice("phase", value, PHASE_WORDS)),
    "from": _entry_reader(ORIGIN, lambda value: _parse_realm("from", value)),
    "into": _entry_reader(TARGET, lambda value: _parse_realm("into", value)),
    "at": _read_at,
    "offer": _entry_reader(OFFER, lambda value: read_choice("offer", value, OFFER_WORDS)),
    "end": _entry_reader(REASON, lambda value: read_choice("end", value, REASONS)),
    "rowW": lambda position, value: _read_row(position, value, 0),
    "rowB": lambda position, value: _read_row(position, value, 1),
    "lifted": _read_lifted,
    "seen": lambda position, value: _set_keys(position, read_keys("seen", value, KEY_CAPACITY - 4)),
}
