"""Processes that play records, lines and whole games for people, so that nobody else waits for them.

Pure Python in a thread would still hold up the event loop, which shares one interpreter lock with it. Each person and
each address has a few places at once; whoever asks for more waits behind their own work, not before that of others.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures.process import BrokenProcessPool
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeVar

from pebble import ProcessExpired

from realmtable.server.accounts.rate_limits import Limits
from realmtable.server.errors import RateLimited, TooLarge, Unavailable
from realmtable.server.fair_queue import Owner
from realmtable.server.workers.worker_pool import Workers

MAX_CONCURRENT_PER_PERSON: Final = 2
MAX_CONCURRENT_PER_ADDRESS: Final = 4  # a school or a household
MAX_WAITING: Final = 40  # of one person or address
RETRY_AFTER_S: Final = 2
QUICK_TIMEOUT_S: Final = 10.0  # one position, or a line of at most some hundred steps
LONG_TIMEOUT_S: Final = 60.0  # a whole record or game
THREADS: Final = 2  # where there are no processes
ATTEMPTS: Final = 2  # a crash may be somebody else's doing, two are not

Result = TypeVar("Result")


class Asker(NamedTuple):
    """Who has work done: a person, if known, and the address they come from."""

    person: str | None
    address: str

    @property
    def owner(self) -> Owner:
        """The same for fair queues: those whom we do not know are one person at their address."""
        return Owner(self.address, self.key)

    @property
    def key(self) -> str:
        """Whose requests are counted: the person's or, where nobody is known, the address's."""
        return self.person or self.address


@dataclass
class _KeyQueue:
    places: asyncio.Semaphore
    users: int = 0  # those at work and those who wait


@dataclass
class ConcurrencyLimit:
    """So many places at once for each key; further users of a key wait, and too many are refused."""

    at_once: int
    _queues: dict[str, _KeyQueue] = field(default_factory=dict)

    @asynccontextmanager
    async def acquire(self, key: str) -> AsyncIterator[None]:
        """A place for as long as the block runs."""
        queue = self._queues.setdefault(key, _KeyQueue(asyncio.Semaphore(self.at_once)))
        if queue.users >= self.at_once + MAX_WAITING:
            raise RateLimited("You have asked for too much at once; wait for the first answers.", RETRY_AFTER_S)
        queue.users += 1
        try:
            async with queue.places:
                yield
        finally:
            queue.users -= 1
            if not queue.users:
                del self._queues[key]


class ReplayPool:
    """Does game work for people, quick and long work apart so that nobody's click waits for somebody's record.

    Who asks pays for the steps that are played; the server's own work (nobody asks) is neither counted nor bounded.
    With no processes it works in threads of this one: that saves memory where few people play.
    """

    def __init__(self, processes: int, limits: Limits) -> None:
        self._limits = limits
        self._people, self._addresses = (
            ConcurrencyLimit(MAX_CONCURRENT_PER_PERSON),
            ConcurrencyLimit(MAX_CONCURRENT_PER_ADDRESS),
        )
        self._quick = Workers(processes, QUICK_TIMEOUT_S) if processes else None
        self._long = Workers(processes, LONG_TIMEOUT_S) if processes else None
        self._threads = asyncio.Semaphore(THREADS)

    async def start(self) -> None:
        """Start the process for quick work before the first request needs it. Does nothing if the pool is closing."""
        if self._quick is not None:
            with suppress(Unavailable):
                await _run_in_worker(self._quick, is_ready, ())

    async def run(self, asker: Asker | None, steps: int, work: Callable[..., Result], *question: Any) -> Result:  # noqa: ANN401 - plain data
        """What a function of a module says about one position or a short line; `steps` is what it costs about."""
        return await self._run(asker, steps, self._quick, work, question)

    async def run_long(self, asker: Asker | None, steps: int, work: Callable[..., Result], *question: Any) -> Result:  # noqa: ANN401 - as above
        """What a function of a module says about a whole record or game."""
        return await self._run(asker, steps, self._long, work, question)

    async def close(self) -> None:
        """End every process."""
        await asyncio.gather(*(workers.close() for workers in (self._quick, self._long) if workers is not None))

    async def _run(
        self,
        asker: Asker | None,
        steps: int,
        workers: Workers | None,
        work: Callable[..., Result],
        question: tuple[Any, ...],
    ) -> Result:
        async with AsyncExitStack() as stack:
            if asker is not None:
                await self._limits.check("steps", asker.key, steps)
                await self._limits.check("address_steps", asker.address, steps)
                if asker.person is not None:
                    await stack.enter_async_context(self._people.acquire(asker.person))
                await stack.enter_async_context(self._addresses.acquire(asker.address))
            if workers is not None:
                return await _run_in_worker(workers, work, question)
            async with self._threads:
                return await asyncio.to_thread(work, *question)


def is_ready() -> bool:
    """Whether a process can work, which it can by the time it runs this."""
    return True


async def _run_in_worker(workers: Workers, work: Callable[..., Result], question: tuple[Any, ...]) -> Result:
    for _ in range(ATTEMPTS):
        try:
            return await workers.run(work, question, workers.limit_s)
        except TimeoutError:
            raise TooLarge("This takes longer to play through than the server allows; try a shorter one.") from None
        except (ProcessExpired, BrokenProcessPool):
            continue
    raise Unavailable("This could not be played through; try again in a moment.")
