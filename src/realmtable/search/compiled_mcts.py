"""The Python interface of the compiled search for two seats: `compiled_mcts_kernels.py`, specialised for a game."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from realmtable.kit.rules import Position, Rules, SearchParameters
from realmtable.kit.specialise import specialise
from realmtable.search.compiled_mcts_tree import PLAYOUTS, UNPROVEN, new_tree
from realmtable.search.tree_entries import EVALUATIONS, MIX, NOTHING, VISITS

SLICE_S: Final = 0.02  # how long the kernel runs between two checks of the clock
FIRST_BATCH: Final = 1
MCTS_SOURCE: Final = Path(__file__).with_name("compiled_mcts_kernels.py")


UCT: Final = SearchParameters(explore=0.9, mix=0.0, plain=True)


class Branch(NamedTuple):
    """A step from a node of a search, with its statistics."""

    step: int
    node: int  # the node it leads to; -1 if unvisited
    visits: int
    value: float  # for the seat that takes the step, from -1 to 1
    proven: bool


def branch_rank(branch: Branch) -> tuple[float, int, float]:
    """Return the sort key of a branch: proven wins rank highest, proven losses lowest, the others by visits."""
    certainty = branch.value if branch.proven and abs(branch.value) == 1.0 else 0.0
    return certainty, branch.visits, branch.value


def sort_branches(branches: Iterable[Branch]) -> list[Branch]:
    """Sort branches, best first: by value if all are proven, otherwise by `branch_rank`."""
    found = list(branches)
    if all(branch.proven for branch in found):
        return sorted(found, key=lambda branch: (branch.value, branch.visits), reverse=True)
    return sorted(found, key=branch_rank, reverse=True)


class TreeSearch(ABC):
    """A search of one position on one thread, by the kernels of a game."""

    kernels: Any  # a specialised module
    tree: Any  # its `Tree`
    _run_visits: Callable[[Any, int], bool]

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
    @abstractmethod
    def evaluations(self) -> int:
        """The number of positions evaluated or played out."""

    @abstractmethod
    def branches(self, node: int = 0) -> list[Branch]:
        """Return the steps from a node, best first by `branch_rank`."""

    def child(self, node: int, step: int) -> int:
        """Return the node that a step leads to, or -1."""
        tree = self.tree
        first, count = int(tree.node_first[node]), int(tree.node_count[node])
        steps = tree.edge_step[first : first + count].tolist() if first >= 0 else []
        return int(tree.edge_child[first + steps.index(step)]) if step in steps else -1


class Search(TreeSearch):
    """A search of one position on one thread."""

    def __init__(self, rules: Rules, position: Position, parameters: SearchParameters, seed: int, nodes: int) -> None:
        """Start a search that evaluates and stores at most `nodes` nodes."""
        self.kernels = specialise(MCTS_SOURCE, __package__, rules)
        self.tree = new_tree(rules, position, parameters, seed, nodes + 2)
        self.kernels.init_root(self.tree)
        self._run_visits = self.kernels.run_visits_by_uct if parameters.plain else self.kernels.run_visits

    @property
    def evaluations(self) -> int:
        """The number of positions evaluated or played out."""
        return int(self.tree.counters[EVALUATIONS] + self.tree.counters[PLAYOUTS])

    def value(self, node: int) -> tuple[float, bool]:
        """Return the value of a visited node for seat 0, from -1 to 1, and whether it is proven."""
        proven = float(self.tree.node_proof[node]) != UNPROVEN
        return float(self.kernels.value_of(self.tree, node)), proven

    def branches(self, node: int = 0, most: int | None = None) -> list[Branch]:
        """Return the steps from a node, at most `most`, best first by `branch_rank`."""
        tree = self.tree
        first, count = int(tree.node_first[node]), int(tree.node_count[node])
        if first == NOTHING:
            return []
        edges = slice(first, first + count)
        worths, proven = self._edge_values(edges)
        values = worths * (1.0 - 2.0 * float(tree.node_seat[node]))
        visits = tree.edge_visits[edges]
        certain = np.where(proven & (np.abs(values) == 1.0), values, 0.0)
        order = np.lexsort((-values, -visits, -certain))[:most]
        columns = (tree.edge_step[edges], tree.edge_child[edges], visits, values, proven)
        return [Branch(*row) for row in zip(*(column[order].tolist() for column in columns), strict=True)]

    def is_same_turn(self, node: int, other: int) -> bool:
        """Whether two nodes belong to the same turn."""
        tree = self.tree
        same_seat = tree.node_seat[node] == tree.node_seat[other]
        return bool(same_seat and tree.node_turn[node] == tree.node_turn[other])

    def is_end(self, node: int) -> bool:
        """Whether the game is over at a visited node."""
        return bool(self.tree.node_first[node] == NOTHING)

    def _edge_values(self, edges: slice) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Return the values of edges for seat 0, as `edge_worth` of the kernels does, and which of them are proven."""
        tree = self.tree
        worths, proven = tree.edge_value[edges].copy(), np.zeros(edges.stop - edges.start, dtype=np.bool_)
        reached = np.flatnonzero(tree.edge_child[edges] != NOTHING)
        nodes = tree.edge_child[edges][reached]
        proofs, visits, mix = tree.node_proof[nodes], tree.node_visits[nodes], tree.settings[MIX]
        sure = proofs != UNPROVEN
        mean = tree.node_total[nodes] / np.maximum(visits, 1)
        searched = np.where(sure, proofs, mix * tree.node_best[nodes] + (1.0 - mix) * mean)
        worths[reached] = np.where(sure | (visits > 0), searched, worths[reached])
        proven[reached] = sure
        return worths, proven
