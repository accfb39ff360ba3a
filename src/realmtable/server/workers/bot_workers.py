"""Worker processes in which bots think, so that tables never wait for each other's bots.

The caller passes the encoded state of a table and gets the bot's next steps in notation. The worker resamples the
state, so that the bot sees only one that its seat may know; logs never contain the true one. A bot that takes too long
is killed and plays a random step, so that a table never stalls.
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
from realmtable.search.bot_levels import make_bot as bot_named
from realmtable.server.errors import Unavailable
from realmtable.server.workers.process import prepare_worker

LOG: Final = logging.getLogger(__name__)
FALLBACK_BOT: Final = "random"
ATTEMPTS: Final = 2  # one crash may have been caused by another task
POOL_CHECK_S: Final = 1.0  # how often a task checks that its pool is alive

Chooser = Callable[[str, str, int, str, int], list[str]]
Result = TypeVar("Result")


def choose_moves(game_id: str, position: str, seat: int, bot: str, seed: int) -> list[str]:
    """Return a bot's next steps in an encoded state, in notation: as much of its turn as it has planned.

    The bot gets a random state that fits what its seat may know, never the true one.
    """
    game, rng = registry.game(game_id), Random(seed)  # noqa: S311 - not used for secrets
    state = game.resample(game.decode(position), seat, rng)
    texts = []
    for move in plan_steps(bot_named(bot), game, state, seat, rng):
        texts.append(game.format_move(state, move))
        state = game.play(state, seat, move)
    return texts


class BotWorkers:
    """A pool of processes: `choose` asks a bot for its steps, `run` runs any other function. They start on first use.

    Tasks beyond the number of processes wait for their turn, and `limit_s` counts from when a task starts. Cancelling
    the caller kills its task.
    """

    def __init__(self, count: int, limit_s: float, run: Chooser = choose_moves, *, compiled: bool = False) -> None:
        self.count = count
        self.limit_s = limit_s
        self.compiled = compiled  # whether the rules run as machine code
        self._chooser = run
        self._pool: ProcessPool | None = None
        self._pool_lock = asyncio.Lock()
        self._closed = False

    async def start(self) -> None:
        """Start the processes before the first task, which otherwise waits for them."""
        await self._get_pool()

    async def choose(self, game_id: str, position: str, seat: int, bot: str, seed: int) -> list[str]:
        """Return the next steps of a bot on a seat, in notation; if the bot fails, a random step.

        Raises `RealmtableError` if the game, the position or the bot's name is invalid.
        """
        for _ in range(ATTEMPTS):
            try:
                return await self.run(self._chooser, (game_id, position, seat, bot, seed), self.limit_s)
            except TimeoutError:
                LOG.warning("bot %s thought longer than %s s about %s", bot, self.limit_s, game_id)
                break
            except (ProcessExpired, BrokenProcessPool) as error:
                LOG.warning("a worker ended while bot %s thought about %s: %s", bot, game_id, error)
            except RealmtableError:
                raise
            except Exception:
                LOG.exception("bot %s failed in %s", bot, game_id)
                break
        return await asyncio.to_thread(choose_moves, game_id, position, seat, FALLBACK_BOT, seed)

    async def close(self) -> None:
        """Stop all processes, busy or not; waiting callers get Unavailable."""
        self._closed = True
        async with self._pool_lock:
            pool, self._pool = self._pool, None
            if pool is not None:
                await asyncio.to_thread(_stop_pool, pool)

    async def run(self, work: Callable[..., Result], args: tuple[Any, ...], limit_s: float) -> Result:
        """Run a module-level function in one of the processes; its arguments and result must be picklable.

        Raises TimeoutError if it takes longer than `limit_s`, ProcessExpired or BrokenProcessPool if the process dies,
        and anything the function raises.
        """
        pool = await self._get_pool()
        try:
            future = asyncio.wrap_future(pool.schedule(work, args=args, timeout=limit_s))
        except RuntimeError as error:  # the pool has just broken down
            raise BrokenProcessPool(str(error)) from None
        try:
            while not future.done():
                await asyncio.wait({future}, timeout=POOL_CHECK_S)
                if not future.done() and not pool.active:
                    raise BrokenProcessPool("the pool is gone")
            answer: Result = await future
            return answer
        finally:
            future.cancel()  # kills the task if the caller was cancelled

    async def _get_pool(self) -> ProcessPool:
        """Return the pool, creating it on first use and after it has broken down."""
        async with self._pool_lock:
            if self._closed:
                raise Unavailable("The server is shutting down.")
            if self._pool is not None and not await asyncio.to_thread(_is_active, self._pool):
                broken, self._pool = self._pool, None
                await asyncio.to_thread(_stop_pool, broken)
            if self._pool is None:
                context = multiprocessing.get_context("spawn")
                # Assigned before its processes start, so that a cancelled caller leaves none behind.
                self._pool = ProcessPool(
                    self.count, initializer=prepare_worker, initargs=[self.compiled], context=context
                )
                await asyncio.to_thread(_is_active, self._pool)
            return self._pool


def _is_active(pool: ProcessPool) -> bool:
    """Whether a pool accepts tasks; the first call starts its processes and waits for them."""
    return pool.active


def _stop_pool(pool: ProcessPool) -> None:
    pool.stop()  # type: ignore[no-untyped-call] # the library's types are incomplete
    with suppress(OSError):  # its pipes may already be closed
        pool.join()
