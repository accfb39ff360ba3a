"""Runs tasks on this machine: in this process, or in a pool of processes. Needs nothing beyond the base install."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing.connection import wait as wait_for
from typing import Generic

from pebble import ProcessExpired, ProcessPool

from realmtable.engine.errors import BadInput
from realmtable.lab.jobs.job_runner import AHEAD, ATTEMPTS, ResultT, TaskT, WorkersLost

CHECK_S = 1.0  # how often to check that the processes are alive


def available_cores() -> int:
    """Return the number of processes this machine can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class LocalRunner:
    """Runs tasks in `workers` processes, by default one per core; a single worker runs in this process and in order."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = available_cores() if workers is None else workers
        if self.workers < 1:
            raise BadInput("At least one worker is needed.")

    def run(
        self, function: Callable[[TaskT], ResultT], tasks: Iterable[TaskT]
    ) -> Generator[tuple[TaskT, ResultT], None, None]:
        waiting = iter(tasks)
        if self.workers == 1:
            for task in waiting:
                yield task, function(task)
            return
        first = [*islice(waiting, self.workers)]  # never more processes than tasks
        if not first:
            return
        with _defer_interrupts() as raise_if_interrupted:
            pool = ProcessPool(len(first), initializer=_init_worker, context=multiprocessing.get_context("spawn"))
            try:
                work = _PoolWork(pool, function, first, waiting, raise_if_interrupted)
                yield from work.results(len(first) * AHEAD)
            finally:
                pool.stop()  # type: ignore[no-untyped-call] # the library's types are incomplete
                with suppress(OSError):  # its pipes may already be gone
                    pool.join()


class _PoolWork(Generic[TaskT, ResultT]):
    """The tasks that a pool is working on."""

    def __init__(
        self,
        pool: ProcessPool,
        function: Callable[[TaskT], ResultT],
        first: list[TaskT],
        tasks: Iterator[TaskT],
        raise_if_interrupted: Callable[[], None],
    ) -> None:
        self.pool = pool
        self.function = function
        self.ready: deque[tuple[int, TaskT]] = deque(enumerate(first))  # not scheduled yet; lost tasks come back here
        self.tasks = enumerate(tasks, len(first))
        self.running: dict[Future[ResultT], tuple[int, TaskT]] = {}
        self.losses: Counter[int] = Counter()
        self.raise_if_interrupted = raise_if_interrupted

    def results(self, ahead: int) -> Iterator[tuple[TaskT, ResultT]]:
        """Yield the results, with up to `ahead` tasks scheduled at a time."""
        while self._fill(ahead):
            done, _ = wait(self.running, CHECK_S, FIRST_COMPLETED)
            self.raise_if_interrupted()
            for future in done:
                number, task = self.running.pop(future)
                try:
                    result = future.result()
                except ProcessExpired:
                    self._retry(number, task)
                else:
                    yield task, result

    def _fill(self, ahead: int) -> bool:
        """Schedule tasks, and return whether any are running."""
        if not self.pool.active:
            raise WorkersLost("The worker processes could not be kept running.")
        self.ready.extend(islice(self.tasks, max(0, ahead - len(self.running) - len(self.ready))))
        while self.ready:
            number, task = self.ready.popleft()
            self.running[self.pool.schedule(self.function, args=(task,))] = number, task
        return bool(self.running)

    def _retry(self, number: int, task: TaskT) -> None:
        self.losses[number] += 1
        if self.losses[number] >= ATTEMPTS:
            raise WorkersLost(f"The process working on {str(task)[:200]} died {self.losses[number]} times.")
        self.ready.append((number, task))


@contextmanager
def _defer_interrupts() -> Iterator[Callable[[], None]]:
    """Defer interrupts until the yielded function is called: one in the middle of the pool's work leaves it locked."""
    if threading.current_thread() is not threading.main_thread():
        yield lambda: None  # interrupts go to the main thread
        return
    interrupted = threading.Event()
    before = signal.signal(signal.SIGINT, lambda *_: interrupted.set())

    def raise_if_interrupted() -> None:
        if interrupted.is_set():
            raise KeyboardInterrupt

    try:
        yield raise_if_interrupted
    finally:
        signal.signal(signal.SIGINT, before)


def _init_worker() -> None:
    """Set up a worker; the pool already makes sure that only the parent receives interrupts."""
    threading.Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    """Exit when the parent process dies, even if it is killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for([parent.sentinel])
        os._exit(1)
