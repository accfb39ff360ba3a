"""What positions are worth to each seat in a search for several seats.

`specialise` in `several_seats_mcts_kernels.py` runs this file once per game, with that game's kernels as `GAME`. It is
not imported by name.

A value has an entry for every seat: its expected share of the win. The acting seat chooses what is best for itself
(max-n), or, in a paranoid search, all other seats choose what is worst for the seat at the root.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp
from pathlib import Path
from typing import Final, cast

import numpy as np

from realmtable.kit.array_kernels import copy_array
from realmtable.kit.compile import kernel
from realmtable.kit.random_kernels import next_random
from realmtable.kit.rules import Measures, Position, Rules
from realmtable.kit.specialise import specialise
from realmtable.search.several_seats_mcts_tree import IDLE_COST, IS_IDLE, PARANOID, SAMPLES, Tree
from realmtable.search.tree_entries import EVALUATIONS, MIX, NOISE, Floats, Ints

GAME: Final[Rules] = globals()["GAME"]  # set before this file runs

chance_kernels = specialise(Path(__file__).parent.parent / "kit" / "chance_kernels.py", "realmtable.kit", GAME)
is_chance_acting = chance_kernels.is_chance_acting
pick_result = chance_kernels.pick_result
legal_steps = GAME.steps_without_proposals or GAME.legal_steps
apply_step = GAME.apply_step
share_of = cast("Callable[[Position, int], float]", GAME.share_of)
measure = GAME.measure
SEAT: Final = GAME.seat_entry
REASON: Final = GAME.reason_entry
TURNS: Final = GAME.turns_entry
FEATURES: Final = len(GAME.features)


# ---- what a game may leave out


@kernel
def is_always_quiet(position: Position) -> bool:  # noqa: ARG001 - as `Rules.is_quiet`
    """Return True, for games in which all positions can be evaluated."""
    return True


is_quiet = GAME.is_quiet or is_always_quiet


@kernel
def measure_from_scratch(position: Position, measures: Measures, memory: Ints) -> None:  # noqa: ARG001 - the protocol
    """Measure a position without `memory`, for games without an incremental evaluation."""
    measure(position, measures)


measure_changes = GAME.measure_changes or measure_from_scratch


@kernel
def is_never_irrelevant(position: Position) -> bool:  # noqa: ARG001 - as `Rules.is_irrelevant_chance`
    """Return False, for games in which every draw matters."""
    return False


is_irrelevant_chance = GAME.is_irrelevant_chance or is_never_irrelevant


@kernel
def is_never_standstill(before: Position, after: Position) -> bool:  # noqa: ARG001 - as `Rules.is_standstill`
    """Return False, for games in which doing nothing is no different from other turns."""
    return False


is_standstill = GAME.is_standstill or is_never_standstill


@kernel
def copy_values(target: Floats, source: Floats) -> None:
    """Copy a value of every seat."""
    for seat in range(source.size):
        target[seat] = source[seat]


# ---- what values are worth


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


# ---- evaluation


@kernel
def is_idle(tree: Tree, position: Position) -> bool:
    """Whether the seat at the root stands still, and the next turn begins with this position."""
    if tree.settings[IDLE_COST] == 0.0 or position[TURNS] != tree.root[TURNS] + 1:
        return False
    return is_standstill(tree.root, position)


@kernel
def evaluate(tree: Tree, position: Position, values: Floats) -> None:
    """Write the static evaluation of a position: the shares are in proportion to exp of the weighted features."""
    seats = values.size
    if position[REASON] != 0:
        for seat in range(seats):
            values[seat] = share_of(position, seat)
        return
    tree.counters[EVALUATIONS] += 1
    idle_cost = tree.settings[IDLE_COST] if tree.counters[IS_IDLE] or is_idle(tree, position) else 0.0
    measure_changes(position, tree.measures, tree.memory)
    highest = -np.inf
    for seat in range(seats):
        total = 0.0
        for feature in range(FEATURES):
            total += tree.weights[feature] * tree.measures[seat * FEATURES + feature]
        if tree.settings[NOISE] > 0.0:
            total += tree.settings[NOISE] * (float(next_random(tree.stream) >> np.uint64(11)) / 2.0**52 - 1.0)
        if seat == tree.root[SEAT]:
            total -= idle_cost
        values[seat] = total
        highest = max(highest, total)
    total = 0.0
    for seat in range(seats):
        values[seat] = exp(values[seat] - highest)
        total += values[seat]
    for seat in range(seats):
        values[seat] /= total


@kernel
def draw_chance_outcomes(tree: Tree, position: Position) -> None:
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
    is_irrelevant = is_irrelevant_chance(position)
    for number in range(samples):
        if number > 0 and is_irrelevant:
            pick_result(position, tree.stream, tree.results, legal_steps(position, tree.results))  # and keep the first
        else:
            copy_array(tree.sample, position)
            draw_chance_outcomes(tree, tree.sample)
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
