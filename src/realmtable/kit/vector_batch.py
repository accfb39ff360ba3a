"""The arrays of many games that are played side by side, on the CPU or on a GPU.

All games share this one class: Numba finds the machine code for arguments by their types and takes classes with equal
fields for equal, so that with a class for each game every call but those of the first game would be looked up slowly.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from realmtable.kit.rules import Position

Actions: TypeAlias = NDArray[np.int32]
NOTHING: Final = -1  # behind the last action of a list
RESET: Final = -(2**31)  # instead of an action: start the game again
REFUSED: Final = -1  # instead of a reason: the action was not legal, and the game is as it was


class Batch(NamedTuple):
    """What a step of many games reads and writes."""

    positions: NDArray[np.int64]  # [games, size]
    start: Position  # [up to size] what a first position holds
    chance_streams: NDArray[np.uint64]  # [games] for results of chance
    sample_streams: NDArray[np.uint64]  # [games] for sampled actions
    legal_list: NDArray[np.int32]  # [games, capacity] the legal actions in ascending order, then NOTHING
    legal_count: NDArray[np.int32]  # [games]
    drawn: Actions  # [games] a random legal action
    seats: NDArray[np.int8]  # [games] the acting seat
    rewards: NDArray[np.float32]  # [games, seats]
    actor_rewards: NDArray[np.float32]  # [games] of the seat that has just acted
    reasons: NDArray[np.int8]  # [games] why the game has just ended; 0 if it goes on
    lengths: NDArray[np.int32]  # [games] actions played in the game, or in the one that has just ended
    terminated: NDArray[np.bool_]  # [games]
    truncated: NDArray[np.bool_]  # [games]
    last_positions: NDArray[np.int64]  # [games, size of start] in which the latest game has ended or was truncated
    max_steps: int  # after which games are truncated; 0 for no limit


class StepOutputs(NamedTuple):
    """The outputs of a step for the agents; arrays that were not requested have zero columns."""

    masks: NDArray[np.bool_]  # [games, actions] whether each action is legal
    planes: NDArray[np.uint8]  # [games, planes * rows * columns]
    numbers: NDArray[np.int16]  # [games, numbers]
