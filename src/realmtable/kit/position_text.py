"""Reads and writes states as one line of named fields, such as ``W:Bh11,Pg10 B:Bh2 move=B turns=12``.

All errors are `BadPosition` with a one-sentence message; quoted input is truncated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence

from realmtable.engine.errors import BadOptions, BadPosition
from realmtable.engine.options import OptionsT, as_pairs, make_options, parse_pairs
from realmtable.engine.protocol import Options, Seat
from realmtable.kit.realm_board import CENTERS, SEAT_LETTERS, Cell, Realm, cell_name, find_cell, realm_of
from realmtable.kit.rules import History, Position

Reader = Callable[[Position, str, str], None]  # stores the value of a field, given its name and text, in a position

MAX_TEXT = 16_000
CENTER_WORDS = "a Realm's Center like h11"
_KEY_BITS = 64


def split_fields(text: str, lists: Collection[str], flags: Collection[str]) -> dict[str, str]:
    """Split a line into fields: names in `lists` end with a colon, names in `flags` stand alone, others take ``=``."""
    if len(text) > MAX_TEXT:
        raise BadPosition(f"A position may have at most {MAX_TEXT:,} characters.")
    fields: dict[str, str] = {}
    for field in text.split():
        head, colon, rest = field.partition(":")
        name, equals, value = (head, colon, rest) if colon and head in lists else field.partition("=")
        if name in fields:
            raise BadPosition(f"The field {name[:40]} is given twice.")
        if not equals and name not in flags:
            raise BadPosition(f"{name[:40]} is not a field; write pieces as W:… B:… and the rest as name=value.")
        if name in flags and value:
            raise BadPosition(f"{name} takes no value.")
        fields[name] = value
    if not fields:
        raise BadPosition("Write a position: the pieces as W:… B:… and the rest as name=value.")
    return fields


def read_fields(
    text: str, options_type: type[OptionsT], flags: Collection[str] = ()
) -> tuple[dict[str, str], OptionsT]:
    """Split a line into its fields and read the options among them."""
    fields = split_fields(text, SEAT_LETTERS, flags)
    return fields, read_options(options_type, fields.pop("options", ""))


def unknown_field(name: str, known: Sequence[str]) -> BadPosition:
    """Return the error for a field that the game does not have."""
    return BadPosition(f"A position has no field {name[:40]}; it has {', '.join(known)}.")


def read_options(options_type: type[OptionsT], text: str) -> OptionsT:
    """Read the options field, which lists the options that differ from their defaults: ``bases=13,powers=4``."""
    try:
        return make_options(options_type, {}, None, parse_pairs(options_type, text.split(",") if text else []))
    except BadOptions as error:
        raise BadPosition(str(error)) from None


def read_number(name: str, text: str, most: int) -> int:
    """Read a number from 0 to `most`."""
    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text) <= most):  # noqa: PLR2004 - digits
        raise BadPosition(f"{name} must be a number from 0 to {most}, not {text[:20]}.")
    return int(text)


def read_pair(name: str, text: str, most: int) -> tuple[int, int]:
    """Read a number for White and one for Black, as in ``3/4``."""
    white, slash, black = text.partition("/")
    if not slash:
        raise BadPosition(f"{name} needs a number for White and one for Black, such as {name}=3/4.")
    return read_number(name, white, most), read_number(name, black, most)


def read_choice(name: str, text: str, words: Sequence[str]) -> int:
    """Return the index of a text in a list of words."""
    if text not in tuple(words):
        raise BadPosition(f"{name} must be one of {', '.join(filter(None, words))}, not {text[:20]}.")
    return words.index(text)


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


def split_piece(pattern: re.Pattern[str], text: str, examples: str) -> tuple[str, Cell]:
    """Split a piece into its letter and its space, the groups of a pattern that allows only spaces of the board."""
    found = pattern.fullmatch(text)
    if found is None:
        raise BadPosition(f"{text[:40] or 'Nothing'} is not a piece on a space; write {examples}.")
    cell = find_cell(found[2])
    assert cell is not None  # noqa: S101 - the pattern allows nothing else
    return found[1], cell


def entry_reader(entry: int, read: Callable[[str, str], int]) -> Reader:
    """Return a reader that stores a number in one entry; `read` makes it from the field's name and text."""

    def read_entry(position: Position, name: str, text: str) -> None:
        position[entry] = read(name, text)

    return read_entry


def choice_reader(entry: int, words: Sequence[str]) -> Reader:
    """Return a reader that stores the index of a word."""
    return entry_reader(entry, lambda name, text: read_choice(name, text, words))


def number_reader(entry: int, most: int) -> Reader:
    """Return a reader that stores a number from 0 to `most`."""
    return entry_reader(entry, lambda name, text: read_number(name, text, most))


def flag_reader(entry: int) -> Reader:
    """Return a reader that stores 1 for a field that stands alone."""
    return entry_reader(entry, lambda _name, _text: 1)


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


def write_board(pieces: Sequence[Sequence[str]], seat: Seat, options: Options) -> list[str]:
    """Write the fields of every position: each seat's pieces, the seat to move, and the options if any was changed."""
    fields = [f"{letter}:{','.join(texts)}" for letter, texts in zip(SEAT_LETTERS, pieces, strict=True)]
    pairs = as_pairs(options)
    return [*fields, f"move={SEAT_LETTERS[seat]}", *(["options=" + ",".join(pairs)] if pairs else [])]


def write_seen(position: Position, history: History, usual: list[int]) -> list[str]:
    """Write the field `seen`, the keys of earlier positions, unless they are the usual ones."""
    keys = history.keys(position)
    return [] if keys == usual else [f"seen={write_keys(keys)}"]


def write_keys(keys: Sequence[int]) -> str:
    """Write the keys of earlier positions in hexadecimal."""
    return ",".join(f"{key & (1 << _KEY_BITS) - 1:016x}" for key in keys)


def read_keys(name: str, text: str, most: int) -> list[int]:
    """Read up to `most` keys that `write_keys` wrote."""
    texts = text.split(",") if text else []
    if len(texts) > most or not all(re.fullmatch(r"[0-9a-f]{16}", key) for key in texts):
        raise BadPosition(f"{name} must be a list of at most {most} keys of 16 hexadecimal digits.")
    return [int(key, 16) - (1 << _KEY_BITS if key[0] >= "8" else 0) for key in texts]
