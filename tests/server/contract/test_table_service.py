"""Two server processes with one table: the first write wins, the other catches up, and all see the same."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import AsyncMock

import httpx
import pytest
from fastapi import FastAPI

from realmtable.server.notifications import turn_notifier
from realmtable.server.services import Services
from realmtable.server.tables.live import live_tables
from tests.server.notifications.test_turn_notifier import DAYS, play_turn, settle, subscribe
from tests.server.support.live_server import Person, StreamTap, make_app, make_settings, open_tap, wait_until
from tests.server.support.push_service import PushService

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def run_process(folder: Path, **settings: Any) -> AsyncIterator[tuple[FastAPI, Services]]:
    app = make_app(make_settings(folder, **settings))
    async with app.router.lifespan_context(app):
        yield app, app.state.services


@pytest.fixture
async def apps(tmp_path: Path, postgresql_url: str, redis_url: str) -> AsyncIterator[list[FastAPI]]:
    """Two processes' applications on one PostgreSQL and one Redis."""
    async with AsyncExitStack() as stack:
        found = [
            await stack.enter_async_context(run_process(tmp_path, database_url=postgresql_url, redis_url=redis_url))
            for _ in range(2)
        ]
        yield [app for app, _ in found]


@asynccontextmanager
async def open_person(app: FastAPI) -> AsyncIterator[Person]:
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:
        yield Person(client)


@asynccontextmanager
async def open_same_person(apps: list[FastAPI]) -> AsyncIterator[tuple[Person, Person]]:
    """One person with a page in each process."""
    async with open_person(apps[0]) as here, open_person(apps[1]) as there:
        await here.post("/api/me")
        there.client.cookies.update(here.client.cookies)
        there.csrf = here.csrf
        yield here, there


async def play_first_choice(person: Person, table: str, scene: dict[str, Any]) -> None:
    body = {"version": scene["version"], "move": scene["choices"][0]["move"]}
    await person.post(f"/api/tables/{table}/moves", body)


@pytest.mark.long
async def test_two_people_in_two_processes_play_a_game_and_see_the_same(apps: list[FastAPI]) -> None:
    async with open_person(apps[0]) as ann, open_person(apps[1]) as bob:
        table = await ann.open_table(bob, game="classic_realm")
        rng = Random(1)
        for turn in range(20):
            mover = (ann, bob)[turn % 2]

            async def my_turn(mover: Person = mover) -> Any:
                scene = await mover.get(f"/api/tables/{table}")
                return scene if scene["your_turn"] else None

            scene = await wait_until(my_turn)
            body = {"version": scene["version"], "move": rng.choice(scene["choices"])["move"]}
            await mover.post(f"/api/tables/{table}/moves", body)

        async def the_same() -> bool:
            scenes = [await someone.get(f"/api/tables/{table}") for someone in (ann, bob)]
            return len(scenes[0]["lines"]) == 20 and scenes[0]["lines"] == scenes[1]["lines"]

        assert await wait_until(the_same)  # the other process hears of the last move a moment later


@pytest.mark.long
async def test_clicks_in_two_processes_at_one_version_one_wins_and_the_other_is_told(apps: list[FastAPI]) -> None:
    async with open_same_person(apps) as (ann, ann_elsewhere):
        for _ in range(10):
            table = await ann.open_table(game="classic_realm", seats=["me", "me"])
            scene = await ann_elsewhere.get(f"/api/tables/{table}")
            answers = await asyncio.gather(
                *(
                    someone.send(
                        "POST",
                        f"/api/tables/{table}/moves",
                        {"version": scene["version"], "move": choice["move"]},
                    )
                    for someone, choice in zip((ann, ann_elsewhere), scene["choices"], strict=False)
                )
            )
            assert sorted(answer.status_code for answer in answers) == [200, 409]
            refused = next(place for place, answer in enumerate(answers) if answer.is_error)
            assert answers[refused].json()["error"]["version"] == answers[1 - refused].json()["version"]
            assert (await (ann, ann_elsewhere)[refused].get(f"/api/tables/{table}"))["step"] == 1


@pytest.mark.long
async def test_one_key_in_two_processes_moves_once(apps: list[FastAPI]) -> None:
    async with open_same_person(apps) as (ann, ann_elsewhere):
        table = await ann.open_table(game="classic_realm", seats=["me", "me"])
        scene = await ann_elsewhere.get(f"/api/tables/{table}")
        body = {"version": scene["version"], "move": scene["choices"][0]["move"], "key": "once"}
        answers = await asyncio.gather(
            *(someone.send("POST", f"/api/tables/{table}/moves", body) for someone in (ann, ann_elsewhere))
        )
        assert [answer.status_code for answer in answers] == [200, 200]
        assert [answer.json() for answer in answers] == [{"version": scene["version"] + 1}] * 2


@pytest.mark.long
async def test_a_process_that_has_not_heard_of_a_version_yet_reads_it_when_asked_about_it(
    apps: list[FastAPI], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_same_person(apps) as (ann, ann_elsewhere):
        table = await ann.open_table(game="classic_realm", seats=["me", "me"])
        scene = await ann_elsewhere.get(f"/api/tables/{table}")
        monkeypatch.setattr(apps[1].state.services.table_service, "_receive", lambda *_: None)  # hears of nothing
        for mover in (ann, ann_elsewhere):
            await play_first_choice(mover, table, scene)
            scene = await mover.get(f"/api/tables/{table}")
        assert scene["step"] == 2
        error = await ann_elsewhere.expect_refusal("POST", f"/api/tables/{table}/undo", {"version": 1_000_000})
        assert error["code"] == "StaleVersion"


@pytest.mark.parametrize("kind", ["events", "socket"])
async def test_a_viewer_who_comes_from_another_process_gets_the_whole_scene(apps: list[FastAPI], kind: str) -> None:
    async with open_person(apps[0]) as ann:
        table = await ann.open_table(game="classic_realm", seats=["me", "me"])
        path, headers = f"/api/tables/{table}/{kind}", ann.cookie_header
        async with open_tap(apps[0], path, headers) as before:
            await before.wait(lambda: bool(before.scenes))
            known = re.findall(r'(?:^id: |"id":")([0-9a-f]+-\d+)', before.received.decode(), re.MULTILINE)[-1]
        for last in (known, "later", "9" * 30):
            async with open_tap(apps[1], f"{path}?known={last}", {**headers, "Last-Event-ID": last}) as after:
                await after.wait(lambda after=after: bool(after.scenes))  # type: ignore[misc]  # bound at once
                assert [*after.scenes] == [*before.scenes]
                assert re.search(rb'^event: scene$|"scene":', after.received, re.MULTILINE)


@pytest.mark.long
async def test_a_stream_in_one_process_shows_a_move_made_in_the_other(apps: list[FastAPI]) -> None:
    async with open_person(apps[0]) as ann, open_person(apps[1]) as eve:
        table = await ann.open_table(game="classic_realm", seats=["me", "me"])
        await eve.get(f"/api/tables/{table}")
        path, headers = f"/api/tables/{table}", eve.cookie_header
        async with open_tap(apps[1], f"{path}/events", headers) as page, open_tap(apps[1], f"{path}/socket") as visitor:
            scene = await ann.get(path)
            await play_first_choice(ann, table, scene)
            for tap in (page, visitor):
                await tap.wait(lambda tap=tap: scene["version"] + 1 in tap.scenes)  # type: ignore[misc]
                assert tap.scenes[scene["version"] + 1]["step"] == 1


@pytest.mark.long
async def test_a_bot_whose_process_has_gone_is_taken_up_by_the_other(apps: list[FastAPI]) -> None:
    first, second = (app.state.services for app in apps)
    first.table_driver.on_table_change = lambda _: None
    first.table_service.on_change.clear()  # the first process never thinks, as if it had died after the commit
    async with open_person(apps[0]) as ann, open_person(apps[1]) as watcher:
        table = await ann.open_table(game="classic_realm", seats=["bot:random", "me"])
        second.table_service.now = lambda: first.table_service.now() + 60

        async def has_moved() -> Any:
            scene = await watcher.get(f"/api/tables/{table}")
            return scene["step"] == 1

        assert await wait_until(has_moved)


@pytest.mark.long
async def test_moves_made_in_one_process_are_not_read_by_the_other(
    apps: list[FastAPI], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_tables, "ANNOUNCEMENT_S", 60.0)  # on a busy machine an announcement may take longer
    async with open_same_person(apps) as (ann, ann_elsewhere):
        table = await ann.open_table(game="classic_realm", seats=["me", "me"])
        scene = await ann_elsewhere.get(f"/api/tables/{table}")
        for app in apps:
            monkeypatch.setattr(app.state.services.store, "events", AsyncMock(side_effect=AssertionError))
        for mover in (ann, ann_elsewhere) * 5:
            await play_first_choice(mover, table, scene)
            scene = await mover.get(f"/api/tables/{table}")
        assert scene["step"] == 10


@pytest.fixture
async def push_apps(
    tmp_path: Path, postgresql_url: str, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[list[FastAPI]]:
    """Two processes' applications, which accept a push service on this machine."""
    monkeypatch.setattr(turn_notifier, "DELAY_S", 2.0)  # long enough for a busy machine to say who is there
    wishes = {"database_url": postgresql_url, "redis_url": redis_url, "push_loopback": True}
    async with AsyncExitStack() as stack:
        found = [await stack.enter_async_context(run_process(tmp_path, **wishes)) for _ in range(2)]
        yield [app for app, _ in found]


@pytest.mark.long
async def test_one_process_notifies_unless_the_other_serves_the_player(push_apps: list[FastAPI]) -> None:
    async with PushService() as push, open_person(push_apps[0]) as ann, open_person(push_apps[1]) as bob:
        await bob.post("/api/me")
        await subscribe(bob, push)
        table = (await ann.post("/api/tables", {"game": "realm", "seats": ["me", "open"], **DAYS}))["table"]
        await bob.post(f"/api/tables/{table}/seats")

        async def is_anns_turn() -> bool:
            return bool((await ann.get(f"/api/tables/{table}"))["your_turn"])

        await wait_until(is_anns_turn)
        async with StreamTap(push_apps[1], f"/api/tables/{table}/events", bob.cookie_header) as tap:
            await tap.wait(lambda: bool(tap.received))
            await play_turn(ann, table)
            for app in push_apps:
                await settle(app.state.services)
        assert push.requests == []
        await play_turn(bob, table)
        await wait_until(is_anns_turn)
        await play_turn(ann, table)
        await push.wait_for(1)
        for app in push_apps:
            await settle(app.state.services)
        assert len(push.requests) == 1
