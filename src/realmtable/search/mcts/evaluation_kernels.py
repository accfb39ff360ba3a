"""What positions are worth to each seat in a search.

`specialise` in `search_kernels.py` runs this file once per game, with that game's kernels as `GAME`. It is not imported
by name.

In a game for two, a value is one number, seat 0's: from -1 for a loss to 1 for a win. With several seats, it has an
entry for every seat: its expected share of the win. The acting seat chooses what is best for itself (max-n), or, in a
paranoid search, all other seats choose what is worst for the seat at the root.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, tanh
from pathlib import Path
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from realmtable.kit.array_kernels import copy_array
from realmtable.kit.compile import kernel
from realmtable.kit.random_kernels import next_random
from realmtable.kit.rules import NO_WINNER, Measures, Position, Rules
from realmtable.kit.specialise import specialise
from realmtable.search.mcts.tree import (
    DRAW_VALUE,
    EVALUATIONS,
    IDLE_COST,
    IS_IDLE,
    NOISE,
    PARANOID,
    SAMPLES,
    Floats,
    Ints,
    Tree,
)

GAME: Final[Rules] = globals()["GAME"]  # set before this file runs
KIT: Final = Path(__file__).parents[2] / "kit"

chance_kernels = specialise(KIT / "chance_kernels.py", "realmtable.kit", GAME)
is_chance_acting = chance_kernels.is_chance_acting
pick_result = chance_kernels.pick_result
legal_steps = GAME.steps_without_proposals or GAME.legal_steps
apply_step = GAME.apply_step
measure = GAME.measure
is_quiet = cast("Callable[[Position], bool]", GAME.is_quiet)  # None if all positions are
winner_of = GAME.winner_of
share_of = cast("Callable[[Position, int], float]", GAME.share_of)  # None in a game for two
FOR_TWO: Final = not GAME.has_several_seats
HAS_CHANCE: Final = GAME.chance_weight is not None
SEAT: Final = GAME.seat_entry
REASON: Final = GAME.reason_entry
TURNS: Final = GAME.turns_entry
FEATURES: Final = len(GAME.features)


# ---- what a game may leave out


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


# ---- what values are worth


@kernel
def count_entries(tree: Tree) -> int:
    """Return how many entries a value has; in a game for two, the compiler knows it."""
    return 1 if FOR_TWO else tree.values.size


@kernel
def copy_value(size: int, target: Floats, to: int, source: Floats, place: int) -> None:
    """Copy the value at a place of one array to a place of another."""
    for entry in range(size):
        target[to * size + entry] = source[place * size + entry]


@kernel
def sign_of(seat: int) -> float:
    """Return 1 for seat 0 and -1 for seat 1, to convert between seat 0's value and the seat's own."""
    return 1.0 - 2.0 * seat


@kernel
def worth_of(tree: Tree, seat: int, sums: Floats, place: int, count: int) -> float:
    """Return what the mean of `count` values, whose sum is at a place of an array, is worth to the acting seat."""
    if FOR_TWO:
        return float(sign_of(seat) * sums[place] / count)
    first = place * tree.values.size
    root = tree.root[SEAT]
    if tree.settings[PARANOID] != 0.0 and seat != root:
        return float(1.0 - sums[first + root] / count)
    return float(sums[first + seat] / count)


# ---- evaluation


@kernel
def write_result_for_two(tree: Tree, position: Position, values: Floats) -> None:
    """Write the value of a finished game for two."""
    winner = winner_of(position)
    values[0] = tree.settings[DRAW_VALUE] if winner == NO_WINNER else sign_of(winner)


@kernel
def write_result_shares(tree: Tree, position: Position, values: Floats) -> None:  # noqa: ARG001 - as for two
    """Write the value of a finished game for several seats."""
    for seat in range(values.size):
        values[seat] = share_of(position, seat)


write_result = write_result_for_two if FOR_TWO else write_result_shares


@kernel
def is_idle(tree: Tree, position: Position) -> bool:
    """Whether the seat at the root stands still, and the next turn begins with this position."""
    if tree.settings[IDLE_COST] == 0.0 or position[TURNS] != tree.root[TURNS] + 1:
        return False
    return is_standstill(tree.root, position)


@kernel
def weigh_measures(weights: Floats, measures: Measures, seat: int) -> float:
    """Return the weighted sum of a seat's measures."""
    total = 0.0
    for feature in range(FEATURES):
        total += weights[feature] * measures[seat * FEATURES + feature]
    return total


@kernel
def draw_noise(amount: float, stream: NDArray[np.uint64]) -> float:
    """Return the noise of an evaluation."""
    if amount <= 0.0:
        return 0.0
    return float(amount * (float(next_random(stream) >> np.uint64(11)) / 2.0**52 - 1.0))


@kernel
def evaluate_for_two(tree: Tree, position: Position, values: Floats) -> None:
    """Write the static evaluation of a position in a game for two."""
    if position[REASON] != 0:
        write_result(tree, position, values)
        return
    tree.counters[EVALUATIONS] += 1
    measure_changes(position, tree.measures, tree.memory)
    noise = draw_noise(tree.settings[NOISE], tree.stream)
    values[0] = 0.999 * tanh(weigh_measures(tree.weights, tree.measures, 0) + noise)


@kernel
def evaluate_shares(tree: Tree, position: Position, values: Floats) -> None:
    """Write the static evaluation of a position: the shares are in proportion to exp of the weighted measures."""
    if position[REASON] != 0:
        write_result(tree, position, values)
        return
    tree.counters[EVALUATIONS] += 1
    idle_cost = tree.settings[IDLE_COST] if tree.counters[IS_IDLE] or is_idle(tree, position) else 0.0
    measure_changes(position, tree.measures, tree.memory)
    highest = -np.inf
    for seat in range(values.size):
        total = weigh_measures(tree.weights, tree.measures, seat) + draw_noise(tree.settings[NOISE], tree.stream)
        if seat == tree.root[SEAT]:
            total -= idle_cost
        values[seat] = total
        highest = max(highest, total)
    total = 0.0
    for seat in range(values.size):
        values[seat] = exp(values[seat] - highest)
        total += values[seat]
    for seat in range(values.size):
        values[seat] /= total


evaluate = evaluate_for_two if FOR_TWO else evaluate_shares


@kernel
def draw_chance_outcomes(tree: Tree, position: Position) -> None:
    """Draw results in place until a seat acts or the game is over."""
    while position[REASON] == 0 and is_chance_acting(position):
        count = legal_steps(position, tree.results)
        apply_step(position, pick_result(position, tree.stream, tree.results, count))


@kernel
def evaluate_with_chance(tree: Tree, position: Position, values: Floats) -> None:
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
        for entry in range(values.size):
            values[entry] += tree.sample_values[entry] / samples


evaluate_expected = evaluate_with_chance if HAS_CHANCE else evaluate


@kernel
def evaluate_when_quiet(tree: Tree, position: Position, values: Floats) -> None:
    """Write the evaluation of a position: that of its best step if it is not quiet."""
    if position[REASON] != 0 or is_chance_acting(position) or is_quiet(position):
        evaluate_expected(tree, position, values)
        return
    seat = position[SEAT]
    highest = -np.inf
    for index in range(legal_steps(position, tree.more)):
        copy_array(tree.ahead, position)
        apply_step(tree.ahead, tree.more[index])
        evaluate_expected(tree, tree.ahead, tree.ahead_values)
        worth = worth_of(tree, seat, tree.ahead_values, 0, 1)
        if worth > highest:
            highest = worth
            copy_value(values.size, values, 0, tree.ahead_values, 0)


evaluate_step = evaluate_expected if GAME.is_quiet is None else evaluate_when_quiet
