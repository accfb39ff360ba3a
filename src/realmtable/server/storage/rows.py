"""Rows of the tables' log, as the rest of the server sees them, and their way into and out of the database."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import RowMapping


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened at a table; versions run 1, 2, 3 … without a gap."""

    table_id: str
    version: int
    kind: str
    seat: int | None
    player_id: str | None
    data: dict[str, Any]
    at: float
    key: str | None = None  # the sender's own: once per player and table


@dataclass(frozen=True, slots=True)
class Summary:
    """What lists and sweepers ask about a table, written together with every event."""

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
    """Who sits on one seat of a table: a player, a bot, or nobody yet."""

    seat: int
    player_id: str | None
    bot: str | None


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table: what was agreed when it was opened, and where it stands now."""

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
    """A table's state at one version, so that a reload replays only what came after."""

    version: int
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class RecordRow:
    """A record somebody brought along."""

    id: str
    game: str
    text: str
    created_by: str
    created_at: float


SUMMARY_COLUMNS = ("status", "version", "acting", "bot_due", "deadline", "turn", "result", "updated_at")
TABLE_COLUMNS = ("id", "game", "rules_version", "setup", "seed", "created_by", "created_at", "listed")


def event_values(event: Event) -> dict[str, Any]:
    """The columns of an event."""
    return {name: getattr(event, name) for name in Event.__slots__}


def summary_values(summary: Summary) -> dict[str, Any]:
    """The columns of a table that every event rewrites."""
    return {name: getattr(summary, name) for name in SUMMARY_COLUMNS} | {"acting": list(summary.acting)}


def table_values(row: TableRow) -> dict[str, Any]:
    """All columns of a table."""
    return {name: getattr(row, name) for name in TABLE_COLUMNS} | summary_values(row.summary)


def seat_values(table_id: str, seat: SeatRow) -> dict[str, Any]:
    """The columns of a seat."""
    return {"table_id": table_id, **asdict(seat)}


def table_row(values: RowMapping) -> TableRow:
    """A table from its columns."""
    summary = {name: values[name] for name in SUMMARY_COLUMNS} | {"acting": tuple(values["acting"])}
    return TableRow(**{name: values[name] for name in TABLE_COLUMNS}, summary=Summary(**summary))


def text_bytes(text: str) -> int:
    """How many bytes a text takes, as quotas count it."""
    return len(text.encode(errors="surrogatepass"))
