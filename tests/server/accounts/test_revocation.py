"""When an admin signs someone out, their sessions, tokens and streams end within moments."""

from __future__ import annotations

from contextlib import AsyncExitStack

import pytest

from realmtable.server.accounts.accounts import CACHE_S
from realmtable.server.admin import sign_out
from realmtable.server.services import Services
from realmtable.server.storage.database import connect
from realmtable.server.tables.live import event_stream
from tests.server.support.live_server import Person, StreamTap, make_feed, open_tap

pytestmark = pytest.mark.anyio

KINDS = ("events", "socket")
LONG_S = CACHE_S / 10  # far longer than it takes on the busiest machine, far shorter than memory would last


async def sign_out_elsewhere(services: Services, name: str) -> None:
    """As `realmtable admin sign-out --tokens NAME` does it: in a process of its own, which knows only the database."""
    database = await connect(services.settings.database_url)
    await sign_out(database, name, tokens=True)
    await database.close()


@pytest.mark.long
async def test_a_sign_out_by_the_admin_ends_sessions_tokens_and_streams(
    services: Services, ann: Person, bob: Person
) -> None:
    await ann.post("/api/me/claim", {"name": "Ada", "password": "correct horse"})
    token = (await ann.post("/api/me/tokens", {"label": "bot"}))["token"]
    table = await ann.open_table(bob, game="classic_realm")
    bearer = {"Authorization": f"Bearer {token}"}
    app, path = services.app, f"/api/tables/{table}/"  # type: ignore[attr-defined]
    async with AsyncExitStack() as stack:

        async def tap(kind: str, headers: dict[str, str]) -> StreamTap:
            opened = await stack.enter_async_context(open_tap(app, path + kind, headers))
            await opened.wait(lambda: bool(opened.scenes))
            return opened

        hers = [await tap(kind, headers) for kind in KINDS for headers in (ann.cookie_header, bearer)]
        his = [await tap(kind, bob.cookie_header) for kind in KINDS]
        await sign_out_elsewhere(services, "Ada")
        for each in hers:
            await each.wait(lambda: False, LONG_S)
        assert not any(each.ended for each in his)
    assert (await ann.get("/api/me"))["player"] is None
    answer = await bob.client.get("/api/me", headers=bearer)
    assert answer.status_code == 401


async def test_a_reader_who_was_signed_out_before_the_stream_began_gets_nothing(
    services: Services, ann: Person
) -> None:
    """Between the request's check and the first scene a table may have to be read from its log."""
    me = (await ann.post("/api/me"))["id"]
    table = await ann.open_table(game="classic_realm")
    live = await services.table_service.find(table)
    admitted = [True]

    async def ask() -> bool:
        return admitted[0]

    events = event_stream.stream_scenes(make_feed(services, live, me), ask)
    assert await anext(events) == event_stream.RETRY
    admitted[0] = False
    with pytest.raises(StopAsyncIteration):
        await anext(events)


async def test_an_ended_session_may_do_nothing_to_the_account_even_before_it_is_forgotten(
    services: Services, ann: Person
) -> None:
    await ann.post("/api/me/claim", {"name": "Ada", "password": "correct horse"})
    assert (await ann.get("/api/me"))["player"]["name"] == "Ada"  # which is remembered from now on
    services.account_watch._on_change = lambda _: None  # this process has not heard of it yet
    await sign_out_elsewhere(services, "Ada")
    for path, body in (
        ("/api/me/tokens", {"label": "bot"}),
        ("/api/me/name", {"name": "Bell"}),
        ("/api/me/claim", {"name": "Ada", "password": "battery staple"}),
        ("/api/me/link", None),
    ):
        assert (await ann.expect_refusal("POST", path, body))["code"] == "SignInAgain", path
