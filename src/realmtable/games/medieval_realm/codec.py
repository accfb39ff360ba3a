"""A state of Medieval Realm as one line of text that people can also write by hand.

``W:De2,Mb5,Ma7 B:Dh11,Mb8 move=B`` is a board and the side to move: a Man on a Border space is dislodged, and pieces
that are not listed have been borne off. Every other field is optional and left out if it has its default: ``turns=12``,
``dukes=2/1`` (rows of Duke moves, M11), ``passed``, ``end=duke_draw``, ``options=…``, ``seen=…`` (keys of T2).
"""

from __future__ import annotations

import re
from typing import Final

from realmtable.engine.errors import BadPosition
from realmtable.engine.options import as_pairs
from realmtable.games.medieval_realm.notation import LETTERS, piece_letter
from realmtable.games.medieval_realm.options import MedievalOptions
from realmtable.games.medieval_realm.position import (
    BORDER_COUNTS,
    BORNE_OFF,
    DUKE,
    DUKE_STREAK,
    DUKE_STREAK_LIMIT,
    DUKES_EACH,
    KEY_CAPACITY,
    KEY_COUNT,
    KEYS,
    MAN,
    MEN_EACH,
    OFF_COUNT,
    PASSED,
    PIECES_EACH,
    REASON,
    REASONS,
    SEAT,
    SEAT_SHIFT,
    TURNS,
    UNFINISHED,
)
from realmtable.games.medieval_realm.rules import position_key
from realmtable.games.medieval_realm.state import State, empty_position, state_of
from realmtable.games.medieval_realm.view import SEAT_NAMES, pieces_on_board
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
from realmtable.kit.realm_board import CENTERS, Cell, cell_name, find_cell, realm_of
from realmtable.kit.rules import Position

SEAT_LETTERS: Final = "WB"
PALETTE: Final = {"D@": "Duke", "M@": "Man"}
FIELDS: Final = ("W:", "B:", "options", "move", "turns", "dukes", "passed", "end", "seen")
_PIECE = re.compile(rf"([{LETTERS}])([a-l](?:1[0-2]|[1-9]))")


# ---- writing


def encode(state: State) -> str:
    """Return the whole state as one line; `decode` restores an equal one."""
    position = state.position
    fields = [*_piece_texts(position), f"move={SEAT_LETTERS[position[SEAT]]}"]
    if pairs := as_pairs(state.options):
        fields.append("options=" + ",".join(pairs))
    if position[TURNS]:
        fields.append(f"turns={position[TURNS]}")
    if position[DUKE_STREAK] or position[DUKE_STREAK + 1]:
        fields.append(f"dukes={position[DUKE_STREAK]}/{position[DUKE_STREAK + 1]}")
    if position[PASSED]:
        fields.append("passed")
    if position[REASON] != UNFINISHED:
        fields.append(f"end={REASONS[position[REASON]]}")
    keys = [int(key) for key in position[KEYS : KEYS + position[KEY_COUNT]]]
    if keys != _default_keys(position):
        fields.append(f"seen={write_keys(keys)}")
    return " ".join(fields)


def _piece_texts(position: Position) -> list[str]:
    pieces = pieces_on_board(position)
    texts = [
        [piece_letter(piece.kind) + cell_name(piece.at) for piece in pieces if piece.seat == seat]
        for seat in range(len(SEAT_LETTERS))
    ]
    return [f"{name}:{','.join(own)}" for name, own in zip(SEAT_LETTERS, texts, strict=True)]


def _default_keys(position: Position) -> list[int]:
    """Return the default for `seen`: the position itself."""
    return [int(position_key(position))]


# ---- reading


def decode(text: str, *, sound: bool = True) -> State:
    """Read a state from a line; raise `BadPosition` with a sentence that says what is wrong.

    With `sound` off, positions from which play cannot continue are accepted too, so that a board can be drawn while
    someone sets it up.
    """
    fields = split_fields(text, SEAT_LETTERS, ("passed",))
    options = read_options(MedievalOptions, fields.pop("options", ""))
    position = empty_position(options)
    _read_pieces(position, fields)
    position[SEAT] = read_choice("move", fields.pop("move", "W"), SEAT_LETTERS)
    position[TURNS] = read_number("turns", fields.pop("turns", "0"), options.max_plies)
    position[DUKE_STREAK : DUKE_STREAK + 2] = read_pair("dukes", fields.pop("dukes", "0/0"), DUKE_STREAK_LIMIT)
    position[PASSED] = fields.pop("passed", None) is not None
    position[REASON] = read_choice("end", fields.pop("end", ""), REASONS)
    seen = fields.pop("seen", None)
    keys = _default_keys(position) if seen is None else read_keys("seen", seen, KEY_CAPACITY)
    position[KEYS : KEYS + len(keys)] = keys
    position[KEY_COUNT] = len(keys)
    for name in fields:
        raise unknown_field(name, FIELDS)
    if sound:
        _check_sides(position)
        _check_end(position, options)
    return state_of(position, options)


def _read_pieces(position: Position, fields: dict[str, str]) -> None:
    taken: set[Cell] = set()
    for seat, name in enumerate(SEAT_LETTERS):
        texts = fields.pop(name, "")
        kinds = []
        for text in texts.split(",") if texts else []:
            kind, cell = _read_piece(text)
            if cell in taken:
                raise BadPosition(f"{cell_name(cell)} holds two pieces.")
            taken.add(cell)
            kinds.append(kind)
            if cell in CENTERS:
                position[realm_of(cell)] = kind + (seat << SEAT_SHIFT)
            else:
                position[BORDER_COUNTS + 2 * realm_of(cell) + seat] += 1
        _check_counts(kinds, seat)
        position[OFF_COUNT + seat] = PIECES_EACH - len(kinds)


def _read_piece(text: str) -> tuple[int, Cell]:
    found = _PIECE.fullmatch(text)
    if found is None:
        raise BadPosition(f"{text[:40] or 'Nothing'} is not a piece on a space; write De2, Mb5 or Ma4.")
    kind = DUKE + LETTERS.index(found[1])
    cell = find_cell(found[2])
    assert cell is not None  # noqa: S101 - the pattern allows nothing else
    if kind == DUKE and cell not in CENTERS:
        raise BadPosition(f"{text} is not possible: Dukes are never dislodged, so they are always on a Center.")
    return kind, cell


def _check_counts(kinds: list[int], seat: int) -> None:
    for kind, most, words in ((DUKE, DUKES_EACH, "Dukes"), (MAN, MEN_EACH, "Men")):
        if kinds.count(kind) > most:
            raise BadPosition(f"{SEAT_NAMES[seat]} has {kinds.count(kind)} {words}, but the limit is {most}.")


def _check_sides(position: Position) -> None:
    """Check that a player without pieces has won, on their own turn (M9)."""
    won = position[REASON] == BORNE_OFF
    for seat, name in enumerate(SEAT_NAMES):
        if position[OFF_COUNT + seat] == PIECES_EACH and not (won and position[SEAT] == seat):
            raise BadPosition(
                f"{name} has borne off all pieces, so the game is over; write move={SEAT_LETTERS[seat]} end=borne_off."
            )
    if won and position[OFF_COUNT + position[SEAT]] < PIECES_EACH:
        raise BadPosition(f"{SEAT_NAMES[position[SEAT]]} has not borne off all pieces, so the game is not over.")


def _check_end(position: Position, options: MedievalOptions) -> None:
    if position[KEY_COUNT] > position[TURNS] + 1:
        raise BadPosition("`seen` lists more positions than the turns played allow.")
    if position[REASON] != UNFINISHED:
        return
    if position[TURNS] >= options.max_plies:
        raise BadPosition("The game has reached its last turn, so it is over; write end=max_plies.")
    if options.duke_draw and position[DUKE_STREAK] == position[DUKE_STREAK + 1] == DUKE_STREAK_LIMIT:
        raise BadPosition(
            "Both players have moved Dukes three times in a row, so the game is over; write end=duke_draw."
        )
