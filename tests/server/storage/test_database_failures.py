"""When the database fails, players get a clear error, see only what is stored, and can play on afterwards."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from realmtable.server import admin
from realmtable.server.errors import Unavailable
from realmtable.server.services import Services
from realmtable.server.tables.live import table_driver
from tests.server.support.live_server import (
    Person,
    StreamTap,
    make_app,
    make_settings,
    open_tap,
    wait_until,
)

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("quiet_logs")]

REASON = "The database cannot be reached at the moment."


class ObservedTable:
    """Two people at a table, somebody who watches, and the log behind them."""

    def __init__(self, services: Services, ann: Person, bob: Person, table: str) -> None:
        self.services, self.ann, self.bob, self.table = services, ann, bob, table
        self.path = f"/api/tables/{table}"
        self.streams: list[StreamTap] = []

    async def make_move_body(self, person: Person, key: str = "k1") -> dict[str, Any]:
        scene = await person.get(self.path)
        return {"version": scene["version"], "move": scene["choices"][0]["move"], "key": key}

    async def move(self, person: Person, wish: dict[str, Any]) -> httpx.Response:
        return await person.send("POST", f"{self.path}/moves", wish)

    async def read_stored_version(self) -> int:
        """The version that the log tells; it has no gap, and the summary agrees."""
        row = await self.services.store.table(self.table)
        assert row is not None
        events = await self.services.store.events(self.table)
        assert [event.version for event in events] == list(range(1, row.summary.version + 1))
        assert list(admin.find_differences(row, events, await self.services.store.snapshot(self.table))) == []
        return row.summary.version

    async def visible_versions(self) -> set[int]:
        """The versions that anybody is shown just now, by asking or by streams."""
        asked = [(await person.get(self.path))["version"] for person in (self.ann, self.bob)]
        return {*asked, *(max(stream.scenes) for stream in self.streams)}

    async def wait_until_shown(self, version: int) -> None:
        """Wait until a request shows this version."""

        async def is_shown() -> bool:
            return int((await self.bob.get(self.path))["version"]) == version

        assert await wait_until(is_shown, 8.0)

    async def wait_for_streams(self, version: int, seconds: float = 5.0) -> None:
        for stream in self.streams:
            await stream.wait(lambda stream=stream: version in stream.scenes, seconds)  # type: ignore[misc]

    async def check_goes_on(self) -> None:
        """Both move once more, everybody sees it, and the log agrees."""
        for number in range(2):
            scene = await self.ann.get(self.path)
            person = (self.ann, self.bob)[scene["acting"][0]]
            answer = await self.move(person, await self.make_move_body(person, f"on{number}"))
            assert answer.status_code == 200, answer.text
            await self.wait_for_streams(answer.json()["version"])
        assert await self.visible_versions() == {await self.read_stored_version()}


@asynccontextmanager
async def open_observed_table(folder: Path, *, opponent: str = "open", **changes: Any) -> AsyncIterator[ObservedTable]:
    app = make_app(make_settings(folder, **changes))
    async with app.router.lifespan_context(app), AsyncExitStack() as stack:
        services: Services = app.state.services
        transport = httpx.ASGITransport(app)
        clients = [httpx.AsyncClient(transport=transport, base_url="http://testserver") for _ in range(2)]
        ann, bob = [Person(await stack.enter_async_context(client)) for client in clients]
        table = await ann.open_table(game="classic_realm", seats=["me", opponent])
        if opponent == "open":
            await bob.post(f"/api/tables/{table}/seats")
        found = ObservedTable(services, ann, bob, table)
        for kind, headers in (("events", {}), ("events", bob.cookie_header), ("socket", bob.cookie_header)):
            tap = await stack.enter_async_context(open_tap(app, f"/api/tables/{table}/{kind}", headers))
            await tap.wait(lambda tap=tap: bool(tap.scenes))  # type: ignore[misc]
            found.streams.append(tap)
        yield found


@pytest.fixture
async def played(tmp_path: Path) -> AsyncIterator[ObservedTable]:
    async with open_observed_table(tmp_path) as found:
        yield found


def fail_appends(patch: pytest.MonkeyPatch, services: Services, *, stored: bool, times: int = 1) -> None:
    """Have appends fail some times: before anything is stored, or after the commit, its answer lost."""
    append, left = services.store.append, [times]

    async def append_or_fail(*values: Any, **named: Any) -> None:
        if not left[0]:
            return await append(*values, **named)
        left[0] -= 1
        if stored:
            await append(*values, **named)
        raise Unavailable(REASON)

    patch.setattr(services.store, "append", append_or_fail)


@contextmanager
def fail_reads(services: Services) -> Iterator[None]:
    """The log cannot be read for a while."""
    with pytest.MonkeyPatch.context() as patch:

        async def fail(*_: Any, **__: Any) -> None:
            raise Unavailable(REASON)

        for name in ("events", "table", "snapshot"):
            patch.setattr(services.store, name, fail)
        yield


@pytest.mark.parametrize("stored", [False, True])
async def test_a_move_is_refused_and_shown_only_if_it_was_stored_although_that_was_not_confirmed(
    monkeypatch: pytest.MonkeyPatch, played: ObservedTable, *, stored: bool
) -> None:
    before, wish = await played.read_stored_version(), await played.make_move_body(played.ann)
    fail_appends(monkeypatch, played.services, stored=stored)
    answer = await played.move(played.ann, wish)
    assert answer.status_code == 503
    error = answer.json()["error"]
    assert (error["code"], error["message"]) == ("Unavailable", REASON)
    if stored:
        await played.wait_for_streams(before + 1)
    else:
        assert error["version"] == before
        await asyncio.sleep(0.1)
    assert await played.visible_versions() == {before + stored} == {await played.read_stored_version()}
    again = await played.move(played.ann, wish)
    assert again.status_code == 200
    assert again.json()["version"] == before + 1
    await played.check_goes_on()


async def test_what_was_stored_in_spite_of_all_is_shown_when_the_log_can_be_read_again_though_nobody_asks(
    monkeypatch: pytest.MonkeyPatch, played: ObservedTable
) -> None:
    """The commit is not confirmed, looking into the log fails too, for a while, and the mover leaves."""
    before, wish = await played.read_stored_version(), await played.make_move_body(played.ann)
    fail_appends(monkeypatch, played.services, stored=True)
    with fail_reads(played.services):
        answer = await played.move(played.ann, wish)
        assert answer.status_code == 503
        assert answer.json()["error"]["message"] == REASON
        assert {max(stream.scenes) for stream in played.streams} == {before}
    await played.wait_for_streams(before + 1, 8.0)
    await played.wait_until_shown(before + 1)
    await played.check_goes_on()


@pytest.mark.long
async def test_a_bot_answers_a_move_whose_commit_was_not_confirmed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(table_driver, "RESUME_AFTER_S", 600.0)  # on a busy machine, the answer may take long
    async with open_observed_table(tmp_path, opponent="bot:random") as played:
        wish = await played.make_move_body(played.ann)
        fail_appends(monkeypatch, played.services, stored=True)
        assert (await played.move(played.ann, wish)).status_code == 503

        async def has_answered() -> bool:
            return bool((await played.ann.get(played.path))["your_turn"])

        assert await wait_until(has_answered, table_driver.RESUME_AFTER_S / 10)


@pytest.mark.parametrize(
    "stored", [pytest.param(False, marks=pytest.mark.long), pytest.param(True, marks=pytest.mark.slow)]
)
async def test_a_bot_whose_move_could_not_be_stored_tries_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, stored: bool
) -> None:
    monkeypatch.setattr(table_driver, "RETRY_S", 0.05)
    async with open_observed_table(tmp_path, opponent="bot:random") as played:
        answer = await played.move(played.ann, await played.make_move_body(played.ann))
        fail_appends(monkeypatch, played.services, stored=stored, times=2)
        after: int = answer.json()["version"]

        async def has_answered() -> bool:
            return bool((await played.ann.get(played.path))["your_turn"])

        assert await wait_until(has_answered)
        assert await played.read_stored_version() > after
        assert await played.visible_versions() == {await played.read_stored_version()}


async def test_nothing_is_shown_while_it_is_being_stored(
    monkeypatch: pytest.MonkeyPatch, played: ObservedTable
) -> None:
    before, wish = await played.read_stored_version(), await played.make_move_body(played.ann)
    append, gate, arrived = played.services.store.append, asyncio.Event(), asyncio.Event()

    async def slow_append(*values: Any, **named: Any) -> None:
        arrived.set()
        await gate.wait()
        await append(*values, **named)

    monkeypatch.setattr(played.services.store, "append", slow_append)
    moving = asyncio.create_task(played.move(played.ann, wish))
    await arrived.wait()
    await asyncio.sleep(0.05)
    assert await played.visible_versions() == {before}
    for path in (f"{played.path}/moments/1", f"/tables/{played.table}", f"/tables/{played.table}/replay"):
        assert wish["move"] not in (await played.bob.send("GET", path)).text.partition("<script")[0]
    assert (await played.bob.send("GET", f"{played.path}/moments/1")).status_code == 404
    gate.set()
    assert (await moving).json()["version"] == before + 1
    await played.wait_for_streams(before + 1)


@pytest.mark.long
async def test_a_locked_database_is_said_to_be_locked_and_play_goes_on_when_it_is_free(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/table.db?timeout=0.1"
    async with open_observed_table(tmp_path, database_url=url) as played:
        before, wish = await played.read_stored_version(), await played.make_move_body(played.ann)
        with closing(sqlite3.connect(tmp_path / "table.db", isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            for work in (
                played.move(played.ann, wish),
                played.ann.send("POST", f"{played.path}/chat", {"text": "hello?"}),
                played.ann.send("POST", "/api/tables", {"game": "realm", "seats": ["me", "open"]}),
                played.ann.send("POST", "/api/me/name", {"name": "Another"}),
            ):
                answer = await work
                assert answer.status_code == 503, answer.text
                assert answer.json()["error"]["code"] == "Unavailable"
                assert "locked" in answer.json()["error"]["message"]
            assert (await played.ann.send("GET", "/healthz")).status_code == 503
            assert await played.visible_versions() == {before} == {await played.read_stored_version()}
            assert (await played.bob.send("GET", f"/tables/{played.table}")).status_code == 200
            other.execute("ROLLBACK")

        async def is_well() -> bool:
            return (await played.ann.send("GET", "/healthz")).status_code == 200

        assert await wait_until(is_well)
        assert (await played.move(played.ann, wish)).json()["version"] == before + 1
        await played.check_goes_on()


async def test_what_cannot_be_read_is_said_in_a_sentence_and_as_a_page(played: ObservedTable) -> None:
    other = await played.ann.open_table()
    del played.services.table_service.live[other]
    with fail_reads(played.services):
        answer = await played.bob.send("GET", f"/api/tables/{other}")
        assert (answer.status_code, answer.json()["error"]["message"]) == (503, REASON)
        page = await played.bob.client.get(f"/tables/{other}", headers={"Accept": "text/html"})
        assert page.status_code == 503
        assert "text/html" in page.headers["content-type"]
        assert (await played.bob.send("GET", played.path)).status_code == 200, "what is in memory is shown"
    assert (await played.bob.get(f"/api/tables/{other}"))["status"] == "open"
    await played.check_goes_on()


@pytest.mark.long
async def test_clocks_fall_after_a_fault_that_nobody_foresaw(
    monkeypatch: pytest.MonkeyPatch, played: ObservedTable
) -> None:
    overdue, left = played.services.store.overdue_tables, [1]

    async def overdue_or_fail(now: float) -> list[str]:
        if left[0]:
            left[0] -= 1
            raise RuntimeError("a driver's word that nobody knew")
        return await overdue(now)

    monkeypatch.setattr(played.services.store, "overdue_tables", overdue_or_fail)
    wish = {"game": "realm", "seats": ["me", "me"], "clock": {"kind": "move", "seconds": 10}}
    table = (await played.ann.post("/api/tables", wish))["table"]
    now = played.services.table_service.now
    monkeypatch.setattr(played.services.table_service, "now", lambda: now() + 9)

    async def has_fallen() -> bool:
        return not left[0] and (await played.services.store.table(table)).summary.status == "over"  # type: ignore[union-attr]

    assert await wait_until(has_fallen, 8)


@pytest.mark.long
async def test_one_move_of_many_at_once_may_fail_alone(monkeypatch: pytest.MonkeyPatch, played: ObservedTable) -> None:
    wish = {"game": "classic_realm", "seats": ["me", "me"]}
    tables = [(await played.ann.post("/api/tables", wish))["table"] for _ in range(6)]
    fail_appends(monkeypatch, played.services, stored=False, times=2)

    async def move(table: str) -> int:
        scene = await played.ann.get(f"/api/tables/{table}")
        body = {"version": scene["version"], "move": scene["choices"][0]["move"]}
        return (await played.ann.send("POST", f"/api/tables/{table}/moves", body)).status_code

    statuses = await asyncio.gather(*(move(table) for table in tables))
    assert sorted(statuses) == [200, 200, 200, 200, 503, 503]
    steps = [(await played.ann.get(f"/api/tables/{table}"))["step"] for table in tables]
    assert steps == [1 if status == 200 else 0 for status in statuses]


async def test_a_mover_who_leaves_while_it_is_stored_holds_up_nobody(played: ObservedTable) -> None:
    """The task that stores is ended in the middle, as when a server lets its requests go."""
    before, wish = await played.read_stored_version(), await played.make_move_body(played.ann)
    append, arrived = played.services.store.append, asyncio.Event()

    async def append_and_wait(*values: Any, **named: Any) -> None:
        await append(*values, **named)
        arrived.set()
        await asyncio.sleep(60)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(played.services.store, "append", append_and_wait)
        moving = asyncio.create_task(played.move(played.ann, wish))
        await arrived.wait()
        moving.cancel()
        await asyncio.gather(moving, return_exceptions=True)
    assert await played.read_stored_version() == before + 1
    await played.wait_until_shown(before + 1)
    await played.check_goes_on()


async def test_a_rematch_is_for_games_that_are_over(played: ObservedTable) -> None:
    error = await played.ann.expect_refusal("POST", f"{played.path}/rematch", {})
    assert error["code"] == "NotRunning"
    assert (await played.ann.get(played.path))["rematch"] is None
