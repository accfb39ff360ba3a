"""Whole random games inside compiled code."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from realmtable.games.classic_realm.position import ALL_IN_WATER, MAX_STEPS, OVER, PHASE, REASON, SEAT, TURNS
from realmtable.games.classic_realm.rules import apply_step, legal_steps
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
    winner = winner_of(position)
    numbers[TURNS_PLAYED] += position[TURNS] + (winner != DRAWS)  # C7: the winning turn is not completed
    numbers[REASONS0 + position[REASON]] += 1
    numbers[winner] += 1


@kernel
def winner_of(position: Position) -> int:
    """The seat that has won (C7), or DRAWS."""
    return int(position[SEAT]) if position[REASON] == ALL_IN_WATER else DRAWS


@kernel
def play_many(start: Position, seeds: NDArray[np.uint64], numbers: NDArray[np.int64]) -> None:
    """One random game from a position for each seed, which must not be 0."""
    out = np.empty(MAX_STEPS, dtype=np.int64)
    stream = np.empty(1, dtype=np.uint64)
    position = np.empty_like(start)
    for index in range(seeds.size):
        stream[0] = seeds[index]
        position[:] = start
        play_out(position, stream, out, numbers)
