"""Work that is done once for all who ask for it at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, KeysView
from contextlib import suppress
from typing import Generic, TypeVar

from realmtable.server.errors import RateLimited

Result = TypeVar("Result")


class SharedTasks(Generic[Result]):
    """The tasks in progress, by key. A task goes on even if those who wait for it are cancelled."""

    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Future[Result]] = {}

    async def run(self, key: str, work: Callable[[], Awaitable[Result]]) -> Result:
        """Return the result of the task with this key, which is started with `work` if there is none."""
        while (task := self._tasks.get(key)) is not None and not task.done():
            with suppress(RateLimited):  # this concerns only the one who started it
                return await asyncio.shield(task)
        task = self._tasks[key] = asyncio.ensure_future(work())
        task.add_done_callback(lambda done: self._forget(key, done))
        return await asyncio.shield(task)

    def _forget(self, key: str, done: asyncio.Future[Result]) -> None:
        if self._tasks.get(key) is done:
            del self._tasks[key]

    def keys(self) -> KeysView[str]:
        """Return the keys of the tasks in progress."""
        return self._tasks.keys()

    def cancel(self) -> None:
        """Cancel all tasks."""
        for task in self._tasks.values():
            task.cancel()
