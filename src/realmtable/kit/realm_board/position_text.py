"""Reads and writes the fields of positions that name spaces, Realms and pieces of the Realm board."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence

from realmtable.engine.errors import BadPosition
from realmtable.engine.options import OptionsT, as_pairs
from realmtable.engine.protocol import Options, Seat
from realmtable.kit.position_text import Reader, entry_reader, read_options, split_fields, unknown_field
from realmtable.kit.realm_board.geometry import (
    CELLS,
    CENTERS,
    SEAT_LETTERS,
    Cell,
    Realm,
    cell_name,
    find_cell,
    realm_of,
)
from realmtable.kit.rules import Position

CENTER_WORDS = "a Realm's Center like h11"


def read_fields(
    text: str, options_type: type[OptionsT], flags: Collection[str] = ()
) -> tuple[dict[str, str], OptionsT]:
    """Split a line into its fields and read the options among them."""
    fields = split_fields(text, SEAT_LETTERS, flags)
    return fields, read_options(options_type, fields.pop("options", ""))


def read_center(name: str, text: str, what: str = CENTER_WORDS) -> Realm:
    """Read a Realm, which is named by its Center."""
    cell = find_cell(text)
    if cell not in CENTERS:
        raise BadPosition(f"{name} must be {what}, not {text[:20]}.")
    return realm_of(cell)


def read_pieces(fields: dict[str, str], read_piece: Callable[[str, Seat], tuple[int, Cell]]) -> dict[Cell, int]:
    """Take the pieces of both seats out of the fields and return them by space, none of which may hold two."""
    pieces: dict[Cell, int] = {}
    for seat, letter in enumerate(SEAT_LETTERS):
        texts = fields.pop(letter, "")
        for text in texts.split(",") if texts else []:
            piece, cell = read_piece(text, seat)
            if cell in pieces:
                raise BadPosition(f"{cell_name(cell)} holds two pieces.")
            pieces[cell] = piece
    return pieces


def split_piece(letters: str, text: str, examples: str) -> tuple[str, Cell]:
    """Split a piece into its letter, one of `letters`, and its space."""
    found = re.fullmatch(rf"([{letters}])([a-l](?:1[0-2]|[1-9]))", text)
    if found is None:
        raise BadPosition(f"{text[:40] or 'Nothing'} is not a piece on a space; write {examples}.")
    cell = find_cell(found[2])
    assert cell is not None  # noqa: S101 - the pattern allows nothing else
    return found[1], cell


def center_reader(entry: int, what: str = CENTER_WORDS) -> Reader:
    """Return a reader that stores the Realm of a Center."""
    return entry_reader(entry, lambda name, text: read_center(name, text, what))


def store_fields(
    position: Position, fields: Mapping[str, str], readers: Mapping[str, Reader], others: Sequence[str] = ()
) -> None:
    """Store fields in a position, each by its reader; the error for an unknown one lists `others` as known too."""
    for name, text in fields.items():
        if name not in readers:
            raise unknown_field(name, [*SEAT_LETTERS, "options", *readers, *others])
        readers[name](position, name, text)


def write_pieces(position: Position, seat_shift: int, write: Callable[[int, Cell], str]) -> list[list[str]]:
    """Write each seat's pieces in a position whose first 144 entries are the spaces, 0 for an empty one."""
    texts: list[list[str]] = [[], []]
    for cell, piece in enumerate(position[:CELLS].tolist()):
        if piece:
            texts[piece >> seat_shift].append(write(piece, cell))
    return texts


def write_board(pieces: Sequence[Sequence[str]], seat: Seat, options: Options) -> list[str]:
    """Write the fields of every position: each seat's pieces, the seat to move, and the options if any was changed."""
    fields = [f"{letter}:{','.join(texts)}" for letter, texts in zip(SEAT_LETTERS, pieces, strict=True)]
    pairs = as_pairs(options)
    return [*fields, f"move={SEAT_LETTERS[seat]}", *(["options=" + ",".join(pairs)] if pairs else [])]
