"""The vector environment: seeds, threads, ends of games, refusals and arrays."""

from __future__ import annotations

import inspect
import os
import re
from collections import Counter
from pathlib import Path
from typing import Any, cast

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

import realmtable.rl
from realmtable.engine import registry
from realmtable.engine.errors import BadInput, BadOptions, UnknownGame
from realmtable.engine.protocol import AnyGame, GameInfo
from realmtable.gpu import cpu_backend
from realmtable.rl.observations import Observations
from realmtable.rl.vector_env import IllegalAction, VectorEnv

# ---- seeds and threads


def play_some(env: VectorEnv, steps: int) -> list[Any]:
    played = []
    for _ in range(steps):
        actions = env.sample()
        observations, rewards, terminated, _, info = env.step(actions)
        parts = (actions, rewards, terminated, *observations, info["seat"], info["legal_list"])
        played.append([array.tobytes() for array in parts])
    return played


@pytest.mark.long
def test_results_do_not_depend_on_the_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpu_backend, "SMALLEST_CHUNK", 10)

    def play(threads: int) -> list[Any]:
        with VectorEnv("classic_realm", 50, seed=3, threads=threads, options={"max_plies": 20}) as env:
            return play_some(env, 25)

    assert play(1) == play(2) == play(3)


def test_games_do_not_depend_on_their_neighbours() -> None:
    few, many = (VectorEnv("classic_realm", count, seed=9) for count in (2, 5))
    for _ in range(30):
        actions = many.sample()
        assert few.sample().tolist() == actions[:2].tolist()
        few.step(actions[:2])
        many.step(actions)


def test_seeds_decide_the_games() -> None:
    def play(seed: int) -> list[Any]:
        return play_some(VectorEnv("realms_of_etherium", 2, seed=seed), 5)

    assert play(0) == play(0) != play(1)
    env = VectorEnv("realms_of_etherium", 2, seed=4)
    first = play_some(env, 5)
    env.reset()
    assert play_some(env, 5) != first
    _, info = env.reset(seed=4)
    assert {*info} == {"seat", "legal_list", "legal_count", "reason", "length", "rewards"}
    assert play_some(env, 5) == first


def test_a_reset_in_the_middle_of_games_starts_all_of_them() -> None:
    env = VectorEnv("classic_realm", 4, options={"max_plies": 20})
    first = env.legal_list.copy()
    transition = env.step(env.sample())
    for _ in range(19):
        transition = env.step(env.sample())
    assert transition.terminated.all()
    assert transition.info["length"].tolist() == [20] * 4
    env.reset()
    assert np.array_equal(env.legal_list, first)
    assert transition.info["length"].tolist() == [0] * 4
    assert not transition.terminated.any()
    assert not transition.info["reason"].any()


def test_samples_are_uniform_and_new_each_time() -> None:
    env = VectorEnv("classic_realm", 400, seed=2, observations=False)
    legal = env.legal_list[0, : env.legal_count[0]].tolist()
    drawn = Counter(int(action) for _ in range(5) for action in env.sample())
    assert {*drawn} == {*legal}
    expected = 2000 / len(legal)
    assert sum((count - expected) ** 2 / expected for count in drawn.values()) < 3 * len(legal)
    assert env.sample().tolist() != env.sample().tolist()


def test_sampling_again_does_not_change_chance() -> None:
    once, often = (VectorEnv("realms_of_etherium", 2, seed=6) for _ in range(2))
    for _ in range(20):
        actions = once.sample()
        for _ in range(3):
            often.sample()
        once.step(actions)
        often.step(actions)
        assert np.array_equal(once.legal_list, often.legal_list)


# ---- ends


def test_games_are_truncated_after_max_steps() -> None:
    env = VectorEnv("classic_realm", 3, max_steps=7)
    first = env.state(0)
    for number in range(1, 15):
        _, rewards, terminated, truncated, info = env.step(env.sample())
        assert truncated.tolist() == [number % 7 == 0] * 3
        assert info["length"].tolist() == [(number - 1) % 7 + 1] * 3
        assert not terminated.any()
        assert not rewards.any()
    assert env.state(0) == first


def test_an_end_by_the_rules_is_not_a_truncation() -> None:
    env = VectorEnv("classic_realm", 2, max_steps=20, options={"max_plies": 20})
    transition = env.step(env.sample())
    for _ in range(19):
        transition = env.step(env.sample())
    assert transition.terminated.all()
    assert not transition.truncated.any()


def test_rewards_are_given_once() -> None:
    """Every seat is rewarded in the step that ends a game, and the rewards add up to 0."""
    env = VectorEnv("realms_of_etherium", 2, seats=4, options={"max_rounds": 5}, observations=False)
    ends = 0
    while ends < 2:
        actors = env.seat.copy()
        _, own, terminated, _, info = env.step(env.sample())
        rewards = info["rewards"]
        ends += int(terminated.sum())
        assert (rewards.any(axis=1) <= terminated).all()
        assert own.tolist() == rewards[np.arange(2), actors].tolist()
        assert np.abs(rewards.sum(axis=1)).max() < 1e-6
        for row in rewards[terminated]:
            assert row.max() == 1.0 or Counter(row.tolist())[float(row.max())] > 1


# ---- refusals


def test_an_illegal_action_is_refused_before_anything_changes() -> None:
    env = VectorEnv("classic_realm", 100, seed=1, threads=2)
    env.step(env.sample())
    before = [env.state(index) for index in range(100)]
    actions = env.sample()
    actions[70] = actions[90] = 0
    count = env.legal_count[70]
    legal = ", ".join(map(str, env.legal_list[70, :8].tolist()))
    with pytest.raises(
        ValueError, match=rf"^Action 0 is not legal in game 70, which has {count} legal actions: {legal}, …\.$"
    ):
        env.step(actions)
    assert [env.state(index) for index in range(100)] == before
    env.close()


def test_a_changed_sample_is_checked_too() -> None:
    env = VectorEnv("classic_realm", 2)
    actions = env.sample()
    actions[:] = -1
    with pytest.raises(IllegalAction, match=r"^Action -1 is not legal in game 0"):
        env.step(actions)
    actions[:] = env.action_count
    with pytest.raises(IllegalAction):
        env.step(actions)


def test_few_legal_actions_are_all_listed() -> None:
    env = VectorEnv("realm", 1, options={"choose_seat": "place"})
    first, second = env.legal_list[0, :2]
    with pytest.raises(ValueError, match=rf"which has 2 legal actions: {first}, {second}\.$"):
        env.step([7])


def test_every_legal_action_is_accepted() -> None:
    env = VectorEnv("classic_realm", 1)
    for action in env.legal_list[0, : env.legal_count[0]].tolist():
        env.step([action])
        env.reset()


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64, np.uint64])
def test_actions_may_be_any_whole_numbers(dtype: Any) -> None:  # noqa: ANN401 - a type of NumPy
    env = VectorEnv("realm", 2, options={"choose_seat": "place"}) if dtype != np.int8 else None
    env = env or VectorEnv("classic_realm", 2)
    env.step(env.legal_list[:, 0].astype(dtype))


def test_numbers_that_are_too_large_are_not_cut_off() -> None:
    env = VectorEnv("classic_realm", 2)
    legal = int(env.legal_list[0, 0])
    with pytest.raises(ValueError, match=f"^Action {legal + 2**32} is not legal in game 1"):
        env.step([legal, legal + 2**32])


@pytest.mark.parametrize("actions", [[1], [[1, 2]], [1.0, 2.0], ["a", "b"], 3])
def test_actions_of_another_shape_are_refused(actions: Any) -> None:  # noqa: ANN401 - wrong on purpose
    with pytest.raises(BadInput, match=r"^step needs one whole number for each of 2 games, not an array of "):
        VectorEnv("classic_realm", 2).step(actions)


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        ({"game": "chess"}, UnknownGame, "There is no game 'chess'"),
        (
            {"game": "fantasy_realms"},
            BadInput,
            "Fantasy Realms has no vector environment; the games that have one are ",
        ),
        ({"count": 0}, BadInput, "The number of games must be at least 1, not 0."),
        ({"count": 2.5}, BadInput, "The number of games must be a whole number, not 2.5."),
        ({"count": 10**12}, BadInput, "1,000,000,000,000 games of Classic Realm need "),
        ({"count": 10**30, "masks": True}, BadInput, "1,000,000,"),
        ({"threads": 0}, BadInput, "The number of threads must be at least 1, not 0."),
        ({"max_steps": 0}, BadInput, "max_steps must be at least 1, not 0."),
        ({"seed": -1}, BadInput, "A seed is a whole number from 0 to "),
        ({"seats": 3}, BadOptions, "Classic Realm is for 2 players, not 3."),
        ({"preset": "fast"}, BadOptions, ""),
        ({"options": {"frogs": 3}}, BadOptions, ""),
    ],
)
def test_bad_arguments_are_refused(arguments: dict[str, Any], error: type[Exception], sentence: str) -> None:
    with pytest.raises(error) as caught:
        VectorEnv(**{"game": "classic_realm", "count": 2, **arguments})
    assert str(caught.value).startswith(sentence)


def test_memory_is_asked_for_before_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    env = VectorEnv("classic_realm", 1, masks=True)
    observed = 5 * 4 * 4 + 2 * len(env.number_names) + env.action_count  # planes, numbers and a mask
    flags_and_more = 2 * 1 + 2 * 1 + 4 * 4 + 3 * 4 + 2 * 8  # bool, int8, int32, rewards and streams
    last = env.game.rules.content(env.positions[0]).nbytes  # type: ignore[attr-defined] # of array games
    needed = 8 * env.positions.shape[1] + last + 4 * env.legal_list.shape[1] + observed + flags_and_more
    monkeypatch.setattr(cpu_backend, "find_free_memory", lambda: 10 * needed)
    VectorEnv("classic_realm", 10, masks=True)
    with pytest.raises(
        BadInput, match=r"^11 games of Classic Realm need 0\.0 GB of memory, but only 0\.0 GB are free; create fewer\.$"
    ):
        VectorEnv("classic_realm", 11, masks=True)


def test_the_end_of_memory_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """The free memory is not always known."""
    monkeypatch.setattr(cpu_backend, "find_free_memory", lambda: None)
    with pytest.raises(BadInput) as caught:
        VectorEnv("classic_realm", 10**15)
    assert str(caught.value) == (
        "There is not enough memory for 1,000,000,000,000,000 games of Classic Realm; create fewer."
    )


def test_free_memory_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "meminfo"
    monkeypatch.setattr(cpu_backend, "MEMORY_FILE", file)
    assert (cpu_backend.find_free_memory() or 0) > 10**8  # all that the machine has
    file.write_text("MemTotal: 9 kB\nMemAvailable:       7 kB\n", encoding="utf-8")
    assert cpu_backend.find_free_memory() == 7 * 1024
    file.write_text("MemTotal: 9 kB\n", encoding="utf-8")  # an old kernel
    assert (cpu_backend.find_free_memory() or 0) > 10**8
    monkeypatch.delattr(os, "sysconf")  # Windows
    assert cpu_backend.find_free_memory() is None


def test_a_game_with_rules_but_without_planes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Bare:
        rules = registry.game("classic_realm").rules._replace(module="realmtable.kit.rules")  # type: ignore[attr-defined] # of array games
        info = registry.info("classic_realm")

        def position_of(self, state: object) -> object:
            return state

        def step_of(self, code: int) -> int:
            return code

    monkeypatch.setitem(registry.ADDED, "classic_realm", cast("AnyGame", Bare()))
    with pytest.raises(BadInput, match=r"^Classic Realm has no vector environment"):
        VectorEnv("classic_realm", 2)


def test_every_listed_game_has_a_vector_environment() -> None:
    for info in registry.infos():
        if info.compiled:
            assert VectorEnv(info.id, 1).seats == min(info.seats)


# ---- arrays


def test_arrays_are_reused_unless_copies_are_wanted() -> None:
    env = VectorEnv("classic_realm", 2, masks=True)
    before = [env.seat, env.legal_list, env.legal_count, env.legal_mask, *env.observations]
    transition = env.step(env.sample())
    info = transition.info
    after = [
        info["seat"],
        info["legal_list"],
        info["legal_count"],
        info["legal_mask"],
        *transition.observations,
    ]
    assert all(np.shares_memory(one, other) for one, other in zip(before, after, strict=True))

    env = VectorEnv("classic_realm", 2, masks=True, copy=True)
    first = env.step(env.sample())
    kept = [array.copy() for array in (first.rewards, *first.info.values(), *first.observations)]
    second = env.step(env.sample())
    for array, same in zip((first.rewards, *first.info.values(), *first.observations), kept, strict=True):
        assert np.array_equal(array, same)
    assert not np.array_equal(first.info["seat"], second.info["seat"])
    assert not np.shares_memory(env.legal_list, env.legal_list)


def test_a_sample_belongs_to_the_caller() -> None:
    env = VectorEnv("classic_realm", 2)
    actions = env.sample()
    env.step(actions)
    assert not np.shares_memory(actions, env.sample())


def test_what_is_not_wanted_is_not_written() -> None:
    env = VectorEnv("classic_realm", 2, observations=False)
    observations, info = env.reset()
    assert [array.shape for array in observations] == [(2, 0), (2, 0)]
    assert env.observation_space.contains(observations)
    assert "legal_mask" not in info
    with pytest.raises(BadInput, match=r"^This environment keeps no masks; create it with masks=True.$"):
        _ = env.legal_mask


def test_shapes_and_types_are_those_of_the_documents() -> None:
    env = VectorEnv("realm", 3, masks=True)
    observations, rewards, terminated, truncated, info = env.step(env.sample())
    shapes: dict[str, tuple[Any, tuple[int, ...], Any]] = {
        "planes": (observations.planes, (3, len(env.plane_names), 12, 12), np.uint8),
        "numbers": (observations.numbers, (3, len(env.number_names)), np.int16),
        "rewards": (rewards, (3,), np.float32),
        "rewards of all": (info["rewards"], (3, 2), np.float32),
        "terminated": (terminated, (3,), np.bool_),
        "truncated": (truncated, (3,), np.bool_),
        "seat": (info["seat"], (3,), np.int8),
        "legal_count": (info["legal_count"], (3,), np.int32),
        "legal_mask": (info["legal_mask"], (3, env.action_count), np.bool_),
        "reason": (info["reason"], (3,), np.int8),
        "length": (info["length"], (3,), np.int32),
    }
    for name, (array, shape, dtype) in shapes.items():
        assert (array.shape, array.dtype) == (shape, dtype), name
    assert info["legal_list"].dtype == np.int32


def test_observations_are_those_of_the_games() -> None:
    env = VectorEnv("realm", 2, seed=8)
    for _ in range(15):
        observations = env.step(env.sample()).observations
        for index in range(2):
            pieces = env.game.view(env.state(index), None)["pieces"]
            assert observations.planes[index, :14].sum() == len(pieces)
            assert observations.numbers[index, 0] == env.seat[index]


def test_it_is_a_vector_environment_of_gymnasium() -> None:
    env = VectorEnv("classic_realm", 3, options={"max_plies": 20})
    assert isinstance(env, gymnasium.vector.VectorEnv)
    assert env.num_envs == 3
    assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    assert env.single_observation_space.contains(Observations(*(array[0] for array in env.observations)))
    assert env.observation_space.contains(env.step(env.sample()).observations)
    assert env.action_space.contains(env.sample().astype(np.int64))
    with pytest.raises(BadInput, match=r"^reset takes no options: games that end start again by themselves\.$"):
        env.reset(options={"reset_mask": np.ones(3, np.bool_)})
    for seed in (-1, 1.5, "3"):
        with pytest.raises(BadInput, match=rf"^A seed is a whole number from 0 to \d+, not {seed!r}\.$"):
            env.reset(seed=seed)  # type: ignore[arg-type]


@pytest.mark.parametrize("info", [info for info in registry.infos() if info.compiled], ids=lambda info: info.id)
def test_the_last_observation_is_that_of_the_last_position(info: GameInfo) -> None:
    """Compare truncated games with games of the same seed that go on."""
    short, long = (VectorEnv(info.id, 3, seed=5, max_steps=most) for most in (6, None))
    for _ in range(5):
        actions = long.sample()
        assert "final_obs" not in short.step(actions).info
        long.step(actions)
    actions = long.sample()
    ends, (expected, _, _, _, seen) = short.step(actions).info, long.step(actions)
    assert ends["_final_obs"].all()
    assert ends["_final_info"].all()
    for index, last in enumerate(ends["final_obs"]):
        assert short.single_observation_space.contains(last)
        assert np.array_equal(last.planes, expected.planes[index])
        assert np.array_equal(last.numbers, expected.numbers[index])
        assert last.numbers[short.number_names.index("seat")] == seen["seat"][index]
    assert ends["final_info"]["length"].tolist() == [6] * 3


def test_wrappers_of_gymnasium_work() -> None:
    env = VectorEnv("classic_realm", 6, seed=2, copy=True)
    wrapped = DictInfoToList(RecordEpisodeStatistics(env))
    wrapped.reset(seed=2)
    ended = 0
    while ended < 3:
        _, rewards, terminated, truncated, infos = wrapped.step(env.sample())
        for reward, over, info in zip(rewards, terminated | truncated, infos, strict=True):
            assert over == ("episode" in info) == ("final_obs" in info) == ("final_info" in info)
            if over:
                ended += 1
                assert info["episode"]["r"] == reward
                assert info["episode"]["l"] == info["final_info"]["length"]
                assert sorted(info["final_info"]["rewards"]) in ([-1.0, 1.0], [0.0, 0.0])
    wrapped.close()


def test_threads_start_again_after_close() -> None:
    env = VectorEnv("classic_realm", 130, threads=2)
    env.close()
    env.step(env.sample())
    env.close()
    env.close()


def test_the_package_offers_the_environment() -> None:
    assert realmtable.rl.vector is VectorEnv


# ---- the document

PAGE = (Path(realmtable.__file__).parents[2] / "docs" / "study" / "vector-environments.md").read_text(encoding="utf-8")


def test_the_document_counts_planes_and_numbers() -> None:
    counted = re.findall(r"^\| ([\w ]+) \| (\d+) of (\d+) × (\d+) .*? \| (\d+): ", PAGE, flags=re.MULTILINE)
    expected = []
    for info in registry.infos():
        if info.compiled:
            env = VectorEnv(info.id, 1)
            shape = env.observations.planes.shape[1:]
            expected.append((info.title, *map(str, (*shape, len(env.number_names)))))
    assert sorted(counted) == sorted(expected)
    assert f"{VectorEnv('realm', 1).action_count:,} actions" in PAGE


def test_the_document_names_every_argument_and_array() -> None:
    arguments = inspect.signature(VectorEnv).parameters
    described = {name for cell in re.findall(r"^\| (`.*?`) \| ", PAGE, flags=re.MULTILINE) for name in cell.split("`")}
    assert {*arguments} <= described
    _, info = VectorEnv("classic_realm", 1, masks=True).reset()
    assert all(f'info["{name}"]' in PAGE or f"env.{name}" in PAGE for name in info)


def test_the_program_of_the_document_runs() -> None:
    (program,) = re.findall(r"^```python\n(.*?)^```", PAGE, flags=re.MULTILINE | re.DOTALL)
    exec(program.replace("4096", "8").replace("100", "3"), {})  # noqa: S102 - our own document
