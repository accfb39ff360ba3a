"""Compiled Monte-Carlo tree search for any game whose rules are kernels.

`specialise` in `compiled_mcts.py` runs this file once per game, with that game's kernels as `GAME`, so the whole
search becomes one piece of machine code. It is not imported by name.

A node is a state, identified by its key and turn number, so that different step orders that lead to the same state
share a node. Expanding a node evaluates every step from it; the best are visited first, and more of them as visits
accumulate. Values are seat 0's, from -1 for a loss to 1 for a win. Nodes with a proven value are not visited again.
"""

from __future__ import annotations

from math import exp, sqrt, tanh
from typing import Final

import numpy as np

from realmtable.kit.array_kernels import copy_array
from realmtable.kit.compile import kernel
from realmtable.kit.random_kernels import next_random, random_below
from realmtable.kit.rules import NO_WINNER, Position, Rules
from realmtable.search.compiled_mcts_tree import BROAD, DRAW_VALUE, MAX_PATH_STEPS, PLAYOUTS, UNPROVEN, Tree
from realmtable.search.tree_entries import (
    EDGES,
    EVALUATIONS,
    EXPLORE,
    MIX,
    NODES,
    NOISE,
    NOTHING,
    TEMPERATURE,
    VISITS,
    WIDENING,
    WIDTH,
)

GAME: Final[Rules] = globals()["GAME"]  # set before this file runs

legal_steps = GAME.steps_without_proposals or GAME.legal_steps
apply_step = GAME.apply_step
state_key = GAME.key
winner_of = GAME.winner_of
is_path_independent = GAME.is_path_independent
measure = GAME.measure
SEAT: Final = GAME.seat_entry
REASON: Final = GAME.reason_entry
TURNS: Final = GAME.turns_entry
ROOM: Final = GAME.step_capacity
FEATURES: Final = len(GAME.features)

TURN_BIT: Final = 48  # the turn number is mixed into a key from this bit on


# ---- evaluation


@kernel
def sign_of(seat: int) -> float:
    """Return 1 for seat 0 and -1 for seat 1, to convert between seat 0's value and the seat's own."""
    return 1.0 - 2.0 * seat


@kernel
def final_value(tree: Tree, position: Position) -> float:
    """Return the value of a finished game."""
    winner = winner_of(position)
    return float(tree.settings[DRAW_VALUE]) if winner == NO_WINNER else sign_of(winner)


@kernel
def evaluate(tree: Tree, position: Position) -> float:
    """Return the static evaluation of a position."""
    if position[REASON] != 0:
        return final_value(tree, position)
    tree.counters[EVALUATIONS] += 1
    measure(position, tree.measures)
    total = 0.0
    for feature in range(FEATURES):
        total += tree.weights[feature] * tree.measures[feature]
    if tree.settings[NOISE] > 0.0:
        total += tree.settings[NOISE] * (float(next_random(tree.stream) >> np.uint64(11)) / 2.0**52 - 1.0)
    return 0.999 * tanh(total)


@kernel
def play_out(tree: Tree, position: Position) -> float:
    """Play a random game in place and return its value."""
    tree.counters[PLAYOUTS] += 1
    while position[REASON] == 0:
        count = legal_steps(position, tree.out)
        apply_step(position, tree.out[random_below(tree.stream, count)])
    return final_value(tree, position)


# ---- nodes


@kernel
def find_or_add_node(tree: Tree, position: Position) -> int:
    """Return the node of a position, adding it if it is new."""
    over = position[REASON] != 0
    key = state_key(position) ^ (position[TURNS] << TURN_BIT)
    slot = key & (tree.table.size - 1)
    while tree.table[slot] != NOTHING and not over:  # an outcome may depend on the history: never share
        if tree.node_key[tree.table[slot]] == key:
            return int(tree.table[slot])
        slot = (slot + 1) & (tree.table.size - 1)
    node = tree.counters[NODES]
    tree.counters[NODES] += 1
    tree.node_key[node] = key
    tree.node_seat[node] = position[SEAT]
    tree.node_turn[node] = position[TURNS]
    tree.node_first[node] = NOTHING
    tree.node_count[node] = 0
    tree.node_visits[node] = 0
    tree.node_total[node] = 0.0
    tree.node_best[node] = 0.0
    tree.node_proof[node] = UNPROVEN
    if over:
        tree.node_best[node] = final_value(tree, position)
        if is_path_independent(position):
            tree.node_proof[node] = tree.node_best[node]
    else:
        tree.table[slot] = node
    return int(node)


@kernel
def expand_node(tree: Tree, node: int) -> float:
    """List and evaluate the steps of a node, best first, and return the best value."""
    first = tree.counters[EDGES]
    count = legal_steps(tree.position, tree.out)
    side = sign_of(tree.node_seat[node])
    for index in range(count):
        copy_array(tree.trial, tree.position)
        apply_step(tree.trial, tree.out[index])
        add_edge(tree, first, index, tree.out[index], evaluate(tree, tree.trial), side)
    assign_priors(tree, first, count, side)
    tree.counters[EDGES] += count
    tree.node_count[node] = count
    tree.node_first[node] = first
    return float(tree.edge_value[first])


@kernel
def add_edge(tree: Tree, first: int, index: int, step: int, value: float, side: float) -> None:
    """Insert an edge in order: the best for the acting seat comes first."""
    edge = first + index
    while edge > first and side * tree.edge_value[edge - 1] < side * value:
        tree.edge_value[edge] = tree.edge_value[edge - 1]
        tree.edge_step[edge] = tree.edge_step[edge - 1]
        edge -= 1
    tree.edge_value[edge] = value
    tree.edge_step[edge] = step
    tree.edge_child[first + index] = NOTHING
    tree.edge_visits[first + index] = 0


@kernel
def assign_priors(tree: Tree, first: int, count: int, side: float) -> None:
    """Set the prior of every edge by how far its evaluation is below the best."""
    best = side * tree.edge_value[first]
    total = 0.0
    for edge in range(first, first + count):
        tree.edge_share[edge] = exp((side * tree.edge_value[edge] - best) / tree.settings[TEMPERATURE])
        total += tree.edge_share[edge]
    for edge in range(first, first + count):
        tree.edge_share[edge] /= total


@kernel
def expand_without_evaluating(tree: Tree, node: int) -> None:
    """Expand a node without evaluating its steps."""
    first = tree.counters[EDGES]
    count = legal_steps(tree.position, tree.out)
    for index in range(count):
        tree.edge_step[first + index] = tree.out[index]
        tree.edge_child[first + index] = NOTHING
        tree.edge_visits[first + index] = 0
        tree.edge_value[first + index] = 0.0
        tree.edge_share[first + index] = 0.0
    tree.counters[EDGES] += count
    tree.node_count[node] = count
    tree.node_first[node] = first


# ---- selection


@kernel
def value_of(tree: Tree, node: int) -> float:
    """Return the value of a visited node for seat 0."""
    if tree.node_proof[node] != UNPROVEN:
        return float(tree.node_proof[node])
    mean = tree.node_total[node] / tree.node_visits[node]
    return float(tree.settings[MIX] * tree.node_best[node] + (1.0 - tree.settings[MIX]) * mean)


@kernel
def edge_worth(tree: Tree, edge: int) -> float:
    """Return the value of an edge for seat 0: from the search, or else from the evaluation."""
    child = tree.edge_child[edge]
    if child == NOTHING or (tree.node_visits[child] == 0 and tree.node_proof[child] == UNPROVEN):
        return float(tree.edge_value[edge])
    return value_of(tree, child)


@kernel
def select_edge(tree: Tree, node: int) -> int:
    """Return the edge to visit next."""
    first = tree.node_first[node]
    visits = tree.node_visits[node]
    side = sign_of(tree.node_seat[node])
    reach = sqrt(visits + 1.0)
    width = min(tree.node_count[node], int(tree.settings[WIDTH] + tree.settings[WIDENING] * reach))
    chosen = first
    highest = -np.inf
    for edge in range(first, first + width):
        worth = side * edge_worth(tree, edge)
        score = worth + tree.settings[EXPLORE] * tree.edge_share[edge] * reach / (1.0 + tree.edge_visits[edge])
        if is_settled(tree, node, edge, side):
            score -= 1000.0
        if score > highest:
            highest = score
            chosen = edge
    return int(chosen)


@kernel
def is_settled(tree: Tree, node: int, edge: int, side: float) -> bool:
    """Whether an edge needs no more visits: it is a proven loss, or it is proven and the search is broad."""
    child = tree.edge_child[edge]
    if child == NOTHING or tree.node_proof[child] == UNPROVEN:
        return False
    return bool(tree.node_proof[child] == -side or is_broad(tree, node))


@kernel
def is_broad(tree: Tree, node: int) -> bool:
    """Whether all steps of a node matter, not only the best."""
    same_turn = tree.node_turn[node] == tree.node_turn[0] and tree.node_seat[node] == tree.node_seat[0]
    return bool(tree.settings[BROAD] != 0.0 and same_turn)


@kernel
def select_uct_edge(tree: Tree, node: int) -> int:
    """Return the edge to visit next by textbook UCT: each once, then the one with the highest upper bound."""
    first = tree.node_first[node]
    side = sign_of(tree.node_seat[node])
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
            mean = side * edge_worth(tree, edge)
            score = mean + tree.settings[EXPLORE] * sqrt(logarithm / tree.edge_visits[edge])
            if score > highest:
                highest = score
                chosen = edge
    return int(chosen)


# ---- one visit


@kernel
def visit(tree: Tree) -> None:
    """Descend from the root to a new node, evaluate it and propagate its value back up."""
    copy_array(tree.position, tree.root)
    node = 0
    depth = 0
    while is_inner(tree, node, depth):
        node = follow_edge(tree, select_edge(tree, node), depth)
        depth += 1
    if is_unexpanded(tree, node):
        value = expand_node(tree, node)
        tree.node_best[node] = value
    else:
        value = known_value(tree, node)
    backpropagate(tree, depth, value)


@kernel
def visit_by_uct(tree: Tree) -> None:
    """Descend by textbook UCT from the root to a new node, play it out and propagate the result back up."""
    copy_array(tree.position, tree.root)
    node = 0
    depth = 0
    while is_inner(tree, node, depth):
        node = follow_edge(tree, select_uct_edge(tree, node), depth)
        depth += 1
    if is_unexpanded(tree, node):
        expand_without_evaluating(tree, node)
        value = play_out(tree, tree.position)
    else:
        value = known_value(tree, node)
    backpropagate(tree, depth, value)


@kernel
def is_inner(tree: Tree, node: int, depth: int) -> bool:
    """Whether a visit goes on from a node."""
    return bool(tree.node_proof[node] == UNPROVEN and tree.node_first[node] != NOTHING and depth < MAX_PATH_STEPS)


@kernel
def follow_edge(tree: Tree, edge: int, depth: int) -> int:
    """Take the step of an edge and return the node it leads to, adding it if it is new."""
    apply_step(tree.position, tree.edge_step[edge])
    if tree.edge_child[edge] == NOTHING:
        tree.edge_child[edge] = find_or_add_node(tree, tree.position)
    tree.path[depth] = edge
    return int(tree.edge_child[edge])


@kernel
def is_unexpanded(tree: Tree, node: int) -> bool:
    """Whether the node at the end of a visit can be expanded."""
    return bool(tree.node_proof[node] == UNPROVEN and tree.position[REASON] == 0 and tree.node_first[node] == NOTHING)


@kernel
def known_value(tree: Tree, node: int) -> float:
    """Return the value of the node at the end of a visit that cannot be expanded."""
    if tree.node_proof[node] == UNPROVEN and tree.position[REASON] != 0:
        return final_value(tree, tree.position)
    return value_of(tree, node)  # proven, or the visit reached its maximum length


@kernel
def backpropagate(tree: Tree, depth: int, value: float) -> None:
    """Add a visit and its value to every node on the path, from the last to the root."""
    tree.counters[VISITS] += 1
    for place in range(depth, -1, -1):
        node = tree.edge_child[tree.path[place - 1]] if place > 0 else 0
        tree.node_visits[node] += 1
        tree.node_total[node] += value
        if place < depth:
            tree.edge_visits[tree.path[place]] += 1
        update_node(tree, node)
        if tree.node_proof[node] != UNPROVEN:
            value = tree.node_proof[node]


@kernel
def update_node(tree: Tree, node: int) -> None:
    """Update a node's best value and proof from its edges."""
    first = tree.node_first[node]
    if first == NOTHING or tree.node_proof[node] != UNPROVEN:
        return
    side = sign_of(tree.node_seat[node])
    best = -2.0
    all_sure = True
    for edge in range(first, first + tree.node_count[node]):
        child = tree.edge_child[edge]
        if child == NOTHING:
            all_sure = False
            worth = side * tree.edge_value[edge]
        else:
            sure = tree.node_proof[child] != UNPROVEN
            all_sure = all_sure and sure
            worth = side * (tree.node_proof[child] if sure else tree.node_best[child])
            if sure and worth == 1.0 and not is_broad(tree, node):
                tree.node_proof[node] = side
                tree.node_best[node] = side
                return
        best = max(best, worth)
    tree.node_best[node] = side * best
    if all_sure:
        tree.node_proof[node] = side * best


# ---- entry points


@kernel
def init_root(tree: Tree) -> None:
    """Start a search at the root."""
    tree.table[:] = NOTHING
    tree.counters[:] = 0
    find_or_add_node(tree, tree.root)


@kernel
def run_visits(tree: Tree, visits: int) -> bool:
    """Run more visits; return False once the root is proven or the arrays are full."""
    for _ in range(visits):
        if is_complete(tree):
            return False
        visit(tree)
    return True


@kernel
def run_visits_by_uct(tree: Tree, visits: int) -> bool:
    """Run more visits by textbook UCT; return False once the root is proven or the arrays are full.

    This is separate from `run_visits` because most searches never need it, and compiling it takes seconds.
    """
    for _ in range(visits):
        if is_complete(tree):
            return False
        visit_by_uct(tree)
    return True


@kernel
def is_complete(tree: Tree) -> bool:
    """Whether the root is proven or the arrays are full."""
    full = tree.counters[NODES] + 1 >= tree.node_key.size or tree.counters[EDGES] + ROOM >= tree.edge_step.size
    return bool(full or tree.node_proof[0] != UNPROVEN)
