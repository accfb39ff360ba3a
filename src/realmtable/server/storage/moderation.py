"""Whom players have muted, and the chat messages that they have reported."""

from __future__ import annotations

import secrets
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from sqlalchemy import Connection, delete, func, select, update

from realmtable.server.errors import QuotaReached
from realmtable.server.storage import schema
from realmtable.server.storage.database import Database

MAX_MUTES: Final = 200
MUTES = schema.mutes.c


class MuteStore:
    """The muted players in one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list_muted(self, player_id: str) -> list[str]:
        """Return the ids of the players whom a player has muted, latest first."""
        query = select(MUTES.muted_id).where(MUTES.player_id == player_id)
        rows = await self._database.rows(query.order_by(MUTES.at.desc(), MUTES.muted_id))
        return [row.muted_id for row in rows]

    async def mute(self, player_id: str, muted_id: str, now: float) -> None:
        """Mute a player. Idempotent. Raises QuotaReached if the player has muted too many others."""
        row = {"player_id": player_id, "muted_id": muted_id, "at": now}

        def write(connection: Connection) -> None:
            others = (MUTES.player_id == player_id) & (MUTES.muted_id != muted_id)
            if connection.execute(select(func.count()).where(others)).scalar_one() >= MAX_MUTES:
                raise QuotaReached(f"You can mute at most {MAX_MUTES} players; unmute someone first.")
            connection.execute(self._database.insert_new(schema.mutes, row))

        await self._database.write(write)

    async def unmute(self, player_id: str, muted_id: str) -> None:
        """Unmute a player. Idempotent."""
        mine = (MUTES.player_id == player_id) & (MUTES.muted_id == muted_id)
        await self._database.execute(delete(schema.mutes).where(mine))


REPORT_DAYS: Final = 180  # after which a report is deleted
DAY_S: Final = 86_400.0
REPORTS = schema.chat_reports.c


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
        return await self._database.execute(self._database.insert_new(schema.chat_reports, asdict(report))) > 0

    async def list_reports(self, limit: int, *, resolved: bool = False) -> list[ChatReport]:
        """Return the reports, newest first; `resolved` includes those that are resolved."""
        query = select(schema.chat_reports).order_by(REPORTS.at.desc(), REPORTS.id).limit(limit)
        wanted = query if resolved else query.where(REPORTS.resolved_at.is_(None))
        return [ChatReport(**row._mapping) for row in await self._database.rows(wanted)]  # noqa: SLF001 - SQLAlchemy's public name for it

    async def resolve(self, report_id: str, now: float) -> bool:
        """Mark a report as resolved; return False if there is none with this id that is not."""
        is_open = (REPORTS.id == report_id) & REPORTS.resolved_at.is_(None)
        return await self._database.execute(update(schema.chat_reports).where(is_open).values(resolved_at=now)) > 0

    async def remove_expired(self, now: float) -> int:
        """Delete old reports; return their number."""
        old = REPORTS.at < now - REPORT_DAYS * DAY_S
        return await self._database.execute(delete(schema.chat_reports).where(old))
