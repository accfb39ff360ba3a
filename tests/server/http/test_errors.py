"""The form of errors, for programs and for people."""

from __future__ import annotations

import logging
from typing import Any

import httpx
import pytest
from fastapi.responses import HTMLResponse
from starlette.types import Receive, Scope, Send

from realmtable.server.request_checks import RequestChecks, RequestMiddleware
from realmtable.server.settings import Settings
from tests.server.support.accounts_app import URL
from tests.server.support.stub_app import make_client, make_stub_app

pytestmark = pytest.mark.anyio


async def fetch_refusal(path: str, **headers: str) -> tuple[httpx.Response, dict[str, Any]]:
    async with make_client(make_stub_app()) as visitor:
        answer = await visitor.get(path, headers=headers)
    return answer, answer.json()["error"]


async def test_a_broken_rule_names_its_clause_and_where_to_read_it() -> None:
    answer, error = await fetch_refusal("/api/raise/clause")
    assert answer.status_code == 409
    assert error == {
        "code": "IllegalMove",
        "message": "One event a piece.",
        "clause": "R10",
        "rules": "/rules/realm#R10",
    }
    _, error = await fetch_refusal("/api/raise/gameless")
    assert "rules" not in error


async def test_a_stale_version_and_a_limit_say_what_to_do() -> None:
    answer, error = await fetch_refusal("/api/raise/stale")
    assert (answer.status_code, error["version"]) == (409, 17)
    answer, error = await fetch_refusal("/api/raise/limited")
    assert (answer.status_code, error["code"], answer.headers["retry-after"]) == (429, "RateLimited", "7")
    answer, _ = await fetch_refusal("/api/raise/away")
    assert answer.status_code == 503


async def test_half_a_sign_in_a_message_does_no_harm() -> None:
    answer, error = await fetch_refusal("/api/raise/half")
    assert (answer.status_code, error["message"]) == (422, "half a sign ?")


async def test_a_fault_is_logged_and_not_explained(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        answer, error = await fetch_refusal("/api/raise/fault")
    assert (answer.status_code, error["code"]) == (500, "Unexpected")
    assert "secret cause" not in answer.text
    assert "secret cause" in caplog.text
    assert "/api/raise/{kind}" in caplog.messages[0]
    assert "/api/raise/fault" not in caplog.messages[0]


async def test_a_fault_after_the_answer_began_breaks_it() -> None:
    async def app(scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise RuntimeError(scope["path"])

    with pytest.raises(RuntimeError):
        async with make_client(RequestMiddleware(app, RequestChecks(Settings(public_url=URL)))) as visitor:
            await visitor.get("/")


async def test_nothing_there_and_a_wrong_method_look_alike() -> None:
    answer, error = await fetch_refusal("/api/nothing")
    assert (answer.status_code, error["code"]) == (404, "NotFound")
    async with make_client(make_stub_app()) as visitor:
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
    content: bytes, status: int, word: str
) -> None:
    async with make_client(make_stub_app()) as visitor:
        answer = await visitor.post("/api/words", content=content, headers={"Content-Type": "application/json"})
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (status, "BadInput")
    assert word in error["message"]
    assert len(error["message"]) < 200


async def test_what_was_sent_is_not_repeated() -> None:
    async with make_client(make_stub_app()) as visitor:
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
