from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest

from realmtable.server.services import Realm
from realmtable.server.settings import Settings
from tests.server.serving import Served, app_for, settings_for


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A table of its own for every test: SQLite in a fresh folder, bots that do not dawdle, no rate limits."""
    return settings_for(tmp_path)


@pytest.fixture
async def realm(settings: Settings) -> AsyncIterator[Realm]:
    """The parts of a server whose app is reached without a network, by `Person`."""
    app = app_for(settings)
    async with app.router.lifespan_context(app):
        app.state.realm.app = app
        yield app.state.realm


@pytest.fixture
def served(settings: Settings) -> Iterator[Served]:
    """A real server on a free port of this machine, in a thread."""
    with Served(settings) as server:
        yield server


@pytest.fixture
async def client(realm: Realm) -> AsyncIterator[httpx.AsyncClient]:
    """A visitor without a cookie."""
    transport = httpx.ASGITransport(realm.app)  # type: ignore[attr-defined]  # put there by the fixture above
    async with httpx.AsyncClient(transport=transport, base_url=realm.settings.public_url) as visitor:
        yield visitor
