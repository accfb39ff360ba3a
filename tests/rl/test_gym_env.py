"""Gymnasium's own checks, and what our environment promises beyond them."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import realmtable
from realmtable import rl
from realmtable.engine.errors import BadInput
from realmtable.rl.gym_env import SingleSeatEnv, environment_id
from realmtable.rl.opponents import Opponent
from realmtable.search.baselines import RandomBot


def play_randomly(env: Any, seed: int) -> tuple[list[float], dict[str, Any]]:  # noqa: ANN401 - with or without wrappers
    """Play an episode with random actions; return its rewards and its last info."""
    rng = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    rewards, over = [], False
    while not over:
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        _, reward, terminated, truncated, info = env.step(action)
        rewards.append(reward)
        over = terminated or truncated
    return rewards, info


@pytest.mark.long
@pytest.mark.parametrize("info", realmtable.infos(), ids=lambda info: info.id)
def test_games_pass_the_check_of_gymnasium(info: Any) -> None:  # noqa: ANN401 - the facts of a game
    env = gymnasium.make(environment_id(info), opponent="level1", max_steps=60)
    check_env(env.unwrapped)


def test_games_are_registered_by_their_titles() -> None:
    assert "realmtable/ClassicRealm-v0" in gymnasium.registry
    assert gymnasium.make("realmtable/Realm-v0").unwrapped.setting.game.info.id == "realm"  # type: ignore[attr-defined] # our own class


def test_the_name_can_contain_the_module() -> None:
    env = gymnasium.make("realmtable.rl.gym_env:realmtable/ClassicRealm-v0")
    assert isinstance(env.unwrapped, SingleSeatEnv)


def test_a_game_ends_with_its_reward() -> None:
    rewards, info = play_randomly(rl.single_agent_env("classic_realm", seat=1), 4)
    assert set(rewards[:-1]) == {0.0}
    assert rewards[-1] == (1.0 if info["place"] == 1 else -1.0)
    assert info["seat"] == 1
    assert not info["action_mask"].any()


def test_the_seat_is_drawn_from_the_seed() -> None:
    env = rl.single_agent_env("classic_realm")
    seats = [env.reset(seed=seed)[1]["seat"] for seed in range(12)]
    assert set(seats) == {0, 1}
    assert seats == [env.reset(seed=seed)[1]["seat"] for seed in range(12)]


def test_seeds_repeat_bots_too() -> None:
    env = rl.single_agent_env("fantasy_realms", seats=3)
    first, second = (play_randomly(env, 5)[1]["scores"] for _ in range(2))
    assert first == second


def test_environments_can_be_copied() -> None:
    env = rl.single_agent_env("classic_realm", seat=0)
    env.reset(seed=5)
    action = np.flatnonzero(env.action_masks())[0]
    other = copy.deepcopy(env)
    assert np.array_equal(env.step(action)[0], other.step(action)[0])


def test_bots_choose_at_the_same_time() -> None:
    env = rl.single_agent_env("fantasy_realms", preset="chaos", seats=3, seat=1)
    env.reset(seed=2)
    ready = 1  # the number of the step
    assert env.action_masks()[ready]
    _, _, _, _, info = env.step(np.int64(ready))
    assert "illegal" not in info


def test_games_are_cut_off() -> None:
    env = rl.single_agent_env("classic_realm", max_steps=6, seat=0)
    rewards, info = play_randomly(env, 1)
    assert rewards == [0.0, 0.0, 0.0]
    assert "scores" not in info


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (273, "You cannot pass while you have a move. (C8)"),
        (10**6, "Actions are the numbers below 274, not 1000000."),
    ],
)
def test_illegal_actions_lose(action: int, reason: str) -> None:
    env = rl.single_agent_env("classic_realm", seat=0)
    before, _ = env.reset(seed=1)
    after, reward, terminated, truncated, info = env.step(np.int64(action))
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["illegal"] == reason
    assert np.array_equal(before, after)


def test_the_picture_is_that_of_the_game() -> None:
    env = rl.single_agent_env("classic_realm", render_mode="ansi")
    env.reset(seed=1)
    assert "Turn 1" in str(env.render())


def test_each_seat_can_have_its_own_opponent() -> None:
    env = rl.single_agent_env("fantasy_realms", seats=3, opponent=["level1", "random"])
    assert play_randomly(env, 3)[1]["place"] in (1, 2, 3)


def choose_first(state: Any) -> Any:  # noqa: ANN401 - a state and a move of Classic Realm
    game = realmtable.game("classic_realm")
    return game.legal_moves(state, game.to_move(state)[0])[0]


class FirstBot:
    """A bot as the API describes it."""

    name = "first"

    def choose(self, game: Any, state: Any, seat: int, rng: Random) -> Any:  # noqa: ANN401 - a move of any game
        del rng
        return game.legal_moves(state, seat)[0]


def test_an_opponent_may_be_a_bot_or_a_function() -> None:
    def observe(opponent: Opponent | list[Opponent]) -> list[float]:
        env = rl.single_agent_env("classic_realm", opponent=opponent, seat=1)
        observation, _ = env.reset(seed=1)
        return [*observation.ravel(), *env.step(np.flatnonzero(env.action_masks())[0])[0].ravel()]

    assert observe(choose_first) == observe(FirstBot()) == observe([FirstBot()])
    assert observe(choose_first) != observe(RandomBot())
    assert observe(RandomBot()) == observe("random")


@pytest.mark.parametrize("opponent", [3, None, FirstBot, [None]])
def test_what_is_no_opponent_is_refused(opponent: Any) -> None:  # noqa: ANN401 - wrong on purpose
    with pytest.raises(BadInput, match="An opponent is the name of a bot such as level3, a bot with a method choose"):
        rl.single_agent_env("classic_realm", opponent=opponent)


def test_an_opponent_that_plays_no_legal_move_is_named() -> None:
    def play_nothing(_state: object) -> None:
        return None

    env = rl.single_agent_env("classic_realm", opponent=play_nothing, seat=1)
    with pytest.raises(BadInput, match=r"^The opponent play_nothing returned 'None', which is not a legal move\.$"):
        env.reset(seed=1)


def test_impossible_environments_are_refused() -> None:
    with pytest.raises(BadInput, match="seat must be random or a number below 2, not 2"):
        rl.single_agent_env("classic_realm", seat=2)
    with pytest.raises(BadInput, match="Name one opponent or 2, not 3"):
        rl.single_agent_env("fantasy_realms", seats=3, opponent=["level1"] * 3)
    with pytest.raises(BadInput, match="strongest bot"):
        rl.single_agent_env("magic_realm", opponent="level8")
    with pytest.raises(BadInput, match="render_mode"):
        rl.single_agent_env("classic_realm", render_mode="gold")


@pytest.mark.long
def test_a_solo_game_needs_no_opponent() -> None:
    env = rl.single_agent_env("magic_realm", seats=1, preset="first_game", max_steps=80)
    assert isinstance(env, SingleSeatEnv)
    play_randomly(env, 1)
