from __future__ import annotations

import importlib.util
import sys
from collections.abc import AsyncIterator, Iterator
from functools import cache
from pathlib import Path
from unittest import mock

import httpx
import pytest
import structlog

from realmtable.server.services import Services
from realmtable.server.settings import Settings
from tests.server.support.fake_workers import open_browsers
from tests.server.support.live_server import (
    Person,
    ServerThread,
    hash_cheaply,
    log_errors_only,
    make_app,
    make_settings,
    repeat_deals,
    skip_migrations,
)
from tests.server.support.table_harness import register_toys

if importlib.util.find_spec("sniffio") is None:
    sys.modules["sniffio"] = None  # type: ignore[assignment]  # or httpx searches all folders for it at every request


@pytest.fixture(scope="session", autouse=True)
def fast_passwords() -> Iterator[None]:
    with hash_cheaply():
        yield


@pytest.fixture(scope="session", autouse=True)
def copied_databases() -> Iterator[None]:
    with skip_migrations():
        yield


@pytest.fixture(scope="session", autouse=True)
def shared_certificates() -> Iterator[None]:
    """Load the certificates of the authorities once, not for every client: none of them is asked for."""
    with mock.patch.object(httpx._transports.default, "create_ssl_context", cache(httpx.create_ssl_context)):
        yield


@pytest.fixture(scope="session", autouse=True)
def plain_tracebacks() -> None:
    """Log tracebacks as Python prints them: with colours and local variables, one takes a second."""
    renderer = structlog.get_config()["processors"][-1]
    renderer.exception_formatter = structlog.dev.plain_traceback


@pytest.fixture(autouse=True)
def same_deals(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test that fails with one deal fails again with it."""
    with repeat_deals(request.node.nodeid):
        yield


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A table of its own for every test: SQLite in a fresh folder, bots that do not dawdle, no rate limits."""
    return make_settings(tmp_path)


@pytest.fixture
async def services(settings: Settings) -> AsyncIterator[Services]:
    """The parts of a server whose app is reached without a network, by `Person`."""
    app = make_app(settings)
    async with app.router.lifespan_context(app):
        app.state.services.app = app
        yield app.state.services


@pytest.fixture
def served(settings: Settings) -> Iterator[ServerThread]:
    """A real server on a free port of this machine, in a thread."""
    with ServerThread(settings) as server:
        yield server


@pytest.fixture
async def client(services: Services) -> AsyncIterator[httpx.AsyncClient]:
    """A visitor without a cookie."""
    transport = httpx.ASGITransport(services.app)  # type: ignore[attr-defined]  # put there by the fixture above
    async with httpx.AsyncClient(transport=transport, base_url=services.settings.public_url) as visitor:
        yield visitor


@pytest.fixture
def clock_ahead(services: Services, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds that the clock of the tables is ahead; a test changes them."""
    ahead, now = [0.0], services.table_service.now
    monkeypatch.setattr(services.table_service, "now", lambda: now() + ahead[0])
    return ahead


@pytest.fixture
def quiet_logs() -> Iterator[None]:
    with log_errors_only():
        yield


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    register_toys(monkeypatch)


@pytest.fixture
async def ann(services: Services) -> AsyncIterator[Person]:
    """A visitor with a browser; so are `bob` and `eve`."""
    async with open_browsers(services, 1) as (person,):
        yield person


@pytest.fixture
async def bob(services: Services) -> AsyncIterator[Person]:
    async with open_browsers(services, 1) as (person,):
        yield person


@pytest.fixture
async def eve(services: Services) -> AsyncIterator[Person]:
    async with open_browsers(services, 1) as (person,):
        yield person
