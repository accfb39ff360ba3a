"""The size of the database and the free disk space, measured only now and then because it is slow."""

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
    """The size of the database and the free space; None if unknown, as with PostgreSQL."""

    database_bytes: int
    free_bytes: int | None


class DiskUse:
    """Measures disk space at most twice a minute, and counts rows at most every ten minutes."""

    def __init__(self, database: Database, url: str, low_mib: int) -> None:
        self._database = database
        self._path = sqlite_path(url)
        self._low_bytes = low_mib * MIB
        self._measured_at = self._counted_at = -1e9
        self._measure_lock = asyncio.Lock()
        self.space = DiskSpace(0, None)
        self.row_counts: dict[str, int] = {}

    async def measure(self) -> DiskSpace:
        """Return the disk space, measured within the last half minute."""
        async with self._measure_lock:
            if time.monotonic() - self._measured_at >= MEASURE_EVERY_S:
                self.space = await self._query_space()
                self._measured_at = time.monotonic()
        return self.space

    async def count_rows(self) -> dict[str, int]:
        """Return the number of rows of the larger tables; PostgreSQL estimates them."""
        if time.monotonic() - self._counted_at >= COUNT_EVERY_S:
            self._counted_at = time.monotonic()
            self.row_counts = await self._query_row_counts()
        return self.row_counts

    def is_low(self) -> bool:
        """Whether free space was low at the last measurement."""
        return self.space.free_bytes is not None and self.space.free_bytes < self._low_bytes

    async def _query_space(self) -> DiskSpace:
        if self._path is not None:
            return await asyncio.to_thread(_sqlite_space, self._path)
        async with self._database.reading() as connection:
            size = await connection.scalar(text("SELECT pg_database_size(current_database())"))
        return DiskSpace(int(size or 0), None)

    async def _query_row_counts(self) -> dict[str, int]:
        if self._path is None:
            estimates = text("SELECT relname, reltuples FROM pg_class WHERE relname = ANY(:names) AND relkind = 'r'")
            async with self._database.reading() as connection:
                rows = await connection.execute(estimates, {"names": list(COUNTED_TABLES)})
                return {row.relname: max(0, round(row.reltuples)) for row in rows}
        counts = [select(func.count()).select_from(schema.metadata.tables[name]) for name in COUNTED_TABLES]
        return {
            name: (await self._database.rows(count))[0][0] for name, count in zip(COUNTED_TABLES, counts, strict=True)
        }


def _sqlite_space(path: Path) -> DiskSpace:
    """Return the size of an SQLite database's files and the free space on its disk."""
    parts = (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm"))
    size = sum(part.stat().st_size for part in parts if part.exists())
    return DiskSpace(size, shutil.disk_usage(path.parent).free)
