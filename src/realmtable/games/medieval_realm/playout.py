"""Whole random games inside compiled code."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from realmtable.games.medieval_realm.legal import legal_steps
from realmtable.games.medieval_realm.position import BORNE_OFF, MAX_STEPS, REASON, SEAT, TURNS, UNFINISHED
from realmtable.games.medieval_realm.rules import apply_step
from realmtable.kit.array_state import Position, Steps
from realmtable.kit.compile import kernel
from realmtable.kit.playouts import CHOICES, DRAWS, REASONS0, STEPS, TURNS_PLAYED
from realmtable.kit.random_kernels import random_below


@kernel
def play_out(position: Position, stream: NDArray[np.uint64], out: Steps, numbers: NDArray[np.int64]) -> None:
    """Play uniformly random steps to the end, in place, and add to the numbers."""
    while position[REASON] == UNFINISHED:
        count = legal_steps(position, out)
        apply_step(position, out[random_below(stream, count)])
        numbers[STEPS] += 1
        numbers[CHOICES] += count
    won = position[REASON] == BORNE_OFF
    numbers[TURNS_PLAYED] += position[TURNS] + won  # the winning turn is cut short and not counted there
    numbers[REASONS0 + position[REASON]] += 1
    numbers[winner_of(position)] += 1


@kernel
def winner_of(position: Position) -> int:
    """The seat that has borne off all its pieces (M9), or DRAWS."""
    return int(position[SEAT]) if position[REASON] == BORNE_OFF else DRAWS


@kernel
def play_many(start: Position, seeds: NDArray[np.uint64], numbers: NDArray[np.int64]) -> None:
    """One random game from a position for each seed, which must not be 0."""
    out = np.empty(MAX_STEPS, dtype=np.int64)
    stream = np.empty(1, dtype=np.uint64)
    for index in range(seeds.size):
        stream[0] = seeds[index]
        play_out(start.copy(), stream, out, numbers)
