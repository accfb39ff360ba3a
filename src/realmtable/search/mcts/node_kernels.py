"""The nodes of a search: added, expanded, and updated from their edges.

`specialise` in `search_kernels.py` runs this file once per game, with that game's kernels as `GAME`. It is not imported
by name.

In a game for two, nodes are identified by their state's key and turn number, so that different step orders that lead to
the same state share a node. With several seats and chance, orders rarely meet again, and the nodes form a tree.
"""

from __future__ import annotations

from math import exp
from pathlib import Path
from typing import Final

import numpy as np

from realmtable.kit.array_kernels import copy_array
from realmtable.kit.compile import kernel
from realmtable.kit.rules import Position, Rules
from realmtable.kit.specialise import specialise
from realmtable.search.mcts.tree import BROAD, EDGES, NODES, NOTHING, TEMPERATURE, Tree

GAME: Final[Rules] = globals()["GAME"]  # set before this file runs

evaluation = specialise(Path(__file__).with_name("evaluation_kernels.py"), "realmtable.search.mcts", GAME)
copy_value = evaluation.copy_value
count_entries = evaluation.count_entries
evaluate_step = evaluation.evaluate_step
worth_of = evaluation.worth_of
write_result = evaluation.write_result
weight_of = evaluation.chance_kernels.weight_of
legal_steps = evaluation.legal_steps
apply_step = GAME.apply_step
state_key = GAME.key
is_path_independent = GAME.is_path_independent
FOR_TWO: Final = not GAME.has_several_seats
HAS_CHANCE: Final = GAME.chance_weight is not None
SEAT: Final = GAME.seat_entry
REASON: Final = GAME.reason_entry
TURNS: Final = GAME.turns_entry

TURN_BIT: Final = 48  # the turn number is mixed into a key from this bit on
WIN: Final = 1.0


@kernel
def find_or_add_node(tree: Tree, position: Position) -> int:
    """Return the node of a position, adding it if it is new."""
    over = position[REASON] != 0
    if not FOR_TWO:
        return add_node(tree, position)
    key = state_key(position) ^ (position[TURNS] << TURN_BIT)
    slot = key & (tree.table.size - 1)
    while tree.table[slot] != NOTHING and not over:  # an outcome may depend on the history: never share
        if tree.node_key[tree.table[slot]] == key:
            return int(tree.table[slot])
        slot = (slot + 1) & (tree.table.size - 1)
    node = add_node(tree, position)
    tree.node_key[node] = key
    if not over:
        tree.table[slot] = node
    return node


@kernel
def add_node(tree: Tree, position: Position) -> int:
    """Add the node of a position."""
    node = tree.counters[NODES]
    tree.counters[NODES] += 1
    tree.node_seat[node] = position[SEAT]
    tree.node_turn[node] = position[TURNS]
    tree.node_first[node] = NOTHING
    tree.node_count[node] = 0
    tree.node_visits[node] = 0
    tree.node_proven[node] = 0
    size = count_entries(tree)
    for entry in range(node * size, (node + 1) * size):
        tree.node_total[entry] = 0.0
        tree.node_best[entry] = 0.0
    if position[REASON] != 0:
        write_result(tree, position, tree.values)
        copy_value(count_entries(tree), tree.node_best, node, tree.values, 0)
        if not FOR_TWO or is_path_independent(position):  # without shared nodes, there is only one path to it
            tree.node_proven[node] = 1
    return int(node)


@kernel
def expand_node(tree: Tree, node: int) -> None:
    """List and evaluate the steps of a decision, best first; `values` becomes the best step's."""
    first = tree.counters[EDGES]
    count = legal_steps(tree.position, tree.out)
    seat = tree.node_seat[node]
    for index in range(count):
        copy_array(tree.trial, tree.position)
        apply_step(tree.trial, tree.out[index])
        evaluate_step(tree, tree.trial, tree.trial_values)
        add_edge(tree, first, index, tree.out[index], seat)
    assign_priors(tree, first, count, seat)
    register_edges(tree, node, first, count)
    copy_value(count_entries(tree), tree.values, 0, tree.edge_value, first)
    copy_value(count_entries(tree), tree.node_best, node, tree.values, 0)


@kernel
def register_edges(tree: Tree, node: int, first: int, count: int) -> None:
    """Register the edges just listed as those of a node, and mark them as unvisited."""
    for edge in range(first, first + count):
        tree.edge_child[edge] = NOTHING
        tree.edge_visits[edge] = 0
    tree.counters[EDGES] += count
    tree.node_count[node] = count
    tree.node_first[node] = first


@kernel
def add_edge(tree: Tree, first: int, index: int, step: int, seat: int) -> None:
    """Insert an edge with `trial_values` in order: the best for the acting seat comes first."""
    worth = worth_of(tree, seat, tree.trial_values, 0, 1)
    edge = first + index
    while edge > first and worth_of(tree, seat, tree.edge_value, edge - 1, 1) < worth:
        copy_value(count_entries(tree), tree.edge_value, edge, tree.edge_value, edge - 1)
        tree.edge_step[edge] = tree.edge_step[edge - 1]
        edge -= 1
    copy_value(count_entries(tree), tree.edge_value, edge, tree.trial_values, 0)
    tree.edge_step[edge] = step


@kernel
def assign_priors(tree: Tree, first: int, count: int, seat: int) -> None:
    """Set the prior of every edge by how far its evaluation is below the best."""
    best = worth_of(tree, seat, tree.edge_value, first, 1)
    total = 0.0
    for edge in range(first, first + count):
        worth = worth_of(tree, seat, tree.edge_value, edge, 1)
        tree.edge_share[edge] = exp((worth - best) / tree.settings[TEMPERATURE])
        total += tree.edge_share[edge]
    for edge in range(first, first + count):
        tree.edge_share[edge] /= total


@kernel
def expand_chance(tree: Tree, node: int) -> None:
    """List the results of a chance node with their probabilities."""
    first = tree.counters[EDGES]
    count = legal_steps(tree.position, tree.out)
    total = 0.0
    for index in range(count):
        tree.edge_step[first + index] = tree.out[index]
        tree.edge_share[first + index] = weight_of(tree.position, tree.out[index])
        total += tree.edge_share[first + index]
    for edge in range(first, first + count):
        tree.edge_share[edge] /= total
    register_edges(tree, node, first, count)


# ---- updates


@kernel
def is_broad(tree: Tree, node: int) -> bool:
    """Whether all steps of a node matter, not only the best."""
    same_turn = tree.node_turn[node] == tree.node_turn[0] and tree.node_seat[node] == tree.node_seat[0]
    return bool(tree.settings[BROAD] != 0.0 and same_turn)


@kernel
def update_node(tree: Tree, node: int) -> None:
    """Update a node's best values and whether they are proven from its edges."""
    if tree.node_first[node] == NOTHING or tree.node_proven[node]:
        return
    if HAS_CHANCE and tree.node_seat[node] < 0:
        update_chance(tree, node)
    else:
        update_decision(tree, node)


@kernel
def update_decision(tree: Tree, node: int) -> None:
    """Take over the best step's values; they are proven if it wins for certain, or if all steps are proven."""
    first = tree.node_first[node]
    seat = tree.node_seat[node]
    all_sure = True
    highest = -np.inf
    chosen = first
    for edge in range(first, first + tree.node_count[node]):
        child = tree.edge_child[edge]
        if child == NOTHING:
            worth = worth_of(tree, seat, tree.edge_value, edge, 1)
            all_sure = False
        else:
            worth = worth_of(tree, seat, tree.node_best, child, 1)
            if not tree.node_proven[child]:
                all_sure = False
            elif worth >= WIN and not is_broad(tree, node):
                tree.node_proven[node] = 1
                chosen = edge
                break
        if worth > highest:
            highest = worth
            chosen = edge
    if all_sure:
        tree.node_proven[node] = 1
    child = tree.edge_child[chosen]
    if child == NOTHING:
        copy_value(count_entries(tree), tree.node_best, node, tree.edge_value, chosen)
    else:
        copy_value(count_entries(tree), tree.node_best, node, tree.node_best, child)


@kernel
def update_chance(tree: Tree, node: int) -> None:
    """Take the weighted mean of the results visited; it is proven once all are."""
    first = tree.node_first[node]
    all_sure = True
    total = 0.0
    size = tree.values.size
    for seat in range(size):
        tree.node_best[node * size + seat] = 0.0
    for edge in range(first, first + tree.node_count[node]):
        if tree.edge_visits[edge] == 0:
            all_sure = False
            continue
        child = tree.edge_child[edge]
        all_sure = all_sure and tree.node_proven[child] != 0
        total += tree.edge_share[edge]
        for seat in range(size):
            tree.node_best[node * size + seat] += tree.edge_share[edge] * tree.node_best[child * size + seat]
    for seat in range(size):
        tree.node_best[node * size + seat] /= total
    if all_sure:
        tree.node_proven[node] = 1
