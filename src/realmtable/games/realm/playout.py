"""Whole random games inside compiled code. Agreement (T1) is left out: random players would agree at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from realmtable.games.realm.legal import legal_steps_without_offers
from realmtable.games.realm.position import MAX_STEPS, OVER, PHASE, REASON, TURNS
from realmtable.games.realm.rules import apply_step, score_and_tie_break
from realmtable.kit.array_state import Position, Steps
from realmtable.kit.compile import kernel
from realmtable.kit.playouts import CHOICES, DRAWS, REASONS0, STEPS, TURNS_PLAYED
from realmtable.kit.random_kernels import random_below


@kernel
def play_out(position: Position, stream: NDArray[np.uint64], out: Steps, numbers: NDArray[np.int64]) -> None:
    """Play uniformly random steps to the end, in place, and add to the numbers."""
    while position[PHASE] != OVER:
        count = legal_steps_without_offers(position, out)
        apply_step(position, out[random_below(stream, count)])
        numbers[STEPS] += 1
        numbers[CHOICES] += count
    numbers[TURNS_PLAYED] += position[TURNS]
    numbers[REASONS0 + position[REASON]] += 1
    numbers[winner_of(position)] += 1


@kernel
def winner_of(position: Position) -> int:
    """The seat that wins by R13, or DRAWS."""
    white, black = score_and_tie_break(position, 0), score_and_tie_break(position, 1)
    if white == black:
        return DRAWS
    return 0 if white > black else 1


@kernel
def play_many(start: Position, seeds: NDArray[np.uint64], numbers: NDArray[np.int64]) -> None:
    """One random game from a position for each seed, which must not be 0."""
    out = np.empty(MAX_STEPS, dtype=np.int64)
    stream = np.empty(1, dtype=np.uint64)
    for index in range(seeds.size):
        stream[0] = seeds[index]
        play_out(start.copy(), stream, out, numbers)
