"""A state of Medieval Realm as one line of text that people can also write by hand.

``W:De2,Mb5,Ma7 B:Dh11,Mb8 move=B`` is a board and the side to move: a Man on a Border space is dislodged, and pieces
that are not listed have been borne off. Every other field is optional and left out if it has its default: ``turns=12``,
``dukes=2/1`` (rows of Duke moves, M11), ``passed``, ``end=duke_draw``, ``options=…``, ``seen=…`` (keys of T2).
"""

from __future__ import annotations

from typing import Final

from realmtable.engine.errors import BadPosition
from realmtable.games.medieval_realm import layout
from realmtable.games.medieval_realm.first_state import State, empty_position, state_of
from realmtable.games.medieval_realm.notation import LETTERS, piece_letter
from realmtable.games.medieval_realm.options import MedievalOptions
from realmtable.games.medieval_realm.rules import position_key
from realmtable.games.medieval_realm.view import pieces_on_board
from realmtable.kit.position_text import read_choice, read_keys, read_number, read_pair, unknown_field, write_seen
from realmtable.kit.realm_board.geometry import CENTERS, SEAT_LETTERS, SEAT_NAMES, Cell, cell_name, realm_of
from realmtable.kit.realm_board.position_text import read_fields, split_piece, write_board
from realmtable.kit.rules import Position

PALETTE: Final = {"D@": "Duke", "M@": "Man"}
FIELDS: Final = ("W:", "B:", "options", "move", "turns", "dukes", "passed", "end", "seen")


# ---- writing


def encode(state: State) -> str:
    """Return the whole state as one line; `decode` restores an equal one."""
    position = state.position
    fields = write_board(_piece_texts(position), position.item(layout.SEAT), state.options)
    if position[layout.TURNS]:
        fields.append(f"turns={position[layout.TURNS]}")
    if position[layout.DUKE_STREAK] or position[layout.DUKE_STREAK + 1]:
        fields.append(f"dukes={position[layout.DUKE_STREAK]}/{position[layout.DUKE_STREAK + 1]}")
    if position[layout.PASSED]:
        fields.append("passed")
    if position[layout.REASON] != layout.UNFINISHED:
        fields.append(f"end={layout.REASONS[position[layout.REASON]]}")
    return " ".join(fields + write_seen(position, layout.HISTORY, _default_keys(position)))


def _piece_texts(position: Position) -> list[list[str]]:
    pieces = pieces_on_board(position)
    return [
        [piece_letter(piece.kind) + cell_name(piece.at) for piece in pieces if piece.seat == seat]
        for seat in range(len(SEAT_LETTERS))
    ]


def _default_keys(position: Position) -> list[int]:
    """Return the default for `seen`: the position itself."""
    return [int(position_key(position))]


# ---- reading


def decode(text: str, *, sound: bool = True) -> State:
    """Read a state from a line, or raise `BadPosition`; with `sound` off, read unplayable positions too."""
    fields, options = read_fields(text, MedievalOptions, ("passed",))
    position = empty_position(options)
    _read_pieces(position, fields)
    position[layout.SEAT] = read_choice("move", fields.pop("move", "W"), SEAT_LETTERS)
    position[layout.TURNS] = read_number("turns", fields.pop("turns", "0"), options.max_plies)
    position[layout.DUKE_STREAK : layout.DUKE_STREAK + 2] = read_pair(
        "dukes", fields.pop("dukes", "0/0"), layout.DUKE_STREAK_LIMIT
    )
    position[layout.PASSED] = fields.pop("passed", None) is not None
    position[layout.REASON] = read_choice("end", fields.pop("end", ""), layout.REASONS)
    seen = fields.pop("seen", None)
    keys = _default_keys(position) if seen is None else read_keys("seen", seen, layout.KEY_CAPACITY)
    layout.HISTORY.store(position, keys)
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
                position[realm_of(cell)] = kind + (seat << layout.SEAT_SHIFT)
            else:
                position[layout.BORDER_COUNTS + 2 * realm_of(cell) + seat] += 1
        _check_counts(kinds, seat)
        position[layout.OFF_COUNT + seat] = layout.PIECES_EACH - len(kinds)


def _read_piece(text: str) -> tuple[int, Cell]:
    letter, cell = split_piece(LETTERS, text, "De2, Mb5 or Ma4")
    kind = layout.DUKE + LETTERS.index(letter)
    if kind == layout.DUKE and cell not in CENTERS:
        raise BadPosition(f"{text} is not possible: Dukes are never dislodged, so they are always on a Center.")
    return kind, cell


def _check_counts(kinds: list[int], seat: int) -> None:
    for kind, most, words in ((layout.DUKE, layout.DUKES_EACH, "Dukes"), (layout.MAN, layout.MEN_EACH, "Men")):
        if kinds.count(kind) > most:
            raise BadPosition(f"{SEAT_NAMES[seat]} has {kinds.count(kind)} {words}, but the limit is {most}.")


def _check_sides(position: Position) -> None:
    """Check that a player without pieces has won, on their own turn (M9)."""
    won = position[layout.REASON] == layout.BORNE_OFF
    for seat, name in enumerate(SEAT_NAMES):
        if position[layout.OFF_COUNT + seat] == layout.PIECES_EACH and not (won and position[layout.SEAT] == seat):
            raise BadPosition(
                f"{name} has borne off all pieces, so the game is over; write move={SEAT_LETTERS[seat]} end=borne_off."
            )
    if won and position[layout.OFF_COUNT + position[layout.SEAT]] < layout.PIECES_EACH:
        raise BadPosition(f"{SEAT_NAMES[position[layout.SEAT]]} has not borne off all pieces, so the game is not over.")


def _check_end(position: Position, options: MedievalOptions) -> None:
    if position[layout.KEY_COUNT] > position[layout.TURNS] + 1:
        raise BadPosition("`seen` lists more positions than the turns played allow.")
    if position[layout.REASON] != layout.UNFINISHED:
        return
    if position[layout.TURNS] >= options.max_plies:
        raise BadPosition("The game has reached its last turn, so it is over; write end=max_plies.")
    if (
        options.duke_draw
        and position[layout.DUKE_STREAK] == position[layout.DUKE_STREAK + 1] == layout.DUKE_STREAK_LIMIT
    ):
        raise BadPosition(
            "Both players have moved Dukes three times in a row, so the game is over; write end=duke_draw."
        )
