"""Connections to SQLite and their threads."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from realmtable.server.storage.database import Database
from realmtable.server.storage.sqlite_writes import driver_of
from realmtable.server.task_cancellation import cancel_tasks


@pytest.mark.parametrize("connections", [1, 3])
def test_closing_waits_for_connections_whose_tasks_were_cancelled(
    connections: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thread that is still connecting must not report to an event loop that has ended."""
    errors: list[object] = []
    threads: list[threading.Thread] = []
    connect, connecting = sqlite3.connect, threading.Semaphore(0)

    def connect_slowly(*arguments: Any, **options: Any) -> Any:
        threads.append(threading.current_thread())
        connecting.release()
        time.sleep(0.1)
        return connect(*arguments, **options)

    async def use(database: Database) -> None:
        async with database.reading():
            pass

    async def cancel_while_connecting() -> None:
        database = Database(f"sqlite:///{tmp_path}/slow.db")
        tasks = [asyncio.create_task(use(database)) for _ in range(connections)]
        for _ in tasks:
            await asyncio.to_thread(connecting.acquire)
        await cancel_tasks(tasks)
        await database.close()

    monkeypatch.setattr(threading, "excepthook", errors.append)
    monkeypatch.setattr("realmtable.server.storage.database.sqlite3.connect", connect_slowly)
    asyncio.run(cancel_while_connecting())
    for thread in threads:
        thread.join()
    assert len(threads) == connections
    assert errors == []


def test_closing_does_not_wait_for_a_connection_that_was_stopped_twice(tmp_path: Path) -> None:
    async def stop_twice() -> None:
        database = Database(f"sqlite:///{tmp_path / 'table.db'}")
        async with database.reading() as connection:
            raw = (await connection.get_raw_connection()).driver_connection
            assert raw is not None
            first = raw.stop()
            assert raw.stop() is first
            await first
            await connection.invalidate()
        async with asyncio.timeout(20):
            await database.close()

    asyncio.run(stop_twice())


def test_the_writer_keeps_its_connection_until_a_transaction_fails(tmp_path: Path) -> None:
    used: list[sqlite3.Connection] = []

    def write(connection: Connection, *, fails: bool = False) -> int:
        driver = driver_of(connection)
        assert driver is not None
        used.append(driver)
        driver.execute("CREATE TABLE IF NOT EXISTS notes (number INTEGER)")
        driver.execute("INSERT INTO notes VALUES (1)")
        if fails:
            raise ZeroDivisionError
        return int(driver.execute("SELECT count(*) FROM notes").fetchone()[0])

    async def write_some() -> None:
        database = Database(f"sqlite:///{tmp_path / 'table.db'}")
        assert [await database.write(write) for _ in range(2)] == [1, 2]
        assert used[1] is used[0]
        with pytest.raises(ZeroDivisionError):
            await database.write(partial(write, fails=True))
        assert used[2] is used[0]
        assert await database.write(write) == 3, "what failed was rolled back"
        await database.close()
        with pytest.raises(sqlite3.ProgrammingError):
            used[3].execute("SELECT 1")  # it is closed
        assert await database.write(write) == 4
        with pytest.raises(ZeroDivisionError):
            await database.write(partial(write, fails=True))
        await database.close()

    asyncio.run(write_some())


def test_others_can_write_between_transactions(tmp_path: Path) -> None:
    async def write_beside() -> None:
        database = Database(f"sqlite:///{tmp_path / 'table.db'}")
        await database.write(lambda connection: connection.exec_driver_sql("CREATE TABLE notes (number INTEGER)"))
        with closing(sqlite3.connect(tmp_path / "table.db", timeout=0)) as other, other:
            other.execute("INSERT INTO notes VALUES (1)")
        await database.close()

    asyncio.run(write_beside())
