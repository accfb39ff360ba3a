"""Processes that replay records, lines and whole games, so that the event loop stays responsive.

Pure Python in a thread would block the event loop, which shares the interpreter lock. Each person and each address may
run a few tasks at once; further tasks wait behind their own, not in front of those of others.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures.process import BrokenProcessPool
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from pebble import ProcessExpired

from realmtable.server.accounts.rate_limits import Limits
from realmtable.server.errors import RateLimited, TooLarge, Unavailable
from realmtable.server.fair_queue import Requester
from realmtable.server.workers.bot_workers import BotWorkers

MAX_CONCURRENT_PER_PERSON: Final = 2
MAX_CONCURRENT_PER_ADDRESS: Final = 4  # a school or a household
MAX_WAITING: Final = 40  # per person or address
RETRY_AFTER_S: Final = 2
QUICK_TIMEOUT_S: Final = 10.0  # one position, or a line of up to a few hundred steps
LONG_TIMEOUT_S: Final = 60.0  # a whole record or game
THREADS: Final = 2  # if there are no processes
ATTEMPTS: Final = 2  # one crash may have been caused by another task

Result = TypeVar("Result")


@dataclass
class _KeyQueue:
    places: asyncio.Semaphore
    users: int = 0  # running and waiting


@dataclass
class ConcurrencyLimit:
    """Limits how many tasks of each key run at once; more have to wait, and too many are refused."""

    at_once: int
    _queues: dict[str, _KeyQueue] = field(default_factory=dict)

    @asynccontextmanager
    async def acquire(self, key: str) -> AsyncIterator[None]:
        """Hold a place while the context is open."""
        queue = self._queues.setdefault(key, _KeyQueue(asyncio.Semaphore(self.at_once)))
        if queue.users >= self.at_once + MAX_WAITING:
            raise RateLimited("You have too many requests in progress; wait for the first to finish.", RETRY_AFTER_S)
        queue.users += 1
        try:
            async with queue.places:
                yield
        finally:
            queue.users -= 1
            if not queue.users:
                del self._queues[key]


class ReplayPool:
    """Runs replay tasks for people, with separate workers for quick and long tasks.

    The steps of a task are charged to its requester; the server's own tasks (no requester) are not limited. Without
    worker processes, tasks run in threads, which saves memory on small servers. So do quick tasks while their process
    starts: it imports every game while others compile them, and that takes seconds.
    """

    def __init__(self, processes: int, limits: Limits) -> None:
        self._limits = limits
        self._people = ConcurrencyLimit(MAX_CONCURRENT_PER_PERSON)
        self._addresses = ConcurrencyLimit(MAX_CONCURRENT_PER_ADDRESS)
        self._quick = BotWorkers(processes, QUICK_TIMEOUT_S) if processes else None
        self._long = BotWorkers(processes, LONG_TIMEOUT_S) if processes else None
        self._threads = asyncio.Semaphore(THREADS)
        self._is_starting = False

    async def start(self) -> None:
        """Start the process for quick work before the first request needs it. Does nothing if the pool is closing."""
        if self._quick is not None:
            self._is_starting = True
            try:
                with suppress(Unavailable):
                    await _run_in_worker(self._quick, is_ready, ())
            finally:
                self._is_starting = False

    async def run(self, requester: Requester | None, steps: int, work: Callable[..., Result], *args: Any) -> Result:  # noqa: ANN401 - plain data
        """Run a module-level function on one position or a short line; `steps` is its approximate cost."""
        return await self._run(requester, steps, self._quick, work, args)

    async def run_long(
        self,
        requester: Requester | None,
        steps: int,
        work: Callable[..., Result],
        *args: Any,  # noqa: ANN401 - those of the function
    ) -> Result:
        """Run a module-level function on a whole record or game."""
        return await self._run(requester, steps, self._long, work, args)

    async def close(self) -> None:
        """Stop all processes."""
        await asyncio.gather(*(workers.close() for workers in (self._quick, self._long) if workers is not None))

    async def _run(
        self,
        requester: Requester | None,
        steps: int,
        workers: BotWorkers | None,
        work: Callable[..., Result],
        args: tuple[Any, ...],
    ) -> Result:
        async with AsyncExitStack() as stack:
            if requester is not None:
                await self._limits.check("steps", requester.key, steps)
                await self._limits.check("address_steps", requester.address, steps)
                if requester.person is not None:
                    await stack.enter_async_context(self._people.acquire(requester.person))
                await stack.enter_async_context(self._addresses.acquire(requester.address))
            if workers is not None and not (self._is_starting and workers is self._quick):
                return await _run_in_worker(workers, work, args)
            async with self._threads:
                return await asyncio.to_thread(work, *args)


def is_ready() -> bool:
    """Return True; a process that can run this is ready."""
    return True


async def _run_in_worker(workers: BotWorkers, work: Callable[..., Result], args: tuple[Any, ...]) -> Result:
    for _ in range(ATTEMPTS):
        try:
            return await workers.run(work, args, workers.limit_s)
        except TimeoutError:
            raise TooLarge("This takes too long to replay on this server; try a shorter one.") from None
        except (ProcessExpired, BrokenProcessPool):
            continue
    raise Unavailable("This could not be replayed; try again in a moment.")
