"""Signals of changes, and waiting for them with few calls, since every move wakes the streams of its table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

Push = Callable[[], "ChangeSignal | None"]


class ChangeSignal:
    """An event that is set once. Unlike `asyncio.Event`, it calls its waiters, and these need not wake a task."""

    __slots__ = ("_is_set", "_waiting")

    def __init__(self) -> None:
        self._is_set = False
        self._waiting: list[ChangeWaiter] = []

    def is_set(self) -> bool:
        """Whether the change has happened."""
        return self._is_set

    def set(self) -> None:
        """Notify all waiters."""
        self._is_set = True
        waiting, self._waiting = self._waiting, []
        for waiter in waiting:
            waiter.notify()

    def add(self, waiter: ChangeWaiter) -> None:
        """Notify a waiter when the change happens; do not call this afterwards."""
        self._waiting.append(waiter)

    def discard(self, waiter: ChangeWaiter) -> None:
        """Forget a waiter that does not wait any more."""
        if waiter in self._waiting:
            self._waiting.remove(waiter)


class ChangeWaiter:
    """Waits for changes on behalf of one stream, each time for at most `timeout_s`.

    One timer serves many waits, since most end long before it: when it fires it starts again for the rest of the time.
    """

    def __init__(self, timeout_s: float) -> None:
        self._loop = asyncio.get_running_loop()
        self._timeout_s = timeout_s
        self._due = 0.0
        self._is_stopped = False
        self._timer: asyncio.TimerHandle | None = None
        self._future: asyncio.Future[bool] | None = None  # of the current wait
        self._signal: ChangeSignal | None = None  # that it waits for
        self._push: Push | None = None

    async def wait(self, signal: ChangeSignal, push: Push | None = None) -> bool:
        """Wait for a change; return False if none happened in time, or `stop` was called.

        With `push`, a change does not end the wait if `push` deals with it: it returns the signal of the change after
        it, or None if the task must go on. This saves waking the task for every change.
        """
        if signal.is_set() or self._is_stopped:
            return signal.is_set()
        self._await_signal(signal)
        if self._timer is None:
            self._timer = self._loop.call_at(self._due, self._check_time)
        future: asyncio.Future[bool] = self._loop.create_future()
        self._future, self._push = future, push
        try:
            return await future
        finally:
            self._future = self._push = None
            if self._signal is not None:
                self._signal.discard(self)

    def notify(self) -> None:
        """Handle the change: end the wait, or have `push` deal with it as soon as the caller has finished."""
        self._signal = None
        if self._future is None or self._future.done():
            return
        if self._push is None:
            self._future.set_result(True)
        else:
            self._loop.call_soon(self._try_push)

    def _try_push(self) -> None:
        if self._future is None or self._future.done() or self._push is None:  # the wait has ended meanwhile
            return
        try:
            signal = self._push()
        except Exception:  # noqa: BLE001 - the task meets it again, and ends
            signal = None
        if signal is None:
            self._future.set_result(True)
        else:
            self._await_signal(signal)

    def _await_signal(self, signal: ChangeSignal) -> None:
        self._due = self._loop.time() + self._timeout_s
        self._signal = signal
        signal.add(self)

    def stop(self) -> None:
        """End the current wait and all later ones at once."""
        self._is_stopped = True
        self._end_wait()

    def _end_wait(self) -> None:
        if self._future is not None and not self._future.done():
            self._future.set_result(False)

    def close(self) -> None:
        """Cancel the timer."""
        if self._timer is not None:
            self._timer.cancel()

    def _check_time(self) -> None:
        self._timer = None
        if self._future is None:
            return
        if self._due > self._loop.time():
            self._timer = self._loop.call_at(self._due, self._check_time)
        else:
            self._end_wait()
