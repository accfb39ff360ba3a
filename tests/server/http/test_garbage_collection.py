"""The server collects garbage in idle moments, and its memory stays bounded however much garbage there is."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Iterator

import pytest

from realmtable.server.garbage_collection import (
    CHECK_EVERY_S,
    FEW_OBJECTS,
    GROWTH_BYTES,
    IDLE_CHECKS,
    MANY_OBJECTS,
    REST_FACTOR,
    QuietCollector,
    read_memory,
)


class Node:
    """An object that refers to itself, so that only the garbage collector frees it."""

    def __init__(self, size: int = 0) -> None:
        self.itself, self.content = self, b"x" * size


class Memory:
    """A fake measure of the memory that the process uses."""

    def __init__(self) -> None:
        self.used: int | None = 100

    def __call__(self) -> int | None:
        return self.used


@pytest.fixture(autouse=True)
def nothing_else_collects() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def make_garbage(count: int = 1) -> weakref.ref[Node]:
    """Make cyclic garbage; return a reference to the first object of it."""
    nodes = [Node() for _ in range(count)]
    return weakref.ref(nodes[0])


def test_a_busy_server_collects_nothing_until_memory_has_grown() -> None:
    memory = Memory()
    collector = QuietCollector(memory)
    garbage, kept = make_garbage(), list[list[Node]]()
    for check in range(10):
        kept.append([Node() for _ in range(2 * FEW_OBJECTS)])  # work goes on
        collector.check(check * CHECK_EVERY_S)
    assert garbage() is not None
    memory.used = 100 + 2 * GROWTH_BYTES
    collector.check(2)
    assert garbage() is None


def test_an_idle_server_collects_what_is_new() -> None:
    collector, garbage = QuietCollector(Memory()), make_garbage(FEW_OBJECTS + 1)
    for check in range(IDLE_CHECKS + 1):
        assert garbage() is not None
        collector.check(check * CHECK_EVERY_S)
    assert garbage() is None


@pytest.mark.long
def test_old_garbage_is_collected_once_memory_has_grown() -> None:
    memory, node = Memory(), Node()
    garbage, collector = weakref.ref(node), QuietCollector(memory)
    gc.collect()  # now it is old
    del node
    gc.collect(1)
    assert garbage() is not None
    memory.used = 100 + 2 * GROWTH_BYTES
    collector.check(0)
    assert garbage() is None


@pytest.mark.long
def test_full_collections_take_a_small_part_of_the_time() -> None:
    memory = Memory()
    collector = QuietCollector(memory)
    memory.used = 2 * GROWTH_BYTES
    collector.check(0)
    first, memory.used = make_garbage(), 4 * GROWTH_BYTES
    collector.check(0.000_001 * REST_FACTOR)
    assert first() is not None, "too early"
    collector.check(10_000_000)
    assert first() is None


@pytest.mark.long
def test_without_a_figure_for_memory_new_objects_count() -> None:
    memory = Memory()
    memory.used = None
    collector, garbage = QuietCollector(memory), make_garbage()
    kept = [list[int]() for _ in range(MANY_OBJECTS + 1)]
    collector.check(0)
    assert garbage() is None
    assert len(kept) > MANY_OBJECTS


@pytest.mark.long
@pytest.mark.skipif(read_memory() is None, reason="this system does not say how much memory a process uses")
def test_memory_stays_bounded_whatever_garbage_there_is() -> None:
    async def make_much() -> int:
        task = asyncio.ensure_future(QuietCollector().run())
        await asyncio.sleep(0)
        before, most = read_memory() or 0, 0
        for _ in range(40):
            for _ in range(10):
                Node(1_000_000)  # 400 MB in all
            await asyncio.sleep(0.05)
            most = max(most, (read_memory() or 0) - before)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return most

    assert asyncio.run(make_much()) < 3 * GROWTH_BYTES
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0
    gc.disable()
