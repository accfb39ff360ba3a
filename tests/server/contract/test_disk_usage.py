"""The used and free space of a database, as both databases report it."""

from __future__ import annotations

import pytest

from realmtable.server.settings import MIB
from realmtable.server.storage import disk_usage as module
from realmtable.server.storage.database import Database
from realmtable.server.storage.disk_usage import DiskSpace, DiskUse
from realmtable.server.storage.table_store import TableStore
from tests.server.contract.helpers import PLAYERS, append, on_both_databases, open_table

pytestmark = pytest.mark.anyio


@on_both_databases
async def test_the_database_grows_with_what_is_stored(
    store: TableStore, database: Database, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MEASURE_EVERY_S", 0.0)
    disk_use = DiskUse(database, url, low_mib=0)
    before = await disk_use.measure()
    assert before.database_bytes > 0
    assert (before.free_bytes is None) == (database.dialect == "postgresql")
    await open_table(store, "t")
    for version in range(2, 30):
        await append(store, "t", version, data={"text": "x" * 20_000})
    assert (await disk_use.measure()).database_bytes > before.database_bytes
    assert not disk_use.is_low()


@on_both_databases
async def test_the_rows_of_the_larger_tables_are_counted(store: TableStore, database: Database, url: str) -> None:
    await open_table(store, "t")
    disk_use = DiskUse(database, url, low_mib=0)
    rows = await disk_use.count_rows()
    assert rows.keys() == set(module.COUNTED_TABLES)
    if database.dialect == "sqlite":  # PostgreSQL estimates when it finds time
        assert (rows["players"], rows["tables"], rows["events"]) == (len(PLAYERS), 1, 1)
    await open_table(store, "u")
    assert await disk_use.count_rows() is rows, "asked again only after a while"


async def test_little_room_is_noticed(database: Database, sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    disk_use = DiskUse(database, sqlite_url, low_mib=5)
    assert not disk_use.is_low(), "nothing is known yet"
    for free, is_low in ((5 * MIB, False), (5 * MIB - 1, True)):
        monkeypatch.setattr(disk_use, "space", DiskSpace(1, free))
        assert disk_use.is_low() == is_low
