"""Bots for games for several seats that use the compiled search."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any, Final

from realmtable.engine.errors import BadInput
from realmtable.engine.protocol import AnyGame, Move, Seat, State
from realmtable.kit.evaluation import HasArrayRules
from realmtable.kit.rules import SearchStyle
from realmtable.search.compiled_mcts_bot import NO_CHANGES, ParallelSearch, is_reliable, next_limits, run_in_parallel
from realmtable.search.multi_mcts import MultiSearch
from realmtable.search.search_result import SearchLimits

GREEDY_LIMITS: Final = SearchLimits(seconds=2.0, nodes=40)  # the time matters only where rules are not compiled


class MultiMctsBot:
    """Plays the best steps that the search finds, up to the point where chance or another seat acts."""

    def __init__(
        self,
        limits: SearchLimits,
        style: SearchStyle | None = None,  # defaults to the game's style
        *,
        threads: int = 1,
        changes: Mapping[str, Any] = NO_CHANGES,  # overrides of single settings of the style
        name: str = "mcts",
    ) -> None:
        self.name = name
        self.limits = limits
        self.style = style
        self.threads = threads
        self.changes = changes

    def choose(self, game: AnyGame, state: State, seat: Seat, rng: Random) -> Move:
        """Return the next step."""
        return next(iter(self._steps(game, state, seat, rng)))

    def plan(self, game: AnyGame, state: State, seat: Seat, rng: Random) -> list[Any]:
        """Return the steps of the turn up to the point where chance or another seat acts."""
        return list(self._steps(game, state, seat, rng))

    def _steps(self, game: AnyGame, state: State, seat: Seat, rng: Random) -> Iterator[Any]:
        """Yield the steps; search again only if the last search says too little about the next step."""
        playing = require_several_seats(game)
        style = replace(self.style or playing.rules.style, **self.changes)
        turn = game.turn(state)
        deadline = None if self.limits.seconds is None else time.monotonic() + self.limits.seconds
        forest: ParallelSearch[MultiSearch] | None = None
        while game.to_move(state) == (seat,) and game.turn(state) == turn:
            branches = forest.branches() if forest else []
            if not branches or not is_reliable(branches[0]):
                limits = next_limits(self.limits, deadline, again=forest is not None)
                start = partial(MultiSearch, playing.rules, playing.position_of(state))
                forest = run_in_parallel(start, limits, style, rng.getrandbits(62), self.threads)
                branches = forest.branches()
            code = branches[0].step
            step = playing.step_of(code)
            yield step
            forest = forest.after(code) if forest else None
            state = game.play(state, seat, step)


def has_several_seats(game: AnyGame) -> bool:
    """Whether a game is searched as one for several seats."""
    return isinstance(game, HasArrayRules) and game.rules.has_several_seats


def require_several_seats(game: AnyGame) -> HasArrayRules:
    """Return the game; raise `BadInput` if it has no search for several seats."""
    if not isinstance(game, HasArrayRules) or not game.rules.has_several_seats:
        raise BadInput(f"{game.info.title} has no search for several seats.")
    return game


def make_greedy_bot() -> MultiMctsBot:
    """Return a bot that looks only at its own turn."""
    return MultiMctsBot(GREEDY_LIMITS, changes={"own_turn": True, "mix": 1.0}, name="greedy")
