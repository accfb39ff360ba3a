"""The log of tables: all events in order, and the queries that lists and sweeps need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import Select, exists, insert, select

from realmtable.server.storage import schema
from realmtable.server.storage.database import Database
from realmtable.server.storage.group_commit import GroupCommit
from realmtable.server.storage.table_changes import (
    Event,
    RecordRow,
    SeatRow,
    Snapshot,
    Summary,
    TableChange,
    TableRow,
    WriteProbe,
    table_row,
    text_bytes,
)

__all__ = ["Event", "RecordRow", "SeatRow", "Snapshot", "Summary", "TableRow", "TableStore"]

ABORTED: Final = "aborted"  # the reason of a result that counts for nobody
IS_FINISHED: Final = (schema.tables.c.status == "over") & (schema.tables.c.result["reason"].as_string() != ABORTED)
MAX_WAITING: Final = 500  # running games that are looked at to count those that wait for a player


class TableStore:
    """The tables in one database, which several stores and processes may share."""

    def __init__(self, database: Database, on_commit: Callable[[int, float], None] | None = None) -> None:
        self._database = database
        self._commits = GroupCommit(database, on_commit)

    async def insert_table(self, row: TableRow, seats: Sequence[SeatRow], events: Sequence[Event]) -> None:
        """Store a new table with its seats and first events (versions 1 to `row.summary.version`).

        Raises StaleVersion if the id is taken, NotFound if a player does not exist.
        """
        await self._commits.commit(TableChange(events, row.summary, seats, row=row))

    async def append(
        self,
        events: Sequence[Event],
        summary: Summary,
        seats: Sequence[SeatRow] | None = None,
        snapshot: Snapshot | None = None,
    ) -> None:
        """Store the next events of a table atomically; return once they are on disk.

        `seats` replace those with the same number. Raises StaleVersion, with nothing stored, if another writer was
        first or a sender's key was used before; NotFound if the table or a player does not exist; Unavailable if it is
        unknown whether the events were stored, so that the table must be reloaded.
        """
        await self._commits.commit(TableChange(events, summary, seats or (), snapshot))

    async def table(self, table_id: str) -> TableRow | None:
        """Return a table, or None."""
        rows = await self._load_tables(select(schema.tables).where(schema.tables.c.id == table_id))
        return rows[0] if rows else None

    async def events(self, table_id: str, after: int = 0) -> list[Event]:
        """Return the events of a table after version `after`, in order."""
        columns = schema.events.c
        statement = select(schema.events).where(columns.table_id == table_id, columns.version > after)
        rows = await self._database.rows(statement.order_by(columns.version))
        return [Event(**row._mapping) for row in rows]  # noqa: SLF001 - SQLAlchemy's public name for it

    async def snapshot(self, table_id: str) -> Snapshot | None:
        """Return the latest snapshot of a table, or None."""
        columns = schema.snapshots.c
        rows = await self._database.rows(select(columns.version, columns.data).where(columns.table_id == table_id))
        return Snapshot(rows[0].version, rows[0].data) if rows else None

    async def seats(self, table_ids: Sequence[str]) -> dict[str, list[SeatRow]]:
        """Return the seats of each of these tables, in order; a table that does not exist has none."""
        columns = schema.seats.c
        seats: dict[str, list[SeatRow]] = {table_id: [] for table_id in table_ids}
        statement = select(schema.seats).where(columns.table_id.in_(list(seats))).order_by(columns.seat)
        for row in await self._database.rows(statement):
            seats[row.table_id].append(SeatRow(row.seat, row.player_id, row.bot))
        return seats

    async def list_tables(self, status: str, game: str | None = None, limit: int = 50) -> list[TableRow]:
        """Return the listed tables with a status: those at which people play first, then the most recently changed."""
        columns, seats = schema.tables.c, schema.seats.c
        has_people = exists().where(seats.table_id == columns.id, seats.player_id.is_not(None), seats.bot.is_(None))
        statement = select(schema.tables).where(columns.status == status, columns.listed)
        if game is not None:
            statement = statement.where(columns.game == game)
        newest = (columns.updated_at.desc(), columns.id)
        return await self._load_tables(statement.order_by(has_people.desc(), *newest).limit(limit))

    async def list_tables_of(
        self,
        player_id: str,
        limit: int = 50,
        before: float | None = None,
        *,
        listed_only: bool = False,
        over: bool | None = None,
    ) -> list[TableRow]:
        """Return a player's tables, most recently changed first.

        `before` selects older ones; `over` selects those that are over, or those that are not.
        """
        columns = schema.tables.c
        seated = select(schema.seats.c.table_id).where(schema.seats.c.player_id == player_id)
        statement = select(schema.tables).where(columns.id.in_(seated))
        if listed_only:
            statement = statement.where(columns.listed)
        if over is not None:
            statement = statement.where((columns.status == "over") == over)
        if before is not None:
            statement = statement.where(columns.updated_at < before)
        return await self._load_tables(statement.order_by(columns.updated_at.desc(), columns.id).limit(limit))

    async def count_waiting(self, player_id: str) -> int:
        """Return in how many running games it is a player's turn while another person waits for them."""
        columns, mine, other = schema.tables.c, schema.seats.alias(), schema.seats.alias()
        is_other = (other.c.table_id == columns.id) & (other.c.player_id != player_id) & other.c.bot.is_(None)
        statement = (
            select(columns.id, columns.acting, mine.c.seat)
            .join(mine, mine.c.table_id == columns.id)
            .where(
                mine.c.player_id == player_id, ~mine.c.is_over, columns.status == "running", exists().where(is_other)
            )
        )
        rows = await self._database.rows(statement.order_by(columns.updated_at.desc()).limit(MAX_WAITING))
        return len({row.id for row in rows if row.seat in row.acting})

    async def plays_rated(self, player_ids: Sequence[str], game: str) -> bool:
        """Whether one of these players is in a running rated game."""
        if not player_ids:
            return False
        columns = schema.tables.c
        seated = select(schema.seats.c.table_id).where(schema.seats.c.player_id.in_(player_ids))
        running = select(columns.id).where(columns.id.in_(seated), columns.status == "running", columns.game == game)
        return bool(await self._ids(running.where(columns.setup["rated"].as_boolean()).limit(1)))

    async def has_finished(self, player_id: str, game: str) -> bool:
        """Whether a player has finished a game of this kind."""
        columns, seat = schema.tables.c, schema.seats.c
        seated = select(seat.table_id).where(seat.player_id == player_id, seat.is_over)
        finished = select(columns.id).where(columns.id.in_(seated), columns.game == game, IS_FINISHED)
        return bool(await self._ids(finished.limit(1)))

    async def running_rated_tables(self, game: str, limit: int) -> list[str]:
        """Return the running rated tables of a game, most recently changed first."""
        columns = schema.tables.c
        running = select(columns.id).where(columns.status == "running", columns.game == game)
        rated = running.where(columns.setup["rated"].as_boolean())
        return await self._ids(rated.order_by(columns.updated_at.desc()).limit(limit))

    async def overdue_tables(self, now: float) -> list[str]:
        """Return the running tables where a clock has run out, longest overdue first."""
        columns = schema.tables.c
        statement = select(columns.id).where(columns.status == "running", columns.deadline <= now)
        return await self._ids(statement.order_by(columns.deadline))

    async def tables_waiting_for_bots(self, before: float) -> list[str]:
        """Return the running tables that wait for a bot and have not changed since `before`, oldest first."""
        columns = schema.tables.c
        statement = select(columns.id).where(columns.status == "running", columns.bot_due, columns.updated_at < before)
        return await self._ids(statement.order_by(columns.updated_at))

    async def add_record(self, record: RecordRow) -> None:
        """Store an imported record."""
        await self._database.execute(insert(schema.records).values(**asdict(record), size=text_bytes(record.text)))

    async def record(self, record_id: str) -> RecordRow | None:
        """Return a stored record, or None."""
        columns = [schema.records.c[name] for name in RecordRow.__slots__]
        rows = await self._database.rows(select(*columns).where(schema.records.c.id == record_id))
        return RecordRow(**rows[0]._mapping) if rows else None  # noqa: SLF001 - public despite its name

    async def ping(self) -> None:
        """Raise Unavailable unless the database is readable and writable."""
        await self._commits.commit(WriteProbe())

    async def close(self) -> None:
        """Write pending changes. The database stays open, since the caller owns it."""
        await self._commits.close()

    async def _load_tables(self, statement: Select[Any]) -> list[TableRow]:
        return [table_row(row._mapping) for row in await self._database.rows(statement)]  # noqa: SLF001 - public despite its name

    async def _ids(self, statement: Select[str]) -> list[str]:
        return [row[0] for row in await self._database.rows(statement)]
