"""Whole random games inside compiled code, for any game with `Rules`.

`specialise` runs this file once per game, with that game's rules as `GAME`; it is not imported by name.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from realmtable.kit.array_kernels import copy_array
from realmtable.kit.compile import kernel
from realmtable.kit.playouts import CHOICES, DRAWS, REASONS0, STEPS, TURNS_PLAYED, WINS0
from realmtable.kit.random_kernels import random_below
from realmtable.kit.rules import NO_WINNER, Position, Rules
from realmtable.kit.rules import Steps as StepNumbers
from realmtable.kit.specialise import specialise

GAME: Final[Rules] = globals()["GAME"]  # set before this file runs
list_steps = GAME.steps_without_proposals or GAME.legal_steps  # random players would agree to anything at once
apply_step = GAME.apply_step
winner_of = GAME.winner_of
CAPACITY: Final = GAME.step_capacity
TURNS: Final = GAME.turns_entry
REASON: Final = GAME.reason_entry
WIN_CUTS_TURN: Final = GAME.win_cuts_turn
chance_kernels = specialise(Path(__file__).with_name("chance_kernels.py"), "realmtable.kit", GAME)
is_chance_acting = chance_kernels.is_chance_acting
pick_result = chance_kernels.pick_result


@kernel
def play_step(
    position: Position, stream: NDArray[np.uint64], out: StepNumbers, numbers: NDArray[np.int64]
) -> None:  # fmt: skip
    """Play one uniformly random step, or a result of chance by its weight, and add to the numbers."""
    count = list_steps(position, out)
    if is_chance_acting(position):
        apply_step(position, pick_result(position, stream, out, count))
    else:
        apply_step(position, out[random_below(stream, count)])
        numbers[CHOICES] += count
    numbers[STEPS] += 1


@kernel
def add_result(position: Position, numbers: NDArray[np.int64]) -> None:
    """Add how a game has ended."""
    winner = winner_of(position)
    numbers[TURNS_PLAYED] += position[TURNS] + (WIN_CUTS_TURN and winner != NO_WINNER)
    numbers[REASONS0 + position[REASON]] += 1
    numbers[DRAWS if winner == NO_WINNER else WINS0 + winner] += 1


@kernel
def play_many(start: Position, seeds: NDArray[np.uint64], numbers: NDArray[np.int64]) -> None:
    """Play one random game from a position for each seed; no seed may be 0."""
    out = np.empty(CAPACITY, dtype=np.int64)
    stream = np.empty(1, dtype=np.uint64)
    position = np.empty_like(start)
    for index in range(seeds.size):
        stream[0] = seeds[index]
        copy_array(position, start)
        while position[REASON] == 0:
            play_step(position, stream, out, numbers)
        add_result(position, numbers)
