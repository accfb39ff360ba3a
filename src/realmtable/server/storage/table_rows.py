"""Rows of the tables' log as values, and their conversion to and from database columns."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from sqlalchemy import RowMapping


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
