"""The line above the table that sums up the latest steps."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest

from realmtable.server.tables.actions import EventDraft
from realmtable.server.tables.latest_turn import describe_latest
from realmtable.server.tables.scenes.scene import SceneContext, encode_scene, scene
from tests.server.support.table_harness import START, register_toys, start_table

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


@pytest.mark.parametrize("is_hinted", [False, True])
@pytest.mark.parametrize("game", ["dice_duel", "secret_cards"])
@pytest.mark.parametrize("seats", [2, 3])
def test_a_scene_has_each_field_once(
    game: str, seats: int, monkeypatch: pytest.MonkeyPatch, *, is_hinted: bool
) -> None:
    register_toys(monkeypatch)
    played, context, rng = start_table(game, seats=seats), SceneContext({}, {}, None, START), Random(1)
    for _ in range(4):
        played.play(rng)
    if is_hinted:
        played.act(lambda _: [EventDraft("hinted", 0)])
    for you in ((), (0,), (1,)):
        pairs = json.loads(encode_scene(played.table, you, context, pictures=False)[1], object_pairs_hook=list)
        assert Counter(name for name, _ in pairs) == Counter(scene(played.table, you, context, pictures=False).keys())


def test_what_the_own_step_led_to_is_kept_however_much_others_did_since() -> None:
    others = [(1, f"Azure takes step {number}") for number in range(40)]
    news = make_news((0, "You search"), (None, "You roll 4 and 2: nothing"), *others)
    line = describe_latest(news, (0,), THREE)
    assert line.startswith("You roll 4 and 2: nothing; Azure takes step 21, ")
    assert line.endswith(", takes step 39")
