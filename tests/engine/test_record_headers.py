"""The headers of a record: none is silently ignored, and errors name their line."""

from __future__ import annotations

import pytest

import realmtable
from realmtable.engine import chance
from realmtable.engine.record import ParsedRecord, load_record, parse_record
from realmtable.engine.record_headers import UNIQUE_HEADERS
from realmtable.engine.record_lexer import header_lines, split_headers
from tests.conformance.random_games import find_game

SEED = "7"
VALUES = {  # what each header may say in a record of Realm
    "Game": "realm",
    "Rules": str(realmtable.info("realm").rules_version),
    "Preset": "nestor",
    "Options": "bases=12",
    "Seats": "2",
    "Start": "W:Bh11,Pi10 B:Bh2,Pg3 move=W",
    "Seed": SEED,
    "Commitment": chance.commitment(SEED),
    "Result": "8-7 last_base",
    "Event": "Open",
    "White": "Ann",
    "Termination": "resignation",
}
RESULT_WARNING = "The Result line says 8-7 last_base, but the game is not over."


def make_record_lines(**changed: str) -> list[str]:
    """Return the lines of a record with every header."""
    return [f"{name}: {value}" for name, value in (VALUES | changed).items()]


def read_lines(lines: list[str]) -> ParsedRecord:
    return parse_record("\n".join([*lines, "", "7. Pi10i9(Bh8)"]), find_game)


def list_problems(reading: ParsedRecord) -> list[tuple[int, str]]:
    """Return every warning and the fault, with their lines."""
    fault = [] if reading.fault is None else [(reading.fault.line, str(reading.fault.error))]
    return [(warning.line, warning.text) for warning in reading.warnings] + fault


def test_a_record_with_every_header_is_read() -> None:
    assert list_problems(read_lines(make_record_lines())) == [(9, RESULT_WARNING)]


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("value", ["", "nonsense"])
def test_a_second_line_is_reported_with_its_number(name: str, value: str) -> None:
    first = list(VALUES).index(name) + 1
    reading = read_lines([*make_record_lines(), f"{name}: {value or VALUES[name]}"])
    line = len(VALUES) + 1
    if name in UNIQUE_HEADERS:
        assert list_problems(reading) == [(line, f"{name} is already given on line {first}; give it only once.")]
    else:
        assert (line, f"A second {name} line is ignored; the first is line {first}.") in list_problems(reading)
        assert reading.record is not None
        assert reading.record.headers[name] == VALUES[name]


@pytest.mark.parametrize("name", [name for name in UNIQUE_HEADERS if name != "Seed"])  # any text is a seed
def test_a_nonsense_value_is_reported_with_its_number(name: str) -> None:
    reading = read_lines(make_record_lines(**{name: "nonsense"}))
    assert list(VALUES).index(name) + 1 in [line for line, _ in list_problems(reading)]


@pytest.mark.parametrize(
    ("header", "line", "words"),
    [
        ("Rules: 99", 3, "Rules 99 of Realm are unknown"),
        ("Rules: 0", 3, "Rules must be a version number such as"),
        ("Rules: -1", 3, "Rules must be a version"),
        ("Rules: ²", 3, "Rules must be a version"),
        ("Rules:", 3, "Rules must be a version"),
        ("Seats: 3", 3, "Realm is for 2 players, not 3."),
        ("Preset: huge", 3, "There is no preset huge"),
        ("Start: W:Xh11", 3, "Xh11"),
    ],
)
def test_what_is_refused_names_its_line(header: str, line: int, words: str) -> None:
    reading = parse_record(f"Game: realm\nEvent: Open\n{header}\n\n1. Bh11", find_game)
    assert reading.fault is not None
    assert (reading.fault.line, words in str(reading.fault.error)) == (line, True)


def test_older_rules_are_reported() -> None:
    newest = realmtable.info("modern_realm").rules_version
    assert newest > 1
    reading = parse_record("Game: modern_realm\nRules: 1\n\n1. Ae5e7", realmtable.game)
    words = f"The record used rules 1 of Modern Realm and is checked against rules {newest}."
    assert list_problems(reading) == [(2, words)]


@pytest.mark.parametrize(
    ("seed", "commitment", "words"),
    [
        ("8", chance.commitment("7"), "The seed does not match the Commitment line."),
        ("7", "abc", "Commitment must be the hash of a seed, 64 hexadecimal digits, not abc."),
        ("7", "", "not nothing."),
    ],
)
def test_a_wrong_commitment_is_reported(seed: str, commitment: str, words: str) -> None:
    reading = parse_record(f"Game: realm\nSeed: {seed}\nCommitment: {commitment}\n\n1. Bh11", find_game)
    assert [(line, words in text) for line, text in list_problems(reading)] == [(3, True)]


# ---- results


@pytest.mark.parametrize("result", ["3-12 last_base", "1-0", "8-7", "draw", "", "x" * 500])
def test_a_result_of_an_unfinished_game_is_reported(result: str) -> None:
    reading = parse_record(f"Game: realm\nResult: {result}\n\n1. Bh11", find_game)
    [(line, text)] = list_problems(reading)
    assert line == 2
    assert text.endswith(", but the game is not over.")
    assert len(text) < 140


@pytest.mark.parametrize("result", ["7-8 last_base", "9-7 last_base", "8-7 agreement", "8-7", ""])
def test_a_wrong_result_is_reported(result: str) -> None:
    position = (
        "W:Bh5,Pd6,Ef6x,Ea7x,Pe7,Ef7N,Bb8,Be8,Bh8,Bk8,Pj9,Ed10N,Be11,Bh11 "
        "B:Bb2,Be2,Bh2,Bk2,Pl4,Bb5,Bk5,Pa6,Pb6,El6W,Ej7x,Bb11,Ej12x move=W captured=2/4 turns=18"
    )
    text = f"Game: realm\nStart: {position}\nResult: {{}}\n\n16. Pe7e6(Be5)"
    assert list_problems(parse_record(text.format("8-7 last_base"), find_game)) == []
    said = result or "nothing"
    assert list_problems(parse_record(text.format(result), find_game)) == [
        (3, f"The Result line says {said}, but the game ended 8-7 last_base.")
    ]


# ---- lines


@pytest.mark.parametrize("text", ["", "\n\n", "\n Game: realm\nEvent: a\n\nWhite: b", "\ufeffGame: realm", "1. Bh11"])
def test_the_lines_of_headers_are_those_that_are_split_off(text: str) -> None:
    headers, _, _ = split_headers(text)
    assert {header.name: header.value for header in header_lines(text)} == headers
    assert all(
        text.splitlines()[header.line - 1].strip("\ufeff ").startswith(header.name) for header in header_lines(text)
    )


def test_many_headers_are_read_in_linear_time() -> None:
    lines = [f"Event{number}: x" for number in range(40_000)]
    record = load_record("\n".join(["Game: realm", *lines, "", "1. Bh11"]), find_game)
    assert len(record.headers) == len(lines)
