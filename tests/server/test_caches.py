"""Caches, and tasks that several requests share."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from realmtable.server.errors import RateLimited, Unavailable
from realmtable.server.shared_tasks import SharedTasks
from realmtable.server.sized_cache import SizedCache

pytestmark = pytest.mark.anyio


def test_a_sized_cache_keeps_what_was_used_last() -> None:
    cache: SizedCache[str, str] = SizedCache(10, len)
    for key in "aba":
        cache.put(key, "12345")  # put again, so that b is older now
    assert (len(cache), cache.size) == (2, 10)
    assert cache.get("b")
    cache.put("c", "1")
    assert [cache.get(key) for key in "abc"] == [None, "12345", "1"]
    cache.put("c", "123")
    assert cache.size == 8
    cache.put("d", "1234567890123")  # larger than the cache: alone
    assert [cache.get(key) for key in "bcd"] == [None, None, "1234567890123"]
    assert cache.size == 13
    cache.clear()
    assert (len(cache), cache.size, cache.get("d")) == (0, 0, None)


def test_a_sized_cache_may_be_limited_by_number() -> None:
    cache: SizedCache[int, str] = SizedCache(1_000, len, max_count=2)
    for key in range(3):
        cache.put(key, "x")
    assert [cache.get(key) for key in range(3)] == [None, "x", "x"]


class Work:
    """Notes who started it, and raises a refusal if there is one for them."""

    def __init__(self, **refusals: Exception) -> None:
        self.refusals = refusals
        self.started: list[str] = []

    def by(self, name: str) -> Callable[[], asyncio.Future[str]]:
        async def run() -> str:
            self.started.append(name)
            await asyncio.sleep(0.01)
            if name in self.refusals:
                raise self.refusals[name]
            return f"done by {name}"

        return lambda: asyncio.ensure_future(run())


async def test_all_who_ask_at_once_share_one_task() -> None:
    tasks, work = SharedTasks[str](), Work()
    found = await asyncio.gather(
        *(tasks.run("a", work.by(name)) for name in ("ann", "bob")), tasks.run("b", work.by("eve"))
    )
    assert found == ["done by ann", "done by ann", "done by eve"]
    assert await tasks.run("a", work.by("bob")) == "done by bob"


async def test_the_limits_of_the_first_do_not_concern_the_second_but_failures_do() -> None:
    for refusal, started in ((RateLimited("Too much.", 60), ["ann", "bob"]), (Unavailable("Away."), ["ann"])):
        tasks, work = SharedTasks[str](), Work(ann=refusal)
        found = await asyncio.gather(
            *(tasks.run("a", work.by(name)) for name in ("ann", "bob", "eve")), return_exceptions=True
        )
        assert work.started == started
        assert found == [refusal, *["done by bob" if len(started) > 1 else refusal] * 2]


async def test_a_task_goes_on_without_the_one_who_started_it() -> None:
    tasks, work = SharedTasks[str](), Work()
    first = asyncio.ensure_future(tasks.run("a", work.by("ann")))
    await asyncio.sleep(0)
    second = asyncio.ensure_future(tasks.run("a", work.by("bob")))
    await asyncio.sleep(0)
    first.cancel()
    assert await second == "done by ann"
    third = asyncio.ensure_future(tasks.run("a", work.by("eve")))
    await asyncio.sleep(0)
    tasks.cancel()
    with pytest.raises(asyncio.CancelledError):
        await third


async def test_a_task_that_was_cancelled_before_it_began_does_not_stand_in_for_the_next() -> None:
    tasks, work = SharedTasks[str](), Work()
    first = asyncio.ensure_future(tasks.run("a", work.by("ann")))
    await asyncio.sleep(0)
    tasks.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    assert await tasks.run("a", work.by("bob")) == "done by bob"
