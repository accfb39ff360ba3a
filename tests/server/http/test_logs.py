"""The log: one line per request, with its id; no secrets, whatever fails; other libraries kept in check."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import AsyncIterator
from typing import Annotated, Any

import httpx
import pytest
import structlog
from fastapi import Body, FastAPI, Request
from fastapi.responses import PlainTextResponse, StreamingResponse
from starlette.staticfiles import StaticFiles
from starlette.types import Message, Receive, Scope, Send

from realmtable.engine import registry
from realmtable.server import error_responses, logs
from realmtable.server.app import create_app
from realmtable.server.errors import Unavailable
from realmtable.server.logs import LibraryLogHandler, format_exception
from realmtable.server.request_checks import RequestChecks, RequestMiddleware, install_middleware
from realmtable.server.settings import Settings
from tests.server.support.live_server import Person, make_app
from tests.server.support.table_harness import register_toys

pytestmark = pytest.mark.anyio
SECRET = "hunter2-secret"  # noqa: S105 - nobody's


@pytest.fixture(name="lines")
def configured_lines(lines: io.StringIO) -> io.StringIO:
    """Where the log goes."""
    logs.configure("json", "debug", lines)
    return lines


def read_log(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def make_stub_app(*, trust_proxy: bool = False) -> FastAPI:
    app = FastAPI(openapi_url=None)

    @app.get("/sign-in/{token}")
    async def sign_in(token: str) -> PlainTextResponse:
        return PlainTextResponse(f"welcome {token}", headers={"Set-Cookie": f"realmtable_session={SECRET}"})

    @app.post("/api/tables/{table_id}/chat")
    async def chat(table_id: str, body: Annotated[dict[str, Any], Body()]) -> dict[str, Any]:
        return {"table": table_id, "view": {"hand": SECRET}, "chat": body}

    @app.get("/events")
    async def events() -> StreamingResponse:
        async def stream() -> AsyncIterator[bytes]:
            yield f"data: {SECRET}\n\n".encode()

        return StreamingResponse(stream(), media_type="text/event-stream")

    @app.get("/healthz")
    async def healthz() -> dict[str, Any]:
        return {}

    @app.post("/fail/{how}")
    async def fail(how: str, request: Request) -> None:
        body = (await request.body()).decode()
        if how == "chained":
            try:
                int(body)
            except ValueError as error:
                raise RuntimeError(f"while reading {body}") from error
        raise {"key": KeyError(body), "disk": OSError(28, "No space left on device", body)}[how]

    @app.get("/half")
    async def half() -> StreamingResponse:
        async def stream() -> AsyncIterator[bytes]:
            yield b"half"
            raise RuntimeError(SECRET)

        return StreamingResponse(stream())

    app.mount("/static", StaticFiles(directory="."))
    error_responses.install(app)
    install_middleware(app, Settings(trust_proxy=trust_proxy))
    return app


def make_client(app: FastAPI) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://table.test")


async def test_a_request_is_one_line_with_its_route_and_id(lines: io.StringIO) -> None:
    async with make_client(make_stub_app()) as http:
        answer = await http.post("/api/tables/k3/chat?secret=1", json={"text": "hello"})
    (line,) = read_log(lines)
    assert line["request"] == answer.headers["x-request-id"]
    assert line.pop("timestamp").endswith("Z")
    assert 0 <= line.pop("ms") < 10_000
    assert line == {
        "event": "request",
        "level": "info",
        "request": line["request"],
        "method": "POST",
        "route": "/api/tables/{table_id}/chat",
        "status": 200,
        "table": "k3",
    }


async def test_no_secret_is_ever_written(lines: io.StringIO) -> None:
    headers = {
        "Authorization": f"Bearer {SECRET}",
        "Cookie": f"realmtable_session={SECRET}",
        "X-Request-Id": SECRET,
        "Referer": f"http://x/{SECRET}",
    }
    async with make_client(make_stub_app()) as http:
        http.headers.update(headers)
        assert SECRET in (await http.get(f"/sign-in/{SECRET}")).text
        await http.get(f"/nothing/{SECRET}?token={SECRET}")
        await http.get(f"/static/{SECRET}")
        await http.request(SECRET, "/events")
        assert SECRET in (await http.get("/events")).text
        body = {"name": "Ada", "password": SECRET, "text": SECRET}
        assert SECRET in (await http.post("/api/tables/k3/chat", json=body)).text
        await http.post(f"/api/tables/{SECRET}/chat", content=SECRET)
        for how in ("key", "chained", "disk"):
            answer = await http.post(f"/fail/{how}", content=SECRET)
            assert answer.status_code == 500
            assert SECRET not in answer.text
        with pytest.raises(AssertionError):  # the client misses the end
            await http.get("/half")
    assert len(read_log(lines)) == 11
    assert SECRET not in lines.getvalue()
    assert "KeyError" in lines.getvalue()


async def test_streams_files_and_health_are_told_to_debuggers_only(lines: io.StringIO) -> None:
    async with make_client(make_stub_app()) as http:
        for path in ("/events", "/static/none", "/healthz"):
            await http.get(path)
        assert [line["level"] for line in read_log(lines)] == ["debug"] * 3
        assert [line["event"] for line in read_log(lines)] == ["stream", "request", "request"]
        logs.configure("json", "info", lines)
        await http.get("/events")
    assert len(read_log(lines)) == 3


async def test_what_fails_is_answered_in_our_shape_and_told_with_its_place(lines: io.StringIO) -> None:
    async with make_client(make_stub_app()) as http:
        answer = await http.post("/fail/chained", content=b"x")
    assert answer.status_code == 500
    assert answer.json()["error"]["code"] == "Unexpected"
    (line,) = read_log(lines)
    assert (line["level"], line["status"], line["route"]) == ("error", 500, "/fail/{how}")
    first, *places = line["exception"].splitlines()
    assert first == "RuntimeError"
    assert "ValueError" in places
    assert any("test_logs.py" in place and place.endswith(" fail") for place in places)


async def test_an_answer_that_breaks_off_is_told(lines: io.StringIO) -> None:
    async with make_client(make_stub_app()) as http:
        with pytest.raises(AssertionError):  # the client misses the end
            await http.get("/half")
    (line,) = read_log(lines)
    assert (line["level"], line["status"]) == ("error", 200)


@pytest.mark.parametrize(
    ("trust", "given", "kept"),
    [(True, "abcd-1234", True), (False, "abcd-1234", False), (True, "short", False), (True, "evil\\n forged", False)],
)
async def test_a_proxy_may_name_the_request(lines: io.StringIO, trust: bool, given: str, kept: bool) -> None:
    async with make_client(make_stub_app(trust_proxy=trust)) as http:
        answer = await http.get("/healthz", headers={"X-Request-Id": given})
    assert (answer.headers["x-request-id"] == given) is kept
    assert read_log(lines)[0]["request"] == answer.headers["x-request-id"]


async def test_a_failed_start_is_told_in_our_way(lines: io.StringIO) -> None:
    async def fail_startup(_: Scope, __: Receive, send: Send) -> None:
        await send({"type": "lifespan.startup.failed", "message": f"Traceback: {SECRET}"})
        raise RuntimeError(SECRET)

    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "lifespan.startup"}

    with pytest.raises(RuntimeError):
        await RequestMiddleware(fail_startup, RequestChecks(Settings()))({"type": "lifespan"}, receive, send)
    assert sent == [{"type": "lifespan.startup.failed"}]
    assert "RuntimeError" in read_log(lines)[0]["exception"]
    assert SECRET not in lines.getvalue()


def test_other_libraries_are_heard_when_they_warn_and_without_what_they_fill_in(lines: io.StringIO) -> None:
    elsewhere = logging.getLogger("some.driver")
    elsewhere.debug("executing %s", SECRET)
    elsewhere.info("executed %s", SECRET)
    elsewhere.warning("%s waited %d s for %r", SECRET, 3, {SECRET})
    elsewhere.warning("slow\n<Task exception=ValueError('%s')>" % SECRET)  # noqa: UP031 - as asyncio does it
    LibraryLogHandler().emit(_record("wants a number: %d", SECRET))
    elsewhere.warning("by name: %(name)s", {"name": SECRET})
    try:
        int(SECRET)
    except ValueError:
        elsewhere.exception("it failed")
    told_lines = read_log(lines)
    assert [line["event"] for line in told_lines] == [
        "… waited 3 s for '…'",
        "slow",
        "wants a number: %d",
        "by name: %(name)s",
        "it failed",
    ]
    assert told_lines[0]["logger"] == "some.driver"
    assert told_lines[-1]["exception"].startswith("ValueError\n")
    assert SECRET not in lines.getvalue()


def _record(text: str, *values: object) -> logging.LogRecord:
    return logging.LogRecord("some.driver", logging.WARNING, "driver.py", 1, text, values, None)


def test_our_own_sentences_and_the_system_s_are_repeated() -> None:
    assert format_exception(Unavailable("The disk is full.")) == "Unavailable: The disk is full."
    assert format_exception(OSError(28, "No space left on device", SECRET)) == "OSError: No space left on device"
    assert format_exception(ExceptionGroup("several", [ValueError(SECRET), TypeError("not a number")])) == (
        "ExceptionGroup\nValueError\nTypeError: not a number"
    )


def test_exceptions_of_any_length_are_told_shortly() -> None:
    error: BaseException = ValueError("0")
    for number in range(50):
        error = _with_cause(ValueError(str(number)), error)
    assert format_exception(error).count("ValueError") == 5


def _with_cause(error: BaseException, by: BaseException) -> BaseException:
    error.__cause__ = by
    return error


def test_a_game_that_is_left_out_is_told_with_its_reason(lines: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = "The game broken of broken is left out: ImportError: no module."
    monkeypatch.setattr(registry, "problems", lambda: {"broken": problem})
    create_app(Settings())
    told = [line for line in read_log(lines) if line["event"] == "game_left_out"]
    assert [(line["level"], line["problem"]) for line in told] == [("warning", problem)]


def test_text_is_for_people(lines: io.StringIO) -> None:
    logs.configure("text", "info", lines)
    structlog.get_logger().info("serving", port=8000)
    structlog.get_logger().debug("not told")
    (line,) = lines.getvalue().splitlines()
    assert "serving" in line
    assert "port=8000" in line
    assert "\x1b" not in line


@pytest.mark.long
async def test_nothing_that_people_send_or_see_is_in_the_log_of_the_whole_server(
    lines: io.StringIO, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    """People, programs and bots use the real server, with debugging on; then their secrets are looked for."""
    register_toys(monkeypatch)
    app = make_app(settings)
    async with app.router.lifespan_context(app), make_client(app) as http, make_client(app) as program:
        http.base_url = program.base_url = httpx.URL(settings.public_url)
        ada = Person(http)
        await ada.post("/api/me/claim", {"name": "Ada Lovelace", "password": SECRET})
        await ada.expect_refusal("POST", "/api/session", {"name": "Ada Lovelace", "password": f"wrong {SECRET}"})
        link = (await ada.post("/api/me/link"))["url"].rpartition("/")[2]
        token = (await ada.post("/api/me/tokens", {"label": "my program"}))["token"]
        await http.get(f"/sign-in/{link}")
        program.headers["Authorization"] = f"Bearer {token}"
        body = {"game": "secret_cards", "seats": ["me", "bot:random"], "listed": True}
        table = (await program.post("/api/tables", json=body)).json()["table"]
        await ada.post(f"/api/tables/{table}/chat", {"text": "my hand is bad"})
        await ada.expect_refusal("POST", f"/api/tables/{table}/moves", {"version": 1, "move": "no such card"})
        await ada.expect_refusal("POST", "/api/records", {"text": "Game: realm\n\nnonsense"})
        for path in ("/", "/account", f"/tables/{table}", f"/api/tables/{table}?pictures=true", "/nowhere?q=nonsense"):
            await http.get(path)
        state = app.state.services.table_service.live[table].table
        hidden = [state.seed, state.game.encode(state.match.state), link, token, http.cookies["realmtable_session"]]
    written = lines.getvalue()
    routes = ["/api/me/claim", "/api/session", "/sign-in/{token}", "/api/tables/{table_id}/moves", table]
    assert [word for word in routes if word not in written] == []
    said = [SECRET, ada.csrf, "Lovelace", "my program", "my hand", "no such card", "nonsense"]
    assert [word for word in [*hidden, *said] if word in written] == []
