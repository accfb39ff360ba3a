"""Connections to SQLite and their threads."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from realmtable.server.storage.database import Database
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
