"""Tables and events to store, and a proxy whose connections can be cut."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

import pytest
from sqlalchemy import insert
from sqlalchemy.engine import make_url

from realmtable.engine.errors import RealmtableError
from realmtable.server.storage import schema
from realmtable.server.storage.database import Database
from realmtable.server.storage.table_store import Event, SeatRow, Summary, TableRow, TableStore

PLAYERS = ("ann", "bob")
Result = TypeVar("Result")

on_both_databases = pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)


async def add_players(database: Database) -> None:
    rows = [{"id": name, "name": name.title(), "kind": "guest", "created_at": 1.0} for name in PLAYERS]
    async with database.writing() as connection:
        await connection.execute(insert(schema.players), rows)


def event(table_id: str, version: int, **changes: Any) -> Event:  # any field of an event
    return Event(table_id, version, "stepped", 0, "ann", {"move": f"m{version}"}, float(version))._replace(**changes)


def summary(version: int, **changes: Any) -> Summary:  # any field of a summary
    return Summary("running", version, (0,), False, None, version, None, float(version))._replace(**changes)


def row(table_id: str, **changes: Any) -> TableRow:  # any field of a summary, or of a table
    fields = set(Summary._fields)
    facts = {name: value for name, value in changes.items() if name not in fields}
    state = {name: value for name, value in changes.items() if name in fields}
    table = TableRow(table_id, "realm", 1, {"preset": "original"}, "seed", "ann", 1.0, True, summary(1, **state))
    return replace(table, **facts)


SEATS = (SeatRow(0, "ann", None), SeatRow(1, "bob", None))


async def open_table(store: TableStore, table_id: str, **changes: Any) -> None:  # as for `row`
    await store.insert_table(row(table_id, **changes), SEATS, [event(table_id, 1, kind="created", data={})])


async def append(store: TableStore, table_id: str, version: int, **changes: Any) -> None:  # as for `event`
    await store.append([event(table_id, version, **changes)], summary(version))


async def gather_outcomes(*attempts: Awaitable[Result]) -> list[Result | RealmtableError]:
    """Await all attempts at the same time; return the result or the refusal of each."""
    found = await asyncio.gather(*attempts, return_exceptions=True)
    unexpected = [
        thing for thing in found if isinstance(thing, BaseException) and not isinstance(thing, RealmtableError)
    ]
    if unexpected:
        raise unexpected[0]
    return [thing for thing in found if isinstance(thing, RealmtableError) or not isinstance(thing, BaseException)]


class CuttableProxy:
    """A proxy in front of a server: `cut` breaks all connections and refuses new ones, `mend` accepts them again."""

    def __init__(self, address: str) -> None:
        self._far = make_url(address)
        self._server: asyncio.Server | None = None
        self._port: int | None = None
        self._gate = _open_gate()
        self._stalled_gates: list[asyncio.Event] = []
        self._calls: set[asyncio.StreamWriter] = set()
        self._pumps: set[asyncio.Task[None]] = set()

    @property
    def address(self) -> str:
        """The address of the server through this proxy."""
        return self._far.set(host="127.0.0.1", port=self._port).render_as_string(hide_password=False)

    async def mend(self) -> None:
        self._server = await asyncio.start_server(self._answer, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]

    def stall(self) -> None:
        """Stop forwarding data on open connections without closing them; new connections work."""
        self._gate.clear()
        self._stalled_gates.append(self._gate)
        self._gate = _open_gate()

    async def cut(self) -> None:
        for held in self._stalled_gates:
            held.set()
        if self._server is not None:
            self._server.close()
            self._server = None
        for call in self._calls:
            call.transport.abort()
        await asyncio.gather(*self._pumps, return_exceptions=True)
        self._calls.clear()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection(self._far.host, self._far.port)
        self._calls |= {writer, far_writer}
        for pump in (self._pump(reader, far_writer), self._pump(far_reader, writer)):
            task = asyncio.create_task(pump)
            self._pumps.add(task)
            task.add_done_callback(self._pumps.discard)

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        flows = self._gate
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                await flows.wait()
                writer.write(data)
                await writer.drain()
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


def _open_gate() -> asyncio.Event:
    flows = asyncio.Event()
    flows.set()
    return flows
