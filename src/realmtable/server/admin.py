"""What the person who runs a server asks of its database: who is there, end their sessions, do games still replay."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import func, select

from realmtable.server import display_names
from realmtable.server.accounts.account_changes import note_change
from realmtable.server.accounts.player_rows import end_access
from realmtable.server.errors import NotFound
from realmtable.server.storage import schema
from realmtable.server.storage.database import Database
from realmtable.server.storage.rows import Event, Snapshot, TableRow
from realmtable.server.storage.store import Store
from realmtable.server.tables.replay import replay
from realmtable.server.tables.table import Table


class Person(NamedTuple):
    """One line of the list of people."""

    id: str
    kind: str
    created_at: float
    name: str
    tables: int
    sessions: int


async def list_people(database: Database, *, guests: bool, limit: int) -> list[Person]:
    """The members, and the guests if they are wanted, newest first."""
    who = schema.players.c
    tables = select(func.count(schema.seats.c.table_id.distinct())).where(schema.seats.c.player_id == who.id)
    sessions = select(func.count()).select_from(schema.sessions).where(schema.sessions.c.player_id == who.id)
    query = (
        select(who.id, who.kind, who.created_at, who.name, tables.scalar_subquery(), sessions.scalar_subquery())
        .where(who.kind.in_(["member", "guest"] if guests else ["member"]))
        .order_by(who.created_at.desc(), who.id)
        .limit(limit)
    )
    async with database.reading() as connection:
        return [Person(*row) for row in await connection.execute(query)]


async def sign_out(database: Database, name: str, *, tokens: bool) -> tuple[str, int, int]:
    """End every session and sign-in link of a person, found by name or id, and revoke the personal tokens if asked to.

    Returns the name, how many sessions ended and how many tokens were revoked; NotFound if there is nobody.
    """
    who = schema.players.c
    async with database.writing() as connection:
        found = (who.id == name) | (who.name_key == (display_names.key(name) or None))
        person = (await connection.execute(select(who.id, who.name).where(found, who.kind != "bot"))).first()
        if person is None:
            raise NotFound("There is no person with that name or id.")
        await note_change(connection, person.id)
        return person.name, *await end_access(connection, person.id, time.time() if tokens else None)


async def check_replays(database: Database) -> AsyncIterator[tuple[str, list[str]]]:
    """Replay every unfinished table under the rules of today: its id, and each difference to what was stored of it."""
    store = Store(database)
    tables = schema.tables.c
    query = select(tables.id).where(tables.status.in_(["running", "halted"])).order_by(tables.created_at, tables.id)
    async with database.reading() as connection:
        ids = list((await connection.execute(query)).scalars())
    for table_id in ids:
        row = await store.table(table_id)
        if row is not None:
            snapshot = await store.snapshot(table_id)
            yield table_id, list(find_differences(row, await store.events(table_id), snapshot))
    await store.close()


def find_differences(row: TableRow, events: Sequence[Event], snapshot: Snapshot | None) -> Iterator[str]:
    """What the log of a table says today that is not what was stored of it, each in a sentence.

    Events after the row was read belong to somebody who plays on meanwhile.
    """
    events = [event for event in events if event.version <= row.summary.version]
    table = replay(row, events)
    if table.trouble:
        yield table.trouble
        return
    for word, stored, now in _facts_to_compare(row, table):
        if stored != now:
            yield f"{word} was {stored} and is {now} by its log."
    if snapshot is not None:
        then = replay(row, [event for event in events if event.version <= snapshot.version])
        if then.game.encode(then.match.state) != snapshot.data["state"]:
            yield f"The position at version {snapshot.version} is another than the one people saw."


def _facts_to_compare(row: TableRow, table: Table) -> Iterator[tuple[str, Any, Any]]:
    stored = row.summary
    yield "The version", stored.version, table.version
    yield "The status", stored.status, table.status
    yield "The turn", stored.turn, table.game.turn(table.match.state).number
    yield "The seats to move", stored.acting, tuple(table.acting)
    yield "The result", stored.result, None if table.result is None else table.result.as_data()
