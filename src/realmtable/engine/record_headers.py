"""Check a record's headers (no repeats, known rules, a valid seed) and report errors with their line number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from realmtable.engine import chance
from realmtable.engine.errors import BadRecord, RealmtableError
from realmtable.engine.protocol import GameInfo
from realmtable.engine.record_lexer import HeaderLine

# These decide what was played or how it ended, so a second one would be ambiguous.
UNIQUE_HEADERS = ("Game", "Rules", "Preset", "Options", "Seats", "Start", "Seed", "Commitment", "Result")

_COMMITMENT = re.compile(r"[0-9A-Fa-f]{64}")
_VERSION = re.compile(r"[1-9][0-9]{0,5}")


class HeaderFault(Exception):
    """An error with the line of the header that caused it."""

    def __init__(self, line: int, error: RealmtableError) -> None:
        super().__init__(str(error))
        self.line = line
        self.error = error


def find_header_line(lines: list[HeaderLine], *names: str) -> int:
    """Return the line of the first header with one of these names, or 1 if there is none."""
    return next((header.line for name in names for header in lines if header.name == name), 1)


@contextmanager
def locate_errors(lines: list[HeaderLine], *names: str) -> Iterator[None]:
    """Re-raise errors as `HeaderFault`, with the line of the first of these headers found in the record."""
    try:
        yield
    except RealmtableError as error:
        raise HeaderFault(find_header_line(lines, *names), error) from error


def check_repeats(lines: list[HeaderLine]) -> list[tuple[int, str]]:
    """Raise an error for a repeated unique header; return a warning, with its line, for any other repeated header."""
    firsts: dict[str, int] = {}
    warnings: dict[str, tuple[int, str]] = {}  # one per name
    for line, name, _ in lines:
        first = firsts.setdefault(name, line)
        if first == line:
            continue
        if name in UNIQUE_HEADERS:
            raise HeaderFault(line, BadRecord(f"{name} is already given on line {first}; give it only once."))
        warnings.setdefault(name, (line, f"A second {name} line is ignored; the first is line {first}."))
    return list(warnings.values())


def check_rules(value: str | None, info: GameInfo) -> str | None:
    """Raise an error for unknown rules; return a warning for older ones."""
    if value is None:
        return None
    if not _VERSION.fullmatch(value):
        raise BadRecord(f"Rules must be a version number such as {info.rules_version}, not {value[:20]}.")
    if int(value) > info.rules_version:
        raise BadRecord(f"Rules {value} of {info.title} are unknown; the latest version is {info.rules_version}.")
    if int(value) < info.rules_version:
        return f"The record used rules {value} of {info.title} and is checked against rules {info.rules_version}."
    return None


def check_seed(seed: str | None, commitment: str | None) -> str | None:
    """Return a warning if the Commitment line is not a hash, or not the hash of the seed."""
    if commitment is None:
        return None
    if not _COMMITMENT.fullmatch(commitment):
        return f"Commitment must be the hash of a seed, 64 hexadecimal digits, not {commitment[:20] or 'nothing'}."
    if seed is not None and not chance.matches_commitment(seed, commitment):
        return "The seed does not match the Commitment line."
    return None
