"""Bots that use the compiled search, and how they build a whole turn from one search."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from types import MappingProxyType
from typing import Any, Final, Generic, TypeVar

from realmtable.engine.errors import BadInput
from realmtable.engine.protocol import AnyGame, Move, Seat, State
from realmtable.kit.array_game import ArrayGame
from realmtable.kit.array_state import ArrayState
from realmtable.kit.rules import HasArrayRules, SearchParameters
from realmtable.search.compiled_mcts import Branch, Search, TreeSearch, sort_branches
from realmtable.search.search_result import SearchLimits
from realmtable.search.several_seats_mcts import SeveralSeatsSearch

RELIABLE_VISITS: Final = 12  # a step with this many visits is played without another search
FIRST_SHARE: Final = 0.7  # share of a turn's time for the search of its first step
NEXT_SHARE: Final = 0.25  # share of the nodes for each further search
MIN_SHARE: Final = 0.01  # share of the time that a search gets even if none is left
THREAD_NOISE: Final = 0.03
MAX_NODES: Final = 300_000  # nodes that a search may keep in memory

SearchT = TypeVar("SearchT", bound=TreeSearch)
NO_CHANGES: Final[Mapping[str, Any]] = MappingProxyType({})


@dataclass
class ParallelSearch(Generic[SearchT]):
    """Searches of one state on several threads, combined into one result; `nodes` is the current node of each."""

    searches: list[SearchT]
    nodes: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Start at the roots."""
        self.nodes = self.nodes or [0] * len(self.searches)

    @property
    def visits(self) -> int:
        """The number of visits to the searched state."""
        return sum(search.visits for search in self.searches)

    @property
    def evaluations(self) -> int:
        """The number of positions evaluated or played out."""
        return sum(search.evaluations for search in self.searches)

    def branches(self) -> list[Branch]:
        """Return the steps from the current nodes, best first; visits are summed and values weighted by visits."""
        together: dict[int, Branch] = {}
        for search, node in zip(self.searches, self.nodes, strict=True):
            for branch in search.branches(node) if node >= 0 else []:
                before = together.get(branch.step)
                together[branch.step] = branch if before is None else _merge_branches(before, branch)
        return sort_branches(together.values())

    def after(self, step: int) -> ParallelSearch[SearchT]:
        """Return the same searches one step further down."""
        nodes = [
            search.child(node, step) if node >= 0 else -1
            for search, node in zip(self.searches, self.nodes, strict=True)
        ]
        return ParallelSearch(self.searches, nodes)


def _merge_branches(one: Branch, other: Branch) -> Branch:
    if one.proven or other.proven:
        return max(one, other, key=lambda branch: branch.proven)._replace(visits=one.visits + other.visits)
    visits = one.visits + other.visits
    weight = other.visits / visits if visits else 0.5
    return one._replace(visits=visits, value=one.value * (1 - weight) + other.value * weight)


def search_in_parallel(
    game: ArrayGame[Any, Any],
    state: ArrayState[Any],
    limits: SearchLimits,
    parameters: SearchParameters,
    seed: int,
    threads: int = 1,
) -> ParallelSearch[Search]:
    """Search a state on several threads; they share the nodes, and all but the first add a little noise."""
    return run_in_parallel(partial(Search, game.rules, state.position), limits, parameters, seed, threads)


def run_in_parallel(
    make: Callable[[SearchParameters, int, int], SearchT],
    limits: SearchLimits,
    parameters: SearchParameters,
    seed: int,
    threads: int = 1,
) -> ParallelSearch[SearchT]:
    """Run the same search on several threads; `make` starts it with parameters, a seed and the room for its nodes."""
    deadline = None if limits.seconds is None else time.monotonic() + limits.seconds
    visits = None if limits.nodes is None else -(-limits.nodes // threads)
    room = MAX_NODES // threads if visits is None else min(visits, MAX_NODES)
    searches = []
    for thread in range(threads):
        thread_parameters = replace(parameters, noise=THREAD_NOISE) if thread else parameters
        searches.append(make(thread_parameters, seed + thread, room))
    if threads == 1:
        searches[0].run(visits, deadline)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda search: search.run(visits, deadline), searches))
    return ParallelSearch(searches)


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
        """Return the first step of the turn."""
        return next(iter(self._steps(game, state, seat, rng)))

    def plan(self, game: AnyGame, state: State, seat: Seat, rng: Random) -> list[Any]:
        """Return the steps of the turn, up to the point where chance or another seat acts."""
        return list(self._steps(game, state, seat, rng))

    def _steps(self, game: AnyGame, state: State, seat: Seat, rng: Random) -> Iterator[Any]:
        """Yield the steps of the turn; search again only if the last search says too little about the next step."""
        playing = require_array_rules(game)
        parameters = replace(self.parameters or playing.rules.search_parameters, **self.changes)
        turn = game.turn(state)
        deadline = None if self.limits.seconds is None else time.monotonic() + self.limits.seconds
        forest: ParallelSearch[Any] | None = None
        while game.to_move(state) == (seat,) and game.turn(state) == turn:
            branches = forest.branches() if forest else []
            if not branches or not is_reliable(branches[0]):
                limits = next_limits(self.limits, deadline, again=forest is not None)
                search = SeveralSeatsSearch if playing.rules.has_several_seats else Search
                start = partial(search, playing.rules, playing.position_of(state))
                forest = run_in_parallel(start, limits, parameters, rng.getrandbits(62), self.threads)
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


def require_array_rules(game: AnyGame) -> HasArrayRules:
    """Return the game; raise `BadInput` if it has no compiled search."""
    if not isinstance(game, HasArrayRules):
        raise BadInput(f"{game.info.title} has no compiled search.")
    return game


def require_array_game(game: AnyGame) -> ArrayGame[Any, Any]:
    """Return the game; raise `BadInput` if it has no compiled search for two seats."""
    if not isinstance(game, ArrayGame):
        raise BadInput(f"{game.info.title} has no compiled search.")
    return game
