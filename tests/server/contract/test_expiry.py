"""Data of guests expires; tables that involve a named account are kept."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import func, insert, select, update

from realmtable.server.errors import NotFound
from realmtable.server.storage import expiry as module
from realmtable.server.storage import schema
from realmtable.server.storage.database import Database
from realmtable.server.storage.expiry import DAY_S, Expiry, ExpiryTerms
from realmtable.server.storage.table_store import RecordRow, SeatRow, Snapshot, TableStore
from tests.server.contract.helpers import append, event, gather_outcomes, on_both_databases, row, summary

pytestmark = pytest.mark.anyio

NOW = 1_000 * DAY_S
TERMS = ExpiryTerms(abandoned_days=14, guest_days=90, session_days=365)
OLD = NOW - 200 * DAY_S
NONE = {"tables": 0, "records": 0, "guests": 0}


@pytest.fixture
async def people(database: Database) -> Database:
    """Ann and Bob are guests, seen lately; Eve, a member; Robin, a bot; Gus, a guest who never came back."""
    async with database.writing() as connection:
        others = [("eve", "member"), ("robin", "bot"), ("gus", "guest")]
        rows = [{"id": name, "name": name, "kind": kind, "created_at": OLD} for name, kind in others]
        await connection.execute(insert(schema.players), rows)
        for name, seen in (("ann", NOW - DAY_S), ("bob", NOW - DAY_S), ("gus", OLD)):
            session = {"token_hash": name, "player_id": name, "created_at": OLD, "expires_at": seen + 365 * DAY_S}
            await connection.execute(insert(schema.sessions), session)
    return database


async def store_table(
    store: TableStore, name: str, at: float, seats: Sequence[str] = ("ann", "bob"), by: str = "ann", **changes: Any
) -> None:
    """A table with one event after its first, at which something happened last at a moment."""
    facts = row(name, created_by=by, updated_at=at, **changes)
    rows = [SeatRow(seat, player, None) for seat, player in enumerate(seats)]
    await store.insert_table(facts, rows, [event(name, 1, kind="created", player_id=by, data={}, at=at)])
    later = facts.summary._replace(version=2)
    await store.append([event(name, 2, player_id=seats[0], at=at)], later, snapshot=Snapshot(2, {"state": []}))


async def ids(database: Database, source: Any = schema.tables) -> set[str]:
    async with database.reading() as connection:
        return set((await connection.execute(select(source.c.id))).scalars())


async def count(database: Database, source: Any) -> int:
    async with database.reading() as connection:
        return int(await connection.scalar(select(func.count()).select_from(source)) or 0)


async def expire(database: Database, terms: ExpiryTerms = TERMS) -> dict[str, int]:
    """Remove expired rows; check the announcement, except for guests whose last table was removed."""
    announced = await Expiry(database, terms, NOW).count()
    gone = await Expiry(database, terms, NOW).remove()
    assert NONE | announced | {"guests": 0} == gone | {"guests": 0}
    assert announced.get("guests", 0) <= gone["guests"]
    return gone


@on_both_databases
async def test_guests_games_go_after_their_days(store: TableStore, people: Database) -> None:
    days = DAY_S
    await store_table(store, "open old", NOW - 15 * days, status="open")
    await store_table(store, "open new", NOW - 13 * days, status="open")
    await store_table(store, "running old", NOW - 15 * days)
    await store_table(store, "running new", NOW - 13 * days)
    await store_table(store, "halted old", NOW - 15 * days, status="halted")
    await store_table(store, "over old", NOW - 91 * days, status="over")
    await store_table(store, "over new", NOW - 89 * days, status="over")
    assert (await expire(people))["tables"] == 4
    assert await ids(people) == {"open new", "running new", "over new"}
    for source in (schema.events, schema.seats):
        assert await count(people, source) == 6
    assert await count(people, schema.snapshots) == 3
    assert await expire(people) == NONE


async def test_a_correspondence_game_is_not_abandoned_while_there_is_time(store: TableStore, people: Database) -> None:
    await store_table(store, "in time", NOW - 40 * DAY_S, deadline=NOW + 20 * DAY_S)
    await store_table(store, "out of time", NOW - 40 * DAY_S, deadline=NOW - 10 * DAY_S)
    await expire(people)
    assert await ids(people) == {"in time"}


async def test_what_a_named_account_takes_part_in_stays(store: TableStore, people: Database) -> None:
    await store_table(store, "opened", OLD, by="eve", status="over")
    await store_table(store, "sat", OLD, ("ann", "eve"), status="over")
    await store_table(store, "spoke", OLD, status="over")
    await store.append([event("spoke", 3, kind="chatted", player_id="eve")], summary(3, status="over", updated_at=OLD))
    await store_table(store, "analysed", OLD, status="over")
    await store_table(store, "asked for now", OLD, status="over")
    await store_table(store, "analysed by a guest", OLD, status="over")
    await store_table(store, "against a bot", OLD, ("ann", "robin"), status="over")
    for name, by, status in (
        ("analysed", "eve", "done"),
        ("asked for now", "ann", "waiting"),
        ("analysed by a guest", "ann", "done"),
    ):
        async with people.writing() as connection:
            await connection.execute(insert(schema.analyses), analysis(f"table:{name}", by, status))
    assert (await expire(people))["tables"] == 2
    assert await ids(people) == {"opened", "sat", "spoke", "analysed", "asked for now"}
    async with people.reading() as connection:
        left = set((await connection.execute(select(schema.analyses.c.source))).scalars())
    assert left == {"table:analysed", "table:asked for now"}


def analysis(source: str, by: str, status: str) -> dict[str, Any]:
    facts = {"engine": 1, "game": "realm", "done": 0, "total": 0, "message": "", "asked_at": OLD, "beat_at": OLD}
    return {"source": source, "asked_by": by, "status": status, **facts}


async def test_guests_who_claim_a_name_keep_what_they_played(store: TableStore, people: Database) -> None:
    await store_table(store, "t", OLD, status="over")
    await store.add_record(RecordRow("r", "realm", "text", "gus", OLD))
    async with people.writing() as connection:
        claimed = schema.players.c.id.in_(["bob", "gus"])
        await connection.execute(update(schema.players).where(claimed).values(kind="member"))
    assert await expire(people) == NONE


@on_both_databases
async def test_a_rated_game_goes_with_its_count_and_the_ratings_stay(store: TableStore, people: Database) -> None:
    await store_table(store, "t", OLD, status="over")
    rated = {"game": "realm", "mu": 25.0, "sigma": 8.0, "games": 1, "updated_at": OLD}
    async with people.writing() as connection:
        await connection.execute(insert(schema.rated_tables), {"table_id": "t", "at": OLD, "changes": {}})
        await connection.execute(insert(schema.ratings), [{"player_id": name, **rated} for name in ("ann", "bob")])
    await expire(people)
    assert await count(people, schema.rated_tables) == 0
    assert await count(people, schema.ratings) == 2


@on_both_databases
async def test_records_go_when_their_guest_has_gone(store: TableStore, people: Database) -> None:
    for name, by, at in (
        ("of who is here", "ann", OLD),
        ("of who is gone", "gus", OLD),
        ("new", "gus", NOW - DAY_S),
        ("of a member", "eve", OLD),
        ("asked for", "gus", OLD),
    ):
        await store.add_record(RecordRow(name, "realm", "text", by, at))
    async with people.writing() as connection:
        await connection.execute(insert(schema.analyses), analysis("record:of who is gone", "ann", "done"))
        await connection.execute(insert(schema.analyses), analysis("record:asked for", "eve", "done"))
    assert (await expire(people))["records"] == 1
    assert await ids(people, schema.records) == {"of who is here", "new", "of a member", "asked for"}
    assert await count(people, schema.analyses) == 1


@on_both_databases
async def test_guests_who_did_not_come_back_go_with_all_that_is_theirs_alone(
    store: TableStore, people: Database
) -> None:
    async with people.writing() as connection:
        solved = {"player_id": "gus", "puzzle": "p", "day": 0, "game": "realm", "at": OLD}
        await connection.execute(insert(schema.solves), solved)
        rated = {"game": "realm", "mu": 25.0, "sigma": 8.0, "games": 1, "updated_at": OLD}
        await connection.execute(insert(schema.ratings), {"player_id": "gus", **rated})
        rating = {"player_id": "gus", "game": "realm", "number": 1, "value": 1500, "plus_minus": 600, "at": OLD}
        await connection.execute(insert(schema.rating_history), rating)
        mutes = [{"player_id": "gus", "muted_id": "ann", "at": OLD}, {"player_id": "ann", "muted_id": "gus", "at": OLD}]
        await connection.execute(insert(schema.mutes), mutes)
        link = {"token_hash": "l", "player_id": "gus", "created_at": OLD, "expires_at": OLD}
        await connection.execute(insert(schema.sign_in_links), link)
    await store_table(store, "t", OLD, ("gus", "robin"), by="gus", status="over")
    assert await expire(people) == {"tables": 1, "records": 0, "guests": 1}
    assert await ids(people, schema.players) == {"ann", "bob", "eve", "robin"}
    for source in (schema.solves, schema.ratings, schema.rating_history, schema.mutes, schema.sign_in_links):
        assert await count(people, source) == 0
    assert await count(people, schema.sessions) == 2


async def test_a_guest_whom_others_have_met_stays(store: TableStore, people: Database) -> None:
    await store_table(store, "t", OLD, ("eve", "gus"), status="over")
    assert await expire(people) == NONE


@on_both_databases
async def test_days_of_nothing_keep_everything(store: TableStore, people: Database) -> None:
    await store_table(store, "a", OLD, status="over")
    await store_table(store, "b", OLD, status="open")
    await store.add_record(RecordRow("r", "realm", "text", "gus", OLD))
    assert await expire(people, ExpiryTerms(0, 0, 365)) == NONE
    assert await expire(people, ExpiryTerms(14, 0, 365)) == {"tables": 1, "records": 0, "guests": 0}


async def test_many_go_in_small_transactions_and_nothing_is_forgotten(
    store: TableStore, people: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CHUNK", 3)
    for number in range(10):
        await store_table(store, f"t{number}", OLD, status="over")
        await store_table(store, f"kept{number}", OLD, ("ann", "eve"), status="over")
    told: list[list[str]] = []

    async def tell(ids: Sequence[str]) -> None:
        told.append([*ids])

    assert (await Expiry(people, TERMS, NOW, tell).remove())["tables"] == 10
    assert [len(ids) for ids in told] == [3, 3, 3, 1]
    assert await ids(people) == {f"kept{number}" for number in range(10)}


@pytest.mark.long
@on_both_databases
async def test_who_plays_on_meanwhile_keeps_the_table_or_is_told_that_it_is_gone(
    store: TableStore, other_store: TableStore, people: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CHUNK", 1)
    names = [f"t{number:02}" for number in range(20)]
    for name in names:
        await store_table(store, name, OLD)
    late = summary(3, updated_at=NOW)
    moves = [other_store.append([event(name, 3, at=NOW)], late) for name in reversed(names)]
    found = (await asyncio.gather(Expiry(people, TERMS, NOW).remove(), gather_outcomes(*moves)))[1]
    left = await ids(people)
    for name, answer in zip(reversed(names), found, strict=True):
        assert (name in left) == (answer is None)
        assert answer is None or isinstance(answer, NotFound)
        assert len(await store.events(name)) == (3 if name in left else 0)
    if gone := set(names) - left:
        with pytest.raises(NotFound):
            await append(store, gone.pop(), 3)


@pytest.mark.long
@on_both_databases
async def test_two_processes_may_do_it_at_once(store: TableStore, people: Database, url: str) -> None:
    for number in range(30):
        await store_table(store, f"t{number}", OLD, status="over")
    other = Database(url)
    gone = await asyncio.gather(Expiry(people, TERMS, NOW).remove(), Expiry(other, TERMS, NOW).remove())
    await other.close()
    assert sum(each["tables"] for each in gone) == 30
    assert await ids(people) == set()
