"""Bots think in processes of their own, so that nobody at any table waits for them.

The caller hands over an encoded state that the bot's seat may know (`game.resample`); the texts of its next steps
come back. A bot that thinks too long is killed and a random step is taken for it, so that a table never stands still.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from random import Random
from typing import Any, Final, TypeVar

from pebble import ProcessExpired, ProcessPool

from realmtable.engine import registry
from realmtable.engine.bots import plan_steps
from realmtable.engine.errors import RealmtableError
from realmtable.search.bots import make_bot as bot_named
from realmtable.server.errors import Unavailable
from realmtable.server.workers.process import prepare_worker

LOG: Final = logging.getLogger(__name__)
FALLBACK_BOT: Final = "random"
ATTEMPTS: Final = 2  # a crash may be somebody else's doing, two are not
POOL_CHECK_S: Final = 1.0  # how often a task looks whether its pool still lives

Chooser = Callable[[str, str, int, str, int], list[str]]
Result = TypeVar("Result")


def choose_moves(game_id: str, position: str, seat: int, bot: str, seed: int) -> list[str]:
    """The texts of the steps that a bot takes next in an encoded state: its turn, as far as it has planned."""
    game = registry.game(game_id)
    state = game.decode(position)
    texts = []
    for move in plan_steps(bot_named(bot), game, state, seat, Random(seed)):  # noqa: S311 - a game, not a secret
        texts.append(game.format_move(state, move))
        state = game.play(state, seat, move)
    return texts


class Workers:
    """Some processes in which bots choose their steps; they start with the first question.

    `choose` can be asked from many tasks at once; questions beyond the number of processes wait for their turn, and
    `limit_s` counts from when one is taken up. Cancelling the asking task kills the work.
    """

    def __init__(self, count: int, limit_s: float, run: Chooser = choose_moves, *, compiled: bool = False) -> None:
        self.count = count
        self.limit_s = limit_s
        self.compiled = compiled  # whether the rules run as machine code in them
        self._chooser = run
        self._pool: ProcessPool | None = None
        self._pool_lock = asyncio.Lock()
        self._closed = False

    async def choose(self, game_id: str, position: str, seat: int, bot: str, seed: int) -> list[str]:
        """The texts of legal steps of a seat, by a bot with this name or, where it fails, one at random.

        Raises `RealmtableError` where the game, the position or the bot's name cannot be read.
        """
        for _ in range(ATTEMPTS):
            try:
                return await self._choose_in_worker(game_id, position, seat, bot, seed)
            except TimeoutError:
                LOG.warning("bot %s thought longer than %s s about %s: %s", bot, self.limit_s, game_id, position)
                break
            except (ProcessExpired, BrokenProcessPool) as error:
                LOG.warning("a worker ended while bot %s thought about %s: %s", bot, game_id, error)
            except RealmtableError:
                raise
            except Exception:
                LOG.exception("bot %s failed in %s: %s", bot, game_id, position)
                break
        return await asyncio.to_thread(choose_moves, game_id, position, seat, FALLBACK_BOT, seed)

    async def close(self) -> None:
        """End every process, thinking or not; whoever still waits is told that the server is closing."""
        self._closed = True
        async with self._pool_lock:
            pool, self._pool = self._pool, None
            if pool is not None:
                await asyncio.to_thread(_stop_pool, pool)

    async def _choose_in_worker(self, *question: str | int) -> list[str]:
        return await self.run(self._chooser, question, self.limit_s)

    async def run(self, run: Callable[..., Result], question: tuple[Any, ...], limit_s: float) -> Result:
        """What a function of a module says to a question, in one of the processes; all of it must be picklable.

        Raises TimeoutError when it takes longer than `limit_s`, ProcessExpired or BrokenProcessPool when the process
        ends, and whatever the function raises.
        """
        pool = await self._get_pool()
        try:
            future = asyncio.wrap_future(pool.schedule(run, args=question, timeout=limit_s))
        except RuntimeError as error:  # it broke down just now
            raise BrokenProcessPool(str(error)) from None
        try:
            while not future.done():
                await asyncio.wait({future}, timeout=POOL_CHECK_S)
                if not future.done() and not pool.active:
                    raise BrokenProcessPool("the pool is gone")
            answer: Result = await future
            return answer
        finally:
            future.cancel()  # kills the work if this task was cancelled

    async def _get_pool(self) -> ProcessPool:
        """The pool, made on first need and anew when it has broken down."""
        async with self._pool_lock:
            if self._closed:
                raise Unavailable("The server is closing.")
            if self._pool is not None and not await asyncio.to_thread(_is_active, self._pool):
                broken, self._pool = self._pool, None
                await asyncio.to_thread(_stop_pool, broken)
            if self._pool is None:
                context = multiprocessing.get_context("spawn")
                # Held before its processes start: whoever is cancelled meanwhile leaves none behind.
                self._pool = ProcessPool(
                    self.count, initializer=prepare_worker, initargs=[self.compiled], context=context
                )
                await asyncio.to_thread(_is_active, self._pool)
            return self._pool


def _is_active(pool: ProcessPool) -> bool:
    """Whether a pool can take questions; the first who asks starts its processes and waits for them."""
    return pool.active


def _stop_pool(pool: ProcessPool) -> None:
    pool.stop()  # type: ignore[no-untyped-call] # the library's types are not complete
    with suppress(OSError):  # its pipes may be gone already
        pool.join()
