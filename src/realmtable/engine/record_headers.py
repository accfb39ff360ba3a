"""The headers of a record, checked: each stands once, the rules are known, and what is wrong has a line number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from realmtable.engine import chance
from realmtable.engine.errors import BadRecord, RealmtableError
from realmtable.engine.protocol import GameInfo
from realmtable.engine.record_lexer import HeaderLine

# Those that decide what is played or how it ended; a record that has one twice says two things.
UNIQUE_HEADERS = ("Game", "Rules", "Preset", "Options", "Seats", "Start", "Seed", "Commitment", "Result")

_COMMITMENT = re.compile(r"[0-9A-Fa-f]{64}")
_VERSION = re.compile(r"[1-9][0-9]{0,5}")


class HeaderFault(Exception):
    """A refusal with the line of the header it is about."""

    def __init__(self, line: int, error: RealmtableError) -> None:
        super().__init__(str(error))
        self.line = line
        self.error = error


def find_header_line(lines: list[HeaderLine], *names: str) -> int:
    """The line of the first header with one of these names; 1 if there is none."""
    return next((header.line for name in names for header in lines if header.name == name), 1)


@contextmanager
def locate_errors(lines: list[HeaderLine], *names: str) -> Iterator[None]:
    """Give a refusal the line of the first of these headers that the record has."""
    try:
        yield
    except RealmtableError as error:
        raise HeaderFault(find_header_line(lines, *names), error) from error


def check_repeats(lines: list[HeaderLine]) -> list[tuple[int, str]]:
    """Refuse a second line that decides something; of any other a warning is returned, with its line."""
    firsts: dict[str, int] = {}
    warnings: dict[str, tuple[int, str]] = {}  # one a name
    for line, name, _ in lines:
        first = firsts.setdefault(name, line)
        if first == line:
            continue
        if name in UNIQUE_HEADERS:
            raise HeaderFault(line, BadRecord(f"{name} is given on line {first} already; give it once."))
        warnings.setdefault(name, (line, f"A second {name} line is left out; the first is line {first}."))
    return list(warnings.values())


def check_rules(value: str | None, info: GameInfo) -> str | None:
    """Refuse rules that this table does not have; of older ones a warning is returned."""
    if value is None:
        return None
    if not _VERSION.fullmatch(value):
        raise BadRecord(f"Rules is the version of the rules, a number like {info.rules_version}, not {value[:20]}.")
    if int(value) > info.rules_version:
        raise BadRecord(f"Rules {value} of {info.title} are not known here; the newest are {info.rules_version}.")
    if int(value) < info.rules_version:
        return f"The record was made under rules {value} of {info.title} and is judged by rules {info.rules_version}."
    return None


def check_seed(seed: str | None, commitment: str | None) -> str | None:
    """A warning where a Commitment line is no hash, or not that of the seed."""
    if commitment is None:
        return None
    if not _COMMITMENT.fullmatch(commitment):
        return f"Commitment is the hash of a seed, 64 hexadecimal digits, not {commitment[:20] or 'nothing'}."
    if seed is not None and not chance.matches_commitment(seed, commitment):
        return "The seed is not the one that the Commitment line promises."
    return None
