"""Many games in arrays, inside compiled code: start them, check actions, play a step of each, and sample actions.

`specialise` in `vector_env.py` runs this file once per game, with that game's rules as `GAME`; it is not imported by
name. Every kernel works on the games from `first` to `last` - 1 and changes nothing else, so that threads can share the
work and the results do not depend on how they do.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from realmtable.kit.compile import kernel
from realmtable.kit.random_kernels import random_below
from realmtable.kit.rules import NO_WINNER, Position, Rules, Steps
from realmtable.kit.specialise import specialise
from realmtable.rl.vector_batch import NOTHING, Actions, Batch

GAME: Final[Rules] = globals()["GAME"]  # set before this file runs
legal_steps = GAME.legal_steps
apply_step = GAME.apply_step
winner_of = GAME.winner_of
CAPACITY: Final = GAME.step_capacity
SEAT: Final = GAME.seat_entry
REASON: Final = GAME.reason_entry
chance_kernels = specialise(Path(__file__).parent.parent / "kit" / "chance_kernels.py", "realmtable.kit", GAME)
is_chance_acting = chance_kernels.is_chance_acting
pick_result = chance_kernels.pick_result
write_observation = importlib.import_module(f"{GAME.module.rpartition('.')[0]}.planes").write_observation

BLOCK: Final = 16  # games


@kernel
def share_by_winner(position: Position, seat: int) -> float:
    """Return a seat's share of the win in a game for two."""
    winner = winner_of(position)
    if winner == NO_WINNER:
        return 0.5
    return 1.0 if winner == seat else 0.0


share_of = GAME.share_of or share_by_winner


# ---- one game: kernels that get no more arrays than they need, since passing an array takes as long as a small step


@kernel
def draw_results(position: Position, stream: NDArray[np.uint64], out: Steps) -> None:
    """Draw results of chance until a seat is to act or the game is over."""
    while position[REASON] == 0 and is_chance_acting(position):
        apply_step(position, pick_result(position, stream, out, legal_steps(position, out)))


@kernel
def start_game(position: Position, start: Position, stream: NDArray[np.uint64], out: Steps) -> None:
    """Replace a game by a new one."""
    for index in range(start.size):
        position[index] = start[index]
    draw_results(position, stream, out)


@kernel
def replace_list(listed: Actions, before: int, out: Steps, count: int) -> None:
    """Replace a list of `before` actions by the first `count` steps of `out`."""
    for index in range(count):
        listed[index] = out[index]
    for index in range(count, before):
        listed[index] = NOTHING


@kernel
def replace_mask(mask: NDArray[np.bool_], listed: Actions, before: int, out: Steps, count: int) -> None:
    """Replace the mask of the `before` actions in a list by that of the first `count` steps of `out`."""
    for index in range(before):
        mask[listed[index]] = False
    for index in range(count):
        mask[out[index]] = True


@kernel
def write_rewards(position: Position, rewards: NDArray[np.float32]) -> None:
    """Write what each seat gets at the end: 1 for the only winner, the others share -1, and equal seats get 0."""
    seats = rewards.size
    for seat in range(seats):
        rewards[seat] = (share_of(position, seat) * seats - 1.0) / (seats - 1)


@kernel
def is_listed(listed: Actions, count: int, action: int) -> bool:
    """Whether an action is among the first `count` of a list."""
    low, high = 0, count
    while low < high:
        middle = (low + high) >> 1
        if listed[middle] < action:
            low = middle + 1
        else:
            high = middle
    return bool(low < count and listed[low] == action)


# ---- games from `first` to `last` - 1


@kernel
def find_illegal(batch: Batch, actions: Actions, first: int, last: int) -> int:
    """Return the first game whose action is illegal, or NOTHING."""
    for game in range(first, last):
        action = int(actions[game])
        if action != batch.drawn[game] and not is_listed(batch.legal_list[game], int(batch.legal_count[game]), action):
            return game
    return NOTHING


@kernel
def play_actions(batch: Batch, actions: Actions, first: int, last: int, out: Steps) -> None:
    """Play an action in each game, or start it again if the action is NOTHING; give rewards where a game ends."""
    seats = batch.rewards.shape[1]
    for game in range(first, last):
        position = batch.positions[game]
        stream = batch.chance_streams[game : game + 1]
        length = 0 if batch.terminated[game] or batch.truncated[game] else int(batch.lengths[game])
        action = int(actions[game])
        if length == 0 or action == NOTHING:
            for seat in range(seats):
                batch.rewards[game, seat] = 0.0
        reason = 0
        cut = False
        if action == NOTHING:
            length = 0
            start_game(position, batch.start, stream, out)
        else:
            length += 1
            apply_step(position, action)
            draw_results(position, stream, out)
            reason = int(position[REASON])
            cut = reason == 0 and 0 < batch.max_steps <= length
            if reason != 0:
                write_rewards(position, batch.rewards[game])
            if reason != 0 or cut:
                start_game(position, batch.start, stream, out)
        batch.lengths[game] = length
        batch.terminated[game] = reason != 0
        batch.truncated[game] = cut
        batch.reasons[game] = reason


@kernel
def list_actions(batch: Batch, first: int, last: int, out: Steps) -> None:
    """Write each game's acting seat, its legal actions, a random one of them, and what the seat sees."""
    has_masks = batch.legal_mask.shape[1] > 0
    has_observations = batch.planes.shape[1] > 0
    for game in range(first, last):
        position = batch.positions[game]
        count = legal_steps(position, out)
        before = int(batch.legal_count[game])
        if has_masks:
            replace_mask(batch.legal_mask[game], batch.legal_list[game], before, out, count)
        replace_list(batch.legal_list[game], before, out, count)
        batch.legal_count[game] = count
        batch.seats[game] = position[SEAT]
        batch.drawn[game] = out[random_below(batch.sample_streams[game : game + 1], count)]
        if has_observations:
            write_observation(position, batch.planes[game], batch.numbers[game])


@kernel
def step_games(batch: Batch, actions: Actions, first: int, last: int) -> None:
    """Play a legal action in each game, or start it again if the action is NOTHING, and write what can be done then.

    The two kinds of work alternate after a few games, which took 5% to 30% less time in trials than after every game:
    the processor predicts branches better, and positions are still in its cache. The only allocation is here, because a
    kernel that has one counts the references to every array it uses, which took as long as a step of Classic Realm.
    """
    out = np.empty(CAPACITY, dtype=np.int64)
    for block in range(first, last, BLOCK):
        end = min(block + BLOCK, last)
        play_actions(batch, actions, block, end, out)
        list_actions(batch, block, end, out)


@kernel
def draw_actions(batch: Batch, first: int, last: int) -> None:
    """Draw a random legal action for each game."""
    for game in range(first, last):
        index = random_below(batch.sample_streams[game : game + 1], int(batch.legal_count[game]))
        batch.drawn[game] = batch.legal_list[game, index]
