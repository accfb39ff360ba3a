"""Whole random games inside compiled code."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from realmtable.games.oriental_realm.legal import legal_steps
from realmtable.games.oriental_realm.position import MAX_STEPS, OVER, PHASE, REASON, TURNS, WINNER
from realmtable.games.oriental_realm.rules import apply_step
from realmtable.kit.array_state import Position, Steps
from realmtable.kit.compile import kernel
from realmtable.kit.playouts import CHOICES, DRAWS, REASONS0, STEPS, TURNS_PLAYED
from realmtable.kit.random_kernels import random_below


@kernel
def play_out(position: Position, stream: NDArray[np.uint64], out: Steps, numbers: NDArray[np.int64]) -> None:
    """Play uniformly random steps to the end, in place, and add to the numbers."""
    while position[PHASE] != OVER:
        count = legal_steps(position, out)
        apply_step(position, out[random_below(stream, count)])
        numbers[STEPS] += 1
        numbers[CHOICES] += count
    numbers[TURNS_PLAYED] += position[TURNS]
    numbers[REASONS0 + position[REASON]] += 1
    numbers[winner_of(position)] += 1


@kernel
def winner_of(position: Position) -> int:
    """The seat that has won (O9), or DRAWS."""
    return int(position[WINNER]) if position[WINNER] >= 0 else DRAWS


@kernel
def play_many(start: Position, seeds: NDArray[np.uint64], numbers: NDArray[np.int64]) -> None:
    """One random game from a position for each seed, which must not be 0."""
    out = np.empty(MAX_STEPS, dtype=np.int64)
    stream = np.empty(1, dtype=np.uint64)
    for index in range(seeds.size):
        stream[0] = seeds[index]
        play_out(start.copy(), stream, out, numbers)
