"""Start a server with a new database, and stop it."""

from __future__ import annotations

import asyncio
import os
import resource
import socket
import subprocess
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from bench.measure import find_command
from bench.server.http_client import ConnectionPool, RequestFailed

HOST = "127.0.0.1"
START_TIMEOUT_S = 90
STOP_TIMEOUT_S = 20
SPARE_FILES = 200  # in addition to connections: libraries, logs, the database


def raise_file_limit(needed: int) -> None:
    """Allow this process and its children `needed` connections; raise BlockingIOError if the system refuses."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = needed + SPARE_FILES
    if hard != resource.RLIM_INFINITY and wanted > hard:
        raise BlockingIOError(f"{wanted:,} open files are needed and {hard:,} allowed; raise `ulimit -Hn`.")
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted if hard == resource.RLIM_INFINITY else hard, hard))


def free_port() -> int:
    """Return a port that is currently unused."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


@asynccontextmanager
async def run_server(folder: Path, streams: int, **settings: str) -> AsyncIterator[tuple[int, int]]:
    """Run a server with a new SQLite file, and yield its port and process id.

    It has the default settings but no rate limits, unless `settings` says otherwise.
    """
    port = free_port()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("REALMTABLE_")} | {
        "REALMTABLE_DATABASE_URL": f"sqlite:///{folder / 'tables.sqlite3'}",
        "REALMTABLE_LIMITS_FACTOR": "0",
        "REALMTABLE_MAX_STREAMS": str(streams + SPARE_FILES),
        "REALMTABLE_MAX_STREAMS_PER_ADDRESS": str(streams + SPARE_FILES),  # all clients share one address
        **{f"REALMTABLE_{name.upper()}": value for name, value in settings.items()},
    }
    log = folder / "server.log"
    with log.open("wb") as log_file:
        process = subprocess.Popen(  # noqa: ASYNC220, S603 - our own command, started before anything waits
            [find_command(), "serve", "--no-open", "--port", str(port)],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log_file,
            stderr=log_file,
        )
        try:
            await _wait_until_ready(process, port, log)
            yield port, process.pid
        finally:
            stop_process(process)


async def _wait_until_ready(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    pool, until = ConnectionPool(HOST, port), time.monotonic() + START_TIMEOUT_S
    while True:
        with suppress(RequestFailed):
            if (await pool.send("GET", "/healthz", {})).status == 200:
                pool.close()
                return
        if process.poll() is not None or time.monotonic() > until:
            raise RequestFailed(f"the server did not start; its log:\n{_tail(log)}")
        await asyncio.sleep(0.1)


def _tail(log: Path) -> str:
    return log.read_text(encoding="utf-8", errors="replace")[-2000:]


def stop_process(process: subprocess.Popen[bytes]) -> None:
    """Stop a process that we started: terminate it, and kill it if it does not end in time."""
    process.terminate()
    try:
        process.wait(STOP_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
