"""Draw results of chance by their weights, for any game with `Rules`.

`specialise` runs this file once per game, with that game's rules as `GAME`; it is not imported by name.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from realmtable.engine.protocol import CHANCE
from realmtable.kit.compile import kernel
from realmtable.kit.random_kernels import random_below
from realmtable.kit.rules import Position, Rules, Steps

GAME: Final[Rules] = globals()["GAME"]  # set before this file runs
SEAT: Final = GAME.seat_entry
HAS_CHANCE: Final = GAME.chance_weight is not None


@kernel
def weigh_equally(position: Position, code: int) -> int:  # noqa: ARG001 - as `Rules.chance_weight`
    """Return 1, for games in which chance never acts."""
    return 1


weight_of = GAME.chance_weight or weigh_equally


@kernel
def is_chance_acting(position: Position) -> bool:
    """Whether chance acts."""
    return bool(HAS_CHANCE and position[SEAT] == CHANCE)


@kernel
def pick_result(position: Position, stream: NDArray[np.uint64], results: Steps, count: int) -> int:
    """Return a random one of the first `count` results."""
    total = 0
    for index in range(count):
        total += weight_of(position, results[index])
    left = random_below(stream, total)
    index = 0
    while left >= weight_of(position, results[index]):
        left -= weight_of(position, results[index])
        index += 1
    return int(results[index])
