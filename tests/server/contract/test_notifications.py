"""With two server processes a player is notified once, and not at all while the other process serves their table."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from fastapi import FastAPI

from tests.server.contract.test_table_service import cookie_header, open_person, run_process
from tests.server.notifications.test_turn_notifier import DAYS, play_turn, settle, subscribe
from tests.server.support.live_server import StreamTap, wait_until
from tests.server.support.push_service import PushService

pytestmark = pytest.mark.anyio


@pytest.fixture
async def apps(tmp_path: Path, postgresql_url: str, redis_url: str) -> AsyncIterator[list[FastAPI]]:
    """Two processes' applications, which accept a push service on this machine."""
    wishes = {"database_url": postgresql_url, "redis_url": redis_url, "push_loopback": True}
    async with AsyncExitStack() as stack:
        found = [await stack.enter_async_context(run_process(tmp_path, **wishes)) for _ in range(2)]
        for _, services in found:
            services.turn_notifier._delay_s = 2.0  # long enough for a busy machine to say who is there
        yield [app for app, _ in found]


async def test_one_process_notifies_unless_the_other_serves_the_player(apps: list[FastAPI]) -> None:
    async with PushService() as push, open_person(apps[0]) as ann, open_person(apps[1]) as bob:
        await bob.post("/api/me")
        await subscribe(bob, push)
        table = (await ann.post("/api/tables", {"game": "realm", "seats": ["me", "open"], **DAYS}))["table"]
        await bob.post(f"/api/tables/{table}/seats")

        async def is_anns_turn() -> bool:
            return bool((await ann.get(f"/api/tables/{table}"))["your_turn"])

        await wait_until(is_anns_turn)
        async with StreamTap(apps[1], f"/api/tables/{table}/events", cookie_header(bob)) as tap:
            await tap.wait(lambda: bool(tap.received))
            await play_turn(ann, table)
            for app in apps:
                await settle(app.state.services)
        assert push.requests == []
        await play_turn(bob, table)
        await wait_until(is_anns_turn)
        await play_turn(ann, table)
        await push.wait_for(1)
        for app in apps:
            await settle(app.state.services)
        assert len(push.requests) == 1
