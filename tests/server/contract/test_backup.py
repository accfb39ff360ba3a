"""Backups: whole, of one moment, movable between databases, and restored completely or not at all."""

from __future__ import annotations

import asyncio
import gzip
import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import pytest
from sqlalchemy import Table, insert, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from realmtable.engine.errors import BadInput, RealmtableError
from realmtable.server.errors import NotAllowed, NotFound, Unavailable
from realmtable.server.storage import backup as module
from realmtable.server.storage import schema
from realmtable.server.storage.backup import CHUNK, backup, restore
from realmtable.server.storage.database import Database, connect, sqlite_path
from realmtable.server.storage.migrations import HEAD, revisions, upgrade
from realmtable.server.storage.table_store import RecordRow, Snapshot, TableStore
from tests.server.contract.helpers import append, event, on_both_databases, open_table, summary

pytestmark = pytest.mark.anyio


async def read_all_rows(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    async with database.reading(steady=True) as connection:
        found = {}
        for table in schema.metadata.sorted_tables:
            rows = await connection.execute(select(table).order_by(*table.primary_key))
            found[table.name] = [tuple(row) for row in rows]
    return found


ANALYSIS = {
    "source": "table:t",
    "engine": 1,
    "game": "realm",
    "status": "failed",
    "asked_by": "ann",
    "asked_at": 1.5,
    "beat_at": 2.5,
    "done": 3,
    "total": 4,
    "message": "é",
}

REPORT = {
    "id": "1",
    "table_id": "t",
    "version": 2,
    "game": "realm",
    "reporter_id": "ann",
    "reporter_name": "Ann",
    "reported_id": "bob",
    "reported_name": "Bob",
    "text": "é",
    "lines": [{"name": "Bob", "player": "bob", "text": "é", "at": 1.0}],
    "at": 1.0,
}


@pytest.fixture
async def filled_database(store: TableStore, database: Database) -> Database:
    """A database with something of every kind."""
    await open_table(store, "t", result={"text": "é\0\ud800"}, deadline=1.1)
    await store.append([event("t", 2, key="k", data={})], summary(2), snapshot=Snapshot(2, {"state": [1.5, None]}))
    await store.add_record(RecordRow("r", "realm", 'line "one"\nline two', "ann", 0.1 + 0.2))
    at = {"created_at": 1.0, "expires_at": 2.0}
    rated = {"player_id": "ann", "game": "realm", "mu": 25.0, "sigma": 8.3, "games": 1, "updated_at": 1.0}
    async with database.writing() as connection:
        await connection.execute(insert(schema.sessions), {"token_hash": "a", "player_id": "ann", **at})
        await connection.execute(insert(schema.sign_in_links), {"token_hash": "b", "player_id": "ann", **at})
        token = {"id": "k", "player_id": "bob", "label": "bot", "token_hash": "c", "created_at": 1.0}
        await connection.execute(insert(schema.tokens), token)
        await connection.execute(insert(schema.ratings), rated)
        await connection.execute(insert(schema.analyses), ANALYSIS)
        solved = {"player_id": "ann", "puzzle": "p", "day": 0, "game": "realm", "at": 1.0}
        await connection.execute(insert(schema.solves), solved)
        rating = {"player_id": "ann", "game": "realm", "number": 1, "value": 1500, "plus_minus": 600, "at": 1.0}
        await connection.execute(insert(schema.rating_history), rating)
        await connection.execute(insert(schema.mutes), {"player_id": "ann", "muted_id": "bob", "at": 1.0})
        await connection.execute(insert(schema.chat_reports), REPORT)
        pushed = {"endpoint_hash": "e", "session_hash": "a", "endpoint": "https://push.example.org", "seen_at": 1.0}
        await connection.execute(insert(schema.push_subscriptions), {**pushed, "p256dh": "k", "auth": "s"})
        await connection.execute(insert(schema.server_keys), {"name": "vapid", "value": "{}"})
        await connection.execute(insert(schema.counters), {"name": "account_changes", "value": 3})
        opponent = {"player_id": "ann", "game": "realm", "opponent_id": "bob"}
        await connection.execute(insert(schema.rated_opponents), opponent)
        pair = {"player_id": "ann", "opponent_id": "bob", "day": 1, "games": 2}
        await connection.execute(insert(schema.rated_pairs), pair)
        await connection.execute(insert(schema.uptimes), {"number": 1, "began": 1.0, "ended": 2.0})
        await connection.execute(insert(schema.rated_tables), {"table_id": "t", "at": 1.0, "changes": {"ann": [1, 2]}})
    return database


@pytest.mark.long
@on_both_databases
async def test_a_backup_holds_everything_and_moves_to_sqlite(
    filled_database: Database, url: str, tmp_path: Path
) -> None:
    counts = await backup(url, tmp_path / "backup.gz")
    assert set(counts) == set(schema.metadata.tables)
    assert all(counts.values()), "an example of every kind"
    there = f"sqlite:///{tmp_path}/copy.db"
    assert await restore(tmp_path / "backup.gz", there) == counts
    copy = await connect(there)
    assert await read_all_rows(copy) == await read_all_rows(filled_database)
    async with copy.reading() as connection:
        no_result = await connection.scalar(text("SELECT count(*) FROM tables WHERE result IS NULL"))
    assert no_result == 1, "as it was: nothing, not the word null"
    await copy.close()


@pytest.mark.long
async def test_a_backup_moves_to_postgresql(sqlite_url: str, postgresql_url: str, tmp_path: Path) -> None:
    database = await connect(sqlite_url)
    async with database.writing() as connection:
        rows = [{"id": f"p{n}", "name": "P", "kind": "guest", "created_at": n / 3} for n in range(2 * CHUNK + 1)]
        await connection.execute(insert(schema.players), rows)
    await backup(sqlite_url, tmp_path / "backup.gz")
    assert (await restore(tmp_path / "backup.gz", postgresql_url))["players"] == 2 * CHUNK + 1
    copy = await connect(postgresql_url)
    assert await read_all_rows(copy) == await read_all_rows(database)
    await copy.close()
    await database.close()


@pytest.mark.usefixtures("filled_database")
async def test_only_the_owner_reads_a_backup(url: str, tmp_path: Path) -> None:
    await backup(url, tmp_path / "backup.gz")
    assert stat.S_IMODE((tmp_path / "backup.gz").stat().st_mode) == 0o600
    assert not (tmp_path / "backup.gz.part").exists()


@pytest.mark.long
@on_both_databases
async def test_a_backup_taken_while_people_play_has_no_gap(store: TableStore, url: str, tmp_path: Path) -> None:
    names = [f"t{number}" for number in range(20)]
    for name in names:
        await open_table(store, name)
    version = 1
    busy = asyncio.create_task(backup(url, tmp_path / "backup.gz"))
    while not busy.done():
        version += 1
        await asyncio.gather(*(append(store, name, version) for name in names))
    await busy
    there = f"sqlite:///{tmp_path}/copy.db"
    await restore(tmp_path / "backup.gz", there)
    copy = await connect(there)
    restored = TableStore(copy)
    for name in names:
        found = await restored.table(name)
        assert found is not None
        assert [later.version for later in await restored.events(name)] == list(range(1, found.summary.version + 1))
        assert found.summary.version <= version
        await append(restored, name, found.summary.version + 1)
    await restored.close()
    await copy.close()


@pytest.mark.long
@pytest.mark.parametrize(
    "count", [CHUNK, CHUNK + 1, *(pytest.param(count, marks=pytest.mark.slow) for count in (CHUNK - 1, 2 * CHUNK + 1))]
)
async def test_no_row_is_lost_where_one_chunk_ends(url: str, tmp_path: Path, count: int) -> None:
    database = await connect(url)
    async with database.writing() as connection:
        rows = [{"id": f"p{n:05}", "name": "P", "kind": "guest", "created_at": n / 3} for n in range(count)]
        await connection.execute(insert(schema.players), rows)
    before = await read_all_rows(database)
    assert (await backup(url, tmp_path / "backup.gz"))["players"] == count
    written = [json.loads(line) for line in gzip.decompress((tmp_path / "backup.gz").read_bytes()).splitlines()]
    ids = {line[0] for line in written if isinstance(line, list)}
    assert ids == {f"p{n:05}" for n in range(count)}
    there = f"sqlite:///{tmp_path}/copy.db"
    for target in (there, url):  # the second one is of the same kind as the source
        assert (await restore(tmp_path / "backup.gz", target, replace=True))["players"] == count
        copy = await connect(target)
        assert await read_all_rows(copy) == before
        await copy.close()
    await database.close()


@pytest.mark.long
@on_both_databases
async def test_what_is_written_in_the_middle_of_a_backup_is_not_in_it(
    filled_database: Database, store: TableStore, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = await read_all_rows(filled_database)
    dump_table = module._dump_table
    interruptions = 0

    async def write_and_dump(connection: AsyncConnection, table: Table, file: IO[str]) -> int:
        nonlocal interruptions
        interruptions += 1
        new = f"new{interruptions:02}"
        async with filled_database.writing() as writer:
            player = {"id": new, "name": new, "kind": "guest", "created_at": 1.0}
            await writer.execute(insert(schema.players), player)
            solved = {"player_id": new, "puzzle": "p", "day": 0, "game": "realm", "at": 1.0}
            await writer.execute(insert(schema.solves), solved)
        await open_table(store, new)
        await append(store, "t", 2 + interruptions)
        await store.add_record(RecordRow(new, "realm", new, new, 1.0))
        return await dump_table(connection, table, file)

    monkeypatch.setattr(module, "_dump_table", write_and_dump)
    await backup(url, tmp_path / "backup.gz")
    assert interruptions == len(schema.metadata.tables)
    assert len((await read_all_rows(filled_database))["events"]) == len(before["events"]) + 2 * interruptions
    there = f"sqlite:///{tmp_path}/copy.db"
    await restore(tmp_path / "backup.gz", there)
    copy = await connect(there)
    assert await read_all_rows(copy) == before
    await copy.close()


@pytest.mark.long
@on_both_databases
async def test_a_restored_database_refuses_to_be_overwritten_by_mistake(
    filled_database: Database, url: str, tmp_path: Path, store: TableStore
) -> None:
    await backup(url, tmp_path / "backup.gz")
    before = await read_all_rows(filled_database)
    await append(store, "t", 3)
    with pytest.raises(NotAllowed, match="not empty"):
        await restore(tmp_path / "backup.gz", url)
    assert len(await store.events("t")) == 3
    await restore(tmp_path / "backup.gz", url, replace=True)
    assert await read_all_rows(filled_database) == before


@pytest.mark.long
@on_both_databases
async def test_a_backup_of_an_older_schema_is_upgraded(url: str, tmp_path: Path) -> None:
    old = Database(url, migrating=True)
    async with old.writing() as connection:
        await connection.run_sync(upgrade, "0001")
        await connection.execute(text("INSERT INTO players (id, name, kind, created_at) VALUES ('p', 'P', 'guest', 1)"))
    await old.close()
    counts = await backup(url, tmp_path / "backup.gz")
    assert {*counts} < {*schema.metadata.tables}
    there = f"sqlite:///{tmp_path}/copy.db"
    assert await restore(tmp_path / "backup.gz", there) == counts
    copy = Database(there)
    assert [row[0] for row in (await read_all_rows(copy))["players"]] == ["p"]
    async with copy.reading() as connection:
        assert await connection.scalar(select(revisions.c.version_num)) == HEAD
    await copy.close()


SPOILERS: dict[str, Callable[[list[str]], list[str]]] = {
    "cut short": lambda lines: lines[:-1],
    "a player missing": lambda lines: lines[:2] + lines[3:],
    "another format": lambda lines: [json.dumps({**json.loads(lines[0]), "format": 99}), *lines[1:]],
    "another program": lambda lines: ["[]", *lines[1:]],
    "an unknown table": lambda lines: [line.replace('"seats"', '"sofas"') for line in lines],
    "an unknown player": lambda lines: [line.replace('"t",1,"bob"', '"t",1,"eve"') for line in lines],
    "an end that counts nothing": lambda lines: [*lines[:-1], json.dumps({"rows": None})],
    "a row twice": lambda lines: [*lines[:2], lines[2], *lines[2:]],
    "a newer program": lambda lines: [json.dumps({**json.loads(lines[0]), "revision": "9999"}), *lines[1:]],
}


@pytest.mark.long
async def test_a_spoilt_backup_changes_nothing(filled_database: Database, url: str, tmp_path: Path) -> None:
    await backup(url, tmp_path / "backup.gz")
    lines = gzip.decompress((tmp_path / "backup.gz").read_bytes()).decode().splitlines()
    before = await read_all_rows(filled_database)
    for name, spoil in SPOILERS.items():
        spoilt = spoil(lines)
        assert spoilt != lines, name
        (tmp_path / "spoilt.gz").write_bytes(gzip.compress("\n".join(spoilt).encode()))
        with pytest.raises(Unavailable if name == "a newer program" else BadInput):
            await restore(tmp_path / "spoilt.gz", url, replace=True)
        assert await read_all_rows(filled_database) == before, name


@pytest.mark.slow
async def test_a_missing_row_is_noticed_by_its_count_alone(
    filled_database: Database, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "has_dangling_rows", lambda _: False)  # or SQLite finds some of them by a foreign key
    await backup(url, tmp_path / "backup.gz")
    lines = gzip.decompress((tmp_path / "backup.gz").read_bytes()).decode().splitlines()
    before = await read_all_rows(filled_database)
    referenced = {key.column.table.name for table in schema.metadata.sorted_tables for key in table.foreign_keys}
    for name in schema.metadata.tables:
        place = next(number for number, line in enumerate(lines) if line.startswith(f'{{"table": "{name}"'))
        spoilt = lines[: place + 1] + lines[place + 2 :]
        (tmp_path / "spoilt.gz").write_bytes(gzip.compress("\n".join(spoilt).encode()))
        # PostgreSQL looks at every row's keys before the end is reached.
        reason = "foreign key" if name in referenced and "postgresql" in url else f"rows of {name}, but has"
        with pytest.raises(BadInput, match=reason):
            await restore(tmp_path / "spoilt.gz", url, replace=True)
        assert await read_all_rows(filled_database) == before, name


@pytest.mark.long
async def test_nothing_may_follow_the_end_of_a_backup(filled_database: Database, url: str, tmp_path: Path) -> None:
    await backup(url, tmp_path / "backup.gz")
    whole = (tmp_path / "backup.gz").read_bytes()
    before = await read_all_rows(filled_database)
    wrong_sum = whole[:-8] + bytes(byte ^ 0xFF for byte in whole[-8:-4]) + whole[-4:]
    for spoilt, reason in ((whole + gzip.compress(b"[]\n"), "follows its end"), (wrong_sum, "CRC")):
        (tmp_path / "spoilt.gz").write_bytes(spoilt)
        with pytest.raises(BadInput, match=reason):
            await restore(tmp_path / "spoilt.gz", url, replace=True)
        assert await read_all_rows(filled_database) == before


@pytest.mark.long
async def test_a_damaged_file_changes_nothing(filled_database: Database, url: str, tmp_path: Path) -> None:
    await backup(url, tmp_path / "backup.gz")
    whole = (tmp_path / "backup.gz").read_bytes()
    before = await read_all_rows(filled_database)
    middle = len(whole) // 2  # behind the header, whose revision could otherwise become one of a newer program
    for damaged in (whole[:-20], whole[:middle] + b"?" + whole[middle + 1 :], b"no backup", b""):
        (tmp_path / "damaged.gz").write_bytes(damaged)
        with pytest.raises(BadInput, match="not a complete backup"):
            await restore(tmp_path / "damaged.gz", url, replace=True)
        assert await read_all_rows(filled_database) == before


async def test_what_is_not_there_is_not_made(sqlite_url: str, tmp_path: Path) -> None:
    refusals: list[RealmtableError] = []
    for attempt in (backup(sqlite_url, tmp_path / "b"), restore(tmp_path / "b", sqlite_url)):
        with pytest.raises(NotFound) as refusal:
            await attempt
        refusals.append(refusal.value)
    assert [str(refusal).rpartition("/")[2] for refusal in refusals] == ["table.db.", "b."]
    assert not (tmp_path / "table.db").exists()
    assert not (tmp_path / "b").exists()


async def test_a_database_without_our_tables_is_no_backup(url: str, tmp_path: Path) -> None:
    if path := sqlite_path(url):
        path.touch()
    with pytest.raises(NotFound, match="not a Realmtable database"):
        await backup(url, tmp_path / "backup.gz")
    assert not (tmp_path / "backup.gz").exists()


@pytest.mark.usefixtures("filled_database")
async def test_a_backup_that_cannot_be_written_leaves_what_was_there(url: str, tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="cannot be written"):
        await backup(url, tmp_path / "nowhere" / "backup.gz")
    (tmp_path / "taken").mkdir()
    with pytest.raises(Unavailable, match="cannot be written"):
        await backup(url, tmp_path / "taken")
    assert (tmp_path / "taken").is_dir()
