"""The rows of tables as values, and writing a batch of changes to them with a fixed number of statements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Connection, Insert, RowMapping, Table, Update, bindparam, delete, insert, select, true, update
from sqlalchemy.exc import IntegrityError

from realmtable.engine.errors import RealmtableError
from realmtable.server.errors import NotFound, StaleVersion
from realmtable.server.storage import schema
from realmtable.server.storage.migrations import revisions


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


def _summary_values(summary: Summary) -> dict[str, Any]:
    """Return the columns of a table that every event updates."""
    return summary._asdict() | {"acting": list(summary.acting)}


def _table_values(row: TableRow) -> dict[str, Any]:
    return {name: getattr(row, name) for name in TABLE_COLUMNS} | _summary_values(row.summary)


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
class TableChange:
    """The next events of a table, or its first ones with the `row` of the new table.

    `seats` replace those with the same number.
    """

    events: Sequence[Event]
    summary: Summary
    seats: Sequence[SeatRow] = ()
    snapshot: Snapshot | None = None
    row: TableRow | None = None

    def __post_init__(self) -> None:
        if not self.events:
            raise ValueError("a change needs at least one event")
        first = self.events[0].version if self.row is None else 1
        table_id = self.table_id if self.row is None else self.row.id
        run = [(event.table_id, event.version) for event in self.events]
        if run != [(table_id, version) for version in range(first, self.summary.version + 1)]:
            raise ValueError(
                f"events {run} do not lead table {table_id} from version {first} to {self.summary.version}"
            )

    @property
    def table_id(self) -> str:
        """The id of the table."""
        return self.events[0].table_id


@dataclass(frozen=True, slots=True)
class WriteProbe:
    """Rewrites a row unchanged, to check that the database is writable."""

    table_id: str = ""


Change: TypeAlias = TableChange | WriteProbe

INSERT_EVENTS = insert(schema.events)
UPDATE_SUMMARIES = update(schema.tables).where(schema.tables.c.id == bindparam("of_table"))
MARK_SEATS_OVER = (
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
    ids = sorted({change.table_id for change in changes if isinstance(change, TableChange) and change.row is None})
    if not ids:
        return {}
    columns = schema.tables.c
    # `key_share` lets other transactions refer to these tables. SQLite has a single writer and ignores the lock.
    statement = select(columns.id, columns.version).where(columns.id.in_(ids)).order_by(columns.id)
    rows = connection.execute(statement.with_for_update(key_share=True))
    return {row.id: row.version for row in rows}


def _check_change(change: Change, versions: dict[str, int]) -> RealmtableError | None:
    if isinstance(change, WriteProbe):
        return None
    if change.row is None:
        if change.table_id not in versions:
            return NotFound(f"Table {change.table_id!r} does not exist.")
        if change.events[0].version != versions[change.table_id] + 1:
            return StaleVersion(STALE_MESSAGE)
    versions[change.table_id] = change.summary.version
    return None


def _write(connection: Connection, changes: Sequence[Change]) -> None:
    known = [change for change in changes if isinstance(change, TableChange)]
    _execute(
        connection, insert(schema.tables), [_table_values(change.row) for change in known if change.row is not None]
    )
    _execute(connection, INSERT_EVENTS, [event._asdict() for change in known for event in change.events])
    summaries = [
        {"of_table": change.table_id, **_summary_values(change.summary)} for change in known if change.row is None
    ]
    _execute(connection, UPDATE_SUMMARIES, summaries)
    seats = [{"table_id": change.table_id, **asdict(seat)} for change in known for seat in change.seats]
    _upsert(connection, schema.seats, seats)
    over = [{"of_table": change.table_id} for change in known if change.summary.status == "over"]
    _execute(connection, MARK_SEATS_OVER, over)
    snapshots = [
        {"table_id": change.table_id, **asdict(change.snapshot)} for change in known if change.snapshot is not None
    ]
    _upsert(connection, schema.snapshots, snapshots)
    if any(isinstance(change, WriteProbe) for change in changes):
        # Last, because all processes write this row.
        connection.execute(update(revisions).values(version_num=revisions.c.version_num))


def _execute(connection: Connection, statement: Insert | Update, rows: Sequence[dict[str, Any]]) -> None:
    """Run a statement for each row, in order; without rows, SQLAlchemy would run it once."""
    if rows:
        connection.execute(statement, rows)


def _upsert(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Insert rows, replacing those with the same primary key; of two such `rows`, the later one is used."""
    keys = [column.name for column in table.primary_key]
    latest = {tuple(row[name] for name in keys): row for row in rows}
    if not latest:
        return
    old = delete(table).where(*(table.c[name] == bindparam(f"old_{name}") for name in keys))
    connection.execute(old, [{f"old_{name}": row[name] for name in keys} for row in latest.values()])
    connection.execute(insert(table), [*latest.values()])


def _refusal(error: IntegrityError) -> RealmtableError:
    # Both databases name the kind of constraint in their message, but have no common field for it.
    if "foreign key" in str(error.orig).lower():
        return NotFound("One of these players does not exist.")
    return StaleVersion(STALE_MESSAGE)
