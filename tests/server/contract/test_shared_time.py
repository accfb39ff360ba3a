"""Processes that share Redis share one time, whatever their wall clocks say."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from realmtable.server import steady_clock
from realmtable.server.steady_clock import REDIS_KEY, SteadyTime, TimeSharing
from tests.server.support.live_server import wait_until

pytestmark = pytest.mark.anyio
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
