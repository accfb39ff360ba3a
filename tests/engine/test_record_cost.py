"""The cost of parsing a record is linear in its length, with a limit on the steps."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from types import FrameType

import pytest

from realmtable.engine import record
from realmtable.engine.record import MAX_STEPS, Record, most_steps, parse_record
from realmtable.engine.record_lexer import Token, lex
from tests.conformance.random_games import find_game
from tests.toys.gold_quest import GoldQuest

SMALL = 300
# Each is one piece of a text that repeats it; all of them once took the square of their number.
PIECES = {
    "words joined by commas": "x, ",
    "comments on one turn": "{so} ",
    "comments before the first turn of a variation": "{so} ",
    "variations of a turn with a long comment": "[] ",
    "remarks in round brackets": "(so) ",
    "numbers": "1. ",
    "turns that only a comma parts": "Bh11,",
    "side lines": "[Bb5] ",
}
HEADS = {
    "comments before the first turn of a variation": "Bh11 [",
    "variations of a turn with a long comment": "Bh11 {" + "so long a comment " * 400 + "} ",
    "turns that only a comma parts": "",
}


def text_of(name: str, count: int) -> str:
    return "Game: realm\n\n" + HEADS.get(name, "Bh11 ") + PIECES[name] * count


class Work:
    """Counts calls, and the characters that functions hold when they return, so that copying shows."""

    def __init__(self) -> None:
        self.amount = 0

    def __call__(self, frame: FrameType, event: str, result: object) -> None:
        if event == "return":
            self.amount += 1 + sum(map(_characters, frame.f_locals.values())) + _characters(result)
        elif event == "c_call":
            copies = getattr(result, "__name__", "") != "find"  # which starts at a given index
            self.amount += 1 + copies * _characters(getattr(result, "__self__", None))


def _characters(value: object) -> int:
    if isinstance(value, str):
        return len(value)
    return len(value.kind) + len(value.text) if isinstance(value, Token) else 0


def measure_work(text: str) -> int:
    work, before = Work(), sys.getprofile()
    sys.setprofile(work)
    try:
        parse_record(text, find_game)
    finally:
        sys.setprofile(before)
    return work.amount


@pytest.mark.long
@pytest.mark.parametrize("name", PIECES)
def test_twice_the_text_takes_about_twice_the_work(name: str) -> None:
    one, two, four = (measure_work(text_of(name, SMALL * times)) for times in (1, 2, 4))
    assert four - two < 2.6 * (two - one), f"{one:,}, {two:,}, {four:,}"


@pytest.mark.slow
@pytest.mark.parametrize("name", PIECES)
def test_the_longest_text_is_read_soon(name: str) -> None:
    """The limit is generous even for a slow machine; in quadratic time, these texts took minutes."""
    text = text_of(name, 1_000_000 // len(PIECES[name]))
    began = time.process_time()
    parse_record(text, find_game)
    assert time.process_time() - began < 60


def test_a_long_turn_is_the_same_however_its_words_are_parted() -> None:
    [token] = lex("a, b,c,\n d", 1)
    assert (token.text, token.line) == ("a,b,c,d", 1)
    assert [token.text for token in lex("a, b / c, } d", 1) if token.kind == "turn"] == ["a,b", "c", "d"]


# ---- the most steps


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(record, "most_steps", lambda _: 6)
    return 6


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("Bh11 Bh2 Be8 Be5 Bb5 Bb8\n\n7. Pi10", 5),
        ("Bh11 Bh2\n[Bb5] [Bb5]\n[Bb5]", 5),
        ("Bh11 [] [] []\n[] []\n[]", 5),
        ("Bh11 [Bb5 [Be8]]\n[Bb5]", 4),
        ("Bh11,Bh2,Be8,Be5,Bb5,Bb8,\nPi10", 3),
    ],
)
@pytest.mark.usefixtures("few")
def test_more_steps_than_allowed_are_refused_at_their_line(body: str, line: int) -> None:
    fault = parse_record(f"Game: realm\n\n{body}", find_game).fault
    assert fault is not None
    assert str(fault.error) == "A record may have at most 6 steps, including variations."
    assert fault.line == line


@pytest.mark.parametrize("body", ["Bh11 Bh2 Be8 Be5 Bb5 Bb8", "Bh11 [Bb5] [Bb8] Bh2", "Bh11 [] [] [] [] []"])
@pytest.mark.usefixtures("few")
def test_as_many_as_allowed_are_read(body: str) -> None:
    reading = parse_record(f"Game: realm\n\n{body}", find_game)
    assert reading.fault is None
    assert isinstance(reading.record, Record)


def test_the_most_is_far_beyond_any_game() -> None:
    assert MAX_STEPS == 10_000


def test_a_game_that_may_last_longer_may_have_longer_records() -> None:
    quest = GoldQuest()
    assert most_steps(quest) == MAX_STEPS
    quest.info = replace(quest.info, max_steps=25_000)
    assert most_steps(quest) == 25_000
