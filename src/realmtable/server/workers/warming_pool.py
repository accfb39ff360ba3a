"""A worker pool that starts interpreted and switches to compiled workers when they are ready.

Compiling all games takes minutes on a small machine, but only the first time, since the machine code is cached on disk.
It happens in the background.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final, TypeVar

from realmtable.engine import registry
from realmtable.engine.bots import HasBots, WarmsUp
from realmtable.kit.evaluation import HasRules
from realmtable.search.search_result import SearchLimits
from realmtable.search.think import think
from realmtable.server.workers.bot_workers import BotWorkers

LOG: Final = logging.getLogger(__name__)
COMPILE_TIMEOUT_S: Final = 1800.0
Result = TypeVar("Result")


def compile_rules(game_id: str) -> bool:
    """Compile everything that a search of a game needs; return whether there was anything to compile."""
    game = registry.game(game_id)
    if isinstance(game, HasBots):
        bot = game.bot(8)
        if isinstance(bot, WarmsUp):
            bot.warm()
        return True
    if not isinstance(game, HasRules):
        return False
    think(game, game.initial(game.info.seats[0]), SearchLimits(nodes=4), lines=2)
    return True


class CompileWarmup:
    """Compiles the games in the background after `start`, and knows which are ready."""

    def __init__(self, *, wanted: bool, run: Callable[[str], bool] = compile_rules) -> None:
        self.wanted = wanted
        self._run = run
        self.compiled_games: set[str] = set()
        self._pending: set[str] = set()  # games not compiled yet
        self._workers = BotWorkers(1, COMPILE_TIMEOUT_S, compiled=True)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start compiling, if enabled."""
        if self.wanted and self._task is None:
            self._pending = {info.id for info in registry.infos()}
            self._task = asyncio.ensure_future(self._compile_all())

    def is_warming(self, game_id: str) -> bool:
        """Whether a game is still being compiled, so that searches will get faster."""
        return game_id in self._pending

    async def wait_finished(self) -> None:
        """Wait until everything is compiled."""
        if self._task is not None:
            await asyncio.shield(self._task)

    async def close(self) -> None:
        """Stop compiling."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._workers.close()

    async def _compile_all(self) -> None:
        for info in registry.infos():
            try:
                if await self._workers.run(self._run, (info.id,), COMPILE_TIMEOUT_S):
                    self.compiled_games.add(info.id)
            except Exception:  # this game stays interpreted
                LOG.exception("the rules of %s could not be compiled", info.id)
            self._pending.discard(info.id)
        await self._workers.close()


class WarmingPool:
    """Like `BotWorkers`, but uses compiled workers for games that have been compiled.

    The first argument of a task is the game's id.
    """

    def __init__(self, count: int, limit_s: float, compile_warmup: CompileWarmup) -> None:
        self.count = count
        self.warmup = compile_warmup
        self._interpreted = BotWorkers(count, limit_s)
        self._compiled = BotWorkers(count, limit_s, compiled=True)

    async def choose(self, game_id: str, position: str, seat: int, bot: str, seed: int) -> list[str]:
        """Return the next steps of a bot on a seat, in notation."""
        return await self._workers_for(game_id).choose(game_id, position, seat, bot, seed)

    async def run(self, work: Callable[..., Result], args: tuple[Any, ...], limit_s: float) -> Result:
        """Run a function in a worker process."""
        return await self._workers_for(args[0]).run(work, args, limit_s)

    async def close(self) -> None:
        """Stop all processes."""
        await asyncio.gather(self._interpreted.close(), self._compiled.close())

    def _workers_for(self, game_id: str) -> BotWorkers:
        return self._compiled if game_id in self.warmup.compiled_games else self._interpreted
