"""How fast random games and steps are played."""

from __future__ import annotations

import time
from typing import Any, Final, Protocol

import numpy as np

from realmtable.engine.protocol import AnyGame
from realmtable.gpu.array_games import find_rules
from realmtable.gpu.backends import choose_backend
from realmtable.gpu.device import DeviceName
from realmtable.gpu.golden import describe_game, first_position
from realmtable.kit.playouts import STEPS

FEW_STEPS: Final = 10  # before the first wait for the device
MANY_WAITS: Final = 20  # more than this would be a noticeable part of a measurement
BATCHES: Final = (1_024, 8_192, 65_536, 262_144)


class Steppable(Protocol):
    """A vector environment."""

    num_envs: int

    @property
    def legal_count(self) -> Any:  # noqa: ANN401 - an array of some device
        """The number of legal actions of each game."""

    def sample(self) -> Any:  # noqa: ANN401 - as above
        """Return a random legal action for each game."""

    def step(self, actions: Any) -> object:  # noqa: ANN401 - as above
        """Play one action in each game."""


def measure_playouts(game: AnyGame, device: DeviceName, batch: int, seconds: float) -> dict[str, int]:
    """Return games and steps per second in whole random games."""
    backend = choose_backend(find_rules(game), device)
    seeds = np.arange(1, batch + 1, dtype=np.uint64)
    warm = np.zeros(describe_game(game)["numbers"], dtype=np.int64)
    backend.play(first_position(game), seeds[:1], warm)  # compiles
    numbers = np.zeros_like(warm)
    rounds, passed, begun = 0, 0.0, time.perf_counter()
    while passed < seconds:
        backend.play(first_position(game), seeds, numbers)
        rounds += 1
        passed = time.perf_counter() - begun
    return {
        "games_per_s": round(rounds * batch / passed),
        "playout_steps_per_s": round(int(numbers[STEPS]) / passed),
    }


def measure_steps(env: Steppable, seconds: float) -> float:
    """Return steps per second in a vector environment with random actions; waiting for the device is included."""
    taken, steps, passed, begun = 0, FEW_STEPS, 0.0, time.perf_counter()
    while passed < seconds:
        for _ in range(steps):
            env.step(env.sample())
        np.asarray(env.legal_count)  # waits for the device
        taken += steps * env.num_envs
        before, passed = passed, time.perf_counter() - begun
        if passed - before < seconds / MANY_WAITS:
            steps *= 2
    return taken / passed
