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
        self._tasks: dict[str, asyncio.Task[Result]] = {}

    async def run(self, key: str, work: Callable[[], Awaitable[Result]]) -> Result:
        """Return the result of the task with this key, which is started with `work` if there is none."""
        while (task := self._tasks.get(key)) is not None:
            with suppress(RateLimited):  # this concerns only the one who started it
                return await asyncio.shield(task)
        task = self._tasks[key] = asyncio.ensure_future(self._run(key, work))
        return await asyncio.shield(task)

    async def _run(self, key: str, work: Callable[[], Awaitable[Result]]) -> Result:
        try:
            return await work()
        finally:
            del self._tasks[key]

    def keys(self) -> KeysView[str]:
        """Return the keys of the tasks in progress."""
        return self._tasks.keys()

    def cancel(self) -> None:
        """Cancel all tasks."""
        for task in self._tasks.values():
            task.cancel()
