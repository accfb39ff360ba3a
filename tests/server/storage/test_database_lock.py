"""Only one server uses an SQLite file, however the previous one ended; readers are allowed."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from realmtable.server.errors import Unavailable
from realmtable.server.metrics import Metrics
from realmtable.server.services import Services
from realmtable.server.settings import Settings
from realmtable.server.storage.database_lock import SUFFIX, lock_database
from tests.cli.command_line import expect_refusal, run_cli

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
