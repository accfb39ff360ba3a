"""Analyses in the database: asked for once, worked on by one process, kept for everybody.

A row is a job until it is done. Whoever works on it is heard of again and again (`beat_at`); a job of which nothing was
heard for a while belongs to a process that is gone, and is taken up anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, func, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from realmtable.server.storage import schema
from realmtable.server.storage.database import Database

COLUMNS = schema.analyses.c
MAX_REQUESTS = 2_000  # wishes whose order is worked out


@dataclass(frozen=True, slots=True)
class AnalysisRow:
    """An analysis, or what has become of the wish for one."""

    source: str  # "table:ID" or "record:ID"
    engine: int
    game: str
    status: str  # "waiting", "running", "done" or "failed"
    asked_by: str
    asked_at: float
    beat_at: float
    done: int
    total: int
    data: dict[str, Any] | None
    message: str


class AnalysisRequest(NamedTuple):
    """An analysis that is waited for, or that nobody has been heard to work on for a while."""

    source: str
    asked_by: str


class AnalysisStore:
    """The analyses in one database, which any number of processes may share."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, source: str) -> list[AnalysisRow]:
        """All analyses of a game, those of the newest engine first."""
        statement = select(schema.analyses).where(COLUMNS.source == source).order_by(COLUMNS.engine.desc())
        return [AnalysisRow(**row._mapping) for row in await self._database.rows(statement)]  # noqa: SLF001 - public

    async def add_request(self, wish: AnalysisRow) -> None:
        """Put a wish in the queue; one that is there already stays as it is, one that failed is tried again."""
        values = {name: getattr(wish, name) for name in AnalysisRow.__slots__}
        inserts = postgresql.insert if self._database.dialect == "postgresql" else sqlite.insert
        again = update(schema.analyses).where(_has_key(wish.source, wish.engine), COLUMNS.status == "failed")

        def write(connection: Connection) -> None:
            connection.execute(again.values(values))
            connection.execute(inserts(schema.analyses).values(values).on_conflict_do_nothing())

        await self._database.write(write)

    async def open_requests(self, engine: int, stale: float) -> list[AnalysisRequest]:
        """Every wish that nobody works on, the oldest first."""
        statement = select(COLUMNS.source, COLUMNS.asked_by).where(COLUMNS.engine == engine, _is_unclaimed(stale))
        rows = await self._database.rows(statement.order_by(COLUMNS.asked_at).limit(MAX_REQUESTS))
        return [AnalysisRequest(row.source, row.asked_by) for row in rows]

    async def count_running(self, engine: int, stale: float) -> int:
        """How many analyses are worked on."""
        running = and_(COLUMNS.status == "running", COLUMNS.beat_at > stale)
        counted = select(func.count()).select_from(schema.analyses).where(COLUMNS.engine == engine, running)
        return int((await self._database.rows(counted))[0][0])

    async def claim(self, engine: int, now: float, stale: float, asked_by: str | None = None) -> AnalysisRow | None:
        """The oldest wish (of one person) that nobody works on, now ours.

        Nobody works on one that was last beaten for at `stale`.
        """
        wanted = [
            COLUMNS.engine == engine,
            _is_unclaimed(stale),
            *([] if asked_by is None else [COLUMNS.asked_by == asked_by]),
        ]

        def take(connection: Connection) -> AnalysisRow | None:
            statement = select(schema.analyses).where(*wanted).order_by(COLUMNS.asked_at)
            for row in connection.execute(statement.limit(1).with_for_update(skip_locked=True)):
                found = AnalysisRow(**row._mapping)  # noqa: SLF001 - public
                values = {"status": "running", "beat_at": now, "done": 0}
                connection.execute(update(schema.analyses).where(_has_key(found.source, engine)).values(values))
                return found
            return None

        return await self._database.write(take)

    async def heartbeat(self, row: AnalysisRow, done: int, total: int, now: float) -> None:
        """Say that somebody still works on it, and how far that is."""
        await self._update(row, done=done, total=total, beat_at=now)

    async def release(self, row: AnalysisRow) -> None:
        """Leave the work to whoever asks for some next."""
        await self._update(row, status="waiting")

    async def complete(self, row: AnalysisRow, data: dict[str, Any]) -> None:
        """The work is done."""
        await self._update(row, status="done", data=data, done=len(data["turns"]), total=len(data["turns"]), message="")

    async def fail(self, row: AnalysisRow, message: str) -> None:
        """The work cannot be done, and why."""
        await self._update(row, status="failed", message=message[:300])

    async def _update(self, row: AnalysisRow, **values: Any) -> None:  # noqa: ANN401 - columns of any kind
        statement = update(schema.analyses).where(_has_key(row.source, row.engine)).values(values)
        await self._database.write(lambda connection: connection.execute(statement).rowcount)


def _is_unclaimed(stale: float) -> ColumnElement[bool]:
    return or_(COLUMNS.status == "waiting", and_(COLUMNS.status == "running", COLUMNS.beat_at <= stale))


def _has_key(source: str, engine: int) -> ColumnElement[bool]:
    return and_(COLUMNS.source == source, COLUMNS.engine == engine)
