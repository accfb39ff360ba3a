"""The tests of states, views and steps of every board game; a game's `test_state.py` subclasses `StateChecks`."""

from __future__ import annotations

import json
import pickle
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

import realmtable
from realmtable.kit.array_state import ArrayState
from tests.game_under_test import BoardGame

Clicks = tuple[str, ...]


class StateChecks:
    """A state is a value, its view is plain data that hides nothing, and each step has one number."""

    tested: BoardGame[Any, Any]
    shown: str  # how a state in which White acts shows itself
    step_codes: int  # how many steps there are
    others: Sequence[str]  # fields that make other states of the same board

    def example(self) -> ArrayState[Any]:
        return self.tested.game.decode(self.shown[self.shown.index("W:") : -1])

    def random_states(self, seed: int) -> list[ArrayState[Any]]:
        return [state for state, _ in self.tested.random_game(seed, **self.tested.limits)]

    # ---- values

    @pytest.mark.parametrize("seed", range(3))
    def test_play_leaves_the_old_state_alone(self, seed: int) -> None:
        tested = self.tested
        for state, step in tested.random_game(seed, **self.tested.limits):
            before = state.position.tobytes(), tested.legal(state), hash(state)
            if step is not None:
                assert tested.game.play(state, tested.seat_of(state), step) != state
            assert (state.position.tobytes(), tested.legal(state), hash(state)) == before

    @pytest.mark.parametrize("seed", range(2))
    def test_a_pickle_comes_back_equal(self, seed: int) -> None:
        for state in self.random_states(seed)[::3]:
            back = pickle.loads(pickle.dumps(state))  # noqa: S301 - our own bytes
            assert (back, hash(back), back.options) == (state, hash(state), state.options)
            assert self.tested.legal(back) == self.tested.legal(state)

    def test_states_differ_by_options_and_history(self) -> None:
        board = " ".join(self.tested.game.encode(self.example()).split()[:2])
        lines = [board, *(f"{board} {fields}" for fields in ("move=B", "turns=3", *self.others))]
        assert len({self.tested.game.decode(line) for line in lines}) == len(lines)

    def test_the_same_position_is_the_same_state(self) -> None:
        one, other = self.example(), self.example()
        assert one == other
        assert {one, other} == {one}
        assert one != self.tested.game.encode(one)

    def test_a_state_shows_itself(self) -> None:
        game, state = self.tested.game, self.example()
        assert repr(state) == self.shown
        assert state._repr_svg_().startswith("<svg")
        assert state._repr_svg_() == game.draw(game.view(state, None))
        assert game.sketch(game.view(state, None))

    def test_nothing_is_hidden_and_nothing_left_to_chance(self) -> None:
        game, state = self.tested.game, self.example()
        assert game.resample(state, 0, Random(1)) == state
        assert game.chance(state) == []
        views = [game.view(state, viewer) for viewer in (0, 1, None)]
        assert [view.pop("viewer") for view in views] == [0, 1, None]
        assert views[0] == views[1] == views[2]
        assert game.legal_moves(state, 1) == []

    def test_the_game_is_found_by_its_name(self) -> None:
        name = type(self).__module__.split(".")[1]  # of the folder
        game = realmtable.game(name)
        assert game.info == realmtable.info(name) == self.tested.game.info
        assert (game.info.id, game.info.compiled, game.info.seat_names) == (name, True, ("White", "Black"))
        assert game.options_of(self.example()) == self.example().options

    # ---- views

    @pytest.mark.parametrize("seed", range(3))
    def test_a_view_is_plain_data(self, seed: int) -> None:
        game = self.tested.game
        for state in self.random_states(seed)[::3]:
            view = game.view(state, 0)
            assert json.loads(json.dumps(view)) == view
            assert view["to_move"] == list(game.to_move(state))
            assert (view["outcome"] is None) == (game.outcome(state) is None)

    # ---- steps

    def test_every_step_has_one_number(self) -> None:
        table, codes = self.tested.game.spec.step_table, range(self.step_codes)
        steps = [table.step_of(code) for code in codes]
        assert [table.code_of(step) for step in steps] == [table._make_code(step) for step in steps] == list(codes)
        assert steps == sorted(steps)

    def test_there_are_no_other_steps(self) -> None:
        for code in (-1, self.step_codes):
            with pytest.raises(ValueError, match="there is no step"):
                self.tested.game.spec.step_table.step_of(code)

    @pytest.mark.parametrize("seed", range(4))
    def test_legal_steps_are_sorted_and_unique_and_so_are_their_clicks(self, seed: int) -> None:
        game = self.tested.game
        for number, state in enumerate(self.random_states(seed)):
            steps = self.tested.steps(state)
            assert steps == sorted(set(steps))
            if number % 4 == 0:
                view = game.view(state, None)
                assert len({game.handles(view, step) for step in steps}) == len(steps)


def check_unused_keys_do_not_matter(state: ArrayState[Any]) -> None:
    """Check that array entries beyond the keys of the positions seen do not distinguish states."""
    other = ArrayState(state.rules, state.position.copy(), state.options)
    other.position[-1] = 7
    assert (other, hash(other)) == (state, hash(state))


def check_clicks(tested: BoardGame[Any, Any], state: ArrayState[Any], text: str, clicks: Clicks) -> None:
    assert tested.game.handles(tested.game.view(state, 0), tested.game.parse_move(state, text)) == clicks


def turns_after(tested: BoardGame[Any, Any], state: ArrayState[Any], texts: str) -> list[tuple[int, int]]:
    """Return the number and seat of the turn in a state and after each of some steps."""
    turns = [tested.game.turn(state)]
    for text in texts.split():
        state = tested.play(state, text)
        turns.append(tested.game.turn(state))
    return [(number, seat) for number, seat in turns]
