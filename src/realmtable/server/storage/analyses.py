"""Analyses in the database: requested once, made by one process, and stored for everyone.

A row is a job until it is done. The process that works on it sends heartbeats (`beat_at`); a job without a recent one
belongs to a process that has died, and can be claimed again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, func, or_, select, update

from realmtable.server.storage import schema
from realmtable.server.storage.database import Database

COLUMNS = schema.analyses.c
MAX_REQUESTS = 2_000  # open requests that are put in order


@dataclass(frozen=True, slots=True)
class AnalysisRow:
    """An analysis, or the state of a request for one."""

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
    """A request that no process is working on."""

    source: str
    asked_by: str


class AnalysisStore:
    """The analyses in one database, which several processes may share."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, source: str) -> list[AnalysisRow]:
        """Return all analyses of a game, those by the newest engine first."""
        statement = select(schema.analyses).where(COLUMNS.source == source).order_by(COLUMNS.engine.desc())
        return [AnalysisRow(**row._mapping) for row in await self._database.rows(statement)]  # noqa: SLF001 - public

    async def add_request(self, request: AnalysisRow) -> None:
        """Add a request; an existing one stays unchanged, and a failed one is retried."""
        values = {name: getattr(request, name) for name in AnalysisRow.__slots__}
        retry = update(schema.analyses).where(_has_key(request.source, request.engine), COLUMNS.status == "failed")

        def write(connection: Connection) -> None:
            connection.execute(retry.values(values))
            connection.execute(self._database.insert_new(schema.analyses, values))

        await self._database.write(write)

    async def open_requests(self, engine: int, stale: float) -> list[AnalysisRequest]:
        """Return the requests that no process is working on, oldest first."""
        statement = select(COLUMNS.source, COLUMNS.asked_by).where(COLUMNS.engine == engine, _is_unclaimed(stale))
        rows = await self._database.rows(statement.order_by(COLUMNS.asked_at).limit(MAX_REQUESTS))
        return [AnalysisRequest(row.source, row.asked_by) for row in rows]

    async def count_running(self, engine: int, stale: float) -> int:
        """Return the number of analyses in progress."""
        running = and_(COLUMNS.status == "running", COLUMNS.beat_at > stale)
        counted = select(func.count()).select_from(schema.analyses).where(COLUMNS.engine == engine, running)
        return int((await self._database.rows(counted))[0][0])

    async def claim(self, engine: int, now: float, stale: float, asked_by: str | None = None) -> AnalysisRow | None:
        """Claim the oldest request (of one person) that no process is working on, or return None.

        A running one can be claimed if its latest heartbeat was at `stale` or earlier.
        """
        wanted = [
            COLUMNS.engine == engine,
            _is_unclaimed(stale),
            *([] if asked_by is None else [COLUMNS.asked_by == asked_by]),
        ]

        def take(connection: Connection) -> AnalysisRow | None:
            statement = select(schema.analyses).where(*wanted).order_by(COLUMNS.asked_at)
            for row in connection.execute(statement.limit(1).with_for_update(skip_locked=True)):
                claimed = AnalysisRow(**row._mapping)  # noqa: SLF001 - public
                values = {"status": "running", "beat_at": now, "done": 0}
                connection.execute(update(schema.analyses).where(_has_key(claimed.source, engine)).values(values))
                return claimed
            return None

        return await self._database.write(take)

    async def heartbeat(self, row: AnalysisRow, done: int, total: int, now: float) -> None:
        """Store a heartbeat and the progress of a running analysis."""
        await self._update(row, done=done, total=total, beat_at=now)

    async def release(self, row: AnalysisRow) -> None:
        """Release a claimed request for another process."""
        await self._update(row, status="waiting")

    async def complete(self, row: AnalysisRow, data: dict[str, Any]) -> None:
        """Store a finished analysis."""
        await self._update(row, status="done", data=data, done=len(data["turns"]), total=len(data["turns"]), message="")

    async def fail(self, row: AnalysisRow, message: str) -> None:
        """Store that an analysis failed, and why."""
        await self._update(row, status="failed", message=message[:300])

    async def _update(self, row: AnalysisRow, **values: Any) -> None:  # noqa: ANN401 - columns of any kind
        statement = update(schema.analyses).where(_has_key(row.source, row.engine)).values(values)
        await self._database.execute(statement)


def _is_unclaimed(stale: float) -> ColumnElement[bool]:
    return or_(COLUMNS.status == "waiting", and_(COLUMNS.status == "running", COLUMNS.beat_at <= stale))


def _has_key(source: str, engine: int) -> ColumnElement[bool]:
    return and_(COLUMNS.source == source, COLUMNS.engine == engine)
