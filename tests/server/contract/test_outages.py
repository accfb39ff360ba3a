"""Only a time without any server process is an outage, and all processes know of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from realmtable.server import steady_clock
from realmtable.server.steady_clock import REDIS_KEY, SteadyTime, TimeSharing
from realmtable.server.storage.database import Database, connect
from realmtable.server.storage.outages import BEAT_S, GAP_S, RECONNECT_S, LostTime, Outages
from tests.server.contract.helpers import on_both_databases
from tests.server.support.live_server import wait_until

pytestmark = pytest.mark.anyio


class Process:
    """A server process whose clock tests set; `told` counts the outages that it has noticed while it ran."""

    def __init__(self, database: Database, now: float) -> None:
        self.now, self.told = now, 0
        self.outages = Outages(database, lambda: self.now)
        self.outages.on_outage = self.tell

    def tell(self) -> None:
        self.told += 1

    async def beat(self, now: float) -> None:
        self.now = now
        await self.outages.beat()


@on_both_databases
async def test_a_lone_process_leaves_out_all_time_since_the_last_beat(database: Database) -> None:
    first = Process(database, 1_000.0)
    assert await first.outages.latest_moment() == 0
    await first.outages.start(is_alone=True)
    assert not first.outages.has_outage_since(0.0, 1_000.0), "what was before is unknown"
    await first.beat(1_000.0 + BEAT_S)
    again = Process(database, 1_006.0)
    assert await again.outages.latest_moment() == 1_000 + BEAT_S
    await again.outages.start(is_alone=True)
    assert again.outages.has_outage_since(1_001.0, 1_006.0)
    assert again.outages.time_lost(1_001.0, 1_006.0) == LostTime(4 + RECONNECT_S, 1_006 + RECONNECT_S)
    for ahead in (0, 1):  # as of a process whose clock is ahead
        assert not again.outages.has_outage_since(1_006.0 + RECONNECT_S + ahead, 1_006.0), (
            "such a clock has left it out"
        )
    third = Process(database, 2_006.0)
    await third.outages.start(is_alone=True)
    assert third.outages.time_lost(1_001.0, 3_000.0) == LostTime(1_004 + RECONNECT_S, 2_006 + RECONNECT_S)
    assert third.told == 0


@on_both_databases
async def test_while_one_process_runs_there_is_no_outage(url: str) -> None:
    databases = [await connect(url) for _ in range(2)]
    one, other = (Process(database, 1_000.0) for database in databases)
    await one.outages.start(is_alone=True)
    await other.outages.start(is_alone=False)
    for now in range(1_005, 1_101, 5):
        await one.beat(now)
    await other.beat(1_100.0)  # it was paused
    replacement = Process(databases[1], 1_104.0)
    await replacement.outages.start(is_alone=False)
    processes = [one, other, replacement]
    assert not any(process.outages.has_outage_since(1_000.0, 1_104.0) for process in processes)
    # None of them can write for a while, and all notice it at once.
    await asyncio.gather(*(process.beat(1_200.0) for process in processes))
    for process in processes:
        await process.beat(1_200.0 + BEAT_S)
        assert process.outages.time_lost(1_050.0, 1_205.0).until == 1_200 + RECONNECT_S
        assert process.told == 1
    for database in databases:
        await database.close()


@on_both_databases
async def test_a_clock_that_was_set_back_by_days_goes_on_from_now(database: Database) -> None:
    wrong = Process(database, 900_000.0)
    await wrong.outages.start(is_alone=True)
    await wrong.beat(900_005.0)
    right = Process(database, 1_000.0)
    await right.outages.start(is_alone=True)
    assert await right.outages.latest_moment() == 1_000
    assert right.outages.time_lost(900_000.0, 1_000.0) == LostTime(-899_000, 1_000)
    await right.beat(1_000.0 + BEAT_S)
    assert not right.outages.has_outage_since(990.0, 1_005.0)


@on_both_databases
async def test_nobody_loses_on_time_before_an_outage_was_noticed(database: Database) -> None:
    process = Process(database, 1_000.0)
    await process.outages.start(is_alone=True)
    process.now += GAP_S
    await process.outages.require_beat()
    assert process.told == 0
    process.now += 1
    await process.outages.require_beat()
    assert process.told == 1
    assert process.outages.has_outage_since(1_000.0, process.now)


HOURS_S = 2 * 3600.0
START = 1_700_000_000.0


@pytest.fixture
async def redis(redis_url: str) -> AsyncIterator[Redis]:
    async with Redis.from_url(redis_url, decode_responses=True) as redis:
        await redis.delete(REDIS_KEY)
        yield redis
        await redis.delete(REDIS_KEY)


@pytest.mark.parametrize("boot", ["same", "another"])
async def test_a_process_that_joins_takes_the_time_of_the_others(redis: Redis, redis_url: str, boot: str) -> None:
    first = SteadyTime(lambda: START, lambda: 50.0, "same")
    sharing = TimeSharing(first, redis_url)
    await sharing.start()

    async def is_shared() -> bool:
        return bool(await redis.exists(REDIS_KEY))

    assert await wait_until(is_shared)
    second = SteadyTime(lambda: START + HOURS_S, lambda: 50.0, boot)
    joining = TimeSharing(second, redis_url)
    await joining.start()
    assert second.now() == first.now() == START
    assert 0 < await redis.ttl(REDIS_KEY) <= steady_clock.KEY_EXPIRY_S
    await joining.close()
    await sharing.close()


async def test_without_redis_a_process_starts_with_its_wall_clock() -> None:
    alone = SteadyTime(lambda: START, lambda: 50.0, "same")
    sharing = TimeSharing(alone, "redis://127.0.0.1:1/0")
    await sharing.start()
    await asyncio.sleep(0.05)
    assert alone.now() == START
    await sharing.close()
