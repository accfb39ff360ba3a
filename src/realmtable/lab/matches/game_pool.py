"""Plays the games of a match, in this process or in a pool of processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager, suppress
from multiprocessing.connection import wait as wait_for

from pebble import ProcessExpired, ProcessPool

from realmtable.engine.errors import RealmtableError
from realmtable.lab.matches.match_game import PlayedGame, play_game
from realmtable.lab.matches.match_plan import GameTask, Plan

ATTEMPTS = 3  # one lost process may be the machine's fault; three for the same game are the bot's
AHEAD = 2  # games scheduled per process, so that none has to wait
CHECK_S = 1.0  # how often to check that the processes are alive


class WorkersLost(RealmtableError):
    """The worker processes have died and cannot be replaced."""


def available_cores() -> int:
    """Return the number of processes this machine can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def play_games(plan: Plan, tasks: Iterable[GameTask], workers: int) -> Generator[PlayedGame, None, None]:
    """Yield games as they finish, in any order; a single worker plays in this process and in order.

    A process that dies is replaced and its game is played again. Closing the generator ends the processes.
    """
    if workers == 1:
        for task in tasks:
            yield play_game(plan, task)
        return
    with _defer_interrupts() as raise_if_interrupted:
        pool = ProcessPool(workers, initializer=_init_worker, context=multiprocessing.get_context("spawn"))
        try:
            yield from _play_in_pool(pool, plan, deque(tasks), workers * AHEAD, raise_if_interrupted)
        finally:
            pool.stop()  # type: ignore[no-untyped-call] # the library's types are incomplete
            with suppress(OSError):  # its pipes may already be gone
                pool.join()


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


def _play_in_pool(
    pool: ProcessPool, plan: Plan, waiting: deque[GameTask], ahead: int, raise_if_interrupted: Callable[[], None]
) -> Generator[PlayedGame, None, None]:
    running: dict[Future[PlayedGame], GameTask] = {}
    losses: Counter[GameTask] = Counter()
    while waiting or running:
        if not pool.active:
            raise WorkersLost("The worker processes could not be kept running.")
        while waiting and len(running) < ahead:
            task = waiting.popleft()
            running[pool.schedule(play_game, args=(plan, task))] = task
        done, _ = wait(running, CHECK_S, FIRST_COMPLETED)
        raise_if_interrupted()
        for future in done:
            task = running.pop(future)
            try:
                yield future.result()
            except ProcessExpired:
                losses[task] += 1
                waiting.appendleft(task)
                _check_attempts(plan, task, losses[task])


def _check_attempts(plan: Plan, task: GameTask, losses: int) -> None:
    if losses >= ATTEMPTS:
        one, other = (plan.names[index] for index in task.bots)
        raise WorkersLost(f"The process playing {one} against {other}, pair {task.pair + 1}, died {losses} times.")


def _init_worker() -> None:
    """Set up a worker; the pool already makes sure that only the parent receives interrupts."""
    threading.Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    """Exit when the parent process dies, even if it is killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for([parent.sentinel])
        os._exit(1)
