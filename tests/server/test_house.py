"""What may happen while the house waits for the database: nobody is left with an old table."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from realmtable.server.accounts import ratings
from realmtable.server.accounts.accounts import Player
from realmtable.server.errors import Unavailable
from realmtable.server.services import Realm
from realmtable.server.storage.store import Event
from realmtable.server.tables import actions, event_stream, rated_games, service
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.table import Sitter, Table
from tests.server.serving import always, until

pytestmark = pytest.mark.anyio


async def opened(realm: Realm, **wishes: Any) -> tuple[Player, Table]:
    """A table of one's own, both seats taken by oneself."""
    player, _ = await realm.accounts.guest()
    setup = Setup("classic_realm", 2, **wishes)
    return player, await realm.house.open_table(setup, player, [Sitter(player.id)] * 2)


def first_step(table: Table) -> list[actions.Draft]:
    move = table.game.legal_moves(table.match.state, table.acting[0])[0]
    return actions.play(table, table.acting[0], table.game.format_move(table.match.state, move))


async def test_a_change_is_told_once(realm: Realm) -> None:
    _, table = await opened(realm)
    told: list[int] = []
    realm.house.on_change.append(lambda changed: told.append(changed.version))
    after = await realm.house.act(table.id, first_step)
    assert told == [after.version]


async def test_what_another_process_writes_while_a_table_is_read_is_not_missed(
    realm: Realm, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, table = await opened(realm)
    old = await realm.store.events(table.id)
    await realm.house.act(table.id, first_step)
    realm.house.live.clear()
    read = realm.store.events

    async def read_too_early(table_id: str, after: int = 0) -> list[Event]:
        if after:
            return await read(table_id, after)
        await realm.fanout.publish(f"table:{table_id}", str(len(old) + 1))  # told between our read and its end
        return old

    monkeypatch.setattr(realm.store, "events", read_too_early)
    assert (await realm.house.table(table.id)).step == 1


async def test_a_scene_is_of_one_version_though_the_table_changes_meanwhile(
    realm: Realm, monkeypatch: pytest.MonkeyPatch
) -> None:
    player, table = await opened(realm)
    live = await realm.house.find(table.id)
    asked, changes = realm.accounts.players, [first_step]

    async def changing(ids: Any) -> Any:
        if changes:
            await realm.house.act(table.id, changes.pop())
        return await asked(ids)

    monkeypatch.setattr(realm.accounts, "players", changing)
    version, data = await realm.house.scene_bytes(live, table.seats_of(player.id), pictures=False)
    assert version == table.version + 1
    assert b'"version":%d' % version in data
    assert live.scenes[(0, 1), False][1] is data


async def test_tables_that_nobody_uses_are_laid_aside_and_their_late_readers_sent_back(
    realm: Realm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "KEPT_TABLES", 3)
    player, table = await opened(realm)
    live = await realm.house.find(table.id)
    kept = [(await opened(realm))[1].id for _ in range(5)]
    assert list(realm.house.live) == kept[-3:]
    events = event_stream.scenes(
        realm.house, live, player.id, pictures=False, known=None, closing=asyncio.Event(), admitted=always
    )
    assert await anext(events) == event_stream.RETRY
    with pytest.raises(StopAsyncIteration):
        await anext(events)
    assert (await realm.house.table(table.id)).version == table.version


async def test_a_rated_game_counts_though_the_database_was_away(realm: Realm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "RETRY_S", 0.01)
    ann, _ = await realm.accounts.claim((await realm.accounts.guest())[0], "Ann", "correct horse")
    bob, _ = await realm.accounts.claim((await realm.accounts.guest())[0], "Bob", "correct horse")
    setup = replace(Setup("classic_realm", 2), rated=True)
    table = await realm.house.open_table(setup, ann, [Sitter(ann.id), Sitter(bob.id)])
    monkeypatch.setattr(rated_games, "LEAST_TURNS", 0)
    rate, failures = ratings.rate, [1, 2]

    async def failing(*facts: Any) -> Any:
        if failures:
            failures.pop()
            raise Unavailable("away")
        return await rate(*facts)

    monkeypatch.setattr(ratings, "rate", failing)
    await realm.house.act(table.id, lambda now: actions.resign(now, (1,)))

    async def counted() -> Any:
        return await ratings.ratings_of(realm.database, [ann.id], "classic_realm")

    assert (await until(counted, 5))[ann.id]


async def test_no_bot_begins_to_think_when_the_server_ends(realm: Realm) -> None:
    player, _ = await realm.accounts.guest()
    bot = await realm.accounts.bot_player("random")
    await realm.keeper.close()
    await realm.house.open_table(Setup("classic_realm", 2), player, [Sitter(bot.id, "random"), Sitter(player.id)])
    assert not realm.keeper.thinking
