"""`kill -9` of one of two server processes under load: its players go on at the other one, and no move is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from realmtable.engine import registry
from realmtable.engine.record import load_record
from realmtable.server import admin
from realmtable.server.storage.database import Database
from realmtable.server.storage.table_store import Event, TableStore
from tests.server.support.crowd import Crowd, Log, open_crowd
from tests.server.support.restartable_server import LINUX, RestartableServer

pytestmark = pytest.mark.anyio

TABLES = 4
KILLS = 2


@contextmanager
def prepare_servers(folder: Path, **settings: str) -> Iterator[list[RestartableServer]]:
    """Two servers with the same settings."""
    folders = [folder / "first", folder / "second"]
    for each in folders:
        each.mkdir()
    with RestartableServer(folders[0], **settings) as first, RestartableServer(folders[1], **settings) as second:
        yield [first, second]


async def play_through_kills(servers: list[RestartableServer], people: Crowd) -> None:
    """Play while the servers are killed in turn; the dead one returns after the other has gone on alone."""
    rng = Random(7)
    people.resend_share = 0.2
    people.start_tasks(*[people.play([await people.person() for _ in range(2)]) for _ in range(TABLES)])
    for kill in range(KILLS):
        victim = servers[kill % 2]
        await people.wait_for_acks(rng.randrange(20, 40))
        await asyncio.sleep(rng.uniform(0, 0.03))
        victim.kill()
        await people.wait_for_acks(20)  # at the other one
        if kill + 1 < KILLS:
            await victim.start()
    await people.stop()


def check_acks(log: Log, events: dict[str, list[Event]]) -> None:
    """Every acknowledged move is stored exactly once, as it was sent, in the order of the acknowledgements."""
    for table, stored in events.items():
        assert [event.version for event in stored] == list(range(1, len(stored) + 1))
        acks = [ack for ack in log.acks if ack.table == table]
        places = [[event for event in stored if event.key == ack.key] for ack in acks]
        assert [len(found) for found in places] == [1] * len(acks), "a move is lost or doubled"
        versions = [found[0].version for found in places]
        assert versions == sorted(versions)
        assert all(version <= ack.version for version, ack in zip(versions, acks, strict=True))
        assert [found[0].data["move"] for found in places] == [ack.move for ack in acks]
        steps = [event for event in stored if event.kind == "stepped"]
        assert {event.key for event in steps} == {ack.key for ack in acks}, "a move that nobody has sent"
        assert log.seen[table] <= stored[-1].version, "something shown was lost"


def moves_of_record(text: str) -> list[str]:
    """The moves of a record, one by one."""
    record, moves = load_record(text, registry.game), []
    for turn in record.turns:
        state = turn.before
        for move in turn.moves:
            moves.append(record.game.format_move(state, move))
            state = record.game.play(state, turn.seat, move)
    return moves


@pytest.mark.slow
@LINUX
async def test_one_of_two_processes_is_killed_and_no_acknowledged_move_is_lost(
    tmp_path: Path, postgresql_url: str, redis_url: str
) -> None:
    with prepare_servers(tmp_path, database_url=postgresql_url, redis_url=redis_url) as servers:
        await asyncio.gather(*(server.start() for server in servers))
        async with open_crowd([server.port for server in servers]) as people:
            await play_through_kills(servers, people)
            witness = await people.person()
            records = {table: (await witness.client.get(f"/api/tables/{table}/record")).text for table in people.tables}
    database = Database(postgresql_url)
    store = TableStore(database)
    try:
        events = {table: await store.events(table) for table in people.tables}
        check_acks(people.log, events)
        for table, stored in events.items():
            row = await store.table(table)
            assert row is not None
            assert list(admin.find_differences(row, stored, await store.snapshot(table))) == []
            steps = [str(event.data["move"]) for event in stored if event.kind == "stepped"]
            assert moves_of_record(records[table]) == steps
    finally:
        await store.close()
        await database.close()
    assert people.log.surprises == []
    assert people.log.breaks >= KILLS
    assert people.log.repeats > 10
    assert len(people.log.acks) > 40 * KILLS
