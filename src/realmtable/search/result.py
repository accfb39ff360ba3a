"""What a search is given and what it finds: limits, lines of play, and the result as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from realmtable.engine.errors import BadInput


@dataclass(frozen=True)
class SearchLimits:
    """How long to think: seconds, searched positions, or whichever ends first."""

    seconds: float | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        """Refuse to think for ever, or not at all."""
        if self.seconds is None and self.nodes is None:
            raise BadInput("Say how long to think: seconds or nodes.")
        if (self.seconds is not None and self.seconds <= 0) or (self.nodes is not None and self.nodes <= 0):
            raise BadInput("The time or the number of nodes to think must be more than 0.")


@dataclass(frozen=True)
class SearchLine:
    """A way the game may go on."""

    moves: tuple[Any, ...]  # steps from the state that was searched; they may go over several turns
    value: float  # expected score of the seat that acts in it: 1 a win, ½ a draw, 0 a loss
    visits: int
    proven: bool  # whether the value is certain


@dataclass(frozen=True)
class SearchResult:
    """What a search found."""

    value: float  # as of the best line
    proven: bool
    nodes: int
    seconds: float
    lines: tuple[SearchLine, ...]  # the best first; each begins with a turn that leads elsewhere
