from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from fastapi import FastAPI

from realmtable.server.accounts.accounts import Accounts
from realmtable.server.storage.database import Database
from tests.server.support.accounts_app import (
    FAST_HASHER,
    PASSWORD,
    AccountServices,
    Browser,
    FakeClock,
    make_app,
    open_database,
    open_services,
)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with open_database(tmp_path) as found:
        yield found


@pytest.fixture
def accounts(database: Database, clock: FakeClock) -> Accounts:
    return Accounts(database, clock, hasher=FAST_HASHER)


@pytest.fixture
async def account_services(tmp_path: Path) -> AsyncIterator[AccountServices]:
    """The parts of a server with accounts and no tables."""
    async with open_services(tmp_path) as found:
        yield found


@pytest.fixture
def app(account_services: AccountServices) -> FastAPI:
    return make_app(account_services)


@pytest.fixture
def browser(app: FastAPI) -> Browser:
    return Browser(app)


@pytest.fixture
async def bell(browser: Browser) -> Browser:
    """The browser of a guest named Bell."""
    await browser.post("/api/me/name", {"name": "Bell"})
    return browser


@pytest.fixture
async def ada(browser: Browser) -> Browser:
    """The browser of a member named Ada."""
    await browser.post("/api/me/claim", {"name": "Ada", "password": PASSWORD})
    return browser
