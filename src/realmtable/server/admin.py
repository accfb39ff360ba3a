"""Admin queries: list people, end sessions, check that running games still replay."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import func, select

from realmtable.engine.errors import RealmtableError
from realmtable.server import display_names
from realmtable.server.accounts.account_watch import note_change
from realmtable.server.accounts.player_rows import end_access
from realmtable.server.errors import NotFound
from realmtable.server.storage import schema
from realmtable.server.storage.database import Database
from realmtable.server.storage.table_changes import Event, Snapshot, TableRow
from realmtable.server.storage.table_store import TableStore
from realmtable.server.tables.replay_log import replay
from realmtable.server.tables.table import Table, summarize_result


class Person(NamedTuple):
    """One row of the list of people."""

    id: str
    kind: str
    created_at: float
    name: str
    tables: int
    sessions: int


async def list_people(database: Database, *, guests: bool, limit: int) -> list[Person]:
    """Return the members, newest first; `guests` includes guests too."""
    player = schema.players.c
    tables = select(func.count(schema.seats.c.table_id.distinct())).where(schema.seats.c.player_id == player.id)
    sessions = select(func.count()).select_from(schema.sessions).where(schema.sessions.c.player_id == player.id)
    query = (
        select(
            player.id, player.kind, player.created_at, player.name, tables.scalar_subquery(), sessions.scalar_subquery()
        )
        .where(player.kind.in_(["member", "guest"] if guests else ["member"]))
        .order_by(player.created_at.desc(), player.id)
        .limit(limit)
    )
    return [Person._make(row) for row in await database.rows(query)]


async def sign_out(database: Database, name: str, *, tokens: bool) -> tuple[str, int, int]:
    """End every session and sign-in link of the person with this name or id; `tokens` revokes personal tokens too.

    Return the name, the number of sessions ended and the number of tokens revoked. Raise NotFound if no person matches.
    """
    player = schema.players.c
    async with database.writing() as connection:
        matches = (player.id == name) | (player.name_key == (display_names.key(name) or None))
        person = (await connection.execute(select(player.id, player.name).where(matches, player.kind != "bot"))).first()
        if person is None:
            raise NotFound("There is no person with that name or id.")
        await note_change(connection, person.id)
        return person.name, *await end_access(connection, person.id, time.time() if tokens else None)


async def check_replays(database: Database) -> AsyncIterator[tuple[str, list[str]]]:
    """Replay every unfinished table under the current rules; yield its id and the differences from the stored state."""
    store = TableStore(database)
    tables = schema.tables.c
    query = select(tables.id).where(tables.status.in_(["running", "halted"])).order_by(tables.created_at, tables.id)
    for (table_id,) in await database.rows(query):
        row = await store.table(table_id)
        if row is not None:
            snapshot = await store.snapshot(table_id)
            yield table_id, list(find_differences(row, await store.events(table_id), snapshot))
    await store.close()


def find_differences(row: TableRow, events: Sequence[Event], snapshot: Snapshot | None) -> Iterator[str]:
    """Yield a sentence for each difference between a table's replayed log and its stored state.

    Events newer than the row are ignored: the game continued while the check was running.
    """
    events = [event for event in events if event.version <= row.summary.version]
    table = replay(row, events)
    if table.trouble:
        yield table.trouble
        return
    for name, stored, replayed in _facts_to_compare(row, table):
        if stored != replayed:
            yield f"{name}: {stored} is stored, but the log replays to {replayed}."
    if snapshot is not None:
        then = replay(row, [event for event in events if event.version <= snapshot.version])
        if not _is_at(then, snapshot.data["state"]):
            yield f"The position at version {snapshot.version} differs from the one that players saw."


def _is_at(table: Table, position: str) -> bool:
    """Whether a table is in a position, which an older release may have written in another way."""
    try:
        return bool(table.game.decode(position) == table.match.state)
    except RealmtableError:
        return False


def _facts_to_compare(row: TableRow, table: Table) -> Iterator[tuple[str, Any, Any]]:
    stored = row.summary
    yield "Version", stored.version, table.version
    yield "Status", stored.status, table.status
    yield "Turn", stored.turn, table.game.turn(table.match.state).number
    yield "Seats to move", stored.acting, tuple(table.acting)
    yield "Result", stored.result, summarize_result(table)
