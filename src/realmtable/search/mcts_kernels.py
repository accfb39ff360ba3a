"""Monte-Carlo tree search inside compiled code, for any game whose rules are kernels.

`specialise` in `compiled_search.py` runs this file once per game, with that game's kernels as `GAME`, so the whole
search becomes one piece of machine code. It is not imported by name.

A node is a state, told by its key and the number of its turn: turns that lead to the same state in different orders
meet in one node. When a node is opened every step from it is tried and judged; the best are looked at first, more of
them the oftener the node is visited. Values are seat 0's, from -1, a loss, to 1, a win. A node whose value is certain
says so, and nobody goes there again.
"""

from __future__ import annotations

from math import exp, sqrt, tanh
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from realmtable.kit.compile import kernel
from realmtable.kit.random_kernels import next_random, random_below
from realmtable.kit.rules import NO_WINNER, Measures, Position, Rules, Steps

GAME: Final[Rules] = globals()["GAME"]  # is there before this file runs

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

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

NOTHING: Final = -1
UNPROVEN: Final = 2.0  # a proof that is not there
MAX_PATH_STEPS: Final = 600  # steps that one visit may go down; longer ones are judged where they are
TURN_BIT: Final = 48  # from which bit on the number of the turn changes a key

# Counters.
NODES: Final = 0
EDGES: Final = 1
VISITS: Final = 2  # how often the root was visited
EVALUATIONS: Final = 3  # positions judged
PLAYOUTS: Final = 4
COUNTERS: Final = 5

# Settings.
EXPLORE: Final = 0  # how much the unvisited is preferred
TEMPERATURE: Final = 1  # how far a step may be judged below the best and still be looked at early
WIDTH: Final = 2  # steps looked at from the first visit on
WIDENING: Final = 3  # and how many more by the square root of the visits
MIX: Final = 4  # share of the best reply in a value; the rest is the mean of all visits
NOISE: Final = 5  # how far judgements are blurred, so that threads think differently
PLAIN: Final = 6  # 1: textbook UCT with random playouts, nothing judged
BROAD: Final = 7  # 1: in the turn at the root a sure win does not end the search for others
DRAW_VALUE: Final = 8  # what a draw is worth to seat 0: less than nothing to who would rather win
SETTINGS: Final = 9


class Tree(NamedTuple):
    """A search: arrays that are made once and filled."""

    root: Position
    position: Position  # where the present visit is
    trial: Position  # one step further
    out: Steps
    measures: Measures
    weights: Measures
    settings: Floats  # [SETTINGS]
    counters: Ints  # [COUNTERS]
    stream: NDArray[np.uint64]  # [1] random numbers
    table: Ints  # [power of 2] node of a key, or NOTHING
    node_key: Ints
    node_seat: Ints
    node_turn: Ints  # complete turns before it
    node_first: Ints  # its first edge; NOTHING before it is opened
    node_count: Ints  # how many edges it has
    node_visits: Ints
    node_total: Floats  # sum of the values of all visits
    node_best: Floats  # its value if both sides go on as judged best
    node_proof: Floats  # its value where that is certain: a win, a loss or a draw; else UNKNOWN
    edge_step: Ints
    edge_child: Ints  # NOTHING before it is first visited
    edge_visits: Ints
    edge_value: Floats  # the judgement of where it leads
    edge_share: Floats  # of the attention, by that judgement
    path: Ints  # [LONGEST] edges of the present visit


# ---- judging


@kernel
def sign_of(seat: int) -> float:
    """1 for seat 0, -1 for seat 1: turns seat 0's value into a seat's own."""
    return 1.0 - 2.0 * seat


@kernel
def final_value(tree: Tree, position: Position) -> float:
    """The value of a finished game."""
    winner = winner_of(position)
    return float(tree.settings[DRAW_VALUE]) if winner == NO_WINNER else sign_of(winner)


@kernel
def evaluate(tree: Tree, position: Position) -> float:
    """The value of a position at a glance."""
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
    """The value at the end of a random game, played in place."""
    tree.counters[PLAYOUTS] += 1
    while position[REASON] == 0:
        count = legal_steps(position, tree.out)
        apply_step(position, tree.out[random_below(tree.stream, count)])
    return final_value(tree, position)


# ---- nodes


@kernel
def find_or_add_node(tree: Tree, position: Position) -> int:
    """The node of a position, made if it is new."""
    over = position[REASON] != 0
    key = state_key(position) ^ (position[TURNS] << TURN_BIT)
    slot = key & (tree.table.size - 1)
    while tree.table[slot] != NOTHING and not over:  # how a game ended may rest on what came before: never shared
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
    """List and judge the steps of a node, the best first; its value by the best of them is returned."""
    first = tree.counters[EDGES]
    count = legal_steps(tree.position, tree.out)
    side = sign_of(tree.node_seat[node])
    for index in range(count):
        tree.trial[:] = tree.position
        apply_step(tree.trial, tree.out[index])
        add_edge(tree, first, index, tree.out[index], evaluate(tree, tree.trial), side)
    assign_priors(tree, first, count, side)
    tree.counters[EDGES] += count
    tree.node_count[node] = count
    tree.node_first[node] = first
    return float(tree.edge_value[first])


@kernel
def add_edge(tree: Tree, first: int, index: int, step: int, value: float, side: float) -> None:
    """Put an edge in its place among those before it: the best for who acts comes first."""
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
    """Give every edge its share by how far it is judged below the best."""
    best = side * tree.edge_value[first]
    total = 0.0
    for edge in range(first, first + count):
        tree.edge_share[edge] = exp((side * tree.edge_value[edge] - best) / tree.settings[TEMPERATURE])
        total += tree.edge_share[edge]
    for edge in range(first, first + count):
        tree.edge_share[edge] /= total


@kernel
def expand_without_judging(tree: Tree, node: int) -> None:
    """Open a node without judging anything."""
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


# ---- choosing


@kernel
def value_of(tree: Tree, node: int) -> float:
    """What a visited node is worth to seat 0."""
    if tree.node_proof[node] != UNPROVEN:
        return float(tree.node_proof[node])
    mean = tree.node_total[node] / tree.node_visits[node]
    return float(tree.settings[MIX] * tree.node_best[node] + (1.0 - tree.settings[MIX]) * mean)


@kernel
def edge_worth(tree: Tree, edge: int) -> float:
    """What an edge is worth to seat 0: as searched, or else as judged."""
    child = tree.edge_child[edge]
    if child == NOTHING or (tree.node_visits[child] == 0 and tree.node_proof[child] == UNPROVEN):
        return float(tree.edge_value[edge])
    return value_of(tree, child)


@kernel
def select_edge(tree: Tree, node: int) -> int:
    """The edge to look at next."""
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
    """Whether nothing is left to find behind an edge: it surely loses, or is certain and others are looked for."""
    child = tree.edge_child[edge]
    if child == NOTHING or tree.node_proof[child] == UNPROVEN:
        return False
    return bool(tree.node_proof[child] == -side or is_broad(tree, node))


@kernel
def is_broad(tree: Tree, node: int) -> bool:
    """Whether all that can be done at a node is of interest, not only the best."""
    same_turn = tree.node_turn[node] == tree.node_turn[0] and tree.node_seat[node] == tree.node_seat[0]
    return bool(tree.settings[BROAD] != 0.0 and same_turn)


@kernel
def select_uct_edge(tree: Tree, node: int) -> int:
    """The edge to look at next by the textbook: each once, then the one with the highest upper bound."""
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
    """Go down from the root to a new node, value it, and carry that back up."""
    tree.position[:] = tree.root
    plain = tree.settings[PLAIN] != 0.0
    node = 0
    depth = 0
    while tree.node_proof[node] == UNPROVEN and tree.node_first[node] != NOTHING and depth < MAX_PATH_STEPS:
        edge = select_uct_edge(tree, node) if plain else select_edge(tree, node)
        apply_step(tree.position, tree.edge_step[edge])
        if tree.edge_child[edge] == NOTHING:
            tree.edge_child[edge] = find_or_add_node(tree, tree.position)
        tree.path[depth] = edge
        depth += 1
        node = tree.edge_child[edge]
    backpropagate(tree, depth, leaf_value(tree, node, plain))


@kernel
def leaf_value(tree: Tree, node: int, plain: bool) -> float:
    """What the node at the end of a visit is worth, opened if it can be."""
    if tree.node_proof[node] != UNPROVEN:
        return float(tree.node_proof[node])
    if tree.position[REASON] != 0:
        return final_value(tree, tree.position)
    if tree.node_first[node] != NOTHING:
        return value_of(tree, node)  # the visit was too long
    if plain:
        expand_without_judging(tree, node)
        return play_out(tree, tree.position)
    value = expand_node(tree, node)
    tree.node_best[node] = value
    return value


@kernel
def backpropagate(tree: Tree, depth: int, value: float) -> None:
    """Count a visit and its value in every node on the way, from the last to the root."""
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
    """See what the edges of a node say about it: its best value, and whether that is certain."""
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


# ---- what is called from outside


@kernel
def init_root(tree: Tree) -> None:
    """Begin a search at the root."""
    tree.table[:] = NOTHING
    tree.counters[:] = 0
    find_or_add_node(tree, tree.root)


@kernel
def run_visits(tree: Tree, visits: int) -> bool:
    """Visit so many times more; whether it is worth going on: not when all is proven or the room is full."""
    for _ in range(visits):
        full = tree.counters[NODES] + 1 >= tree.node_key.size or tree.counters[EDGES] + ROOM >= tree.edge_step.size
        if full or tree.node_proof[0] != UNPROVEN:
            return False
        visit(tree)
    return True
