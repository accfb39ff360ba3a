"""Alpha-beta search inside compiled code, for any game whose rules are kernels.

Like `tree.py` this file is run once for each game, with that game's kernels as `GAME`, and not imported by name.

A ply is a step; where one seat takes two in a row nothing changes sides. Values are those of the seat that acts: as
judged within -1 and 1, and beyond that for a win or a loss, the sooner the further. Children are judged to be ordered,
so that the best is likely searched first; at the last ply the first that is good enough ends the look. A table of
positions remembers what was found of them.
"""

from __future__ import annotations

from math import tanh
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from realmtable.kit.array_state import Position
from realmtable.kit.compile import kernel
from realmtable.kit.evaluation import NO_WINNER, Judgement, Measures

GAME: Final[Judgement] = globals()["GAME"]  # is there before this file runs

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

legal_steps = GAME.legal_steps
apply_step = GAME.apply_step
state_key = GAME.key
is_over = GAME.is_over
winner_of = GAME.winner_of
measure = GAME.measure
SEAT: Final = GAME.seat_entry
FEATURES: Final = len(GAME.features)

DEEPEST: Final = 48  # plies
WON: Final = 2.0  # less a little for every ply until then
PLY: Final = 0.01
NARROW: Final = 1e-6  # between two bounds that only ask whether a step is better
BOUND: Final = 3.0  # more than anything is worth
NOTHING: Final = -1
EXACT: Final = 0
AT_LEAST: Final = 1
AT_MOST: Final = 2
LATE: Final = 4  # steps of a list that are searched to the full depth; the others first to one less
LAST: Final = 1  # the depth at which nothing but the steps themselves is judged

# Counters.
NODES: Final = 0  # positions judged
LIMIT: Final = 1  # of nodes, beyond which everything is given up; another thread may lower it
STOPPED: Final = 2
COUNTERS: Final = 3


class Board(NamedTuple):
    """A search: arrays that are made once and filled."""

    positions: Ints  # [DEEPEST + 1, size of a position] the present line
    steps: Ints  # [DEEPEST + 1, room] the steps from each of its positions
    values: Floats  # [DEEPEST + 1, room] and what they are judged to be worth, the best first
    killers: Ints  # [DEEPEST + 1] the step that was good enough when a ply was last the last
    trial: Position
    measures: Measures
    weights: Measures
    drawn: Floats  # [2] what a draw is worth to each seat
    counters: Ints  # [COUNTERS]
    table_key: Ints  # [power of 2]
    table_depth: Ints  # 0 where nothing is known
    table_bound: Ints
    table_value: Floats
    table_step: Ints


# ---- judging


@kernel
def judged(board: Board, position: Position, seat: int, ply: int) -> float:
    """What a position is worth to a seat at a glance."""
    if is_over(position):
        winner = winner_of(position)
        if winner == NO_WINNER:
            return float(board.drawn[seat])
        return WON - PLY * ply if winner == seat else PLY * ply - WON
    measure(position, board.measures)
    total = 0.0
    for feature in range(FEATURES):
        total += board.weights[feature] * board.measures[feature]
    return float(tanh(total) if seat == 0 else -tanh(total))


@kernel
def tried(board: Board, ply: int, step: int) -> float:
    """What the position after a step is worth to who takes it, at a glance; once too many were judged, stop."""
    board.trial[:] = board.positions[ply]
    apply_step(board.trial, step)
    board.counters[NODES] += 1
    if board.counters[NODES] > board.counters[LIMIT]:
        board.counters[STOPPED] = 1
    return judged(board, board.trial, int(board.positions[ply, SEAT]), ply + 1)


@kernel
def put_in_place(steps: Ints, values: Floats, index: int, step: int, value: float) -> None:
    """Put a step with its value where it belongs among the `index` better or equal ones before it."""
    place = index
    while place > 0 and values[place - 1] < value:
        values[place] = values[place - 1]
        steps[place] = steps[place - 1]
        place -= 1
    values[place] = value
    steps[place] = step


@kernel
def list_steps(board: Board, ply: int, first: int) -> int:
    """List the steps of a position by how they are judged, one before all others; how many is returned."""
    steps = board.steps[ply]
    values = board.values[ply]
    count = legal_steps(board.positions[ply], steps)
    for index in range(count):
        step = steps[index]
        value = BOUND if step == first else tried(board, ply, step)
        put_in_place(steps, values, index, step, value)
    return int(count)


@kernel
def bring_forward(steps: Ints, count: int, step: int) -> None:
    """Let a step change places with the first, if it is in the list."""
    for index in range(count):
        if steps[index] == step:
            steps[index] = steps[0]
            steps[0] = step


@kernel
def last_look(board: Board, ply: int, first: int, high: float) -> tuple[float, int]:
    """The best of the steps at the last ply by how they are judged, or the first that is good enough."""
    steps = board.steps[ply]
    count = legal_steps(board.positions[ply], steps)
    bring_forward(steps, count, board.killers[ply])
    bring_forward(steps, count, first)
    best = -BOUND
    best_step = NOTHING
    for index in range(count):
        value = tried(board, ply, steps[index])
        if value > best:
            best = value
            best_step = steps[index]
        if best >= high:
            board.killers[ply] = best_step
            break
        if board.counters[STOPPED]:
            break
    return best, best_step


# ---- the table


@kernel
def recalled(board: Board, slot: int, depth: int, low: float, high: float) -> float:
    """What the table knows of a position, if that is enough to go by; else BOUND."""
    if board.table_depth[slot] >= depth:
        value = board.table_value[slot]
        bound = board.table_bound[slot]
        if bound == EXACT or (bound == AT_LEAST and value >= high) or (bound == AT_MOST and value <= low):
            return float(value)
    return BOUND


@kernel
def note(board: Board, slot: int, key: int, depth: int, step: int, value: float, low: float, high: float) -> None:  # noqa: PLR0913, PLR0917
    """Write into the table what was found of a position between two bounds."""
    board.table_key[slot] = key
    board.table_depth[slot] = depth
    board.table_step[slot] = step
    board.table_value[slot] = value
    board.table_bound[slot] = AT_MOST if value <= low else AT_LEAST if value >= high else EXACT


# ---- searching


@kernel
def go_on(board: Board, ply: int, step: int) -> float:
    """Take a step from a ply to the next; 1 if the same seat acts again, else -1."""
    board.positions[ply + 1] = board.positions[ply]
    apply_step(board.positions[ply + 1], step)
    return 1.0 if board.positions[ply + 1, SEAT] == board.positions[ply, SEAT] else -1.0


@kernel
def lower(side: float, low: float, high: float) -> float:
    """The lower bound as who acts next sees it."""
    return low if side > 0 else -high


@kernel
def upper(side: float, low: float, high: float) -> float:
    """The upper bound as who acts next sees it."""
    return high if side > 0 else -low


@kernel
def descend(board: Board, ply: int, depth: int, low: float, high: float) -> float:
    """What the position at a ply is worth to who acts, searched so deep; exact between the two bounds."""
    position = board.positions[ply]
    if board.counters[STOPPED]:
        return 0.0
    if depth < LAST or ply >= DEEPEST or is_over(position):
        return judged(board, position, int(position[SEAT]), ply)
    key = state_key(position)
    slot = key & (board.table_key.size - 1)
    first = NOTHING
    if board.table_key[slot] == key:
        first = board.table_step[slot]
        known = recalled(board, slot, depth, low, high)
        if known != BOUND:
            return known
    if depth == LAST:
        best, best_step = last_look(board, ply, first, high)
    else:
        best, best_step = best_of(board, ply, depth, first, low, high)
    if not board.counters[STOPPED]:
        note(board, slot, key, depth, best_step, best, low, high)
    return best


@kernel
def best_of(board: Board, ply: int, depth: int, first: int, low: float, high: float) -> tuple[float, int]:
    """The best of the steps at a ply, searched so deep.

    A step behind the first is first asked whether it is better at all, a late one less deeply.
    """
    count = list_steps(board, ply, first)
    best = -BOUND
    best_step = NOTHING
    for index in range(count):
        step = board.steps[ply, index]
        less = 2 if index >= LATE and depth > 2 else 1  # noqa: PLR2004 - deep enough to save something
        value = searched(board, ply, step, index, depth - less, max(low, best), high)
        if less > 1 and value > max(low, best):
            value = searched(board, ply, step, index, depth - 1, max(low, best), high)
        if board.counters[STOPPED]:
            break
        if value > best:
            best = value
            best_step = step
        if best >= high:
            break
    return best, best_step


@kernel
def searched(board: Board, ply: int, step: int, index: int, depth: int, low: float, high: float) -> float:  # noqa: PLR0913, PLR0917
    """What a step at some place of a list is worth to who takes it, searched so deep behind it."""
    side = go_on(board, ply, step)
    if index > 0:
        ceiling = low + NARROW
        value = side * descend(board, ply + 1, depth, lower(side, low, ceiling), upper(side, low, ceiling))
        if value <= low or value >= high:
            return value
    return side * descend(board, ply + 1, depth, lower(side, low, high), upper(side, low, high))


@kernel
def search_root(board: Board, depth: int, steps: Ints, values: Floats, wanted: int) -> int:
    """Search the steps of the root in the order of a list, which is sorted anew; how many were done is returned.

    The values of the best so many are exact, those of the others only not better.
    """
    for index in range(steps.size):
        step = steps[index]
        low = values[wanted - 1] if index >= wanted else -BOUND
        value = searched(board, 0, step, index if index >= wanted else 0, depth - 1, low, BOUND)
        if board.counters[STOPPED]:
            return index
        put_in_place(steps, values, index, step, value)
    return int(steps.size)
