"""Reads and writes states as one line of named fields, such as ``W:Bh11,Pg10 B:Bh2 move=B turns=12``.

All errors are `BadPosition` with a one-sentence message; quoted input is truncated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from realmtable.engine.errors import BadOptions, BadPosition
from realmtable.engine.options import OptionsT, earlier_defaults, make_options, parse_pairs
from realmtable.kit.rules import History, Position

Reader = Callable[[Position, str, str], None]  # stores the value of a field, given its name and text, in a position

MAX_TEXT = 16_000
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


def unknown_field(name: str, known: Sequence[str]) -> BadPosition:
    """Return the error for a field that the game does not have."""
    return BadPosition(f"A position has no field {name[:40]}; it has {', '.join(known)}.")


def read_options(options_type: type[OptionsT], text: str) -> OptionsT:
    """Read the options field, which `as_pairs` writes: ``bases=13,powers=4``."""
    try:
        values = earlier_defaults(options_type) | parse_pairs(options_type, text.split(",") if text else [])
        return make_options(options_type, {}, None, values)
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
