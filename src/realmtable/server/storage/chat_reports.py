"""Chat messages that players have reported to the operator."""

from __future__ import annotations

import secrets
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from sqlalchemy import Connection, delete, select, update

from realmtable.server.storage import schema
from realmtable.server.storage.database import Database

REPORT_DAYS: Final = 180  # after which a report is deleted
DAY_S: Final = 86_400.0
COLUMNS = schema.chat_reports.c


@dataclass(frozen=True)
class ChatReport:
    """A reported message with the messages before it; names are those at the time of the report."""

    table_id: str
    version: int
    game: str
    reporter_id: str
    reporter_name: str
    reported_id: str
    reported_name: str
    text: str
    lines: list[dict[str, Any]]  # the messages before it and the message: name, player, text, at
    at: float
    id: str = field(default_factory=lambda: secrets.token_hex(6))
    resolved_at: float | None = None


class ReportStore:
    """The reports in one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, report: ChatReport) -> bool:
        """Store a report; return False if the same person has reported the message before."""
        statement = self._database.insert_new(schema.chat_reports, asdict(report))

        def write(connection: Connection) -> bool:
            return connection.execute(statement).rowcount > 0

        return await self._database.write(write)

    async def list_reports(self, limit: int, *, resolved: bool = False) -> list[ChatReport]:
        """Return the reports, newest first; `resolved` includes those that are resolved."""
        query = select(schema.chat_reports).order_by(COLUMNS.at.desc(), COLUMNS.id).limit(limit)
        wanted = query if resolved else query.where(COLUMNS.resolved_at.is_(None))
        return [ChatReport(**row._mapping) for row in await self._database.rows(wanted)]  # noqa: SLF001 - SQLAlchemy's public name for it

    async def resolve(self, report_id: str, now: float) -> bool:
        """Mark a report as resolved; return False if there is none with this id that is not."""
        is_open = (COLUMNS.id == report_id) & COLUMNS.resolved_at.is_(None)

        def write(connection: Connection) -> bool:
            return connection.execute(update(schema.chat_reports).where(is_open).values(resolved_at=now)).rowcount > 0

        return await self._database.write(write)

    async def remove_expired(self, now: float) -> int:
        """Delete old reports; return their number."""

        def write(connection: Connection) -> int:
            old = COLUMNS.at < now - REPORT_DAYS * DAY_S
            return connection.execute(delete(schema.chat_reports).where(old)).rowcount

        return await self._database.write(write)
