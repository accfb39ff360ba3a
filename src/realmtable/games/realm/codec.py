"""A Realm state as one line of text that a person can also write.

``W:Bh11,Pg10,Eg12S,Ea7x B:Bh2,Pg3 move=B`` is a board and who moves; every other field has a default and is left out
where it has it. docs/record-format.md lists the fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from realmtable.engine.errors import BadOptions, BadPosition
from realmtable.engine.options import as_pairs, make, parse_pairs
from realmtable.games.realm.notation import piece_text
from realmtable.games.realm.options import RealmOptions
from realmtable.games.realm.position import (
    AT,
    BASE,
    BASES_LEFT,
    CAPTURED,
    EMPTY,
    ENFORCER,
    ENFORCERS_LEFT,
    FIRST,
    FREED,
    IMMOBILE,
    KEYS,
    KIND,
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
    QUIET,
    REARRANGE,
    REASON,
    REASONS,
    ROW_LENGTH,
    ROW_REALM,
    SEAT,
    SEEN,
    SEEN_SIZE,
    SIDE_BIT,
    TARGET,
    TURN,
    TURNS,
)
from realmtable.games.realm.rules import position_key
from realmtable.games.realm.sound import check, count_kinds
from realmtable.games.realm.state import State, empty_position, state_of
from realmtable.kit.array_state import Position
from realmtable.kit.realm_board import (
    CELLS,
    CENTERS,
    FACINGS,
    Cell,
    cell_name,
    cell_named,
    center_of,
    realm_of,
    spaces_of,
)

MAX_TEXT: Final = 8000
SEAT_LETTERS: Final = "WB"
PHASE_WORDS: Final = (
    "choose_place", "bases", "powers", "choose_move", "turn", "found", "create", "immobilise", "rearrange", "over",
)  # fmt: skip
OFFER_WORDS: Final = ("none", "made", "standing")
FLAGS: Final = {"moved": MOVED, "freed": FREED, "progress": PROGRESS, "passed": PASSED}
NUMBERS: Final = {"placed": (PLACED, 9), "turns": (TURNS, 1000), "quiet": (QUIET, 120)}
PAIRS: Final = {"left": (BASES_LEFT, 15), "stock": (ENFORCERS_LEFT, 9), "captured": (CAPTURED, 30)}
_PIECE = re.compile(r"([BPE])([a-l])(1[0-2]|[1-9])([NESWx]?)")


# ---- writing


def encode(state: State) -> str:
    """The whole state in one line; `decode` gives an equal one."""
    position = state.position
    default = _with_defaults(_board_only(state), state.options)
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
        if position[cell] != EMPTY and position[cell] >> SIDE_BIT == seat
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
    if position[FIRST]:
        fields.append("first=B")
    for name, entry in (("from", ORIGIN), ("into", TARGET)):
        if position[entry] >= 0:
            fields.append(f"{name}={cell_name(center_of(int(position[entry])))}")
    if position[AT] >= 0:
        fields.append(f"at={cell_name(int(position[AT]))}")
    if position[OFFER]:
        fields.append(f"offer={OFFER_WORDS[position[OFFER]]}")
    if position[PHASE] == OVER:
        fields.append(f"end={REASONS[position[REASON]]}")
    if position[PHASE] == REARRANGE:
        fields.append("lifted=" + ",".join(_lifted_texts(position)))
    return fields


def _lifted_texts(position: Position) -> list[str]:
    spaces = spaces_of(int(position[ORIGIN]))
    pieces = [(int(position[LIFTED + place]), spaces[place]) for place in range(9)]
    return [SEAT_LETTERS[piece >> SIDE_BIT] + piece_text(piece, space) for piece, space in pieces if piece != EMPTY]


def _history_fields(position: Position) -> list[str]:
    fields = []
    for seat in range(2):
        if position[ROW_LENGTH + seat]:
            realm = cell_name(center_of(int(position[ROW_REALM + seat])))
            fields.append(f"row{SEAT_LETTERS[seat]}={realm}*{position[ROW_LENGTH + seat]}")
    keys = [int(key) for key in position[KEYS : KEYS + position[SEEN]]]
    if keys != _default_keys(position):
        fields.append("seen=" + ",".join(f"{key & 0xFFFF_FFFF_FFFF_FFFF:016x}" for key in keys))
    return fields


def _default_keys(position: Position) -> list[int]:
    """What has been seen where nobody says: the position itself, if a turn begins with it."""
    starts = position[PHASE] == TURN and not position[MOVED] and not position[FREED]
    return [int(position_key(position))] if starts else []


# ---- reading


def decode(text: str) -> State:
    """The state of a line; what is wrong with it is said in a sentence."""
    if len(text) > MAX_TEXT:
        raise BadPosition(f"A position is shorter than {MAX_TEXT:,} characters.")
    fields = _split(text)
    options = _read_options(fields.pop("options", ""))
    position = empty_position(options)
    _read_pieces(position, fields)
    _read_pair(position, "captured", fields.pop("captured", "0/0"))
    _with_defaults(position, options)
    for name, value in sorted(fields.items(), key=lambda field: field[0] != "from"):  # `lifted` looks at it
        reader = _reader_of(name)
        if reader is None:
            raise BadPosition(f"A position has no field {name[:40]}; it has {', '.join(_field_names())}.")
        reader(position, value)
    if "seen" not in fields:
        _set_keys(position, _default_keys(position))
    check(position, options)
    return state_of(position, options)


def _split(text: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    for field in text.split():
        name, separator, value = field.partition(":" if field[:2] in ("W:", "B:") else "=")
        name = f"{name}:" if separator == ":" else name
        if name in fields:
            raise BadPosition(f"The field {name[:40]} is given twice.")
        if not separator and name not in FLAGS:
            raise BadPosition(f"{name[:40]} is not a field; write pieces as W:Bh11,Pg10 and the rest as name=value.")
        fields[name] = value
    return fields


def _read_options(text: str) -> RealmOptions:
    try:
        values = parse_pairs(RealmOptions, text.split(",") if text else [])
        return make(RealmOptions, {}, None, values)
    except BadOptions as error:
        raise BadPosition(str(error)) from None


def _read_pieces(position: Position, fields: dict[str, str]) -> None:
    for seat, letter in enumerate(SEAT_LETTERS):
        texts = fields.pop(f"{letter}:", "")
        for text in texts.split(",") if texts else []:
            piece, cell = _read_piece(text, seat)
            if position[cell] != EMPTY:
                raise BadPosition(f"{cell_name(cell)} holds two pieces.")
            position[cell] = piece


def _read_piece(text: str, seat: int) -> tuple[int, Cell]:
    found = _PIECE.fullmatch(text)
    if found is None or (found[1] == "E") != bool(found[4]):
        raise BadPosition(f"{text[:40] or 'Nothing'} is not a piece on a space; write Bh11, Pg10, Eg12S or Ea7x.")
    cell = cell_named(found[2] + found[3])
    assert cell is not None  # noqa: S101 - the pattern admits no other
    if (found[1] == "B") != (cell in CENTERS):
        raise BadPosition(f"{text} cannot be: Bases stand on Centers, other pieces on Border spaces.")
    kind = {"B": BASE, "P": POWER}.get(found[1]) or (
        IMMOBILE if found[4] == "x" else ENFORCER + FACINGS.index(found[4])
    )
    return kind + (seat << SIDE_BIT), cell


def _with_defaults(position: Position, options: RealmOptions) -> Position:
    """Fill in what follows from the board and the captures: a turn of White's, all other pieces uncreated."""
    position[PHASE] = TURN
    position[SEAT] = 0
    for seat in range(2):
        kinds = count_kinds(position, seat)
        position[BASES_LEFT + seat] = options.bases - kinds[BASE] - position[CAPTURED + 1 - seat]
        position[ENFORCERS_LEFT + seat] = options.enforcers - sum(kinds[ENFORCER:])
    return position


Reader = Callable[[Position, str], None]


def _field_names() -> list[str]:
    return ["W:", "B:", "options", *_READERS, *FLAGS, *NUMBERS, *PAIRS]


def _reader_of(name: str) -> Reader | None:
    if name in FLAGS:
        return lambda position, value: _read_flag(position, name, value)
    if name in NUMBERS:
        return lambda position, value: _read_number(position, name, value)
    if name in PAIRS:
        return lambda position, value: _read_pair(position, name, value)
    return _READERS.get(name)


def _read_flag(position: Position, name: str, value: str) -> None:
    if value:
        raise BadPosition(f"{name} takes no value; write it alone.")
    position[FLAGS[name]] = 1


def _number(name: str, text: str, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text) <= most):  # noqa: PLR2004 - digits
        raise BadPosition(f"{name} must be a number from 0 to {most}, not {text[:20]}.")
    return int(text)


def _read_number(position: Position, name: str, value: str) -> None:
    entry, most = NUMBERS[name]
    position[entry] = _number(name, value, most)


def _read_pair(position: Position, name: str, value: str) -> None:
    entry, most = PAIRS[name]
    white, slash, black = value.partition("/")
    if not slash:
        raise BadPosition(f"{name} needs a number for White and one for Black, like {name}=3/4.")
    position[entry] = _number(name, white, most)
    position[entry + 1] = _number(name, black, most)


def _choice(name: str, value: str, words: tuple[str, ...] | str) -> int:
    if value not in tuple(words):
        raise BadPosition(f"{name} must be one of {', '.join(words)}, not {value[:20]}.")
    return words.index(value)


def _realm(name: str, value: str) -> int:
    cell = cell_named(value)
    if cell not in CENTERS:
        raise BadPosition(f"{name} must be a Realm's Center like h11, not {value[:20]}.")
    return realm_of(cell)


def _read_at(position: Position, value: str) -> None:
    cell = cell_named(value)
    if cell is None or cell in CENTERS:
        raise BadPosition(f"at must be a Border space like g10, not {value[:20]}.")
    position[AT] = cell


def _read_row(position: Position, value: str, seat: int) -> None:
    realm, star, length = value.partition("*")
    if not star or length not in {"1", "2"}:
        raise BadPosition("A row of rearrangements is written like rowW=h11*2.")
    position[ROW_REALM + seat] = _realm("rowW or rowB", realm)
    position[ROW_LENGTH + seat] = int(length)


def _read_lifted(position: Position, value: str) -> None:
    for text in value.split(","):
        if text[:1] not in tuple(SEAT_LETTERS):
            raise BadPosition("Lifted pieces are written with their owner, like lifted=WPg10,WEi12S.")
        piece, cell = _read_piece(text[1:], SEAT_LETTERS.index(text[0]))
        spaces = spaces_of(realm_of(cell))
        if position[ORIGIN] not in (-1, realm_of(cell)) or piece & KIND == BASE:
            raise BadPosition("The lifted pieces are Powers and Enforcers of the one Realm that `from` names.")
        if position[LIFTED + spaces.index(cell)] != EMPTY:
            raise BadPosition(f"{cell_name(cell)} held two lifted pieces.")
        position[LIFTED + spaces.index(cell)] = piece
        position[ORIGIN] = realm_of(cell)


def _read_seen(position: Position, value: str) -> None:
    texts = value.split(",") if value else []
    if len(texts) > SEEN_SIZE - 4 or not all(re.fullmatch(r"[0-9a-f]{16}", text) for text in texts):
        raise BadPosition(f"seen is a list of at most {SEEN_SIZE - 4} keys of 16 hexadecimal digits.")
    _set_keys(position, [int(text, 16) - (1 << 64 if text[0] >= "8" else 0) for text in texts])


def _set_keys(position: Position, keys: list[int]) -> None:
    position[KEYS : KEYS + len(keys)] = keys
    position[SEEN] = len(keys)


def _set(entry: int, read: Callable[[str], int]) -> Reader:
    def reader(position: Position, value: str) -> None:
        position[entry] = read(value)

    return reader


_READERS: Final[dict[str, Reader]] = {
    "move": _set(SEAT, lambda value: _choice("move", value, SEAT_LETTERS)),
    "first": _set(FIRST, lambda value: _choice("first", value, SEAT_LETTERS)),
    "phase": _set(PHASE, lambda value: _choice("phase", value, PHASE_WORDS)),
    "from": _set(ORIGIN, lambda value: _realm("from", value)),
    "into": _set(TARGET, lambda value: _realm("into", value)),
    "at": _read_at,
    "offer": _set(OFFER, lambda value: _choice("offer", value, OFFER_WORDS)),
    "end": _set(REASON, lambda value: _choice("end", value, REASONS)),
    "rowW": lambda position, value: _read_row(position, value, 0),
    "rowB": lambda position, value: _read_row(position, value, 1),
    "lifted": _read_lifted,
    "seen": _read_seen,
}
