"""How much room the database takes and how much is left, asked now and then: a question costs more than its answer."""

from __future__ import annotations

import asyncio
import shutil
import time
from pathlib import Path
from typing import Final, NamedTuple

from sqlalchemy import func, select, text

from realmtable.server.settings import MIB
from realmtable.server.storage import schema
from realmtable.server.storage.database import Database, sqlite_path

LOOK_EVERY_S: Final = 30.0
COUNT_EVERY_S: Final = 600.0
COUNTED: Final = ("players", "tables", "events", "records", "analyses")


class Room(NamedTuple):
    """The room a database takes and has; None where it is not known: PostgreSQL's disk is its own affair."""

    database_bytes: int
    free_bytes: int | None


class DiskUse:
    """Looks at most twice a minute at the size, and every ten minutes at the rows."""

    def __init__(self, database: Database, url: str, low_mib: int) -> None:
        self._database = database
        self._path = sqlite_path(url)
        self._low_bytes = low_mib * MIB
        self._looked_at = self._counted_at = -1e9
        self._looking = asyncio.Lock()
        self.room = Room(0, None)
        self.rows: dict[str, int] = {}

    async def look(self) -> Room:
        """The room there is, as of the last half minute."""
        async with self._looking:
            if time.monotonic() - self._looked_at >= LOOK_EVERY_S:
                self.room = await self._measure()
                self._looked_at = time.monotonic()
        return self.room

    async def count(self) -> dict[str, int]:
        """How many rows the larger tables have; on PostgreSQL as it estimates them itself."""
        if time.monotonic() - self._counted_at >= COUNT_EVERY_S:
            self._counted_at = time.monotonic()
            self.rows = await self._count()
        return self.rows

    def is_low(self) -> bool:
        """Whether too little was free when we last looked."""
        return self.room.free_bytes is not None and self.room.free_bytes < self._low_bytes

    async def _measure(self) -> Room:
        if self._path is not None:
            return await asyncio.to_thread(_room_at, self._path)
        async with self._database.reading() as connection:
            size = await connection.scalar(text("SELECT pg_database_size(current_database())"))
        return Room(int(size or 0), None)

    async def _count(self) -> dict[str, int]:
        if self._path is None:
            known = text("SELECT relname, reltuples FROM pg_class WHERE relname = ANY(:names) AND relkind = 'r'")
            async with self._database.reading() as connection:
                found = await connection.execute(known, {"names": list(COUNTED)})
                return {row.relname: max(0, round(row.reltuples)) for row in found}
        counts = [select(func.count()).select_from(schema.metadata.tables[name]) for name in COUNTED]
        return {name: (await self._database.rows(count))[0][0] for name, count in zip(COUNTED, counts, strict=True)}


def _room_at(path: Path) -> Room:
    """The files of an SQLite database, and what its disk has left for us."""
    parts = (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm"))
    size = sum(part.stat().st_size for part in parts if part.exists())
    return Room(size, shutil.disk_usage(path.parent).free)
