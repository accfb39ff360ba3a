"""Subscriptions belong to sessions, and the server's keys to all its processes, on every kind of database."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import count

import pytest
from sqlalchemy import delete, insert

from realmtable.server.accounts.ids import digest
from realmtable.server.storage import schema
from realmtable.server.storage.database import Database
from realmtable.server.storage.push_subscriptions import (
    MAX_DEVICES,
    Subscription,
    SubscriptionStore,
    load_key,
    move_subscription,
)
from tests.server.contract.helpers import on_both_databases

pytestmark = pytest.mark.anyio


async def open_session(database: Database, player_id: str, name: str, expires_at: float = 100.0) -> str:
    row = {"token_hash": digest(name), "player_id": player_id, "created_at": 1.0, "expires_at": expires_at}
    async with database.writing() as connection:
        await connection.execute(insert(schema.sessions), row)
    return digest(name)


def subscription(name: str) -> Subscription:
    return Subscription(f"https://push.example.org/{name}", "key", "secret")


async def names_of(database: Database, player_id: str, now: float = 2.0) -> list[str]:
    found = await SubscriptionStore(database).list_of(player_id, now)
    return [each.endpoint.rpartition("/")[2] for each in found]


@on_both_databases
async def test_a_subscription_ends_with_its_session(database: Database) -> None:
    store = SubscriptionStore(database)
    session = await open_session(database, "ann", "one")
    assert await store.save(session, subscription("a"), 1.0)
    assert await store.is_subscribed(session)
    assert await names_of(database, "ann") == ["a"]
    assert await names_of(database, "bob") == []
    assert await names_of(database, "ann", now=200.0) == []  # expired
    async with database.writing() as connection:
        await connection.execute(delete(schema.sessions).where(schema.sessions.c.token_hash == session))
    assert not await store.is_subscribed(session)
    assert not await store.save(session, subscription("a"), 1.0)


@on_both_databases
async def test_a_session_has_one_and_a_player_has_a_few(database: Database) -> None:
    store = SubscriptionStore(database)
    for index in range(MAX_DEVICES + 1):
        session = await open_session(database, "ann", f"session {index}")
        for name in ("old", "new"):
            await store.save(session, subscription(f"{name}{index}"), float(index))
    assert await names_of(database, "ann") == [f"new{index}" for index in range(MAX_DEVICES, 0, -1)]


async def test_a_removal_spares_a_subscription_with_new_keys(database: Database) -> None:
    store = SubscriptionStore(database)
    session = await open_session(database, "ann", "one")
    await store.save(session, subscription("a"), 1.0)
    await store.remove(Subscription("https://push.example.org/a", "key", "former secret"))
    assert await store.is_subscribed(session)
    await store.remove(subscription("a"))
    assert not await store.is_subscribed(session)


async def test_a_subscription_moves_only_to_the_same_player(database: Database) -> None:
    store = SubscriptionStore(database)
    session, later, other = [
        await open_session(database, player, name)
        for player, name in (("ann", "one"), ("ann", "two"), ("bob", "three"))
    ]
    await store.save(session, subscription("a"), 1.0)
    async with database.writing() as connection:
        await move_subscription(connection, session, other)
    assert await store.is_subscribed(session)
    async with database.writing() as connection:
        await move_subscription(connection, session, later)
    assert await store.is_subscribed(later)
    assert await names_of(database, "bob") == []


@on_both_databases
async def test_unseen_subscriptions_are_removed(database: Database) -> None:
    store = SubscriptionStore(database)
    for index in range(3):
        await store.save(await open_session(database, "ann", f"{index}"), subscription(f"{index}"), float(index))
    assert await store.remove_unseen(1.5) == 2
    assert await names_of(database, "ann") == ["2"]
    await store.remove_of(digest("2"))
    assert await names_of(database, "ann") == []


async def test_the_first_key_is_everybodys(database: Database) -> None:
    numbers: Iterator[int] = count()
    keys = await asyncio.gather(*(load_key(database, "vapid", lambda: f"key {next(numbers)}") for _ in range(5)))
    assert len({*keys}) == 1
    assert await load_key(database, "vapid", lambda: "another") == keys[0]
    assert await load_key(database, "other", lambda: "another") == "another"
