"""Work that is done in order by several processes: the results are the same however many there are."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from typing import TypeVar

TaskT = TypeVar("TaskT")
ResultT = TypeVar("ResultT")
AHEAD = 2  # tasks a worker may be ahead of the result that is waited for


def map_in_order(function: Callable[[TaskT], ResultT], tasks: Iterable[TaskT], workers: int = 1) -> Iterator[ResultT]:
    """The result of every task, in the order of the tasks, which may be endless; one worker is this process itself."""
    if workers == 1:
        yield from map(function, tasks)
        return
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _ignore_interrupts)
    try:
        yield from _map_in_pool(pool, function, iter(tasks), workers * AHEAD)
    finally:
        pool.shutdown(cancel_futures=True)


def _map_in_pool(
    pool: ProcessPoolExecutor, function: Callable[[TaskT], ResultT], tasks: Iterator[TaskT], most: int
) -> Iterator[ResultT]:
    waiting: deque[Future[ResultT]] = deque(pool.submit(function, task) for task in islice(tasks, most))
    while waiting:
        result = waiting.popleft().result()
        waiting.extend(pool.submit(function, task) for task in islice(tasks, 1))
        yield result


def _ignore_interrupts() -> None:
    """Ctrl-C is for the parent, which ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
