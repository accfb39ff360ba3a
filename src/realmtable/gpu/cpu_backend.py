"""Runs the kernels of a game on the CPU, in as many threads as are wanted."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

import realmtable.kit
from realmtable.kit.playouts import PLAYOUT_SOURCE
from realmtable.kit.rules import Position, Rules
from realmtable.kit.specialise import specialise
from realmtable.kit.vector_batch import Actions, Batch, StepOutputs

VECTOR_SOURCE: Final = Path(realmtable.kit.__file__).with_name("vector_cpu_kernels.py")
CHUNKS_PER_THREAD: Final = 2  # so that a thread on a busy core leaves work to the others
SMALLEST_CHUNK: Final = 128  # games; handing work to a thread takes as long as some dozens of steps
MEMORY_FILE: Final = Path("/proc/meminfo")


class EndedGames(NamedTuple):
    """Games that have just ended, and what the seat that would act next sees of their last positions."""

    mask: NDArray[np.bool_]  # [games] whether each has just ended
    games: NDArray[np.int64]  # [ended] their numbers
    planes: NDArray[np.uint8]  # [ended, planes * rows * columns]
    numbers: NDArray[np.int16]  # [ended, numbers]


class CpuBackend:
    """Runs the kernels on the CPU. Results do not depend on the number of threads."""

    name = "cpu"
    layout: Literal["C", "F"] = "C"
    copies_samples = True

    def __init__(self, rules: Rules, threads: int = 1) -> None:
        self._rules = rules
        self._threads = threads

    @cached_property
    def _kernels(self) -> Any:  # noqa: ANN401 - a module
        return specialise(VECTOR_SOURCE, "realmtable.kit", self._rules)

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self._threads - 1, thread_name_prefix="vector")

    def put(self, array: NDArray[Any]) -> NDArray[Any]:
        return array

    def copy(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy()

    def take(self, actions: object, count: int) -> None:
        """Return None: the actions have to be read."""

    def find_illegal(self, batch: Batch, actions: Actions) -> int:
        return int(self._kernels.find_illegal(batch, actions, 0, actions.size))

    def step(self, batch: Batch, actions: Actions, outputs: StepOutputs) -> None:
        """Take a step in each game, in this thread and the others."""
        step_games = self._kernels.step_games
        if self._threads == 1:
            step_games(batch, actions, outputs, 0, actions.size)
            return
        self._run_in_threads(actions.size, lambda first, last: step_games(batch, actions, outputs, first, last))

    def observe_ended(self, batch: Batch, outputs: StepOutputs) -> EndedGames | None:
        """Return the last observations of games that have just ended; None if there are none, or none are wanted."""
        if not outputs.planes.shape[1]:
            return None
        mask = batch.terminated | batch.truncated
        (games,) = mask.nonzero()
        if not games.size:
            return None
        planes = np.empty((games.size, outputs.planes.shape[1]), dtype=np.uint8)
        numbers = np.empty((games.size, outputs.numbers.shape[1]), dtype=np.int16)
        self._kernels.observe_games(batch.last_positions[games], planes, numbers)
        return EndedGames(mask, games, planes, numbers)

    def draw(self, batch: Batch) -> None:
        lists = batch.legal_list, batch.legal_count
        self._kernels.draw_actions(batch.sample_streams, *lists, batch.drawn, 0, batch.drawn.size)

    def play(self, start: Position, seeds: NDArray[np.uint64], numbers: NDArray[np.int64]) -> None:
        specialise(PLAYOUT_SOURCE, "realmtable.kit", self._rules).play_many(start, seeds, numbers)

    def find_free_memory(self) -> int | None:
        return find_free_memory()

    def close(self) -> None:
        """Stop the threads; a later step starts new ones."""
        pool = self.__dict__.pop("_pool", None)
        if pool is not None:
            pool.shutdown()

    def _run_in_threads(self, count: int, play: Callable[[int, int], None]) -> None:
        """Call `play` with ranges of games, in all threads, until every game was in one."""
        waiting = deque(make_chunks(count, self._threads))
        helpers = min(self._threads, len(waiting)) - 1

        def work() -> None:
            while True:
                try:
                    first, last = waiting.popleft()
                except IndexError:
                    return
                play(first, last)

        others = [self._pool.submit(work) for _ in range(helpers)]
        work()
        for other in others:
            other.result()


def make_chunks(count: int, threads: int) -> list[tuple[int, int]]:
    """Divide the games among calls: one call for a single thread, several for each of several threads."""
    size = count if threads == 1 else max(SMALLEST_CHUNK, -(-count // (threads * CHUNKS_PER_THREAD)))
    return [(first, min(first + size, count)) for first in range(0, count, size)]


def find_free_memory() -> int | None:
    """Return the bytes that processes can still get; where that is not known all memory, or None."""
    with suppress(OSError):
        found = re.search(r"^MemAvailable:\s+(\d+) kB$", MEMORY_FILE.read_text(encoding="utf-8"), re.MULTILINE)
        if found:
            return int(found[1]) * 1024
    with suppress(AttributeError, OSError, ValueError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return None
