"""Positions of the Realm board as one line: the pieces of both seats, the options, and a table of further fields.

A game lists its fields in the order in which they are written and read; see `Field`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from realmtable.engine.errors import BadPosition
from realmtable.engine.options import OptionsT, as_pairs
from realmtable.engine.protocol import Seat
from realmtable.kit.array_state import ArrayState
from realmtable.kit.position_text import (
    Reader,
    choice_reader,
    entry_reader,
    read_choice,
    read_keys,
    read_number,
    read_options,
    read_pair,
    split_fields,
    unknown_field,
    write_keys,
)
from realmtable.kit.realm_board.geometry import (
    CELLS,
    CENTERS,
    SEAT_LETTERS,
    Cell,
    Realm,
    cell_name,
    find_cell,
    realm_name,
    realm_of,
)
from realmtable.kit.rules import History, Position

CENTER_WORDS = "a Realm's Center like h11"
Texts = dict[str, str]  # the fields of a line, by name


def refuse_if(faulty: object, sentence: str) -> None:
    """Raise `BadPosition` with a sentence if something is faulty."""
    if faulty:
        raise BadPosition(sentence)


# ---- fields


class Field(NamedTuple):
    """A field of a position besides its pieces and options, such as ``turns=12``."""

    name: str
    read: Reader  # stores the field's text in a position
    # the whole field as text, or an empty text where it is as in the second position, for which nothing need be written
    write: Callable[[Position, Position], str]
    is_flag: bool = False  # whether it is the name alone


def entry_field(name: str, entry: int, read: Callable[[str, str], int], write: Callable[[int], str]) -> Field:
    """Declare a field for one entry of a position."""

    def write_entry(position: Position, usual: Position) -> str:
        number = position.item(entry)
        return "" if number == usual.item(entry) else f"{name}={write(number)}"

    return Field(name, entry_reader(entry, read), write_entry)


def move_field(entry: int) -> Field:
    """Declare the field of the seat to move; `write_position` always writes it, before the options."""
    return Field("move", choice_reader(entry, SEAT_LETTERS), lambda _position, _usual: "")


def number_field(name: str, entry: int, most: int) -> Field:
    """Declare a field for a number from 0 to `most`."""
    return entry_field(name, entry, lambda name, text: read_number(name, text, most), str)


def choice_field(name: str, entry: int, words: Sequence[str]) -> Field:
    """Declare a field for a number that is the place of a word in a list."""
    return entry_field(name, entry, lambda name, text: read_choice(name, text, words), words.__getitem__)


def realm_field(name: str, entry: int, what: str = CENTER_WORDS) -> Field:
    """Declare a field for a Realm, which is named by its Center."""
    return entry_field(name, entry, lambda name, text: read_center(name, text, what), realm_name)


def flag_field(name: str, entry: int, number: int = 1) -> Field:
    """Declare a field that stands alone where an entry is a certain number."""
    return Field(
        name,
        entry_reader(entry, lambda _name, _text: number),
        lambda position, _: name if position[entry] == number else "",
        is_flag=True,
    )


def pair_field(name: str, entry: int, most: int) -> Field:
    """Declare a field for two entries, White's and Black's number from 0 to `most`."""
    both = slice(entry, entry + 2)

    def read(position: Position, name: str, text: str) -> None:
        position[both] = read_pair(name, text, most)

    def write(position: Position, usual: Position) -> str:
        white, black = position[both].tolist()
        return "" if [white, black] == usual[both].tolist() else f"{name}={white}/{black}"

    return Field(name, read, write)


def history_field(history: History, most: int, default_keys: Callable[[Position], list[int]]) -> Field:
    """Declare the field of the keys of earlier positions, which is left out for the default ones."""

    def write(position: Position, _: Position) -> str:
        keys = history.keys(position)
        return "" if keys == default_keys(position) else f"seen={write_keys(keys)}"

    return Field("seen", lambda position, name, text: history.store(position, read_keys(name, text, most)), write)


# ---- writing


def write_pieces(position: Position, seat_shift: int, write: Callable[[int, Cell], str]) -> list[list[str]]:
    """Write each seat's pieces in a position whose first 144 entries are the spaces, 0 for an empty one."""
    texts: list[list[str]] = [[], []]
    for cell, piece in enumerate(position[:CELLS].tolist()):
        if piece:
            texts[piece >> seat_shift].append(write(piece, cell))
    return texts


def write_position(
    state: ArrayState[Any], pieces: Sequence[Iterable[str]], usual: Position, fields: Iterable[Field]
) -> str:
    """Write a state: each seat's pieces, the seat to move, options that were changed, and fields that are not usual."""
    sides = [f"{letter}:{','.join(texts)}" for letter, texts in zip(SEAT_LETTERS, pieces, strict=True)]
    move = f"move={SEAT_LETTERS[state.position.item(state.rules.seat_entry)]}"
    pairs = as_pairs(state.options)
    written = [field.write(state.position, usual) for field in fields]
    return " ".join([*sides, move, *(["options=" + ",".join(pairs)] if pairs else []), *filter(None, written)])


# ---- reading


def read_fields(text: str, options_type: type[OptionsT], fields: Iterable[Field]) -> tuple[Texts, OptionsT]:
    """Split a line into its fields and read the options among them."""
    texts = split_fields(text, SEAT_LETTERS, [field.name for field in fields if field.is_flag])
    return texts, read_options(options_type, texts.pop("options", ""))


def split_pieces(texts: Texts) -> list[tuple[Seat, str]]:
    """Take the pieces of both seats out of the fields, each as its seat and its text."""
    sides = [(seat, texts.pop(letter, "")) for seat, letter in enumerate(SEAT_LETTERS)]
    return [(seat, text) for seat, side in sides if side for text in side.split(",")]


def read_pieces(texts: Texts, read_piece: Callable[[str, Seat], tuple[int, Cell]]) -> dict[Cell, int]:
    """Take the pieces of both seats out of the fields and return them by space, none of which may hold two."""
    pieces: dict[Cell, int] = {}
    for seat, text in split_pieces(texts):
        piece, cell = read_piece(text, seat)
        refuse_if(cell in pieces, f"{cell_name(cell)} holds two pieces.")
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


def read_center(name: str, text: str, what: str = CENTER_WORDS) -> Realm:
    """Read a Realm, which is named by its Center."""
    cell = find_cell(text)
    if cell not in CENTERS:
        raise BadPosition(f"{name} must be {what}, not {text[:20]}.")
    return realm_of(cell)


def store_fields(position: Position, texts: Texts, fields: Sequence[Field]) -> None:
    """Store the texts of fields in a position, in the order of the table; an unknown one is an error."""
    for field in fields:
        if field.name in texts:
            field.read(position, field.name, texts[field.name])
    names = [field.name for field in fields]
    for name in texts:
        if name not in names:
            raise unknown_field(name, [*SEAT_LETTERS, "options", *names])
