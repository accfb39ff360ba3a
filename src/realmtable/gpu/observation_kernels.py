"""Observations of many games on the CPU; `cuda_kernels.py` has the same for a GPU.

`specialise` runs this file once per game, with that game's rules as `GAME`; it is not imported by name.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from realmtable.gpu.array_games import find_planes
from realmtable.kit.compile import kernel
from realmtable.kit.rules import Rules

GAME: Final[Rules] = globals()["GAME"]  # set before this file runs
write_observation = find_planes(GAME).write_observation


@kernel
def observe_all(positions: NDArray[np.int64], planes: NDArray[np.uint8], numbers: NDArray[np.int16]) -> None:
    """Write what the acting seat of each game sees."""
    for game in range(planes.shape[0]):
        write_observation(positions[game], planes[game], numbers[game])
