"""A worker pool that starts interpreted and switches to compiled workers when they are ready.

Compiling takes up to half a minute per game on a small machine, but only the first time, since the machine code is
cached on disk. It happens in the background: the games in use first, then the others.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

import structlog
from pebble import ProcessExpired

from realmtable.engine import registry
from realmtable.engine.bots import HasBots, WarmsUp
from realmtable.kit.array_game import ArrayGame
from realmtable.kit.compile import is_marked_compiled, mark_compiled
from realmtable.search.bench_signature import play_random_turns
from realmtable.search.compiled_games import has_several_seats
from realmtable.search.search_result import SearchLimits
from realmtable.search.think import think
from realmtable.server.workers.bot_workers import BotWorkers, choose_moves

LOG: Final = logging.getLogger(__name__)
log = structlog.get_logger(__name__)
COMPILE_TIMEOUT_S: Final = 1800.0
COMPILERS: Final = 2  # processes: one works, the other is ready for a game that is requested meanwhile
STOP_CODES: Final = (signal.SIGTERM, -signal.SIGTERM)  # exit codes of workers that were told to stop
RANDOM_TURNS: Final = 12
Result = TypeVar("Result")


def compile_rules(game_id: str) -> bool:
    """Compile everything that a search of a game needs; return whether there was anything to compile."""
    game = registry.game(game_id)
    if isinstance(game, HasBots):
        bot = game.bot(8)
        if isinstance(bot, WarmsUp):
            bot.warm()
        mark_compiled(game_id)
        return True
    if not isinstance(game, ArrayGame) and not has_several_seats(game):
        return False
    state = play_random_turns(game, 1) if game.info.chance else game.initial(game.info.seats[0])
    think(game, state, SearchLimits(nodes=4), lines=2)
    for each in (state, play_random_turns(game, RANDOM_TURNS)):  # the kernels that are called to read and play a step
        choose_moves(game_id, game.encode(each), game.to_move(each)[0], "mcts:nodes=4", 1)
    mark_compiled(game_id)
    return True


class CompileWarmup:
    """Compiles the games in the background after `start`, and knows which are ready.

    Games that an earlier process has compiled are ready at once; their machine code is loaded where it is needed.
    """

    def __init__(
        self,
        *,
        wanted: bool,
        run: Callable[[str], bool] = compile_rules,
        is_cached: Callable[[str], bool] = is_marked_compiled,
    ) -> None:
        self.wanted = wanted
        self._run = run
        self._is_cached = is_cached
        self.compiled_games: set[str] = set()
        self._pending: list[str] = []  # games not compiled yet
        self._requested: list[str] = []  # games in use, in the order of the requests
        self._compiling: asyncio.Task[bool] | None = None  # of the game that is being compiled, unless it is in use
        self._workers = BotWorkers(COMPILERS, COMPILE_TIMEOUT_S, compiled=True)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start compiling, if enabled."""
        if self.wanted and self._task is None:
            games = [info.id for info in registry.infos()]
            self.compiled_games = set(filter(self._is_cached, games))
            self._pending = [game_id for game_id in games if game_id not in self.compiled_games]
            for game_id in sorted(self.compiled_games):
                log.info("compiled", game=game_id, seconds=0.0)
            self._task = asyncio.ensure_future(self._compile_all())

    def is_warming(self, game_id: str) -> bool:
        """Whether a game is still being compiled, so that searches will get faster."""
        return game_id in self._pending

    def request(self, game_id: str) -> None:
        """Compile a game, if that is still to do, before those that nobody has requested; interrupt one of those."""
        if game_id in self._pending and game_id not in self._requested:
            self._requested.append(game_id)
            if self._compiling is not None and self._compiling.get_name() not in self._requested:
                self._compiling.cancel()

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
        while self._pending:
            game_id = next((each for each in self._requested if each in self._pending), self._pending[0])
            work = self._workers.run(self._run, (game_id,), COMPILE_TIMEOUT_S)
            self._compiling, start = asyncio.create_task(work, name=game_id), time.monotonic()
            try:
                await asyncio.wait({self._compiling})
            finally:
                self._compiling.cancel()  # if this task was cancelled
            if not self._compiling.cancelled():
                self._note_result(game_id, self._compiling, time.monotonic() - start)
        await self._workers.close()

    def _note_result(self, game_id: str, compiling: asyncio.Task[bool], seconds: float) -> None:
        self._pending.remove(game_id)
        error = compiling.exception()
        if error is None and compiling.result():
            self.compiled_games.add(game_id)
            log.info("compiled", game=game_id, seconds=round(seconds, 1))
        elif isinstance(error, ProcessExpired) and error.exitcode in STOP_CODES:
            self._pending.clear()  # a signal to all processes: the server is about to close
            log.info("compiling stopped", game=game_id)
        elif error is not None:  # this game stays interpreted
            LOG.error("the rules of %s could not be compiled", game_id, exc_info=error)


class WarmingPool:
    """Like `BotWorkers`, but uses compiled workers for games that have been compiled.

    The first argument of a task is the game's id. A task for a game that is not compiled yet requests its compilation.
    """

    def __init__(self, count: int, limit_s: float, compile_warmup: CompileWarmup) -> None:
        self.count = count
        self.warmup = compile_warmup
        self._interpreted = BotWorkers(count, limit_s)
        self._compiled = BotWorkers(count, limit_s, compiled=True)
        self._start_task: asyncio.Task[None] | None = None  # of the compiled workers, before their first task

    def prepare(self, game_id: str) -> None:
        """Request that a game is compiled, and start the processes for its compiled rules before their first task."""
        self.warmup.request(game_id)
        if game_id in self.warmup.compiled_games or self.warmup.is_warming(game_id):
            self._start_task = self._start_task or asyncio.create_task(self._compiled.start())

    async def choose(self, game_id: str, position: str, seat: int, bot: str, seed: int) -> list[str]:
        """Return the next steps of a bot on a seat, in notation."""
        return await self._workers_for(game_id).choose(game_id, position, seat, bot, seed)

    async def run(self, work: Callable[..., Result], args: tuple[Any, ...], limit_s: float) -> Result:
        """Run a function in a worker process."""
        return await self._workers_for(args[0]).run(work, args, limit_s)

    async def close(self) -> None:
        """Stop all processes."""
        await asyncio.gather(self._interpreted.close(), self._compiled.close())
        if self._start_task is not None:
            await asyncio.gather(self._start_task, return_exceptions=True)

    def _workers_for(self, game_id: str) -> BotWorkers:
        self.prepare(game_id)
        return self._compiled if game_id in self.warmup.compiled_games else self._interpreted
