"""Steps of many games in arrays: the same functions play on the CPU, many games a call, and on a GPU, one a thread.

`specialise` runs this file once per game, with that game's rules as `GAME`; it is not imported by name. Every kernel
works on the games from `first` to `last` - 1 and changes nothing else, so that threads can share the work and the
results do not depend on how they do.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from realmtable.kit.compile import kernel
from realmtable.kit.random_kernels import random_below
from realmtable.kit.rules import NO_WINNER, Position, Rules, Steps
from realmtable.kit.specialise import specialise
from realmtable.kit.vector_batch import NOTHING, REFUSED, RESET, Actions, Batch

GAME: Final[Rules] = globals()["GAME"]  # set before this file runs
legal_steps = GAME.legal_steps
apply_step = GAME.apply_step
winner_of = GAME.winner_of
SEAT: Final = GAME.seat_entry
REASON: Final = GAME.reason_entry
CAPACITY: Final = GAME.step_capacity
WORKING: Final = CAPACITY if GAME.working_entry is None else GAME.working_entry
chance_kernels = specialise(Path(__file__).with_name("chance_kernels.py"), "realmtable.kit", GAME)
is_chance_acting = chance_kernels.is_chance_acting
pick_result = chance_kernels.pick_result


# ---- one game: kernels that get no more arrays than they need, since passing an array takes as long as a small step


@kernel
def draw_chance_outcomes(position: Position, stream: NDArray[np.uint64], out: Steps, used: int) -> int:
    """Draw results of chance until a seat is to act or the game is over.

    They are listed in `out`, of which the first `used` entries are in use; return how many are afterwards.
    """
    while position[REASON] == 0 and is_chance_acting(position):
        count = legal_steps(position, out)
        apply_step(position, pick_result(position, stream, out, count))
        used = max(used, count)
    return used


@kernel
def copy_start(position: Position, start: Position) -> None:
    """Copy the first position; `start` has only the entries that distinguish states."""
    for index in range(start.size):
        position[index] = start[index]


@kernel
def keep_position(last: Position, position: Position) -> None:
    """Copy a position that is about to be replaced; `last` has only the entries that distinguish states."""
    for index in range(last.size):
        last[index] = position[index]


@kernel
def rank_by_winner(position: Position, seat: int) -> int:
    """Return a seat's rank at the end of a game for two."""
    winner = winner_of(position)
    if winner == NO_WINNER:
        return 1
    return 1 if winner == seat else 2


rank_of = GAME.rank_of or rank_by_winner


@kernel
def write_rewards(position: Position, rewards: NDArray[np.float32]) -> None:
    """Write what each seat gets at the end: 1 for the first place, -1 for the last, and equal steps between.

    Seats that share places share their rewards, as in `rl.episode.rank_rewards`.
    """
    seats = rewards.size
    for seat in range(seats):
        rank = rank_of(position, seat)
        equal = 0
        for other in range(seats):
            if rank_of(position, other) == rank:
                equal += 1
        rewards[seat] = 1.0 - (2.0 * (rank - 1) + equal - 1.0) / (seats - 1.0)


@kernel
def replace_list(listed: Actions, before: int, out: Steps, count: int) -> None:
    """Replace a list of `before` actions by the first `count` steps of `out`."""
    for index in range(count):
        listed[index] = out[index]
    for index in range(count, before):
        listed[index] = NOTHING


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


# ---- games from `first` to `last` - 1, on both kinds of devices


@kernel
def find_illegal(batch: Batch, actions: Actions, first: int, last: int) -> int:
    """Return the first game whose action is not legal, or NOTHING."""
    for game in range(first, last):
        action = int(actions[game])
        if action != batch.drawn[game] and not is_listed(batch.legal_list[game], int(batch.legal_count[game]), action):
            return game
    return NOTHING


@kernel
def refuse_action(batch: Batch, actions: Actions, game: int) -> bool:
    """Mark a game as REFUSED if its action is neither legal nor RESET; return whether it is."""
    if actions[game] == RESET or find_illegal(batch, actions, game, game + 1) == NOTHING:
        return False
    if batch.terminated[game] or batch.truncated[game]:
        batch.lengths[game] = 0
        for seat in range(batch.rewards.shape[1]):
            batch.rewards[game, seat] = 0.0
        batch.actor_rewards[game] = 0.0
    batch.reasons[game] = REFUSED
    batch.terminated[game] = False
    batch.truncated[game] = False
    return True


@kernel
def take_actions(batch: Batch, actions: Actions, first: int, last: int, out: Steps) -> None:
    """Take a legal action in each game, or start it again if the action is RESET; give rewards where a game ends.

    `out` is memory for results of chance; it may be the game's list of legal actions. `legal_count` is then the number
    of its entries that are in use.
    """
    for game in range(first, last):
        position = batch.positions[game]
        stream = batch.chance_streams[game : game + 1]
        used = int(batch.legal_count[game])
        action = int(actions[game])
        length = int(batch.lengths[game])
        if batch.terminated[game] or batch.truncated[game] or action == RESET:
            length = 0
            for seat in range(batch.rewards.shape[1]):
                batch.rewards[game, seat] = 0.0
            batch.actor_rewards[game] = 0.0
        reason = 0
        cut = False
        if action != RESET:
            length += 1
            actor = int(position[SEAT])
            apply_step(position, action)
            used = draw_chance_outcomes(position, stream, out, used)
            reason = int(position[REASON])
            cut = reason == 0 and 0 < batch.max_steps <= length
            if reason != 0:
                write_rewards(position, batch.rewards[game])
                batch.actor_rewards[game] = batch.rewards[game, actor]
            if reason != 0 or cut:
                keep_position(batch.last_positions[game], position)
        if action == RESET or reason != 0 or cut:
            copy_start(position, batch.start)
            used = draw_chance_outcomes(position, stream, out, used)
        batch.legal_count[game] = used
        batch.lengths[game] = length
        batch.terminated[game] = reason != 0
        batch.truncated[game] = cut
        batch.reasons[game] = reason


@kernel
def list_actions(batch: Batch, first: int, last: int, out: Steps) -> None:
    """Write each game's acting seat, its legal actions and a random one of them; `out` is memory for a list.

    On the CPU, lists that are made where the cache has them and then copied took 5% less time than those made in place.
    """
    for game in range(first, last):
        position = batch.positions[game]
        count = legal_steps(position, out)
        replace_list(batch.legal_list[game], int(batch.legal_count[game]), out, count)
        batch.legal_count[game] = count
        batch.seats[game] = position[SEAT]
        batch.drawn[game] = out[random_below(batch.sample_streams[game : game + 1], count)]


@kernel
def list_in_place(batch: Batch, game: int) -> None:
    """Do what `list_actions` does for one game, without other memory, and clear what the rules leave in the list."""
    listed = batch.legal_list[game]
    count = legal_steps(batch.positions[game], listed)
    if count < CAPACITY:
        listed[count] = NOTHING
    for index in range(WORKING, CAPACITY):
        listed[index] = NOTHING
    for index in range(count, int(batch.legal_count[game])):
        listed[index] = NOTHING
    batch.legal_count[game] = count
    batch.seats[game] = batch.positions[game, SEAT]
    batch.drawn[game] = listed[random_below(batch.sample_streams[game : game + 1], count)]


@kernel
def draw_actions(
    sample_streams: NDArray[np.uint64],
    legal_list: NDArray[np.int32],
    legal_count: NDArray[np.int32],
    drawn: Actions,
    first: int,
    last: int,
) -> None:
    """Draw another random legal action for each game."""
    for game in range(first, last):
        drawn[game] = legal_list[game, random_below(sample_streams[game : game + 1], int(legal_count[game]))]
