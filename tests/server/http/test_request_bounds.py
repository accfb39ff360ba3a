"""Every route declares what its requests may cost, and nothing beyond that is read, parsed or done."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator
from types import SimpleNamespace

import httpx
import pytest
from fastapi import APIRouter, FastAPI

from realmtable.server.accounts import rate_limits
from realmtable.server.accounts.rate_limits import DEFAULTS, Limits
from realmtable.server.api import table_socket
from realmtable.server.request_bounds import (
    BYTES_PER_WEIGHT,
    LARGEST_BODY,
    MAX_ON_EVENT_LOOP,
    MAX_PARTS,
    REFUSAL_S,
    BoundedRoute,
    Bounds,
    bounds_of,
    list_routes,
)
from realmtable.server.services import Services
from tests.server.support.stub_app import make_client, make_stub_app

pytestmark = pytest.mark.anyio


# ---- declarations


async def test_every_route_declares_bounds(services: Services) -> None:
    app: FastAPI = services.app  # type: ignore[attr-defined]  # put there by the fixture
    routes = list_routes(app)
    assert len(routes) > 100
    assert [route for route in app.routes if type(route) is not BoundedRoute] == [table_socket.ROUTE]
    assert max(table_socket.OPENING_WEIGHT, table_socket.MESSAGE_WEIGHT) <= MAX_ON_EVENT_LOOP
    for route in routes:
        bounds = bounds_of(route)
        assert 0 <= bounds.weigh(bounds.body) <= DEFAULTS["work"][0] // 10, f"{route.path} fills the budget"
        assert bounds.runs_in != "event loop" or bounds.weight <= MAX_ON_EVENT_LOOP, f"{route.path} blocks all others"
        assert bounds.body <= LARGEST_BODY
        assert bounds.weight or route.methods == {"GET"}, f"{route.path} changes something for nothing"
    stored = {route.path for route in routes if bounds_of(route).stores}
    changing = {route.path for route in routes if route.path.startswith("/api/tables") and route.methods != {"GET"}}
    assert stored == changing - {"/api/tables/{table_id}/analysis", "/api/tables/{table_id}/hints"} | {"/api/records"}


def test_a_route_without_bounds_cannot_be_made() -> None:
    router = APIRouter(route_class=BoundedRoute)

    async def endpoint() -> None: ...

    with pytest.raises(TypeError, match=r"^/x declares no bounds"):
        router.get("/x")(endpoint)


# ---- length


async def chunks(size: int) -> AsyncIterator[bytes]:
    for start in range(0, size, 10_000):
        yield b" " * min(10_000, size - start)


@pytest.mark.parametrize(("path", "limit"), [("/api/quiet", 4096), ("/api/tables", LARGEST_BODY)])
async def test_a_body_is_refused_over_its_length_declared_or_not(
    path: str, limit: int, visitor: httpx.AsyncClient
) -> None:
    for size in (limit, limit + 1):
        for content in (b" " * size, chunks(size)):
            answer = await visitor.post(path, content=content)
            if size == limit:
                assert answer.json() == {"size": size}
            else:
                assert answer.status_code == 413
                assert answer.json()["error"]["code"] == "TooLarge"
                assert f"{limit:,} bytes" in answer.json()["error"]["message"]


async def test_nothing_of_a_body_is_read_that_is_too_long_or_over_the_budget() -> None:
    def fail() -> bytes:
        raise AssertionError

    async def fail_when_read() -> AsyncIterator[bytes]:
        yield fail()

    app = make_stub_app()
    async with make_client(app) as visitor:
        too_long = await visitor.post("/api/quiet", content=fail_when_read(), headers={"Content-Length": "5000"})
        assert too_long.status_code == 413
        app.state.services.limits = Limits()
        body = {"Content-Length": str(LARGEST_BODY)}
        read = await visitor.post("/api/tables", content=fail_when_read(), headers=body)
        assert read.status_code == 500  # within the budget it would be read
        await app.state.services.limits.check("address_work", "127.0.0.1", DEFAULTS["address_work"][0] - 40)
        refused = await visitor.post("/api/tables", content=fail_when_read(), headers=body)
        assert refused.status_code == 429


async def test_a_body_that_lies_about_its_length_is_refused(visitor: httpx.AsyncClient) -> None:
    answer = await visitor.post("/api/quiet", content=chunks(5000), headers={"Content-Length": "5"})
    assert answer.status_code == 413


# ---- budgets


@pytest.fixture
def stopped_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no window of a limit end during a test."""
    monkeypatch.setattr(rate_limits, "time", SimpleNamespace(time=lambda: 1_700_000_000.0))


def test_a_long_body_weighs_more_and_a_free_request_nothing() -> None:
    assert Bounds(5).weigh(0) == 5
    assert Bounds(5).weigh(3 * BYTES_PER_WEIGHT) == 8
    assert Bounds(0).weigh(3 * BYTES_PER_WEIGHT) == 0


@pytest.mark.long
@pytest.mark.usefixtures("stopped_clock")
async def test_one_budget_serves_all_routes_of_an_address_and_the_refusal_names_it(
    services: Services, client: httpx.AsyncClient
) -> None:
    services.limits = Limits(factor=0.02)  # 60 for the address
    statuses = [(await client.get(path)).status_code for path in ("/rules", "/api/games", "/", "/learn", "/api") * 3]
    first = statuses.index(429)
    assert set(statuses[:first]) <= {200, 303}
    assert set(statuses[first:]) == {429}
    started = time.monotonic()
    refused = await client.get("/api/games")
    assert time.monotonic() - started > 0.9 * REFUSAL_S
    assert re.search(r"the limit is \d+ of this kind in 10 seconds", refused.json()["error"]["message"])
    assert (await client.get("/healthz")).status_code == 200


@pytest.mark.usefixtures("stopped_clock")
async def test_unknown_paths_count_too(services: Services, client: httpx.AsyncClient) -> None:
    services.limits = Limits(factor=0.01)  # 30 for the address
    for accepts in (["text/html"] * 7, ["application/json"]):
        statuses = [(await client.get("/nope", headers={"accept": each})).status_code for each in accepts]
        assert statuses[-1] == 429


@pytest.mark.usefixtures("stopped_clock")
async def test_a_player_has_one_budget_at_all_addresses(services: Services) -> None:
    transport = httpx.ASGITransport(services.app, client=("192.0.2.1", 1))  # type: ignore[attr-defined]
    url = services.settings.public_url
    async with httpx.AsyncClient(transport=transport, base_url=url) as first:
        await first.post("/api/me", json={})
        elsewhere = httpx.ASGITransport(services.app, client=("192.0.2.2", 1))  # type: ignore[attr-defined]
        async with httpx.AsyncClient(transport=elsewhere, base_url=url, cookies=first.cookies) as second:
            services.limits = Limits(factor=0.02)  # 40 for the player, 60 for an address
            statuses = [(await each.get("/my-games")).status_code for each in (first, second) * 3]
            assert statuses == [200, 200, 200, 200, 429, 429]


# ---- text


async def test_a_body_that_is_not_declared_as_json_is_refused_in_words(client: httpx.AsyncClient) -> None:
    for headers in ({}, {"Content-Type": "text/plain"}):
        answer = await client.post("/api/tables", content=b"{}", headers=headers)
        assert answer.status_code == 422
        assert "Content-Type: application/json" in answer.json()["error"]["message"]


async def test_a_body_of_many_values_is_refused_however_they_are_nested(client: httpx.AsyncClient) -> None:
    many = {f"k{number}": 1 for number in range(MAX_PARTS + 1)}
    bodies = [many, {"clock": many}, [[0] * 300, [0] * 300, [[0] * 500]]]
    for body in (*bodies, [{}] * 40_000):  # the last one is parsed by a worker
        for path in ("/api/records", "/api/tables", "/api/explore")[: 3 if body in bodies else 2]:
            answer = await client.post(path, json=body)
            assert (answer.status_code, answer.json()["error"]["code"]) == (413, "TooLarge")
            assert f"the limit is {MAX_PARTS:,}" in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    ("text", "is_accepted"),
    [
        (rb"plain", True),
        ("größer 🦉".encode(), True),
        (rb"\ud83e\udd89 \uD83E\uDD89", True),
        (rb"\\ud800 \\u0000", True),
        (rb"\ud800", False),
        (rb"\uDC00", False),
        (rb"\ud83e\ud83e\udd89", False),
        (rb"\\\ud800", False),
        (rb"a\u0000b", False),
        (rb"\\\u0000b", False),
        (b"a\0b", False),
        (b"\xed\xa0\x80", False),
        (b"\xff", False),
    ],
)
async def test_a_text_that_no_database_could_keep_does_not_come_in(
    text: bytes, is_accepted: bool, visitor: httpx.AsyncClient
) -> None:
    content, headers = b'{"text": "' + text + b'"}', {"Content-Type": "application/json"}
    answer = await visitor.post("/api/words", content=content, headers=headers)
    assert answer.status_code == (200 if is_accepted else 422)
    assert (await visitor.post("/api/words", content=content.decode("latin-1").encode("utf-16"))).status_code == 422
