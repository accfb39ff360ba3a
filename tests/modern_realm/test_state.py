"""A state is a value; its view is plain data; a step has its number and its clicks."""

from __future__ import annotations

import json
import pickle
from random import Random

import pytest

import realmtable
from realmtable.engine.protocol import Turn
from realmtable.games.modern_realm.position import STEP_CODES
from realmtable.games.modern_realm.steps import code_of, step_of
from tests.modern_realm.helpers import GAME, SHORT, legal, play, position, random_game, seat_of, start

BOARD = "W:Ab4,Aa9,Ce2,Hk8 B:Ab8,Ac7,Al12,Ch11"


@pytest.mark.parametrize("seed", range(2))
def test_play_leaves_the_old_state_alone(seed: int) -> None:
    for state, step in random_game(seed, **SHORT):
        before = state.position.tobytes(), legal(state), hash(state)
        if step is not None:
            GAME.play(state, seat_of(state), step)
        assert (state.position.tobytes(), legal(state), hash(state)) == before


def test_a_pickle_comes_back_equal() -> None:
    for state, _ in list(random_game(1, **SHORT))[::7]:
        back = pickle.loads(pickle.dumps(state))  # noqa: S301 - our own bytes
        assert (back, hash(back), back.options, legal(back)) == (state, hash(state), state.options, legal(state))


def test_states_differ_by_board_options_and_turn() -> None:
    states = [
        position(BOARD),
        position(BOARD + " move=B"),
        position(BOARD, hq_counts=False),
        position(BOARD, counter_agent="k5"),
        position(BOARD, max_turns=299),
        position(BOARD + " turns=3"),
        position(BOARD + " passed"),
        position(BOARD + " from=b5"),
    ]
    assert len(set(states)) == len(states)
    assert position(BOARD) == position(BOARD)
    assert position(BOARD) != BOARD


def test_nothing_is_hidden_and_nothing_left_to_chance() -> None:
    state = position(BOARD)
    assert GAME.resample(state, 0, Random(1)) == state
    assert GAME.chance(state) == []
    views = [GAME.view(state, viewer) for viewer in (0, 1, None)]
    assert [view.pop("viewer") for view in views] == [0, 1, None]
    assert views[0] == views[1] == views[2]


def test_turns_are_counted_in_pairs() -> None:
    state = start()
    found = [GAME.turn(state)]
    for text in ("Ab5b7", "Ab11d11", "Ak5k7"):
        state = play(state, text)
        found.append(GAME.turn(state))
    assert found == [Turn(1, 0), Turn(1, 1), Turn(2, 0), Turn(2, 1)]


@pytest.mark.parametrize("seed", range(2))
def test_a_view_is_plain_data(seed: int) -> None:
    for state, _ in list(random_game(seed, **SHORT))[::3]:
        view = GAME.view(state, 0)
        assert json.loads(json.dumps(view)) == view
        assert view["to_move"] == list(GAME.to_move(state))
        assert (view["outcome"] is None) == (GAME.outcome(state) is None)


def test_what_a_view_says() -> None:
    view = GAME.view(position(BOARD), 1)
    assert (view["phase"], view["turn"], view["to_move"]) == ("turn", {"number": 1, "seat": 0}, [0])
    assert (view["headquarters"], view["stock"]) == ([1, 0], [7, 8])
    assert (view["open"], view["dislodged"]) == ({"origin": None, "left": []}, None)
    by_space = {piece.pop("at"): piece for piece in view["pieces"]}
    assert by_space["a9"] == {"seat": 0, "kind": "agent", "mobile": False}
    assert by_space["b8"] == {"seat": 1, "kind": "agent", "mobile": True}
    assert by_space["h11"] == {"seat": 1, "kind": "counter", "mobile": True}
    assert by_space["k8"] == {"seat": 0, "kind": "hq", "mobile": False}


def test_the_view_of_a_game_that_is_over() -> None:
    view = GAME.view(position("W:Hb8,Aa1 B:Al12 turns=300 end=max_turns"), None)
    assert view["outcome"] == {
        "scores": [1, 0],
        "winner": None,
        "reason": "max_turns",
        "text": "The game reached its last turn: a draw at 1 to 0.",
    }
    assert (view["to_move"], view["phase"]) == ([], "over")


def test_every_step_has_one_number() -> None:
    steps = [step_of(code) for code in range(STEP_CODES)]
    assert [code_of(step) for step in steps] == list(range(STEP_CODES))
    assert steps == sorted(steps)


@pytest.mark.parametrize("code", [-1, STEP_CODES])
def test_there_are_no_other_steps(code: int) -> None:
    with pytest.raises(ValueError, match="there is no step"):
        step_of(code)


@pytest.mark.parametrize(
    ("text", "clicks"), [("Ab4b7", ("b4", "b7")), ("xAb9", ("b9",)), ("Ce2", ("e2",)), ("pass", ("pass",))]
)
def test_the_clicks_that_mean_a_step(text: str, clicks: tuple[str, ...]) -> None:
    state = position(BOARD)
    assert GAME.handles(GAME.view(state, 0), GAME.parse_move(state, text)) == clicks


@pytest.mark.parametrize("seed", range(2))
def test_legal_steps_are_sorted_and_unique_and_so_are_their_clicks(seed: int) -> None:
    for state, _ in list(random_game(seed, **SHORT))[::4]:
        steps = GAME.legal_moves(state, seat_of(state))
        assert steps == sorted(set(steps))
        assert len({GAME.handles({}, step) for step in steps}) == len(steps)


def test_the_game_is_found_by_its_name() -> None:
    info = realmtable.game("modern_realm").info
    assert (info.id, info.title, info.compiled) == ("modern_realm", "Modern Realm", True)
    assert info.seat_names == ("White", "Black")


def test_a_finished_game_has_no_steps() -> None:
    assert GAME.decode("W:Aa1 B:Al12 end=max_turns turns=300").legal_codes() == []
