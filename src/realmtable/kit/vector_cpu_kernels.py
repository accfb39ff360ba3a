"""Steps of many games on the CPU, together with masks and observations; `vector_kernels.py` plays them.

`specialise` runs this file once per game, with that game's rules as `GAME`; it is not imported by name.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from realmtable.kit.compile import kernel
from realmtable.kit.rules import Rules
from realmtable.kit.specialise import specialise
from realmtable.kit.vector_batch import Actions, Batch, StepOutputs

GAME: Final[Rules] = globals()["GAME"]  # set before this file runs
vector_kernels = specialise(Path(__file__).with_name("vector_kernels.py"), "realmtable.kit", GAME)
find_illegal = vector_kernels.find_illegal
take_actions = vector_kernels.take_actions
list_actions = vector_kernels.list_actions
draw_actions = vector_kernels.draw_actions
write_observation = importlib.import_module(f"{GAME.module.rpartition('.')[0]}.planes").write_observation

CAPACITY: Final = GAME.step_capacity
BLOCK: Final = 16  # games


@kernel
def mark_actions(masks: NDArray[np.bool_], batch: Batch, first: int, last: int, legal: bool) -> None:
    """Write whether the listed actions of games are legal; the others stay as they are."""
    for game in range(first, last):
        for index in range(batch.legal_count[game]):
            masks[game, batch.legal_list[game, index]] = legal


@kernel
def observe_games(positions: NDArray[np.int64], planes: NDArray[np.uint8], numbers: NDArray[np.int16]) -> None:
    """Write what the acting seat of each position sees."""
    for index in range(positions.shape[0]):
        write_observation(positions[index], planes[index], numbers[index])


@kernel
def step_games(batch: Batch, actions: Actions, outputs: StepOutputs, first: int, last: int) -> None:
    """Take a legal action in each game, or start it again if the action is RESET, and write what can be done then.

    The kinds of work alternate after a few games,
    which took 5% to 30% less time in trials than after every game: the processor predicts branches better, and
    positions are still in its cache. The only allocation is here, because a kernel that has one counts the references
    to every array it uses, which took as long as a step of a small game.
    """
    out = np.empty(CAPACITY, dtype=np.int64)
    has_masks = outputs.masks.shape[1] > 0
    has_observations = outputs.planes.shape[1] > 0
    for block in range(first, last, BLOCK):
        end = min(block + BLOCK, last)
        if has_masks:
            mark_actions(outputs.masks, batch, block, end, False)
        take_actions(batch, actions, block, end, out)
        list_actions(batch, block, end, out)
        if has_masks:
            mark_actions(outputs.masks, batch, block, end, True)
        if has_observations:
            for game in range(block, end):
                write_observation(batch.positions[game], outputs.planes[game], outputs.numbers[game])
