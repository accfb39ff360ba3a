"""A fresh database for each test.

`make test` repeats on PostgreSQL what can differ there (`on_both_databases`): all tests of the store, of races and of
migrations, and from each other module those that run its statements, compete, or store what PostgreSQL refuses.
`make slow` repeats every test.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import create_async_engine

from realmtable.server.storage.database import Database, connect
from realmtable.server.storage.table_store import TableStore
from tests.server.contract.helpers import CuttableProxy, add_players
from tests.server.support.live_server import create_database

HOW_TO_START = 'set by `eval "$(.ci/services)"`, which starts PostgreSQL and Redis for the tests'


def address(variable: str) -> str:
    """The address a variable holds; the test is skipped without one."""
    if not (found := os.environ.get(variable)):
        pytest.skip(f"needs {variable}, {HOW_TO_START}")
    return found


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def postgresql_url() -> AsyncIterator[str]:
    """An empty PostgreSQL database that is gone after the test."""
    url = make_url(address("REALMTABLE_TEST_DATABASE_URL"))
    name = f"test_{secrets.token_hex(6)}"
    engine = create_async_engine(url.set(drivername="postgresql+asyncpg"), isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        await connection.execute(text(f"CREATE DATABASE {name}"))
    yield url.set(database=name).render_as_string(hide_password=False)
    async with engine.connect() as connection:
        await connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    await engine.dispose()


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/table.db"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def url(request: pytest.FixtureRequest) -> str:
    """An empty database, of each kind in turn."""
    found: str = request.getfixturevalue(f"{request.param}_url")
    return found


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    """A database with two players."""
    create_database(url)
    database = await connect(url)
    await add_players(database)
    yield database
    await database.close()


@pytest.fixture
async def store(database: Database) -> AsyncIterator[TableStore]:
    store = TableStore(database)
    yield store
    await store.close()


@pytest.fixture
async def other_store(url: str, database: Database) -> AsyncIterator[TableStore]:  # noqa: ARG001  # which made the tables
    """Another process's store of the same database."""
    another = await connect(url)
    store = TableStore(another)
    yield store
    await store.close()
    await another.close()


@pytest.fixture
async def postgresql_line(postgresql_url: str) -> AsyncIterator[CuttableProxy]:
    line = CuttableProxy(postgresql_url)
    await line.mend()
    yield line
    await line.cut()


@pytest.fixture
def redis_url() -> str:
    """A database of the tests' Redis that only this test process uses."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    return f"{address('REALMTABLE_TEST_REDIS_URL').rpartition('/')[0]}/{1 + worker % 14}"


@pytest.fixture
async def redis_line(redis_url: str) -> AsyncIterator[CuttableProxy]:
    line = CuttableProxy(redis_url)
    await line.mend()
    yield line
    await line.cut()
