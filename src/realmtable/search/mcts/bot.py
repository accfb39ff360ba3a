"""Bots that use the compiled search, and how they build a whole turn from one search."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from types import MappingProxyType
from typing import Any, Final

from realmtable.engine.protocol import AnyGame, Move, Seat, State
from realmtable.kit.rules import SearchParameters
from realmtable.search.compiled_games import require_array_rules
from realmtable.search.mcts.parallel_search import ParallelSearch, search_in_parallel
from realmtable.search.mcts.search import Branch
from realmtable.search.search_result import SearchLimits

RELIABLE_VISITS: Final = 12  # a step with this many visits is played without another search
FIRST_SHARE: Final = 0.7  # share of a turn's time for the search of its first step
NEXT_SHARE: Final = 0.25  # share of the nodes for each further search
MIN_SHARE: Final = 0.01  # share of the time that a search gets even if none is left
NO_CHANGES: Final[Mapping[str, Any]] = MappingProxyType({})


class CompiledMctsBot:
    """Plays the best turn that the compiled search finds, up to the point where chance or another seat acts."""

    def __init__(
        self,
        limits: SearchLimits,
        parameters: SearchParameters | None = None,  # defaults to the game's
        *,
        threads: int = 1,
        changes: Mapping[str, Any] = NO_CHANGES,  # overrides of single parameters
        name: str = "mcts",
    ) -> None:
        self.name = name
        self.limits = limits
        self.parameters = parameters
        self.threads = threads
        self.changes = changes

    def choose(self, game: AnyGame, state: State, seat: Seat, rng: Random) -> Move:
        return next(iter(self._steps(game, state, seat, rng)))

    def plan(self, game: AnyGame, state: State, seat: Seat, rng: Random) -> list[Any]:
        return list(self._steps(game, state, seat, rng))

    def _steps(self, game: AnyGame, state: State, seat: Seat, rng: Random) -> Iterator[Any]:
        """Yield the steps of the turn; search again only if the last search says too little about the next step."""
        playing = require_array_rules(game)
        parameters = replace(self.parameters or playing.rules.search_parameters, **self.changes)
        turn = game.turn(state)
        deadline = None if self.limits.seconds is None else time.monotonic() + self.limits.seconds
        forest: ParallelSearch | None = None
        while game.to_move(state) == (seat,) and game.turn(state) == turn:
            branches = forest.branches() if forest else []
            if not branches or not is_reliable(branches[0]):
                limits = next_limits(self.limits, deadline, again=forest is not None)
                forest = search_in_parallel(playing, state, limits, parameters, rng.getrandbits(62), self.threads)
                branches = forest.branches()
            code = branches[0].step
            step = playing.step_of(code)
            yield step
            forest = forest.after(code) if forest else None
            state = game.play(state, seat, step)


def next_limits(limits: SearchLimits, deadline: float | None, *, again: bool) -> SearchLimits:
    """Return the limits of the next search of a turn: the first, or one of those after it."""
    nodes, seconds = limits.nodes, limits.seconds
    if nodes is not None and again:
        nodes = max(1, int(nodes * NEXT_SHARE))
    if seconds is not None and deadline is not None:
        left = deadline - time.monotonic()
        seconds = max(left * 0.5, seconds * MIN_SHARE) if again else seconds * FIRST_SHARE
    return SearchLimits(seconds=seconds, nodes=nodes)


def is_reliable(branch: Branch) -> bool:
    """Whether a step was searched enough to play it."""
    return branch.proven or branch.visits >= RELIABLE_VISITS
