"""A state is a value; its view is plain data; a step has its number, its text and its clicks."""

from __future__ import annotations

import json
import pickle
from random import Random

import pytest

import realmtable
from realmtable.games.oriental_realm.position import POSITION_SIZE, STEP_CODES
from realmtable.games.oriental_realm.state import state_of
from realmtable.games.oriental_realm.steps import code_of, step_of
from tests.oriental_realm.helpers import GAME, legal, play, position, random_game, seat_of, start

BOARD = "W:Ee2,Mb5,Mc4 B:Eh11,Mb4,Mb6"


@pytest.mark.parametrize("seed", range(2))
def test_play_leaves_the_old_state_alone_and_pickles_come_back(seed: int) -> None:
    for state, step in list(random_game(seed, max_turns=20))[::3]:
        before = state.position.tobytes(), legal(state), hash(state)
        if step is not None:
            GAME.play(state, seat_of(state), step)
        assert (state.position.tobytes(), legal(state), hash(state)) == before
        back = pickle.loads(pickle.dumps(state))  # noqa: S301 - our own bytes
        assert (back, hash(back), back.options, legal(back)) == (state, hash(state), state.options, legal(state))


def test_states_differ_by_board_options_and_history() -> None:
    states = [
        position(BOARD),
        position(BOARD + " move=B"),
        position(BOARD, warning=True),
        position(BOARD, max_turns=20),
        position(BOARD + " turns=3"),
        position(BOARD + " seen="),
        position(BOARD + " passed"),
        play(position(BOARD), "Ee2e3"),
    ]
    assert len(set(states)) == len(states)
    assert position(BOARD) == position(BOARD)
    other = state_of(position(BOARD).position.copy(), position(BOARD).options)
    other.position[POSITION_SIZE - 1] = 7  # beyond the keys that count
    assert other == position(BOARD)


def test_a_state_shows_itself() -> None:
    state = position(BOARD)
    assert repr(state) == "<Oriental Realm W:Ee2,Mc4,Mb5 B:Mb4,Mb6,Eh11 move=W>"
    assert state._repr_svg_() == GAME.draw(GAME.view(state, None))
    assert GAME.sketch(GAME.view(state, None))


def test_nothing_is_hidden_and_nothing_left_to_chance() -> None:
    state = position(BOARD, warning=True)
    assert GAME.resample(state, 0, Random(1)) == state
    assert GAME.chance(state) == []
    views = [GAME.view(state, viewer) for viewer in (0, 1, None)]
    assert [view.pop("viewer") for view in views] == [0, 1, None]
    assert views[0] == views[1] == views[2]


def test_turns_are_numbered_in_pairs() -> None:
    state = start()
    numbers = [GAME.turn(state)]
    for text in ("Mb5b6", "end", "Mb8b9", "end", "Mb6b5"):
        state = play(state, text)
        numbers.append(GAME.turn(state))
    assert numbers == [(1, 0), (1, 0), (1, 1), (1, 1), (2, 0), (2, 0)]
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


def test_every_step_has_one_number() -> None:
    steps = [step_of(code) for code in range(STEP_CODES)]
    assert [code_of(step) for step in steps] == list(range(STEP_CODES))
    assert steps == sorted(steps)
    for code in (-1, STEP_CODES):
        with pytest.raises(ValueError, match="there is no step"):
            step_of(code)


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


def test_the_game_is_found_by_its_name() -> None:
    game = realmtable.game("oriental_realm")
    assert game.info == realmtable.info("oriental_realm") == GAME.info
    assert game.info.compiled
    assert game.options_of(start(warning=True)).warning
