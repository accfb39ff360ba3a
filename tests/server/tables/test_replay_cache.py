"""Stored records are parsed once for all readers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from realmtable.server.errors import NotFound, RateLimited
from realmtable.server.fair_queue import Requester
from realmtable.server.services import Services
from realmtable.server.tables.replays import replay_cache
from realmtable.server.tables.replays.replay_tasks import LoadedRecord, load_stored_record
from tests.server.support.few_lookups import FewLookups, make_refused
from tests.server.support.live_server import Person

pytestmark = pytest.mark.anyio

ANN, BOB = Requester("192.0.2.1", "ann"), Requester("192.0.2.2", "bob")
TEXT = "Game: realm\n\n1. Bh11 {good} [Bb5] / Bh2"


class FakePool:
    """Stands in for the pool: counts what is read, and refuses some requesters."""

    def __init__(self, *refused: Requester) -> None:
        self.refused = refused
        self.read: list[Requester | None] = []

    async def run_long(
        self, requester: Requester | None, _: int, work: Callable[..., LoadedRecord], *question: Any
    ) -> Any:
        await asyncio.sleep(0.05)
        if requester in self.refused:
            raise RateLimited("Too much.", 60)
        self.read.append(requester)
        return work(*question)


@pytest.fixture
async def record(client: httpx.AsyncClient) -> str:
    kept: str = (await Person(client).post("/api/records", {"text": TEXT}))["record"]
    return kept


async def test_all_who_look_at_once_wait_for_one_reading(services: Services, record: str) -> None:
    services.replay_cache.pool = pool = FakePool()  # type: ignore[assignment]
    found = await asyncio.gather(
        *(services.replay_cache.load_record(record, requester) for requester in (ANN, BOB, ANN))
    )
    assert found == [load_stored_record(record, TEXT)] * 3
    await services.replay_cache.load_record(record, BOB)
    assert pool.read == [ANN]
    assert services.replay_cache.loading == {}


async def test_who_comes_second_does_not_pay_for_the_limits_of_the_first(services: Services, record: str) -> None:
    services.replay_cache.pool = pool = FakePool(ANN)  # type: ignore[assignment]
    first, second = await asyncio.gather(
        *(services.replay_cache.load_record(record, requester) for requester in (ANN, BOB)), return_exceptions=True
    )
    assert isinstance(first, RateLimited)
    assert isinstance(second, LoadedRecord)
    assert pool.read == [BOB]


async def test_a_refusal_that_has_just_happened_does_not_keep_others_waiting(services: Services, record: str) -> None:
    services.replay_cache.pool = pool = FakePool()  # type: ignore[assignment]
    services.replay_cache.loading = FewLookups({record: make_refused()})
    assert isinstance(await services.replay_cache.load_record(record, BOB), LoadedRecord)
    assert pool.read == [BOB]
    assert services.replay_cache.loading == {}


async def test_a_record_that_is_not_there_is_told_to_all(services: Services) -> None:
    both = await asyncio.gather(
        *(services.replay_cache.load_record("none", ANN) for _ in range(2)), return_exceptions=True
    )
    assert [type(each) for each in both] == [NotFound, NotFound]


async def test_large_records_leave_first_come_first_gone(
    services: Services, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    person, book = Person(client), services.replay_cache
    records = [(await person.post("/api/records", {"text": TEXT}))["record"] for _ in range(3)]
    size = (await book.load_record(records[0], None)).size
    monkeypatch.setattr(replay_cache, "MAX_CHARACTERS", 2 * size)
    for record in records:
        await book.load_record(record, None)
    assert list(book.loaded_records) == records[1:]
    monkeypatch.setattr(replay_cache, "MAX_CHARACTERS", 1)
    await book.load_record(records[0], None)
    assert list(book.loaded_records) == records[:1]
