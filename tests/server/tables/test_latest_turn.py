"""What happened last, in one line above the table."""

from __future__ import annotations

from typing import Any

import pytest

from realmtable.server.tables.latest_turn import describe_latest

THREE = ("Scarlet", "Azure", "Amber")
TWO = ("White", "Black")


def make_news(*told: tuple[int | None, str], kind: str = "stepped") -> list[dict[str, Any]]:
    return [{"seat": seat, "kind": "drew" if seat is None else kind, "words": words} for seat, words in told]


BEGUN = {"seat": None, "kind": "started", "words": "The game begins."}


@pytest.mark.parametrize(
    ("told", "you", "line"),
    [
        ((), (0,), ""),
        (((0, "White: a"), (1, "Black: b"), (1, "Black: c")), (0,), "Black: b; c"),
        (((0, "White: a"), (0, "White: b")), (), "White: a; b"),
        (((0, "White: a"), (None, "Chance: 5"), (None, "Chance: 6")), (0,), "Chance: 5; 6"),
    ],
)
def test_between_two_it_is_the_latest_turn(told: Any, you: tuple[int, ...], line: str) -> None:
    assert describe_latest(make_news(*told), you, TWO) == line


ROUND = (
    (0, "You drop King"),
    (1, "Azure draws a card"),
    (None, ""),
    (1, "Azure drops Queen"),
    (2, "Amber takes Queen"),
    (2, "Amber drops Candle"),
)


@pytest.mark.parametrize(
    ("told", "you", "line"),
    [
        (ROUND, (0,), "Azure draws a card, drops Queen; Amber takes Queen, drops Candle"),
        (ROUND, (), "Amber takes Queen, drops Candle"),
        (ROUND, (0, 1, 2), "Amber takes Queen, drops Candle"),
        (ROUND[:1], (0,), "You drop King"),
        ((*ROUND[:1], (None, "You draw Dragon")), (0,), "You draw Dragon"),
        (ROUND[1:], (0,), "Azure draws a card, drops Queen; Amber takes Queen, drops Candle"),
    ],
)
def test_among_many_it_is_all_since_ones_own_turn(told: Any, you: tuple[int, ...], line: str) -> None:
    assert describe_latest(make_news(*told), you, THREE) == line


def test_nothing_from_before_the_beginning_is_told() -> None:
    assert describe_latest([BEGUN], (0,), THREE) == "The game begins."
    assert describe_latest([BEGUN, *make_news((None, "You begin"))], (0,), THREE) == "You begin"


def test_a_hint_that_was_asked_for_is_told_alone() -> None:
    told = make_news((0, "White: a")) + make_news((0, "White asks for a hint."), kind="hinted")
    assert describe_latest(told, (1,), TWO) == "White asks for a hint."
