"""PettingZoo's own tests, and what our environments promise beyond them."""

from __future__ import annotations

import copy
import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

from realmtable import rl
from realmtable.engine.errors import BadInput, IllegalMove
from tests.rl.settings import PRESETS, QUICK, list_seat_counts

CYCLES = 12


def check_with_pettingzoo(cycles: int, game_id: str, preset: str, seats: int | None = None) -> None:
    def make_aec() -> Any:  # noqa: ANN401 - of a package without types
        return rl.aec_env(game_id, preset=preset, seats=seats)

    def make_parallel() -> Any:  # noqa: ANN401 - of a package without types
        return rl.parallel_env(game_id, preset=preset, seats=seats)

    with warnings.catch_warnings():
        # PettingZoo's own games with masks are exempt by name.
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be gymnasium.spaces.box")
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        api_test(make_aec(), num_cycles=cycles)
        seed_test(make_aec, num_cycles=cycles)
        parallel_api_test(make_parallel(), num_cycles=cycles)
        parallel_seed_test(make_parallel, num_cycles=cycles)


@pytest.mark.long
@pytest.mark.parametrize(("game_id", "preset"), QUICK)
def test_games_pass_the_tests_of_pettingzoo(game_id: str, preset: str) -> None:
    check_with_pettingzoo(CYCLES, game_id, preset)


@pytest.mark.slow
@pytest.mark.parametrize(("game_id", "preset"), PRESETS)
def test_presets_pass_the_tests_of_pettingzoo(game_id: str, preset: str) -> None:
    check_with_pettingzoo(60, game_id, preset)


@pytest.mark.slow
@pytest.mark.parametrize(("game_id", "preset", "seats"), list_seat_counts())
def test_numbers_of_seats_pass_the_tests_of_pettingzoo(game_id: str, preset: str, seats: int) -> None:
    check_with_pettingzoo(20, game_id, preset, seats)


@pytest.mark.long
def test_pictures_of_every_mode() -> None:
    render_test(
        lambda render_mode: rl.aec_env("classic_realm", render_mode=render_mode),
        custom_tests={"svg": lambda picture: picture.startswith("<svg")},
    )


def test_layers_are_part_of_pictures() -> None:
    env = rl.parallel_env("realms_of_etherium", render_mode="svg")
    env.reset(seed=1)
    picture = env.render()
    assert isinstance(picture, str)
    assert picture.count("<svg") > 1
    assert picture._repr_svg_() == picture  # type: ignore[attr-defined] # what notebooks display


def test_no_mode_means_no_picture() -> None:
    env = rl.aec_env("classic_realm")
    env.reset()
    assert env.unwrapped.render() is None


def test_unknown_modes_are_refused() -> None:
    with pytest.raises(BadInput, match="render_mode must be one of ansi, human, rgb_array, svg, not gold"):
        rl.aec_env("classic_realm", render_mode="gold")


def play_to_the_end(env: Any, seed: int) -> tuple[dict[str, float], dict[str, Any]]:  # noqa: ANN401 - as above
    """Play to the end; return the sum of each agent's rewards and their last infos."""
    env.reset(seed=seed)
    totals, infos = dict.fromkeys(env.possible_agents, 0.0), {}
    rng = np.random.default_rng(seed)
    for agent in env.agent_iter():
        observed, reward, terminated, truncated, info = env.last()
        totals[agent] += reward
        infos[agent] = info
        legal = np.flatnonzero(observed["action_mask"])
        env.step(None if terminated or truncated else int(rng.choice(legal)))
    return totals, infos


def test_rewards_come_once_at_the_end() -> None:
    totals, infos = play_to_the_end(rl.aec_env("classic_realm"), 3)
    assert sorted(totals.values()) == [-1.0, 1.0]
    winner = max(totals, key=lambda agent: totals[agent])
    assert infos[winner]["place"] == 1
    assert infos[winner]["ranking"][int(winner[-1])] == 1
    assert infos["seat_0"]["seat_name"] == "White"
    assert infos["seat_0"]["reason"] == "all_in_water"


def test_games_are_cut_off_without_a_reward() -> None:
    env = rl.aec_env("classic_realm", max_steps=5)
    totals, infos = play_to_the_end(env, 3)
    assert totals == {"seat_0": 0.0, "seat_1": 0.0}
    assert "scores" not in infos["seat_0"]


def test_parallel_games_are_cut_off() -> None:
    env = rl.parallel_env("classic_realm", max_steps=1)
    observed, _ = env.reset(seed=1)
    actions = {agent: int(np.flatnonzero(seen["action_mask"])[0]) for agent, seen in observed.items()}
    observed, rewards, terminated, truncated, _ = env.step(actions)
    assert (set(terminated.values()), set(truncated.values())) == ({False}, {True})
    assert env.agents == []
    assert all(seen["action_mask"][env.wait] for seen in observed.values())
    assert set(rewards.values()) == {0.0}


def test_illegal_actions_are_refused_with_the_clause() -> None:
    env = rl.aec_env("classic_realm")
    env.reset(seed=1)
    illegal = int(np.flatnonzero(env.observe("seat_0")["action_mask"] == 0)[0])
    with pytest.raises(IllegalMove, match="C"):
        env.step(illegal)
    assert env.agent_selection == "seat_0"


@pytest.mark.parametrize("action", [-1, 10**6, None])
def test_numbers_without_a_step_are_refused(action: int | None) -> None:
    env = rl.aec_env("classic_realm")
    env.reset(seed=1)
    with pytest.raises(BadInput, match=f"Actions are the numbers below 274, not {-1 if action is None else action}"):
        env.step(action)


def test_numbers_of_no_legal_step_are_refused() -> None:
    for game_id, preset in QUICK:
        env = rl.aec_env(game_id, preset=preset)
        env.reset(seed=1)
        illegal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"] == 0)
        for action in illegal[:: len(illegal) // 5]:
            with pytest.raises(IllegalMove):
                env.step(int(action))


def test_illegal_actions_can_lose_instead() -> None:
    env = rl.aec_env("classic_realm", illegal="lose")
    env.reset(seed=1)
    illegal = int(np.flatnonzero(env.observe("seat_0")["action_mask"] == 0)[0])
    env.step(illegal)
    assert env.terminations == {"seat_0": True, "seat_1": True}
    assert env.rewards["seat_0"] == -1


def test_waiting_is_legal_only_for_those_who_may_not_act() -> None:
    env = rl.parallel_env("classic_realm")
    observed, _ = env.reset(seed=1)
    assert [observed[agent]["action_mask"][env.wait] for agent in env.agents] == [0, 1]


@pytest.mark.parametrize(("game_id", "preset"), QUICK)
def test_environments_can_be_copied_and_pickled(game_id: str, preset: str) -> None:
    env = rl.parallel_env(game_id, preset=preset)
    observed, _ = env.reset(seed=1)
    actions = {agent: int(np.flatnonzero(seen["action_mask"])[0]) for agent, seen in observed.items()}
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]  # noqa: S301 - our own pickle
    expected = env.step(actions)
    for other in copies:
        assert data_equivalence(other.step(actions), expected)


def test_agents_that_may_act_may_still_wait() -> None:
    env = rl.parallel_env("classic_realm")
    observed, _ = env.reset(seed=1)
    after, _, _, _, infos = env.step({})
    assert "skipped" not in infos["seat_0"]
    assert np.array_equal(after["seat_0"]["observation"], observed["seat_0"]["observation"])
    assert env.episode.acting == (0,)
    assert env.setting.seats == 2
    env.close()


def test_illegal_actions_in_parallel_are_skipped() -> None:
    env = rl.parallel_env("classic_realm")
    observed, _ = env.reset(seed=1)
    illegal = int(np.flatnonzero(observed["seat_0"]["action_mask"] == 0)[0])
    after, _, _, _, infos = env.step({"seat_0": illegal, "seat_1": env.wait})
    assert "C" in infos["seat_0"]["skipped"]
    assert "skipped" not in infos["seat_1"]
    assert np.array_equal(after["seat_0"]["observation"], observed["seat_0"]["observation"])


def test_simultaneous_choices_are_made_in_one_step() -> None:
    env = rl.parallel_env("fantasy_realms", preset="chaos", seats=3)
    observed, _ = env.reset(seed=2)  # nobody has the Necromancer
    assert not any(seen["action_mask"][env.wait] for seen in observed.values())
    ready = 1  # the number of the step
    _, _, terminated, _, infos = env.step(dict.fromkeys(env.agents, ready))
    assert set(terminated.values()) == {True}
    assert infos["seat_0"]["reason"] == "all_ready"


def test_agents_see_their_own_cards_first() -> None:
    env = rl.parallel_env("fantasy_realms", preset="chaos", seats=3)
    observed, _ = env.reset(seed=1)
    arrays = [seen["observation"] for seen in observed.values()]
    assert not np.array_equal(arrays[0], arrays[1])
    assert env.state().shape == (3, *arrays[0].shape)
    assert np.array_equal(env.state()[1], arrays[1])


def test_the_whole_state_is_what_all_agents_see() -> None:
    env = rl.aec_env("classic_realm")
    env.reset(seed=1)
    assert np.array_equal(env.state()[1], env.observe("seat_1")["observation"])
    env.close()
