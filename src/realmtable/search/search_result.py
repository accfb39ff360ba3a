"""The input and output of a search: limits, lines of play and the result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from realmtable.engine.errors import BadInput

DEFAULT_NODES: Final = 400  # of a bot without limits


@dataclass(frozen=True)
class SearchLimits:
    """How long to search: seconds, nodes, or whichever ends first."""

    seconds: float | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is None and self.nodes is None:
            raise BadInput("Set a limit for the search: seconds or nodes.")
        if (self.seconds is not None and self.seconds <= 0) or (self.nodes is not None and self.nodes <= 0):
            raise BadInput("The limits of a search must be greater than 0.")


def limit_search(nodes: int | None, seconds: float | None) -> SearchLimits:
    """Return the limits of a bot's search; without any, it searches `DEFAULT_NODES`."""
    return SearchLimits(seconds, DEFAULT_NODES if nodes is None and seconds is None else nodes)


@dataclass(frozen=True)
class SearchLine:
    """A line of play."""

    moves: tuple[Any, ...]  # steps from the searched state; they may span several turns
    value: float  # expected score of the acting seat: 1 a win, ½ a draw, 0 a loss
    visits: int
    proven: bool  # whether the value is proven


@dataclass(frozen=True)
class SearchResult:
    """The result of a search."""

    value: float  # of the best line; if chance acts, of the seat whose turn it is
    proven: bool
    nodes: int
    seconds: float
    lines: tuple[SearchLine, ...]  # best first; their first turns lead to different states; none if chance acts
    shares: tuple[float, ...] = ()  # in games for several seats: each seat's expected share of the win
