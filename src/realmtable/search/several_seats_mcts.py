"""The Python interface of the search for several seats: `several_seats_mcts_kernels.py`, specialised for a game."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from realmtable.kit.rules import Position, Rules, SearchParameters
from realmtable.kit.specialise import specialise
from realmtable.search.compiled_mcts import Branch, TreeSearch, sort_branches
from realmtable.search.several_seats_mcts_tree import new_tree
from realmtable.search.tree_entries import EVALUATIONS, MIX, NOTHING

SEVERAL_SEATS_SOURCE: Final = Path(__file__).with_name("several_seats_mcts_kernels.py")
NODES_PER_VISIT: Final = 3  # a visit adds a decision, and often results of chance before it


class SeveralSeatsSearch(TreeSearch):
    """A search of one position on one thread, in a game for several seats."""

    def __init__(self, rules: Rules, position: Position, parameters: SearchParameters, seed: int, nodes: int) -> None:
        """Start a search that stores about `nodes` decisions."""
        self.kernels = specialise(SEVERAL_SEATS_SOURCE, __package__, rules)
        self.tree = new_tree(rules, position, parameters, seed, NODES_PER_VISIT * nodes + 2)
        self.kernels.init_root(self.tree)
        self._run_visits = self.kernels.run_visits

    @property
    def evaluations(self) -> int:
        """The number of positions evaluated."""
        return int(self.tree.counters[EVALUATIONS])

    def shares(self, node: int = 0) -> tuple[float, ...]:
        """Return the expected share of the win of every seat at a visited node."""
        tree = self.tree
        if tree.node_proven[node]:
            return tuple(tree.node_best[node].tolist())
        mix = tree.settings[MIX]
        mean = tree.node_total[node] / tree.node_visits[node]
        return tuple((mix * tree.node_best[node] + (1.0 - mix) * mean).tolist())

    def branches(self, node: int = 0) -> list[Branch]:
        """Return the steps from a decision, best first; none if it was not expanded or chance acts.

        Their values are the acting seat's, from -1 for no share of the win to 1 for the whole.
        """
        tree = self.tree
        first, seat = int(tree.node_first[node]), int(tree.node_seat[node])
        if first == NOTHING or seat < 0:
            return []
        found = []
        for edge in range(first, first + int(tree.node_count[node])):
            child = int(tree.edge_child[edge])
            share = float(tree.edge_value[edge, seat]) if child < 0 else self.shares(child)[seat]
            proven = child >= 0 and bool(tree.node_proven[child])
            visits = int(tree.edge_visits[edge])
            found.append(Branch(int(tree.edge_step[edge]), child, visits, 2.0 * share - 1.0, proven))
        return sort_branches(found)
