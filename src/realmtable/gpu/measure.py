"""How fast random games and steps are played."""

from __future__ import annotations

import time
from typing import Any, Final

import numpy as np

from realmtable.engine.protocol import AnyGame
from realmtable.gpu.array_games import find_rules
from realmtable.gpu.backends import choose_backend
from realmtable.gpu.device import DeviceName
from realmtable.gpu.golden import describe_game, first_position
from realmtable.gpu.vector_env import make_vector
from realmtable.kit.playouts import STEPS

FEW_STEPS: Final = 10  # before the first wait for the device
MANY_WAITS: Final = 20  # more than this would be a noticeable part of a measurement
BATCHES: Final = (1_024, 8_192, 65_536, 262_144)


def measure_game(game: AnyGame, device: DeviceName, batch: int, seconds: float) -> dict[str, Any]:
    """Return games per second in whole random games, and steps per second in them and in a vector environment."""
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
        "env_steps_per_s": round(measure_steps(game, device, batch, seconds)),
    }


def measure_steps(game: AnyGame, device: DeviceName, batch: int, seconds: float) -> float:
    """Return steps per second in a vector environment with random actions; waiting for the device is included."""
    env = make_vector(game.info.id, batch, device=device)
    taken, steps, passed, begun = 0, FEW_STEPS, 0.0, time.perf_counter()
    while passed < seconds:
        for _ in range(steps):
            env.step(env.sample())
        np.asarray(env.legal_count)  # waits for the device
        taken += steps * batch
        before, passed = passed, time.perf_counter() - begun
        if passed - before < seconds / MANY_WAITS:
            steps *= 2
    return taken / passed
