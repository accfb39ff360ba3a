"""The account API under attack: other sites, guessing, floods, oversized and malformed requests."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from realmtable.server.accounts.authentication import Visitor
from realmtable.server.accounts.rate_limits import DEFAULTS
from realmtable.server.api.accounts import ClaimRequest, Link, LinkRequest, Me, NewToken, SignInRequest
from tests.server.support.accounts_app import (
    PASSWORD,
    SECURE_URL,
    URL,
    Browser,
    expect_refusal,
    make_app,
    open_services,
)

pytestmark = pytest.mark.anyio

ADA = {"name": "Ada", "password": PASSWORD}
# Other sites, other origins


async def test_under_https_everything_works_with_the_secure_cookie(tmp_path: Path) -> None:
    async with open_services(tmp_path, SECURE_URL) as services:
        browser = Browser(make_app(services), SECURE_URL)
        await browser.post("/api/me/claim", ADA)
        await browser.post("/api/me/name", {"name": "Bell"})
        cookies = {cookie.name: cookie for cookie in browser.client.cookies.jar}
        assert set(cookies) == {"__Host-realmtable_session"}
        assert cookies["__Host-realmtable_session"].secure


# Limits


async def test_guessing_passwords_is_slowed_down(tmp_path: Path) -> None:
    async with open_services(tmp_path, factor=1.0) as services:
        app = make_app(services)
        statuses = [(await Browser(app).send("POST", "/api/session", ADA)).status_code for _ in range(11)]
        assert statuses == [401] * 10 + [429]
        answer = await Browser(app).send("POST", "/api/session/link", {"token": "guess"})
        assert answer.status_code == 429
        assert 0 < int(answer.headers["retry-after"]) <= 300


@pytest.mark.long
async def test_guessing_one_name_from_many_places_is_slowed_down(tmp_path: Path) -> None:
    async with open_services(tmp_path, factor=1.0) as services:
        app = make_app(services)

        async def guess(number: int, name: str) -> int:
            transport = httpx.ASGITransport(app, client=(f"192.0.2.{number}", 1))
            async with httpx.AsyncClient(transport=transport, base_url=URL) as client:
                return (await client.post("/api/session", json={"name": name, "password": "guess"})).status_code

        assert [await guess(number, "ADA" if number % 2 else "ada") for number in range(101)] == [401] * 100 + [429]
        assert await guess(99, "Bell") == 401


@pytest.mark.long
async def test_guessing_at_a_name_from_one_address_locks_nobody_out_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(DEFAULTS, "sign_in", (1000, 300))  # what one address may try at names altogether
    async with open_services(tmp_path, factor=1.0) as services:
        app = make_app(services)
        await Browser(app, address="192.0.2.1").post("/api/me/claim", ADA)
        guesser = Browser(app, address="192.0.2.66")
        wrong = [
            (await guesser.send("POST", "/api/session", ADA | {"password": "guess"})).status_code for _ in range(120)
        ]
        assert wrong == [401] * 20 + [429] * 100
        await Browser(app, address="192.0.2.2").post("/api/session", ADA)


async def test_wrong_current_passwords_are_counted_as_attempts_to_sign_in(tmp_path: Path) -> None:
    """A browser that was left open must not be a place to guess the password."""
    async with open_services(tmp_path, factor=1.0) as services:
        app = make_app(services)
        owner = Browser(app)
        await owner.post("/api/me/claim", ADA)
        for _ in range(9):
            guess = ADA | {"current_password": "guess"}
            assert await expect_refusal(owner, "POST", "/api/me/claim", guess) == (401, "BadCredentials")
        wrong = ADA | {"password": "guess"}
        assert [(await owner.send("POST", "/api/session", wrong)).status_code for _ in range(2)] == [401, 429]


@pytest.mark.parametrize(
    ("path", "body", "most"),
    [
        ("/api/me/name", {"name": "Bell"}, 10),
        ("/api/me/claim", ADA | {"current_password": PASSWORD}, 10),
        ("/api/me/tokens", {"label": "bot"}, 20),
    ],
)
async def test_other_deeds_are_counted_too(tmp_path: Path, path: str, body: dict[str, str], most: int) -> None:
    async with open_services(tmp_path, factor=1.0) as services:
        browser = Browser(make_app(services))
        statuses = [(await browser.send("POST", path, body)).status_code for _ in range(most + 1)]
        assert all(200 <= status < 300 for status in statuses[:-1])
        assert statuses[-1] == 429


@pytest.mark.long
async def test_guests_do_not_come_by_the_thousand_from_one_address(tmp_path: Path) -> None:
    async with open_services(tmp_path, factor=1.0) as services:
        app = make_app(services)
        statuses = [(await Browser(app).send("POST", "/api/me/link")).status_code for _ in range(61)]
        assert statuses == [201] * 60 + [429]
        services.settings = replace(services.settings, address_limits="off")  # as on a private network
        assert (await Browser(app).send("POST", "/api/me/link")).status_code == 201


# Secrets and sizes


def test_no_secret_shows_in_a_repr() -> None:
    secret = "the-secret-itself"  # noqa: S105 - a test's
    shown = [
        ClaimRequest(name="Ada", password=secret),
        SignInRequest(name="Ada", password=secret),
        LinkRequest(token=secret),
        Me(player=None, csrf=secret),
        Link(url=secret, minutes=1),
        NewToken(id="1", token=secret),
        Visitor(None, secret, "cookie"),
    ]
    assert secret not in repr(shown)


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/api/me/name", {"name": "x" * 97}, "name"),
        ("/api/me/claim", {"name": "Ada", "password": "short"}, "password"),
        ("/api/me/claim", {"name": "Ada", "password": "x" * 129}, "password"),
        ("/api/session", {"name": "x" * 97, "password": "x"}, "name"),
        ("/api/session", {"name": "Ada", "password": "x" * 129}, "password"),
        ("/api/session/link", {"token": "x" * 101}, "token"),
        ("/api/me/tokens", {"label": ""}, "label"),
        ("/api/me/tokens", {"label": "x" * 61}, "label"),
        ("/api/me/name", {"name": "Ada", "kind": "bot"}, "kind"),
        ("/api/me/claim", ADA | {"id": "1"}, "id"),
        ("/api/session", ADA | {"admin": True}, "admin"),
        ("/api/session/link", {"token": "x", "more": 1}, "more"),
        ("/api/me/tokens", {"label": "x", "more": 1}, "more"),
    ],
)
async def test_every_text_has_a_size_and_unknown_fields_are_refused(
    browser: Browser, path: str, body: dict[str, Any], field: str
) -> None:
    answer = await browser.send("POST", path, body)
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (422, "BadInput")
    assert error["message"].startswith(f"{field}:")


# Anything at all


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.dictionaries(st.sampled_from(["name", "password", "token", "label", "x"]), st.text(max_size=70) | JSON)
ROUTES = st.sampled_from(
    [
        ("POST", "/api/me/name"),
        ("POST", "/api/me/claim"),
        ("POST", "/api/session"),
        ("POST", "/api/session/link"),
        ("DELETE", "/api/session"),
        ("POST", "/api/me/link"),
        ("POST", "/api/me/tokens"),
        ("GET", "/api/me/tokens"),
        ("GET", "/api/me"),
        ("PUT", "/api/me"),
    ]
)
HEADERS = st.dictionaries(
    st.sampled_from(["Origin", "Authorization", "X-CSRF-Token", "Cookie", "Content-Type", "X-Forwarded-For", "Accept"]),
    st.binary(max_size=40).filter(lambda value: not set(value) & set(b"\r\n\x00"))
    | st.sampled_from([b"Bearer x", b"realmtable_session=x", b"application/json", URL.encode()]),
)
REQUESTS = st.tuples(ROUTES, HEADERS, FIELDS | JSON | st.binary(max_size=60))
ADDRESSES = st.sampled_from(["players", "ratings", "me/tokens"])


# Without shrinking: each try is a whole server, and a failing list is short already.
@pytest.mark.long
@settings(max_examples=settings().max_examples // 5, deadline=None, phases=(Phase.explicit, Phase.generate))
@given(st.lists(REQUESTS, max_size=6), st.lists(st.tuples(ADDRESSES, st.text(max_size=40)), max_size=4))
def test_no_request_makes_the_server_fail(requests: list[Any], addresses: list[tuple[str, str]]) -> None:
    asyncio.run(_send_all(requests, addresses))


async def _send_all(requests: list[Any], addresses: list[tuple[str, str]]) -> None:
    with TemporaryDirectory() as folder:
        async with open_services(Path(folder)) as services:
            transport = httpx.ASGITransport(make_app(services))
            async with httpx.AsyncClient(transport=transport, base_url=URL) as client:
                for (method, path), headers, body in requests:
                    content = body if isinstance(body, bytes) else _json(body)
                    sent = {"Content-Type": b"application/json"} | headers
                    _check(await client.request(method, path, content=content, headers=sent))
                for place, text in addresses:
                    _check(await client.get(f"/api/{place}/{quote(text, safe='', errors='replace')}"))


def _json(body: Any) -> bytes:
    # As Python writes it: with NaN and halves of characters.
    return json.dumps(body).encode()


def _check(answer: httpx.Response) -> None:
    assert answer.status_code < 500
    if answer.status_code >= 400:
        error = answer.json()["error"]
        assert error["code"]
        assert error["message"].endswith((".", ")"))
