"""Moves in front of the middleware: to clients, the log and the metrics they are like moves on the usual path."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import httpx
import pytest
import structlog

from realmtable.server import logs
from realmtable.server.accounts.accounts import Accounts
from realmtable.server.api import move_route
from tests.server.support.live_server import WAIT_S, Person, ServerThread

pytestmark = pytest.mark.anyio

FAST, USUAL = "application/json", "application/json; charset=utf-8"  # only the first is handled in front
REFUSED = b'{"version": 3, "move": "Fa1"}'
OF_EACH_RESPONSE = {"date", "content-length", "x-request-id"}


class Game(NamedTuple):
    """A table of two, and the players on its seats."""

    table: str
    people: tuple[Person, Person]

    async def post_move(
        self, kind: str, body: bytes | None = None, headers: Mapping[str, str | None] | None = None, query: str = ""
    ) -> httpx.Response:
        """Send a move of the acting player; `headers` replace the usual ones, and None leaves one out."""
        scene = await self.people[0].get(f"/api/tables/{self.table}")
        person = self.people[scene["acting"][0]]
        own = await person.get(f"/api/tables/{self.table}")
        move = json.dumps({"version": own["version"], "move": own["choices"][0]["move"]}).encode()
        usual = {"Origin": str(person.client.base_url).rstrip("/"), "X-CSRF-Token": person.csrf, "Content-Type": kind}
        sent = {name: value for name, value in {**usual, **(headers or {})}.items() if value is not None}
        return await person.client.post(f"/api/tables/{self.table}/moves{query}", content=body or move, headers=sent)


@asynccontextmanager
async def open_game(served: ServerThread) -> AsyncIterator[Game]:
    async with (
        httpx.AsyncClient(base_url=served.url, timeout=WAIT_S) as first,
        httpx.AsyncClient(base_url=served.url, timeout=WAIT_S) as second,
    ):
        people = Person(first), Person(second)
        table = (await people[0].post("/api/tables", {"game": "classic_realm", "seats": ["me", "open"]}))["table"]
        await people[1].post(f"/api/tables/{table}/seats")
        yield Game(table, people)


def lasting_headers(response: httpx.Response) -> dict[str, str]:
    return {name: value for name, value in response.headers.items() if name not in OF_EACH_RESPONSE}


async def test_both_paths_answer_alike(served: ServerThread) -> None:
    async with open_game(served) as game:
        fast, usual, again = [await game.post_move(kind) for kind in (FAST, USUAL, FAST)]
        closing = await game.post_move(FAST, headers={"Connection": "close"})
    for response in (fast, usual, again):
        assert response.status_code == 200
        assert len(response.content) == int(response.headers["content-length"])
        assert {*response.headers} >= OF_EACH_RESPONSE
        assert lasting_headers(response) == lasting_headers(fast)
    assert [response.json()["version"] for response in (fast, usual, again)] == [5, 6, 7]
    assert usual.json().keys() == fast.json().keys()
    assert closing.headers["connection"] == "close"
    assert closing.json()["version"] == 8


async def test_both_paths_answer_with_the_version_alone_on_request(served: ServerThread) -> None:
    async with open_game(served) as game:
        versions = [await game.post_move(kind, query="?scene=false") for kind in (FAST, USUAL, FAST)]
        assert [response.json() for response in versions] == [{"version": 5}, {"version": 6}, {"version": 7}]
        refusals = [await game.post_move(kind, REFUSED, query="?scene=false") for kind in (FAST, USUAL)]
        assert [refusal.json()["scene"]["version"] for refusal in refusals] == [7, 7]
        odd = await game.post_move(FAST, query="?scene=perhaps")
        assert odd.status_code == 422


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b"not json", {}),
        (b'{"version": 3, "move": "Fb2\\u0000"}', {}),
        (b'{"version": 3, "move": "' + b"x" * 60_000 + b'"}', {}),
        (None, {"Origin": "https://evil.example"}),
        (None, {"Sec-Fetch-Site": "cross-site"}),
        (None, {"X-CSRF-Token": "wrong"}),
        (None, {"X-CSRF-Token": None}),
        (None, {"Authorization": "Bearer unknown"}),
        (None, {"Cookie": "realmtable_session=unknown", "X-CSRF-Token": None}),
        (REFUSED, {}),
        (b'{"version": 99, "move": "Fb2"}', {}),
    ],
)
async def test_both_paths_refuse_alike(
    served: ServerThread, body: bytes | None, headers: dict[str, str | None]
) -> None:
    async with open_game(served) as game:
        fast, usual = [await game.post_move(kind, body, headers) for kind in (FAST, USUAL)]
    assert fast.status_code == usual.status_code
    assert fast.status_code >= 400
    assert fast.json()["error"] == usual.json()["error"]
    assert lasting_headers(fast) == lasting_headers(usual)


async def test_both_paths_log_and_count_alike(served: ServerThread, lines: io.StringIO) -> None:
    logs.configure("json", "info", lines)
    async with open_game(served) as game:
        ids = [(await game.post_move(kind)).headers["x-request-id"] for kind in (FAST, USUAL)]
    # Lines of the requests before these may come late: a line is written after its response.
    ours = [line for line in map(json.loads, lines.getvalue().splitlines()) if line.get("request") in ids]
    assert [line["request"] for line in ours] == ids
    assert {line["table"] for line in ours} == {game.table}
    varying = ("request", "ms", "timestamp")
    fast, usual = [{name: value for name, value in line.items() if name not in varying} for line in ours]
    assert fast == usual
    counts = 'realmtable_requests_total{method="POST",route="/api/tables/{table_id}/moves",status="200"} 2.0'
    assert counts in served.app.state.services.metrics.render().decode()


async def test_a_line_of_text_is_what_structlog_would_write(lines: io.StringIO) -> None:
    logs.configure("text", "info", lines)
    facts: dict[str, Any] = {"method": "POST", "route": "/a b", "status": 200, "ms": 1.5, "table": "t"}
    with logs.RequestContext("0123456789abcdef"):
        logs.bind_facts(code="StaleVersion")
        assert logs._REQUEST_LINES.write(facts)
        logs.logger().info("request", **facts)
    fast, usual = [line.partition(" ") for line in lines.getvalue().splitlines()]
    assert fast[2] == usual[2]
    assert fast[0][-1] == usual[0][-1] == "Z"
    structlog.configure(processors=[structlog.processors.KeyValueRenderer()])
    assert not logs._REQUEST_LINES.write(facts)


async def test_an_unexpected_failure_is_answered_and_logged(
    served: ServerThread, lines: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(move_route, "play_move", fail)
    async with open_game(served) as game:
        logs.configure("json", "info", lines)
        response = await game.post_move(FAST)
    assert response.status_code == 500
    assert response.json()["error"]["code"] == "Unexpected"
    assert response.headers["content-security-policy"]
    assert "ZeroDivisionError" in lines.getvalue()


async def test_a_failure_to_identify_the_sender_is_left_to_the_usual_path(
    served: ServerThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(move_route, "visitor", fail)
    async with open_game(served) as game:
        assert (await game.post_move(FAST)).status_code == 200


async def test_an_extended_session_gets_its_cookie(served: ServerThread, monkeypatch: pytest.MonkeyPatch) -> None:
    async def extend(*_: object) -> bool:
        return True

    async with open_game(served) as game:
        monkeypatch.setattr(Accounts, "_extend", extend)
        response = await game.post_move(FAST)
    assert response.status_code == 200
    assert response.headers["set-cookie"].startswith("realmtable_session=")
    assert response.headers["x-csrf-token"]
