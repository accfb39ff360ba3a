"""A state is a value; its view is plain data; a step has its number, its text and its clicks."""

from __future__ import annotations

import json
import pickle
from random import Random

import pytest

import realmtable
from realmtable.games.realm.position import POSITION_SIZE, STEP_CODES
from realmtable.games.realm.rearrangement import pieces_in_hand
from realmtable.games.realm.state import state_of
from realmtable.games.realm.steps import StepKind, code_of, step_of
from tests.realm.helpers import (
    GAME,
    SETUP,
    legal,
    play,
    position,
    random_game,
    random_step,
    seat_of,
    start,
)

BOARD = "W:Bh11,Pg10,Eg12S,Ei12x B:Bh2,Pg3"


# ---- values


@pytest.mark.no_cover
@pytest.mark.parametrize("seed", range(3))
def test_play_leaves_the_old_state_alone(seed: int) -> None:
    for state, step in random_game(seed, max_turns=40):
        before = state.position.tobytes(), legal(state), hash(state)
        if step is not None:
            GAME.play(state, seat_of(state), step)
        assert (state.position.tobytes(), legal(state), hash(state)) == before


@pytest.mark.parametrize("seed", range(2))
def test_a_pickle_comes_back_equal(seed: int) -> None:
    for state, _ in list(random_game(seed, max_turns=40))[::7]:
        back = pickle.loads(pickle.dumps(state))  # noqa: S301 - our own bytes
        assert (back, hash(back), back.options, legal(back)) == (state, hash(state), state.options, legal(state))


def test_states_differ_by_board_options_and_history() -> None:
    states = [
        position(BOARD),
        position(BOARD + " move=B"),
        position(BOARD, bases=13),
        position(BOARD, agree_end=False),
        position(BOARD + " quiet=3"),
        position(BOARD + " turns=3"),
        position(BOARD + " seen="),
        position(BOARD + " rowW=h11*1"),
        position(BOARD + " offer=standing"),
        position(BOARD + " captured=1/0"),
        position(BOARD + " passed"),
    ]
    assert len(set(states)) == len(states)
    assert position(BOARD) == position(BOARD)
    assert position(BOARD) != BOARD
    assert {position(BOARD), position(BOARD)} == {position(BOARD)}


def test_what_lies_beyond_the_seen_keys_does_not_matter() -> None:
    state = position(BOARD)
    other = state_of(state.position.copy(), state.options)
    other.position[POSITION_SIZE - 1] = 7
    assert (other, hash(other)) == (state, hash(state))


def test_a_state_shows_itself() -> None:
    state = position(BOARD)
    assert repr(state) == "<Realm W:Pg10,Bh11,Eg12S,Ei12x B:Bh2,Pg3 move=W>"
    assert state._repr_svg_().startswith("<svg")
    assert GAME.draw(GAME.view(state, None)) == state._repr_svg_()
    assert GAME.sketch(GAME.view(state, None))


def test_what_is_in_hand() -> None:
    state = position(BOARD)
    assert pieces_in_hand(state.position) == []
    lifted = play(state, "Rh11")
    assert [piece & 7 for piece in pieces_in_hand(lifted.position)] == [2, 5, 7]
    assert [piece & 7 for piece in pieces_in_hand(play(lifted, "Pg10 Eg11N").position)] == [7]


def test_nothing_is_hidden_and_nothing_left_to_chance() -> None:
    state = position(BOARD)
    assert GAME.resample(state, 0, Random(1)) == state
    assert GAME.chance(state) == []
    views = [GAME.view(state, viewer) for viewer in (0, 1, None)]
    assert [view.pop("viewer") for view in views] == [0, 1, None]
    assert views[0] == views[1] == views[2]


# ---- turns


def turns_of(texts: str, **options: str | bool | int) -> list[tuple[int, int]]:
    state = start(**options)
    found = [GAME.turn(state)]
    for text in texts.split():
        state = play(state, text)
        found.append(GAME.turn(state))
    return [(number, seat) for number, seat in found]


def test_turns_are_numbered_as_the_magazine_does() -> None:
    rounds = [(number, seat) for number in range(1, 9) for seat in range(2)]
    assert turns_of(SETUP + " Pi10f10 end Pg3f3 end Rb5 Pa4") == [
        *rounds[:12], (7, 0), (7, 0), (7, 1), (7, 1), (8, 0), (8, 0), (8, 1)
    ]  # fmt: skip


def test_turns_with_an_extra_base_or_the_second_moving_first() -> None:
    texts = SETUP.replace("Bb8", "Bb8 Bk11")
    assert turns_of(texts, extra_base_second=True)[5:8] == [(3, 1), (4, 1), (5, 0)]
    assert turns_of(texts, extra_base_second=True)[-1] == (8, 0)
    assert turns_of(SETUP, second_moves_first=True)[-2:] == [(6, 1), (7, 1)]


# ---- views


@pytest.mark.parametrize("seed", range(3))
def test_a_view_is_plain_data(seed: int) -> None:
    for state, _ in list(random_game(seed, max_turns=40))[::3]:
        view = GAME.view(state, 0)
        assert json.loads(json.dumps(view)) == view
        assert view["to_move"] == list(GAME.to_move(state))
        assert (view["outcome"] is None) == (GAME.outcome(state) is None)


def test_what_a_view_says() -> None:
    view = GAME.view(play(position(BOARD + " offer=standing captured=1/2"), ""), 1)
    assert (view["offered"], view["phase"], view["turn"]) == (True, "turn", {"number": 7, "seat": 0})
    assert view["stock"][0] == {"bases": 9, "enforcers": 6, "captured": 1}
    assert view["pieces"][0] == {"at": "h2", "seat": 1, "kind": "base", "facing": None, "mobile": True}
    by_space = {piece["at"]: piece for piece in view["pieces"]}
    assert by_space["g12"] == {"at": "g12", "seat": 0, "kind": "enforcer", "facing": "S", "mobile": True}
    assert by_space["i12"] == {"at": "i12", "seat": 0, "kind": "enforcer", "facing": None, "mobile": False}
    assert by_space["g10"]["kind"] == "power"


def test_the_view_of_a_game_that_is_over() -> None:
    view = GAME.view(position(BOARD + " phase=over end=max_turns"), None)
    assert view["outcome"] == {
        "scores": [1, 1],
        "winner": 1,
        "reason": "max_turns",
        "text": "The game reached its last turn. 1 Realms each; Black wins on the tie-break, 8 to 7.",
    }
    assert view["to_move"] == []


# ---- steps


def test_every_step_has_one_number() -> None:
    assert [code_of(step_of(code)) for code in range(STEP_CODES)] == list(range(STEP_CODES))
    steps = [step_of(code) for code in range(STEP_CODES)]
    assert steps == sorted(steps)


@pytest.mark.parametrize("code", [-1, STEP_CODES])
def test_there_are_no_other_steps(code: int) -> None:
    with pytest.raises(ValueError, match="there is no step"):
        step_of(code)


@pytest.mark.parametrize("seed", range(4))
def test_legal_steps_are_sorted_and_unique(seed: int) -> None:
    for state, _ in random_game(seed, max_turns=40):
        steps = GAME.legal_moves(state, seat_of(state))
        assert steps == sorted(set(steps))


@pytest.mark.parametrize(
    ("text", "clicks"),
    [
        ("Pg10g7", ("g10", "g7")),
        ("Bh11", ("h11",)),
        ("Eg12S", ("g12", "face:S")),
        ("Eg12x", ("g12",)),
        ("xEg12", ("g12",)),
        ("Rh11", ("rearrange", "h11")),
        ("xPg10(Ei12N)", ("sacrifice", "g10", "i12", "face:N")),
        ("place:White", ("first:White",)),
        ("move:Black", ("first:Black",)),
        ("-", ("decline",)),
        ("end", ("end",)),
        ("pass", ("pass",)),
        ("offer", ("offer",)),
        ("accept", ("accept",)),
    ],
)
def test_the_clicks_that_mean_a_step(text: str, clicks: tuple[str, ...]) -> None:
    state = position(BOARD)
    assert GAME.handles(GAME.view(state, 0), GAME.parse_move(state, text)) == clicks


@pytest.mark.parametrize("seed", range(3))
def test_no_two_legal_steps_share_their_clicks(seed: int) -> None:
    rng = Random(seed)
    state = start(optional_creation=True, power_sacrifice=True, rearrange_both=True)
    view = GAME.view(state, 0)
    for _ in range(150):
        if not GAME.to_move(state):
            return
        steps = GAME.legal_moves(state, seat_of(state))
        assert len({GAME.handles(view, step) for step in steps}) == len(steps)
        state = GAME.play(state, seat_of(state), random_step(rng, state))


def test_the_game_is_found_by_its_name() -> None:
    assert realmtable.game("realm").info.id == "realm"
    assert realmtable.info("realm").compiled
    assert StepKind.MOVE < StepKind.ACCEPT
