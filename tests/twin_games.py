"""Random games of a slow twin alone. Like the twins, this module imports nothing of the product.

Run a twin as a program to see them: `python -m tests.classic_realm.twin [games] [seed]`.
"""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Protocol, Self


class Twin(Protocol):
    """The slow twin of a game, in one state."""

    def seat(self) -> int | None: ...
    def steps(self) -> list[str]: ...
    def play(self, step: str) -> Self: ...
    def summary(self) -> dict[str, object]: ...


def play_random_game(twin: Twin, rng: Random, width: int) -> tuple[list[str], str]:
    """Play a random game among the first `width` steps of each state; return its steps and why it ended."""
    played: list[str] = []
    while twin.seat() is not None:
        steps = twin.steps()
        assert steps
        assert len(set(steps)) == len(steps), steps
        played.append(rng.choice(sorted(steps)[:width]))
        twin = twin.play(played[-1])
    over = twin.summary()["over"]
    assert isinstance(over, dict)
    assert twin.steps() == []
    return played, str(over["reason"])


def print_random_games(start: Callable[[Random], Twin], widths: Sequence[int] = (1000,)) -> None:
    """Play as many games as the command line says, and print their speed, their ends and their kinds of steps."""
    arguments = [int(text) for text in sys.argv[1:3]]
    games, seed = (*arguments, *(100, 1)[len(arguments) :])
    reasons: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    lengths: list[int] = []
    began = time.perf_counter()
    for number in range(games):
        rng = Random(seed * 1_000_003 + number)
        played, reason = play_random_game(start(rng), rng, rng.choice(widths))
        reasons[reason] += 1
        kinds.update(re.sub("[a-l][0-9]+", ".", step) for step in played)
        lengths.append(len(played))
    rate = sum(lengths) / (time.perf_counter() - began)
    numbers = f"{games} games, {sum(lengths)} steps, longest {max(lengths)}, {rate:.0f} steps/s"
    sys.stdout.write(f"{numbers}\n{dict(reasons)}\n{dict(kinds)}\n")
