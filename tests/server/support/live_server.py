"""A running server for tests, and people who use it: over the network or straight into the app."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Self
from unittest import mock

import httpx
import structlog
import uvicorn
from argon2 import PasswordHasher
from fastapi import FastAPI
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message

from realmtable.cli.serve import uvicorn_config
from realmtable.server import services
from realmtable.server.accounts import passwords
from realmtable.server.app import create_app
from realmtable.server.fair_queue import Requester
from realmtable.server.services import Services
from realmtable.server.settings import Settings
from realmtable.server.storage.database import Database, connect, migrate, sqlite_path
from realmtable.server.stream_limits import OpenStream
from realmtable.server.tables import seeds
from realmtable.server.tables.live.live_table import LiveTable
from realmtable.server.tables.live.table_feed import TableFeed
from realmtable.server.tables.scenes.changes import apply_change, read_scene

WAIT_S = 90.0  # only a busy machine, where bots have low priority, needs this long


def make_settings(folder: Path, **changes: Any) -> Settings:
    """Return the settings of a test server: SQLite in a folder, bots without delays, no rate limits."""
    values: dict[str, Any] = {
        "database_url": f"sqlite:///{folder}/table.db",
        "limits_factor": 0.0,
        "bot_pace_s": 0.0,
        "bot_workers": 1,
        "compile_bots": False,
        "replay_workers": 0,
        "study_s": 0.05,
        "rated_age_hours": 0.0,
        "rated_games": 0,
        "max_streams_per_address": 5_000,
        "log_level": "error",
        "public_url": "http://testserver",
    }
    return Settings(**{**values, **changes})


def make_app(settings: Settings) -> FastAPI:
    """Create the app of a server. All apps of this process share their routes, and start with a copied database.

    FastAPI prepares routes at an app's first request, which takes longer than most tests; routes do not depend on
    settings.
    """
    create_database(settings.database_url)
    app = create_app(settings)
    app.router.routes[:] = _make_routes()
    return app


@cache
def _make_routes() -> list[BaseRoute]:
    return create_app(Settings(database_url="sqlite:///unused.db")).router.routes


def create_database(url: str) -> None:
    """Create an SQLite database, unless there is one, as `migrate` does but by copying: that takes a third of the time.

    Other databases, and those in folders that do not exist, are left to the server.
    """
    path = sqlite_path(url)
    if path is not None and path.parent.is_dir() and not path.exists():
        path.touch(mode=0o600)
        path.write_bytes(_make_empty_database())
        _copied.add(path)


@contextmanager
def skip_migrations() -> Iterator[None]:
    """Skip migrating databases that were just copied, which takes a third of a server's start."""

    async def connect_copy(url: str) -> Database:
        path = sqlite_path(url)
        if path not in _copied:
            return await connect(url)
        _copied.discard(path)
        return Database(url)

    with mock.patch.object(services, "connect", connect_copy):
        yield


_copied: set[Path | None] = set()


@cache
def _make_empty_database() -> bytes:
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor() as threads:
        path = Path(folder) / "empty.db"
        threads.submit(asyncio.run, migrate(f"sqlite:///{path}")).result()  # in a thread: this one may run a loop
        return path.read_bytes()


@contextmanager
def hash_cheaply() -> Iterator[None]:
    """Make servers of this process hash passwords cheaply; the default takes a quarter of a second."""
    cheap = partial(PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)
    with mock.patch.object(passwords, "PasswordHasher", cheap):
        yield


@contextmanager
def repeat_deals(name: str) -> Iterator[None]:
    """Seed the tables and bots of this process by a name, so that a test gets the same deals in every run."""
    rng = Random(name)

    def draw_seed() -> str:
        return f"{rng.getrandbits(128):032x}"

    with mock.patch.object(seeds, "draw_seed", draw_seed):
        yield


@contextmanager
def log_errors_only() -> Iterator[None]:
    """Make servers of this process log only errors, in one line each."""
    structlog.configure(
        processors=[structlog.processors.KeyValueRenderer(key_order=["event"])],
        wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR),
    )
    yield
    structlog.reset_defaults()


class ServerThread:
    """A server in a thread of this process."""

    def __init__(self, settings: Settings) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))  # kept open, so that no one else can get its port
        self.port: int = self.listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.settings = with_public_url(settings, self.url)
        self.app: FastAPI = make_app(self.settings)
        config = uvicorn_config(self.settings, self.app)
        config.timeout_graceful_shutdown = 2
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, args=([self.listener],), daemon=True)

    def __enter__(self) -> Self:
        self.thread.start()
        until = time.monotonic() + WAIT_S
        while not self.server.started:
            if time.monotonic() > until or not self.thread.is_alive():
                raise RuntimeError("the server did not start")
            time.sleep(0.01)
        return self

    def call_on_loop(self, work: Callable[[], object]) -> None:
        """Call a function on the server's event loop."""
        watching = self.app.state.services.lag_task
        watching.get_loop().call_soon_threadsafe(work)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.call_on_loop(self.app.state.services.stop_streams)
        self.server.should_exit = True
        self.thread.join(WAIT_S)
        if self.thread.is_alive():
            raise RuntimeError("the server did not end")


def with_public_url(settings: Settings, url: str) -> Settings:
    """Return settings with another public address."""
    return replace(settings, public_url=url)


# A full stop after a sentence that has ended already; three are an ellipsis, and paths go up with two.
_SECOND_STOP = re.compile(r"(?<![./])[.!?…]\.(?![./])")


def check_sentences(answer: httpx.Response) -> None:
    """Check that no sentence of a page or an answer ends twice."""
    if answer.headers.get("content-type", "").startswith(("text/html", "application/json")):
        found = _SECOND_STOP.search(answer.text)
        assert found is None, answer.text[max(0, found.start() - 100) : found.end() + 20]


class Person:
    """A person with a browser, which keeps cookies and sends the CSRF token that came with them."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client
        self.csrf = ""

    async def send(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """Send a request as the pages' scripts do."""
        origin = str(self.client.base_url).rstrip("/")
        headers = {"Origin": origin, **({"X-CSRF-Token": self.csrf} if self.csrf else {})}
        answer = await self.client.request(method, path, json=body, headers=headers)
        self.csrf = answer.headers.get("X-CSRF-Token", self.csrf)
        check_sentences(answer)
        return answer

    async def request_json(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request and return the JSON of the answer, a scene as pages read it; fail on a refusal."""
        answer = await self.send(method, path, body)
        assert answer.is_success, answer.text
        data = answer.json()
        return read_scene(data) if isinstance(data, dict) and "commitment" in data else data

    async def get(self, path: str) -> Any:
        return await self.request_json("GET", path)

    async def post(self, path: str, body: Any = None) -> Any:
        return await self.request_json("POST", path, {} if body is None else body)

    @property
    def cookie_header(self) -> dict[str, str]:
        """The header with which a program sends this person's cookies; empty if there are none."""
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.client.cookies.jar)
        return {"Cookie": cookies} if cookies else {}

    async def open_table(self, *others: Person, game: str = "realm", **wishes: Any) -> str:
        """Open a table, by default of two, at which the others sit down; return its id."""
        table: str = (await self.post("/api/tables", {"game": game, "seats": ["me", "open"], **wishes}))["table"]
        for other in others:
            await other.post(f"/api/tables/{table}/seats")
        return table

    async def play(self, table: str, move: str = "") -> int:
        """Play a move, by default the first choice, in the position that this person is shown; return its version."""
        scene = await self.get(f"/api/tables/{table}")
        body = {"version": scene["version"], "move": move or scene["choices"][0]["move"]}
        return int((await self.post(f"/api/tables/{table}/moves", body))["version"])

    async def join(self, name: str) -> None:
        """Become a member, so that this person can play rated games."""
        await self.post("/api/me/claim", {"name": name, "password": "correct horse"})

    async def expect_refusal(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        """Send a request that must be refused, and return the error."""
        answer = await self.send(method, path, body)
        assert answer.is_client_error, answer.text
        error: dict[str, Any] = answer.json()["error"]
        return error


@contextmanager
def read_events(
    url: str, table: str, cookies: Any = None, last: str | None = None, query: str = ""
) -> Iterator[Iterator[Any]]:
    """Open a stream of a real server, and yield an iterator over its scenes, as pairs of id and scene."""
    headers = {"Accept-Encoding": "identity", **({"Last-Event-ID": last} if last else {})}
    with (
        httpx.Client(base_url=url, cookies=cookies, timeout=WAIT_S) as client,
        client.stream("GET", f"/api/tables/{table}/events{query}", headers=headers) as answer,
    ):
        assert answer.status_code == 200
        yield _parse_events(answer.iter_lines())


def _parse_events(lines: Iterator[str]) -> Iterator[tuple[str, Any]]:
    """Yield the id of each event and the scene after it, as pages read it; other events have no id."""
    event_id, kind, scene = "", "", dict[str, Any]()
    for line in lines:
        if line.startswith("id: "):
            event_id = line[4:]
        elif line.startswith("event: "):
            kind = line[7:]
        elif line.startswith("data: ") and kind in ("scene", "change"):
            scene = apply_change({} if kind == "scene" else scene, json.loads(line[6:]))
            yield event_id, read_scene(scene)
        elif line.startswith("data: "):
            yield "", json.loads(line[6:])


class StreamTap:
    """A stream that is read directly from the app and recorded byte by byte; `async with` opens and ends it."""

    def __init__(self, app: ASGIApp, path: str, headers: Mapping[str, str] | None = None) -> None:
        self.app = app
        self.path, _, self.query = path.partition("?")
        self.headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in (headers or {}).items()]
        self.status = 0
        self.received = b""
        self.ended = False
        self._news = asyncio.Event()
        self._gone = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._read())
        await self.wait(lambda: self.status != 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._gone.set()
        assert self._task is not None
        await self._task

    @property
    def scenes(self) -> dict[int, Any]:
        """The received scenes by version; of several with the same version, the last."""
        return {scene["version"]: scene for _, scene in _parse_events(iter(self.received.decode().splitlines()))}

    async def wait(self, condition: Callable[[], bool], seconds: float = WAIT_S) -> None:
        """Wait until a condition holds for what was received, or the stream has ended."""
        async with asyncio.timeout(seconds):
            while not condition() and not self.ended:
                self._news.clear()
                await self._news.wait()

    def _make_scope(self, **facts: Any) -> dict[str, Any]:
        return {
            "asgi": {"version": "3.0", "spec_version": "2.3"},  # a stream then listens for the end of its connection
            "http_version": "1.1",
            "path": self.path,
            "raw_path": self.path.encode(),
            "query_string": self.query.encode(),
            "root_path": "",
            "headers": [(b"host", b"testserver"), *self.headers],
            "server": ("testserver", 80),
            "client": ("127.0.0.1", 1),
            **facts,
        }

    async def _read(self) -> None:
        scope = self._make_scope(type="http", method="GET", scheme="http")
        asked = False

        async def receive() -> Message:
            nonlocal asked
            if not asked:
                asked = True
                return {"type": "http.request", "body": b"", "more_body": False}
            await self._gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            self.status = message.get("status", self.status)
            self.received += message.get("body", b"")
            self._news.set()

        try:
            await self.app(scope, receive, send)
        finally:
            self.ended = True
            self._news.set()


class SocketTap(StreamTap):
    """A socket of a table, whose messages are recorded; one a line."""

    def __init__(self, app: ASGIApp, path: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(app, path, {"Origin": "http://testserver", **(headers or {})})
        self.accepted_with: list[tuple[bytes, bytes]] = []  # headers
        self.closed_with = 0
        self._sent: asyncio.Queue[Message] = asyncio.Queue()

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages that the server has sent."""
        return [json.loads(line) for line in self.received.splitlines()]

    @property
    def scenes(self) -> dict[int, Any]:
        """The received scenes by version; of several with the same version, the last."""
        scene, found = dict[str, Any](), {}
        for message in self.messages:
            if "scene" in message or "change" in message:
                scene = apply_change({} if "scene" in message else scene, message.get("scene") or message["change"])
                found[scene["version"]] = read_scene(scene)
        return found

    def send_text(self, text: str) -> None:
        """Send a text."""
        self._sent.put_nowait({"type": "websocket.receive", "text": text})

    def send_bytes(self, data: bytes) -> None:
        """Send what is no text."""
        self._sent.put_nowait({"type": "websocket.receive", "bytes": data})

    async def ask(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Send a message with a key, and return its answer."""
        self.send_text(json.dumps(message))

        def answers() -> list[dict[str, Any]]:
            key = message["key"]
            return [answer for answer in self.messages if key in (answer.get("accepted"), answer.get("refused"))]

        await self.wait(lambda: bool(answers()))
        return answers()[0]

    async def _read(self) -> None:
        scope = self._make_scope(type="websocket", scheme="ws", subprotocols=[])
        self._sent.put_nowait({"type": "websocket.connect"})
        gone = asyncio.ensure_future(self._gone.wait())
        gone.add_done_callback(lambda _: self._sent.put_nowait({"type": "websocket.disconnect", "code": 1001}))

        async def send(message: Message) -> None:
            if message["type"] == "websocket.accept":
                self.status, self.accepted_with = 101, list(message.get("headers", ()))
            elif message["type"] == "websocket.close":
                self.status = self.status or 403
                self.closed_with = message["code"]
                self._sent.put_nowait({"type": "websocket.disconnect", "code": message["code"]})
            else:
                self.received += message["text"].encode() + b"\n"
            self._news.set()

        try:
            await self.app(scope, self._sent.get, send)
        finally:
            gone.cancel()
            self.ended = True
            self._news.set()


def open_tap(app: ASGIApp, path: str, headers: Mapping[str, str] | None = None) -> StreamTap:
    """Return a tap of a stream, or of a socket if the path is that of one."""
    kind = SocketTap if path.partition("?")[0].endswith("/socket") else StreamTap
    return kind(app, path, headers)


def make_feed(services: Services, live: LiveTable, player_id: str | None = None) -> TableFeed:
    """Return the feed of a viewer of a table, for tests that read it without a request."""
    stream = OpenStream(Requester("192.0.2.1", player_id or "visitor"), None)
    return TableFeed(services.table_service, live, player_id, stream, services.closing, pictures=False)


async def stays_signed_in() -> bool:
    """Return True: the `admitted` check of a stream whose viewer is never signed out."""
    return True


async def wait_until(condition: Any, seconds: float = WAIT_S) -> Any:
    """Call a coroutine function until its result is true, and return that result."""
    async with asyncio.timeout(seconds):
        while not (found := await condition()):  # noqa: ASYNC110 - the condition may be a request to another process
            await asyncio.sleep(0.02)
        return found
