"""Appends events to PostgreSQL in one statement, on a connection that stays open for it.

Through SQLAlchemy an append takes a check of the connection, BEGIN, three statements and COMMIT: six round trips, each
with a dozen layers of calls. Here a batch of appends takes one round trip, and the statement is its own transaction.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from realmtable.engine.errors import RealmtableError
from realmtable.server.errors import StaleVersion
from realmtable.server.storage.driver_errors import map_driver_errors
from realmtable.server.storage.table_changes import STALE_MESSAGE, EventAppend, missing_table

# All processes lock tables in the order of their ids, which prevents deadlocks. A table that another transaction has
# changed meanwhile has another version, and is left out.
APPEND_EVENTS: Final = """
WITH locked AS MATERIALIZED (
    SELECT id FROM tables WHERE id = ANY($1::varchar[]) ORDER BY id FOR NO KEY UPDATE
), changed AS (
    UPDATE tables
    SET status = new.status, version = new.version, acting = new.acting::json, bot_due = new.bot_due,
        deadline = new.deadline, turn = new.turn, result = new.result::json, updated_at = new.updated_at
    FROM locked JOIN unnest($1::varchar[], $2::int[], $3::varchar[], $4::int[], $5::text[], $6::bool[], $7::float8[],
                            $8::int[], $9::text[], $10::float8[])
        AS new (id, before, status, version, acting, bot_due, deadline, turn, result, updated_at) USING (id)
    WHERE tables.id = new.id AND tables.version = new.before
    RETURNING tables.id
), stored AS (
    INSERT INTO events (table_id, version, kind, seat, player_id, data, at, key)
    SELECT new.table_id, new.version, new.kind, new.seat, new.player_id, new.data::json, new.at, new.key
    FROM changed JOIN unnest($11::varchar[], $12::int[], $13::varchar[], $14::int[], $15::varchar[], $16::text[],
                             $17::float8[], $18::varchar[])
        AS new (table_id, version, kind, seat, player_id, data, at, key) ON new.table_id = changed.id
)"""
STORE_SNAPSHOTS: Final = """, snapshot AS (
    INSERT INTO snapshots (table_id, version, data)
    SELECT new.table_id, new.version, new.data::json
    FROM changed JOIN unnest($19::varchar[], $20::int[], $21::text[]) AS new (table_id, version, data)
        ON new.table_id = changed.id
    ON CONFLICT (table_id) DO UPDATE SET version = excluded.version, data = excluded.data
)"""
RETURN_CHANGED: Final = """
SELECT locked.id, changed.id IS NOT NULL FROM locked LEFT JOIN changed USING (id)"""


class PostgresqlAppends:
    """Writes batches of appends, one at a time, on a connection of the pool that it keeps until one fails."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._lock = asyncio.Lock()
        self._connection: AsyncConnection | None = None
        self._driver: Any = None  # asyncpg's connection

    async def write(self, appends: Sequence[EventAppend]) -> list[Exception | None] | None:
        """Write the next events of several tables in one transaction; return None or the refusal for each, in order.

        Return None instead of the list, with nothing stored, if the database refuses a row: a repeated key, an unknown
        player, or a value that cannot be stored. Raises Unavailable if it is unknown whether they were stored.
        """
        from asyncpg import InterfaceError  # noqa: PLC0415 - SQLite does not need it

        statement, values = _make_statement(appends)
        async with self._lock:
            driver = await self._connect()
            try:
                with map_driver_errors(InterfaceError):
                    rows = await _fetch(driver, statement, values)
            except BaseException:
                await self._drop_connection()
                raise
        if rows is None:
            return None
        were_changed = {row[0]: row[1] for row in rows}
        return [_refusal(append, were_changed) for append in appends]

    async def close(self) -> None:
        """Return the connection to the pool."""
        async with self._lock:
            connection, self._connection, self._driver = self._connection, None, None
            if connection is not None:
                await connection.close()

    async def _connect(self) -> Any:  # noqa: ANN401 - asyncpg has no types
        """Return the driver's connection, a new one if the server has closed it."""
        if self._driver is not None and not self._driver.is_closed():
            return self._driver
        await self._drop_connection()
        with map_driver_errors(OSError):
            self._connection = await self._engine.connect()
            self._driver = (await self._connection.get_raw_connection()).driver_connection
        return self._driver

    async def _drop_connection(self) -> None:
        """Close the connection for good: a statement may still run on it."""
        connection, self._connection, self._driver = self._connection, None, None
        if connection is not None:
            with suppress(Exception):  # it is broken already
                await connection.invalidate()
            with suppress(Exception):
                await connection.close()


async def _fetch(driver: Any, statement: str, values: Sequence[Any]) -> Sequence[Any] | None:  # noqa: ANN401 - an untyped driver
    """Run a statement and return its rows; None if the database refuses a value. Errors are those of SQLAlchemy."""
    from asyncpg import DataError, IntegrityConstraintViolationError, PostgresError  # noqa: PLC0415 - needed for PostgreSQL only

    try:
        found: Sequence[Any] = await driver.fetch(statement, *values)
    except (
        IntegrityConstraintViolationError,
        DataError,
        ValueError,
        OverflowError,
    ):  # the last two are the driver's own
        return None
    except PostgresError as error:
        raise DBAPIError("an append", None, error, hide_parameters=True) from error
    return found


def _make_statement(appends: Sequence[EventAppend]) -> tuple[str, list[Sequence[Any]]]:
    """Return the statement that writes these appends, and its values: one sequence for each column."""
    tables = [
        (
            append.table_id,
            append.events[0].version - 1,
            append.summary.status,
            append.summary.version,
            json.dumps(append.summary.acting),
            append.summary.bot_due,
            append.summary.deadline,
            append.summary.turn,
            None if append.summary.result is None else json.dumps(append.summary.result),
            append.summary.updated_at,
        )
        for append in appends
    ]
    events = [
        (
            event.table_id,
            event.version,
            event.kind,
            event.seat,
            event.player_id,
            json.dumps(event.data),
            event.at,
            event.key,
        )
        for append in appends
        for event in append.events
    ]
    snapshots = [
        (append.table_id, append.snapshot.version, json.dumps(append.snapshot.data))
        for append in appends
        if append.snapshot is not None
    ]
    parts = APPEND_EVENTS + STORE_SNAPSHOTS if snapshots else APPEND_EVENTS
    return parts + RETURN_CHANGED, [
        *zip(*tables, strict=True),
        *zip(*events, strict=True),
        *zip(*snapshots, strict=True),
    ]


def _refusal(append: EventAppend, were_changed: Mapping[str, bool]) -> RealmtableError | None:
    was_changed = were_changed.get(append.table_id)
    if was_changed is None:
        return missing_table(append.table_id)
    return None if was_changed else StaleVersion(STALE_MESSAGE)
