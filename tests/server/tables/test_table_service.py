"""Changes while the table service waits for the database: no one is left with an outdated table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from unittest.mock import ANY, AsyncMock

import pytest
from structlog.testing import capture_logs

from realmtable.server.accounts import ratings
from realmtable.server.accounts.accounts import Player
from realmtable.server.errors import Unavailable
from realmtable.server.services import Services
from realmtable.server.storage.table_store import Event
from realmtable.server.tables import actions, rating_conditions
from realmtable.server.tables.live import event_stream, live_tables
from realmtable.server.tables.scenes.changes import read_scene, whole_change
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.table import Occupant, Table
from tests.server.support.live_server import make_feed, stays_signed_in, wait_until

pytestmark = pytest.mark.anyio


async def open_table(services: Services, **wishes: Any) -> tuple[Player, Table]:
    """A table of one's own, both seats taken by oneself."""
    player, _ = await services.accounts.create_guest()
    setup = Setup("classic_realm", 2, **wishes)
    return player, await services.table_service.open_table(setup, player, [Occupant(player.id)] * 2)


def draft_first_move(table: Table) -> list[actions.EventDraft]:
    move = table.game.legal_moves(table.match.state, table.acting[0])[0]
    return actions.play(table, table.acting[0], table.game.format_move(table.match.state, move))


async def test_a_change_is_told_once(services: Services) -> None:
    _, table = await open_table(services)
    told: list[int] = []
    services.table_service.on_change.append(lambda changed: told.append(changed.version))
    after = await services.table_service.act(table.id, draft_first_move)
    assert told == [after.version]


async def test_what_another_process_writes_while_a_table_is_read_is_not_missed(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, table = await open_table(services)
    old = await services.store.events(table.id)
    await services.table_service.act(table.id, draft_first_move)
    services.table_service.live.clear()
    read = services.store.events

    async def read_too_early(table_id: str, after: int = 0) -> list[Event]:
        if after:
            return await read(table_id, after)
        await services.fanout.publish(f"table:{table_id}", str(len(old) + 1))  # told between our read and its end
        return old

    monkeypatch.setattr(services.store, "events", read_too_early)
    assert (await services.table_service.table(table.id)).step == 1


async def test_a_table_that_cannot_be_replayed_is_reported_in_the_log(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, table = await open_table(services)
    stored = await services.store.events(table.id)
    illegal = Event(table.id, table.version + 1, "stepped", 0, None, {"move": "a1a12"}, stored[-1].at)
    logged = []
    for events in (stored, [*stored, illegal]):
        services.table_service.live.clear()
        monkeypatch.setattr(services.store, "events", AsyncMock(return_value=events))
        with capture_logs() as lines:
            await services.table_service.table(table.id)
        logged.append([(line["event"], line["trouble"]) for line in lines])
    assert logged == [[], [("table_halted", ANY)]]
    assert "now illegal" in logged[1][0][1]


async def test_a_scene_is_of_one_version_though_the_table_changes_meanwhile(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    player, table = await open_table(services)
    live = await services.table_service.find(table.id)
    asked, changes = services.accounts.players, [draft_first_move]

    async def change_table(ids: Any) -> Any:
        if changes:
            await services.table_service.act(table.id, changes.pop())
        return await asked(ids)

    monkeypatch.setattr(services.accounts, "players", change_table)
    made = await services.table_service.scenes.latest(live, table.seats_of(player.id), pictures=False)
    shown = read_scene(whole_change(made.placed))
    assert (shown["version"], shown["step"], len(shown["lines"])) == (table.version + 1, 1, 1)
    assert live.scenes[(0, 1), False] is made
    assert made.is_current


async def test_tables_that_nobody_uses_are_laid_aside_and_their_late_readers_sent_back(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_tables, "MAX_LIVE_TABLES", 3)
    player, table = await open_table(services)
    live = await services.table_service.find(table.id)
    kept = [(await open_table(services))[1].id for _ in range(5)]
    assert list(services.table_service.live) == kept[-3:]
    events = event_stream.stream_scenes(make_feed(services, live, player.id), stays_signed_in)
    assert await anext(events) == event_stream.RETRY
    with pytest.raises(StopAsyncIteration):
        await anext(events)
    assert (await services.table_service.table(table.id)).version == table.version


async def test_a_rated_game_counts_though_the_database_was_away(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_tables, "RETRY_S", 0.01)
    ann, _ = await services.accounts.claim((await services.accounts.create_guest())[0], "Ann", "correct horse")
    bob, _ = await services.accounts.claim((await services.accounts.create_guest())[0], "Bob", "correct horse")
    setup = replace(Setup("classic_realm", 2), rated=True)
    table = await services.table_service.open_table(setup, ann, [Occupant(ann.id), Occupant(bob.id)])
    monkeypatch.setattr(rating_conditions, "MIN_TURNS", 0)
    rate, failures = ratings.rate, [1, 2]

    async def fail_once(*facts: Any) -> Any:
        if failures:
            failures.pop()
            raise Unavailable("away")
        return await rate(*facts)

    monkeypatch.setattr(ratings, "rate", fail_once)
    await services.table_service.act(table.id, lambda now: actions.resign(now, (1,)))

    async def fetch_ratings() -> Any:
        return await ratings.ratings_of(services.database, [ann.id], "classic_realm")

    assert (await wait_until(fetch_ratings, 5))[ann.id]


async def test_no_bot_begins_to_think_when_the_server_ends(services: Services) -> None:
    player, _ = await services.accounts.create_guest()
    bot = await services.accounts.bot_player("random")
    await services.table_driver.close()
    await services.table_service.open_table(
        Setup("classic_realm", 2), player, [Occupant(bot.id, "random"), Occupant(player.id)]
    )
    assert not services.table_driver.bot_tasks
