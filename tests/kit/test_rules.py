"""The `Rules` record of every game with kernels: keys, ends, histories and search settings."""

from __future__ import annotations

from random import Random
from typing import Any, cast

import pytest

import realmtable
from realmtable.engine.bots import non_proposal_moves
from realmtable.kit.array_game import ArrayGame
from realmtable.kit.array_state import ArrayState
from realmtable.kit.rules import HasArrayRules, HasRules, SearchParameters

GAMES = [game for info in realmtable.infos() if isinstance(game := realmtable.game(info.id), HasRules)]
every_game = pytest.mark.parametrize(
    "game", [cast("ArrayGame[Any, Any]", game) for game in GAMES], ids=[game.info.id for game in GAMES]
)


def random_states(game: ArrayGame[Any, Any], steps: int) -> list[ArrayState[Any]]:
    states, rng = [game.initial()], Random(1)
    for _ in range(steps):
        state = states[-1]
        seat = game.to_move(state)[0]
        moves = [outcome.move for outcome in game.chance(state)] or non_proposal_moves(game, state, seat)
        states.append(game.play(state, seat, rng.choice(moves)))
    return states


@every_game
def test_keys_distinguish_positions_and_are_reproducible(game: ArrayGame[Any, Any]) -> None:
    states = random_states(game, 12)
    keys = [int(game.rules.key(state.position)) for state in states]
    assert keys == [int(game.rules.key(game.decode(game.encode(state)).position)) for state in states]
    assert len(set(keys)) > len(states) // 2


@every_game
def test_a_running_game_is_not_over_and_only_the_content_of_a_position_counts(game: ArrayGame[Any, Any]) -> None:
    for state in random_states(game, 6):
        assert not game.rules.is_over(state.position)
        assert game.rules.content(state.position).size <= state.position.size
        assert game.rules.game_id == game.info.id


@every_game
def test_a_search_sees_the_positions_and_steps_of_the_game(game: ArrayGame[Any, Any]) -> None:
    assert isinstance(game, HasArrayRules)
    for state in random_states(game, 12):
        assert game.position_of(state) is state.position
        for seat in game.to_move(state):
            moves = [outcome.move for outcome in game.chance(state)] or game.legal_moves(state, seat)
            assert [game.step_of(int(code)) for code in state.legal_codes()] == list(moves)


@every_game
def test_only_the_first_steps_of_a_game_are_its_setup(game: ArrayGame[Any, Any]) -> None:
    states = random_states(game, 40)
    in_setup = [game.is_in_setup(state) for state in states]
    assert in_setup == sorted(in_setup, reverse=True)
    assert not in_setup[-1]


def test_the_settings_of_a_search_see_draws_from_seat_0() -> None:
    parameters = SearchParameters(contempt=0.25, broad=True)
    assert [parameters.settings(seat)[6:8] for seat in range(2)] == [[1.0, -0.25], [1.0, 0.25]]
