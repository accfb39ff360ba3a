"""The middleware between the network and the app, and the form of its errors."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from fastapi.responses import HTMLResponse, StreamingResponse
from starlette.requests import HTTPConnection, Request
from starlette.types import Message, Receive, Scope, Send

from realmtable.server.accounts.authentication import cookie_name, csrf_token, session_cookie
from realmtable.server.error_responses import Problem
from realmtable.server.request_bounds import declare_bounds
from realmtable.server.request_checks import OriginCheck, RequestChecks, RequestMiddleware
from realmtable.server.security_headers import content_security_policy, style_hash
from realmtable.server.settings import Settings
from tests.server.support.accounts_app import SECURE_URL, URL
from tests.server.support.stub_app import COOKIE, SESSION, make_client, make_stub_app

pytestmark = pytest.mark.anyio

# Streams


async def test_a_stream_passes_through_while_it_runs_and_sees_the_reader_leave() -> None:
    app, gone = make_stub_app(), asyncio.Event()

    @app.get("/api/stream")
    @declare_bounds(0)
    async def stream() -> StreamingResponse:
        async def drops() -> AsyncIterator[bytes]:
            try:
                yield b"first"
                await asyncio.Event().wait()
            finally:
                gone.set()

        return StreamingResponse(drops())

    first, leave = asyncio.Event(), asyncio.Event()
    messages = iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> Message:
        message = next(messages, None)
        if message is None:
            await leave.wait()
            return {"type": "http.disconnect"}
        return message

    async def send(message: Message) -> None:
        if message.get("body") == b"first":
            first.set()

    scope = {"type": "http", "method": "GET", "path": "/api/stream", "headers": [], "query_string": b"", "asgi": {}}
    running = asyncio.create_task(app(scope, receive, send))
    await asyncio.wait_for(first.wait(), 5)
    leave.set()
    await asyncio.wait_for(running, 5)
    assert gone.is_set()


async def test_nul_in_an_address_is_refused(visitor: httpx.AsyncClient) -> None:
    for path in ("/api/raise/%00", "/api/quiet?game=%00"):
        answer = await visitor.get(path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "BadInput")


# Headers


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/quiet", 200),
        ("GET", "/nothing", 404),
        ("PUT", "/api/quiet", 405),
        ("GET", "/api/raise/clause", 409),
        ("GET", "/api/raise/fault", 500),
    ],
)
async def test_every_answer_has_the_security_headers(method: str, path: str, status: int) -> None:
    async with make_client(make_stub_app(SECURE_URL), SECURE_URL) as visitor:
        answer = await visitor.request(method, path)
    assert answer.status_code == status
    expected = {
        "content-security-policy": content_security_policy([style_hash("a{}")]),
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin",
        "strict-transport-security": "max-age=31536000",
    }
    assert {name: answer.headers[name] for name in expected} == expected
    assert "camera=()" in answer.headers["permissions-policy"]
    assert answer.headers["cache-control"] == ("no-store" if path.startswith("/api/") else "private, no-cache")


async def test_refusals_of_the_middlewares_have_them_too(visitor: httpx.AsyncClient) -> None:
    large = await visitor.post("/api/quiet", content=b"x" * 7_000)
    foreign = await visitor.post("/api/quiet", headers={"Origin": "https://evil.example"})
    assert (large.status_code, foreign.status_code) == (413, 403)
    assert all("content-security-policy" in answer.headers for answer in (large, foreign))


async def test_plain_http_does_not_promise_https(visitor: httpx.AsyncClient) -> None:
    assert "strict-transport-security" not in (await visitor.get("/api/quiet")).headers


def test_the_policy_allows_nothing_inline_but_known_styles() -> None:
    rules = dict(
        rule.split(" ", 1) for rule in content_security_policy(["sha256-b", "sha256-a", "sha256-a"]).split("; ")
    )
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == "'self'"
    assert rules["style-src"] == "'self' 'sha256-a' 'sha256-b'"
    assert rules["frame-ancestors"] == rules["base-uri"] == "'none'"
    assert "unsafe" not in content_security_policy()


async def test_a_handlers_own_caching_and_policies_are_kept() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        own = {"Content-Security-Policy": "default-src 'self'", "Referrer-Policy": "no-referrer"}
        answer = HTMLResponse("", headers={"Cache-Control": "immutable", **own})
        await answer(scope, receive, send)

    async with make_client(RequestMiddleware(app, RequestChecks(Settings(public_url=URL)))) as visitor:
        answer = await visitor.get("/static/1/a.js")
    assert answer.headers["cache-control"] == "immutable"
    assert answer.headers.get_list("content-security-policy") == ["default-src 'self'"]
    assert answer.headers.get_list("referrer-policy") == ["no-referrer"]
    assert answer.headers["x-frame-options"] == "DENY"


# Origins


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": URL}, 200),
        ({"Origin": "http://TABLE.example:80"}, 200),
        ({"Origin": "https://table.example"}, 403),
        ({"Origin": "http://table.example:81"}, 403),
        ({"Origin": "http://table.example.evil.example"}, 403),
        ({"Origin": "http://table.example@evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
        ({"Origin": "http://[broken"}, 403),
        ({"Origin": "http://table.example:99999"}, 403),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({"Sec-Fetch-Site": "none"}, 200),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Origin": URL, "Sec-Fetch-Site": "cross-site"}, 403),
        ({"Origin": "https://evil.example", "Sec-Fetch-Site": "same-origin"}, 403),
        ({"Origin": "https://evil.example", "Authorization": "Bearer x"}, 200),
        ({"Origin": "https://evil.example", "Authorization": "Basic x"}, 403),
    ],
)
@pytest.mark.parametrize("method", ["POST", "DELETE"])
async def test_only_our_own_pages_change_anything(
    headers: dict[str, str], status: int, method: str, visitor: httpx.AsyncClient
) -> None:
    assert (await visitor.request(method, "/api/quiet", headers=headers)).status_code == status
    assert (await visitor.get("/api/quiet", headers=headers)).status_code == 200


async def test_this_machine_has_several_names() -> None:
    own = "http://127.0.0.1:8000"
    async with make_client(make_stub_app(own), own) as visitor:
        for origin, status in (
            (own, 200),
            ("http://localhost:8000", 200),
            ("http://[::1]:8000", 200),
            ("http://localhost:9000", 403),
        ):
            assert (await visitor.post("/api/quiet", headers={"Origin": origin})).status_code == status


def test_a_public_address_must_be_one() -> None:
    with pytest.raises(ValueError, match="origin"):
        OriginCheck("nonsense")


# CSRF


@pytest.mark.parametrize(
    ("token", "status"),
    [
        (csrf_token(SESSION), 200),
        (None, 403),
        ("", 403),
        (csrf_token("another"), 403),
        (SESSION, 403),
        (csrf_token(SESSION)[:-1], 403),
        (b"\xe9\xff", 403),
    ],
)
async def test_a_cookie_needs_its_csrf_token(token: str | bytes | None, status: int) -> None:
    headers = {} if token is None else {"X-CSRF-Token": token}
    async with make_client(make_stub_app(), cookies={COOKIE: SESSION}) as visitor:
        answer = await visitor.post("/api/quiet", headers=headers)  # type: ignore[arg-type]
        assert answer.status_code == status
        assert (await visitor.get("/api/quiet")).status_code == 200


async def test_under_https_the_cookie_has_the_name_that_no_other_host_can_set() -> None:
    app = make_stub_app(SECURE_URL)
    for name, status in ((cookie_name(SECURE_URL), 403), (COOKIE, 200)):
        async with make_client(app, SECURE_URL, cookies={name: SESSION}) as visitor:
            assert (await visitor.post("/api/quiet")).status_code == status


async def test_a_program_needs_no_csrf_token() -> None:
    async with make_client(make_stub_app(), cookies={COOKIE: SESSION}) as visitor:
        answer = await visitor.post("/api/quiet", headers={"Authorization": "bearer abc"})
    assert answer.status_code == 200


def test_a_cookie_beside_a_bearer_token_is_ignored() -> None:
    headers = [(b"cookie", f"{COOKIE}={SESSION}".encode())]
    assert session_cookie(HTTPConnection({"type": "http", "headers": headers}), URL) == SESSION
    headers.append((b"authorization", b"Bearer x"))
    assert session_cookie(HTTPConnection({"type": "http", "headers": headers}), URL) is None


def test_a_csrf_token_tells_nothing_of_its_session() -> None:
    assert csrf_token(SESSION) == csrf_token(SESSION) != csrf_token(SESSION + "x")
    assert SESSION not in csrf_token(SESSION)
    assert len(csrf_token("\ud800")) == 64


# The cookie


async def test_the_cookie_is_set_even_when_the_request_is_refused(visitor: httpx.AsyncClient) -> None:
    answer = await visitor.get("/api/open")
    assert answer.status_code == 404
    parts = answer.headers["set-cookie"].split("; ")
    assert parts[0] == f"{COOKIE}={SESSION}"
    assert {"HttpOnly", "SameSite=Lax", "Path=/", f"Max-Age={365 * 86400}"} <= set(parts)
    assert "Secure" not in parts
    assert answer.headers["x-csrf-token"] == csrf_token(SESSION)
    assert answer.headers["cache-control"] == "no-store"


async def test_under_https_the_cookie_is_secure() -> None:
    async with make_client(make_stub_app(SECURE_URL), SECURE_URL) as visitor:
        answer = await visitor.get("/api/open")
    parts = answer.headers["set-cookie"].split("; ")
    assert parts[0].startswith("__Host-")
    assert "Secure" in parts
    assert not [part for part in parts if part.lower().startswith("domain")]


async def test_the_cookie_is_deleted(visitor: httpx.AsyncClient) -> None:
    answer = await visitor.get("/api/close")
    assert answer.headers["set-cookie"].startswith(f"{COOKIE}=; Max-Age=0; Path=/")
    assert "x-csrf-token" not in answer.headers


async def test_no_cookie_without_need_and_other_protocols_pass(visitor: httpx.AsyncClient) -> None:
    assert "set-cookie" not in (await visitor.get("/api/quiet")).headers
    passed: list[str] = []

    async def app(scope: Scope, _receive: Receive, _send: Send) -> None:
        passed.append(scope["type"])

    async def nothing(*_: object) -> Any:
        return {}

    await RequestMiddleware(app, RequestChecks(Settings(public_url=URL)))({"type": "lifespan"}, nothing, nothing)
    assert passed == ["lifespan"]


async def fetch_refusal(path: str, **headers: str) -> tuple[httpx.Response, dict[str, Any]]:
    async with make_client(make_stub_app()) as visitor:
        answer = await visitor.get(path, headers=headers)
    return answer, answer.json()["error"]


RULE = {"code": "IllegalMove", "message": "One event a piece.", "clause": "R10"}


@pytest.mark.parametrize(
    ("kind", "status", "error", "retry_after"),
    [
        ("clause", 409, {**RULE, "rules": "/rules/realm#R10"}, None),
        ("gameless", 409, RULE, None),
        ("stale", 409, {"code": "StaleVersion", "message": "The table has moved on.", "version": 17}, None),
        ("limited", 429, {"code": "RateLimited", "message": "Slow down."}, "7"),
        ("away", 503, {"code": "Unavailable", "message": "Storage is away."}, None),
        ("half", 422, {"code": "BadInput", "message": "half a sign ?"}, None),
    ],
)
async def test_a_refusal_says_what_to_do(
    kind: str, status: int, error: dict[str, Any], retry_after: str | None
) -> None:
    answer, found = await fetch_refusal(f"/api/raise/{kind}")
    assert (answer.status_code, found, answer.headers.get("retry-after")) == (status, error, retry_after)


async def test_nothing_there_and_a_wrong_method_look_alike(visitor: httpx.AsyncClient) -> None:
    answer, error = await fetch_refusal("/api/nothing")
    assert (answer.status_code, error["code"]) == (404, "NotFound")
    answer = await visitor.put("/api/quiet")
    assert (answer.status_code, answer.json()["error"]["code"]) == (405, "MethodNotAllowed")
    assert answer.headers["allow"]


@pytest.mark.parametrize(
    ("content", "status", "word"),
    [
        (b"{", 422, "JSON"),
        (b"{}", 422, "text"),
        (b'{"text": 5}', 422, "text"),
        (b'{"text": "a", "count": "many"}', 422, "count"),
        (b'{"text": "a", "extra": 1}', 422, "extra"),
        (b'{"text": "a", "' + b"x" * 500 + b'": 1}', 422, "xxx"),
        (b"[1]", 422, "body"),
        (b"", 422, "body"),
        (b"[" * 4_000, 422, "JSON"),
        (b'{"count": ' + b"9" * 4_000 + b"}", 422, "JSON"),
    ],
)
async def test_a_body_that_does_not_fit_is_refused_in_one_sentence_that_names_the_field(
    content: bytes, status: int, word: str, visitor: httpx.AsyncClient
) -> None:
    answer = await visitor.post("/api/words", content=content, headers={"Content-Type": "application/json"})
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (status, "BadInput")
    assert word in error["message"]
    assert len(error["message"]) < 200


async def test_what_was_sent_is_not_repeated(visitor: httpx.AsyncClient) -> None:
    answer = await visitor.post("/api/words", json={"text": ["my password"], "count": "my password"})
    assert answer.status_code == 422
    assert "my password" not in answer.text


async def test_browsers_get_a_page_once_there_is_one() -> None:
    app = make_stub_app()
    html = {"Accept": "text/html"}
    async with make_client(app) as visitor:
        assert (await visitor.get("/pages/clause", headers=html)).json()["error"]["clause"] == "R10"
        app.state.error_page = lambda _request, problem: HTMLResponse(problem.message, problem.status)
        page = await visitor.get("/pages/clause", headers=html)
        assert (page.status_code, page.text) == (409, "One event a piece.")
        assert (await visitor.get("/pages/fault", headers=html)).status_code == 500
        assert (await visitor.get("/pages/clause")).json()["error"]["clause"] == "R10"
        assert (await visitor.get("/api/raise/clause", headers=html)).json()["error"]["clause"] == "R10"


async def test_a_fault_on_the_page_that_reports_faults_is_reported_as_json() -> None:
    app = make_stub_app()

    def fail(_request: Request, _problem: Problem) -> HTMLResponse:
        raise RuntimeError

    app.state.error_page = fail
    async with make_client(app) as visitor:
        answer = await visitor.get("/pages/fault", headers={"Accept": "text/html"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "Unexpected")
    assert answer.headers["x-request-id"]
