"""Whole random games inside compiled code. Agreement (T1) is left out: random players would agree at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from realmtable.games.realm.legal import choices
from realmtable.games.realm.position import MAX_STEPS, OVER, PHASE, REASON, REASONS, TURNS
from realmtable.games.realm.rules import apply_step, tally
from realmtable.games.realm.state import State
from realmtable.kit.array_state import Position, Steps
from realmtable.kit.kernel import kernel
from realmtable.kit.playouts import PlayoutNumbers

# Entries of a playout's numbers.
WHITE_WINS = 0
BLACK_WINS = 1
DRAWS = 2
STEPS = 3
TURNS_PLAYED = 4
CHOICES = 5  # legal steps listed, over all steps
REASONS0 = 6  # + reason
NUMBERS = REASONS0 + 8


@kernel
def next_random(stream: NDArray[np.uint64]) -> np.uint64:
    """The next number of a xorshift stream, kept in an array of one that is never 0."""
    value = stream[0]
    value ^= value << np.uint64(13)
    value ^= value >> np.uint64(7)
    value ^= value << np.uint64(17)
    stream[0] = value
    return np.uint64(value)


@kernel
def play_out(position: Position, stream: NDArray[np.uint64], out: Steps, numbers: NDArray[np.int64]) -> None:
    """Play uniformly random steps to the end, in place, and add to the numbers."""
    while position[PHASE] != OVER:
        count = choices(position, out)
        pick = np.int64(next_random(stream) % np.uint64(count))
        apply_step(position, out[pick])
        numbers[STEPS] += 1
        numbers[CHOICES] += count
    numbers[TURNS_PLAYED] += position[TURNS]
    numbers[REASONS0 + position[REASON]] += 1
    numbers[winner_of(position)] += 1


@kernel
def winner_of(position: Position) -> int:
    """WHITE_WINS, BLACK_WINS or DRAWS by R13."""
    white, black = tally(position, 0), tally(position, 1)
    if white == black:
        return DRAWS
    return WHITE_WINS if white > black else BLACK_WINS


@kernel
def play_many(start: Position, seeds: NDArray[np.uint64], numbers: NDArray[np.int64]) -> None:
    """One random game from a position for each seed, which must not be 0."""
    out = np.empty(MAX_STEPS, dtype=np.int64)
    stream = np.empty(1, dtype=np.uint64)
    for index in range(seeds.size):
        stream[0] = seeds[index]
        play_out(start.copy(), stream, out, numbers)


def play_out_many(state: State, seeds: Sequence[int]) -> PlayoutNumbers:
    """`play_many` with its numbers named."""
    numbers = np.zeros(NUMBERS, dtype=np.int64)
    play_many(state.position, np.array([seed % (2**64 - 1) + 1 for seed in seeds], dtype=np.uint64), numbers)
    reasons = {name: int(count) for name, count in zip(REASONS, numbers[REASONS0:], strict=True) if count}
    winners = {name: int(count) for name, count in zip(("0", "1", "draw"), numbers, strict=False) if count}
    return PlayoutNumbers(
        games=len(seeds),
        steps=int(numbers[STEPS]),
        turns=int(numbers[TURNS_PLAYED]),
        choices=int(numbers[CHOICES]),
        winners=Counter(winners),
        reasons=Counter(reasons),
    )
