"""The arrays of a vector environment.

All games share this one class: Numba finds the machine code for arguments by their types and takes classes with equal
fields for equal, so that with a class for each game every call but those of the first game would be looked up slowly.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from realmtable.kit.rules import Position

Actions: TypeAlias = NDArray[np.int32]
NOTHING: Final = -1  # instead of an action


class Batch(NamedTuple):
    """The arrays of all games. Masks, planes and numbers have no columns if they are not wanted."""

    start: Position  # [up to size] what a first position holds
    positions: NDArray[np.int64]  # [games, size]
    chance_streams: NDArray[np.uint64]  # [games] for results of chance
    sample_streams: NDArray[np.uint64]  # [games] for sampled actions
    seats: NDArray[np.int8]  # [games] the acting seat
    legal_list: NDArray[np.int32]  # [games, capacity] the legal actions in ascending order, then NOTHING
    legal_count: NDArray[np.int32]  # [games]
    legal_mask: NDArray[np.bool_]  # [games, actions]
    planes: NDArray[np.uint8]  # [games, planes * rows * columns]
    numbers: NDArray[np.int16]  # [games, numbers]
    rewards: NDArray[np.float32]  # [games, seats]
    terminated: NDArray[np.bool_]  # [games]
    truncated: NDArray[np.bool_]  # [games]
    reasons: NDArray[np.int8]  # [games] why the game has just ended; 0 if it goes on
    lengths: NDArray[np.int32]  # [games] actions played in the game, or in the one that has just ended
    drawn: Actions  # [games] a random legal action
    max_steps: int  # after which games are truncated; 0 for no limit
