"""Searches for people, run in worker processes: hints first, then the analysis board, then whole analyses.

An analysis requests one search at a time, so that a hint waits for one search at most. The queue is fair by address and
by person, so that no one can crowd out others. Recent results are cached.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractAsyncContextManager
from typing import Any, Final, TypeVar

from pebble import ProcessExpired

from realmtable.engine import registry
from realmtable.engine.errors import Refused
from realmtable.engine.protocol import AnyGame, State
from realmtable.search import think
from realmtable.search.search_result import SearchLimits, SearchResult
from realmtable.server.errors import Unavailable
from realmtable.server.fair_queue import FairQueue, Requester
from realmtable.server.workers.warming_pool import WarmingPool

HINT, BOARD, ANALYSIS = range(3)  # urgency, most urgent first
WEIGHTS: Final = (1.0, 2.0, 8.0)  # the turns that a job counts for at each urgency
MAX_WAITING: Final = 24  # people
MAX_CACHED: Final = 256
NICENESS: Final = 19  # bots at live tables come first
GRACE_S: Final = 30.0  # in addition to the search: a process may have to start and compile

IsGone = Callable[[], Awaitable[bool]]
Result = TypeVar("Result")


def think_in_worker(game_id: str, position: str, seconds: float, lines: int) -> SearchResult:
    """Search an encoded state. Runs in a worker process."""
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, 0, NICENESS)
    game = registry.game(game_id)
    return think.think(game, game.decode(position), SearchLimits(seconds=seconds), lines=lines)


class SearchQueue:
    """A fair queue of searches for people, in front of a pool of workers."""

    def __init__(self, workers: WarmingPool, seconds: float) -> None:
        self.workers = workers
        self.seconds = seconds
        self.queue = FairQueue(workers.count, WEIGHTS, MAX_WAITING)
        self.is_warming = workers.warmup.is_warming
        self.request_compiling = workers.warmup.request
        self._cache: OrderedDict[tuple[str, str, int], SearchResult] = OrderedDict()

    async def think(
        self,
        game: AnyGame,
        state: State,
        *,
        urgency: int,
        requester: Requester,
        lines: int = 1,
        gone: IsGone | None = None,
    ) -> SearchResult:
        """Search a state of an unfinished game. Skipped with Refused if `gone` says that the caller has disconnected.

        Raises RateLimited if too many people wait, and Unavailable if the worker process died twice.
        """
        position = game.encode(state)
        key = (game.info.id, position, lines)
        found = self._cache.get(key)
        if found is None:
            warming = self.is_warming(game.info.id)
            async with self.acquire(requester, urgency):
                if gone is not None and await gone():
                    raise Refused("The client has disconnected.")
                found = self._cache.get(key)
                if found is None:
                    found = await self._run_with_retry(think_in_worker, (game.info.id, position, self.seconds, lines))
            if not warming:  # a search by compiled rules will see more
                self._cache[key] = found
                if len(self._cache) > MAX_CACHED:
                    self._cache.popitem(last=False)
        return found

    async def run(
        self, work: Callable[..., Result], args: tuple[Any, ...], urgency: int, requester: Requester
    ) -> Result:
        """Run a function in a worker; its first argument is the game's id. Raises like `think`."""
        async with self.acquire(requester, urgency):
            return await self._run_with_retry(work, args)

    def acquire(self, requester: Requester, urgency: int) -> AbstractAsyncContextManager[None]:
        """Hold a worker while the context is open; a whole analysis may wait for any time and is never refused."""
        return self.queue.acquire(requester, urgency, refusable=urgency < ANALYSIS)

    async def _run_with_retry(self, work: Callable[..., Result], args: tuple[Any, ...]) -> Result:
        limit_s = 3 * self.seconds + GRACE_S
        for _ in range(2):  # a crash may have been caused by another task
            try:
                return await self.workers.run(work, args, limit_s)
            except (TimeoutError, ProcessExpired, BrokenProcessPool):
                continue
        raise Unavailable("The engine could not analyse this position; try again in a moment.")
