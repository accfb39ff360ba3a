"""The players whose chat messages a player does not want to see."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, delete, func, select

from realmtable.server.errors import QuotaReached
from realmtable.server.storage import schema
from realmtable.server.storage.database import Database

MAX_MUTES: Final = 200
COLUMNS = schema.mutes.c


class MuteStore:
    """The muted players in one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list_muted(self, player_id: str) -> list[str]:
        """Return the ids of the players whom a player has muted, latest first."""
        query = select(COLUMNS.muted_id).where(COLUMNS.player_id == player_id)
        rows = await self._database.rows(query.order_by(COLUMNS.at.desc(), COLUMNS.muted_id))
        return [row.muted_id for row in rows]

    async def mute(self, player_id: str, muted_id: str, now: float) -> None:
        """Mute a player. Idempotent. Raises QuotaReached if the player has muted too many others."""
        row = {"player_id": player_id, "muted_id": muted_id, "at": now}

        def write(connection: Connection) -> None:
            others = (COLUMNS.player_id == player_id) & (COLUMNS.muted_id != muted_id)
            if connection.execute(select(func.count()).where(others)).scalar_one() >= MAX_MUTES:
                raise QuotaReached(f"You can mute at most {MAX_MUTES} players; unmute someone first.")
            connection.execute(self._database.insert_new(schema.mutes, row))

        await self._database.write(write)

    async def unmute(self, player_id: str, muted_id: str) -> None:
        """Unmute a player. Idempotent."""
        mine = (COLUMNS.player_id == player_id) & (COLUMNS.muted_id == muted_id)

        def write(connection: Connection) -> None:
            connection.execute(delete(schema.mutes).where(mine))

        await self._database.write(write)
