"""Extract lines of play from a finished search: the best turns, one per resulting state, and their continuations."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from realmtable.search.mcts.parallel_search import ParallelSearch
from realmtable.search.mcts.search import Branch
from realmtable.search.search_result import SearchLine

MAX_LINE_STEPS: Final = 24
MIN_VISITS: Final = 2  # a step with fewer visits does not continue a line
SPARE_FACTOR: Final = 3  # candidate turns per wanted line: they are ranked only after merging


@dataclass
class _Turn:
    """A turn, or the beginning of one."""

    path: tuple[int, ...]
    forest: ParallelSearch  # at its end
    visits: int = 0
    value: float = 0.0  # for the acting seat, from -1 to 1
    proven: bool = False

    def extend(self, branch: Branch) -> _Turn:
        """Return the turn with one more step; what leads to the same state in other orders counts as visits too."""
        forest = self.forest.after(branch.step)
        visits = sum(int(search.tree.node_visits[node]) for search, node in forest.list_current_nodes())
        return _Turn((*self.path, branch.step), forest, visits, branch.value, branch.proven)

    @property
    def ends_game(self) -> bool:
        """Whether the game is over at its end."""
        return any(search.is_end(node) for search, node in self.forest.list_current_nodes())

    @property
    def is_complete(self) -> bool:
        """Whether the turn, or the acting seat's part of it, is over at its end."""
        current = self.forest.list_current_nodes()
        return self.ends_game or not all(search.is_same_turn(0, node) for search, node in current)

    def key(self) -> Hashable:
        """Return what is equal for turns that lead to the same state."""
        search, node = self.forest.list_current_nodes()[0]
        if search.is_for_two:
            return int(search.tree.node_key[node])
        position = search.tree.root.copy()
        for step in self.path:
            search.rules.apply_step(position, step)
        return search.rules.content(position).tobytes()


def best_lines(forest: ParallelSearch, wanted: int, step_of: Callable[[int], Any]) -> tuple[SearchLine, ...]:
    """Return the best turns from the root of a search.

    In a game for two, each has its continuation. With several seats, a line ends where chance or another seat acts:
    what follows depends on too much.
    """
    together: dict[Hashable, _Turn] = {}
    for turn in _best_turns(forest, SPARE_FACTOR * wanted):
        key = turn.key()
        together[key] = _merge_turns(together[key], turn) if key in together else turn
    best = _sort_turns([*together.values()])
    if not best or (_is_lost(best[0]) and not forest.searches[0].is_proven(0)):
        best.insert(0, _Turn((), forest).extend(forest.branches(most=1)[0]))  # the visited turns lose, others may not
    return tuple(_make_line(turn, step_of) for turn in best[:wanted])


def _best_turns(forest: ParallelSearch, wanted: int) -> Iterator[_Turn]:
    """Yield the most visited turns, proven wins first and proven losses last."""
    heap: list[tuple[float, int, _Turn, Branch | None]] = [(0.0, 0, _Turn((), forest), None)]
    seen: set[tuple[int, ...]] = set()
    listed = 0
    while heap and wanted:
        _, _, start, last = heapq.heappop(heap)
        turn = start if last is None else start.extend(last)
        if turn.forest.nodes in seen:
            continue
        seen.add(turn.forest.nodes)
        if turn.path and turn.is_complete:
            wanted -= 1
            yield turn
            continue
        for branch in turn.forest.branches():
            if branch.visits:
                listed += 1
                heapq.heappush(heap, (-_priority(branch), listed, turn, branch))


def _priority(branch: Branch) -> float:
    if branch.proven and branch.value == 1.0:
        return float("inf")
    return 0.0 if branch.proven and branch.value == -1.0 else float(branch.visits)


def _merge_turns(one: _Turn, other: _Turn) -> _Turn:
    first, second = (one, other) if (one.proven, one.visits) >= (other.proven, other.visits) else (other, one)
    visits = one.visits + other.visits
    if not first.proven and visits:
        first.value = (one.value * one.visits + other.value * other.visits) / visits
    first.visits += second.visits
    return first


def _sort_turns(turns: list[_Turn]) -> list[_Turn]:
    """Sort turns like branches; among those equally certain, the ones that end the game come first."""
    all_proven = all(turn.proven for turn in turns)

    def rank(turn: _Turn) -> tuple[float, bool, int, float]:
        is_certain = turn.proven and (all_proven or abs(turn.value) == 1.0)
        return turn.value if is_certain else 0.0, turn.ends_game, turn.visits, turn.value

    return sorted(turns, key=rank, reverse=True)


def _is_lost(turn: _Turn) -> bool:
    return turn.proven and turn.value == -1.0


def _make_line(turn: _Turn, step_of: Callable[[int], Any]) -> SearchLine:
    path, forest = list(turn.path), turn.forest
    while forest.searches[0].is_for_two and len(path) < MAX_LINE_STEPS:
        branches = forest.branches(most=1)
        if not branches or (branches[0].visits < MIN_VISITS and not branches[0].proven):
            break
        path.append(branches[0].step)
        forest = forest.after(branches[0].step)
    return SearchLine(tuple(step_of(step) for step in path), (1.0 + turn.value) / 2.0, turn.visits, turn.proven)
