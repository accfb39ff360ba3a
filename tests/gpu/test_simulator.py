"""The kernels for GPUs, run by Numba's simulator in a process of its own, play like the CPU."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import realmtable
from tests.gpu.test_golden import GAMES

CODE = """
import numpy as np, realmtable
from realmtable.gpu.array_games import find_rules
from realmtable.gpu.backends import choose_backend
from realmtable.gpu.golden import Size, find_differences
from realmtable.gpu.vector_env import make_vector
game = realmtable.game({name!r})
assert find_differences(game, choose_backend(find_rules(game), "gpu"), Size(games={games}, at_once=10, steps=2)) == []
if {masks}:
    envs = [make_vector({name!r}, 3, device=device, masks=True, max_steps=2) for device in ("gpu", "cpu")]
    assert [env.device for env in envs] == ["gpu", "cpu"]
    for _ in range(3):
        for env in envs:
            env.step(env.sample())
        for part in ("legal_mask", "reasons", "lengths", "seat"):
            assert np.array_equal(*(np.asarray(getattr(env, part)) for env in envs)), part
"""


def simulate(name: str, games: int, *, masks: bool) -> None:
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "REALMTABLE_COMPILE": "0"}
    code = CODE.format(name=name, games=games, masks=masks)
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - our own code
    assert done.returncode == 0, done.stderr


def test_the_simulator_plays_like_the_cpu() -> None:
    simulate("classic_realm", 1, masks=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_the_simulator_plays_every_game_like_the_cpu(name: str) -> None:
    simulate(name, 1, masks=len(realmtable.game(name).info.seats) == 1)
