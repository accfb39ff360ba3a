"""A full disk, a lock, a lost database: a clear refusal, nothing half stored, and automatic recovery."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

import realmtable
from realmtable.server.errors import Unavailable
from realmtable.server.storage.database import Database, connect
from realmtable.server.storage.table_store import TableStore
from tests.server.contract.conftest import address
from tests.server.contract.helpers import CuttableProxy, add_players, append, on_both_databases, open_table

pytestmark = pytest.mark.anyio

TIMEOUT_S = 90
ROOT = Path(realmtable.__file__).parents[2]
SERVICES = os.fspath(ROOT / ".ci" / "services")


async def versions(store: TableStore) -> list[int]:
    return [event.version for event in await store.events("t")]


async def append_with_retry(store: TableStore, version: int) -> None:
    """Append, and retry until the database is back, as a server does."""
    async with asyncio.timeout(TIMEOUT_S):
        while True:
            try:
                return await append(store, "t", version)
            except Unavailable:
                await asyncio.sleep(0.05)


def run_in_namespace(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a shell script where what it mounts is seen by nobody else and gone at its end."""
    program = shutil.which("unshare")
    if program is None:
        pytest.skip("needs the program unshare")
    command = [program, "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", os.fspath(folder)]
    return subprocess.run(  # noqa: S603  # ours
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=TIMEOUT_S
    )


# ---- both


@on_both_databases
async def test_a_writer_who_is_cancelled_leaves_nothing_and_blocks_nobody(
    store: TableStore, database: Database
) -> None:
    async def write(begun: asyncio.Event) -> None:
        async with database.writing() as connection:
            await connection.execute(text("UPDATE players SET name = 'half'"))
            begun.set()
            await connection.execute(text("SELECT count(*) FROM players"))
            await asyncio.sleep(TIMEOUT_S)

    for pause_s in (0, 0.01):
        begun = asyncio.Event()
        task = asyncio.create_task(write(begun))
        await begun.wait()
        await asyncio.sleep(pause_s)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    async with asyncio.timeout(TIMEOUT_S):
        await open_table(store, "t")
        async with database.reading() as connection:
            names = (await connection.execute(text("SELECT name FROM players ORDER BY name"))).scalars()
    assert [*names] == ["Ann", "Bob"]


# ---- SQLite


async def test_a_cursor_that_a_cancelled_writer_leaves_open_blocks_nobody(sqlite_url: str) -> None:
    database = await connect(sqlite_url)
    await add_players(database)
    cursors = []  # as if they were waiting to be collected as garbage

    async def write(begun: asyncio.Event) -> None:
        async with database.writing() as connection:
            await connection.execute(text("UPDATE players SET name = 'half'"))
            driver = (await connection.get_raw_connection()).driver_connection
            assert driver is not None
            cursors.append(await driver.execute("SELECT name FROM players"))
            begun.set()
            await connection.execute(text("SELECT count(*) FROM players"))  # cancelled here

    begun = asyncio.Event()
    task = asyncio.create_task(write(begun))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await open_table(TableStore(database), "t")
    async with database.reading() as connection:
        names = (await connection.execute(text("SELECT name FROM players ORDER BY name"))).scalars()
    assert [*names] == ["Ann", "Bob"]
    await database.close()
    assert len(cursors) == 1


async def test_a_full_database_refuses_and_recovers(sqlite_url: str) -> None:
    database = await connect(sqlite_url)
    await add_players(database)
    store = TableStore(database)
    await open_table(store, "t")
    pages = await database.write(lambda connection: connection.scalar(text("PRAGMA page_count")))
    await database.write(lambda connection: connection.execute(text(f"PRAGMA max_page_count = {pages}")))
    with pytest.raises(Unavailable, match="full"):
        await append(store, "t", 2, data={"text": "y" * 50_000})
    assert await versions(store) == [1]
    await database.write(lambda connection: connection.execute(text("PRAGMA max_page_count = 100000")))
    await append(store, "t", 2, data={"text": "y" * 50_000})
    assert await versions(store) == [1, 2]
    await store.close()
    await database.close()


@pytest.mark.long
def test_a_full_disk_refuses_and_recovers(tmp_path: Path) -> None:
    mount = 'mount -t tmpfs -o size=1m tmpfs "$1"'
    if run_in_namespace(f"{mount}", tmp_path).returncode != 0:
        pytest.skip("needs a system where anybody may mount a file system of their own")
    done = run_in_namespace(f'{mount} && exec "{sys.executable}" -m tests.server.contract.full_disk "$1"', tmp_path)
    assert done.returncode == 0, done.stderr
    assert "disk is full" in done.stderr


async def test_a_locked_file_refuses_and_recovers(sqlite_url: str, tmp_path: Path) -> None:
    database = await connect(f"{sqlite_url}?timeout=0.05")
    await add_players(database)
    store = TableStore(database)
    await open_table(store, "t")
    holder = sqlite3.connect(tmp_path / "table.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(Unavailable, match="locked"):
        await append(store, "t", 2)
    with pytest.raises(Unavailable, match="locked"):
        await store.ping()
    assert await versions(store) == [1], "reading goes on"
    holder.execute("ROLLBACK")
    holder.close()
    await append(store, "t", 2)
    await store.close()
    await database.close()


@pytest.mark.parametrize("content", [b"This is not a database." * 100, b""], ids=["other", "empty"])
async def test_a_file_of_another_kind_is_left_alone(sqlite_url: str, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "table.db"
    file.write_bytes(content)
    if content:
        with pytest.raises(Unavailable, match="not a database"):
            await connect(sqlite_url)
        assert file.read_bytes() == content
    else:
        await (await connect(sqlite_url)).close()


async def test_a_place_that_cannot_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Unavailable, match="opened"):
        await connect(f"sqlite:///{tmp_path}/file/table.db")
    (tmp_path / "folder").mkdir()
    with pytest.raises(Unavailable, match="opened"):
        await connect(f"sqlite:///{tmp_path}/folder")


# ---- PostgreSQL


@pytest.fixture
async def lines_database(postgresql_line: CuttableProxy) -> Database:
    database = await connect(postgresql_line.address)
    await add_players(database)
    return database


async def test_a_lost_line_refuses_and_recovers(postgresql_line: CuttableProxy, lines_database: Database) -> None:
    store = TableStore(lines_database)
    await open_table(store, "t")
    await postgresql_line.cut()
    async with asyncio.timeout(TIMEOUT_S):
        for attempt in (append(store, "t", 2), store.ping(), store.table("t"), connect(postgresql_line.address)):
            with pytest.raises(Unavailable):
                await attempt
    await postgresql_line.mend()
    await append(store, "t", 2)
    assert await versions(store) == [1, 2]
    await store.close()
    await lines_database.close()


async def test_a_line_lost_halfway_refuses_and_recovers(
    postgresql_line: CuttableProxy, lines_database: Database
) -> None:
    with pytest.raises(Unavailable):  # noqa: PT012  # wherever it shows, at the latest at the end of the block
        async with lines_database.writing() as connection:
            await connection.execute(text("SELECT 1"))
            await postgresql_line.cut()
            await connection.execute(text("SELECT 1"))
    await postgresql_line.mend()
    async with lines_database.reading() as connection:
        assert await connection.scalar(text("SELECT 1")) == 1
    await lines_database.close()


async def test_a_server_that_hangs_up_refuses_and_recovers(lines_database: Database) -> None:
    database, store = lines_database, TableStore(lines_database)
    await open_table(store, "t")
    end_others = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    with pytest.raises(Unavailable):  # noqa: PT012 - wherever it shows
        async with database.writing() as victim:
            mine = await victim.scalar(text("SELECT pg_backend_pid()"))
            async with database.reading() as killer:
                await killer.execute(text(f"SELECT pg_terminate_backend({mine})"))
            await victim.execute(text("SELECT 1"))
    async with database.reading() as killer:
        await killer.execute(text(end_others))
    await append(store, "t", 2)
    assert await versions(store) == [1, 2]
    await store.close()
    await database.close()


async def test_wrong_addresses_are_unavailable(postgresql_url: str) -> None:
    with pytest.raises(Unavailable, match="does not exist"):
        await connect(f"{postgresql_url}_not")
    with pytest.raises(Unavailable, match="name or password"):
        await connect(postgresql_url.replace("://realmtable:", "://realmtable:not"))
    with pytest.raises(Unavailable, match="reached"):
        await connect("postgresql://me@no-such-host.invalid/name")


@pytest.fixture
def own_services() -> Iterator[dict[str, str]]:
    """A PostgreSQL and a Redis of this test's own, to be stopped and started."""
    address("REALMTABLE_TEST_SERVICES")
    told = subprocess.run([SERVICES], capture_output=True, text=True, check=True)  # noqa: S603  # ours
    services = dict(line.removeprefix("export ").split("=", 1) for line in told.stdout.splitlines())
    yield services
    subprocess.run([SERVICES, "stop", services["REALMTABLE_TEST_SERVICES"]], check=True)  # noqa: S603  # ours


@pytest.mark.long
async def test_a_database_that_is_stopped_and_started_loses_nothing(own_services: dict[str, str]) -> None:
    async def switch(how: str) -> None:
        command = [SERVICES, how, own_services["REALMTABLE_TEST_SERVICES"]]
        process = await asyncio.create_subprocess_exec(*command)
        assert await process.wait() == 0

    database = await connect(own_services["REALMTABLE_TEST_DATABASE_URL"])
    await add_players(database)
    store = TableStore(database)
    await open_table(store, "t")
    acknowledged = 1
    stopping = asyncio.create_task(switch("down"))
    try:
        while True:
            await append(store, "t", acknowledged + 1)
            acknowledged += 1
    except Unavailable:
        await stopping
    with pytest.raises(Unavailable):
        await store.ping()
    await switch("up")
    async with asyncio.timeout(TIMEOUT_S):
        found = await versions(store)
    assert found in (list(range(1, acknowledged + 1)), list(range(1, acknowledged + 2))), "the last one may be stored"
    await append_with_retry(store, len(found) + 1)
    await store.close()
    await database.close()
