"""Connections to SQLite and their threads."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from realmtable.server.errors import Unavailable
from realmtable.server.metrics import Metrics
from realmtable.server.services import Services
from realmtable.server.settings import Settings
from realmtable.server.storage.database import Database
from realmtable.server.storage.database_lock import SUFFIX, lock_database
from realmtable.server.task_cancellation import cancel_tasks
from tests.cli.command_line import expect_refusal, run_cli


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


def test_a_transaction_that_fails_is_rolled_back_and_a_closed_database_opens_again(tmp_path: Path) -> None:
    def write(connection: Connection, *, fails: bool = False) -> int:
        connection.exec_driver_sql("CREATE TABLE IF NOT EXISTS notes (number INTEGER)")
        connection.exec_driver_sql("INSERT INTO notes VALUES (1)")
        if fails:
            raise ZeroDivisionError
        return int(connection.exec_driver_sql("SELECT count(*) FROM notes").scalar_one())

    async def write_some() -> None:
        database = Database(f"sqlite:///{tmp_path / 'table.db'}")
        assert [await database.write(write) for _ in range(2)] == [1, 2]
        with pytest.raises(ZeroDivisionError):
            await database.write(partial(write, fails=True))
        assert await database.write(write) == 3
        await database.close()
        assert await database.write(write) == 4
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


HOLDER = """
import sys, time
from realmtable.server.storage.database_lock import lock_database
lock = lock_database(sys.argv[1])
lock.name_holder()
print("held", flush=True)
time.sleep(600)
"""


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/tables.sqlite3"


def test_a_second_server_is_refused_until_the_first_has_gone(url: str, tmp_path: Path) -> None:
    with lock_database(url) as lock:
        lock.name_holder()
        with pytest.raises(Unavailable, match=f"server \\(process {os.getpid()}\\) is using the database {tmp_path}"):
            lock_database(url)
    with lock_database(url):
        pass


def test_another_way_to_the_same_file_is_no_way_round(url: str, tmp_path: Path) -> None:
    (tmp_path / "tables.sqlite3").touch()
    (tmp_path / "alias.sqlite3").symlink_to(tmp_path / "tables.sqlite3")
    with lock_database(url), pytest.raises(Unavailable):
        lock_database(f"sqlite:///{tmp_path}/alias.sqlite3")
    with lock_database(url), lock_database(f"sqlite:///{tmp_path}/other.sqlite3"):
        pass


@pytest.mark.long
def test_a_killed_process_leaves_no_lock(url: str) -> None:
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, url], stdout=subprocess.PIPE, text=True)  # noqa: S603 - ours
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    with pytest.raises(Unavailable, match=f"process {holder.pid}"):
        lock_database(url)
    holder.send_signal(signal.SIGKILL)
    holder.wait(60)
    holder.stdout.close()
    with lock_database(url):
        pass


def test_postgresql_needs_no_lock() -> None:
    with lock_database("postgresql://me@nowhere/x") as first, lock_database("postgresql://me@nowhere/x"):
        first.name_holder()


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Unavailable, match="cannot be opened"):
        lock_database(f"sqlite:///{tmp_path}/file/tables.sqlite3")


@pytest.mark.parametrize(("number", "starts"), [(errno.ENOLCK, True), (errno.EOPNOTSUPP, True), (errno.EIO, False)])
def test_a_file_system_without_locks_does_not_keep_a_server_from_starting(
    url: str, monkeypatch: pytest.MonkeyPatch, number: int, starts: bool
) -> None:
    def fail(*_: Any) -> None:
        raise OSError(number, "odd")

    monkeypatch.setattr(fcntl, "flock", fail)
    if starts:
        lock_database(url).release()
    else:
        with pytest.raises(Unavailable, match="cannot be locked"):
            lock_database(url)


def test_a_system_without_locks_does_not_keep_a_server_from_starting(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    with lock_database(url), lock_database(url):
        pass


@pytest.mark.anyio
async def test_a_running_server_holds_its_database_and_a_closed_one_does_not(settings: Settings) -> None:
    services = await Services.start(settings, Metrics())
    with pytest.raises(Unavailable, match="is using the database"):
        await Services.start(settings, Metrics())
    await services.close()
    lock_database(settings.database_url).release()


@pytest.mark.long
def test_serve_and_restore_say_so_in_a_sentence_and_visitors_do_not_mind(url: str, tmp_path: Path) -> None:
    flag = ("--database-url", url)
    assert run_cli("admin", "migrate", *flag).code == 0
    assert run_cli("admin", "backup", str(tmp_path / "evening.backup"), *flag).code == 0
    with lock_database(url):
        assert "is using the database" in expect_refusal("serve", "--port", "0", *flag)
        backup = str(tmp_path / "evening.backup")
        assert "stop it" in expect_refusal("admin", "restore", backup, "--replace", *flag)
        for command in (["migrate"], ["players"], ["check"], ["backup", str(tmp_path / "other.backup")]):
            assert run_cli("admin", *command, *flag).code == 0, command
    assert run_cli("admin", "restore", str(tmp_path / "evening.backup"), "--replace", *flag).code == 0
    assert Path(f"{tmp_path}/tables.sqlite3{SUFFIX}").stat().st_mode & 0o777 == 0o600
