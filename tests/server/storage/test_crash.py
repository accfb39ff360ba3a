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
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import httpx
import pytest

from realmtable.server import admin
from realmtable.server.storage.database import Database
from realmtable.server.storage.table_store import TableStore
from tests.server.support.live_server import Person, wait_until
from tests.server.support.restartable_server import LINUX, WAIT_S, RestartableServer, is_alive

pytestmark = pytest.mark.anyio

GAME = "medieval_realm"  # the shortest at random: some 55 to 110 steps
CLOCK_S = 600.0
Result = TypeVar("Result")


@dataclass(frozen=True)
class Ack:
    """A move that a person was told to be played."""

    table: str
    version: int
    key: str
    move: str


@dataclass
class Log:
    """What people sent and were told, over all lives of the server."""

    acks: list[Ack] = field(default_factory=list)
    sent: dict[tuple[str, str], str] = field(default_factory=dict)  # (table, key): move
    seen: Counter[str] = field(default_factory=Counter)  # by table, the newest version that anybody was shown
    surprises: list[str] = field(default_factory=list)
    breaks: int = 0  # how often a connection was lost

    def note_shown(self, table: str, version: int) -> None:
        self.seen[table] = max(self.seen[table], version)


class Crowd:
    """People who play until told to stop; a lost connection only makes them try again."""

    def __init__(self, port: int, stack: AsyncExitStack) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.stack = stack
        self.log = Log()
        self.tables: list[str] = []
        self.acting: dict[str, int] = {}  # by table, the seat that was to move when last seen
        self.rng = Random(4)
        self.last_game = False
        self.tasks: list[asyncio.Task[None]] = []

    async def person(self) -> Person:
        """Somebody whom the server knows already: a newcomer's lost first answer would take the cookie with it."""
        client = httpx.AsyncClient(base_url=self.url, timeout=WAIT_S)
        person = Person(await self.stack.enter_async_context(client))
        await person.post("/api/me/tokens", {"label": "to be known"})
        return person

    async def retry(self, ask: Callable[[], Awaitable[Result]]) -> Result:
        """Ask until there is an answer, as a browser does."""
        async with asyncio.timeout(WAIT_S):
            while True:
                try:
                    return await ask()
                except httpx.TransportError:
                    self.log.breaks += 1
                    await asyncio.sleep(0.05)

    async def open_table(self, people: list[Person], *others: str, **wishes: Any) -> str:
        seats = ["me", *["open"] * (len(people) - 1), *others] if people else list(others)
        opener = people[0] if people else await self.person()
        wish = {"game": GAME, "seats": seats, **wishes}
        table: str = (await self.retry(lambda: opener.post("/api/tables", wish)))["table"]
        for person in people[1:]:
            await self.retry(lambda person=person: person.post(f"/api/tables/{table}/seats"))  # type: ignore[misc]
        self.tables.append(table)
        return table

    async def play(self, people: list[Person], *others: str, **wishes: Any) -> None:
        """Play games one after another, each to its end."""
        while not self.last_game:
            table = await self.open_table(people, *others, **wishes)
            following = asyncio.create_task(self.follow(people[-1], table))
            while not await self.step(people, table):
                pass
            await following

    async def step(self, people: list[Person], table: str) -> bool:
        """Move for whoever is to move; whether the game is over."""
        person = people[self.acting.get(table, 0) % len(people)]
        scene = await self.retry(lambda: person.get(f"/api/tables/{table}"))
        if scene["your_turn"]:
            scene = await self.move(person, table, scene)
        elif len(people) == 1:
            await asyncio.sleep(0.01)  # the bot thinks
        self.log.note_shown(table, scene["version"])
        self.acting[table] = scene["acting"][0] if scene["acting"] else 0
        return bool(scene["status"] == "over")

    async def move(self, person: Person, table: str, scene: dict[str, Any]) -> dict[str, Any]:
        key, move = f"k{len(self.log.sent)}", self.rng.choice(scene["choices"])["move"]
        body = {"version": scene["version"], "move": move, "key": key}
        self.log.sent[table, key] = move
        answer = await self.retry(lambda: person.send("POST", f"/api/tables/{table}/moves", body))
        if not answer.is_success:
            self.log.surprises.append(f"{body}: {answer.status_code} {answer.text[:300]}")
            return scene
        after: dict[str, Any] = answer.json()
        self.log.acks.append(Ack(table, after["version"], key, move))
        return after

    async def follow(self, person: Person, table: str) -> None:
        """Read a table's stream to the end of its game, coming back with the last id after every break."""
        last, status = "0", ""
        async with asyncio.timeout(10 * WAIT_S):
            while status != "over":
                with suppress(httpx.TransportError):
                    path, headers = f"/api/tables/{table}/events", {"Last-Event-ID": last}
                    async with person.client.stream("GET", path, headers=headers) as answer:
                        async for line in answer.aiter_lines():
                            if line.startswith("id: "):
                                if int(line[4:]) < int(last):
                                    self.log.surprises.append(f"{table} went back from {last} to {line}")
                                last = line[4:]
                                self.log.note_shown(table, int(last))
                            elif line.startswith("data: ") and (status := json.loads(line[6:])["status"]) == "over":
                                break
                await asyncio.sleep(0.05)

    def start_tasks(self, *plays: Awaitable[None]) -> None:
        self.tasks = [asyncio.ensure_future(play) for play in plays]

    async def wait_for_acks(self, moves: int) -> None:
        """Wait until so many more moves were acknowledged."""
        enough = len(self.log.acks) + moves

        async def are_enough() -> bool:
            return len(self.log.acks) >= enough

        await wait_until(are_enough, WAIT_S)

    async def finish(self) -> None:
        """Let everybody play the running games to their ends."""
        self.last_game = True
        async with asyncio.timeout(5 * WAIT_S):
            await asyncio.gather(*self.tasks)


@asynccontextmanager
async def open_crowd(port: int) -> AsyncIterator[Crowd]:
    async with AsyncExitStack() as stack:
        made = Crowd(port, stack)
        try:
            yield made
        finally:
            for task in made.tasks:
                task.cancel()
            await asyncio.gather(*made.tasks, return_exceptions=True)


@dataclass
class CrashRun:
    """What a run of kills came to."""

    log: Log
    tables: list[str]
    waiting: str  # a table that nobody cares for, whose clock runs out
    robots: str  # one at which bots play alone
    timed: str  # one that plays with a long clock


async def play_through_kills(lives: RestartableServer, kills: int, *, pairs: int, most_moves: int) -> CrashRun:
    """Play while the server is killed again and again, then play every game to its end."""
    rng = Random(kills)
    async with open_crowd(lives.port) as people:
        await lives.start()
        slow_ones = [await people.person() for _ in range(2)]
        robots = await people.open_table([], "bot:random", "bot:random", game="realm")
        watching = asyncio.create_task(people.follow(slow_ones[0], robots))  # unwatched bots are paused
        waiting = await people.open_table(slow_ones, clock={"kind": "move", "seconds": 2})
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


@LINUX
async def test_killed_five_times_nothing_is_lost(tmp_path: Path) -> None:
    with RestartableServer(tmp_path) as lives:
        run = await play_through_kills(lives, kills=5, pairs=1, most_moves=12)
        await check(tmp_path, run)
        assert len(run.log.acks) > 20
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


@LINUX
async def test_a_server_that_is_asked_to_end_lets_its_streams_go_at_once(tmp_path: Path) -> None:
    with RestartableServer(tmp_path) as lives:
        await lives.start()
        async with open_crowd(lives.port) as people:
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
