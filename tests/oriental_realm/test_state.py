"""A state is a value; its view is plain data; a step has its number, its text and its clicks."""

from __future__ import annotations

import json

import pytest

from realmtable.games.oriental_realm.layout import STEP_CODES
from tests.oriental_realm.helpers import GAME, TESTED, play, position, start
from tests.state_checks import StateChecks, check_unused_keys_do_not_matter, turns_after

BOARD = "W:Ee2,Mb5,Mc4 B:Eh11,Mb4,Mb6"


class TestState(StateChecks):
    tested = TESTED
    shown = "<Oriental Realm W:Ee2,Mc4,Mb5 B:Mb4,Mb6,Eh11 move=W options=warning=on>"
    step_codes = STEP_CODES
    others = ("options=warning=on", "options=max_turns=20", "seen=", "passed", "from=e2")


def test_what_lies_beyond_the_seen_keys_does_not_matter() -> None:
    check_unused_keys_do_not_matter(position(BOARD))


def test_turns_are_numbered_in_pairs() -> None:
    turns = turns_after(TESTED, start(), "Mb5b6 end Mb8b9 end Mb6b5")
    assert turns == [(1, 0), (1, 0), (1, 1), (1, 1), (2, 0), (2, 0)]
    placed = play(start(free_setup=True), "Mb2 Me2 Mh2")
    assert GAME.turn(placed) == (2, 1)
    assert GAME.turn(play(start(emperor="choose"), "Ee2")) == (1, 1)


def test_what_a_view_says() -> None:
    view = GAME.view(play(position(BOARD), "Mc4c9"), 1)
    assert json.loads(json.dumps(view)) == view
    assert (view["phase"], view["turn"], view["to_move"]) == ("turn", {"number": 1, "seat": 0}, [0])
    assert (view["realm"], view["unmoved"], view["warned"], view["surrounded"]) == ("b5", ["b5"], [], [])
    assert view["pieces"][0] == {"at": "e2", "seat": 0, "kind": "emperor", "pinned": False}
    assert {"at": "b5", "seat": 0, "kind": "mandarin", "pinned": True} in view["pieces"]
    assert view["left"] == [{"mandarins": 0, "emperors": 0}] * 2
    assert (view["outcome"], view["viewer"], view["game"]) == (None, 1, "oriental_realm")


def test_what_is_left_to_place() -> None:
    view = GAME.view(play(start(free_setup=True), "Mb2 Ee2 Mh2"), None)
    assert view["left"] == [{"mandarins": 5, "emperors": 1}, {"mandarins": 7, "emperors": 0}]


@pytest.mark.parametrize(
    ("board", "steps", "outcome"),
    [
        (
            "W:Ma1 B:Ma2,Mb5 move=B", "Mb5b1",
            {"scores": [0, 1], "winner": 1, "reason": "surrounded",
             "text": "Black surrounded one of White's groups and wins."},
        ),
        (
            "W: B:", "pass pass",
            {"scores": [0.5, 0.5], "winner": None, "reason": "two_passes", "text": "Neither player can move: a draw."},
        ),
    ],
)  # fmt: skip
def test_the_view_of_a_game_that_is_over(board: str, steps: str, outcome: dict[str, object]) -> None:
    view = GAME.view(play(position(board), steps), None)
    assert view["outcome"] == outcome
    assert view["to_move"] == []


@pytest.mark.parametrize(
    ("phase", "text", "clicks"),
    [
        ("turn", "Mb5b7", ("b5", "b7")),
        ("turn", "end", ("end",)),
        ("turn", "pass", ("pass",)),
        ("place", "Mb2", ("hand:Mandarin", "b2")),
        ("place", "Eb2", ("hand:Emperor", "b2")),
        ("choose", "Eb2", ("b2",)),
    ],
)
def test_the_clicks_that_mean_a_step(phase: str, text: str, clicks: tuple[str, ...]) -> None:
    assert GAME.handles({"phase": phase}, GAME.parse_move(start(), text)) == clicks


def test_a_turn_under_way_is_another_state() -> None:
    assert play(position(BOARD), "Ee2e3") != position(BOARD)
