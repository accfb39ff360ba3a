"""Compiled alpha-beta search for any game whose rules are kernels.

Like `mcts/search_kernels.py`, this file runs once per game, with that game's kernels as `GAME`; it is not imported by
name.

A ply is a step; the side changes only if the next step belongs to the other seat. Values are those of the acting seat:
evaluations are between -1 and 1, wins and losses are beyond, and sooner ones further out. Children are ordered by their
evaluation, so that the best is likely searched first; at the last ply, the first one that causes a cutoff ends the
search. A transposition table stores earlier results.
"""

from __future__ import annotations

from math import tanh
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from realmtable.kit.array_kernels import copy_array
from realmtable.kit.compile import kernel
from realmtable.kit.rules import NO_WINNER, Measures, Position, Rules

GAME: Final[Rules] = globals()["GAME"]  # set before this file runs

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

legal_steps = GAME.steps_without_proposals or GAME.legal_steps
apply_step = GAME.apply_step
state_key = GAME.key
winner_of = GAME.winner_of
measure = GAME.measure
SEAT: Final = GAME.seat_entry
REASON: Final = GAME.reason_entry
FEATURES: Final = len(GAME.features)

MAX_PLY: Final = 48
WIN_VALUE: Final = 2.0  # minus PLY_PENALTY for every ply until the win
PLY_PENALTY: Final = 0.01
NULL_WINDOW: Final = 1e-6  # width of a window that only tests whether a step is better
INFINITE: Final = 3.0  # larger than any value
NOTHING: Final = -1
EXACT: Final = 0
AT_LEAST: Final = 1
AT_MOST: Final = 2
FULL_DEPTH_STEPS: Final = 4  # steps searched to full depth; later ones are first searched one ply less deep
LAST_PLY_DEPTH: Final = 1  # the depth at which the steps are only evaluated

# Counters.
NODES: Final = 0  # positions evaluated
LIMIT: Final = 1  # the search stops beyond this many nodes; another thread may lower it
STOPPED: Final = 2
COUNTERS: Final = 3


class SearchArrays(NamedTuple):
    """The arrays of a search, allocated once."""

    positions: Ints  # [MAX_PLY + 1, size of a position] the current line
    steps: Ints  # [MAX_PLY + 1, step capacity] the steps from each of its positions
    values: Floats  # [MAX_PLY + 1, step capacity] and their evaluations, best first
    killers: Ints  # [MAX_PLY + 1] the step that last caused a cutoff at each ply, when it was the last ply
    trial: Position
    measures: Measures
    weights: Measures
    draw_values: Floats  # [2] the value of a draw for each seat
    counters: Ints  # [COUNTERS]
    table_key: Ints  # [power of 2]
    table_depth: Ints  # 0 for an empty slot
    table_bound: Ints
    table_value: Floats
    table_step: Ints


# ---- evaluation


@kernel
def evaluate(board: SearchArrays, position: Position, seat: int, ply: int) -> float:
    """Return the static evaluation of a position for a seat."""
    if position[REASON] != 0:
        winner = winner_of(position)
        if winner == NO_WINNER:
            return float(board.draw_values[seat])
        return WIN_VALUE - PLY_PENALTY * ply if winner == seat else PLY_PENALTY * ply - WIN_VALUE
    measure(position, board.measures)
    total = 0.0
    for feature in range(FEATURES):
        total += board.weights[feature] * board.measures[feature]
    return float(tanh(total) if seat == 0 else -tanh(total))


@kernel
def evaluate_step(board: SearchArrays, ply: int, step: int) -> float:
    """Return the static evaluation of a step for the seat that takes it; set STOPPED past the node limit."""
    copy_array(board.trial, board.positions[ply])
    apply_step(board.trial, step)
    board.counters[NODES] += 1
    if board.counters[NODES] > board.counters[LIMIT]:
        board.counters[STOPPED] = 1
    return evaluate(board, board.trial, int(board.positions[ply, SEAT]), ply + 1)


@kernel
def insert_sorted(steps: Ints, values: Floats, index: int, step: int, value: float) -> None:
    """Insert a step into the sorted list of the `index` steps before it."""
    place = index
    while place > 0 and values[place - 1] < value:
        values[place] = values[place - 1]
        steps[place] = steps[place - 1]
        place -= 1
    values[place] = value
    steps[place] = step


@kernel
def list_steps(board: SearchArrays, ply: int, first: int) -> int:
    """List the steps at a ply by evaluation, with `first` at the front, and return their number."""
    steps = board.steps[ply]
    values = board.values[ply]
    count = legal_steps(board.positions[ply], steps)
    for index in range(count):
        step = steps[index]
        value = INFINITE if step == first else evaluate_step(board, ply, step)
        insert_sorted(steps, values, index, step, value)
    return int(count)


@kernel
def move_to_front(steps: Ints, count: int, step: int) -> None:
    """Swap a step with the first one, if it is in the list."""
    for index in range(count):
        if steps[index] == step:
            steps[index] = steps[0]
            steps[0] = step


@kernel
def search_last_ply(board: SearchArrays, ply: int, first: int, high: float) -> tuple[float, int]:
    """Return the best step at the last ply by evaluation, or the first that causes a cutoff."""
    steps = board.steps[ply]
    count = legal_steps(board.positions[ply], steps)
    move_to_front(steps, count, board.killers[ply])
    move_to_front(steps, count, first)
    best = -INFINITE
    best_step = NOTHING
    for index in range(count):
        value = evaluate_step(board, ply, steps[index])
        if value > best:
            best = value
            best_step = steps[index]
        if best >= high:
            board.killers[ply] = best_step
            break
        if board.counters[STOPPED]:
            break
    return best, best_step


# ---- transposition table


@kernel
def probe_table(board: SearchArrays, slot: int, depth: int, low: float, high: float) -> float:
    """Return the table's value of a position if it settles the search, else INFINITE."""
    if board.table_depth[slot] >= depth:
        value = board.table_value[slot]
        bound = board.table_bound[slot]
        if bound == EXACT or (bound == AT_LEAST and value >= high) or (bound == AT_MOST and value <= low):
            return float(value)
    return INFINITE


@kernel
def store_in_table(  # noqa: PLR0913, PLR0917
    board: SearchArrays, slot: int, key: int, depth: int, step: int, value: float, low: float, high: float
) -> None:
    """Store the result of a search between two bounds."""
    board.table_key[slot] = key
    board.table_depth[slot] = depth
    board.table_step[slot] = step
    board.table_value[slot] = value
    board.table_bound[slot] = AT_MOST if value <= low else AT_LEAST if value >= high else EXACT


# ---- searching


@kernel
def make_step(board: SearchArrays, ply: int, step: int) -> float:
    """Apply a step at the next ply; return 1 if the same seat acts again, else -1."""
    copy_array(board.positions[ply + 1], board.positions[ply])
    apply_step(board.positions[ply + 1], step)
    return 1.0 if board.positions[ply + 1, SEAT] == board.positions[ply, SEAT] else -1.0


@kernel
def lower_bound(side: float, low: float, high: float) -> float:
    """The lower bound from the point of view of the next acting seat."""
    return low if side > 0 else -high


@kernel
def upper_bound(side: float, low: float, high: float) -> float:
    """The upper bound from the point of view of the next acting seat."""
    return high if side > 0 else -low


@kernel
def descend(board: SearchArrays, ply: int, depth: int, low: float, high: float) -> float:
    """Search the position at a ply and return its value for the acting seat; exact between the two bounds."""
    position = board.positions[ply]
    if board.counters[STOPPED]:
        return 0.0
    if depth < LAST_PLY_DEPTH or ply >= MAX_PLY or position[REASON] != 0:
        return evaluate(board, position, int(position[SEAT]), ply)
    key = state_key(position)
    slot = key & (board.table_key.size - 1)
    first = NOTHING
    if board.table_key[slot] == key:
        first = board.table_step[slot]
        known = probe_table(board, slot, depth, low, high)
        if known != INFINITE:
            return known
    if depth == LAST_PLY_DEPTH:
        best, best_step = search_last_ply(board, ply, first, high)
    else:
        best, best_step = search_steps(board, ply, depth, first, low, high)
    if not board.counters[STOPPED]:
        store_in_table(board, slot, key, depth, best_step, best, low, high)
    return best


@kernel
def search_steps(board: SearchArrays, ply: int, depth: int, first: int, low: float, high: float) -> tuple[float, int]:
    """Search the steps at a ply and return the best value and step.

    Steps after the first are tested with a null window; late ones are first searched less deeply.
    """
    count = list_steps(board, ply, first)
    best = -INFINITE
    best_step = NOTHING
    for index in range(count):
        step = board.steps[ply, index]
        less = 2 if index >= FULL_DEPTH_STEPS and depth > 2 else 1  # noqa: PLR2004 - deep enough for a reduction
        value = search_step(board, ply, step, index, depth - less, max(low, best), high)
        if less > 1 and value > max(low, best):
            value = search_step(board, ply, step, index, depth - 1, max(low, best), high)
        if board.counters[STOPPED]:
            break
        if value > best:
            best = value
            best_step = step
        if best >= high:
            break
    return best, best_step


@kernel
def search_step(board: SearchArrays, ply: int, step: int, index: int, depth: int, low: float, high: float) -> float:  # noqa: PLR0913, PLR0917
    """Return the value of a step for the seat that takes it; `index` is its place in the list."""
    if board.counters[STOPPED]:
        return 0.0  # without a return before the recursion, Numba cannot infer its type
    side = make_step(board, ply, step)
    if index > 0:
        ceiling = low + NULL_WINDOW
        value = side * descend(board, ply + 1, depth, lower_bound(side, low, ceiling), upper_bound(side, low, ceiling))
        if value <= low or value >= high:
            return value
    return side * descend(board, ply + 1, depth, lower_bound(side, low, high), upper_bound(side, low, high))


@kernel
def search_root(board: SearchArrays, depth: int, steps: Ints, values: Floats) -> int:
    """Search the root's steps in the given order, re-sort them, and return how many were searched.

    The value of the best step is exact; the others are upper bounds.
    """
    for index in range(steps.size):
        step = steps[index]
        low = values[0] if index > 0 else -INFINITE
        value = search_step(board, 0, step, index, depth - 1, low, INFINITE)
        if board.counters[STOPPED]:
            return index
        insert_sorted(steps, values, index, step, value)
    return int(steps.size)
