"""Compiled Monte-Carlo tree search for games for several seats, with or without chance.

`specialise` in `multi_mcts.py` runs this file once per game, with that game's kernels as `GAME`. It is not imported by
name.

A node is a decision of one seat, a result that chance has to draw, or the end of the game. It has a value for every
seat: the expected share of the win. The acting seat chooses what is best for itself (max-n), or, in a paranoid search,
all other seats choose what is worst for the seat at the root. Expanding a node evaluates every step from it; the best
are visited first, and more of them as visits accumulate. Chance nodes likewise begin with a few results, drawn by
weight; their value is the weighted mean of those visited. Nodes with a proven value are not visited again.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, sqrt
from pathlib import Path
from typing import Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from realmtable.kit.array_copy import copy_array
from realmtable.kit.compile import kernel
from realmtable.kit.random_kernels import next_random, random_below
from realmtable.kit.rules import Measures, Position, Rules, Steps
from realmtable.kit.specialise import specialise

GAME: Final[Rules] = globals()["GAME"]  # set before this file runs

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

chance_kernels = specialise(Path(__file__).parent.parent / "kit" / "chance_kernels.py", "realmtable.kit", GAME)
is_chance_acting = chance_kernels.is_chance_acting
pick_result = chance_kernels.pick_result
weight_of = chance_kernels.weight_of
legal_steps = GAME.steps_without_proposals or GAME.legal_steps
apply_step = GAME.apply_step
share_of = cast("Callable[[Position, int], float]", GAME.share_of)
measure = GAME.measure
SEAT: Final = GAME.seat_entry
REASON: Final = GAME.reason_entry
TURNS: Final = GAME.turns_entry
ROOM: Final = GAME.step_capacity
FEATURES: Final = len(GAME.features)

NOTHING: Final = -1
MAX_PATH_STEPS: Final = 400  # maximum length of a visit; longer ones are evaluated where they stop
PROVEN_CREDIT: Final = 2

# Counters.
NODES: Final = 0
EDGES: Final = 1
VISITS: Final = 2  # visits to the root
EVALUATIONS: Final = 3  # positions evaluated
NODE_ROOM: Final = 4  # the most nodes, at most the size of the arrays; set before the search starts
COUNTERS: Final = 5

# Settings.
EXPLORE: Final = 0  # weight of exploration
TEMPERATURE: Final = 1  # how far below the best evaluation a step may be and still get early visits
WIDTH: Final = 2  # steps considered from the first visit on
WIDENING: Final = 3  # further steps, times the square root of the visits
MIX: Final = 4  # weight of the best step in a value; the rest is the mean of all visits
NOISE: Final = 5  # noise added to evaluations, so that threads explore differently
SAMPLES: Final = 6  # results that are drawn to evaluate a step after which chance acts
RESULTS: Final = 7  # results of chance that are visited, times the square root of the visits
PARANOID: Final = 8  # 1: the other seats minimise the share of the seat at the root
OWN_TURN: Final = 9  # 1: positions after the root's turn are evaluated, not searched
SETTINGS: Final = 10


class Tree(NamedTuple):
    """The arrays of a search, allocated once."""

    root: Position
    position: Position  # the position of the current visit
    trial: Position  # one step further
    ahead: Position  # one step after `trial`
    sample: Position  # after a drawn result
    out: Steps  # steps of `position`
    more: Steps  # steps of `trial`
    results: Steps  # results of chance
    measures: Measures  # [seats × features]
    memory: Ints  # of the last evaluation, for the next one
    weights: Floats  # [features]
    settings: Floats  # [SETTINGS]
    counters: Ints  # [COUNTERS]
    stream: NDArray[np.uint64]  # [1] state of the random generator
    values: Floats  # [seats] of the current visit
    trial_values: Floats  # [seats]
    ahead_values: Floats  # [seats]
    sample_values: Floats  # [seats]
    node_seat: Ints  # the acting seat, or CHANCE
    node_turn: Ints  # its turn number
    node_first: Ints  # its first edge; NOTHING before it is expanded
    node_count: Ints  # number of its edges
    node_visits: Ints
    node_proven: Ints  # 1 if `node_best` is certain
    node_total: Floats  # [nodes, seats] sum of the values of all visits
    node_best: Floats  # [nodes, seats] its value if every seat chooses best
    edge_step: Ints
    edge_child: Ints  # NOTHING before it is first visited
    edge_visits: Ints
    edge_value: Floats  # [edges, seats] the evaluation of the position it leads to
    edge_share: Floats  # its prior, derived from that evaluation; for results of chance, the probability
    path: Ints  # [MAX_PATH_STEPS] edges of the current visit


# ---- evaluation


@kernel
def quiet_always(position: Position) -> bool:  # noqa: ARG001 - as `Rules.is_quiet`
    """Return True, for games in which all positions can be evaluated."""
    return True


is_quiet = GAME.is_quiet or quiet_always


@kernel
def measure_anew(position: Position, measures: Measures, memory: Ints) -> None:  # noqa: ARG001 - as `measure_changes`
    """Measure a position without the memory, for games that have none."""
    measure(position, measures)


measure_changes = GAME.measure_changes or measure_anew


@kernel
def relevant_always(position: Position) -> bool:  # noqa: ARG001 - as `Rules.is_irrelevant_draw`
    """Return False, for games in which every draw matters."""
    return False


is_irrelevant_draw = GAME.is_irrelevant_draw or relevant_always


@kernel
def copy_values(target: Floats, source: Floats) -> None:
    """Copy a value of every seat."""
    for seat in range(source.size):
        target[seat] = source[seat]


@kernel
def worth_to(tree: Tree, seat: int, own: float, roots: float) -> float:
    """Return the worth of a value to the acting seat, given its own share and the share of the seat at the root."""
    if tree.settings[PARANOID] != 0.0 and seat != tree.root[SEAT]:
        return 1.0 - roots
    return own


@kernel
def worth_of_values(tree: Tree, seat: int, values: Floats) -> float:
    """Return the worth of values to the acting seat."""
    return worth_to(tree, seat, values[seat], values[tree.root[SEAT]])


@kernel
def worth_of_edge(tree: Tree, seat: int, edge: int) -> float:
    """Return the worth of an edge's evaluation to the acting seat."""
    return worth_to(tree, seat, tree.edge_value[edge, seat], tree.edge_value[edge, tree.root[SEAT]])


@kernel
def worth_of_best(tree: Tree, seat: int, node: int) -> float:
    """Return the worth of a node to a seat if every seat chooses best."""
    return worth_to(tree, seat, tree.node_best[node, seat], tree.node_best[node, tree.root[SEAT]])


@kernel
def worth_of_node(tree: Tree, seat: int, node: int) -> float:
    """Return the worth of a visited node to a seat."""
    best = worth_of_best(tree, seat, node)
    if tree.node_proven[node]:
        return best
    visits = tree.node_visits[node]
    mean = worth_to(
        tree, seat, tree.node_total[node, seat] / visits, tree.node_total[node, tree.root[SEAT]] / visits
    )  # fmt: skip
    return float(tree.settings[MIX] * best + (1.0 - tree.settings[MIX]) * mean)


@kernel
def evaluate(tree: Tree, position: Position, values: Floats) -> None:
    """Write the static evaluation of a position: the shares are in proportion to exp of the weighted features."""
    seats = values.size
    if position[REASON] != 0:
        for seat in range(seats):
            values[seat] = share_of(position, seat)
        return
    tree.counters[EVALUATIONS] += 1
    measure_changes(position, tree.measures, tree.memory)
    highest = -np.inf
    for seat in range(seats):
        total = 0.0
        for feature in range(FEATURES):
            total += tree.weights[feature] * tree.measures[seat * FEATURES + feature]
        if tree.settings[NOISE] > 0.0:
            total += tree.settings[NOISE] * (float(next_random(tree.stream) >> np.uint64(11)) / 2.0**52 - 1.0)
        values[seat] = total
        highest = max(highest, total)
    total = 0.0
    for seat in range(seats):
        values[seat] = exp(values[seat] - highest)
        total += values[seat]
    for seat in range(seats):
        values[seat] /= total


@kernel
def draw_results(tree: Tree, position: Position) -> None:
    """Draw results in place until a seat acts or the game is over."""
    while position[REASON] == 0 and is_chance_acting(position):
        count = legal_steps(position, tree.results)
        apply_step(position, pick_result(position, tree.stream, tree.results, count))


@kernel
def evaluate_expected(tree: Tree, position: Position, values: Floats) -> None:
    """Write the evaluation of a position; if chance acts, the mean after some results."""
    if position[REASON] != 0 or not is_chance_acting(position):
        evaluate(tree, position, values)
        return
    values[:] = 0.0
    samples = int(tree.settings[SAMPLES])
    is_irrelevant = is_irrelevant_draw(position)
    for number in range(samples):
        if number > 0 and is_irrelevant:
            pick_result(position, tree.stream, tree.results, legal_steps(position, tree.results))  # and keep the first
        else:
            copy_array(tree.sample, position)
            draw_results(tree, tree.sample)
        evaluate(tree, tree.sample, tree.sample_values)
        for seat in range(values.size):
            values[seat] += tree.sample_values[seat] / samples


@kernel
def evaluate_trial(tree: Tree) -> None:
    """Write the evaluation of `trial` to `trial_values`: that of its best step if it is not quiet."""
    if tree.trial[REASON] != 0 or is_chance_acting(tree.trial) or is_quiet(tree.trial):
        evaluate_expected(tree, tree.trial, tree.trial_values)
        return
    seat = tree.trial[SEAT]
    highest = -np.inf
    for index in range(legal_steps(tree.trial, tree.more)):
        copy_array(tree.ahead, tree.trial)
        apply_step(tree.ahead, tree.more[index])
        evaluate_expected(tree, tree.ahead, tree.ahead_values)
        worth = worth_of_values(tree, seat, tree.ahead_values)
        if worth > highest:
            highest = worth
            copy_values(tree.trial_values, tree.ahead_values)


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
    close_edges(tree, node, first, count)
    for each in range(tree.values.size):
        tree.values[each] = tree.edge_value[first, each]
        tree.node_best[node, each] = tree.values[each]


@kernel
def close_edges(tree: Tree, node: int, first: int, count: int) -> None:
    """Note the edges of a node."""
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
    close_edges(tree, node, first, count)


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
def select_result(tree: Tree, node: int) -> int:
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
    node = 0
    depth = 0
    while is_inner(tree, node, depth):
        if is_chance_acting(tree.position):
            if tree.node_first[node] == NOTHING:
                expand_chance(tree, node)
            node = follow_edge(tree, select_result(tree, node), depth)
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
