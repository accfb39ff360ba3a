"""Kept records are read once for all who look at them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from realmtable.server.errors import NotFound, RateLimited
from realmtable.server.services import Realm
from realmtable.server.tables import record_cache
from realmtable.server.tables.replay_tasks import OpenedRecord, open_record
from realmtable.server.workers.replay_pool import Asker
from tests.server.serving import Person

pytestmark = pytest.mark.anyio

ANN, BOB = Asker("ann", "192.0.2.1"), Asker("bob", "192.0.2.2")
TEXT = "Game: realm\n\n1. Bh11 {good} [Bb5] / Bh2"


class Slow:
    """Stands in for the pool: counts what is read, and refuses some askers."""

    def __init__(self, *refused: Asker) -> None:
        self.refused = refused
        self.read: list[Asker | None] = []

    async def run_long(self, asker: Asker | None, _: int, work: Callable[..., OpenedRecord], *question: Any) -> Any:
        await asyncio.sleep(0.05)
        if asker in self.refused:
            raise RateLimited("Too much.", 60)
        self.read.append(asker)
        return work(*question)


@pytest.fixture
async def record(client: httpx.AsyncClient) -> str:
    kept: str = (await Person(client).post("/api/records", {"text": TEXT}))["record"]
    return kept


async def test_all_who_look_at_once_wait_for_one_reading(realm: Realm, record: str) -> None:
    realm.replay_book.pool = pool = Slow()  # type: ignore[assignment]
    found = await asyncio.gather(*(realm.replay_book.kept(record, asker) for asker in (ANN, BOB, ANN)))
    assert found == [open_record(record, TEXT)] * 3
    await realm.replay_book.kept(record, BOB)
    assert pool.read == [ANN]
    assert realm.replay_book.reading == {}


async def test_who_comes_second_does_not_pay_for_the_limits_of_the_first(realm: Realm, record: str) -> None:
    realm.replay_book.pool = pool = Slow(ANN)  # type: ignore[assignment]
    first, second = await asyncio.gather(
        *(realm.replay_book.kept(record, asker) for asker in (ANN, BOB)), return_exceptions=True
    )
    assert isinstance(first, RateLimited)
    assert isinstance(second, OpenedRecord)
    assert pool.read == [BOB]


async def test_a_record_that_is_not_there_is_told_to_all(realm: Realm) -> None:
    both = await asyncio.gather(*(realm.replay_book.kept("none", ANN) for _ in range(2)), return_exceptions=True)
    assert [type(each) for each in both] == [NotFound, NotFound]


async def test_large_records_leave_first_come_first_gone(
    realm: Realm, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    person, book = Person(client), realm.replay_book
    records = [(await person.post("/api/records", {"text": TEXT}))["record"] for _ in range(3)]
    size = (await book.kept(records[0], None)).size
    monkeypatch.setattr(record_cache, "KEPT_CHARACTERS", 2 * size)
    for record in records:
        await book.kept(record, None)
    assert list(book.records) == records[1:]
    monkeypatch.setattr(record_cache, "KEPT_CHARACTERS", 1)
    await book.kept(records[0], None)
    assert list(book.records) == records[:1]
