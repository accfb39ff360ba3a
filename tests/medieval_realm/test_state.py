"""A state is a value; its view is plain data; a step has its number, its text and its clicks; a glance at its worth."""

from __future__ import annotations

import pytest

from realmtable.games.medieval_realm.first_state import state_of
from realmtable.games.medieval_realm.layout import KEYS, STEP_CODES
from realmtable.kit.evaluation import WIN
from tests.medieval_realm.helpers import GAME, TESTED, play, position, random_game
from tests.state_checks import StateChecks, check_clicks, check_unused_keys_do_not_matter

BOARD = "W:De2,Mb5,Ma7 B:Dh11,Mb8"


class TestState(StateChecks):
    tested = TESTED
    shown = "<Medieval Realm W:De2,Mb5,Ma7 B:Mb8,Dh11 move=W>"
    step_codes = STEP_CODES
    others = (
        "dukes=1/0",
        "dukes=0/1",
        "passed",
        "seen=",
        "options=duke_draw=off",
        "options=max_plies=299",
        "options=duke_squares=front_middle",
    )


# ---- values


def test_what_lies_beyond_the_seen_keys_does_not_matter() -> None:
    state = position(BOARD)
    check_unused_keys_do_not_matter(state)
    other = state_of(state.position.copy(), state.options)
    other.position[KEYS] += 1
    assert other != state


# ---- views


def test_what_a_view_says() -> None:
    view = GAME.view(position(BOARD + " dukes=2/1 turns=5"), 1)
    assert view["pieces"] == [
        {"at": "e2", "seat": 0, "kind": "duke", "down": False},
        {"at": "b5", "seat": 0, "kind": "man", "down": False},
        {"at": "a7", "seat": 0, "kind": "man", "down": True},
        {"at": "b8", "seat": 1, "kind": "man", "down": False},
        {"at": "h11", "seat": 1, "kind": "duke", "down": False},
    ]
    assert view["off"] == [{"dukes": 1, "men": 4}, {"dukes": 1, "men": 5}]
    assert (view["phase"], view["turn"], view["duke_rows"]) == ("turn", {"number": 3, "seat": 0}, [2, 1])
    assert view["duke_draw"] is True


def test_the_phases_of_a_view() -> None:
    assert GAME.view(position("W:Ma7 B:Mb8"), None)["phase"] == "pass"
    over = GAME.view(play(position("W:Mb11 B:Mb8"), "Mb11off"), None)
    assert (over["phase"], over["to_move"]) == ("over", [])
    assert over["outcome"] == {
        "scores": [8, 7],
        "winner": 0,
        "reason": "borne_off",
        "text": "White has borne off all eight pieces and wins.",
    }


# ---- steps


@pytest.mark.parametrize(
    ("text", "clicks"), [("De2e5", ("e2", "e5")), ("Mb11off", ("b11", "off")), ("pass", ("pass",))]
)
def test_the_clicks_that_mean_a_step(text: str, clicks: tuple[str, ...]) -> None:
    check_clicks(TESTED, position(BOARD), text, clicks)


# ---- worth


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("W:De5 B:De11", "W:De2 B:De11"),  # further on
        ("W:De11 B:Dk11", "W:De11,Mb11 B:Dk11"),  # borne off
        ("W:De2,Mb5 B:De11", "W:De2,Ma4 B:De11"),  # on his feet
        ("W:De2,Ma4,Ma7 B:De11", "W:De2,Ma4,Mb4 B:De11"),  # not one above the other
        ("W:De2 B:De11", "W:De2 B:De8"),  # the opponent behind
    ],
)
def test_a_better_position_is_worth_more(better: str, worse: str) -> None:
    for seat in range(2):
        worths = [GAME.evaluate(position(board), seat) for board in (better, worse)]
        assert (worths[0] > worths[1]) == (seat == 0)


def test_the_worth_of_an_end() -> None:
    won = play(position("W:Mb11 B:Mb8"), "Mb11off")
    assert [GAME.evaluate(won, seat) for seat in range(2)] == [WIN, -WIN]
    drawn = play(position("W:Ma4 B:Ml9"), "pass pass")
    assert [GAME.evaluate(drawn, seat) for seat in range(2)] == [0, 0]


def test_both_seats_see_the_same_from_their_sides() -> None:
    for state, _ in random_game(4):
        assert GAME.evaluate(state, 0) == -GAME.evaluate(state, 1)


def test_where_a_man_lies_matters() -> None:
    assert position(BOARD) != position(BOARD.replace("Ma7", "Ma4"))
