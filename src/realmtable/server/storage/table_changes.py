"""The rows of tables as values, and writing a batch of changes to them with a fixed number of statements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Connection, RowMapping, Table, bindparam, delete, insert, select, true, update
from sqlalchemy.exc import IntegrityError

from realmtable.engine.errors import RealmtableError
from realmtable.server.errors import NotFound, StaleVersion
from realmtable.server.storage import schema
from realmtable.server.storage.migrations import revisions
from realmtable.server.storage.sqlite_writes import (
    PreparedInsert,
    PreparedUpdate,
    PreparedWrite,
    call_driver,
    driver_of,
)


class Event(NamedTuple):
    """An event at a table; versions are 1, 2, 3 … without gaps."""

    table_id: str
    version: int
    kind: str
    seat: int | None
    player_id: str | None
    data: dict[str, Any]
    at: float
    key: str | None = None  # chosen by the sender, unique per player and table


class Summary(NamedTuple):
    """What lists and sweeps query about a table, updated with every event."""

    status: str  # "open", "running", "over" or "halted"
    version: int
    acting: tuple[int, ...]
    bot_due: bool
    deadline: float | None
    turn: int
    result: dict[str, Any] | None
    updated_at: float


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat of a table: taken by a player or a bot, or free."""

    seat: int
    player_id: str | None
    bot: str | None


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table: its set-up and its current summary."""

    id: str
    game: str
    rules_version: int
    setup: dict[str, Any]
    seed: str
    created_by: str
    created_at: float
    listed: bool
    summary: Summary


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A table's state at one version; loading replays only the events after it."""

    version: int
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class RecordRow:
    """An imported record."""

    id: str
    game: str
    text: str
    created_by: str
    created_at: float


SUMMARY_COLUMNS = Summary._fields
TABLE_COLUMNS = ("id", "game", "rules_version", "setup", "seed", "created_by", "created_at", "listed")


def event_values(event: Event) -> dict[str, Any]:
    """Return the columns of an event."""
    return event._asdict()


def summary_values(summary: Summary) -> dict[str, Any]:
    """Return the columns of a table that every event updates."""
    return summary._asdict() | {"acting": list(summary.acting)}


def table_values(row: TableRow) -> dict[str, Any]:
    """Return all columns of a table."""
    return {name: getattr(row, name) for name in TABLE_COLUMNS} | summary_values(row.summary)


def seat_values(table_id: str, seat: SeatRow) -> dict[str, Any]:
    """Return the columns of a seat."""
    return {"table_id": table_id, **asdict(seat)}


def table_row(values: RowMapping) -> TableRow:
    """Return a table from its columns."""
    summary = {name: values[name] for name in SUMMARY_COLUMNS} | {"acting": tuple(values["acting"])}
    return TableRow(**{name: values[name] for name in TABLE_COLUMNS}, summary=Summary(**summary))


def text_bytes(text: str) -> int:
    """Return the size of a text in bytes, as counted by quotas."""
    return len(text.encode(errors="surrogatepass"))


# ---- changes


STALE_MESSAGE = "The table has changed since you last saw it; reload it."


@dataclass(frozen=True, slots=True)
class TableCreation:
    """A new table with its first events."""

    row: TableRow
    seats: Sequence[SeatRow]
    events: Sequence[Event]

    def __post_init__(self) -> None:
        _check_versions(self.row.id, 1, self.events, self.row.summary)

    @property
    def table_id(self) -> str:
        """The id of the new table."""
        return self.row.id

    @property
    def summary(self) -> Summary:
        """The summary of the new table."""
        return self.row.summary


@dataclass(frozen=True, slots=True)
class EventAppend:
    """The next events of a table; `seats` replace those with the same number."""

    events: Sequence[Event]
    summary: Summary
    seats: Sequence[SeatRow]
    snapshot: Snapshot | None

    def __post_init__(self) -> None:
        if not self.events:
            raise ValueError("an append needs at least one event")
        _check_versions(self.table_id, self.events[0].version, self.events, self.summary)

    @property
    def table_id(self) -> str:
        """The id of the table."""
        return self.events[0].table_id


@dataclass(frozen=True, slots=True)
class WriteProbe:
    """Rewrites a row unchanged, to check that the database is writable."""

    table_id: str = ""


Change: TypeAlias = TableCreation | EventAppend | WriteProbe

INSERT_EVENTS = PreparedInsert(schema.events)
UPDATE_SUMMARIES = PreparedUpdate(schema.tables, SUMMARY_COLUMNS, key="id", key_parameter="of_table")
MARK_SEATS_OVER = PreparedWrite(
    update(schema.seats)
    .where(schema.seats.c.table_id == bindparam("of_table"), ~schema.seats.c.is_over)
    .values(is_over=true())
)


def write_batch(connection: Connection, changes: Sequence[Change]) -> list[Exception | None]:
    """Write the changes that fit their tables' versions; return None or the refusal for each change, in order.

    Raises IntegrityError for conflicts that versions do not show (a repeated key, an unknown player); the transaction
    must then be rolled back.
    """
    versions = _lock_versions(connection, changes)
    refusals = [_check_change(change, versions) for change in changes]
    _write(connection, [change for change, refusal in zip(changes, refusals, strict=True) if refusal is None])
    return [*refusals]


def write_one_by_one(connection: Connection, changes: Sequence[Change]) -> list[Exception | None]:
    """Write the changes one by one, so that only those that the database refuses are left out."""
    versions = _lock_versions(connection, changes)
    refusals: list[Exception | None] = []
    for change in changes:
        before = dict(versions)
        refusal = _check_change(change, versions)
        if refusal is None:
            try:
                with connection.begin_nested():
                    _write(connection, [change])
            except IntegrityError as error:
                versions, refusal = before, _refusal(error)
        refusals.append(refusal)
    return refusals


def _lock_versions(connection: Connection, changes: Sequence[Change]) -> dict[str, int]:
    """Return the current version of each table being appended to; PostgreSQL locks them until the commit."""
    ids = sorted({change.table_id for change in changes if isinstance(change, EventAppend)})
    if not ids:
        return {}
    if (driver := driver_of(connection)) is not None:
        marks = ", ".join("?" * len(ids))
        return dict(call_driver(driver.execute, f"SELECT id, version FROM tables WHERE id IN ({marks})", ids))  # noqa: S608 - only marks
    columns = schema.tables.c
    # `key_share` lets other transactions refer to these tables. SQLite has a single writer and ignores the lock.
    statement = select(columns.id, columns.version).where(columns.id.in_(ids)).order_by(columns.id)
    rows = connection.execute(statement.with_for_update(key_share=True))
    return {row.id: row.version for row in rows}


def missing_table(table_id: str) -> NotFound:
    """Return the refusal of an append to a table that does not exist."""
    return NotFound(f"Table {table_id!r} does not exist.")


def _check_change(change: Change, versions: dict[str, int]) -> RealmtableError | None:
    if isinstance(change, WriteProbe):
        return None
    if isinstance(change, TableCreation):
        versions[change.table_id] = change.row.summary.version
        return None
    if change.table_id not in versions:
        return missing_table(change.table_id)
    if change.events[0].version != versions[change.table_id] + 1:
        return StaleVersion(STALE_MESSAGE)
    versions[change.table_id] = change.summary.version
    return None


def _write(connection: Connection, changes: Sequence[Change]) -> None:
    creations = [change for change in changes if isinstance(change, TableCreation)]
    appends = [change for change in changes if isinstance(change, EventAppend)]
    _insert(connection, schema.tables, [table_values(change.row) for change in creations])
    both: list[TableCreation | EventAppend] = [*creations, *appends]
    INSERT_EVENTS.run(connection, [event_values(event) for change in both for event in change.events])
    UPDATE_SUMMARIES.run(
        connection, [{"of_table": change.table_id, **summary_values(change.summary)} for change in appends]
    )
    _upsert(connection, schema.seats, [seat_values(change.table_id, s) for change in both for s in change.seats])
    over = [change.table_id for change in both if change.summary.status == "over"]
    MARK_SEATS_OVER.run(connection, [{"of_table": table_id} for table_id in over])
    _upsert(connection, schema.snapshots, _snapshot_rows(appends))
    if any(isinstance(change, WriteProbe) for change in changes):
        # Last, because all processes write this row.
        connection.execute(update(revisions).values(version_num=revisions.c.version_num))


def _insert(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    if rows:
        connection.execute(insert(table), rows)


def _upsert(connection: Connection, table: Table, rows: Iterable[dict[str, Any]]) -> None:
    """Insert rows, replacing those with the same primary key; of two such `rows`, the later one is used."""
    keys = [column.name for column in table.primary_key]
    latest = {tuple(row[name] for name in keys): row for row in rows}
    if not latest:
        return
    old = delete(table).where(*(table.c[name] == bindparam(f"old_{name}") for name in keys))
    connection.execute(old, [{f"old_{name}": row[name] for name in keys} for row in latest.values()])
    connection.execute(insert(table), [*latest.values()])


def _snapshot_rows(appends: Iterable[EventAppend]) -> Iterator[dict[str, Any]]:
    for change in appends:
        if change.snapshot is not None:
            yield {"table_id": change.table_id, "version": change.snapshot.version, "data": change.snapshot.data}


def _refusal(error: IntegrityError) -> RealmtableError:
    # Both databases name the kind of constraint in their message, but have no common field for it.
    if "foreign key" in str(error.orig).lower():
        return NotFound("One of these players does not exist.")
    return StaleVersion(STALE_MESSAGE)


def _check_versions(table_id: str, first: int, events: Sequence[Event], summary: Summary) -> None:
    """Raise ValueError unless the events are consecutive versions of one table, up to that of the summary."""
    run = [(event.table_id, event.version) for event in events]
    if run != [(table_id, version) for version in range(first, summary.version + 1)]:
        raise ValueError(f"events {run} do not lead table {table_id} from version {first} to {summary.version}")
