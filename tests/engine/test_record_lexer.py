"""The lexer of records yields the right tokens with the right line numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from realmtable.engine.record_lexer import lex, split_headers
from tests.conformance.random_games import limit_examples

COMMA = "A comma at the end of a turn is ignored."
BRACKETS = "Text in round brackets is read as a comment; use braces for comments."
UNCLOSED = "A comment is not closed; the rest of the record is read as a comment."


@pytest.mark.parametrize(
    ("text", "headers", "body", "line"),
    [
        ("", {}, "", 0),
        ("Game: realm", {"Game": "realm"}, "", 1),
        ("\ufeffGame: realm\n\n1.a", {"Game": "realm"}, "\n1.a", 2),
        ("\n \nGame: realm\nEvent:\n1.a", {"Game": "realm", "Event": ""}, "1.a", 5),
        ("Game:realm\r\nBest-Of: a: b \r\n1.a", {"Game": "realm", "Best-Of": "a: b"}, "1.a", 3),
        ("Game: realm\nGame: other\nx", {"Game": "realm"}, "x", 3),
        ("Game: realm\nSet-up:\n1.a", {"Game": "realm"}, "Set-up:\n1.a", 2),
        ("Game: realm\nSetup: 1.a", {"Game": "realm"}, "Setup: 1.a", 2),
        ("game: realm", {}, "game: realm", 1),
        ("1.a / b", {}, "1.a / b", 1),
        (f"{'N' * 32}: x", {}, f"{'N' * 32}: x", 1),
    ],
)
def test_headers(text: str, headers: dict[str, str], body: str, line: int) -> None:
    assert split_headers(text) == (headers, body, line)


@pytest.mark.parametrize(
    ("body", "tokens"),
    [
        ("", []),
        (" \t\r\n", []),
        ("1.a/b", ["number 1", "turn a", "turn b"]),
        ("1. a / b 2... c", ["number 1", "turn a", "turn b", "number 2", "turn c"]),
        ("a b", ["turn a", "turn b"]),
        ("a, b", ["turn a,b"]),
        ("a,\n b,c", ["turn a,b,c"]),
        ("a,/b", ["turn a", f"warning {COMMA}", "turn b"]),
        ("a, / / b", ["turn a", f"warning {COMMA}", "turn b"]),
        ("a,", ["turn a", f"warning {COMMA}"]),
        ("a, 2.b", ["turn a", f"warning {COMMA}", "number 2", "turn b"]),
        ("a, {why} b", ["turn a", f"warning {COMMA}", "comment why", "turn b"]),
        ("a, [b]", ["turn a", f"warning {COMMA}", "open [", "turn b", "close ]"]),
        ("a, - b", ["turn a", "warning A single dash is ignored.", "turn b"]),
        (", ,a", ["turn a"]),
        ("a. b; c.", ["turn a", "turn b", "turn c"]),
        (";", []),
        ("a...", ["turn a..."]),
        ("a ... b", ["turn a", "turn b"]),
        ("x(a, b)c d", ["turn x(a, b)c", "turn d"]),
        ("x(a b\nc", ["turn x(a b", "turn c"]),
        ("x(a{b}", ["turn x(a", "comment b"]),
        ("x)a b", ["turn x)a", "turn b"]),
        ("{two\n  words}", ["comment two words"]),
        ("{}", ["comment "]),
        ("{open", [f"warning {UNCLOSED}", "comment open"]),
        ("a # rest\nb", ["turn a", "comment rest", "turn b"]),
        ("a # rest", ["turn a", "comment rest"]),
        ("(Figure 6) a", [f"warning {BRACKETS}", "comment Figure 6", "turn a"]),
        ("(open", [f"warning {BRACKETS}", f"warning {UNCLOSED}", "comment open"]),
        ("a } b", ["turn a", "warning A closing brace without an opening one is ignored.", "turn b"]),
        ("[[a]]", ["open [", "open [", "turn a", "close ]", "close ]"]),
        ("Set-up: 1.a", ["number 1", "turn a"]),
        ("Set?up: a", ["warning Set?up: is read as the heading Set-up:.", "turn a"]),
        ("a wins.", ["turn a", "warning wins. is read as a remark."]),
        ("1-0", ["warning 1-0 is read as a remark."]),
        ("12345.a", ["turn 12345.a"]),
        ("1.", ["number 1"]),
        ("*5 @1:a", ["turn *5", "turn @1:a"]),
    ],
)
def test_pieces(body: str, tokens: list[str]) -> None:
    assert [f"{token.kind} {token.text}" for token in lex(body, 1)] == tokens


@pytest.mark.parametrize(
    ("body", "tokens"),
    [
        ("1. take King, drop Candle / deck", ["number 1", "turn take King, drop Candle", "turn deck"]),
        ("12.deck \n *Great Flood", ["number 12", "turn deck", "turn *Great Flood"]),
        ("take King {seen} / drop King", ["turn take King", "comment seen", "turn drop King"]),
        ("take King,\ndrop Candle...", ["turn take King,drop Candle..."]),
        ("take King [deck]", ["turn take King", "open [", "turn deck", "close ]"]),
        ("3. ", ["number 3"]),
        ("1. a b / - / 2. -", ["number 1", "turn a b", "turn -", "number 2", "turn -"]),  # a step may be a dash
    ],
)
def test_pieces_of_a_notation_with_spaces(body: str, tokens: list[str]) -> None:
    assert [f"{token.kind} {token.text}" for token in lex(body, 1, spaced=True)] == tokens


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("a\nb\n\nc", [1, 2, 4]),
        ("{x\ny}\nb", [1, 3]),
        ("# x\nb", [1, 2]),
        ("a # x\n# y\n\nb", [1, 1, 2, 4]),
        ("# x", [1]),
        ("a,\nb\nc", [1, 3]),
        ("(x\ny) b", [1, 1, 2]),
        ("x(a\nb", [1, 2]),
    ],
)
def test_lines(body: str, lines: list[int]) -> None:
    assert [token.line for token in lex(body, 1)] == lines
    assert [token.line for token in lex(body, 11)] == [line + 10 for line in lines]


@pytest.mark.long
@limit_examples(300)
@given(st.text(st.sampled_from("ab1.,;/#{}[]()@*:- \n\t") | st.characters(), max_size=80), st.booleans())
def test_any_text_falls_into_pieces_on_its_own_lines(text: str, spaced: bool) -> None:
    headers, body, line = split_headers(text)
    tokens = lex(body, line, spaced=spaced)
    assert all(name and value == value.strip() for name, value in headers.items())
    assert all(1 <= token.line <= max(1, len(text.splitlines())) for token in tokens)
    assert [token.line for token in tokens] == sorted(token.line for token in tokens)
    assert all(token.text for token in tokens if token.kind == "turn")
