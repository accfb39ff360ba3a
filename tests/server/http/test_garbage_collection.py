"""The garbage collector skips most of its work while there is no garbage, and still frees all of it in the end."""

from __future__ import annotations

import asyncio
import gc
import threading
import weakref
from collections.abc import Iterator

import pytest

from realmtable.server import garbage_collection
from realmtable.server.garbage_collection import FEW_OBJECTS, MAX_SKIPPED, SKIPPED_IN_A_ROW, SparingCollector


class Node:
    """An object that refers to itself, so that only the garbage collector frees it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def collector() -> Iterator[SparingCollector]:
    """A collector that has started, in a process where nothing else starts a collection."""
    before = gc.get_threshold()
    collector = SparingCollector()
    collector.start()
    assert gc.get_threshold() == garbage_collection.THRESHOLDS
    gc.disable()
    try:
        yield collector
    finally:
        gc.enable()
        gc.set_threshold(*before)
        gc.callbacks.remove(collector.on_collection)


def make_garbage(count: int = 1) -> weakref.ref[Node]:
    """Make cyclic garbage; return a reference to the first object of it."""
    nodes = [Node() for _ in range(count)]
    return weakref.ref(nodes[0])


def collect_young(times: int = 1) -> None:
    """Collect new objects, as Python does after a number of allocations."""
    for _ in range(times):
        gc.collect(0)


@pytest.mark.usefixtures("collector")
def test_collections_are_skipped_after_one_that_found_nothing() -> None:
    collect_young()  # a real one
    garbage, frozen = make_garbage(), gc.get_freeze_count()
    collect_young(SKIPPED_IN_A_ROW)
    assert gc.get_freeze_count() > frozen, "so that no later collection visits them"
    assert garbage() is not None
    fresh = make_garbage()
    collect_young()  # a real one
    assert garbage() is not None
    assert fresh() is None


@pytest.mark.usefixtures("collector")
def test_nothing_is_skipped_while_there_is_garbage() -> None:
    for _ in range(5):
        garbage = make_garbage(FEW_OBJECTS + 1)
        collect_young()
        assert garbage() is None


@pytest.mark.usefixtures("collector")
def test_collections_of_older_objects_are_never_skipped() -> None:
    collect_young()
    garbage = make_garbage()
    gc.collect(1)
    assert garbage() is None


def test_everything_is_collected_once_many_collections_were_skipped(
    collector: SparingCollector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(garbage_collection, "MAX_SKIPPED", 3)
    collect_young()
    garbage = make_garbage()

    async def skip(times: int) -> None:
        collect_young(times)
        await asyncio.sleep(0)

    asyncio.run(skip(2))
    assert garbage() is not None
    thread = threading.Thread(target=collect_young)  # there is no event loop that could collect everything
    thread.start()
    thread.join()
    assert garbage() is not None
    asyncio.run(skip(1))
    assert garbage() is None
    assert gc.get_freeze_count() > 0
    again = make_garbage()
    asyncio.run(skip(2))
    assert again() is not None, "the next full collection is due after as many again"
    collector.collect_all()
    assert again() is None


def test_full_collections_are_rare() -> None:
    assert MAX_SKIPPED * garbage_collection.THRESHOLDS[0] >= 10_000_000
