"""Put boardgame.io's server under the same load in the same run, with its tic-tac-toe and its own protocol.

It is installed on demand into a folder outside the repository.
"""

from __future__ import annotations

import asyncio
import json
import math
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bench.load.report import Figures
from bench.server.http_client import ConnectionPool, RequestFailed
from bench.server.process import HOST, free_port, stop_process
from bench.server.usage import read_usage, usage_between

NAME = "boardgame.io"
SCRIPTS = Path(__file__).parent / "boardgameio"
INSTALL_TIMEOUT_S = 300
START_TIMEOUT_S = 60
GAME_MOVES = 7  # in tic-tac-toe between random players
MAX_MOVES_PER_S = 1500  # the expected maximum; beyond it, matches are opened during the run
MIN_TABLES = 10
LINE_LIMIT = 64 * 1024 * 1024  # one response holds the delay of every move
WARM_UP_SHARE = 0.2


class Skipped(Exception):
    """The peer cannot run here; the message says why."""


def install(folder: Path) -> str:
    """Install the peer into a folder if necessary and return its version; raise `Skipped` if that fails."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        raise Skipped(f"{NAME} was skipped: node and npm are not installed.")
    for script in SCRIPTS.iterdir():
        shutil.copy(script, folder)
    installed = folder / "node_modules" / NAME / "package.json"
    if not installed.exists():
        command = [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        try:
            subprocess.run(command, cwd=folder, capture_output=True, check=True, timeout=INSTALL_TIMEOUT_S)  # noqa: S603
        except (OSError, subprocess.SubprocessError):
            raise Skipped(f"{NAME} was skipped: npm could not install it.") from None
    return str(json.loads(installed.read_text(encoding="utf-8"))["version"])


def spare_matches(rates: list[float | None], seconds: float, tables: int) -> int:
    """Return how many extra matches each pair needs, so that none is opened during the measurement."""
    moves = sum(MAX_MOVES_PER_S if rate is None else rate for rate in rates) * seconds * (1 + WARM_UP_SHARE)
    return math.ceil(moves / tables / GAME_MOVES)


async def measure(folder: Path, tables: int, rates: list[float | None], seconds: float) -> list[Figures]:
    """Measure the peer at each rate; whenever it fails, retry with half as many tables."""
    while tables >= MIN_TABLES:
        try:
            async with _run_server(folder) as (port, pid), _run_client(folder, port) as client:
                await _send_command(client, {"open": tables, "spares": spare_matches(rates, seconds, tables)})
                runs = [await _measure_rate(client, pid, tables, rate, seconds) for rate in rates]
        except RequestFailed:
            tables //= 2
            continue
        if not any(figures.errors for figures in runs):
            return runs
        tables //= 2
    raise Skipped(f"{NAME} was skipped: it failed even with {MIN_TABLES} tables.")


async def _measure_rate(
    client: asyncio.subprocess.Process, pid: int, tables: int, rate: float | None, seconds: float
) -> Figures:
    await _send_command(client, {"seconds": seconds, "warm_up": WARM_UP_SHARE * seconds, "rate": rate})
    before = read_usage(pid)
    await _read_answer(client)
    cpu, memory = usage_between(before, read_usage(pid), seconds)
    found = await _read_answer(client)
    return Figures(
        name=f"{NAME}, tic-tac-toe",
        tables=tables,
        streams=found["streams"],
        offered_per_s=rate,
        seconds=found["seconds"],
        delays_s=tuple(delay / 1000 for delay in found["delays_ms"]),
        errors=found["errors"],
        cpu=cpu,
        memory=memory,
        client_cpu=found["client_cpu"],
    )


@asynccontextmanager
async def _run_server(folder: Path) -> AsyncIterator[tuple[int, int]]:
    port = free_port()
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(  # noqa: ASYNC220, S603 - our own script, started before anything waits
            ["node", "server.js", str(port)],  # noqa: S607 - found by `install`
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
        try:
            await _wait_until_ready(process, port)
            yield port, process.pid
        finally:
            stop_process(process)


async def _wait_until_ready(process: subprocess.Popen[bytes], port: int) -> None:
    pool = ConnectionPool(HOST, port)
    for _ in range(START_TIMEOUT_S * 10):
        try:
            await pool.send("GET", "/games", {})
        except RequestFailed:
            if process.poll() is not None:
                break
            await asyncio.sleep(0.1)
        else:
            pool.close()
            return
    raise Skipped(f"{NAME} was skipped: its server did not start.")


@asynccontextmanager
async def _run_client(folder: Path, port: int) -> AsyncIterator[asyncio.subprocess.Process]:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        "node", "client.js", str(port), cwd=folder, stdin=pipe, stdout=pipe, limit=LINE_LIMIT
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def _send_command(client: asyncio.subprocess.Process, request: dict[str, Any]) -> Any:  # noqa: ANN401 - plain data
    assert client.stdin is not None  # noqa: S101 - a pipe
    client.stdin.write(json.dumps(request).encode() + b"\n")
    await client.stdin.drain()
    return await _read_answer(client)


async def _read_answer(client: asyncio.subprocess.Process) -> Any:  # noqa: ANN401 - plain data
    assert client.stdout is not None  # noqa: S101 - a pipe
    answer = json.loads(await client.stdout.readline() or b'{"failed": "the client has died"}')
    if "failed" in answer:
        raise RequestFailed(answer["failed"])
    return answer
