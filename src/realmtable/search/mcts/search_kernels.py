"""Compiled Monte-Carlo tree search for any game whose rules are kernels.

`specialise` in `search.py` runs this file once per game, with that game's kernels as `GAME`, so the whole search
becomes one piece of machine code. It is not imported by name.

A node is a decision of one seat, a result that chance has to draw, or the end of the game. Expanding a node evaluates
every step from it; the best are visited first, and more of them as visits accumulate. Chance nodes likewise begin with
a few results, drawn by weight; their value is the weighted mean of those visited. Nodes with a proven value are not
visited again, except draws in a game for two.
"""

from __future__ import annotations

from math import sqrt
from pathlib import Path
from typing import Final

import numpy as np

from realmtable.kit.array_kernels import copy_array
from realmtable.kit.compile import kernel
from realmtable.kit.random_kernels import random_below
from realmtable.kit.rules import Rules
from realmtable.kit.specialise import specialise
from realmtable.search.mcts.tree import (
    EDGES,
    EXPLORE,
    IS_IDLE,
    MAX_PATH_STEPS,
    MIX,
    NODE_ROOM,
    NODES,
    NOTHING,
    OWN_TURN,
    RESULTS,
    VISITS,
    WIDENING,
    WIDTH,
    Tree,
)

GAME: Final[Rules] = globals()["GAME"]  # set before this file runs

nodes = specialise(Path(__file__).with_name("node_kernels.py"), "realmtable.search.mcts", GAME)
evaluation = nodes.evaluation
copy_value = evaluation.copy_value
count_entries = evaluation.count_entries
evaluate_expected = evaluation.evaluate_expected
is_chance_acting = evaluation.is_chance_acting
is_idle = evaluation.is_idle
worth_of = evaluation.worth_of
expand_chance = nodes.expand_chance
expand_node = nodes.expand_node
find_or_add_node = nodes.find_or_add_node
is_broad = nodes.is_broad
update_node = nodes.update_node
apply_step = GAME.apply_step
FOR_TWO: Final = not GAME.has_several_seats
HAS_CHANCE: Final = GAME.chance_weight is not None
HAS_STANDSTILL: Final = GAME.is_standstill is not None
REASON: Final = GAME.reason_entry
ROOM: Final = GAME.step_capacity

LOSS_FOR_TWO: Final = -1.0
PROVEN_CREDIT: Final = 2  # visits; see `credit_edge`


# ---- selection


@kernel
def worth_of_edge(tree: Tree, seat: int, edge: int) -> float:
    """Return what an edge is worth to the acting seat: from the search, or else from the evaluation."""
    child = tree.edge_child[edge]
    if child == NOTHING:
        return float(worth_of(tree, seat, tree.edge_value, edge, 1))
    best = worth_of(tree, seat, tree.node_best, child, 1)
    if tree.node_proven[child]:
        return float(best)
    mean = worth_of(tree, seat, tree.node_total, child, tree.node_visits[child])
    return float(tree.settings[MIX] * best + (1.0 - tree.settings[MIX]) * mean)


@kernel
def select_step(tree: Tree, node: int) -> int:
    """Return the step of a decision to visit next: the one with the highest score that is not settled."""
    first = tree.node_first[node]
    seat = tree.node_seat[node]
    reach = sqrt(tree.node_visits[node] + 1.0)
    width = min(tree.node_count[node], int(tree.settings[WIDTH] + tree.settings[WIDENING] * reach))
    chosen = first
    highest = -np.inf
    unsettled = NOTHING
    highest_unsettled = -np.inf
    for edge in range(first, first + width):
        worth = worth_of_edge(tree, seat, edge)
        score = worth + tree.settings[EXPLORE] * tree.edge_share[edge] * reach / (1.0 + tree.edge_visits[edge])
        if score > highest:
            highest = score
            chosen = edge
        if score > highest_unsettled and not is_settled(tree, node, edge):
            highest_unsettled = score
            unsettled = edge
    if unsettled == NOTHING:
        return int(chosen)
    if not FOR_TWO and chosen != unsettled:
        credit_edge(tree, node, chosen)
    return int(unsettled)


@kernel
def is_proven_edge(tree: Tree, edge: int) -> bool:
    """Whether an edge leads to a proven node."""
    return bool(tree.edge_child[edge] != NOTHING and tree.node_proven[tree.edge_child[edge]])


@kernel
def is_settled(tree: Tree, node: int, edge: int) -> bool:
    """Whether an edge needs no more visits: it is proven, and in a game for two, it loses or the search is broad."""
    if not is_proven_edge(tree, edge):
        return False
    if not FOR_TWO:
        return True
    worth = worth_of(tree, tree.node_seat[node], tree.node_best, tree.edge_child[edge], 1)
    return bool(worth == LOSS_FOR_TWO or is_broad(tree, node))


@kernel
def credit_edge(tree: Tree, node: int, edge: int) -> None:
    """Count visits of a proven node that would only repeat its value: two, so that it stays ahead of the others."""
    child = tree.edge_child[edge]
    tree.edge_visits[edge] += PROVEN_CREDIT
    tree.node_visits[child] += PROVEN_CREDIT
    tree.node_visits[node] += PROVEN_CREDIT
    size = tree.values.size
    for seat in range(size):
        credit = PROVEN_CREDIT * tree.node_best[child * size + seat]
        tree.node_total[child * size + seat] += credit
        tree.node_total[node * size + seat] += credit


@kernel
def select_chance_outcome(tree: Tree, node: int) -> int:
    """Return the result of a chance node to visit next: a new one by weight, or the one that is furthest behind."""
    if tree.node_first[node] == NOTHING:
        expand_chance(tree, node)
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


@kernel
def select_step_or_outcome(tree: Tree, node: int) -> int:
    """Return the edge to visit next, in games with chance."""
    if is_chance_acting(tree.position):
        return select_chance_outcome(tree, node)
    return select_step(tree, node)


select_edge = select_step_or_outcome if HAS_CHANCE else select_step


# ---- one visit


@kernel
def visit(tree: Tree) -> None:
    """Descend from the root to a new node, evaluate it and propagate its values back up."""
    start_at_root(tree)
    node = 0
    depth = 0
    while is_inner(tree, node, depth):
        node = follow_edge(tree, select_edge(tree, node), depth)
        depth += 1
    if is_expandable(tree, node):
        expand_node(tree, node)
    else:
        evaluate_leaf(tree, node)
    backpropagate(tree, depth)


@kernel
def start_at_root(tree: Tree) -> None:
    """Start a visit."""
    copy_array(tree.position, tree.root)
    tree.counters[IS_IDLE] = 0


@kernel
def is_inner(tree: Tree, node: int, depth: int) -> bool:
    """Whether a visit goes on from a node."""
    if tree.node_proven[node] or depth >= MAX_PATH_STEPS or not is_searched(tree, node):
        return False
    if HAS_CHANCE and is_full(tree):  # otherwise a visit adds one node, for which there is room
        return False
    return bool(tree.node_first[node] != NOTHING or is_chance_acting(tree.position))


@kernel
def is_searched(tree: Tree, node: int) -> bool:
    """Whether a node is in the part of the game that is searched."""
    return bool(tree.settings[OWN_TURN] == 0.0 or tree.node_turn[node] == tree.node_turn[0])


@kernel
def follow_edge(tree: Tree, edge: int, depth: int) -> int:
    """Take the step of an edge and return the node it leads to, adding it if it is new."""
    apply_step(tree.position, tree.edge_step[edge])
    if tree.edge_child[edge] == NOTHING:
        tree.edge_child[edge] = find_or_add_node(tree, tree.position)
    tree.path[depth] = edge
    if HAS_STANDSTILL and is_idle(tree, tree.position):
        tree.counters[IS_IDLE] = 1
    return int(tree.edge_child[edge])


@kernel
def is_expandable(tree: Tree, node: int) -> bool:
    """Whether the node at the end of a visit can be expanded."""
    if tree.node_first[node] != NOTHING or tree.position[REASON] != 0 or is_chance_acting(tree.position):
        return False
    return is_searched(tree, node) and has_edge_room(tree)


@kernel
def evaluate_leaf(tree: Tree, node: int) -> None:
    """Evaluate a node that is not expanded.

    It is proven, the game is over, the visit is too long, its turn is not searched, or the arrays are full.
    """
    if tree.node_proven[node]:
        copy_value(count_entries(tree), tree.values, 0, tree.node_best, node)
        return
    evaluate_expected(tree, tree.position, tree.values)
    if tree.node_first[node] == NOTHING:
        copy_value(count_entries(tree), tree.node_best, node, tree.values, 0)


@kernel
def backpropagate(tree: Tree, depth: int) -> None:
    """Add a visit and its values to every node on the path, from the last to the root."""
    tree.counters[VISITS] += 1
    size = count_entries(tree)
    for place in range(depth, -1, -1):
        node = tree.edge_child[tree.path[place - 1]] if place > 0 else 0
        tree.node_visits[node] += 1
        if place < depth:
            tree.edge_visits[tree.path[place]] += 1
        update_node(tree, node)
        if tree.node_proven[node]:
            copy_value(count_entries(tree), tree.values, 0, tree.node_best, node)
        for entry in range(size):
            tree.node_total[node * size + entry] += tree.values[entry]


# ---- entry points


@kernel
def init_root(tree: Tree) -> None:
    """Start a search at the root."""
    if FOR_TWO:
        for slot in range(tree.table.size):
            tree.table[slot] = NOTHING
    for counter in range(NODE_ROOM):
        tree.counters[counter] = 0
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
def is_complete(tree: Tree) -> bool:
    """Whether the root is proven or the arrays are full."""
    return bool(is_full(tree) or tree.node_proven[0])


@kernel
def is_full(tree: Tree) -> bool:
    """Whether the arrays have no room for another node and its edges."""
    return bool(tree.counters[NODES] + 1 >= tree.counters[NODE_ROOM] or not has_edge_room(tree))


@kernel
def has_edge_room(tree: Tree) -> bool:
    """Whether the arrays have room for the edges of another node."""
    return bool(tree.counters[EDGES] + ROOM < tree.edge_step.size)
