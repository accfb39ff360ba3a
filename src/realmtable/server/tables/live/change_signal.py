"""Signals of changes, and waiting for them with few calls, since every move wakes the streams of its table."""

from __future__ import annotations

import asyncio


class ChangeSignal:
    """An event that is set once. Unlike `asyncio.Event` it resolves futures of those who wait, with True."""

    __slots__ = ("_is_set", "_waiting")

    def __init__(self) -> None:
        self._is_set = False
        self._waiting: list[asyncio.Future[bool]] = []

    def is_set(self) -> bool:
        """Whether the change has happened."""
        return self._is_set

    def set(self) -> None:
        """Wake all who wait."""
        self._is_set = True
        for future in self._waiting:
            if not future.done():
                future.set_result(True)
        self._waiting.clear()

    def add(self, future: asyncio.Future[bool]) -> None:
        """Resolve a future when the change happens; do not call this afterwards."""
        self._waiting.append(future)

    def discard(self, future: asyncio.Future[bool]) -> None:
        """Forget a future that is not awaited any more."""
        if future in self._waiting:
            self._waiting.remove(future)


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

    async def wait(self, signal: ChangeSignal) -> bool:
        """Wait for a change; return False if none happened in time, or `stop` was called."""
        if signal.is_set() or self._is_stopped:
            return signal.is_set()
        self._due = self._loop.time() + self._timeout_s
        if self._timer is None:
            self._timer = self._loop.call_at(self._due, self._check_time)
        future: asyncio.Future[bool] = self._loop.create_future()
        self._future = future
        signal.add(future)
        try:
            return await future
        finally:
            self._future = None
            if not signal.is_set():
                signal.discard(future)

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
