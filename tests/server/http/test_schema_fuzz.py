"""No request causes a server error, and every response of the API matches its schema.

Schemathesis makes requests from the OpenAPI description, Hypothesis makes raw ones: bytes, odd headers, odd addresses.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import httpx
import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from realmtable.server import error_responses
from realmtable.server.api.routers import ROUTERS
from realmtable.server.request_bounds import list_routes
from tests.server.support.fuzz_inputs import JSON_TYPE, ODD_HEADERS, RAW_BODIES, RawRequest, bodies, odd_text, send_raw
from tests.server.support.live_server import WAIT_S, Person, ServerThread, log_errors_only, make_settings
from tests.server.support.table_harness import register_toys

CHECKS: Final = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
STREAMS: Final = ("/api/lobby/events", "/api/tables/{table_id}/events")  # never end; read by the raw requests below
# Examples an operation.
EXAMPLES: Final = [pytest.param(3, marks=pytest.mark.hypothesis), pytest.param(50, marks=pytest.mark.slow)]


def limit_examples(examples: int) -> settings:
    """Limit the examples of a test; the profile decides whether they are the same in every run."""
    return settings(
        max_examples=examples,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )


@dataclass
class FuzzTarget:
    """A server with tables in every state, and what is known of it."""

    served: ServerThread
    token: str = ""
    cookie: str = ""
    csrf: str = ""
    ids: dict[str, list[str]] = field(default_factory=dict)

    @property
    def app(self) -> FastAPI:
        return self.served.app

    def ask(self, request: RawRequest) -> tuple[int, bytes]:
        """A request straight into the app, on the server's own loop."""
        loop = self.app.state.services.lag_task.get_loop()
        return asyncio.run_coroutine_threadsafe(send_raw(self.app, request), loop).result(WAIT_S)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FuzzTarget]:
    with log_errors_only(), pytest.MonkeyPatch.context() as patch:
        register_toys(patch)
        with ServerThread(make_settings(tmp_path_factory.mktemp("fuzz"))) as served:
            made = FuzzTarget(served)
            asyncio.run(_populate(made))
            yield made


async def _populate(world: FuzzTarget) -> None:
    one, two = (httpx.AsyncClient(base_url=world.served.url, timeout=WAIT_S) for _ in range(2))
    async with one, two:
        ann, bob = Person(one), Person(two)
        tables = []
        for game in ("classic_realm", "secret_cards", "dice_duel"):
            tables.append(await ann.open_table(game=game, listed=True))
            await bob.post(f"/api/tables/{tables[-1]}/seats")
        await bob.post(f"/api/tables/{tables[2]}/resign")
        tables.append(await ann.open_table(seats=["me", "me"]))
        tables.append(await ann.open_table())
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
    error_responses.install(app)
    for router in ROUTERS:
        app.include_router(router)
    described = schemathesis.openapi.from_dict(app.openapi())
    found: list[Any] = [*described.get_all_operations()]
    return [result.ok() for result in found if result.ok().path not in STREAMS]


OPERATIONS: Final = operations()


@pytest.mark.parametrize("examples", EXAMPLES)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda found: found.label)
def test_every_operation_answers_as_described(world: FuzzTarget, operation: Any, examples: int) -> None:
    """Send what fits the description, and what does not, to real tables and to none, as a player and as nobody."""
    modes = st.one_of(
        operation.as_strategy(schemathesis.GenerationMode.POSITIVE),
        *[operation.as_strategy(schemathesis.GenerationMode.NEGATIVE)] * _can_be_wrong(operation),
    )

    @limit_examples(examples)
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


@pytest.mark.long
def test_the_description_that_is_fuzzed_is_the_one_that_is_published(world: FuzzTarget) -> None:
    published = httpx.get(f"{world.served.url}/api/openapi.json", timeout=WAIT_S).json()
    known = {(operation.path, operation.method.upper()) for operation in OPERATIONS}
    assert known | {(path, "GET") for path in STREAMS} == {
        (path, method.upper()) for path, item in published["paths"].items() for method in item
    }


# ---- raw requests


def routes() -> list[tuple[str, str, tuple[str, ...]]]:
    """Every route of the whole app with the fields of its body; asked without a server."""
    from realmtable.server.app import create_app  # noqa: PLC0415 - costs a second
    from realmtable.server.settings import Settings  # noqa: PLC0415 - costs a second

    app = create_app(Settings(database_url="sqlite:///unused.db"))
    return sorted(
        (method, route.path, tuple(route.body_field.field_info.annotation.model_fields) if route.body_field else ())  # type: ignore[union-attr]
        for route in list_routes(app)
        for method in route.methods or ()
    )


ROUTES: Final = routes()


@st.composite
def requests_to(draw: st.DrawFn, world: FuzzTarget, method: str, template: str, wanted: tuple[str, ...]) -> RawRequest:
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
    return RawRequest(method, path, query.encode("utf-8", "replace"), tuple(headers), body)


@pytest.mark.parametrize("examples", EXAMPLES)
@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route[0]} {route[1]}")
def test_no_raw_request_makes_the_server_fail(
    world: FuzzTarget, route: tuple[str, str, tuple[str, ...]], examples: int
) -> None:
    @limit_examples(examples)
    @given(request=requests_to(world, *route))
    def run(request: RawRequest) -> None:
        status, body = world.ask(request)
        assert 200 <= status < 500, (status, body[:300])

    run()


@pytest.mark.parametrize("header", ODD_HEADERS, ids=lambda header: f"{header[0].decode()} {header[1][:20]!r}")
def test_no_header_makes_any_kind_of_route_fail(world: FuzzTarget, header: tuple[bytes, bytes]) -> None:
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
        status, body = world.ask(RawRequest(method, path, b"", (header, *others), b'{"version": 1, "move": "x"}'))
        assert 200 <= status < 500, (method, path, status, body[:300])


@pytest.mark.parametrize("body", RAW_BODIES, ids=range(len(RAW_BODIES)))
def test_no_body_makes_any_operation_fail(world: FuzzTarget, body: bytes) -> None:
    for method, template, _ in ROUTES:
        if method in ("POST", "DELETE"):
            path = template.replace("{table_id}", world.ids["table_id"][3]).replace("{token_id}", "none")
            status, answer = world.ask(RawRequest(method, path, b"", ((b"host", b"127.0.0.1"), JSON_TYPE), body))
            assert 200 <= status < 500, (method, path, status, answer[:300])
