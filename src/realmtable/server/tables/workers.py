"""Bots think in processes of their own, so that nobody at any table waits for them.

The caller hands over an encoded state that the bot's seat may know (`game.resample`); the text of a step comes back.
A bot that thinks too long is killed and a random step is taken for it, so that a table never stands still.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import threading
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing.connection import wait
from random import Random
from typing import Final

from pebble import ProcessExpired, ProcessPool

from realmtable.engine import registry
from realmtable.engine.errors import RealmtableError
from realmtable.search.bots import bot as bot_named
from realmtable.server.errors import Unavailable

LOG: Final = logging.getLogger(__name__)
NICENESS: Final = 10  # people's requests come first
FALLBACK: Final = "random"
ATTEMPTS: Final = 2  # a crash may be somebody else's doing, two are not
CHECK_S: Final = 1.0  # how often a task looks whether its pool still lives

Chooser = Callable[[str, str, int, str, int], str]


def chosen(game_id: str, position: str, seat: int, bot: str, seed: int) -> str:
    """The text of the step that a bot chooses in an encoded state."""
    game = registry.game(game_id)
    state = game.decode(position)
    move = bot_named(bot).choose(game, state, seat, Random(seed))  # noqa: S311 - a game, not a secret
    return game.format_move(state, move)


class Workers:
    """Some processes in which bots choose their steps; they start with the first question.

    `choose` can be asked from many tasks at once; questions beyond the number of processes wait for their turn, and
    `limit_s` counts from when one is taken up. Cancelling the asking task kills the work.
    """

    def __init__(self, count: int, limit_s: float, run: Chooser = chosen) -> None:
        self.count = count
        self.limit_s = limit_s
        self._run = run
        self._pool: ProcessPool | None = None
        self._starting = asyncio.Lock()
        self._closed = False

    async def choose(self, game_id: str, position: str, seat: int, bot: str, seed: int) -> str:
        """The text of a legal step of a seat, by a bot with this name or, where it fails, at random.

        Raises `RealmtableError` where the game, the position or the bot's name cannot be read.
        """
        for _ in range(ATTEMPTS):
            try:
                return await self._asked(game_id, position, seat, bot, seed)
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
        return await asyncio.to_thread(chosen, game_id, position, seat, FALLBACK, seed)

    async def close(self) -> None:
        """End every process, thinking or not; whoever still waits is told that the server is closing."""
        self._closed = True
        async with self._starting:
            pool, self._pool = self._pool, None
            if pool is not None:
                await asyncio.to_thread(_stop, pool)

    async def _asked(self, *question: str | int) -> str:
        pool = await self._running()
        try:
            future = asyncio.wrap_future(pool.schedule(self._run, args=question, timeout=self.limit_s))
        except RuntimeError as error:  # it broke down just now
            raise BrokenProcessPool(str(error)) from None
        try:
            while not future.done():
                await asyncio.wait({future}, timeout=CHECK_S)
                if not future.done() and not pool.active:
                    raise BrokenProcessPool("the pool is gone")
            return await future
        finally:
            future.cancel()  # kills the work if this task was cancelled

    async def _running(self) -> ProcessPool:
        """The pool, made on first need and anew when it has broken down."""
        async with self._starting:
            if self._closed:
                raise Unavailable("The server is closing.")
            if self._pool is not None and not await asyncio.to_thread(_is_active, self._pool):
                broken, self._pool = self._pool, None
                await asyncio.to_thread(_stop, broken)
            if self._pool is None:
                context = multiprocessing.get_context("spawn")
                # Held before its processes start: whoever is cancelled meanwhile leaves none behind.
                self._pool = ProcessPool(self.count, initializer=_prepare, context=context)
                await asyncio.to_thread(_is_active, self._pool)
            return self._pool


def _is_active(pool: ProcessPool) -> bool:
    """Whether a pool can take questions; the first who asks starts its processes and waits for them."""
    return pool.active


def _stop(pool: ProcessPool) -> None:
    pool.stop()  # type: ignore[no-untyped-call] # the library's types are not complete
    with suppress(OSError):  # its pipes may be gone already
        pool.join()


def _prepare() -> None:
    """Make a worker ready. Interrupts are for the parent, which ends its workers itself: the pool sees to that."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    for info in registry.infos():
        registry.game(info.id)  # so that no question waits for it


def _end_with_parent() -> None:
    """End this process when its parent dies, however suddenly."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
