"""Moves whose head a connection has sent before: they are answered, logged and counted like all others."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, NamedTuple

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from realmtable.server import logs, request_head_cache
from realmtable.server.api import move_route
from realmtable.server.api.move_route import MoveRoute, RepeatedMoves
from realmtable.server.request_head_cache import CachedRequestHead, cache_head, read_cacheable_head
from realmtable.server.settings import Settings
from tests.server.support.live_server import WAIT_S, Person, ServerThread

pytestmark = pytest.mark.anyio

PLAIN, OTHER = "application/json", "application/json; charset=utf-8"  # moves of the second kind take the usual path
OF_EACH_RESPONSE = {"date", "content-length", "x-request-id"}


class Answer(NamedTuple):
    """A response."""

    status: int
    headers: dict[str, str]
    body: Any

    def lasting_headers(self) -> dict[str, str]:
        return {name: value for name, value in self.headers.items() if name not in OF_EACH_RESPONSE}


class Wire:
    """A connection that sends each request in one piece, as browsers do."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def read_answer(self) -> Answer:
        async with asyncio.timeout(WAIT_S):
            first, *lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            headers = {line.partition(": ")[0]: line.partition(": ")[2] for line in lines if line}
            body = await self.reader.readexactly(int(headers["content-length"]))
        return Answer(int(first.split()[1]), headers, json.loads(body))


class Game(NamedTuple):
    """A table of two, with a connection of each player."""

    table: str
    people: tuple[Person, Person]
    wires: tuple[Wire, Wire]

    async def read_acting(self) -> tuple[int, dict[str, Any]]:
        """Return the acting seat and its scene."""
        seat = (await self.people[0].get(f"/api/tables/{self.table}"))["acting"][0]
        return seat, await self.people[seat].get(f"/api/tables/{self.table}")

    async def post_move(self, body: bytes | None = None, kind: str = PLAIN, **headers: str) -> Answer:
        """Send the first choice of the acting player, or another body."""
        seat, scene = await self.read_acting()
        move = json.dumps({"version": scene["version"], "move": scene["choices"][0]["move"]}).encode()
        return await self.post_as(seat, move if body is None else body, kind, **headers)

    async def post_as(self, seat: int, body: bytes, kind: str = PLAIN, **headers: str) -> Answer:
        self.wires[seat].writer.write(self.request_of(seat, body, kind, **headers))
        return await self.wires[seat].read_answer()

    def request_of(self, seat: int, body: bytes, kind: str = PLAIN, **headers: str) -> bytes:
        person = self.people[seat]
        cookies = "; ".join(f"{name}={value}" for name, value in person.client.cookies.items())
        origin = str(person.client.base_url).rstrip("/")
        usual = {"Host": "here", "Origin": origin, "X-CSRF-Token": person.csrf, "Cookie": cookies, "Content-Type": kind}
        lines = [f"{name}: {value}" for name, value in {**usual, **headers, "Content-Length": str(len(body))}.items()]
        head = "\r\n".join([f"POST /api/tables/{self.table}/moves HTTP/1.1", *lines, "X-Last: 1"])
        return head.encode() + b"\r\n\r\n" + body

    async def play_until_heads_are_cached(self) -> None:
        """Play until both connections have sent the head of their moves."""
        seats: set[int] = set()
        while len(seats) < len(self.people):
            seats.add((await self.read_acting())[0])
            assert (await self.post_move()).status == 200


@asynccontextmanager
async def open_game(served: ServerThread) -> AsyncIterator[Game]:
    async with (
        httpx.AsyncClient(base_url=served.url, timeout=WAIT_S) as first,
        httpx.AsyncClient(base_url=served.url, timeout=WAIT_S) as second,
    ):
        people = Person(first), Person(second)
        table = (await people[0].post("/api/tables", {"game": "classic_realm", "seats": ["me", "open"]}))["table"]
        await people[1].post(f"/api/tables/{table}/seats")
        wires = [Wire(*await asyncio.open_connection("127.0.0.1", served.port)) for _ in people]
        try:
            yield Game(table, people, (wires[0], wires[1]))
        finally:
            for wire in wires:
                wire.writer.transport.abort()


class Repeats:
    """Counts the requests that were handled without parsing their heads, and those left to the usual path."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.known = self.parsed = 0
        repeat, call = MoveRoute.repeat, MoveRoute.__call__

        async def count_known(
            route: MoveRoute, known: RepeatedMoves, scope: Scope, receive: Receive, send: Send
        ) -> None:
            self.known += 1
            await repeat(route, known, scope, receive, send)

        async def count_parsed(route: MoveRoute, scope: Scope, receive: Receive, send: Send) -> None:
            self.parsed += str(scope.get("path")).endswith("/moves")
            await call(route, scope, receive, send)

        monkeypatch.setattr(MoveRoute, "repeat", count_known)
        monkeypatch.setattr(MoveRoute, "__call__", count_parsed)


@pytest.fixture
def repeats(monkeypatch: pytest.MonkeyPatch) -> Repeats:
    return Repeats(monkeypatch)


async def test_moves_with_a_cached_head_are_answered_like_others(served: ServerThread, repeats: Repeats) -> None:
    async with open_game(served) as game:
        await game.play_until_heads_are_cached()
        known, parsed = repeats.known, repeats.parsed
        again = await game.post_move()
        assert (repeats.known, repeats.parsed) == (known + 1, parsed)
        usual = await game.post_move(kind=OTHER)
        later = [await game.post_move() for _ in range(4)]
        assert (repeats.known, repeats.parsed) == (known + 5, parsed + 1)
    assert again.lasting_headers() == usual.lasting_headers()
    assert {*again.headers} >= OF_EACH_RESPONSE
    assert again.body.keys() == usual.body.keys()
    versions = [answer.body["version"] for answer in (again, usual, *later)]
    assert versions == [*range(versions[0], versions[0] + 6)]
    assert len({answer.headers["x-request-id"] for answer in (again, usual, *later)}) == 6


@pytest.mark.parametrize(
    "body",
    [
        b"not json",
        b"[]",
        b'{"version": 3}',
        b'{"version": 3, "move": "Fb2\\u0000"}',
        b'{"version": 3, "move": "Fb2", "other": 1}',
        b'{"version": 3, "move": "\xff"}',
        b'{"version": 3, "move": "Fa1"}',
        b'{"version": 99, "move": "Fb2"}',
        b'{"version": 3, "move": "' + b"x" * 3_000 + b'"}',
        b'{"version": 3, "move": "' + b"x" * 6_000 + b'"}',
    ],
)
async def test_refusals_of_moves_with_a_cached_head_are_the_usual_ones(
    served: ServerThread, repeats: Repeats, body: bytes
) -> None:
    async with open_game(served) as game:
        await game.play_until_heads_are_cached()
        before = repeats.known
        known, usual = await game.post_move(body), await game.post_move(body, OTHER)
        assert repeats.known - before == (len(body) < 10_000)
    assert known.status == usual.status
    assert known.status >= 400
    assert known.body["error"] == usual.body["error"]
    assert known.lasting_headers() == usual.lasting_headers()


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"X-CSRF-Token": "wrong"},
        {"Authorization": "Bearer unknown"},
        {"Cookie": "realmtable_session=unknown"},
        {"Cookie": ""},
    ],
)
async def test_another_head_is_checked(served: ServerThread, repeats: Repeats, headers: dict[str, str]) -> None:
    async with open_game(served) as game:
        await game.play_until_heads_are_cached()
        before = repeats.known
        answers = [await game.post_move(None, PLAIN, **headers) for _ in range(2)]
        assert repeats.known == before
        assert {answer.status for answer in answers} <= {401, 403}
        assert (await game.post_move()).status == 200


async def test_a_player_who_signed_out_is_unknown_at_once(served: ServerThread, repeats: Repeats) -> None:
    async with open_game(served) as game:
        await game.play_until_heads_are_cached()
        seat, scene = await game.read_acting()
        body = json.dumps({"version": scene["version"], "move": scene["choices"][0]["move"]}).encode()
        person = game.people[seat]
        cookies = dict(person.client.cookies)
        await person.send("DELETE", "/api/session")
        person.client.cookies.update(cookies)
        before = repeats.known
        answers = [await game.post_as(seat, body, kind) for kind in (PLAIN, OTHER)]
        assert repeats.known == before + 1
    assert {answer.status for answer in answers} == {403}
    assert answers[0].body["error"]["code"] == answers[1].body["error"]["code"] == "NotSeated"


async def test_a_table_that_was_deleted_is_not_found(served: ServerThread, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_game(served) as game:
        await game.play_until_heads_are_cached()
        seat, _ = await game.read_acting()
        service = served.app.state.services.table_service

        async def find_none(_: str) -> None:
            return None

        monkeypatch.setattr(service.store, "table", find_none)
        service.live.clear()
        answers = [await game.post_as(seat, b'{"version": 3, "move": "Fb2"}', kind) for kind in (PLAIN, OTHER)]
    assert [answer.status for answer in answers] == [404, 404]
    assert answers[0].body == answers[1].body


async def test_moves_with_a_cached_head_count_towards_the_limits(settings: Settings) -> None:
    with ServerThread(replace(settings, limits_factor=0.2)) as served:
        async with open_game(served) as game:
            answers: list[Answer] = []
            seat, _ = await game.read_acting()
            while len(answers) < 20 and not (answers and answers[-1].status == 429):
                answers.append(await game.post_as(seat, b'{"version": 99, "move": "Fb2"}'))
            usual = await game.post_as(seat, b'{"version": 99, "move": "Fb2"}', OTHER)
    assert answers[-1].status == usual.status == 429
    assert "retry-after" in answers[-1].headers
    assert answers[-1].body["error"]["code"] == usual.body["error"]["code"] == "RateLimited"
    assert {answer.status for answer in answers[:-1]} == {409}


async def test_moves_with_a_cached_head_are_logged_and_counted_like_others(
    served: ServerThread, lines: io.StringIO, repeats: Repeats
) -> None:
    async with open_game(served) as game:
        await game.play_until_heads_are_cached()
        played = served.app.state.services.table_service.live[game.table].table.step
        logs.configure("json", "info", lines)
        before = repeats.known
        answers = [await game.post_move(kind=kind) for kind in (PLAIN, OTHER)]
        assert repeats.known == before + 1
        rendered = served.app.state.services.metrics.render().decode()
        text = io.StringIO()
        logs.configure("text", "info", text)
        await game.post_move()
        assert " status=200 ms=" in text.getvalue().splitlines()[-1]
    ours = [line for line in map(json.loads, lines.getvalue().splitlines()) if line["method"] == "POST"]
    assert [line["request"] for line in ours] == [answer.headers["x-request-id"] for answer in answers]
    varying = ("request", "ms", "timestamp")
    known, usual = [{name: value for name, value in line.items() if name not in varying} for line in ours]
    assert known == usual
    assert known["table"] == game.table
    route = 'route="/api/tables/{table_id}/moves"'
    assert f'realmtable_requests_total{{method="POST",{route},status="200"}} {played + 2}.0' in rendered
    assert f"realmtable_request_seconds_count{{{route}}} {played + 2}.0" in rendered
    assert f'realmtable_moves_total{{by="person",game="classic_realm"}} {played + 2}.0' in rendered


async def test_a_failure_is_answered_and_logged(
    served: ServerThread, lines: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    async with open_game(served) as game:
        await game.play_until_heads_are_cached()
        logs.configure("json", "info", lines)
        monkeypatch.setattr(move_route, "play_move", fail)
        answer = await game.post_move()
        monkeypatch.undo()
        assert (await game.post_move()).status == 200  # the connection stays open
    assert answer.status == 500
    assert answer.body["error"]["code"] == "Unexpected"
    assert answer.headers["content-security-policy"]
    assert "ZeroDivisionError" in lines.getvalue()


async def test_a_failure_to_recognise_the_sender_is_left_to_the_usual_path(
    served: ServerThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise ZeroDivisionError

    async with open_game(served) as game:
        await game.play_until_heads_are_cached()
        monkeypatch.setattr(move_route, "note_player_at", fail)
        assert (await game.post_move()).status == 200


async def test_a_request_in_pieces_and_two_in_one_piece_are_parsed(served: ServerThread, repeats: Repeats) -> None:
    async with open_game(served) as game:
        await game.play_until_heads_are_cached()
        seat, _ = await game.read_acting()
        wire, before = game.wires[seat], repeats.known
        request = game.request_of(seat, b'{"version": 99, "move": "Fb2"}')
        for piece in (request[:50], request[50:-4], request[-4:]):
            wire.writer.write(piece)
            await asyncio.sleep(0.1)
        assert (await wire.read_answer()).status == 409
        wire.writer.write(request + request)
        assert [(await wire.read_answer()).status for _ in range(2)] == [409, 409]
        assert repeats.known == before
        wire.writer.write(request)
        assert (await wire.read_answer()).status == 409
        assert repeats.known == before + 1


# ---- heads

HEAD = b"POST /a HTTP/1.1\r\nHost: here\r\nContent-Length: 3\r\nX-Last: 1\r\n\r\n"


def scope_of(head: bytes) -> Scope:
    pairs = [line.split(b": ") for line in head.strip().split(b"\r\n")[1:]]
    scope: Scope = dict.fromkeys(request_head_cache.FACTS)
    return {**scope, "query_string": b"", "headers": [(name.lower(), value) for name, value in pairs]}


async def ignore(_scope: Scope, _receive: Receive, _send: Send) -> None:
    return


def read(data: bytes, head: bytes = HEAD) -> CachedRequestHead | None:
    return read_cacheable_head(data, scope_of(head), ignore)


def test_a_cached_head_finds_bodies_of_any_length() -> None:
    known = read(HEAD + b"abc")
    assert known is not None
    assert known.body_in(HEAD + b"xyz") == b"xyz"
    assert known.body_in(HEAD.replace(b": 3", b": 12") + b"x" * 12) == b"x" * 12
    assert known.body_in(HEAD.replace(b": 3", b": 0")) == b""
    scope = known.make_scope(b"xyzu", {})
    assert dict(scope["headers"]) == {b"host": b"here", b"x-last": b"1", b"content-length": b"4"}


@pytest.mark.parametrize(
    "data",
    [
        HEAD,
        HEAD + b"ab",
        HEAD + b"abcd",
        HEAD.replace(b": 3", b": +3") + b"abc",
        HEAD.replace(b": 3", b":  3") + b"abc",
        HEAD.replace(b": 3", b": ") + b"abc",
        HEAD.replace(b": 3", b": 10000") + b"x" * 10_000,
        HEAD.replace(b": 3", b": \xb2") + b"ab",
        HEAD.replace(b"X-Last: 1", b"X-Last: 2") + b"abc",
        HEAD.replace(b"\r\n\r\n", b"\r\nMore: 1\r\n\r\n") + b"abc",
        HEAD.replace(b"/a", b"/b") + b"abc",
    ],
)
def test_a_cached_head_is_not_found_in_another_request(data: bytes) -> None:
    known = read(HEAD + b"abc")
    assert known is not None
    assert known.body_in(data) is None


@pytest.mark.parametrize(
    "head",
    [
        HEAD.replace(b"X-Last: 1", b"Expect: 100-continue"),
        HEAD.replace(b"X-Last: 1", b"Transfer-Encoding: chunked"),
        HEAD.replace(b"X-Last: 1", b"Content-Length: 3"),
        HEAD.replace(b"Content-Length: 3\r\n", b""),
        HEAD.replace(b"\r\n\r\n", b"\r\n"),
    ],
)
def test_unusual_heads_are_not_remembered(head: bytes) -> None:
    assert read(head + b"abc", head) is None


def test_a_connection_remembers_a_few_heads() -> None:
    heads: list[CachedRequestHead] = []
    for number in range(3 * request_head_cache.MAX_HEADS):
        known = read(HEAD.replace(b"/a", b"/%d" % number) + b"abc")
        assert known is not None
        cache_head(heads, known)
        cache_head(heads, known)
    assert len(heads) == len({head.before for head in heads}) == request_head_cache.MAX_HEADS
    assert heads[0].before.startswith(b"POST /%d " % (3 * request_head_cache.MAX_HEADS - 1))
