"""Extract lines of play from a finished search: the best turns, one per resulting state, and their continuations."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from realmtable.search.compiled_mcts import Branch, Search
from realmtable.search.compiled_mcts_bot import ParallelSearch
from realmtable.search.search_result import SearchLine

MAX_LINE_STEPS: Final = 24
MIN_VISITS: Final = 2  # a step with fewer visits does not continue a line
SPARE_FACTOR: Final = 3  # candidate turns per wanted line: they are ranked only after merging


@dataclass
class _TurnCandidate:
    """A turn that a search has visited, identified by the state it ends in."""

    path: tuple[int, ...]
    search: Search
    node: int | None  # the node it leads to; None if it was not visited
    visits: int
    value: float  # for the acting seat, from -1 to 1
    proven: bool


def best_lines(forest: ParallelSearch[Search], wanted: int, step_of: Callable[[int], Any]) -> tuple[SearchLine, ...]:
    """Return the best turns from the root of a search, each with its continuation."""
    together: dict[int, _TurnCandidate] = {}
    for search in forest.searches:
        for turn in _best_turns(search, SPARE_FACTOR * wanted):
            key = int(search.tree.node_key[turn.node or 0])
            together[key] = _merge_candidates(together[key], turn) if key in together else turn
    best = sorted(together.values(), key=_rank, reverse=True)
    if not best or (_is_lost(best[0]) and not forest.searches[0].value(0)[1]):
        best.insert(0, _partial_turn(forest.searches[0]))  # all visited turns lose, but the others may not
    return tuple(_extend_to_line(turn, step_of) for turn in best[:wanted])


def _is_lost(turn: _TurnCandidate) -> bool:
    return turn.proven and turn.value == -1.0


def _partial_turn(search: Search) -> _TurnCandidate:
    """Return the best start of a turn, for when no complete turn was visited or all of those lose."""
    branch = search.branches(most=1)[0]
    node = branch.node if branch.node >= 0 else None
    return _TurnCandidate((branch.step,), search, node, branch.visits, branch.value, branch.proven)


def _rank(turn: _TurnCandidate) -> tuple[float, bool, int, float]:
    """Rank proven wins first, starting with those that end the game, and proven losses last."""
    certainty = turn.value if turn.proven and abs(turn.value) == 1.0 else 0.0
    return certainty, turn.node is not None and turn.search.is_end(turn.node), turn.visits, turn.value


def _merge_candidates(one: _TurnCandidate, other: _TurnCandidate) -> _TurnCandidate:
    first, second = (one, other) if (one.proven, one.visits) >= (other.proven, other.visits) else (other, one)
    visits = one.visits + other.visits
    if not first.proven and visits:
        first.value = (one.value * one.visits + other.value * other.visits) / visits
    first.visits += second.visits
    return first


def _best_turns(search: Search, wanted: int) -> Iterator[_TurnCandidate]:
    """Yield the most visited turns, proven wins first and proven losses last; one per resulting state."""
    heap: list[tuple[float, int, int, tuple[int, ...]]] = [(0.0, 0, 0, ())]
    side = 1.0 - 2.0 * float(search.tree.node_seat[0])
    seen: set[int] = set()
    listed = 0
    while heap and wanted:
        _, _, node, path = heapq.heappop(heap)
        if node in seen:
            continue
        seen.add(node)
        if path and (not search.is_same_turn(0, node) or search.is_end(node)):
            wanted -= 1
            value, proven = search.value(node)
            yield _TurnCandidate(path, search, node, int(search.tree.node_visits[node]), side * value, proven)
            continue
        for branch in search.branches(node):
            if branch.visits:
                listed += 1
                heapq.heappush(heap, (-_priority(branch), listed, branch.node, (*path, branch.step)))


def _priority(branch: Branch) -> float:
    if branch.proven and branch.value > 0:
        return float("inf")
    return 0.0 if branch.proven and branch.value == -1.0 else float(branch.visits)


def _extend_to_line(turn: _TurnCandidate, step_of: Callable[[int], Any]) -> SearchLine:
    path = list(turn.path)
    node = turn.node
    while len(path) < MAX_LINE_STEPS:
        branches = turn.search.branches(node, most=1) if node is not None else []
        if not branches or (branches[0].visits < MIN_VISITS and not branches[0].proven):
            break
        path.append(branches[0].step)
        node = branches[0].node
    moves = tuple(step_of(step) for step in path)
    return SearchLine(moves, (1.0 + turn.value) / 2.0, turn.visits, turn.proven)
