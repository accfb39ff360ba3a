"""The line above the table that sums up the latest steps."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from realmtable.server.tables import actions
from realmtable.server.tables.actions import EventDraft
from realmtable.server.tables.latest_turn import describe_latest
from realmtable.server.tables.table import Occupant
from tests.server.support.table_harness import register_toys, show, start_table

THREE = ("Scarlet", "Azure", "Amber")
TWO = ("White", "Black")


def make_news(*steps: tuple[int | None, str], kind: str = "stepped") -> list[dict[str, Any]]:
    return [{"seat": seat, "kind": "drew" if seat is None else kind, "words": words} for seat, words in steps]


BEGUN = {"seat": None, "kind": "started", "words": "The game begins."}


@pytest.mark.parametrize(
    ("steps", "you", "line"),
    [
        ((), (0,), ""),
        (((0, "White: a"), (1, "Black: b"), (1, "Black: c")), (0,), "Black: b; c"),
        (((0, "White: a"), (0, "White: b")), (), "White: a; b"),
        (((0, "White: a"), (None, "Chance: 5"), (None, "Chance: 6")), (0,), "Chance: 5; 6"),
        (((0, "White: a"), (1, "Black: b"), (None, "Chance: 5")), (0,), "Black: b; Chance: 5"),
        (((0, "White: a"), (1, "Black: b"), (None, "Chance: 5")), (1,), "Chance: 5"),
        (
            ((0, "White: a"), (None, "Chance: 4"), (1, "Black: b"), (None, "Chance: 5"), (1, "Black: c")),
            (0,),
            "Black: b; Chance: 5; Black: c",
        ),
        (((0, "White: a"), (1, "Black: b"), (1, "Black: End turn")), (0,), "Black: b"),
        (((0, "White: a"), (0, "White: End turn; the game ends")), (1,), "White: a; End turn; the game ends"),
    ],
)
def test_with_two_players_it_is_the_latest_turn(steps: Any, you: tuple[int, ...], line: str) -> None:
    assert describe_latest(make_news(*steps), you, TWO) == line


ROUND = (
    (0, "You drop King"),
    (1, "Azure draws a card"),
    (None, ""),
    (1, "Azure drops Queen"),
    (2, "Amber takes Queen"),
    (2, "Amber drops Candle"),
)


@pytest.mark.parametrize(
    ("steps", "you", "line"),
    [
        (ROUND, (0,), "Azure draws a card, drops Queen; Amber takes Queen, drops Candle"),
        (ROUND, (), "Amber takes Queen, drops Candle"),
        (ROUND, (0, 1, 2), "Amber takes Queen, drops Candle"),
        (ROUND[:1], (0,), "You drop King"),
        ((*ROUND[:1], (None, "You draw Dragon")), (0,), "You draw Dragon"),
        (ROUND[1:], (0,), "Azure draws a card, drops Queen; Amber takes Queen, drops Candle"),
    ],
)
def test_with_more_players_it_is_everything_since_the_own_turn(steps: Any, you: tuple[int, ...], line: str) -> None:
    assert describe_latest(make_news(*steps), you, THREE) == line


def test_the_start_of_the_game_is_replaced_by_the_first_step() -> None:
    assert describe_latest([BEGUN], (0,), THREE) == "The game begins."
    assert describe_latest([BEGUN, *make_news((None, "You begin"))], (0,), THREE) == "You begin"


def test_a_request_for_a_hint_is_shown_alone() -> None:
    news = make_news((0, "White: a")) + make_news((0, "White asks for a hint."), kind="hinted")
    for others in ((1,), ()):
        assert describe_latest(news, others, TWO) == "White asks for a hint."


def test_your_own_request_for_a_hint_leaves_the_latest_turn_in_place() -> None:
    news = make_news((0, "White: a"), (1, "Black: b")) + make_news((0, "White asks for a hint."), kind="hinted")
    assert describe_latest(news, (0,), TWO) == describe_latest(news, (0, 1), TWO) == "Black: b"
    assert describe_latest(news[2:], (0,), TWO) == ""


def test_your_own_offer_leaves_the_latest_turn_in_place() -> None:
    words = "White asks to take back their last turn."
    news = make_news((0, "White: a")) + make_news((0, words), kind="offered")
    assert describe_latest(news, (0,), TWO) == "White: a"
    assert describe_latest(news, (1,), TWO) == describe_latest(news, (), TWO) == words


@pytest.mark.parametrize(
    ("game", "seats"),
    [("classic_realm", 2), ("dice_duel", 2), ("dice_duel", 3), ("secret_cards", 2), ("secret_cards", 3)],
)
def test_all_scenes_have_the_same_fields_and_each_its_viewers_line(
    game: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change of a scene cannot remove a field."""
    register_toys(monkeypatch)
    played, rng, fields = start_table(game, seats=seats), Random(1), set[frozenset[str]]()
    for number in range(7):
        if number == 5:
            played.act(lambda _: [EventDraft("hinted", 0)])
        elif number == 6 and played.table.result is None:
            played.act(actions.resign, (0,), Occupant("p9", "level1"))
        elif 0 < number < 5:
            played.play(rng)
        for you in ((), (0,), (1,)):
            shown = show(played.table, you)
            names = [seat["name"] for seat in shown["seats"]]
            assert shown["latest"] == describe_latest(shown["news"], you, names)
            fields.add(frozenset(shown))
    assert len(fields) == 1


def test_what_the_own_step_led_to_is_kept_however_much_others_did_since() -> None:
    others = [(1, f"Azure takes step {number}") for number in range(40)]
    news = make_news((0, "You search"), (None, "You roll 4 and 2: nothing"), *others)
    line = describe_latest(news, (0,), THREE)
    assert line.startswith("You roll 4 and 2: nothing; Azure takes step 21, ")
    assert line.endswith(", takes step 39")
