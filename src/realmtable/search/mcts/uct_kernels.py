"""Textbook UCT in a game for two: random playouts instead of evaluations, and no priors.

`specialise` in `search.py` runs this file once per game, as it does with `search_kernels.py`. It is a separate file
because most searches never need it, and compiling it takes seconds. With several seats, random games are too long to
learn from.
"""

from __future__ import annotations

from math import sqrt
from pathlib import Path
from typing import Final

import numpy as np

from realmtable.kit.compile import kernel
from realmtable.kit.random_kernels import random_below
from realmtable.kit.rules import Rules
from realmtable.kit.specialise import specialise
from realmtable.search.mcts.tree import EDGES, EXPLORE, PLAYOUTS, Tree

GAME: Final[Rules] = globals()["GAME"]  # set before this file runs

mcts = specialise(Path(__file__).with_name("search_kernels.py"), "realmtable.search.mcts", GAME)
backpropagate = mcts.backpropagate
evaluate_leaf = mcts.evaluate_leaf
follow_edge = mcts.follow_edge
is_complete = mcts.is_complete
is_expandable = mcts.is_expandable
is_inner = mcts.is_inner
register_edges = mcts.nodes.register_edges
start_at_root = mcts.start_at_root
worth_of_edge = mcts.worth_of_edge
write_result = mcts.evaluation.write_result
legal_steps = mcts.evaluation.legal_steps
apply_step = GAME.apply_step
REASON: Final = GAME.reason_entry


@kernel
def run_visits(tree: Tree, visits: int) -> bool:
    """Run more visits; return False once the root is proven or the arrays are full."""
    for _ in range(visits):
        if is_complete(tree):
            return False
        visit(tree)
    return True


@kernel
def visit(tree: Tree) -> None:
    """Descend from the root to a new node, play it out and propagate the result back up."""
    start_at_root(tree)
    node = 0
    depth = 0
    while is_inner(tree, node, depth):
        node = follow_edge(tree, select_edge(tree, node), depth)
        depth += 1
    if is_expandable(tree, node):
        list_steps(tree, node)
        play_out(tree)
    else:
        evaluate_leaf(tree, node)
    backpropagate(tree, depth)


@kernel
def select_edge(tree: Tree, node: int) -> int:
    """Return the edge to visit next: each once, then the one with the highest upper bound."""
    first = tree.node_first[node]
    logarithm = np.log(tree.node_visits[node] + 1.0)
    fresh = 0
    chosen = first
    highest = -np.inf
    for edge in range(first, first + tree.node_count[node]):
        if tree.edge_visits[edge] == 0:
            fresh += 1
            if random_below(tree.stream, fresh) == 0:
                chosen = edge
        elif fresh == 0:
            mean = worth_of_edge(tree, tree.node_seat[node], edge)
            score = mean + tree.settings[EXPLORE] * sqrt(logarithm / tree.edge_visits[edge])
            if score > highest:
                highest = score
                chosen = edge
    return int(chosen)


@kernel
def list_steps(tree: Tree, node: int) -> None:
    """Expand a node without evaluating its steps."""
    first = tree.counters[EDGES]
    count = legal_steps(tree.position, tree.out)
    for index in range(count):
        tree.edge_step[first + index] = tree.out[index]
        tree.edge_value[first + index] = 0.0
        tree.edge_share[first + index] = 0.0
    register_edges(tree, node, first, count)


@kernel
def play_out(tree: Tree) -> None:
    """Play a random game from the current position; `values` becomes its result."""
    tree.counters[PLAYOUTS] += 1
    while tree.position[REASON] == 0:
        count = legal_steps(tree.position, tree.out)
        apply_step(tree.position, tree.out[random_below(tree.stream, count)])
    write_result(tree, tree.position, tree.values)
