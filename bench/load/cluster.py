"""The load of several server processes on PostgreSQL and Redis, against that of one process on the same services."""

from __future__ import annotations

import asyncio
import secrets
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bench.load.players import SERVER, LoadRun, ReadUsages
from bench.load.report import Figures
from bench.server.http_client import RequestFailed
from bench.server.process import run_server
from bench.server.usage import parent_of, read_tree_usage

LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")
IDLE_CPU = 0.1  # processors; below this, all processes have started
IDLE_CHECK_S = 0.5
START_TIMEOUT_S = 90


@dataclass(frozen=True)
class ClusterServices:
    """PostgreSQL and Redis: their addresses, their processes if they run on this machine, and a description."""

    database_url: str
    redis_url: str
    postgresql_pid: int | None
    redis_pid: int | None
    description: str


@dataclass(frozen=True)
class Load:
    """What the players do: a game at many tables, at each rate (None: the maximum) for some seconds."""

    game: str
    tables: int
    rates: tuple[float | None, ...]
    seconds: float


async def inspect_services(database_url: str, redis_url: str) -> ClusterServices:
    """Check that both services answer; raise `RequestFailed` if one does not."""
    engine = _create_engine(database_url)
    try:
        async with engine.connect() as connection:
            settings = [
                str(await connection.scalar(text(f"SHOW {name}")))
                for name in ("server_version", "fsync", "synchronous_commit")
            ]
            postgresql_pid = parent_of(int(str(await connection.scalar(text("SELECT pg_backend_pid()")))))
    except (SQLAlchemyError, OSError) as error:
        raise RequestFailed(f"PostgreSQL does not answer: {_first_line(error)}") from None
    finally:
        await engine.dispose()
    version, fsync, commit = settings
    redis = await _inspect_redis(redis_url)
    return ClusterServices(
        database_url,
        redis_url,
        postgresql_pid if make_url(database_url).host in LOCAL_HOSTS else None,
        int(redis["process_id"]) if make_url(redis_url).host in LOCAL_HOSTS else None,
        f"PostgreSQL {version.split()[0]} (`fsync={fsync}`, `synchronous_commit={commit}`) "
        f"and Redis {redis['redis_version']}",
    )


async def _inspect_redis(url: str) -> dict[str, Any]:
    from redis.asyncio import Redis  # noqa: PLC0415 - the other parts of the load test do not need it
    from redis.exceptions import RedisError  # noqa: PLC0415 - as above

    client = Redis.from_url(url)
    try:
        found: dict[str, Any] = await client.info("server")
    except (RedisError, OSError) as error:
        raise RequestFailed(f"Redis does not answer: {_first_line(error)}") from None
    finally:
        await client.aclose()
    return found


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def _create_engine(url: str) -> AsyncEngine:
    return create_async_engine(make_url(url).set(drivername="postgresql+asyncpg"), isolation_level="AUTOCOMMIT")


@asynccontextmanager
async def create_database(url: str) -> AsyncIterator[str]:
    """Create an empty database on a PostgreSQL server, yield its address, and drop it."""
    name = f"load_{secrets.token_hex(6)}"
    engine = _create_engine(url)
    try:
        async with engine.connect() as connection:
            await connection.execute(text(f"CREATE DATABASE {name}"))
        try:
            yield make_url(url).set(database=name).render_as_string(hide_password=False)
        finally:
            async with engine.connect() as connection:
                await connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    finally:
        await engine.dispose()


async def measure_processes(
    services: ClusterServices,
    processes: int,
    load: Load,
    on_figures: Callable[[Figures], object],
) -> list[Figures]:
    """Measure this many server processes that share a port, at each rate in turn."""
    with tempfile.TemporaryDirectory(prefix="realmtable-load-") as place:
        async with create_database(services.database_url) as database_url:
            settings = {
                "database_url": database_url,
                "redis_url": services.redis_url,
                "processes": str(processes),
                "compile_bots": "off",  # there are no bots
            }
            async with run_server(Path(place), 2 * load.tables, **settings) as (port, pid):
                await wait_until_idle(pid)
                load_run = LoadRun(port, load.game, pictures=False)
                try:
                    await load_run.open(load.tables)
                    found = []
                    for rate in load.rates:
                        found.append(await load_run.measure(load.game, usage_reader(services, pid), rate, load.seconds))
                        on_figures(found[-1])
                    return found
                finally:
                    load_run.close()


def usage_reader(services: ClusterServices, pid: int) -> ReadUsages:
    """Return a function that reads the usage of the server with all its processes, of PostgreSQL and of Redis."""
    roots = {SERVER: pid, "PostgreSQL": services.postgresql_pid, "Redis": services.redis_pid}
    return lambda: {part: None if root is None else read_tree_usage(root) for part, root in roots.items()}


async def wait_until_idle(pid: int) -> None:
    """Wait until all processes of a server have started: one that starts later would accept no connections."""
    until = time.monotonic() + START_TIMEOUT_S
    before = read_tree_usage(pid)
    while before is not None and time.monotonic() < until:
        await asyncio.sleep(IDLE_CHECK_S)
        after = read_tree_usage(pid)
        if after is None or after.cpu_s - before.cpu_s < IDLE_CPU * IDLE_CHECK_S:
            return
        before = after
