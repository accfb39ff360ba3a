"""Runs tasks on several processes and yields the results in order, so that they do not depend on the worker count."""

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
AHEAD = 2  # tasks scheduled per worker


def map_in_order(function: Callable[[TaskT], ResultT], tasks: Iterable[TaskT], workers: int = 1) -> Iterator[ResultT]:
    """Yield the result of every task, in order; tasks may be endless, and a single worker runs in this process."""
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
    """Ignore Ctrl-C; the parent handles it and ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
