"""One step of one of many games, for any game with `Rules`: the same function runs on the CPU and on a GPU.

`specialise` runs this file once per game, with that game's rules as `GAME`; it is not imported by name.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

import realmtable.kit
from realmtable.gpu.actions import CUT, GOES_ON, REFUSED, RESET
from realmtable.kit.compile import kernel
from realmtable.kit.playouts import CHOICES, DRAWS, REASONS0, STEPS, TURNS_PLAYED, WINS0
from realmtable.kit.random_kernels import random_below
from realmtable.kit.rules import NO_WINNER, Position, Rules
from realmtable.kit.rules import Steps as StepNumbers
from realmtable.kit.specialise import specialise

GAME: Final[Rules] = globals()["GAME"]  # set before this file runs
legal_steps = GAME.legal_steps
steps_of_playouts = GAME.steps_without_proposals or legal_steps  # random players would agree to anything at once
apply_step = GAME.apply_step
winner_of = GAME.winner_of
SEAT: Final = GAME.seat_entry
TURNS: Final = GAME.turns_entry
REASON: Final = GAME.reason_entry
WIN_CUTS_TURN: Final = GAME.win_cuts_turn
HAS_SHARES: Final = GAME.share_of is not None
chance_kernels = specialise(Path(realmtable.kit.__file__).with_name("chance_kernels.py"), "realmtable.kit", GAME)
is_chance_acting = chance_kernels.is_chance_acting
pick_result = chance_kernels.pick_result


@kernel
def copy_start(position: Position, start: Position) -> None:
    """Copy the first position; `start` has only the entries that distinguish states."""
    for index in range(start.size):
        position[index] = start[index]


@kernel
def draw_results(position: Position, stream: NDArray[np.uint64], out: StepNumbers) -> None:
    """Draw results of chance until a seat is to act or the game is over."""
    while position[REASON] == 0 and is_chance_acting(position):
        apply_step(position, pick_result(position, stream, out, legal_steps(position, out)))


@kernel
def is_listed(steps: StepNumbers, count: int, code: int) -> bool:
    """Whether a code is among the first `count` of a list in ascending order."""
    low = 0
    high = count
    while low < high:
        middle = (low + high) // 2
        if steps[middle] < code:
            low = middle + 1
        else:
            high = middle
    return bool(low < count and steps[low] == code)


@kernel
def share_equally(position: Position, seat: int) -> float:  # noqa: ARG001 - as `Rules.share_of`
    """Return one half, for games for two, which have a winner instead of shares."""
    return 0.5


share_of = GAME.share_of or share_equally


@kernel
def write_rewards(position: Position, rewards: NDArray[np.float32]) -> None:
    """Write what each seat gets at the end: 1 for the only winner, the others share -1, and equal seats get 0."""
    seats = rewards.size
    winner = NO_WINNER if HAS_SHARES else winner_of(position)
    for seat in range(seats):
        if HAS_SHARES:
            rewards[seat] = (share_of(position, seat) * seats - 1.0) / (seats - 1)
        elif winner != NO_WINNER:
            rewards[seat] = 1.0 if seat == winner else -1.0


@kernel
def take_step(  # noqa: PLR0913, PLR0917 - a GPU takes arrays one by one
    position: Position,
    start: Position,
    stream: NDArray[np.uint64],
    action: int,
    legal: StepNumbers,
    rewards: NDArray[np.float32],
    is_last: bool,
) -> int:
    """Take a legal action, or RESET; start again after the end, or if it is the last one. Return how it has ended."""
    reason = GOES_ON
    if action != RESET:
        apply_step(position, action)
        draw_results(position, stream, legal)
        reason = int(position[REASON])
        if reason != GOES_ON:
            write_rewards(position, rewards)
        elif is_last:
            reason = CUT
    if action == RESET or reason != GOES_ON:
        copy_start(position, start)
        draw_results(position, stream, legal)
    return reason


@kernel
def take_one(  # noqa: PLR0913, PLR0917 - a GPU takes arrays one by one
    game: int,
    positions: NDArray[np.int64],
    start: Position,
    chance_streams: NDArray[np.uint64],
    actions: NDArray[np.int32],
    legal_list: NDArray[np.int32],
    legal_count: NDArray[np.int32],
    drawn: NDArray[np.int32],
    rewards: NDArray[np.float32],
    reasons: NDArray[np.int8],
    lengths: NDArray[np.int32],
    max_steps: int,
) -> None:
    """Take a step in one game: an action that is legal, or RESET."""
    for seat in range(rewards.shape[1]):
        rewards[game, seat] = 0.0
    action = int(actions[game])
    length = 0 if reasons[game] > 0 or reasons[game] == CUT or action == RESET else int(lengths[game])
    is_known = action == RESET or action == drawn[game]
    if not is_known and not is_listed(legal_list[game], int(legal_count[game]), action):
        reasons[game] = REFUSED
    else:
        length += 0 if action == RESET else 1
        reasons[game] = take_step(
            positions[game],
            start,
            chance_streams[game : game + 1],
            action,
            legal_list[game],
            rewards[game],
            0 < max_steps <= length,
        )
    lengths[game] = length


@kernel
def list_one(  # noqa: PLR0913, PLR0917 - a GPU takes arrays one by one
    game: int,
    positions: NDArray[np.int64],
    legal_list: NDArray[np.int32],
    legal_count: NDArray[np.int32],
    sample_streams: NDArray[np.uint64],
    drawn: NDArray[np.int32],
    seats: NDArray[np.int32],
    reasons: NDArray[np.int8],
) -> None:
    """List the legal actions of one game and draw one of them, unless the latest was refused."""
    if reasons[game] != REFUSED:
        count = legal_steps(positions[game], legal_list[game])
        legal_count[game] = count
        drawn[game] = legal_list[game, random_below(sample_streams[game : game + 1], count)]
        seats[game] = positions[game, SEAT]


@kernel
def step_all(  # noqa: PLR0913, PLR0917 - a GPU takes arrays one by one
    positions: NDArray[np.int64],
    start: Position,
    chance_streams: NDArray[np.uint64],
    sample_streams: NDArray[np.uint64],
    actions: NDArray[np.int32],
    legal_list: NDArray[np.int32],
    legal_count: NDArray[np.int32],
    drawn: NDArray[np.int32],
    seats: NDArray[np.int32],
    rewards: NDArray[np.float32],
    reasons: NDArray[np.int8],
    lengths: NDArray[np.int32],
    max_steps: int,
) -> None:
    """Take a step in each game, on the CPU."""
    for game in range(actions.size):
        take_one(
            game,
            positions,
            start,
            chance_streams,
            actions,
            legal_list,
            legal_count,
            drawn,
            rewards,
            reasons,
            lengths,
            max_steps,
        )
        list_one(game, positions, legal_list, legal_count, sample_streams, drawn, seats, reasons)


@kernel
def play_step(
    position: Position, stream: NDArray[np.uint64], out: StepNumbers, numbers: NDArray[np.int64]
) -> None:  # fmt: skip
    """Play one random step, or a result of chance, of a playout."""
    count = steps_of_playouts(position, out)
    if is_chance_acting(position):
        apply_step(position, pick_result(position, stream, out, count))
    else:
        apply_step(position, out[random_below(stream, count)])
        numbers[CHOICES] += count
    numbers[STEPS] += 1


@kernel
def add_result(position: Position, numbers: NDArray[np.int64]) -> None:
    """Add how a playout ended."""
    winner = winner_of(position)
    numbers[TURNS_PLAYED] += position[TURNS] + (WIN_CUTS_TURN and winner != NO_WINNER)
    numbers[REASONS0 + position[REASON]] += 1
    numbers[DRAWS if winner == NO_WINNER else WINS0 + winner] += 1
