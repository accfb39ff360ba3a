"""Concurrent writers: each event is stored once, a conflict fails alone, and no writer waits forever."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import event as sql_events

from realmtable.server.errors import NotFound, StaleVersion
from realmtable.server.storage.database import Database
from realmtable.server.storage.table_store import SeatRow, Snapshot, TableStore
from tests.server.contract.helpers import append, event, gather_outcomes, on_both_databases, open_table, row, summary

pytestmark = [pytest.mark.anyio, on_both_databases]

TIMEOUT_S = 60


async def open_tables(store: TableStore, count: int) -> list[str]:
    names = [f"t{number:03}" for number in range(count)]
    await asyncio.gather(*(open_table(store, name) for name in names))
    return names


@pytest.mark.long
async def test_concurrent_appends_all_land_and_one_conflict_fails_alone(store: TableStore, database: Database) -> None:
    names = await open_tables(store, 200)
    await append(store, names[77], 2, data={"move": "winner"})
    commits = 0

    def count(_: object) -> None:
        nonlocal commits
        commits += 1

    sql_events.listen(database.engine.sync_engine, "commit", count)
    found = await gather_outcomes(*(append(store, name, 2) for name in names))
    assert [number for number, refusal in enumerate(found) if refusal is not None] == [77]
    assert isinstance(found[77], StaleVersion)
    assert commits <= 10, "they shared their transactions"
    moves = {name: [later.data["move"] for later in await store.events(name, after=1)] for name in names}
    assert moves == {name: ["m2"] for name in names} | {names[77]: ["winner"]}


async def test_what_only_the_database_finds_fails_alone_too(store: TableStore) -> None:
    names = await open_tables(store, 20)
    await append(store, names[3], 2, key="k")
    attempts = [append(store, name, 2) for name in names[4:]]
    found = await gather_outcomes(
        append(store, names[0], 2, player_id="nobody"), append(store, names[3], 3, key="k"), *attempts, store.ping()
    )
    assert isinstance(found[0], NotFound)
    assert isinstance(found[1], StaleVersion)
    assert found[2:] == [None] * (len(attempts) + 1)
    assert [len(await store.events(name)) for name in names[4:]] == [2] * 16
    assert [len(await store.events(name)) for name in names[:4]] == [1, 1, 1, 2]


async def test_a_table_may_move_on_within_one_transaction(store: TableStore) -> None:
    seat, snapshot = SeatRow(0, "bob", None), Snapshot(3, {"at": 3})
    found = await gather_outcomes(
        store.insert_table(row("t"), [SeatRow(0, "ann", None)], [event("t", 1)]),
        store.append([event("t", 2)], summary(2), [SeatRow(0, None, None)], Snapshot(2, {"at": 2})),
        store.append([event("t", 2, data={"move": "loser"})], summary(2)),
        store.append([event("t", 3)], summary(3), [seat], snapshot),
    )
    assert [type(refusal) for refusal in found] == [type(None), type(None), StaleVersion, type(None)]
    assert [later.data["move"] for later in await store.events("t")] == ["m1", "m2", "m3"]
    assert await store.seats(["t"]) == {"t": [seat]}
    assert await store.snapshot("t") == snapshot


@pytest.mark.long
async def test_two_processes_race_and_one_wins_each(store: TableStore, other_store: TableStore) -> None:
    names = await open_tables(store, 50)
    async with asyncio.timeout(TIMEOUT_S):
        for version in (2, 3, 4):
            # Opposite orders: without a common one, two transactions could each hold what the other needs.
            ours = [append(store, name, version, data={"by": "us"}) for name in names]
            theirs = [append(other_store, name, version, data={"by": "them"}) for name in reversed(names)]
            found = await gather_outcomes(*ours, *theirs)
            for number, name in enumerate(names):
                us, them = found[number], found[len(names) + len(names) - 1 - number]
                assert (us is None) != (them is None)
                assert isinstance(us or them, StaleVersion)
                assert [later.data for later in await store.events(name, after=version - 1)] == [
                    {"by": "us" if us is None else "them"}
                ]


async def test_a_caller_who_leaves_takes_nobody_along(store: TableStore) -> None:
    names = await open_tables(store, 3)
    leaving, staying, later = (asyncio.create_task(append(store, name, 2)) for name in names)
    await asyncio.sleep(0)
    leaving.cancel()
    await asyncio.gather(staying, later)
    assert [len(await store.events(name)) for name in names[1:]] == [2, 2]
    with pytest.raises(asyncio.CancelledError):
        await leaving


async def test_closing_finishes_what_was_asked(store: TableStore) -> None:
    names = await open_tables(store, 5)
    tasks = [asyncio.create_task(append(store, name, 2)) for name in names]
    await asyncio.sleep(0)
    await store.close()
    assert all(task.done() and task.exception() is None for task in tasks) or await asyncio.gather(*tasks)
    assert [len(await store.events(name)) for name in names] == [2] * 5


async def test_changes_of_all_kinds_share_a_batch(store: TableStore, other_store: TableStore) -> None:
    names = await open_tables(store, 6)
    plain, long, over, stale, seated, unstorable = names
    await append(other_store, stale, 2, data={"move": "winner"})
    snapshot, seat, result = Snapshot(2, {"at": 2}), SeatRow(0, "bob", None), {"winner": [0]}
    found = await gather_outcomes(
        store.append([event(plain, 2), event(plain, 3, key="k")], summary(3, acting=(0, 1), deadline=5.5)),
        store.append([event(long, 2)], summary(2), snapshot=snapshot),
        store.append([event(over, 2)], summary(2, status="over", result=result)),
        store.append([event(stale, 2)], summary(2)),
        store.append([event(seated, 2)], summary(2), [seat]),
        store.append([event("missing", 2)], summary(2)),
        store.insert_table(row("new"), [seat], [event("new", 1)]),
    )
    kinds = [type(None)] * 3 + [StaleVersion, type(None), NotFound, type(None)]
    assert [type(refusal) for refusal in found] == kinds
    assert [(later.version, later.key) for later in await store.events(plain, after=1)] == [(2, None), (3, "k")]
    summaries = {name: await store.table(name) for name in (*names, "new")}
    assert {name: table.summary.version for name, table in summaries.items() if table} == {
        plain: 3,
        long: 2,
        over: 2,
        stale: 2,
        seated: 2,
        unstorable: 1,
        "new": 1,
    }
    changed, ended = summaries[plain], summaries[over]
    assert changed is not None
    assert changed.summary == summary(3, acting=(0, 1), deadline=5.5)
    assert ended is not None
    assert ended.summary.result == result
    assert await store.snapshot(long) == snapshot
    assert (await store.seats([seated]))[seated][0] == seat
    await store.append([event(long, 3)], summary(3), snapshot=Snapshot(3, {"at": 3}))
    assert await store.snapshot(long) == Snapshot(3, {"at": 3})
