"""Statistics of random games that are played inside compiled code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from realmtable.engine.protocol import State

MAX_SEATS = 8
PLAYOUT_SOURCE = Path(__file__).with_name("playout_kernels.py")  # to be specialised

# Indices into the array in which a kernel sums up its games.
STEPS = 0
TURNS_PLAYED = 1
CHOICES = 2  # legal steps, summed over all steps of players
DRAWS = 3  # games that no seat won alone
WINS0 = 4  # plus the seat
REASONS0 = WINS0 + MAX_SEATS  # plus the reason number

PlayoutKernel = Callable[[NDArray[np.int64], NDArray[np.uint64], NDArray[np.int64]], None]


@dataclass
class PlayoutNumbers:
    """Sums over random games."""

    games: int = 0
    steps: int = 0
    turns: int = 0
    choices: int = 0  # legal steps, summed over all steps of players
    winners: Counter[str] = field(default_factory=Counter)  # "0", "1", … or "draw"
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, other: PlayoutNumbers) -> None:
        self.games += other.games
        self.steps += other.steps
        self.turns += other.turns
        self.choices += other.choices
        self.winners += other.winners
        self.reasons += other.reasons


def run_kernel(
    play_many: PlayoutKernel, start: NDArray[np.int64], seeds: Sequence[int], reasons: Sequence[str]
) -> PlayoutNumbers:  # fmt: skip
    """Play one random game per seed from a position and return the sums."""
    numbers = np.zeros(REASONS0 + len(reasons), dtype=np.int64)
    play_many(start, np.array([seed % (2**64 - 1) + 1 for seed in seeds], dtype=np.uint64), numbers)
    ended = {name: int(count) for name, count in zip(reasons, numbers[REASONS0:], strict=True) if count}
    wins = {str(seat): int(count) for seat, count in enumerate(numbers[WINS0:REASONS0]) if count}
    draws = {"draw": int(numbers[DRAWS])} if numbers[DRAWS] else {}
    return PlayoutNumbers(
        games=len(seeds),
        steps=int(numbers[STEPS]),
        turns=int(numbers[TURNS_PLAYED]),
        choices=int(numbers[CHOICES]),
        winners=Counter(wins | draws),
        reasons=Counter(ended),
    )


@runtime_checkable
class HasPlayouts(Protocol):
    """A game that plays whole random games inside its kernels, releasing the interpreter lock when compiled."""

    def playouts(self, state: State, seeds: Sequence[int]) -> PlayoutNumbers:
        """Play one random game per seed from a state."""
