"""Stored data is returned unchanged, in order, and in the right lists."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import DBAPIError

from realmtable.engine.errors import BadInput
from realmtable.server.errors import NotFound, StaleVersion, Unavailable
from realmtable.server.storage import schema
from realmtable.server.storage.database import Database
from realmtable.server.storage.table_store import RecordRow, SeatRow, Snapshot, TableStore
from tests.server.contract.helpers import SEATS, append, event, on_both_databases, open_table, row, summary

pytestmark = [pytest.mark.anyio, on_both_databases]


async def test_a_table_comes_back_as_it_was(store: TableStore) -> None:
    result = {"ranking": [1, 2], "text": "naïve 🂡\u0000\ud800"}
    opened = row("t", status="over", acting=(0, 1), bot_due=True, deadline=12.25, result=result, listed=False)
    first = event(
        "t", 1, kind="created", seat=None, player_id=None, data={"big": 2**80, "deep": [{"a": None}]}, key="k"
    )
    await store.insert_table(opened, SEATS, [first])
    assert await store.table("t") == opened
    assert await store.events("t") == [first]
    assert await store.seats(["t", "nowhere"]) == {"t": list(SEATS), "nowhere": []}
    assert await store.table("nowhere") is None
    assert await store.events("nowhere") == []


async def test_events_are_appended_with_their_summary(store: TableStore) -> None:
    await open_table(store, "t")
    later = [event("t", 2), event("t", 3, kind="drew", seat=1, player_id="bob", key="k")]
    await store.append(later, summary(3, acting=(1,), deadline=7.5))
    assert [found.version for found in await store.events("t")] == [1, 2, 3]
    assert await store.events("t", after=1) == later
    found = await store.table("t")
    assert found is not None
    assert found.summary == summary(3, acting=(1,), deadline=7.5)


async def test_a_taken_version_is_refused_and_the_winner_kept(store: TableStore) -> None:
    await open_table(store, "t")
    await append(store, "t", 2, data={"move": "winner"})
    before = await store.table("t")
    with pytest.raises(StaleVersion):
        await store.append([event("t", 2), event("t", 3)], summary(3), [SeatRow(0, "bob", None)], Snapshot(3, {}))
    assert [found.data for found in await store.events("t", after=1)] == [{"move": "winner"}]
    assert await store.table("t") == before
    assert await store.seats(["t"]) == {"t": list(SEATS)}
    assert await store.snapshot("t") is None


async def test_a_gap_is_refused(store: TableStore) -> None:
    await open_table(store, "t")
    with pytest.raises(StaleVersion):
        await append(store, "t", 3)
    assert len(await store.events("t")) == 1


async def test_a_senders_key_counts_once(store: TableStore) -> None:
    await open_table(store, "t")
    await open_table(store, "u")
    await append(store, "t", 2, key="k")
    with pytest.raises(StaleVersion):
        await append(store, "t", 3, key="k")
    await append(store, "t", 3, key="k", player_id="bob")
    await append(store, "u", 2, key="k")
    assert [(found.player_id, found.key) for found in await store.events("t", after=1)] == [("ann", "k"), ("bob", "k")]


async def test_an_id_is_given_once(store: TableStore) -> None:
    await open_table(store, "t")
    with pytest.raises(StaleVersion):
        await open_table(store, "t", game="other")
    found = await store.table("t")
    assert found is not None
    assert found.game == "realm"


async def test_what_is_not_there_cannot_be_named(store: TableStore) -> None:
    with pytest.raises(NotFound, match="Table 'nowhere' does not exist"):
        await append(store, "nowhere", 2)
    await open_table(store, "t")
    with pytest.raises(NotFound, match="player"):
        await append(store, "t", 2, player_id="nobody")
    await append(store, "t", 2)


async def test_mistakes_of_ours_are_found_before_they_are_stored(store: TableStore) -> None:
    await open_table(store, "t")
    with pytest.raises(ValueError, match="at least one event"):
        await store.append([], summary(1))
    with pytest.raises(ValueError, match="do not lead table t from version 2 to 3"):
        await store.append([event("t", 2)], summary(3))
    with pytest.raises(ValueError, match="do not lead table t"):
        await store.append([event("t", 2), event("u", 3)], summary(3))


async def test_seats_are_replaced_one_by_one(store: TableStore) -> None:
    await open_table(store, "t")
    await store.append([event("t", 2, kind="sat")], summary(2), [SeatRow(1, None, "greedy")])
    assert await store.seats(["t"]) == {"t": [SEATS[0], SeatRow(1, None, "greedy")]}


async def test_the_latest_snapshot_is_kept(store: TableStore, database: Database) -> None:
    await open_table(store, "t")
    assert await store.snapshot("t") is None
    await store.append([event("t", 2)], summary(2), snapshot=Snapshot(2, {"state": [1]}))
    await store.append([event("t", 3)], summary(3), snapshot=Snapshot(3, {"state": [2]}))
    await append(store, "t", 4)
    assert await store.snapshot("t") == Snapshot(3, {"state": [2]})
    async with database.reading() as connection:
        assert await connection.scalar(select(func.count()).select_from(schema.snapshots)) == 1


async def test_the_lobby_shows_listed_tables_newest_first(store: TableStore) -> None:
    for number in range(4):
        await open_table(store, f"t{number}", status="open", updated_at=float(number))
    await open_table(store, "other", status="open", game="other", updated_at=9.0)
    await open_table(store, "hidden", status="open", listed=False)
    await open_table(store, "running", status="running")
    assert [found.id for found in await store.list_tables("open")] == ["other", "t3", "t2", "t1", "t0"]
    assert [found.id for found in await store.list_tables("open", game="realm", limit=2)] == ["t3", "t2"]
    assert [found.id for found in await store.list_tables("running")] == ["running"]


async def test_a_player_finds_their_tables_page_by_page(store: TableStore) -> None:
    for number in range(5):
        await open_table(store, f"t{number}", updated_at=float(number), listed=False)
    await store.insert_table(row("alone"), [SeatRow(0, "bob", None), SeatRow(1, "bob", None)], [event("alone", 1)])
    first = await store.list_tables_of("ann", limit=3)
    assert [found.id for found in first] == ["t4", "t3", "t2"]
    rest = await store.list_tables_of("ann", limit=3, before=first[-1].summary.updated_at)
    assert [found.id for found in rest] == ["t1", "t0"]
    assert sum(found.id == "alone" for found in await store.list_tables_of("bob")) == 1


async def test_games_that_wait_for_a_player_are_counted(store: TableStore, database: Database) -> None:
    for name in ("mine", "ended later"):
        await open_table(store, name)
    await open_table(store, "theirs", acting=(1,))
    await open_table(store, "open", status="open")
    await open_table(store, "over at once", status="over")
    bots = [SeatRow(0, "ann", None), SeatRow(1, "bob", "level1")]
    await store.insert_table(row("against a bot"), bots, [event("against a bot", 1)])
    assert await store.count_waiting("ann") == 2
    await store.append([event("ended later", 2)], summary(2, status="over"), [SeatRow(1, "ann", None)])
    assert await store.count_waiting("ann") == 1
    columns = schema.seats.c
    seated = select(columns.table_id).where(columns.player_id == "ann")
    async with database.reading() as connection:
        current = (await connection.scalars(seated.where(~columns.is_over).order_by(columns.table_id))).all()
        assert current == ["against a bot", "mine", "open", "theirs"]  # found without a look at finished games
        assert len((await connection.scalars(seated.where(columns.is_over))).all()) == 3


async def test_sweepers_find_what_is_due(store: TableStore) -> None:
    await open_table(store, "late", deadline=10.0)
    await open_table(store, "later", deadline=5.0)
    await open_table(store, "in time", deadline=11.0)
    await open_table(store, "no clock")
    await open_table(store, "ended", deadline=1.0, status="over")
    await open_table(store, "bot", bot_due=True, updated_at=4.0)
    await open_table(store, "busy bot", bot_due=True, updated_at=5.0)
    await open_table(store, "done bot", bot_due=True, status="over", updated_at=1.0)
    assert await store.overdue_tables(10.0) == ["later", "late"]
    assert await store.tables_waiting_for_bots(5.0) == ["bot"]


async def test_records_are_kept(store: TableStore) -> None:
    record = RecordRow("r", "realm", "[Game realm]\n1. a1b2 é\n" * 1000, "ann", 2.5)
    await store.add_record(record)
    assert await store.record("r") == record
    assert await store.record("s") is None


async def test_odd_characters_and_numbers_are_refused_or_found_nowhere(store: TableStore, database: Database) -> None:
    await open_table(store, "t")
    questions: dict[str, Callable[[], Awaitable[object]]] = {
        "nul": lambda: store.table("nul\0"),
        "half": lambda: store.table("half\ud800"),
        "number": lambda: store.events("t", after=2**70),
    }
    # SQLite looks for a character that PostgreSQL refuses to take; it finds nothing.
    nowhere = {"nul": None} if database.dialect == "sqlite" else {}
    for name, ask in questions.items():
        if name in nowhere:
            assert await ask() is nowhere[name]
        else:
            with pytest.raises(BadInput, match="cannot be stored"):
                await ask()
    with pytest.raises(BadInput):
        await append(store, "t", 2, key="half\ud800")
    await append(store, "t", 2)
    assert [found.version for found in await store.events("t")] == [1, 2]


async def write_marker(database: Database) -> object:
    """Something that is another after every committed write, and the same after a read."""
    # SQLite's number changes with the writes of other connections than the one that asks.
    asked = {"postgresql": "SELECT xmin::text FROM alembic_version", "sqlite": "PRAGMA data_version"}
    async with database.reading() as connection:
        return await connection.scalar(text(asked[database.dialect]))


async def test_a_ping_writes_and_finds_its_way_back(store: TableStore, database: Database, url: str) -> None:
    watcher = Database(url)
    before = await write_marker(watcher)
    assert await write_marker(watcher) == before
    await store.ping()
    after_one = await write_marker(watcher)
    assert after_one != before
    await database.close()
    await store.ping()  # the pool opens again by itself
    assert await write_marker(watcher) != after_one
    await watcher.close()


async def test_a_ping_is_refused_where_nothing_can_be_written(store: TableStore, database: Database) -> None:
    async with database.writing() as connection:
        await connection.execute(text("ALTER TABLE alembic_version RENAME TO elsewhere"))
    with pytest.raises(DBAPIError):  # whatever it is, it does not pass for a database that is well
        await store.ping()


async def test_a_closed_store_takes_no_more(store: TableStore) -> None:
    await open_table(store, "t")
    await store.close()
    with pytest.raises(Unavailable):
        await append(store, "t", 2)
    assert len(await store.events("t")) == 1
