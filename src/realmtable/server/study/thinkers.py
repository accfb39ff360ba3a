"""Thoughts for people, thought in processes of their own: hints first, then the analysis board, then whole analyses.

An analysis asks for one thought at a time, so that whoever waits for a hint waits for one thought at most. A thought
that was asked for a moment ago is not thought again.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
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
from realmtable.search import thinking
from realmtable.search.thinking import Limits, Line, Thought
from realmtable.server.errors import RateLimited, Unavailable
from realmtable.server.tables.crew import Crew

HINT, BOARD, ANALYSIS = range(3)  # how urgent, the most urgent first
MOST_WAITING: Final = 24  # people who wait for a thought
BUSY_S: Final = 10
KEPT: Final = 256
NICENESS: Final = 19  # bots of live tables come first
GRACE_S: Final = 30.0  # beside the thought itself: a process may have to start and to compile

Gone = Callable[[], Awaitable[bool]]
Answer = TypeVar("Answer")


def thought(game_id: str, position: str, seconds: float, lines: int) -> dict[str, Any]:
    """A thought about an encoded state as plain data, its steps as texts. Runs in a process of its own."""
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, 0, NICENESS)
    game = registry.game(game_id)
    state = game.decode(position)
    return as_data(game, state, thinking.think(game, state, Limits(seconds=seconds), lines=lines))


def as_data(game: AnyGame, state: Any, found: Thought) -> dict[str, Any]:  # noqa: ANN401 - the game's own
    """A thought as plain data."""
    lines = [
        {"moves": _texts(game, state, line.moves), "value": line.value, "visits": line.visits, "proven": line.proven}
        for line in found.lines
    ]
    return {
        "value": found.value,
        "proven": found.proven,
        "nodes": found.nodes,
        "seconds": found.seconds,
        "lines": lines,
    }


def from_data(game: AnyGame, state: Any, data: dict[str, Any]) -> Thought:  # noqa: ANN401 - the game's own
    """The thought that `as_data` wrote."""
    lines = tuple(
        Line(_moves(game, state, line["moves"]), line["value"], line["visits"], line["proven"])
        for line in data["lines"]
    )
    return Thought(data["value"], data["proven"], data["nodes"], data["seconds"], lines)


def _texts(game: AnyGame, state: Any, moves: tuple[Any, ...]) -> list[str]:  # noqa: ANN401 - the game's own
    texts = []
    for move in moves:
        texts.append(game.format_move(state, move))
        state = game.play(state, game.to_move(state)[0], move)
    return texts


def _moves(game: AnyGame, state: Any, texts: list[str]) -> tuple[Any, ...]:  # noqa: ANN401 - the game's own
    moves = []
    for text in texts:
        moves.append(game.parse_move(state, text))
        state = game.play(state, game.to_move(state)[0], moves[-1])
    return tuple(moves)


class Gate:
    """Lets so many in at once; of those who wait the most urgent first, of equals who came first."""

    def __init__(self, places: int) -> None:
        self.free = places
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._count = itertools.count()

    @asynccontextmanager
    async def place(self, urgency: int) -> AsyncIterator[None]:
        """A place for as long as the block runs; refused where too many people wait already."""
        await self._enter(urgency)
        try:
            yield
        finally:
            self._leave()

    async def _enter(self, urgency: int) -> None:
        if self.free:
            self.free -= 1
            return
        if urgency < ANALYSIS and len(self._waiting) >= MOST_WAITING:
            raise RateLimited("Too many people want to know at the moment; try again in a few seconds.", BUSY_S)
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiting = (urgency, next(self._count), called)
        heapq.heappush(self._waiting, waiting)
        try:
            await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled():
                self._leave()  # called just now: the next one's turn
            else:
                self._waiting.remove(waiting)
                heapq.heapify(self._waiting)
            raise

    def _leave(self) -> None:
        if self._waiting:
            heapq.heappop(self._waiting)[2].set_result(None)
        else:
            self.free += 1


class Thinkers:
    """Who thinks for people."""

    def __init__(self, workers: Crew, seconds: float) -> None:
        self.workers = workers
        self.seconds = seconds
        self.gate = Gate(workers.count)
        self.is_warming = workers.warmth.is_warming
        self._kept: OrderedDict[tuple[str, str, int], dict[str, Any]] = OrderedDict()

    async def think(
        self,
        game: AnyGame,
        state: Any,  # noqa: ANN401 - the game's own
        *,
        urgency: int,
        lines: int = 1,
        gone: Gone | None = None,
    ) -> Thought:
        """A thought about a state of a game that goes on; nothing is thought for somebody who is gone meanwhile.

        Raises RateLimited where too many wait, and Unavailable where the process that thought has died twice.
        """
        position = game.encode(state)
        key = (game.info.id, position, lines)
        data = self._kept.get(key)
        if data is None:
            warming = self.is_warming(game.info.id)
            async with self.gate.place(urgency):
                if gone is not None and await gone():
                    raise Refused("Nobody waits for this thought any more.")
                data = self._kept.get(key)
                if data is None:
                    data = await self._asked(thought, (game.info.id, position, self.seconds, lines))
            if not warming:  # what is thought then sees more
                self._keep(key, data)
        return from_data(game, state, data)

    async def ask(self, run: Callable[..., Answer], question: tuple[Any, ...], urgency: int) -> Answer:
        """What a function says to a question about a game, whose id comes first; it raises what `think` raises."""
        async with self.gate.place(urgency):
            return await self._asked(run, question)

    async def _asked(self, run: Callable[..., Answer], question: tuple[Any, ...]) -> Answer:
        limit_s = 3 * self.seconds + GRACE_S
        for _ in range(2):  # a crash may be somebody else's doing
            try:
                return await self.workers.ask(run, question, limit_s)
            except (TimeoutError, ProcessExpired, BrokenProcessPool):
                continue
        raise Unavailable("The engine could not think about this; try again in a moment.")

    def _keep(self, key: tuple[str, str, int], data: dict[str, Any]) -> None:
        self._kept[key] = data
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
