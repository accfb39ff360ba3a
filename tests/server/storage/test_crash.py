"""`kill -9` at random moments under load: no acknowledged move is lost or doubled, and no game is stuck.

Real processes on one SQLite file; people play by HTTP and follow by streams, and come back by themselves.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import sys
import time
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from realmtable.server import admin
from realmtable.server.storage.database import Database
from realmtable.server.storage.table_store import TableStore
from tests.server.support.crowd import Log, open_crowd
from tests.server.support.live_server import wait_until
from tests.server.support.restartable_server import LINUX, WAIT_S, RestartableServer, is_alive

pytestmark = pytest.mark.anyio

CLOCK_S = 600.0


@dataclass
class CrashRun:
    """The outcome of a run of kills."""

    log: Log
    tables: list[str]
    waiting: str  # a table that nobody cares for, whose clock runs out
    robots: str  # one at which bots play alone
    timed: str  # one that plays with a long clock


async def play_through_kills(lives: RestartableServer, kills: int, *, pairs: int, most_moves: int) -> CrashRun:
    """Play while the server is killed again and again, then play every game to its end."""
    rng = Random(kills)
    async with open_crowd([lives.port]) as people:
        await lives.start()
        slow_ones = [await people.person() for _ in range(2)]
        robots = await people.open_table([], "bot:random", "bot:random", game="realm")
        watching = asyncio.create_task(people.follow(slow_ones[0], robots))  # unwatched bots are paused
        waiting = await people.open_table(slow_ones, clock={"kind": "move", "seconds": 10})
        for _ in slow_ones:
            await people.step(slow_ones, waiting)
        timed = await people.open_table(slow_ones, clock={"kind": "game", "seconds": CLOCK_S})
        people.start_tasks(
            *[people.play([await people.person() for _ in range(2)]) for _ in range(pairs)],
            *[people.play([await people.person()], "bot:random") for _ in range(pairs)],
        )
        for _ in range(kills):
            await people.wait_for_acks(rng.randrange(most_moves))
            await asyncio.sleep(rng.uniform(0, 0.03))
            lives.kill()
            await lives.start()
        for _ in range(4):
            await people.step(slow_ones, timed)
        await people.finish()
        await _wait_for_bot_move(lives.folder, robots)
        watching.cancel()
        await _wait_for_clock(lives.folder, waiting)
        return CrashRun(people.log, people.tables, waiting, robots, timed)


async def _wait_for_bot_move(folder: Path, table: str) -> None:
    """Bots go on by themselves after the last restart."""
    before, _ = _version_and_status(folder, table)

    async def has_moved() -> bool:
        version, status = _version_and_status(folder, table)
        return status == "over" or version > before

    await wait_until(has_moved, WAIT_S)


async def _wait_for_clock(folder: Path, table: str) -> None:
    """A clock that ran out while the server was down, or later, ends the game by itself."""

    async def is_over() -> bool:
        return _version_and_status(folder, table)[1] == "over"

    await wait_until(is_over, WAIT_S)


def _version_and_status(folder: Path, table: str) -> tuple[int, str]:
    [(version, status)] = _rows(folder, "SELECT version, status FROM tables WHERE id = ?", table)
    return version, status


def _rows(folder: Path, query: str, *values: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(folder / "tables.sqlite3", timeout=20)) as connection:
        return connection.execute(query, values).fetchall()


async def check(folder: Path, run: CrashRun) -> None:
    """Nothing acknowledged is lost or doubled, nothing shown was taken back, every game has ended or goes on."""
    assert run.log.surprises == []
    rows = _rows(folder, "SELECT table_id, version, kind, data, key, at FROM events ORDER BY table_id, version")
    stored: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for table, version, _, data, key, _ in rows:
        if key is not None:
            stored.setdefault((table, key), []).append((version, json.loads(data).get("move")))
    lost = [ack for ack in run.log.acks if (ack.table, ack.key) not in stored]
    assert lost == []
    for ack in run.log.acks:
        [(version, move)] = stored[ack.table, ack.key]
        assert move == ack.move
        assert version <= ack.version
    assert set(stored) <= set(run.log.sent)
    newest = Counter({table: version for table, version, *_ in rows})
    assert all(newest[table] >= version for table, version in run.log.seen.items()), "something shown was lost"
    played = [table for table in run.tables if table not in (run.robots, run.timed)]
    statuses = dict(_rows(folder, "SELECT id, status FROM tables"))
    assert {statuses[table] for table in played} == {"over"}
    await _check_logs(folder, run)


async def _check_logs(folder: Path, run: CrashRun) -> None:
    """Every log is without a gap and says what the lists say; the long clock counted the time between the lives too."""
    for count, newest, version in _rows(
        folder,
        "SELECT count(*), max(events.version), tables.version FROM events"
        " JOIN tables ON tables.id = table_id GROUP BY table_id",
    ):
        assert count == newest == version
    database = Database(f"sqlite:///{folder / 'tables.sqlite3'}")
    store = TableStore(database)
    try:
        for table in run.tables:
            row = await store.table(table)
            assert row is not None
            assert list(admin.find_differences(row, await store.events(table), await store.snapshot(table))) == []
            if table == run.timed:
                deadline = row.summary.deadline
                first = next(event.at for event in await store.events(table) if event.kind == "started")
                assert deadline is not None
                assert row.summary.updated_at < deadline < first + 2 * CLOCK_S
                assert deadline < row.summary.updated_at + CLOCK_S
        result = await store.table(run.waiting)
        assert result is not None
        assert result.summary.result is not None
        assert result.summary.result["reason"] == "time"
    finally:
        await store.close()
        await database.close()


@pytest.mark.long
@LINUX
async def test_killed_three_times_nothing_is_lost(tmp_path: Path) -> None:
    with RestartableServer(tmp_path) as lives:
        run = await play_through_kills(lives, kills=3, pairs=1, most_moves=12)
        await check(tmp_path, run)
        assert len(run.log.acks) > 12
        assert run.log.breaks > 0

        async def are_gone() -> bool:
            return not any(is_alive(pid) for pid in lives.children)

        assert await wait_until(are_gone), "thinking processes outlive their server"


@LINUX
@pytest.mark.slow
async def test_killed_a_hundred_times_nothing_is_lost(tmp_path: Path) -> None:
    with RestartableServer(tmp_path) as lives:
        run = await play_through_kills(lives, kills=100, pairs=6, most_moves=30)
        await check(tmp_path, run)
    figures = {"kills": 100, "acknowledged": len(run.log.acks), "breaks": run.log.breaks, "tables": len(run.tables)}
    sys.stderr.write(f"\n{figures}, lost: 0\n")
    assert len(run.log.acks) > 1000, figures


@pytest.mark.long
@LINUX
async def test_a_server_that_is_asked_to_end_lets_its_streams_go_at_once(tmp_path: Path) -> None:
    with RestartableServer(tmp_path) as lives:
        await lives.start()
        async with open_crowd([lives.port]) as people:
            ann = await people.person()
            table = await people.open_table([ann], "open")
            async with ann.client.stream("GET", f"/api/tables/{table}/events") as answer:
                lines = answer.aiter_lines()
                while not (await anext(lines)).startswith("data: "):
                    pass
                os.kill(lives.pid, signal.SIGTERM)
                begun = time.monotonic()
                with suppress(httpx.TransportError):
                    async for _ in lines:
                        pass
                assert time.monotonic() - begun < 5

            async def has_ended() -> bool:
                return not is_alive(lives.pid)

            assert await wait_until(has_ended)
