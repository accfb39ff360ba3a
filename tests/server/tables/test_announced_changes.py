"""Changes by other processes: announced events are applied, and missing ones are read from the database."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest

from realmtable.server.api import player_actions
from realmtable.server.errors import StaleVersion, Unavailable
from realmtable.server.metrics import Metrics
from realmtable.server.services import Services
from realmtable.server.settings import Settings
from realmtable.server.storage.table_store import Event
from realmtable.server.tables.events.undo import HistoryNeeded
from realmtable.server.tables.live import live_tables
from realmtable.server.tables.live.event_stream import stream_scenes
from realmtable.server.tables.live.live_table import LiveTable, Viewer
from realmtable.server.tables.live.live_tables import (
    MAX_LENGTH,
    announce_events,
    announced_version,
    has_events,
    read_events,
)
from realmtable.server.tables.table import Table
from tests.server.support.live_server import make_feed, wait_until
from tests.server.tables.test_table_service import draft_first_move, open_table

pytestmark = pytest.mark.anyio


def make_event(version: int, **data: Any) -> Event:
    return Event("t", version, "stepped", 1, "ann", {"move": "a1", **data}, 1.1 * version, f"key {version}")


def test_announced_events_are_those_that_were_stored() -> None:
    events = [make_event(7, refused={"code": "é"}), make_event(8, none=None, share=0.1)]
    message = announce_events(events)
    assert announced_version(message) == 8
    assert read_events("t", [message], 6) == events


def test_events_are_read_once_and_in_order() -> None:
    events = [make_event(version) for version in range(1, 6)]
    messages = [announce_events(events[3:]), announce_events(events[1:3]), announce_events(events[2:4])]
    assert read_events("t", messages, 2) == events[2:]


def test_what_is_long_or_cannot_be_encoded_is_announced_by_its_version() -> None:
    for event in (make_event(7, text="x" * MAX_LENGTH), make_event(7, number=1 << 70)):
        message = announce_events([event])
        assert (message, has_events(message), announced_version(message)) == ("7", False, 7)


class OtherProcess:
    """Plays moves in another process, of which this one knows nothing; and counts what this one reads."""

    def __init__(self, services: Services, live: LiveTable, monkeypatch: pytest.MonkeyPatch) -> None:
        self.services, self.live, self.reads = services, live, 0
        self._read = services.store.events
        monkeypatch.setattr(services.store, "events", self._count_read)

    async def _count_read(self, table_id: str, after: int = 0) -> list[Event]:
        self.reads += 1
        return await self._read(table_id, after)

    async def play(self, moves: int = 1) -> list[str]:
        """Play moves and return their announcements."""
        live, known = self.live, self.live.table
        for _ in range(moves):
            await self.services.table_service.act(known.id, draft_first_move)
        live.table = known
        live.scenes.clear()
        return [announce_events([event]) for event in await self._read(known.id, known.version)]

    def announce(self, *messages: str) -> None:
        for message in messages:
            self.services.fanout.notify(f"table:{self.live.table.id}", message)


@pytest.fixture
async def other(services: Services, monkeypatch: pytest.MonkeyPatch) -> OtherProcess:
    _, table = await open_table(services)
    return OtherProcess(services, await services.table_service.find(table.id), monkeypatch)


async def test_a_watched_table_follows_at_once_without_reading(services: Services, other: OtherProcess) -> None:
    messages = await other.play(3)
    viewer = Viewer((), None)
    with services.table_service.presence.watch(other.live, viewer):
        for step, message in enumerate(messages, 1):
            viewer.woken.clear()
            other.announce(message)
            assert viewer.woken.is_set()
            assert other.live.table.step == step
        other.announce(*messages)  # again
    assert (other.live.table.step, other.reads) == (3, 0)


async def test_an_unwatched_table_follows_when_it_is_used(services: Services, other: OtherProcess) -> None:
    other.announce(*await other.play(3))
    assert other.live.table.step == 0
    assert (await services.table_service.table(other.live.table.id)).step == 3
    assert (await services.table_service.act(other.live.table.id, draft_first_move)).step == 4
    assert other.reads == 0


async def test_an_action_is_decided_on_what_was_announced(services: Services, other: OtherProcess) -> None:
    messages = await other.play(2)
    seen: list[int] = []

    def look(table: Table) -> list[Any]:
        seen.append(table.step)
        return []

    async with other.live.lock:  # so that the announcement comes between finding the table and acting
        acting = asyncio.ensure_future(services.table_service.act(other.live.table.id, look))
        await asyncio.sleep(0)
        other.announce(*messages)
    await acting
    assert (seen, other.reads) == ([2], 0)


@pytest.mark.parametrize("watched", [True, False])
async def test_missing_events_are_read(services: Services, other: OtherProcess, *, watched: bool) -> None:
    messages = await other.play(3)
    other.live.viewers = {Viewer((), None): None} if watched else {}
    other.announce(messages[0], messages[2])

    async def is_shown() -> bool:
        table = other.live.table if watched else await services.table_service.table(other.live.table.id)
        return table.step == 3

    assert await wait_until(is_shown)
    other.live.viewers = {}
    assert other.reads == 1


@pytest.mark.parametrize("bound", ["MAX_RECEIVED", "MAX_RECEIVED_LENGTH"])
async def test_a_table_that_nobody_uses_keeps_few_announcements(
    services: Services, other: OtherProcess, monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    messages = await other.play(3)
    monkeypatch.setattr(live_tables, bound, 2 if bound == "MAX_RECEIVED" else len("".join(messages[:2])))
    other.announce(*messages[:2])
    assert (other.live.received, other.live.is_stale) == (messages[:2], False)
    other.announce(messages[2])
    assert (other.live.received, other.live.is_stale) == ([], True)
    assert (await services.table_service.table(other.live.table.id)).step == 3
    assert other.reads == 1


async def test_an_announcement_during_a_change_is_applied_after_it(services: Services, other: OtherProcess) -> None:
    messages = await other.play()
    other.live.viewers = {Viewer((), None): None}
    async with other.live.lock:
        other.announce(*messages)
        assert other.live.table.step == 0

    async def is_shown() -> bool:
        return other.live.table.step == 1

    assert await wait_until(is_shown)
    other.live.viewers = {}
    assert (services.table_service.live[other.live.table.id].received, other.reads) == ([], 0)


async def test_an_unreadable_announcement_is_no_reason_to_miss_the_change(
    services: Services, other: OtherProcess
) -> None:
    message = (await other.play())[0]
    other.announce(message.replace('"stepped"', '"unheard of"'))
    assert (await services.table_service.table(other.live.table.id)).step == 1
    assert other.reads == 1


async def test_an_announcement_that_was_never_stored_does_not_last(services: Services, other: OtherProcess) -> None:
    stored = (await services.store.events(other.live.table.id))[-1]
    text = {"kind": "chatted", "seat": None, "player_id": "ann", "data": {"text": "!"}, "key": None}
    invented = stored._replace(version=stored.version + 1, **text)  # type: ignore[arg-type]  # some of its fields
    other.announce(announce_events([invented]))
    with pytest.raises(StaleVersion):
        await services.table_service.act(other.live.table.id, draft_first_move)
    table = await services.table_service.act(other.live.table.id, draft_first_move)
    assert (table.version, table.step, table.chat) == (stored.version + 1, 1, ())


async def test_waiting_for_an_announcement_ends_with_it_or_after_a_moment(
    services: Services, other: OtherProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    service, messages = services.table_service, await other.play()
    await service.wait_for_change(other.live)  # at once: there is no other process
    monkeypatch.setattr(type(services.fanout), "reaches_others", True)
    monkeypatch.setattr(live_tables, "ANNOUNCEMENT_S", 60.0)
    waiting = [asyncio.ensure_future(service.wait_for_change(other.live)) for _ in range(2)]
    await asyncio.sleep(0)
    other.announce(*messages)
    async with asyncio.timeout(30):
        await asyncio.gather(*waiting)
    monkeypatch.setattr(live_tables, "ANNOUNCEMENT_S", 0.01)
    await service.wait_for_change(other.live)


@pytest.mark.parametrize("has_events", [True, False])
async def test_a_stream_shows_what_is_announced_while_it_opens(
    services: Services, other: OtherProcess, *, has_events: bool
) -> None:
    message = (await other.play())[0]

    async def admit() -> bool:  # after the table was found, and before the stream is counted
        other.announce(message if has_events else str(announced_version(message)))
        return True

    events = stream_scenes(make_feed(services, other.live, "ann"), admit)
    async with asyncio.timeout(5), aclosing(events) as stream:  # type: ignore[type-var]  # it is a generator
        async for event in stream:
            if b'"step":1,' in event:
                break
    assert (other.live.table.step, other.reads) == (1, 0 if has_events else 1)


async def test_a_change_that_could_not_be_replayed_is_read_again(
    services: Services, other: OtherProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = (await other.play())[0]
    with monkeypatch.context() as patch:
        patch.setattr(live_tables, "apply_event", Mock(side_effect=HistoryNeeded))
        patch.setattr(services.table_service, "replay_log", AsyncMock(side_effect=Unavailable("Try again.")))
        other.announce(str(announced_version(message)))
        with pytest.raises(Unavailable):
            await services.table_service.find(other.live.table.id)
    assert other.live.is_stale
    assert (await services.table_service.table(other.live.table.id)).step == 1


@pytest.mark.parametrize("is_stored", [True, False])
async def test_other_processes_learn_of_a_change_whose_confirmation_was_lost(
    services: Services, other: OtherProcess, monkeypatch: pytest.MonkeyPatch, *, is_stored: bool
) -> None:
    append, table, announced = services.store.append, other.live.table, list[str]()

    async def lose_confirmation(*parts: Any) -> None:
        if is_stored:
            await append(*parts)
        raise Unavailable("The connection was lost.")

    services.fanout.listen(lambda _, message: announced.append(message), "table:")
    monkeypatch.setattr(services.store, "append", lose_confirmation)
    with pytest.raises(Unavailable):
        await services.table_service.act(table.id, draft_first_move)

    async def find_announcement() -> bool:
        return bool(announced)

    assert await wait_until(find_announcement)
    assert announced == [str(table.version + is_stored)]


async def test_the_scene_after_an_action_includes_what_was_announced_during_it(
    services: Services, other: OtherProcess
) -> None:
    messages, table = await other.play(), other.live.table
    (player,) = (await services.accounts.players([seat.player_id for seat in table.seats if seat])).values()

    def hear(_: Table) -> list[Any]:
        other.announce(*messages)
        return []

    assert await player_actions._act(services, table.id, player, hear) == table.version
    assert (await services.table_service.scene(table.id, player, pictures=False))["step"] == 1


async def test_a_table_that_changes_too_quickly_is_forgotten_unless_it_was_loaded_again(
    services: Services, other: OtherProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    service, live = services.table_service, other.live
    fresh = LiveTable(live.row, live.table, {})

    async def refuse(*_: object) -> None:
        service.live[live.table.id] = fresh
        raise StaleVersion("Another process was first.")

    monkeypatch.setattr(services.store, "append", refuse)
    with pytest.raises(StaleVersion, match="too quickly"):
        await service.act(live.table.id, draft_first_move)
    assert service.live[live.table.id] is fresh


async def test_what_is_still_written_when_a_server_stops_is_published(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, closed = await Services.start(settings, Metrics()), list[str]()
    for name, part in (("store", server.store), ("fanout", server.fanout), ("database", server.database)):

        async def close(name: str = name, close: Callable[[], Awaitable[None]] = part.close) -> None:
            closed.append(name)
            await close()

        monkeypatch.setattr(part, "close", close)
    await server.close()
    assert closed == ["store", "fanout", "database"]
