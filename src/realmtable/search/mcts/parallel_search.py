"""Searches of the same state on several threads."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Final

from realmtable.engine.protocol import State
from realmtable.kit.rules import HasArrayRules, SearchParameters
from realmtable.search.mcts.search import Branch, Search, sort_branches
from realmtable.search.search_result import SearchLimits

THREAD_NOISE: Final = 0.03
MAX_NODES: Final = 300_000  # nodes that a search may keep in memory


@dataclass(frozen=True)
class ParallelSearch:
    """Searches of one state, combined into one result; `nodes` is the current node of each, or -1."""

    searches: list[Search]
    nodes: tuple[int, ...]

    @property
    def visits(self) -> int:
        """The number of visits to the searched state."""
        return sum(search.visits for search in self.searches)

    @property
    def evaluations(self) -> int:
        """The number of positions evaluated or played out."""
        return sum(search.evaluations for search in self.searches)

    def list_current_nodes(self) -> list[tuple[Search, int]]:
        """Return the searches that have reached the current state, each with its node."""
        return [(search, node) for search, node in zip(self.searches, self.nodes, strict=True) if node >= 0]

    def branches(self, most: int | None = None) -> list[Branch]:
        """Return the steps from the current state, best first; visits are summed and values weighted by visits."""
        current = self.list_current_nodes()
        if len(current) == 1:
            [(search, node)] = current
            return search.branches(node, most)
        together: dict[int, Branch] = {}
        for search, node in current:
            for branch in search.branches(node):
                before = together.get(branch.step)
                together[branch.step] = branch if before is None else _merge_branches(before, branch)
        return sort_branches(together.values())[:most]

    def after(self, step: int) -> ParallelSearch:
        """Return the same searches one step further down."""
        nodes = [
            search.child(node, step) if node >= 0 else -1
            for search, node in zip(self.searches, self.nodes, strict=True)
        ]
        return ParallelSearch(self.searches, tuple(nodes))

    def shares(self) -> tuple[float, ...]:
        """Return every seat's expected share of the win in the searched state, as all threads found it."""
        found = [search.shares() for search in self.searches]
        return tuple(sum(shares) / len(found) for shares in zip(*found, strict=True))


def _merge_branches(one: Branch, other: Branch) -> Branch:
    if one.proven or other.proven:
        return max(one, other, key=lambda branch: branch.proven)._replace(visits=one.visits + other.visits)
    visits = one.visits + other.visits
    weight = other.visits / visits if visits else 0.5
    return one._replace(visits=visits, value=one.value * (1 - weight) + other.value * weight)


def search_in_parallel(
    game: HasArrayRules,
    state: State,
    limits: SearchLimits,
    parameters: SearchParameters,
    seed: int,
    threads: int = 1,
) -> ParallelSearch:
    """Search a state on several threads; they share the nodes, and all but the first add a little noise."""
    deadline = None if limits.seconds is None else time.monotonic() + limits.seconds
    visits = None if limits.nodes is None else -(-limits.nodes // threads)
    room = MAX_NODES // threads if visits is None else min(visits, MAX_NODES)
    searches = []
    for thread in range(threads):
        thread_parameters = replace(parameters, noise=THREAD_NOISE) if thread else parameters
        searches.append(Search(game.rules, game.position_of(state), thread_parameters, seed + thread, room))
    if threads == 1:
        searches[0].run(visits, deadline)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda search: search.run(visits, deadline), searches))
    return ParallelSearch(searches, (0,) * threads)
