"""A state of Medieval Realm as one line of text that people can also write by hand.

``W:De2,Mb5,Ma7 B:Dh11,Mb8 move=B`` is a board and the side to move: a Man on a Border space is dislodged, and pieces
that are not listed have been borne off. Every other field is optional and left out if it has its default: ``turns=12``,
``dukes=2/1`` (rows of Duke moves, M11), ``passed``, ``end=duke_draw``, ``options=…``, ``seen=…`` (keys of T2).
"""

from __future__ import annotations

from typing import Final

from realmtable.games.medieval_realm import layout
from realmtable.games.medieval_realm.first_state import State, empty_position, state_of
from realmtable.games.medieval_realm.notation import LETTERS, piece_letter
from realmtable.games.medieval_realm.options import MedievalOptions
from realmtable.games.medieval_realm.rules import position_key
from realmtable.games.medieval_realm.view import pieces_on_board
from realmtable.kit.position_text import read_number
from realmtable.kit.realm_board import position_text
from realmtable.kit.realm_board.geometry import CENTERS, SEAT_LETTERS, SEAT_NAMES, Cell, cell_name, realm_of
from realmtable.kit.realm_board.position_text import refuse_if
from realmtable.kit.rules import Position

PALETTE: Final = {"D@": "Duke", "M@": "Man"}


def encode(state: State) -> str:
    """Return the whole state as one line; `decode` restores an equal one."""
    pieces = pieces_on_board(state.position)
    texts = [
        [piece_letter(piece.kind) + cell_name(piece.at) for piece in pieces if piece.seat == seat]
        for seat in range(len(SEAT_LETTERS))
    ]
    return position_text.write_position(state, texts, empty_position(state.options), FIELDS)


def decode(text: str, *, sound: bool = True) -> State:
    """Read a state from a line, or raise `BadPosition`; with `sound` off, read unplayable positions too."""
    texts, options = position_text.read_fields(text, MedievalOptions, FIELDS)
    position = empty_position(options)
    _store_pieces(position, position_text.read_pieces(texts, _read_piece))
    position_text.store_fields(position, texts, FIELDS)
    if "seen" not in texts:
        layout.HISTORY.store(position, _default_keys(position))
    if sound:
        _check_sides(position)
        _check_end(position, options)
    return state_of(position, options)


def _read_piece(text: str, seat: int) -> tuple[int, Cell]:
    letter, cell = position_text.split_piece(LETTERS, text, "De2, Mb5 or Ma4")
    kind = layout.DUKE + LETTERS.index(letter)
    fallen = kind == layout.DUKE and cell not in CENTERS
    refuse_if(fallen, f"{text} is not possible: Dukes are never dislodged, so they are always on a Center.")
    return kind + (seat << layout.SEAT_SHIFT), cell


def _store_pieces(position: Position, pieces: dict[Cell, int]) -> None:
    for cell, piece in pieces.items():
        if cell in CENTERS:
            position[realm_of(cell)] = piece
        else:
            position[layout.BORDER_COUNTS + 2 * realm_of(cell) + (piece >> layout.SEAT_SHIFT)] += 1
    for seat, name in enumerate(SEAT_NAMES):
        kinds = [piece & layout.KIND_MASK for piece in pieces.values() if piece >> layout.SEAT_SHIFT == seat]
        for kind, most, words in ((layout.DUKE, layout.DUKES_EACH, "Dukes"), (layout.MAN, layout.MEN_EACH, "Men")):
            count = kinds.count(kind)
            refuse_if(count > most, f"{name} has {count} {words}, but the limit is {most}.")
        position[layout.OFF_COUNT + seat] = layout.PIECES_EACH - len(kinds)


def _default_keys(position: Position) -> list[int]:
    """Return the default for `seen`: the position itself."""
    return [int(position_key(position))]


def _read_turns(position: Position, name: str, text: str) -> None:
    """Read a number of turns that the options allow."""
    position[layout.TURNS] = read_number(name, text, int(position[layout.R_MAX_PLIES]))


FIELDS: Final = (
    position_text.move_field(layout.SEAT),
    position_text.number_field("turns", layout.TURNS, layout.KEY_CAPACITY)._replace(read=_read_turns),
    position_text.pair_field("dukes", layout.DUKE_STREAK, layout.DUKE_STREAK_LIMIT),
    position_text.flag_field("passed", layout.PASSED),
    position_text.choice_field("end", layout.REASON, layout.REASONS),
    position_text.history_field(layout.HISTORY, layout.KEY_CAPACITY, _default_keys),
)


# ---- validation


def _check_sides(position: Position) -> None:
    """Check that a player without pieces has won, on their own turn (M9)."""
    won, mover = position[layout.REASON] == layout.BORNE_OFF, int(position[layout.SEAT])
    for seat, name in enumerate(SEAT_NAMES):
        refuse_if(
            position[layout.OFF_COUNT + seat] == layout.PIECES_EACH and not (won and mover == seat),
            f"{name} has borne off all pieces, so the game is over; write move={SEAT_LETTERS[seat]} end=borne_off.",
        )
    unfinished = won and position[layout.OFF_COUNT + mover] < layout.PIECES_EACH
    refuse_if(unfinished, f"{SEAT_NAMES[mover]} has not borne off all pieces, so the game is not over.")


def _check_end(position: Position, options: MedievalOptions) -> None:
    turns = position[layout.TURNS]
    refuse_if(position[layout.KEY_COUNT] > turns + 1, "`seen` lists more positions than the turns played allow.")
    if position[layout.REASON] != layout.UNFINISHED:
        return
    refuse_if(turns >= options.max_plies, "The game has reached its last turn, so it is over; write end=max_plies.")
    white, black = position[layout.DUKE_STREAK : layout.DUKE_STREAK + 2]
    refuse_if(
        options.duke_draw and white == black == layout.DUKE_STREAK_LIMIT,
        "Both players have moved Dukes three times in a row, so the game is over; write end=duke_draw.",
    )
