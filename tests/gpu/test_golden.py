"""The CPU plays vector environments and random games as it always has; GPUs are held to the same results."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import realmtable
from realmtable.gpu.array_games import find_rules
from realmtable.gpu.cpu_backend import CpuBackend
from realmtable.gpu.golden import Size, compute_golden_results, find_differences
from realmtable.kit.rules import Position
from realmtable.kit.vector_batch import Actions, Batch, StepOutputs

GOLDEN_FILE = Path(__file__).with_name("golden.json")
SIZE = Size(games=2, at_once=4, steps=12)
GAMES = [info.id for info in realmtable.infos() if info.compiled]


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_results_have_not_changed(name: str) -> None:
    """Every game with kernels is in the file; `python -m tests.gpu.test_golden` writes it anew."""
    assert compute_golden_results(realmtable.game(name), SIZE) == json.loads(GOLDEN_FILE.read_text())[name]


class WrongBackend(CpuBackend):
    """A backend that counts one step too many and draws from other streams."""

    def play(self, start: Position, seeds: NDArray[np.uint64], numbers: NDArray[np.int64]) -> None:
        super().play(start, seeds, numbers)
        numbers[0] += 1

    def step(self, batch: Batch, actions: Actions, outputs: StepOutputs) -> None:
        batch.sample_streams[:] += np.uint64(1)
        super().step(batch, actions, outputs)


def test_differences_are_found() -> None:
    game = realmtable.game("classic_realm")
    size = Size(games=1, at_once=2, steps=2)
    assert find_differences(game, CpuBackend(find_rules(game)), size) == []
    games, steps = find_differences(game, WrongBackend(find_rules(game)), size)
    assert games.startswith("1 random games sum up to [")
    assert steps == "2 games differ after 2 steps"


if __name__ == "__main__":
    found = {name: compute_golden_results(realmtable.game(name), SIZE) for name in GAMES}
    GOLDEN_FILE.write_text(json.dumps(found, indent=1) + "\n")
