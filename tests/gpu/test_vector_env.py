"""The vector environment on the CPU; the GPU has the same kernels."""

from __future__ import annotations

import numpy as np
import pytest

import realmtable
from realmtable.engine.errors import BadInput, BadOptions
from realmtable.gpu.actions import CUT, REFUSED
from realmtable.gpu.device import NoDevice
from realmtable.gpu.playouts import play_random_games
from realmtable.gpu.vector_env import VectorEnv, make_vector
from realmtable.rl import vector
from tests.gpu.test_golden import GAMES

REWARDS = {None: [0.0, 0.0], 0: [1.0, -1.0], 1: [-1.0, 1.0]}  # by winner


def make_classic(count: int = 3, **choices: object) -> VectorEnv:
    return make_vector("classic_realm", count, seed=1, device="cpu", **choices)  # type: ignore[arg-type] # any of them


def test_games_follow_the_rules() -> None:
    game = realmtable.game("classic_realm")
    states = [game.initial(2, None)] * 2
    env = make_classic(2, masks=True)
    ended = 0
    for _ in range(400):
        for number, state in enumerate(states):
            legal = env.legal_list[number, : env.legal_count[number]].tolist()
            (seat,) = game.to_move(state)
            assert legal == state.legal_codes()
            assert env.seat[number] == seat
            assert np.flatnonzero(env.legal_mask[number]).tolist() == legal
        actions = env.sample().copy()
        env.step(actions)
        for number, action in enumerate(actions.tolist()):
            states[number] = states[number].after(action)
            outcome = game.outcome(states[number])
            if outcome is None:
                assert (env.reasons[number], env.rewards[number].tolist()) == (0, [0.0, 0.0])
            else:
                ended += 1
                assert env.reason_names[env.reasons[number]] == outcome.reason
                assert env.rewards[number].tolist() == [
                    0.0 if outcome.winner is None else 1.0 if seat == outcome.winner else -1.0 for seat in (0, 1)
                ]
                states[number] = game.initial(2, None)
        env.check()
    assert ended > 0


def test_a_seed_gives_the_same_games() -> None:
    first, second = make_classic(), make_classic()
    for _ in range(5):
        first.step(first.sample())
        second.step(second.sample())
    assert np.array_equal(first.positions, second.positions)
    first.reset(seed=2)
    first.step(first.sample())
    second.reset(seed=1)
    second.step(second.sample())
    assert not np.array_equal(first.positions[:, :40], second.positions[:, :40])
    first.reset()  # the streams go on
    assert first.lengths.tolist() == [0] * 3


def test_games_are_cut_off() -> None:
    env = make_classic(max_steps=3)
    for length in (1, 2, 3, 1):
        env.step(env.sample())
        assert env.lengths.tolist() == [length] * 3
        assert env.reasons.tolist() == [CUT if length == 3 else 0] * 3


def test_an_illegal_action_changes_nothing() -> None:
    env = make_classic()
    before = env.positions.copy()
    env.step(np.full(3, env.action_count - 1, dtype=np.int32))
    assert env.reasons.tolist() == [REFUSED] * 3
    assert np.array_equal(env.positions, before)
    with pytest.raises(BadInput, match=r"^Action 273 is not legal in game 0\.$"):
        env.check()
    env.step(env.legal_list[:, 0].copy())
    env.check()
    assert env.lengths.tolist() == [1] * 3


@pytest.mark.parametrize("name", GAMES)
def test_observations_are_those_of_the_other_vector_environment(name: str) -> None:
    env = make_vector(name, 3, seed=5, device="cpu", observations=True)
    other = vector(name, 3, seed=5)
    assert (env.plane_names, env.number_names) == (other.plane_names, other.number_names)
    for _ in range(12):
        assert other.observations is not None
        for part in ("planes", "numbers"):
            own, expected = getattr(env.observations, part), getattr(other.observations, part)
            assert own.dtype == expected.dtype
            assert np.array_equal(own, expected), part
        actions = env.sample().copy()
        env.step(actions)
        other.step(actions)
    assert env.observations.planes.any()


def test_several_seats_and_chance() -> None:
    env = make_vector("realms_of_etherium", 1, device="cpu", seats=3)
    env.step(env.sample())
    assert env.rewards.shape == (1, 3)
    assert 0 <= env.seat[0] < 3


@pytest.mark.parametrize(
    ("actions", "sentence"),
    [
        ([1, 2, 3], "step needs an array of 3 numbers of the type int32."),
        (np.zeros(3), "step needs an array of 3 numbers of the type int32."),
        (np.zeros(2, dtype=np.int32), "step needs an array of 3 numbers of the type int32."),
        (np.full(3, -1, dtype=np.int32), "-1 is no action; call reset to start again."),
    ],
)
def test_actions_are_refused(actions: object, sentence: str) -> None:
    with pytest.raises(BadInput, match=f"^{sentence}$"):
        make_classic().step(actions)


def test_choices_are_refused() -> None:
    with pytest.raises(BadInput, match=r"The number of games must be at least 1, not 0\."):
        make_classic(0)
    with pytest.raises(BadInput, match=r"max_steps must be at least 1, not 0\."):
        make_classic(max_steps=0)
    with pytest.raises(BadInput, match="A seed is a number from 0 to"):
        make_vector("classic_realm", 1, seed=-1, device="cpu")
    with pytest.raises(BadInput, match="create it with masks=True"):
        _ = make_classic().legal_mask
    with pytest.raises(BadInput, match="create it with observations=True"):
        _ = make_classic().observations
    with pytest.raises(BadOptions, match=r"Classic Realm is for 2 players, not 3\."):
        make_classic(seats=3)
    with pytest.raises(BadInput, match="Magic Realm has no kernels; the games that have some are classic_realm, "):
        make_vector("magic_realm", 1)


def test_playouts_are_those_of_the_game() -> None:
    game = realmtable.game("classic_realm")
    state = game.initial(2, None)
    assert play_random_games(game, state, range(3), "cpu") == game.playouts(state, range(3))  # type: ignore[attr-defined] # it has them


def test_without_a_gpu_there_is_a_sentence() -> None:
    env = make_vector("classic_realm", 1)
    assert env.device in {"cpu", "gpu"}
    if env.device == "cpu":
        with pytest.raises(NoDevice, match="There is no NVIDIA GPU with a driver"):
            make_vector("classic_realm", 1, device="gpu")
