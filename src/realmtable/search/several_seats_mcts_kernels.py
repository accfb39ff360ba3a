"""Compiled Monte-Carlo tree search for games for several seats, with or without chance.

`specialise` in `several_seats_mcts.py` runs this file once per game, with that game's kernels as `GAME`. It is
not imported by name.

A node is a decision of one seat, a result that chance has to draw, or the end of the game. It has a value for every
seat: the expected share of the win. The acting seat chooses what is best for itself (max-n), or, in a paranoid search,
all other seats choose what is worst for the seat at the root. Expanding a node evaluates every step from it; the best
are visited first, and more of them as visits accumulate. Chance nodes likewise begin with a few results, drawn by
weight; their value is the weighted mean of those visited. Nodes with a proven value are not visited again.
"""

from __future__ import annotations

from math import exp, sqrt
from pathlib import Path
from typing import Final

import numpy as np

from realmtable.kit.array_kernels import copy_array
from realmtable.kit.compile import kernel
from realmtable.kit.random_kernels import random_below
from realmtable.kit.rules import Position, Rules
from realmtable.kit.specialise import specialise
from realmtable.search.several_seats_mcts_tree import (
    IS_IDLE,
    MAX_PATH_STEPS,
    NODE_ROOM,
    OWN_TURN,
    RESULTS,
    Tree,
)
from realmtable.search.tree_entries import EDGES, EXPLORE, NODES, NOTHING, TEMPERATURE, VISITS, WIDENING, WIDTH

GAME: Final[Rules] = globals()["GAME"]  # set before this file runs

evaluation = specialise(Path(__file__).with_name("several_seats_evaluation_kernels.py"), "realmtable.search", GAME)
evaluate_expected = evaluation.evaluate_expected
evaluate_trial = evaluation.evaluate_trial
is_idle = evaluation.is_idle
share_of = evaluation.share_of
worth_of_best = evaluation.worth_of_best
worth_of_edge = evaluation.worth_of_edge
worth_of_node = evaluation.worth_of_node
worth_of_values = evaluation.worth_of_values
is_chance_acting = evaluation.chance_kernels.is_chance_acting
weight_of = evaluation.chance_kernels.weight_of
legal_steps = GAME.steps_without_proposals or GAME.legal_steps
apply_step = GAME.apply_step
SEAT: Final = GAME.seat_entry
REASON: Final = GAME.reason_entry
TURNS: Final = GAME.turns_entry
ROOM: Final = GAME.step_capacity

PROVEN_CREDIT: Final = 2  # visits; see `credit_edge`


# ---- nodes


@kernel
def add_node(tree: Tree, position: Position) -> int:
    """Add the node of a position."""
    node = tree.counters[NODES]
    tree.counters[NODES] += 1
    over = position[REASON] != 0
    tree.node_seat[node] = position[SEAT]
    tree.node_turn[node] = position[TURNS]
    tree.node_first[node] = NOTHING
    tree.node_count[node] = 0
    tree.node_visits[node] = 0
    tree.node_proven[node] = 1 if over else 0
    for seat in range(tree.values.size):
        tree.node_total[node, seat] = 0.0
        tree.node_best[node, seat] = share_of(position, seat) if over else 0.0
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
        evaluate_trial(tree)
        add_edge(tree, first, index, tree.out[index], seat)
    assign_priors(tree, first, count, seat)
    register_edges(tree, node, first, count)
    for each in range(tree.values.size):
        tree.values[each] = tree.edge_value[first, each]
        tree.node_best[node, each] = tree.values[each]


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
    worth = worth_of_values(tree, seat, tree.trial_values)
    edge = first + index
    while edge > first and worth_of_edge(tree, seat, edge - 1) < worth:
        for each in range(tree.values.size):
            tree.edge_value[edge, each] = tree.edge_value[edge - 1, each]
        tree.edge_step[edge] = tree.edge_step[edge - 1]
        edge -= 1
    for each in range(tree.values.size):
        tree.edge_value[edge, each] = tree.trial_values[each]
    tree.edge_step[edge] = step


@kernel
def assign_priors(tree: Tree, first: int, count: int, seat: int) -> None:
    """Set the prior of every edge by how far its evaluation is below the best."""
    best = worth_of_edge(tree, seat, first)
    total = 0.0
    for edge in range(first, first + count):
        tree.edge_share[edge] = exp((worth_of_edge(tree, seat, edge) - best) / tree.settings[TEMPERATURE])
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


# ---- selection


@kernel
def select_edge(tree: Tree, node: int) -> int:
    """Return the step of a decision to visit next: if the best is proven, it is credited, and the next best visited."""
    first = tree.node_first[node]
    seat = tree.node_seat[node]
    reach = sqrt(tree.node_visits[node] + 1.0)
    width = min(tree.node_count[node], int(tree.settings[WIDTH] + tree.settings[WIDENING] * reach))
    chosen = first
    highest = -np.inf
    unproven = NOTHING
    highest_unproven = -np.inf
    for edge in range(first, first + width):
        child = tree.edge_child[edge]
        worth = worth_of_edge(tree, seat, edge) if child == NOTHING else worth_of_node(tree, seat, child)
        score = worth + tree.settings[EXPLORE] * tree.edge_share[edge] * reach / (1.0 + tree.edge_visits[edge])
        if score > highest:
            highest = score
            chosen = edge
        if score > highest_unproven and not is_proven_edge(tree, edge):
            highest_unproven = score
            unproven = edge
    if not is_proven_edge(tree, chosen) or unproven == NOTHING:
        return int(chosen)
    credit_edge(tree, node, chosen)
    return int(unproven)


@kernel
def is_proven_edge(tree: Tree, edge: int) -> bool:
    """Whether an edge leads to a proven node."""
    return bool(tree.edge_child[edge] != NOTHING and tree.node_proven[tree.edge_child[edge]])


@kernel
def credit_edge(tree: Tree, node: int, edge: int) -> None:
    """Count visits of a proven node that would only repeat its value: two, so that it stays ahead of the others."""
    child = tree.edge_child[edge]
    tree.edge_visits[edge] += PROVEN_CREDIT
    tree.node_visits[child] += PROVEN_CREDIT
    tree.node_visits[node] += PROVEN_CREDIT
    for seat in range(tree.values.size):
        tree.node_total[child, seat] += PROVEN_CREDIT * tree.node_best[child, seat]
        tree.node_total[node, seat] += PROVEN_CREDIT * tree.node_best[child, seat]


@kernel
def select_chance_outcome(tree: Tree, node: int) -> int:
    """Return the result of a chance node to visit next: a new one by weight, or the one that is furthest behind."""
    first = tree.node_first[node]
    count = tree.node_count[node]
    seen = 0
    behind = NOTHING
    lowest = np.inf
    unseen = 1.0
    for edge in range(first, first + count):
        if tree.edge_visits[edge] > 0:
            seen += 1
            unseen -= tree.edge_share[edge]
            if tree.edge_visits[edge] / tree.edge_share[edge] < lowest and not is_proven_edge(tree, edge):
                lowest = tree.edge_visits[edge] / tree.edge_share[edge]
                behind = edge
    few = seen < 1.0 + tree.settings[RESULTS] * sqrt(float(tree.node_visits[node]))
    if seen < count and (few or behind == NOTHING):
        return draw_unseen(tree, first, count, unseen)
    return int(behind)


@kernel
def draw_unseen(tree: Tree, first: int, count: int, unseen: float) -> int:
    """Return a result that was not visited yet, drawn by weight; `unseen` is their probability."""
    left = unseen * random_below(tree.stream, 1 << 30) / float(1 << 30)
    chosen = NOTHING
    for edge in range(first, first + count):
        if tree.edge_visits[edge] == 0 and left >= 0.0:
            chosen = edge
            left -= tree.edge_share[edge]
    return int(chosen)


# ---- one visit


@kernel
def visit(tree: Tree) -> None:
    """Descend from the root to a new node, evaluate it and propagate its values back up."""
    copy_array(tree.position, tree.root)
    tree.counters[IS_IDLE] = 0
    node = 0
    depth = 0
    while is_inner(tree, node, depth):
        if is_chance_acting(tree.position):
            if tree.node_first[node] == NOTHING:
                expand_chance(tree, node)
            node = follow_edge(tree, select_chance_outcome(tree, node), depth)
        else:
            node = follow_edge(tree, select_edge(tree, node), depth)
        depth += 1
    if tree.node_proven[node]:
        for seat in range(tree.values.size):
            tree.values[seat] = tree.node_best[node, seat]
    elif is_expandable(tree, node):
        expand_node(tree, node)
    else:
        evaluate_leaf(tree, node)
    backpropagate(tree, depth)


@kernel
def is_expandable(tree: Tree, node: int) -> bool:
    """Whether the node at the end of a visit can be expanded."""
    if tree.node_first[node] != NOTHING or is_chance_acting(tree.position):
        return False
    return is_searched(tree, node) and not is_full(tree)


@kernel
def evaluate_leaf(tree: Tree, node: int) -> None:
    """Evaluate a node that is not expanded: the visit is too long, its turn is not searched, or the arrays are full."""
    evaluate_expected(tree, tree.position, tree.values)
    if tree.node_first[node] == NOTHING:
        for seat in range(tree.values.size):
            tree.node_best[node, seat] = tree.values[seat]


@kernel
def is_searched(tree: Tree, node: int) -> bool:
    """Whether a node is in the part of the game that is searched."""
    return bool(tree.settings[OWN_TURN] == 0.0 or tree.node_turn[node] == tree.node_turn[0])


@kernel
def is_inner(tree: Tree, node: int, depth: int) -> bool:
    """Whether a visit goes on from a node."""
    if tree.node_proven[node] or depth >= MAX_PATH_STEPS or not is_searched(tree, node) or is_full(tree):
        return False
    return bool(tree.node_first[node] != NOTHING or is_chance_acting(tree.position))


@kernel
def follow_edge(tree: Tree, edge: int, depth: int) -> int:
    """Take the step of an edge and return the node it leads to, adding it if it is new."""
    apply_step(tree.position, tree.edge_step[edge])
    if tree.edge_child[edge] == NOTHING:
        tree.edge_child[edge] = add_node(tree, tree.position)
    tree.path[depth] = edge
    if is_idle(tree, tree.position):
        tree.counters[IS_IDLE] = 1
    return int(tree.edge_child[edge])


@kernel
def backpropagate(tree: Tree, depth: int) -> None:
    """Add a visit and its values to every node on the path, from the last to the root."""
    tree.counters[VISITS] += 1
    for place in range(depth, -1, -1):
        node = tree.edge_child[tree.path[place - 1]] if place > 0 else 0
        tree.node_visits[node] += 1
        if place < depth:
            tree.edge_visits[tree.path[place]] += 1
        update_node(tree, node)
        for seat in range(tree.values.size):
            if tree.node_proven[node]:
                tree.values[seat] = tree.node_best[node, seat]
            tree.node_total[node, seat] += tree.values[seat]


@kernel
def update_node(tree: Tree, node: int) -> None:
    """Update a node's best values and whether they are proven from its edges."""
    if tree.node_first[node] == NOTHING or tree.node_proven[node]:
        return
    if tree.node_seat[node] < 0:
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
            worth = worth_of_edge(tree, seat, edge)
            all_sure = False
        else:
            worth = worth_of_best(tree, seat, child)
            if not tree.node_proven[child]:
                all_sure = False
            elif worth >= 1.0:
                tree.node_proven[node] = 1
                chosen = edge
                break
        if worth > highest:
            highest = worth
            chosen = edge
    if all_sure:
        tree.node_proven[node] = 1
    child = tree.edge_child[chosen]
    for each in range(tree.values.size):
        if child == NOTHING:
            tree.node_best[node, each] = tree.edge_value[chosen, each]
        else:
            tree.node_best[node, each] = tree.node_best[child, each]


@kernel
def update_chance(tree: Tree, node: int) -> None:
    """Take the weighted mean of the results visited; it is proven once all are."""
    first = tree.node_first[node]
    all_sure = True
    total = 0.0
    for seat in range(tree.values.size):
        tree.node_best[node, seat] = 0.0
    for edge in range(first, first + tree.node_count[node]):
        if tree.edge_visits[edge] == 0:
            all_sure = False
            continue
        child = tree.edge_child[edge]
        all_sure = all_sure and tree.node_proven[child] != 0
        total += tree.edge_share[edge]
        for seat in range(tree.values.size):
            tree.node_best[node, seat] += tree.edge_share[edge] * tree.node_best[child, seat]
    for seat in range(tree.values.size):
        tree.node_best[node, seat] /= total
    if all_sure:
        tree.node_proven[node] = 1


# ---- entry points


@kernel
def init_root(tree: Tree) -> None:
    """Start a search at the root."""
    for counter in range(NODE_ROOM):
        tree.counters[counter] = 0
    add_node(tree, tree.root)


@kernel
def run_visits(tree: Tree, visits: int) -> bool:
    """Run more visits; return False once the root is proven or the arrays are full."""
    for _ in range(visits):
        if is_complete(tree):
            return False
        visit(tree)
    return True


@kernel
def is_complete(tree: Tree) -> bool:
    """Whether the root is proven or the arrays are full."""
    return bool(is_full(tree) or tree.node_proven[0])


@kernel
def is_full(tree: Tree) -> bool:
    """Whether the arrays have no room for another node and its edges."""
    nodes = tree.counters[NODES] + 1 >= tree.counters[NODE_ROOM]
    return bool(nodes or tree.counters[EDGES] + ROOM >= tree.edge_step.size)
