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

MEASURE_EVERY_S: Final = 30.0
COUNT_EVERY_S: Final = 600.0
COUNTED_TABLES: Final = ("players", "tables", "events", "records", "analyses")


class DiskSpace(NamedTuple):
    """The room a database takes and has; None where it is not known: PostgreSQL's disk is its own affair."""

    database_bytes: int
    free_bytes: int | None


class DiskUse:
    """Looks at most twice a minute at the size, and every ten minutes at the rows."""

    def __init__(self, database: Database, url: str, low_mib: int) -> None:
        self._database = database
        self._path = sqlite_path(url)
        self._low_bytes = low_mib * MIB
        self._measured_at = self._counted_at = -1e9
        self._measure_lock = asyncio.Lock()
        self.space = DiskSpace(0, None)
        self.row_counts: dict[str, int] = {}

    async def measure(self) -> DiskSpace:
        """The room there is, as of the last half minute."""
        async with self._measure_lock:
            if time.monotonic() - self._measured_at >= MEASURE_EVERY_S:
                self.space = await self._query_space()
                self._measured_at = time.monotonic()
        return self.space

    async def count_rows(self) -> dict[str, int]:
        """How many rows the larger tables have; on PostgreSQL as it estimates them itself."""
        if time.monotonic() - self._counted_at >= COUNT_EVERY_S:
            self._counted_at = time.monotonic()
            self.row_counts = await self._query_row_counts()
        return self.row_counts

    def is_low(self) -> bool:
        """Whether too little was free when we last looked."""
        return self.space.free_bytes is not None and self.space.free_bytes < self._low_bytes

    async def _query_space(self) -> DiskSpace:
        if self._path is not None:
            return await asyncio.to_thread(_sqlite_space, self._path)
        async with self._database.reading() as connection:
            size = await connection.scalar(text("SELECT pg_database_size(current_database())"))
        return DiskSpace(int(size or 0), None)

    async def _query_row_counts(self) -> dict[str, int]:
        if self._path is None:
            known = text("SELECT relname, reltuples FROM pg_class WHERE relname = ANY(:names) AND relkind = 'r'")
            async with self._database.reading() as connection:
                found = await connection.execute(known, {"names": list(COUNTED_TABLES)})
                return {row.relname: max(0, round(row.reltuples)) for row in found}
        counts = [select(func.count()).select_from(schema.metadata.tables[name]) for name in COUNTED_TABLES]
        return {
            name: (await self._database.rows(count))[0][0] for name, count in zip(COUNTED_TABLES, counts, strict=True)
        }


def _sqlite_space(path: Path) -> DiskSpace:
    """The files of an SQLite database, and what its disk has left for us."""
    parts = (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm"))
    size = sum(part.stat().st_size for part in parts if part.exists())
    return DiskSpace(size, shutil.disk_usage(path.parent).free)
