"""The implementation of `think.think` for games for several seats, and lines of play from their searches."""

from __future__ import annotations

import heapq
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from realmtable.engine.protocol import CHANCE, AnyGame, Seat, State
from realmtable.search.compiled_mcts import Branch
from realmtable.search.compiled_mcts_bot import ParallelSearch, run_in_parallel
from realmtable.search.search_result import SearchLimits, SearchLine, SearchResult
from realmtable.search.several_seats import require_several_seats
from realmtable.search.several_seats_mcts import SeveralSeatsSearch

SURE: Final = 1e9  # more than any number of visits

Forest = ParallelSearch[SeveralSeatsSearch]


@dataclass(frozen=True)
class _Line:
    """A line of play, the state it leads to, and the searches at that state."""

    moves: tuple[Any, ...]
    state: State
    forest: Forest
    visits: int
    value: float  # for the seat that begins, from -1 to 1
    proven: bool


def think_for_seats(
    game: AnyGame, state: State, limits: SearchLimits, *, lines: int, seed: int, threads: int
) -> SearchResult:
    """Return the acting seat's expected share of the win and its best turns; see `think.think`.

    A line ends where chance or another seat acts: what follows depends on too much. If chance acts in `state`, the
    result has shares and no lines.
    """
    start = time.monotonic()
    playing = require_several_seats(game)
    search = partial(SeveralSeatsSearch, playing.rules, playing.position_of(state))
    forest = run_in_parallel(search, limits, playing.rules.search_parameters, seed, threads)
    shares = _mean_shares(forest)
    if game.to_move(state) == (CHANCE,):
        proven = all(search.tree.node_proven[0] for search in forest.searches)
        owner = game.turn(state).seat
        return SearchResult(shares[owner], proven, forest.visits, time.monotonic() - start, (), shares)
    best = best_turns(game, state, forest, lines)
    found = tuple(SearchLine(line.moves, (1.0 + line.value) / 2.0, line.visits, line.proven) for line in best)
    shares = _with_share(shares, game.to_move(state)[0], found[0].value)
    return SearchResult(found[0].value, found[0].proven, forest.visits, time.monotonic() - start, found, shares)


def _mean_shares(forest: Forest) -> tuple[float, ...]:
    """Return every seat's expected share of the win, as all threads found it."""
    found = [search.shares() for search in forest.searches]
    return tuple(sum(shares) / len(found) for shares in zip(*found, strict=True))


def _with_share(shares: tuple[float, ...], seat: Seat, share: float) -> tuple[float, ...]:
    """Return shares in which a seat has its share in the best line, and the others divide the rest as before.

    >>> _with_share((0.5, 0.25, 0.25), 0, 0.6)
    (0.6, 0.2, 0.2)
    """
    rest = sum(shares) - shares[seat]
    factor = (1.0 - share) / rest if rest else 0.0
    return tuple(share if other == seat else value * factor for other, value in enumerate(shares))


def best_turns(game: AnyGame, state: State, forest: Forest, wanted: int) -> list[_Line]:
    """Return the most visited turns of the acting seat, each up to where chance or another seat acts."""
    acting, turn = game.to_move(state), game.turn(state)
    heap = [(0.0, 0, _Line((), state, forest, 0, 0.0, proven=False))]
    seen: set[State] = set()
    found: list[_Line] = []
    pushed = 0
    while heap and len(found) < wanted:
        _, _, line = heapq.heappop(heap)
        if line.state in seen:
            continue
        seen.add(line.state)
        inside = game.to_move(line.state) == acting and game.turn(line.state) == turn
        branches = list(_visited_branches(line)) if inside else []
        if not branches:
            found.append(line)
        all_proven = all(branch.proven for branch in branches)
        for branch in branches:
            pushed += 1
            priority = SURE * (1.0 + branch.value) if all_proven else _priority(branch)
            heapq.heappush(heap, (-priority, pushed, _extend(game, line, branch)))
    return found


def _visited_branches(line: _Line) -> Iterator[Branch]:
    """Yield the steps that continue a turn; at least one if it has not begun."""
    branches = line.forest.branches()
    visited = [branch for branch in branches if branch.visits]
    yield from visited or (branches[:1] if not line.moves else [])


def _priority(branch: Branch) -> float:
    if branch.proven and branch.value == 1.0:
        return 2.0 * SURE
    return 0.0 if branch.proven and branch.value == -1.0 else float(branch.visits)


def _extend(game: AnyGame, line: _Line, branch: Branch) -> _Line:
    """Return a line with one more step."""
    move = require_several_seats(game).step_of(branch.step)
    state = game.play(line.state, game.to_move(line.state)[0], move)
    forest = line.forest.after(branch.step)
    return _Line((*line.moves, move), state, forest, branch.visits, branch.value, branch.proven)
