"""Whatever is sent, no answer is a fault of ours, and every answer of the API fits its description.

Schemathesis makes requests from the OpenAPI description, Hypothesis makes raw ones: bytes, odd headers, odd addresses.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import httpx
import pytest
import schemathesis
from argon2 import PasswordHasher
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.types import Message

from realmtable.server import problems
from realmtable.server.people.passwords import Passwords
from tests.server.serving import WAIT_S, Person, Served, quiet, routes_of, settings_for
from tests.server.tabling import with_toys
from tests.toys import dice_duel, secret_cards

CHECKS: Final = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
STREAMS: Final = ("/api/lobby/events", "/api/tables/{table_id}/events")  # never end; read by the raw requests below
QUICK, MANY = 8, 150  # examples an operation
CHEAP: Final = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


def few(examples: int) -> settings:
    """The same examples every time, for tests that share one server."""
    return settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )


@dataclass
class World:
    """A server with tables in every state, and what is known of it."""

    served: Served
    token: str = ""
    cookie: str = ""
    csrf: str = ""
    ids: dict[str, list[str]] = field(default_factory=dict)

    @property
    def app(self) -> FastAPI:
        return self.served.app

    def ask(self, request: Raw) -> tuple[int, bytes]:
        """A request straight into the app, on the server's own loop."""
        loop = self.app.state.realm.watching.get_loop()
        return asyncio.run_coroutine_threadsafe(asked(self.app, request), loop).result(WAIT_S)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with quiet(), pytest.MonkeyPatch.context() as patch:
        with_toys(patch)
        for toy in (secret_cards, dice_duel):  # pages look for rules and tours beside a game's code
            patch.setitem(sys.modules, f"realmtable.games.{toy.INFO.id}", toy)
        with Served(settings_for(tmp_path_factory.mktemp("fuzz"))) as served:
            served.app.state.realm.accounts._passwords = Passwords(CHEAP)
            made = World(served)
            asyncio.run(_populate(made))
            yield made


async def _populate(world: World) -> None:
    async with httpx.AsyncClient(base_url=world.served.url) as one, httpx.AsyncClient(base_url=world.served.url) as two:
        ann, bob = Person(one), Person(two)
        tables = []
        for game in ("classic_realm", "secret_cards", "dice_duel"):
            tables.append(
                (await ann.post("/api/tables", {"game": game, "seats": ["me", "open"], "listed": True}))["table"]
            )
            await bob.post(f"/api/tables/{tables[-1]}/seats")
        await bob.post(f"/api/tables/{tables[2]}/resign")
        tables.append((await ann.post("/api/tables", {"game": "realm", "seats": ["me", "me"]}))["table"])
        tables.append((await ann.post("/api/tables", {"game": "realm", "seats": ["me", "open"]}))["table"])
        text = (await ann.send("GET", f"/api/tables/{tables[0]}/record")).text
        record = (await ann.post("/api/records", {"text": text}))["record"]
        world.token = (await ann.post("/api/me/tokens", {"label": "fuzz"}))["token"]
        me = await ann.get("/api/me")
        world.csrf = me["csrf"]
        world.cookie = "; ".join(f"{cookie.name}={cookie.value}" for cookie in one.cookies.jar)
        world.ids = {
            "table_id": tables,
            "record_id": [record],
            "player_id": [me["player"]["id"]],
            "game": ["classic_realm", "realm"],
            "step": ["0", "1"],
            "number": ["1"],
        }


# ---- requests made from the description


def operations() -> list[Any]:
    app = FastAPI()
    with pytest.MonkeyPatch.context():
        from realmtable.server.api import games, people, tables  # noqa: PLC0415 - only the description is wanted

        problems.install(app)
        for router in (tables.router, games.router, people.router):
            app.include_router(router)
    described = schemathesis.openapi.from_dict(app.openapi())
    found: list[Any] = [*described.get_all_operations()]
    return [result.ok() for result in found if result.ok().path not in STREAMS]


OPERATIONS: Final = operations()


def run_operation(world: World, operation: Any, examples: int) -> None:
    """Send what fits the description, and what does not, to real tables and to none, as a player and as nobody."""
    modes = st.one_of(
        operation.as_strategy(schemathesis.GenerationMode.POSITIVE),
        *[operation.as_strategy(schemathesis.GenerationMode.NEGATIVE)] * _can_be_wrong(operation),
    )

    @few(examples)
    @given(case=modes, data=st.data())
    def run(case: Any, data: st.DataObject) -> None:
        for name in list(case.path_parameters or {}):
            if name in world.ids and data.draw(st.integers(0, 3)):
                case.path_parameters[name] = data.draw(st.sampled_from(world.ids[name]))
        headers = {"Authorization": f"Bearer {world.token}"} if data.draw(st.booleans()) else {}
        answer = case.call(base_url=world.served.url, headers=headers, timeout=WAIT_S)
        case.validate_response(answer, checks=CHECKS)

    run()


def _can_be_wrong(operation: Any) -> bool:
    """Whether there is anything in a request that can break the description."""
    return bool(operation.body) or bool(operation.query) or bool(operation.path_parameters)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda found: found.label)
def test_every_operation_answers_as_described(world: World, operation: Any) -> None:
    run_operation(world, operation, QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda found: found.label)
def test_every_operation_answers_as_described_many_times(world: World, operation: Any) -> None:
    run_operation(world, operation, MANY)


def test_the_description_that_is_fuzzed_is_the_one_that_is_published(world: World) -> None:
    published = httpx.get(f"{world.served.url}/api/openapi.json").json()
    known = {(operation.path, operation.method.upper()) for operation in OPERATIONS}
    assert known | {(path, "GET") for path in STREAMS} == {
        (path, method.upper()) for path, item in published["paths"].items() for method in item
    }


# ---- raw requests


@dataclass(frozen=True)
class Raw:
    """A request as the app gets it, whatever a client may send."""

    method: str
    path: str
    query: bytes = b""
    headers: tuple[tuple[bytes, bytes], ...] = ()
    body: bytes = b""


async def asked(app: FastAPI, request: Raw) -> tuple[int, bytes]:
    """Status and body of the answer; of a stream what comes first."""
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": "http",
        "path": request.path,
        "raw_path": request.path.encode("utf-8", "replace"),
        "query_string": request.query,
        "root_path": "",
        "headers": list(request.headers),
        "server": ("127.0.0.1", 80),
        "client": ("127.0.0.1", 1),
        "state": {},
    }
    status, body, endless, gone = 0, b"", False, asyncio.Event()
    messages = [{"type": "http.request", "body": request.body, "more_body": False}]

    async def receive() -> Message:
        if messages:
            return messages.pop()
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        nonlocal status, body, endless
        status = message.get("status", status)
        body += message.get("body", b"")
        endless |= any(value.startswith(b"text/event-stream") for _, value in message.get("headers", ()))
        if endless and body:
            gone.set()

    await app(scope, receive, send)
    return status, body


ODD_TEXTS: Final = (
    "",
    "\x00",
    "a\x00b",
    "\ud800",
    "\udfff\ud800",
    "\u202e\u0000\uffff",
    "🂡" * 400,
    "a" * 70_000,
    "../../../etc/passwd",
    "..%2f..%2fetc",
    "%00%ff%zz",
    "'; DROP TABLE events; --",
    "{{7*7}}${7*7}",
    "-1",
    "0",
    "4",
    "1e400",
    "NaN",
    "٣",
    "²",
    "9" * 4_299,
    "9" * 5_000,
    "None",
    "null",
    "true",
)
odd_text = st.sampled_from(ODD_TEXTS) | st.text(max_size=20)
odd_value: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.integers(-(10**400), 10**400) | st.floats() | odd_text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(odd_text, inner, max_size=3),
    max_leaves=5,
)
RAW_BODIES: Final = (
    b"",
    b"null",
    b"[]",
    b"{}",
    b'""',
    b"\xff\xfe\x00",
    b"\xef\xbb\xbf{}",
    b"[" * 60_000,
    b'{"a":' * 10_000,
    b"9" * 60_000,
    b"1e99999",
    b"-Infinity",
    b'{"move": "\\ud800", "version": 1}',
    b'{"version": 1, "version": 2, "move": "a"}',
    b'{"text": "\x00"}',
    "{}".encode("utf-16"),
    "{}".encode("utf-32"),
    b"{" + b"\x00" * 100 + b"}",
    b"a" * 65_537,
)
# What bodies of ours hold, so that some go deep; odd values take the place of any.
FIELDS: Final[dict[str, tuple[Any, ...]]] = {
    "version": (1, 4, 6, 10, 2**31 - 1),
    "move": ("1", "roll", "Bh11", "hold", "Ba1,Bb2", "1,x", "-", "=", "()"),
    "key": ("k", "k:1"),
    "seat": (0, 1, 15),
    "what": ("draw", "takeback"),
    "accept": (True, False),
    "text": ("hello", "Game: realm\n\n1. Bh11", "Game: classic_realm\n\n"),
    "game": ("realm", "classic_realm", "secret_cards", "dice_duel", "chess"),
    "seats": (["me", "open"], ["me", "bot:random"], ["me"] * 16, ["open", "open"]),
    "preset": ("original", "standard"),
    "options": ({}, {"bases": 3}, {"bases": 10**30}, {"hand": 2}),
    "position": ("W:Bh11 B:Bh2 move=W", "1::123//0+456//0:", "1-0-0-0-0-0:0-0::"),
    "record": ("Game: realm\n\n1. Bh11", "Game: x"),
    "after": (0, 1, 99_999),
    "clock": ({"kind": "move", "seconds": 9}, {"kind": "game", "seconds": 5, "increment_s": 1e-300}, {"kind": "days"}),
    "rated": (True, False),
    "moves": ([], ["Bh11"], ["x"] * 400, ["x"] * 401),
    "name": ("Ada", "Bo", "a" * 24),
    "password": ("long enough to pass", "short"),
    "token": ("rt_none", "x" * 300),
    "label": ("my bot",),
}
_fields = st.fixed_dictionaries({}, optional={name: st.sampled_from(known) for name, known in FIELDS.items()})
_some_odd = st.fixed_dictionaries({}, optional=dict.fromkeys(FIELDS, odd_value))


@st.composite
def bodies(draw: st.DrawFn, wanted: tuple[str, ...]) -> bytes:
    """A body: nonsense, or the fields that are asked for with something odd among them."""
    if draw(st.integers(0, 3)) == 0:
        return draw(st.sampled_from(RAW_BODIES) | st.binary(max_size=60))
    known = {name: draw(st.sampled_from(FIELDS[name])) for name in wanted if name in FIELDS and draw(st.integers(0, 4))}
    odd = {name: draw(odd_value) for name in wanted if draw(st.integers(0, 3)) == 0}
    return json.dumps(known | odd).encode()


JSON_TYPE: Final = (b"content-type", b"application/json")
ODD_HEADERS: Final = (
    JSON_TYPE,
    (b"content-type", b"application/json; charset=utf-16"),
    (b"content-type", b"application/x-www-form-urlencoded"),
    (b"content-type", b"multipart/form-data"),
    (b"content-type", b"multipart/form-data; boundary=\xff"),
    (b"content-type", b"text/plain"),
    (b"content-type", b"\xff/\x80; ==;"),
    (b"content-length", b"-5"),
    (b"content-length", b"9" * 5_000),
    (b"content-length", b"\xb2"),
    (b"last-event-id", b"9" * 5_000),
    (b"last-event-id", b"-1"),
    (b"last-event-id", b"\xb2\xff"),
    (b"last-event-id", b"4"),
    (b"accept", b"text/html"),
    (b"accept", b"\xff" * 200),
    (b"accept-encoding", b"gzip;q=0, br, \xff"),
    (b"accept-encoding", b"gzip"),
    (b"origin", b"null"),
    (b"origin", b"http://[::1"),
    (b"origin", b"http://127.0.0.1:99999999"),
    (b"origin", b"http://\xff\xfe"),
    (b"origin", b"http://127.0.0.1"),
    (b"sec-fetch-site", b"\xff"),
    (b"host", b"["),
    (b"host", b"[::1]:x"),
    (b"host", b"a b\xff"),
    (b"host", b"x" * 70_000),
    (b"host", b""),
    (b"cookie", b"realmtable_session=\xff\xfe"),
    (b"cookie", b"realmtable_session=" + b"x" * 50_000),
    (b"cookie", b"realmtable_session; ;=;==;\x80"),
    (b"cookie", b"realmtable_session=a; realmtable_session=b"),
    (b"cookie", b"realmtable_theme=\xff; realmtable_theme"),
    (b"x-csrf-token", b"\xff\xfe"),
    (b"authorization", b"Bearer"),
    (b"authorization", b"Bearer \xff\xfe"),
    (b"authorization", b"Bearer " + b"x" * 60_000),
    (b"authorization", b"Basic \xff"),
    (b"x-forwarded-for", b"\xff, 1.2.3"),
    (b"x-request-id", b"\xff" * 100),
    (b"x-odd", b"x" * 100_000),
    (b"if-none-match", b'"\xff'),
    (b"range", b"bytes=9-1"),
    (b"expect", b"100-continue"),
    (b"transfer-encoding", b"chunked"),
)


def routes() -> list[tuple[str, str, tuple[str, ...]]]:
    """Every route of the whole app with the fields of its body; asked without a server."""
    from realmtable.server.app import create_app  # noqa: PLC0415 - costs a second
    from realmtable.server.settings import Settings  # noqa: PLC0415

    app = create_app(Settings(database_url="sqlite:///unused.db"))
    return sorted(
        (method, route.path, tuple(route.body_field.field_info.annotation.model_fields) if route.body_field else ())  # type: ignore[union-attr]
        for route in routes_of(app)
        for method in route.methods or ()
    )


ROUTES: Final = routes()


@st.composite
def requests_to(draw: st.DrawFn, world: World, method: str, template: str, wanted: tuple[str, ...]) -> Raw:
    """A request to a route: known and unknown ids, odd headers, a body that may or may not be one."""
    path = template
    for part in [piece.strip("{}") for piece in template.split("/") if "{" in piece]:
        name = part.partition(":")[0].partition("}")[0]
        known = st.sampled_from(world.ids.get(name, ["none"]))
        filled = draw(known | known | odd_text).encode("utf-8", "replace").decode()
        path = path.replace(f"{{{part.partition('}')[0]}}}", filled)
    queries = st.sampled_from(
        ["", "pictures=true", "move=1", "move=%00", "theme=dark", "before=nan", "p=x", "status=odd"]
    )
    query = draw(
        queries | odd_text.map(lambda text: f"move={text}&p={text}&before={text}&pictures={text}&theme={text}")
    )
    headers = draw(st.lists(st.sampled_from(ODD_HEADERS), max_size=3))
    who = draw(st.sampled_from(["nobody", "token", "cookie"]))
    if who == "token":
        headers.append((b"authorization", f"Bearer {world.token}".encode()))
    elif who == "cookie":
        headers += [(b"cookie", world.cookie.encode()), (b"x-csrf-token", world.csrf.encode())]
    headers += [(b"host", b"127.0.0.1"), JSON_TYPE]
    body = draw(bodies(wanted)) if method != "GET" else draw(st.sampled_from([b"", b"", b"\xff{"]))
    return Raw(method, path, query.encode("utf-8", "replace"), tuple(headers), body)


def run_route(world: World, route: tuple[str, str, tuple[str, ...]], examples: int) -> None:
    @few(examples)
    @given(request=requests_to(world, *route))
    def run(request: Raw) -> None:
        status, body = world.ask(request)
        assert 200 <= status < 500, (status, body[:300])

    run()


def _route_id(route: tuple[str, str, tuple[str, ...]]) -> str:
    return f"{route[0]} {route[1]}"


@pytest.mark.parametrize("route", ROUTES, ids=_route_id)
def test_no_raw_request_makes_the_server_fail(world: World, route: tuple[str, str, tuple[str, ...]]) -> None:
    run_route(world, route, QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("route", ROUTES, ids=_route_id)
def test_no_raw_request_makes_the_server_fail_many_times(world: World, route: tuple[str, str, tuple[str, ...]]) -> None:
    run_route(world, route, 4 * MANY)


@pytest.mark.parametrize("header", ODD_HEADERS, ids=lambda header: f"{header[0].decode()} {header[1][:20]!r}")
def test_no_header_makes_any_kind_of_route_fail(world: World, header: tuple[bytes, bytes]) -> None:
    table = world.ids["table_id"][0]
    for method, path in [
        ("GET", "/"),
        ("GET", "/nowhere"),
        ("GET", "/api/nowhere"),
        ("GET", "/api/tables/"),
        ("GET", f"/tables/{table}"),
        ("GET", f"/api/tables/{table}/events"),
        ("POST", f"/api/tables/{table}/moves"),
        ("DELETE", f"/api/tables/{table}/seats"),
        ("PATCH", f"/api/tables/{table}"),
        ("OPTIONS", "/api/tables"),
        ("HEAD", "/"),
        ("BREW", "/api/tables"),
    ]:
        others = () if header[0] == b"host" else ((b"host", b"127.0.0.1"), JSON_TYPE)
        status, body = world.ask(Raw(method, path, b"", (header, *others), b'{"version": 1, "move": "x"}'))
        assert 200 <= status < 500, (method, path, status, body[:300])


@pytest.mark.parametrize("body", RAW_BODIES, ids=range(len(RAW_BODIES)))
def test_no_body_makes_any_operation_fail(world: World, body: bytes) -> None:
    for method, template, _ in ROUTES:
        if method in ("POST", "DELETE"):
            path = template.replace("{table_id}", world.ids["table_id"][3]).replace("{token_id}", "none")
            status, answer = world.ask(Raw(method, path, b"", ((b"host", b"127.0.0.1"), JSON_TYPE), body))
            assert 200 <= status < 500, (method, path, status, answer[:300])
