"""Searches for people, run in worker processes: hints first, then the analysis board, then whole analyses.

An analysis requests one search at a time, so that a hint waits for one search at most. The queue is fair by address and
by person, so that no one can crowd out others. Recent results are cached.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar

from pebble import ProcessExpired

from realmtable.engine import registry
from realmtable.engine.errors import Refused
from realmtable.engine.protocol import AnyGame, State
from realmtable.search import think
from realmtable.search.search_result import SearchLimits, SearchLine, SearchResult
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


def think_in_worker(game_id: str, position: str, seconds: float, lines: int) -> dict[str, Any]:
    """Search an encoded state and return the result as plain data. Runs in a worker process."""
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, 0, NICENESS)
    game = registry.game(game_id)
    state = game.decode(position)
    return encode_thought(game, state, think.think(game, state, SearchLimits(seconds=seconds), lines=lines))


def encode_thought(game: AnyGame, state: State, result: SearchResult) -> dict[str, Any]:
    """Return a search result as plain data, with its moves in notation."""
    lines = [
        {
            "moves": _format_moves(game, state, line.moves),
            "value": line.value,
            "visits": line.visits,
            "proven": line.proven,
        }
        for line in result.lines
    ]
    return {
        "value": result.value,
        "proven": result.proven,
        "nodes": result.nodes,
        "seconds": result.seconds,
        "lines": lines,
        "shares": list(result.shares),
    }


def decode_thought(game: AnyGame, state: State, data: dict[str, Any]) -> SearchResult:
    """Return the search result that `encode_thought` encoded."""
    lines = tuple(
        SearchLine(_parse_moves(game, state, line["moves"]), line["value"], line["visits"], line["proven"])
        for line in data["lines"]
    )
    return SearchResult(
        data["value"], data["proven"], data["nodes"], data["seconds"], lines, tuple(data.get("shares", ()))
    )


def _format_moves(game: AnyGame, state: State, moves: tuple[Any, ...]) -> list[str]:
    texts = []
    for move in moves:
        texts.append(game.format_move(state, move))
        state = game.play(state, game.to_move(state)[0], move)
    return texts


def _parse_moves(game: AnyGame, state: State, texts: list[str]) -> tuple[Any, ...]:
    moves = []
    for text in texts:
        moves.append(game.parse_move(state, text))
        state = game.play(state, game.to_move(state)[0], moves[-1])
    return tuple(moves)


class SearchQueue:
    """A fair queue of searches for people, in front of a pool of workers."""

    def __init__(self, workers: WarmingPool, seconds: float) -> None:
        self.workers = workers
        self.seconds = seconds
        self.queue = FairQueue(workers.count, WEIGHTS, MAX_WAITING)
        self.is_warming = workers.warmup.is_warming
        self.request_compiling = workers.warmup.request
        self._cache: OrderedDict[tuple[str, str, int], dict[str, Any]] = OrderedDict()

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
        data = self._cache.get(key)
        if data is None:
            warming = self.is_warming(game.info.id)
            async with self.acquire(requester, urgency):
                if gone is not None and await gone():
                    raise Refused("The client has disconnected.")
                data = self._cache.get(key)
                if data is None:
                    data = await self._run_with_retry(think_in_worker, (game.info.id, position, self.seconds, lines))
            if not warming:  # a search by compiled rules will see more
                self._cache_thought(key, data)
        return decode_thought(game, state, data)

    async def run(
        self, work: Callable[..., Result], args: tuple[Any, ...], urgency: int, requester: Requester
    ) -> Result:
        """Run a function in a worker; its first argument is the game's id. Raises like `think`."""
        async with self.acquire(requester, urgency):
            return await self._run_with_retry(work, args)

    @asynccontextmanager
    async def acquire(self, requester: Requester, urgency: int) -> AsyncIterator[None]:
        """Hold a worker while the context is open; a whole analysis may wait for any time and is never refused."""
        async with self.queue.acquire(requester, urgency, refusable=urgency < ANALYSIS):
            yield

    async def _run_with_retry(self, work: Callable[..., Result], args: tuple[Any, ...]) -> Result:
        limit_s = 3 * self.seconds + GRACE_S
        for _ in range(2):  # a crash may have been caused by another task
            try:
                return await self.workers.run(work, args, limit_s)
            except (TimeoutError, ProcessExpired, BrokenProcessPool):
                continue
        raise Unavailable("The engine could not analyse this position; try again in a moment.")

    def _cache_thought(self, key: tuple[str, str, int], data: dict[str, Any]) -> None:
        self._cache[key] = data
        self._cache.move_to_end(key)
        while len(self._cache) > MAX_CACHED:
            self._cache.popitem(last=False)
