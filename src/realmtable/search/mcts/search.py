"""The Python interface of the compiled search: `search_kernels.py`, specialised for a game."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from realmtable.kit.rules import Position, Rules, SearchParameters
from realmtable.kit.specialise import specialise
from realmtable.search.mcts.tree import EVALUATIONS, MIX, NOTHING, PLAYOUTS, VISITS, Floats, Ints, count_nodes, new_tree

SLICE_S: Final = 0.02  # how long the kernel runs between two checks of the clock
FIRST_BATCH: Final = 1
SEARCH_SOURCE: Final = Path(__file__).with_name("search_kernels.py")
UCT_SOURCE: Final = Path(__file__).with_name("uct_kernels.py")

UCT: Final = SearchParameters(explore=0.9, mix=0.0, plain=True)


class Branch(NamedTuple):
    """A step from a node of a search, with its statistics."""

    step: int
    node: int  # the node it leads to; -1 if unvisited
    visits: int
    value: float  # for the seat that takes the step, from -1 to 1
    proven: bool


def sort_branches(branches: Iterable[Branch]) -> list[Branch]:
    """Sort branches, best first: proven wins come first and proven losses last, the others are ranked by visits.

    If all are proven, only their values count.
    """
    found = list(branches)
    all_proven = all(branch.proven for branch in found)

    def rank(branch: Branch) -> tuple[float, int, float]:
        is_certain = branch.proven and (all_proven or abs(branch.value) == 1.0)
        return branch.value if is_certain else 0.0, branch.visits, branch.value

    return sorted(found, key=rank, reverse=True)


class Search:
    """A search of one position on one thread."""

    def __init__(self, rules: Rules, position: Position, parameters: SearchParameters, seed: int, visits: int) -> None:
        """Start a search with room for about this many visits."""
        self.rules = rules
        self.kernels: Any = specialise(SEARCH_SOURCE, __package__, rules)  # a module
        self.tree = new_tree(rules, position, parameters, seed, count_nodes(rules, visits))
        self.kernels.init_root(self.tree)
        by_uct = parameters.plain and not rules.has_several_seats
        self._run_visits = (specialise(UCT_SOURCE, __package__, rules) if by_uct else self.kernels).run_visits

    def run(self, visits: int | None, deadline: float | None) -> None:
        """Search until `visits` are made, `deadline` (by `time.monotonic`) has passed or the result is proven.

        At least one visit is made, even after the deadline, so that there is a step to play.
        """
        self._run_visits(self.tree, 1)
        batch = FIRST_BATCH
        while True:
            start = time.monotonic()
            left = batch if visits is None else min(batch, visits - self.visits)
            late = deadline is not None and start >= deadline
            if left <= 0 or late or not self._run_visits(self.tree, left):
                return
            took = max(time.monotonic() - start, 1e-6)
            rest = SLICE_S if deadline is None else min(SLICE_S, max(deadline - time.monotonic(), 0.0))
            batch = max(1, min(2 * batch, int(left * rest / took)))

    @property
    def visits(self) -> int:
        """The number of visits of the root."""
        return int(self.tree.counters[VISITS])

    @property
    def evaluations(self) -> int:
        """The number of positions evaluated or played out."""
        return int(self.tree.counters[EVALUATIONS] + self.tree.counters[PLAYOUTS])

    def branches(self, node: int = 0, most: int | None = None) -> list[Branch]:
        """Return the steps from a decision, at most `most`, in the order of `sort_branches`.

        There are none if the node was not expanded or chance acts.
        """
        tree = self.tree
        first, seat = int(tree.node_first[node]), int(tree.node_seat[node])
        if first == NOTHING or seat < 0:
            return []
        edges = slice(first, first + int(tree.node_count[node]))
        worths, proven = self._edge_values(edges)
        values = worths[:, 0] * (1.0 - 2.0 * seat) if self.is_for_two else 2.0 * worths[:, seat] - 1.0
        visits = tree.edge_visits[edges]
        certain = np.where(proven & (proven.all() | (np.abs(values) == 1.0)), values, 0.0)
        order = np.lexsort((-values, -visits, -certain))[:most]
        columns = (tree.edge_step[edges], tree.edge_child[edges], visits, values, proven)
        return [Branch(*row) for row in zip(*(column[order].tolist() for column in columns), strict=True)]

    def child(self, node: int, step: int) -> int:
        """Return the node that a step leads to, or -1."""
        tree = self.tree
        first, count = int(tree.node_first[node]), int(tree.node_count[node])
        steps = tree.edge_step[first : first + count].tolist() if first >= 0 else []
        return int(tree.edge_child[first + steps.index(step)]) if step in steps else -1

    def shares(self) -> tuple[float, ...]:
        """Return the expected share of the win of every seat, in a game for several seats."""
        return tuple(self._node_values(np.zeros(1, dtype=np.int64))[0].tolist())

    @property
    def is_for_two(self) -> bool:
        """Whether values are those of a game for two."""
        return not self.rules.has_several_seats

    def is_proven(self, node: int) -> bool:
        """Whether the value of a node is certain."""
        return bool(self.tree.node_proven[node])

    def is_same_turn(self, node: int, other: int) -> bool:
        """Whether two nodes belong to the same turn, and to the same seat's part of it."""
        tree = self.tree
        same_seat = tree.node_seat[node] == tree.node_seat[other]
        return bool(same_seat and tree.node_turn[node] == tree.node_turn[other])

    def is_end(self, node: int) -> bool:
        """Whether the game is over at a visited node."""
        return bool(self.tree.node_first[node] == NOTHING and (self.is_for_two or self.is_proven(node)))

    def _rows(self, array: Floats) -> Floats:
        """Return an array of values with a row for each."""
        return array.reshape(-1, self.tree.values.size)

    def _node_values(self, nodes: Ints) -> Floats:
        """Return the values of visited nodes."""
        tree = self.tree
        best, mix = self._rows(tree.node_best)[nodes], tree.settings[MIX]
        mean = self._rows(tree.node_total)[nodes] / tree.node_visits[nodes, np.newaxis]
        return np.where(tree.node_proven[nodes, np.newaxis] != 0, best, mix * best + (1.0 - mix) * mean)

    def _edge_values(self, edges: slice) -> tuple[Floats, NDArray[np.bool_]]:
        """Return the values of edges, from the search or else the evaluation, and which of them are proven."""
        tree = self.tree
        values, proven = self._rows(tree.edge_value)[edges].copy(), np.zeros(edges.stop - edges.start, dtype=np.bool_)
        reached = np.flatnonzero(tree.edge_child[edges] != NOTHING)
        nodes = tree.edge_child[edges][reached]
        values[reached] = self._node_values(nodes)
        proven[reached] = tree.node_proven[nodes] != 0
        return values, proven
