"""Thoughts for people, thought in processes of their own: hints first, then the analysis board, then whole analyses.

An analysis asks for one thought at a time, so that whoever waits for a hint waits for one thought at most. Nobody's
thoughts crowd out another's: the queue is fair by address and by person. A thought that was asked for a moment ago is
not thought again.
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
from realmtable.engine.protocol import AnyGame
from realmtable.search import think
from realmtable.search.result import SearchLimits, SearchLine, SearchResult
from realmtable.server.errors import Unavailable
from realmtable.server.fair_queue import FairQueue, Owner
from realmtable.server.workers.warming_pool import WarmingPool

HINT, BOARD, ANALYSIS = range(3)  # how urgent, the most urgent first
WEIGHTS: Final = (1.0, 2.0, 8.0)  # how much a second of each counts
MAX_WAITING: Final = 24  # people who wait for a thought
MAX_CACHED: Final = 256
NICENESS: Final = 19  # bots of live tables come first
GRACE_S: Final = 30.0  # beside the thought itself: a process may have to start and to compile

IsGone = Callable[[], Awaitable[bool]]
Result = TypeVar("Result")


def think_in_worker(game_id: str, position: str, seconds: float, lines: int) -> dict[str, Any]:
    """A thought about an encoded state as plain data, its steps as texts. Runs in a process of its own."""
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, 0, NICENESS)
    game = registry.game(game_id)
    state = game.decode(position)
    return encode_thought(game, state, think.think(game, state, SearchLimits(seconds=seconds), lines=lines))


def encode_thought(game: AnyGame, state: Any, found: SearchResult) -> dict[str, Any]:  # noqa: ANN401 - the game's own
    """A thought as plain data."""
    lines = [
        {
            "moves": _format_moves(game, state, line.moves),
            "value": line.value,
            "visits": line.visits,
            "proven": line.proven,
        }
        for line in found.lines
    ]
    return {
        "value": found.value,
        "proven": found.proven,
        "nodes": found.nodes,
        "seconds": found.seconds,
        "lines": lines,
    }


def decode_thought(game: AnyGame, state: Any, data: dict[str, Any]) -> SearchResult:  # noqa: ANN401 - the game's own
    """The thought that `encode_thought` wrote."""
    lines = tuple(
        SearchLine(_parse_moves(game, state, line["moves"]), line["value"], line["visits"], line["proven"])
        for line in data["lines"]
    )
    return SearchResult(data["value"], data["proven"], data["nodes"], data["seconds"], lines)


def _format_moves(game: AnyGame, state: Any, moves: tuple[Any, ...]) -> list[str]:  # noqa: ANN401 - the game's own
    texts = []
    for move in moves:
        texts.append(game.format_move(state, move))
        state = game.play(state, game.to_move(state)[0], move)
    return texts


def _parse_moves(game: AnyGame, state: Any, texts: list[str]) -> tuple[Any, ...]:  # noqa: ANN401 - the game's own
    moves = []
    for text in texts:
        moves.append(game.parse_move(state, text))
        state = game.play(state, game.to_move(state)[0], moves[-1])
    return tuple(moves)


class AnalysisQueue:
    """Who thinks for people."""

    def __init__(self, workers: WarmingPool, seconds: float) -> None:
        self.workers = workers
        self.seconds = seconds
        self.queue = FairQueue(workers.count, WEIGHTS, MAX_WAITING)
        self.is_warming = workers.warmup.is_warming
        self._cache: OrderedDict[tuple[str, str, int], dict[str, Any]] = OrderedDict()

    async def think(
        self,
        game: AnyGame,
        state: Any,  # noqa: ANN401 - the game's own
        *,
        urgency: int,
        owner: Owner,
        lines: int = 1,
        gone: IsGone | None = None,
    ) -> SearchResult:
        """A thought about a state of a game that goes on; nothing is thought for somebody who is gone meanwhile.

        Raises RateLimited where too many wait, and Unavailable where the process that thought has died twice.
        """
        position = game.encode(state)
        key = (game.info.id, position, lines)
        data = self._cache.get(key)
        if data is None:
            warming = self.is_warming(game.info.id)
            async with self.acquire(owner, urgency):
                if gone is not None and await gone():
                    raise Refused("Nobody waits for this thought any more.")
                data = self._cache.get(key)
                if data is None:
                    data = await self._run_with_retry(think_in_worker, (game.info.id, position, self.seconds, lines))
            if not warming:  # what is thought then sees more
                self._cache_thought(key, data)
        return decode_thought(game, state, data)

    async def run(self, run: Callable[..., Result], question: tuple[Any, ...], urgency: int, owner: Owner) -> Result:
        """What a function says to a question about a game, whose id comes first; it raises what `think` raises."""
        async with self.acquire(owner, urgency):
            return await self._run_with_retry(run, question)

    @asynccontextmanager
    async def acquire(self, owner: Owner, urgency: int) -> AsyncIterator[None]:
        """A worker for as long as the block runs; an analysis is never refused, it has all the time it needs."""
        async with self.queue.acquire(owner, urgency, refusable=urgency < ANALYSIS):
            yield

    async def _run_with_retry(self, run: Callable[..., Result], question: tuple[Any, ...]) -> Result:
        limit_s = 3 * self.seconds + GRACE_S
        for _ in range(2):  # a crash may be somebody else's doing
            try:
                return await self.workers.run(run, question, limit_s)
            except (TimeoutError, ProcessExpired, BrokenProcessPool):
                continue
        raise Unavailable("The engine could not think about this; try again in a moment.")

    def _cache_thought(self, key: tuple[str, str, int], data: dict[str, Any]) -> None:
        self._cache[key] = data
        self._cache.move_to_end(key)
        while len(self._cache) > MAX_CACHED:
            self._cache.popitem(last=False)
