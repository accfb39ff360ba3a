"""Perft in a kernel, with a stack of positions instead of recursion."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from realmtable.games.realm.first_state import State
from realmtable.games.realm.layout import MAX_STEPS, POSITION_SIZE
from realmtable.games.realm.legal import legal_steps
from realmtable.games.realm.rules import apply_step
from realmtable.kit.compile import kernel
from realmtable.kit.rules import Position


@kernel
def count_sequences_kernel(start: Position, stack: NDArray[np.int64], lists: NDArray[np.int64], depth: int) -> int:
    """Count the step sequences of length `depth` >= 1; `stack` and `lists` have `depth` rows."""
    lengths = np.zeros(depth, dtype=np.int64)
    taken = np.zeros(depth, dtype=np.int64)
    stack[0] = start
    lengths[0] = legal_steps(start, lists[0])
    total = 0
    level = 0
    while level >= 0:
        if level == depth - 1:
            total += lengths[level]  # the last step need not be played to be counted
            level -= 1
        elif taken[level] == lengths[level]:
            level -= 1
        else:
            stack[level + 1] = stack[level]
            apply_step(stack[level + 1], lists[level, taken[level]])
            taken[level] += 1
            level += 1
            taken[level] = 0
            lengths[level] = legal_steps(stack[level], lists[level])
    return total


def count_sequences(state: State, depth: int) -> int:
    """Count the step sequences of length `depth` from a state."""
    if depth == 0:
        return 1
    stack = np.empty((depth, POSITION_SIZE), dtype=np.int64)
    lists = np.empty((depth, MAX_STEPS), dtype=np.int64)
    return int(count_sequences_kernel(state.position, stack, lists, depth))
