"""Thinking about a state: what it is worth, and the best turns in it. Analysis, hints and puzzles ask here.

`think` works for every game of perfect information without dice: compiled where the game has kernels, in plain Python
otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from realmtable.engine.errors import BadInput
from realmtable.engine.protocol import AnyGame
from realmtable.kit.judging import HasKernels


@dataclass(frozen=True)
class Limits:
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
class Line:
    """A way the game may go on."""

    moves: tuple[Any, ...]  # steps from the state that was searched; they may go over several turns
    value: float  # expected score of the seat that acts in it: 1 a win, ½ a draw, 0 a loss
    visits: int
    proven: bool  # whether the value is certain


@dataclass(frozen=True)
class Thought:
    """What a search found."""

    value: float  # as of the best line
    proven: bool
    nodes: int
    seconds: float
    lines: tuple[Line, ...]  # the best first; each begins with a turn that leads elsewhere


def think(
    game: AnyGame,
    state: Any,  # noqa: ANN401 - the game's own
    limits: Limits,
    *,
    lines: int = 1,
    seed: int = 1,
    threads: int = 1,
) -> Thought:
    """What a state is worth to the seat that acts, and its best turns, at most so many.

    The same seed and number of nodes give the same answer on one thread. `BadInput` where the game is over, hides
    something or throws dice.
    """
    if game.info.hidden or game.info.chance:
        raise BadInput(f"{game.info.title} cannot be searched so: it has secrets or dice.")
    if not game.to_move(state):
        raise BadInput("The game is over: there is nothing to think about.")
    # Imported here: they need the words above.
    from realmtable.search.mcts import think_generic  # noqa: PLC0415
    from realmtable.search.tree_thinking import think_compiled  # noqa: PLC0415

    if isinstance(game, HasKernels):
        return think_compiled(game, state, limits, lines=lines, seed=seed, threads=threads)
    return think_generic(game, state, limits, lines=lines, seed=seed)
