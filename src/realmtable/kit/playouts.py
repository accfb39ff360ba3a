"""What a run of random games adds up to, the same for every game that can play them inside compiled code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable


@dataclass
class PlayoutNumbers:
    """Sums over random games."""

    games: int = 0
    steps: int = 0
    turns: int = 0
    choices: int = 0  # legal steps listed, over all steps
    winners: Counter[str] = field(default_factory=Counter)  # "0", "1", … or "draw"
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, other: PlayoutNumbers) -> None:
        """Add another run to this one."""
        self.games += other.games
        self.steps += other.steps
        self.turns += other.turns
        self.choices += other.choices
        self.winners += other.winners
        self.reasons += other.reasons


@runtime_checkable
class HasPlayouts(Protocol):
    """A game that plays whole random games inside its kernels, releasing the interpreter lock when compiled."""

    def playouts(self, state: Any, seeds: Sequence[int]) -> PlayoutNumbers:  # noqa: ANN401 - the game's own state
        """One random game from a state for each seed."""
