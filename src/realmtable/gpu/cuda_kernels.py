"""The entry points of a GPU: one thread per game, which calls the kernels of `kit` for that game alone.

`specialise` runs this file once per game, with that game's rules as `GAME`; it is not imported by name.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
from numba import cuda

import realmtable.kit
from realmtable.gpu.array_games import find_planes
from realmtable.kit.playouts import PLAYOUT_SOURCE
from realmtable.kit.rules import Rules
from realmtable.kit.specialise import specialise
from realmtable.kit.vector_batch import REFUSED, Batch

GAME: Final[Rules] = globals()["GAME"]  # set before this file runs
vector_kernels = specialise(Path(realmtable.kit.__file__).with_name("vector_kernels.py"), "realmtable.kit", GAME)
refuse_action = vector_kernels.refuse_action
take_actions = vector_kernels.take_actions
list_in_place = vector_kernels.list_in_place
draw_actions = vector_kernels.draw_actions
copy_start = vector_kernels.copy_start
playout_kernels = specialise(PLAYOUT_SOURCE, "realmtable.kit", GAME)
play_step = playout_kernels.play_step
add_result = playout_kernels.add_result
write_observation = find_planes(GAME).write_observation
REASON: Final = GAME.reason_entry
PHASE: Final = GAME.seat_entry if GAME.phase_entry is None else GAME.phase_entry
NUMBERS: Final = 32  # at most, of a playout
BLOCK: Final = 256  # threads that sort their games together
GROUPS: Final = 17  # the phases of a game, and one for threads without a game
IDLE: Final = GROUPS - 1
SIZES: Final = 16  # of lists, in powers of two
ORDERED_GROUPS: Final = (GROUPS - 1) * SIZES

Array = Any  # on the device


def step_games(actions: Array, batch: Batch) -> None:
    """Take a step in each game."""
    game = cuda.grid(1)
    if game < actions.size and not refuse_action(batch, actions, game):
        take_actions(batch, actions, game, game + 1, batch.legal_list[game])
        list_in_place(batch, game)


# ---- a step in games that are ordered by phase, so that neighbouring threads do the same: five kernels, in this order


def take_games(actions: Array, order: Array, batch: Batch) -> None:
    """Take the actions, in the order of the latest lists: games of one group were listed side by side."""
    index = cuda.grid(1)
    if index < actions.size:
        game = order[index]
        if not refuse_action(batch, actions, game):
            take_actions(batch, actions, game, game + 1, batch.legal_list[game])


def choose_group(phase: int, used: int) -> int:
    """Return the group of a game: by its phase, and by how many entries of its list are in use, as a power of two."""
    size = 0
    while used > 0 and size < SIZES - 1:
        used >>= 1
        size += 1
    return int(phase) * SIZES + size


group_of = cuda.jit(choose_group, device=True)


def count_groups(positions: Array, legal_count: Array, sizes: Array) -> None:
    """Count the games of each group. A block counts its own first, so that few threads wait for each other."""
    own = cuda.shared.array(ORDERED_GROUPS, np.int32)
    for group in range(cuda.threadIdx.x, ORDERED_GROUPS, cuda.blockDim.x):
        own[group] = 0
    cuda.syncthreads()
    game = cuda.grid(1)
    if game < legal_count.size:
        cuda.atomic.add(own, group_of(positions[game, PHASE], legal_count[game]), 1)
    cuda.syncthreads()
    for group in range(cuda.threadIdx.x, ORDERED_GROUPS, cuda.blockDim.x):
        if own[group] != 0:
            cuda.atomic.add(sizes, group, own[group])


def place_groups(sizes: Array, places: Array) -> None:
    """Find the place of each group's first game, in one block, and clear the sizes."""
    sums = cuda.shared.array(BLOCK, np.int32)
    thread = cuda.threadIdx.x
    span = ORDERED_GROUPS // cuda.blockDim.x
    total = 0
    for group in range(thread * span, (thread + 1) * span):
        total += sizes[group]
    sums[thread] = total
    cuda.syncthreads()
    place = 0
    for before in range(thread):
        place += sums[before]
    for group in range(thread * span, (thread + 1) * span):
        places[group] = place
        place += sizes[group]
        sizes[group] = 0


def order_games(positions: Array, legal_count: Array, places: Array, order: Array) -> None:
    """Write the games group by group. Which game of a group comes first changes no result."""
    own = cuda.shared.array(ORDERED_GROUPS, np.int32)
    for group in range(cuda.threadIdx.x, ORDERED_GROUPS, cuda.blockDim.x):
        own[group] = 0
    cuda.syncthreads()
    game = cuda.grid(1)
    group = 0
    rank = 0
    if game < legal_count.size:
        group = group_of(positions[game, PHASE], legal_count[game])
        rank = cuda.atomic.add(own, group, 1)
    cuda.syncthreads()
    for other in range(cuda.threadIdx.x, ORDERED_GROUPS, cuda.blockDim.x):
        if own[other] != 0:
            own[other] = cuda.atomic.add(places, other, own[other])
    cuda.syncthreads()
    if game < legal_count.size:
        order[own[group] + rank] = game


def list_games(order: Array, batch: Batch) -> None:
    """List the legal actions, unless the latest action was refused."""
    index = cuda.grid(1)
    if index < order.size:
        game = order[index]
        if batch.reasons[game] != REFUSED:
            list_in_place(batch, game)


# ---- what is written after a step


def draw_games(sample_streams: Array, legal_list: Array, legal_count: Array, drawn: Array) -> None:
    """Draw another random legal action for each game."""
    game = cuda.grid(1)
    if game < drawn.size:
        draw_actions(sample_streams, legal_list, legal_count, drawn, game, game + 1)


def mask_games(legal_list: Array, legal_count: Array, masks: Array) -> None:
    """Write which actions are legal as a mask; each block writes that of one game."""
    game = cuda.blockIdx.x
    for code in range(cuda.threadIdx.x, masks.shape[1], cuda.blockDim.x):
        masks[game, code] = False
    cuda.syncthreads()
    for index in range(cuda.threadIdx.x, legal_count[game], cuda.blockDim.x):
        masks[game, legal_list[game, index]] = True


def observe_games(positions: Array, planes: Array, numbers: Array) -> None:
    """Write what the acting seat of each game sees.

    The threads of a block clear the rows of their games together, because neighbouring threads write neighbouring
    bytes quickly; on a device, `clear_observation` does nothing (`cuda_target.py`).
    """
    first = cuda.blockIdx.x * cuda.blockDim.x
    for row in range(first, min(first + cuda.blockDim.x, planes.shape[0])):
        for entry in range(cuda.threadIdx.x, planes.shape[1], cuda.blockDim.x):
            planes[row, entry] = 0
        for entry in range(cuda.threadIdx.x, numbers.shape[1], cuda.blockDim.x):
            numbers[row, entry] = 0
    cuda.syncthreads()
    game = cuda.grid(1)
    if game < planes.shape[0]:
        write_observation(positions[game], planes[game], numbers[game])


# ---- random games


def play_games(  # noqa: PLR0913, PLR0917 - a GPU takes arrays one by one
    start: Array, seeds: Array, positions: Array, lists: Array, streams: Array, taken: Array, numbers: Array
) -> None:  # fmt: skip
    """Play one random game for each seed and add its results to `numbers`.

    A thread that has finished a game takes the next seed at once, so that no thread of a warp waits for the longest
    game. `taken` counts the seeds; `positions`, `lists` and `streams` have a row for each thread.
    """
    thread = cuda.grid(1)
    sums = cuda.local.array(NUMBERS, np.int64)
    for index in range(NUMBERS):
        sums[index] = 0
    playing = take_seed(thread, start, seeds, positions, streams, taken)
    while playing:
        play_step(positions[thread], streams[thread : thread + 1], lists[thread], sums)
        if positions[thread, REASON] != 0:
            add_result(positions[thread], sums)
            playing = take_seed(thread, start, seeds, positions, streams, taken)
    for index in range(numbers.size):
        if sums[index] != 0:
            cuda.atomic.add(numbers, index, sums[index])


def start_next(row: int, start: Array, seeds: Array, positions: Array, streams: Array, taken: Array) -> bool:
    """Start a game with the next seed and return whether there is one left."""
    game = cuda.atomic.add(taken, 0, 1)
    if game >= seeds.size:
        return False
    streams[row] = seeds[game]
    copy_start(positions[row], start)
    return True


take_seed = cuda.jit(start_next, device=True)


def find_place(group: int, index: int, order: Array, sizes: Array) -> int:
    """Return the index that this thread of a block should work on, so that games of one group lie side by side."""
    thread = cuda.threadIdx.x
    for slot in range(thread, GROUPS, cuda.blockDim.x):
        sizes[slot] = 0
    cuda.syncthreads()
    place = cuda.atomic.add(sizes, group, 1)
    cuda.syncthreads()
    for other in range(group):
        place += sizes[other]
    order[place] = index
    cuda.syncthreads()
    return int(order[thread])


sort_games = cuda.jit(find_place, device=True)


def play_games_sorted(  # noqa: PLR0913, PLR0917 - a GPU takes arrays one by one
    start: Array, seeds: Array, positions: Array, lists: Array, streams: Array, taken: Array, numbers: Array
) -> None:  # fmt: skip
    """Play like `play_games`; the threads of a block work on games of the same phase side by side."""
    order = cuda.shared.array(BLOCK, np.int32)
    sizes = cuda.shared.array(GROUPS, np.int32)
    idle = cuda.shared.array(BLOCK, np.int32)
    thread = cuda.threadIdx.x
    first = cuda.grid(1)
    base = first - thread
    sums = cuda.local.array(NUMBERS, np.int64)
    for index in range(NUMBERS):
        sums[index] = 0
    idle[thread] = 0 if take_seed(first, start, seeds, positions, streams, taken) else 1
    cuda.syncthreads()
    while cuda.syncthreads_or(1 - idle[thread]):
        group = IDLE if idle[thread] else positions[first, PHASE]
        row = sort_games(group, first, order, sizes)
        if idle[row - base] == 0:
            play_step(positions[row], streams[row : row + 1], lists[row], sums)
            if positions[row, REASON] != 0:
                add_result(positions[row], sums)
                if not take_seed(row, start, seeds, positions, streams, taken):
                    idle[row - base] = 1
    for index in range(numbers.size):
        if sums[index] != 0:
            cuda.atomic.add(numbers, index, sums[index])
