"""The Python interface of the search for several seats: `multi_mcts_kernels.py`, specialised for a game."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np

from realmtable.kit.rules import Position, Rules, SearchStyle
from realmtable.kit.specialise import specialise
from realmtable.search.compiled_mcts import Branch, TreeSearch, sort_branches

MULTI_SOURCE: Final = Path(__file__).with_name("multi_mcts_kernels.py")
MAX_EDGES: Final = 4_000_000  # a search that uses them all stops; memory is committed only as they fill
NODES_PER_VISIT: Final = 3  # a visit adds a decision, and often results of chance before it


class MultiSearch(TreeSearch):
    """A search of one position on one thread, in a game for several seats."""

    def __init__(self, rules: Rules, position: Position, style: SearchStyle, seed: int, nodes: int) -> None:
        """Start a search that stores about `nodes` decisions."""
        self.kernels = specialise(MULTI_SOURCE, __package__, rules)
        self.tree = new_tree(self.kernels, rules, position, style, seed, NODES_PER_VISIT * nodes + 2)
        self.kernels.init_root(self.tree)
        self._run_visits = self.kernels.run_visits

    @property
    def evaluations(self) -> int:
        """The number of positions evaluated."""
        return int(self.tree.counters[self.kernels.EVALUATIONS])

    def shares(self, node: int = 0) -> tuple[float, ...]:
        """Return the expected share of the win of every seat at a visited node."""
        tree = self.tree
        if tree.node_proven[node]:
            return tuple(tree.node_best[node].tolist())
        mix = tree.settings[self.kernels.MIX]
        mean = tree.node_total[node] / tree.node_visits[node]
        return tuple((mix * tree.node_best[node] + (1.0 - mix) * mean).tolist())

    def branches(self, node: int = 0) -> list[Branch]:
        """Return the steps from a decision, best first; none if it was not expanded or chance acts.

        Their values are the acting seat's, from -1 for no share of the win to 1 for the whole.
        """
        tree = self.tree
        first, seat = int(tree.node_first[node]), int(tree.node_seat[node])
        if first == self.kernels.NOTHING or seat < 0:
            return []
        found = []
        for edge in range(first, first + int(tree.node_count[node])):
            child = int(tree.edge_child[edge])
            share = float(tree.edge_value[edge, seat]) if child < 0 else self.shares(child)[seat]
            proven = child >= 0 and bool(tree.node_proven[child])
            visits = int(tree.edge_visits[edge])
            found.append(Branch(int(tree.edge_step[edge]), child, visits, 2.0 * share - 1.0, proven))
        return sort_branches(found)


_NODE_INT_ARRAYS: Final = ("node_seat", "node_turn", "node_first", "node_count", "node_visits", "node_proven")
_NODE_VALUE_ARRAYS: Final = ("node_total", "node_best")
_EDGE_INT_ARRAYS: Final = ("edge_step", "edge_child", "edge_visits")
_POSITIONS: Final = ("position", "trial", "ahead", "sample")
_STEPS: Final = ("out", "more", "results")
_VALUES: Final = ("values", "trial_values", "ahead_values", "sample_values")


def new_tree(
    kernels: Any,  # noqa: ANN401 - a specialised `multi_mcts_kernels` module
    rules: Rules,
    position: Position,
    style: SearchStyle,
    seed: int,
    nodes: int,
) -> Any:  # noqa: ANN401 - its `Tree`
    """Allocate the arrays of a search that stores at most `nodes` nodes."""
    assert rules.seats_entry is not None  # noqa: S101 - the game is for several seats
    seats = int(position[rules.seats_entry])
    edges = min(nodes * rules.step_capacity, MAX_EDGES) + rules.step_capacity
    weights = style.weights or tuple(feature.weight for feature in rules.features)
    return kernels.Tree(
        root=position.copy(),
        measures=np.empty(seats * len(rules.features)),
        memory=np.zeros(rules.memory_size, dtype=np.int64),
        weights=np.array(weights, dtype=np.float64),
        settings=np.array(style.multi_settings(), dtype=np.float64),
        counters=np.array([0] * kernels.NODE_ROOM + [nodes], dtype=np.int64),
        stream=np.array([seed % (2**64 - 1) + 1], dtype=np.uint64),
        edge_value=np.empty((edges, seats)),
        edge_share=np.empty(edges),
        path=np.empty(kernels.MAX_PATH_STEPS, dtype=np.int64),
        **{name: np.empty_like(position) for name in _POSITIONS},
        **{name: np.empty(rules.step_capacity, dtype=np.int64) for name in _STEPS},
        **{name: np.empty(seats) for name in _VALUES},
        **{name: np.empty(nodes, dtype=np.int64) for name in _NODE_INT_ARRAYS},
        **{name: np.empty((nodes, seats)) for name in _NODE_VALUE_ARRAYS},
        **{name: np.empty(edges, dtype=np.int64) for name in _EDGE_INT_ARRAYS},
    )
