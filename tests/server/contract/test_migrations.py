"""A fresh schema, the migrated schema and the schema in the code are the same."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, func, insert, inspect, select, text, update

from realmtable.engine.errors import BadInput
from realmtable.server.errors import Unavailable
from realmtable.server.storage import migrations, schema
from realmtable.server.storage.database import Database, connect, migrate
from tests.server.contract.helpers import PLAYERS, add_players, on_both_databases

pytestmark = pytest.mark.anyio


def differences(connection: Connection) -> list[Any]:
    context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
    return list(compare_metadata(context, schema.metadata))


def read_layout(connection: Connection) -> dict[str, Any]:
    """Every table, column, key and index, as the database itself tells."""
    asked = inspect(connection)
    return {
        name: {
            "columns": [{**column, "type": str(column["type"])} for column in asked.get_columns(name)],
            "primary": asked.get_pk_constraint(name),
            "foreign": sorted(map(str, asked.get_foreign_keys(name))),
            "unique": sorted(map(str, asked.get_unique_constraints(name))),
            "indexes": sorted(map(str, asked.get_indexes(name))),
        }
        for name in sorted(asked.get_table_names())
    }


async def migrate_step_by_step(url: str) -> Database:
    database = Database(url)
    async with database.writing() as connection:
        await connection.run_sync(migrations.upgrade)
    return database


@pytest.mark.long
@on_both_databases
async def test_the_revisions_lead_to_the_schema(url: str) -> None:
    database = await migrate_step_by_step(url)
    async with database.reading() as connection:
        assert await connection.run_sync(differences) == []
    await database.close()


@pytest.mark.long
@on_both_databases
async def test_a_fresh_database_is_as_if_migrated(url: str) -> None:
    fresh = await connect(url)
    async with fresh.reading() as connection:
        at_once = await connection.run_sync(read_layout)
        assert await connection.scalar(select(migrations.revisions.c.version_num)) == migrations.HEAD
    async with fresh.writing() as connection:
        for name in reversed(schema.metadata.sorted_tables):
            await connection.execute(text(f"DROP TABLE {name}"))
        await connection.execute(text("DROP TABLE alembic_version"))
    await fresh.close()
    database = await migrate_step_by_step(url)
    async with database.reading() as connection:
        assert await connection.run_sync(read_layout) == at_once
        assert await connection.scalar(select(migrations.revisions.c.version_num)) == migrations.HEAD
    await database.close()


@on_both_databases
async def test_records_of_before_get_their_size(url: str) -> None:
    database = Database(url)
    async with database.writing() as connection:
        await connection.run_sync(migrations.upgrade, "solves")
        await connection.execute(text("INSERT INTO players (id, name, kind, created_at) VALUES ('p', 'P', 'guest', 1)"))
        await connection.execute(
            text("INSERT INTO records (id, game, text, created_by, created_at) VALUES ('r', 'realm', 'né', 'p', 1)")
        )
        await connection.run_sync(migrations.upgrade)
        assert await connection.scalar(select(schema.records.c.size)) == 3
    await database.close()


@on_both_databases
async def test_ratings_of_before_get_their_history(url: str) -> None:
    database = Database(url)
    after = {"value": 1520, "plus_minus": 600, "provisional": True, "games": 7}
    async with database.writing() as connection:
        await connection.run_sync(migrations.upgrade, "expiry")
        await connection.execute(insert(schema.players), {"id": "p", "name": "P", "kind": "member", "created_at": 1})
        table = {"id": "t", "game": "realm", "rules_version": 1, "setup": {}, "seed": "s", "created_by": "p", "turn": 1}
        state = {"created_at": 1, "status": "over", "version": 1, "acting": [], "bot_due": False, "listed": False}
        await connection.execute(insert(schema.tables), {**table, **state, "updated_at": 1})
        changes = {"p": {"before": after, "after": after}}
        await connection.execute(insert(schema.rated_tables), {"table_id": "t", "at": 2.5, "changes": changes})
        await connection.run_sync(migrations.upgrade)
        rows = (await connection.execute(select(schema.rating_history))).all()
    assert [tuple(row) for row in rows] == [("p", "realm", 7, 1520, 600, 2.5)]
    await database.close()


@on_both_databases
async def test_seats_of_before_are_marked_if_their_game_is_over(url: str) -> None:
    database = Database(url)
    async with database.writing() as connection:
        await connection.run_sync(migrations.upgrade, "notifications")
        await connection.execute(insert(schema.players), {"id": "p", "name": "P", "kind": "member", "created_at": 1})
        table = {"game": "realm", "rules_version": 1, "setup": {}, "seed": "s", "created_by": "p", "turn": 1}
        state = {"created_at": 1, "version": 1, "acting": [], "bot_due": False, "listed": False, "updated_at": 1}
        for status in ("over", "running"):
            await connection.execute(insert(schema.tables), {"id": status, "status": status, **table, **state})
            seat = text("INSERT INTO seats (table_id, seat, player_id) VALUES (:table_id, 0, 'p')")
            await connection.execute(seat, {"table_id": status})
        await connection.run_sync(migrations.upgrade)
        columns = schema.seats.c
        rows = (await connection.execute(select(columns.table_id, columns.is_over).order_by(columns.table_id))).all()
    assert [tuple(row) for row in rows] == [("over", True), ("running", False)]
    await database.close()


@on_both_databases
async def test_names_of_before_are_compared_without_their_accents(url: str) -> None:
    database = Database(url)
    names = {"a": "Coc\u00f3", "b": "Coco", "c": "Ann\u00e1"}
    async with database.writing() as connection:
        await connection.run_sync(migrations.upgrade, "current_seats")
        for at, (player_id, name) in enumerate(names.items()):
            values = {"id": player_id, "name": name, "name_key": name.casefold(), "skeleton": name.casefold()}
            await connection.execute(insert(schema.players), {**values, "kind": "member", "created_at": at})
        await connection.run_sync(migrations.upgrade)
        columns = schema.players.c
        rows = (await connection.execute(select(columns.name, columns.skeleton).order_by(columns.id))).all()
    assert [tuple(row) for row in rows] == [("Coc\u00f3", "coco"), ("Coco", None), ("Ann\u00e1", "anna")]
    await database.close()


def test_the_head_is_the_last_revision() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    assert ScriptDirectory.from_config(config).get_heads() == [migrations.HEAD]


@pytest.mark.long
@on_both_databases
async def test_a_known_database_is_left_as_it_is(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    database = await connect(url)
    await add_players(database)
    async with database.reading() as connection:
        before = await connection.run_sync(read_layout)
    called: list[str] = []
    monkeypatch.setattr(migrations, "create", lambda _: called.append("create"))
    monkeypatch.setattr(migrations, "upgrade", lambda _: called.append("upgrade"))
    await migrate(url)
    assert called == []
    async with database.reading() as connection:
        assert await connection.run_sync(read_layout) == before
        assert (await connection.scalars(select(schema.players.c.id).order_by(schema.players.c.id))).all() == [*PLAYERS]
        assert (await connection.scalars(select(migrations.revisions.c.version_num))).all() == [migrations.HEAD]
    await database.close()


@pytest.mark.long
@on_both_databases
async def test_many_processes_may_start_at_once(url: str) -> None:
    databases = await asyncio.gather(*(connect(url) for _ in range(4)))
    await add_players(databases[0])
    for database in databases:
        async with database.reading() as connection:
            assert await connection.run_sync(differences) == []
            assert (await connection.scalars(select(migrations.revisions.c.version_num))).all() == [migrations.HEAD]
            assert await connection.scalar(select(func.count()).select_from(schema.players)) == len(PLAYERS)
        await database.close()


async def test_a_new_file_that_another_process_writes_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        waiting = asyncio.create_task(connect(f"sqlite:///{path}"))
        await asyncio.sleep(0.1)
        assert not waiting.done()
        other.execute("COMMIT")
        database = await waiting
    async with database.reading() as connection:
        assert await connection.run_sync(differences) == []
    await database.close()


@on_both_databases
async def test_a_newer_database_is_refused_and_left_as_it_is(url: str) -> None:
    database = await connect(url)
    async with database.writing() as connection:
        await connection.execute(update(migrations.revisions).values(version_num="9999"))
    with pytest.raises(Unavailable, match="newer version"):
        await connect(url)
    async with database.reading() as connection:
        assert await connection.scalar(select(migrations.revisions.c.version_num)) == "9999"
    await database.close()


@pytest.mark.parametrize("address", ["", "nonsense", "sqlite://", "sqlite:///:memory:", "mysql://me:secret@host/name"])
async def test_other_addresses_are_refused_without_repeating_a_password(address: str) -> None:
    with pytest.raises(BadInput, match="sqlite:///path") as refusal:
        await connect(address)
    assert "secret" not in str(refusal.value)
