"""Measure how soon the compiled engine plays after an installation: `python -m bench.warm_up_time [GAME …]`.

For each game, a server starts with an empty cache, and a guest opens a table against the strongest bot at once. They
finish their first turn when the engine is compiled, so that the bot's answer is the first step by the compiled engine;
at the same moment they ask for an analysis. Then all of this is repeated with a new server and the same cache. The bot
thinks for about two seconds, the analysis for one. The processor time is that of a process that compiles the game,
or loads it from the cache, and does nothing else; unlike the other figures it hardly depends on what
else the machine does.
"""

from __future__ import annotations

import asyncio
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import click
import orjson

import realmtable
from bench.measure import describe_machine
from bench.server.http_client import ConnectionPool
from bench.server.process import HOST, run_server
from bench.server.session import Session
from realmtable.server.tables.scenes.changes import list_choices_in

BOT = "level8"
POLL_S = 0.02
TIMEOUT_S = 900.0
CACHE_VARIABLE = "NUMBA_CACHE_DIR"
HEADER = (
    "| game | cache | engine ready (s) | first step (s) | first analysis (s) | processor (s) |\n"
    "|---|---|---:|---:|---:|---:|"
)


class Readiness(NamedTuple):
    """Seconds since a table was opened, and the processor time of compiling alone."""

    game: str
    cache: str  # "empty" or "filled"
    ready_s: float
    step_s: float
    analysis_s: float | None  # None: the game has no analysis board
    cpu_s: float


def format_row(result: Readiness) -> str:
    """Return a row of the table."""
    analysis = "–" if result.analysis_s is None else f"{result.analysis_s:.1f}"
    return (
        f"| {result.game} | {result.cache} | {result.ready_s:.1f} | {result.step_s:.1f} | {analysis} "
        f"| {result.cpu_s:.1f} |"
    )


def compiled_games(log: str) -> set[str]:
    """Return the games that are compiled, according to the log of a server in JSON."""
    lines = (_read_line(line) for line in log.splitlines())
    return {str(line["game"]) for line in lines if line.get("event") == "compiled"}


def _read_line(line: str) -> dict[str, Any]:
    try:
        entry = orjson.loads(line)
    except orjson.JSONDecodeError:
        return {}
    return entry if isinstance(entry, dict) else {}


@contextmanager
def use_cache(folder: Path) -> Iterator[None]:
    """Make processes that are started in this context cache their machine code in a folder."""
    before = os.environ.get(CACHE_VARIABLE)
    os.environ[CACHE_VARIABLE] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ[CACHE_VARIABLE]
        else:
            os.environ[CACHE_VARIABLE] = before


class Visitor:
    """A guest at a table against bots."""

    def __init__(self, port: int, game: str) -> None:
        self.session = Session(ConnectionPool(HOST, port))
        self.game = game
        self.table = ""
        self.rng = random.Random(1)

    async def open_table(self) -> None:
        """Open a table with the smallest number of seats."""
        seats = ["me", *[f"bot:{BOT}"] * (realmtable.game(self.game).info.seats[0] - 1)]
        answer = await self.session.post("/api/tables", {"game": self.game, "seats": seats})
        self.table = str(orjson.loads(answer.body)["table"])

    async def wait_for_step(self) -> None:
        """Finish the guest's turn by random steps and wait for the next step of a bot."""
        scene = await self._scene()
        while scene["your_turn"]:
            move = self.rng.choice(list_choices_in(scene["choices"]))["move"]
            body = {"version": scene["version"], "move": move}
            await self.session.post(f"/api/tables/{self.table}/moves", body)
            scene = await self._scene()
        while (await self._scene())["version"] == scene["version"]:  # noqa: ASYNC110 - the server is another process
            await asyncio.sleep(POLL_S)

    async def ask_for_analysis(self) -> None:
        """Ask for an evaluation of the game's initial position."""
        await self.session.post("/api/think", {"game": self.game})

    async def _scene(self) -> dict[str, Any]:
        answer = await self.session.pool.send("GET", f"/api/tables/{self.table}", self.session.headers())
        scene: dict[str, Any] = orjson.loads(answer.body)
        return scene


async def _wait_until_compiled(log: Path, game: str) -> None:
    while game not in compiled_games(await asyncio.to_thread(log.read_text, encoding="utf-8")):  # noqa: ASYNC110 - as above
        await asyncio.sleep(POLL_S)


async def measure(game: str, cache: str, cpu_s: float) -> Readiness:
    """Open a table on a new server and wait for the engine, the bot and the analysis."""
    with tempfile.TemporaryDirectory() as place:
        async with run_server(Path(place), 10, log_format="json", bot_pace_s="0") as (port, _):
            visitor, info = Visitor(port, game), realmtable.game(game).info
            start = time.perf_counter()
            async with asyncio.timeout(TIMEOUT_S):
                await visitor.open_table()
                await _wait_until_compiled(Path(place) / "server.log", game)
                ready_s = time.perf_counter() - start
                has_analysis = not (info.hidden or info.chance)
                step_s, analysis_s = await asyncio.gather(
                    _seconds_after(start, visitor.wait_for_step()),
                    _seconds_after(start, visitor.ask_for_analysis() if has_analysis else asyncio.sleep(0)),
                )
            visitor.session.pool.close()
    return Readiness(game, cache, ready_s, step_s, analysis_s if has_analysis else None, cpu_s)


async def _seconds_after(start: float, work: Awaitable[None]) -> float:
    await work
    return time.perf_counter() - start


def measure_compiling(game: str) -> float:
    """Return the processor time of a new process that compiles a game, or loads it from the cache."""
    before = _children_cpu_s()
    code = f"from realmtable.server.workers.warming_pool import compile_rules; compile_rules({game!r})"
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "REALMTABLE_COMPILE": "1"})  # noqa: S603 - our own code
    return _children_cpu_s() - before


def _children_cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure_all(games: Iterable[str]) -> Iterator[Readiness]:
    """Measure each game with an empty and with a filled cache."""
    for game in games:
        with tempfile.TemporaryDirectory() as folder, use_cache(Path(folder) / "alone"):
            empty_cpu_s, filled_cpu_s = measure_compiling(game), measure_compiling(game)
            with use_cache(Path(folder) / "server"):
                yield asyncio.run(measure(game, "empty", empty_cpu_s))
                yield asyncio.run(measure(game, "filled", filled_cpu_s))


@click.command()
@click.argument("games", nargs=-1)
def main(games: Sequence[str]) -> None:
    """Measure how soon the compiled engine plays GAMES (default: all), with an empty and with a filled cache."""
    load = os.getloadavg()[0]
    click.echo(f"On {describe_machine()}, load {load:.1f} before the start.\n\n{HEADER}")
    for result in measure_all(games or [info.id for info in realmtable.infos()]):
        click.echo(format_row(result))


if __name__ == "__main__":
    main()
