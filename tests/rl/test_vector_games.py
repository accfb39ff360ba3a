"""The vector environment plays the games of the protocol, with the same results for chance, compiled or not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from realmtable.engine import registry
from realmtable.engine.protocol import CHANCE, GameInfo, Outcome, State
from realmtable.gpu.kernel_runner import make_streams
from realmtable.kit.compile import is_compiling
from realmtable.rl.episode import rank_rewards
from realmtable.rl.vector_env import VectorEnv

INFOS = [info for info in registry.infos() if info.compiled]
CASES: list[tuple[str, int, dict[str, Any]]] = [
    ("classic_realm", 2, {"max_plies": 20}),
    ("classic_realm", 2, {"free_setup": True, "double_moves": True, "max_plies": 30}),
    ("medieval_realm", 2, {"max_plies": 40}),
    ("medieval_realm", 2, {"duke_squares": "front_middle", "duke_draw": False, "max_plies": 30}),
    ("modern_realm", 2, {"max_turns": 20, "counter_agent": "choose"}),
    ("oriental_realm", 2, {"max_turns": 20, "free_setup": True}),
    ("oriental_realm", 2, {"max_turns": 20}),
    ("realm", 2, {"max_turns": 20, "agree_end": False}),
    ("realm", 2, {"power_sacrifice": True, "rearrange_both": True, "optional_creation": True}),
    ("realms_of_etherium", 2, {"max_rounds": 5}),
    ("realms_of_etherium", 3, {"player_powers": True, "points": 1}),
    ("realms_of_etherium", 4, {"points": 1}),
]


@dataclass
class Shadow:
    """One game of an environment, played by the protocol alone, with the same random stream for chance."""

    game: Any
    options: Any
    seats: int
    stream: int
    length: int = 0
    state: State = None

    def start(self) -> None:
        self.length = 0
        self.state = self.game.initial(self.seats, self.options)
        self.draw()

    def draw(self) -> None:
        while self.game.to_move(self.state) == (CHANCE,):
            results = self.game.chance(self.state)
            left = self.next_number() % sum(result.weight for result in results)
            for result in results:
                if left < result.weight:
                    self.state = self.game.play(self.state, CHANCE, result.move)
                    break
                left -= result.weight

    def next_number(self) -> int:
        for shift in (13, -7, 17):
            self.stream ^= (self.stream << shift if shift > 0 else self.stream >> -shift) % 2**64
        return self.stream

    def play(self, action: int) -> Outcome | None:
        """Play a step; start again after the end, and return how the game ended."""
        seat = self.game.to_move(self.state)[0]
        self.state = self.game.play(self.state, seat, self.game.step_of(action))
        self.length += 1
        self.draw()
        ended: Outcome | None = self.game.outcome(self.state)
        return ended

    def codes(self) -> list[int]:
        seat = self.game.to_move(self.state)[0]
        moves = self.game.legal_moves(self.state, seat)
        codes = self.state.legal_codes()
        assert [self.game.step_of(code) for code in codes] == moves
        return [int(code) for code in codes]


def expected_rewards(ended: Outcome | None, seats: int) -> list[float]:
    rewards = [0.0] * seats if ended is None else rank_rewards(ended)
    return [float(np.float32(reward)) for reward in rewards]


def compare_with_protocol(game_id: str, seats: int, options: Mapping[str, Any], seed: int, steps: int) -> Counter[str]:
    """Play random steps in an environment and by the protocol; return how the games ended."""
    env = VectorEnv(game_id, 3, seats=seats, options=options, seed=seed, masks=True, observations=False)
    env.reset(seed=seed)
    fresh = VectorEnv(game_id, 3, seats=seats, options=options, seed=seed)
    assert np.array_equal(env.legal_list, fresh.legal_list)
    streams = make_streams(seed, 2 * env.num_envs)[::2]
    shadows = [Shadow(env.game, env.options, seats, int(stream)) for stream in streams]
    for shadow in shadows:
        shadow.start()
    ends: Counter[str] = Counter()
    for _ in range(steps):
        for index, shadow in enumerate(shadows):
            codes = shadow.codes()
            count = int(env.legal_count[index])
            assert env.legal_list[index, :count].tolist() == codes
            assert (env.legal_list[index, count:] == -1).all()
            assert np.flatnonzero(env.legal_mask[index]).tolist() == codes
            assert env.seat[index] == shadow.game.to_move(shadow.state)[0]
            assert env.state(index) == shadow.state
        actions, actors = env.sample(), env.seat.copy()
        _, rewards, terminated, truncated, info = env.step(actions)
        for index, shadow in enumerate(shadows):
            ended = shadow.play(int(actions[index]))
            assert terminated[index] == (ended is not None)
            assert info["rewards"][index].tolist() == expected_rewards(ended, seats)
            assert rewards[index] == info["rewards"][index, actors[index]]
            assert env.reason_names[info["reason"][index]] == (ended.reason if ended else "")
            assert info["length"][index] == shadow.length
            if ended is not None:
                ends[ended.reason] += 1
                shadow.start()
        assert not truncated.any()
    return ends


@pytest.mark.long
@pytest.mark.parametrize(("game_id", "seats", "options"), CASES)
def test_the_games_are_those_of_the_protocol(game_id: str, seats: int, options: dict[str, Any]) -> None:
    compare_with_protocol(game_id, seats, options, seed=1, steps=45)


@pytest.mark.parametrize(
    ("game_id", "options", "steps"),
    [
        ("classic_realm", {"max_plies": 20}, 45),
        ("medieval_realm", {"max_plies": 20}, 45),
        ("realm", {"max_turns": 20, "agree_end": False}, 150),
    ],
)
def test_whole_games_are_those_of_the_protocol(game_id: str, options: dict[str, Any], steps: int) -> None:
    assert compare_with_protocol(game_id, 2, options, seed=5, steps=steps).total() >= 3


@pytest.mark.slow
@settings(max_examples=30)
@given(st.sampled_from(CASES), st.integers(0, 2**63 - 1))
def test_any_seed_plays_games_of_the_protocol(case: tuple[str, int, dict[str, Any]], seed: int) -> None:
    compare_with_protocol(*case, seed=seed, steps=300)


@pytest.mark.slow
@pytest.mark.parametrize("info", INFOS, ids=lambda info: info.id)
def test_every_preset_plays_games_of_the_protocol(info: GameInfo) -> None:
    for preset in info.presets:
        for seats in info.seats:
            compare_with_protocol(info.id, seats, info.presets[preset], seed=seats, steps=60)


# ---- compiled code


def fingerprint(game_id: str) -> list[int]:
    env = VectorEnv(game_id, 4, seed=7, masks=True)
    total = [0] * 5
    for step in range(60):
        actions = env.sample()
        observations, _, terminated, _, info = env.step(actions)
        arrays = (actions, info["legal_list"], observations.planes, observations.numbers, info["rewards"])
        for index, array in enumerate(arrays):
            places = np.arange(1, array.size + 1).reshape(array.shape)
            total[index] = (total[index] * 31 + int((array.astype(np.int64) * places).sum())) % 2**40
        total[4] += int(terminated.sum()) * step + int(info["legal_mask"].sum())
    return total


PROGRAM = """
import json, sys
from tests.rl.test_vector_games import fingerprint
print(json.dumps(fingerprint(sys.argv[1])))
"""


def fingerprint_of_other_mode(game_id: str) -> list[int]:
    """Return the fingerprint from a process that compiles if this one does not, and vice versa."""
    environment = {**os.environ, "REALMTABLE_COMPILE": "0" if is_compiling() else "1"}
    command = [sys.executable, "-c", PROGRAM, game_id]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)  # noqa: S603 - our own code
    found: list[int] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    "game_id",
    [
        pytest.param(info.id, marks=pytest.mark.slow if number else pytest.mark.long)
        for number, info in enumerate(INFOS)
    ],
)
def test_compiled_and_interpreted_games_are_the_same(game_id: str) -> None:
    assert fingerprint(game_id) == fingerprint_of_other_mode(game_id)
