"""A small server with accounts and no tables, and a browser that visits it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import httpx
from argon2 import PasswordHasher
from fastapi import FastAPI
from sqlalchemy import select
from starlette.routing import BaseRoute

from realmtable.server import error_responses
from realmtable.server.accounts.accounts import Accounts, Player
from realmtable.server.accounts.addresses import LatestAddresses, SharedAddresses
from realmtable.server.accounts.rate_limits import Limits
from realmtable.server.api.accounts import router
from realmtable.server.request_checks import install_middleware
from realmtable.server.settings import Settings
from realmtable.server.storage import schema
from realmtable.server.storage.database import Database
from realmtable.server.storage.table_store import TableStore
from tests.server.support.live_server import Person, create_database

URL = "http://table.example"
SECURE_URL = "https://table.example"
PASSWORD = "correct horse"  # noqa: S105 - a test's
FAST_HASHER = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


class FakeClock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class AccountServices:
    """The services that the routes find in `app.state.services`."""

    settings: Settings
    database: Database
    store: TableStore
    accounts: Accounts
    limits: Limits
    clock: FakeClock
    shared_addresses: SharedAddresses
    latest_addresses: LatestAddresses = field(default_factory=LatestAddresses)


@asynccontextmanager
async def open_database(folder: Path) -> AsyncIterator[Database]:
    url = f"sqlite:///{folder / 'people.sqlite3'}"
    create_database(url)
    database = Database(url)
    try:
        yield database
    finally:
        await database.close()


@asynccontextmanager
async def open_services(folder: Path, public_url: str = URL, factor: float = 0.0) -> AsyncIterator[AccountServices]:
    settings = Settings(public_url=public_url, limits_factor=factor)
    async with open_database(folder) as database:
        clock, store = FakeClock(), TableStore(database)
        accounts = Accounts(database, clock, hasher=FAST_HASHER)
        yield AccountServices(settings, database, store, accounts, Limits(factor=factor), clock, SharedAddresses())
        await store.close()


def make_app(services: AccountServices) -> FastAPI:
    app = FastAPI()
    app.state.services = services
    error_responses.install(app)
    app.router.routes[:] = _make_routes()
    install_middleware(app, services.settings)
    return app


@cache
def _make_routes() -> list[BaseRoute]:
    """Return the routes, shared by all apps: FastAPI prepares them at an app's first request, which is slow."""
    app = FastAPI()
    app.include_router(router)
    return app.router.routes


class Browser(Person):
    """A person whose browser visits such a server."""

    def __init__(self, app: FastAPI, url: str = URL, address: str = "127.0.0.1") -> None:
        transport = httpx.ASGITransport(app, client=(address, 1))
        super().__init__(httpx.AsyncClient(transport=transport, base_url=url))

    @property
    def session(self) -> str | None:
        return next((cookie.value for cookie in self.client.cookies.jar if "session" in cookie.name), None)


def token_client(app: FastAPI, token: str, url: str = URL) -> httpx.AsyncClient:
    """Return the client of a program with a personal token."""
    headers = {"Authorization": f"Bearer {token}"}
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=url, headers=headers)


async def fetch_me(browser: Browser) -> dict[str, Any] | None:
    found: dict[str, Any] | None = (await browser.get("/api/me"))["player"]
    return found


async def expect_refusal(browser: Browser, method: str, path: str, body: Any = None) -> tuple[int, str]:
    answer = await browser.send(method, path, body)
    return answer.status_code, answer.json()["error"]["code"]


async def create_member(accounts: Accounts, name: str = "Ada") -> tuple[Player, str]:
    """Create a guest, and give it a name and a password."""
    guest, _ = await accounts.create_guest()
    return await accounts.claim(guest, name, PASSWORD)


async def dump_all_rows(database: Database) -> str:
    """Return every row of every database table as one text."""
    async with database.reading() as connection:
        rows = [(await connection.execute(select(table))).all() for table in schema.metadata.sorted_tables]
    return str(rows)
