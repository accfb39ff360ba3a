"""Plays the games of a match, here or in processes of their own."""

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
from realmtable.lab.match_game import PlayedGame, play_game
from realmtable.lab.match_plan import GameTask, Plan

ATTEMPTS = 3  # a process may end for reasons of the machine; three times is the bot's own doing
AHEAD = 2  # games handed out per process, so that none waits for its next one
CHECK_S = 1.0  # how often it is asked whether the processes still live


class WorkersLost(RealmtableError):
    """The processes that play have ended and cannot be replaced."""


def available_cores() -> int:
    """How many processes this machine can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def play_games(plan: Plan, tasks: Iterable[GameTask], workers: int) -> Generator[PlayedGame, None, None]:
    """Games as they are finished, in any order; with one worker here, in their order.

    A process that dies is replaced and its game played again. Closing the generator ends the processes.
    """
    if workers == 1:
        for task in tasks:
            yield play_game(plan, task)
        return
    with _hold_interrupts() as let_through:
        pool = ProcessPool(workers, initializer=_init_worker, context=multiprocessing.get_context("spawn"))
        try:
            yield from _play_in_pool(pool, plan, deque(tasks), workers * AHEAD, let_through)
        finally:
            pool.stop()  # type: ignore[no-untyped-call] # the library's types are not complete
            with suppress(OSError):  # its pipes may be gone already
                pool.join()


@contextmanager
def _hold_interrupts() -> Iterator[Callable[[], None]]:
    """Hold interrupts back until they are let through: one in the middle of the pool's own work leaves it locked."""
    if threading.current_thread() is not threading.main_thread():
        yield lambda: None  # interrupts go to the main thread
        return
    asked = threading.Event()
    before = signal.signal(signal.SIGINT, lambda *_: asked.set())

    def raise_if_interrupted() -> None:
        if asked.is_set():
            raise KeyboardInterrupt

    try:
        yield raise_if_interrupted
    finally:
        signal.signal(signal.SIGINT, before)


def _play_in_pool(
    pool: ProcessPool, plan: Plan, waiting: deque[GameTask], ahead: int, let_through: Callable[[], None]
) -> Generator[PlayedGame, None, None]:
    running: dict[Future[PlayedGame], GameTask] = {}
    losses: Counter[GameTask] = Counter()
    while waiting or running:
        if not pool.active:
            raise WorkersLost("The processes that play could not be kept running.")
        while waiting and len(running) < ahead:
            task = waiting.popleft()
            running[pool.schedule(play_game, args=(plan, task))] = task
        done, _ = wait(running, CHECK_S, FIRST_COMPLETED)
        let_through()
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
        raise WorkersLost(f"The process that played {one} against {other}, pair {task.pair + 1}, ended {losses} times.")


def _init_worker() -> None:
    """Make a worker ready; the pool sees to it that interrupts reach the parent alone."""
    threading.Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    """End this process when its parent dies, however suddenly."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for([parent.sentinel])
        os._exit(1)
