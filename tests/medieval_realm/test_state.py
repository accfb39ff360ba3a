"""A state is a value; its view is plain data; a step has its number, its text and its clicks; a glance at its worth."""

from __future__ import annotations

import json
import pickle
from random import Random

import pytest

import realmtable
from realmtable.games.medieval_realm.position import KEYS, POSITION_SIZE, STEP_CODES
from realmtable.games.medieval_realm.state import state_of
from realmtable.games.medieval_realm.steps import STEP_TABLE, code_of, step_of
from realmtable.kit.evaluation import WIN
from tests.medieval_realm.helpers import GAME, legal, play, position, random_game, seat_of

BOARD = "W:De2,Mb5,Ma7 B:Dh11,Mb8"


# ---- values


@pytest.mark.parametrize("seed", range(3))
def test_play_leaves_the_old_state_alone(seed: int) -> None:
    for state, step in random_game(seed, max_plies=60):
        before = state.position.tobytes(), legal(state), hash(state)
        if step is not None:
            GAME.play(state, seat_of(state), step)
        assert (state.position.tobytes(), legal(state), hash(state)) == before


def test_a_pickle_comes_back_equal() -> None:
    for state, _ in list(random_game(1, max_plies=60))[::7]:
        back = pickle.loads(pickle.dumps(state))  # noqa: S301 - our own bytes
        assert (back, hash(back), back.options, legal(back)) == (state, hash(state), state.options, legal(state))


def test_states_differ_by_board_options_and_history() -> None:
    states = [
        position(BOARD),
        position(BOARD + " move=B"),
        position(BOARD + " turns=3"),
        position(BOARD + " dukes=1/0"),
        position(BOARD + " dukes=0/1"),
        position(BOARD + " passed"),
        position(BOARD + " seen="),
        position(BOARD.replace("Ma7", "Ma4")),
        position(BOARD, duke_draw=False),
        position(BOARD, max_plies=299),
        position(BOARD, duke_squares="front_middle"),
    ]
    assert len(set(states)) == len(states)
    assert position(BOARD) == position(BOARD)
    assert position(BOARD) != BOARD


def test_what_lies_beyond_the_seen_keys_does_not_matter() -> None:
    state = position(BOARD)
    other = state_of(state.position.copy(), state.options)
    other.position[POSITION_SIZE - 1] = 7
    assert (other, hash(other)) == (state, hash(state))
    other.position[KEYS] += 1
    assert other != state


def test_a_state_shows_itself() -> None:
    state = position(BOARD)
    assert repr(state) == "<Medieval Realm W:De2,Mb5,Ma7 B:Mb8,Dh11 move=W>"
    assert state._repr_svg_() == GAME.draw(GAME.view(state, None))


def test_nothing_is_hidden_and_nothing_left_to_chance() -> None:
    state = position(BOARD)
    assert GAME.resample(state, 0, Random(1)) == state
    assert GAME.chance(state) == []
    views = [GAME.view(state, viewer) for viewer in (0, 1, None)]
    assert [view.pop("viewer") for view in views] == [0, 1, None]
    assert views[0] == views[1] == views[2]


def test_the_game_is_found_by_its_name() -> None:
    assert type(realmtable.game("medieval_realm")) is type(GAME)
    assert realmtable.info("medieval_realm").compiled


# ---- views


def test_a_view_is_plain_data() -> None:
    for state, _ in list(random_game(2))[::3]:
        view = GAME.view(state, 0)
        assert json.loads(json.dumps(view)) == view
        assert view["to_move"] == list(GAME.to_move(state))
        assert (view["outcome"] is None) == (GAME.outcome(state) is None)


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


def test_every_step_has_one_number() -> None:
    steps = [step_of(code) for code in range(STEP_CODES)]
    assert (
        [code_of(step) for step in steps] == [STEP_TABLE._make_code(step) for step in steps] == list(range(STEP_CODES))
    )
    assert steps == sorted(steps)


@pytest.mark.parametrize("code", [-1, STEP_CODES])
def test_there_are_no_other_steps(code: int) -> None:
    with pytest.raises(ValueError, match="there is no step"):
        step_of(code)


@pytest.mark.parametrize(
    ("text", "clicks"), [("De2e5", ("e2", "e5")), ("Mb11off", ("b11", "off")), ("pass", ("pass",))]
)
def test_the_clicks_that_mean_a_step(text: str, clicks: tuple[str, ...]) -> None:
    state = position(BOARD)
    assert GAME.handles(GAME.view(state, 0), GAME.parse_move(state, text)) == clicks


def test_legal_steps_are_sorted_and_unique() -> None:
    for state, _ in random_game(3):
        steps = GAME.legal_moves(state, seat_of(state))
        assert steps == sorted(set(steps))


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
