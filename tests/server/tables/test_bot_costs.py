"""Bots at many tables: which one thinks next, and that games between bots pause without spectators."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from typing import Any

import pytest

from realmtable.engine import registry
from realmtable.server.accounts.addresses import LatestAddresses
from realmtable.server.fair_queue import FairQueue, Requester
from realmtable.server.services import Services
from realmtable.server.tables import actions
from realmtable.server.tables.clock import ClockRule
from realmtable.server.tables.live.live_table import (
    FOR_PLAYER,
    FOR_SPECTATOR,
    WEIGHTS,
    LiveTable,
    Viewer,
    is_paused,
    requester_and_urgency,
)
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.table import Occupant, Table
from tests.server.support.live_server import Person, StreamTap, wait_until

pytestmark = pytest.mark.anyio

EVE = Requester("1.1.1.1", "eve")


class SlowWorkers:
    """A fake worker pool: records each request and blocks until the test releases it."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.ended = asyncio.Semaphore(0)

    async def choose(self, game_id: str, position: str, seat: int, bot: str, seed: int) -> list[str]:  # noqa: ARG002 - as workers
        self.asked.append(bot)
        await self.ended.acquire()
        game = registry.game(game_id)
        state = game.decode(position)
        return [game.format_move(state, game.legal_moves(state, seat)[0])]

    async def end_one(self) -> None:
        """Let a thought end, and wait until the next one has begun."""
        asked = len(self.asked)
        self.ended.release()
        await wait_until(lambda: _has_more_than(self.asked, asked))


async def _has_more_than(found: list[str], count: int) -> bool:
    return len(found) > count


def use_slow_worker(services: Services) -> SlowWorkers:
    """Replace the workers by a slow one."""
    services.table_driver.queue = FairQueue(1, WEIGHTS)
    workers: Any = SlowWorkers()
    services.table_driver.move_chooser = workers
    stand_in: SlowWorkers = workers
    return stand_in


async def open_bot_table(services: Services, level: str = "level8", **setup: Any) -> Table:
    player, _ = await services.accounts.create_guest()
    bot = await services.accounts.bot_player(level)
    return await services.table_service.open_table(
        Setup("classic_realm", 2, **setup), player, [Occupant(bot.id, level), Occupant(bot.id, level)]
    )


async def open_table_with_bot(services: Services, address: str, level: str = "level1") -> Table:
    """A table of somebody at an address, at which the bot is to move."""
    player, _ = await services.accounts.create_guest()
    services.latest_addresses.note(player.id, address)
    bot = await services.accounts.bot_player(level)
    return await services.table_service.open_table(
        Setup("classic_realm", 2), player, [Occupant(bot.id, level), Occupant(player.id)]
    )


@asynccontextmanager
async def watch_table(services: Services, *tables: Table, watcher: Requester = EVE) -> AsyncIterator[None]:
    with ExitStack() as stack:
        for table in tables:
            live = await services.table_service.find(table.id)
            stack.enter_context(services.table_service.presence.watch(live, Viewer((), watcher)))
        yield


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.mark.long
async def test_sixty_tables_of_one_guest_stand_behind_the_next_bot_of_another(services: Services) -> None:
    workers = use_slow_worker(services)
    tables = [await open_bot_table(services) for _ in range(60)]
    async with watch_table(services, *tables):
        await wait_until(lambda: _has_more_than(workers.asked, 0))
        await settle()
        assert len(services.table_driver.queue.waiting) == 59
        await open_table_with_bot(services, "2.2.2.2")
        await settle()
        assert workers.asked == ["level8"]  # one worker, and it is busy
        await workers.end_one()
        assert workers.asked == ["level8", "level1"]
        await workers.end_one()
        assert workers.asked[2:] == ["level8"]
        await services.table_driver.close()


@pytest.mark.long
async def test_sixty_tables_of_guests_at_one_address_share_one_portion(services: Services) -> None:
    workers = use_slow_worker(services)
    for _ in range(60):
        await open_table_with_bot(services, "1.1.1.1", "level8")
    await wait_until(lambda: _has_more_than(workers.asked, 0))
    for _ in range(2):
        await open_table_with_bot(services, "2.2.2.2")
    await settle()
    for _ in range(4):
        await workers.end_one()
    assert workers.asked == ["level8", "level1", "level8", "level1", "level8"]
    await services.table_driver.close()


@pytest.mark.long
async def test_bots_alone_take_no_worker_until_somebody_watches_and_rest_when_nobody_does_any_more(
    services: Services,
) -> None:
    workers = use_slow_worker(services)
    workers.ended = asyncio.Semaphore(100)
    table = await open_bot_table(services)
    await services.table_driver.sweep_once(first=True)
    await settle()
    assert workers.asked == []
    assert not services.table_driver.bot_tasks
    async with watch_table(services, table):
        await wait_until(lambda: _has_more_than(workers.asked, 3))

    async def is_resting() -> bool:
        return table.id not in services.table_driver.bot_tasks

    assert await wait_until(is_resting)
    asked = len(workers.asked)
    await services.table_driver.sweep_once(first=False)
    await settle()
    assert len(workers.asked) == asked
    assert (await services.table_service.table(table.id)).step > 0


async def test_a_bot_that_waits_for_a_worker_gives_up_its_place_when_nobody_watches_any_more(
    services: Services,
) -> None:
    workers = use_slow_worker(services)
    tables = [await open_bot_table(services) for _ in range(3)]
    async with watch_table(services, *tables):
        await wait_until(lambda: _has_more_than(workers.asked, 0))
    workers.ended.release()

    async def is_resting() -> bool:
        return not services.table_driver.bot_tasks

    assert await wait_until(is_resting)
    assert workers.asked == ["level8"]


async def test_a_stream_resumes_bots_and_the_scene_says_that_they_rest(services: Services, ann: Person) -> None:
    workers = use_slow_worker(services)
    workers.ended = asyncio.Semaphore(1000)
    table = await _open_table(ann, ["bot:level1", "bot:level2"])
    scene = await ann.get(f"/api/tables/{table}")
    assert scene["sub"] == "Turn 1 · standard rules · paused until someone watches"
    app: Any = services.app  # type: ignore[attr-defined]  # put there by the fixture
    async with StreamTap(app, f"/api/tables/{table}/events") as stream:
        await stream.wait(lambda: max(stream.scenes, default=0) > scene["version"] + 3)
        assert all("paused" not in shown["sub"] for shown in stream.scenes.values())

    async def says_so() -> bool:
        return "paused" in (await ann.get(f"/api/tables/{table}"))["sub"]

    assert await wait_until(says_so)


async def _open_table(person: Person, seats: list[str]) -> str:
    table: str = await person.open_table(game="classic_realm", seats=seats)
    return table


async def test_a_watched_table_of_bots_whose_thought_was_lost_is_taken_up_again(services: Services) -> None:
    workers = use_slow_worker(services)
    services.table_service.on_change.clear()  # nobody is told, as if the thought had been lost
    table = await open_bot_table(services)
    async with watch_table(services, table):
        await settle()
        assert workers.asked == []
        await services.table_driver.sweep_once(first=False)
        await wait_until(lambda: _has_more_than(workers.asked, 0))
        await services.table_driver.close()


async def test_bots_alone_never_run_out_of_time_and_cost_the_sweep_nothing(services: Services) -> None:
    use_slow_worker(services)
    table = await open_bot_table(services, clock=ClockRule("game", 1.0))
    row = await services.store.table(table.id)
    assert row is not None
    assert (row.summary.bot_due, row.summary.deadline) == (False, None)
    assert table.clock.deadline() is not None
    assert actions.check_clocks(table, table.changed_at + 100.0) == []
    assert await services.store.overdue_tables(table.changed_at + 100.0) == []
    assert await services.store.tables_waiting_for_bots(table.changed_at + 100.0) == []


async def test_a_person_among_bots_does_run_out_of_time(services: Services) -> None:
    use_slow_worker(services)
    player, _ = await services.accounts.create_guest()
    bot = await services.accounts.bot_player("level1")
    setup = Setup("classic_realm", 2, clock=ClockRule("game", 1.0))
    table = await services.table_service.open_table(setup, player, [Occupant(player.id), Occupant(bot.id, "level1")])
    assert [draft.kind for draft in actions.check_clocks(table, table.changed_at + 100.0)] == ["flagged"]


async def test_a_table_of_bots_that_an_older_server_left_due_is_looked_at_once(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await open_bot_table(services)
    found, find = [], services.table_service.find

    async def list_due(_: float) -> list[str]:
        return [table.id]

    async def note_and_find(table_id: str) -> LiveTable:
        found.append(table_id)
        return await find(table_id)

    monkeypatch.setattr(services.store, "tables_waiting_for_bots", list_due)
    monkeypatch.setattr(services.table_service, "find", note_and_find)
    for _ in range(3):
        await services.table_driver.sweep_once(first=False)
    assert found == [table.id]


async def test_a_thought_is_for_the_player_who_was_here_last_or_for_the_first_who_watches(services: Services) -> None:
    use_slow_worker(services)
    alone, addresses = await services.table_service.find((await open_bot_table(services)).id), LatestAddresses()
    assert is_paused(alone)
    assert requester_and_urgency(alone, addresses) == (addresses.requester_of(alone.table.created_by), FOR_SPECTATOR)
    stranger, watch = Requester("5.5.5.5", "stranger"), services.table_service.presence.watch
    with watch(alone, Viewer((), EVE)), watch(alone, Viewer((), stranger)):
        assert not is_paused(alone)
        assert requester_and_urgency(alone, addresses) == (EVE, FOR_SPECTATOR)
    assert is_paused(alone)
    played = await services.table_service.find((await open_table_with_bot(services, "2.2.2.2")).id)
    player = played.table.created_by
    with watch(played, Viewer((), EVE)):
        assert requester_and_urgency(played, services.latest_addresses) == (Requester("2.2.2.2", player), FOR_PLAYER)


async def test_players_are_known_by_the_address_of_their_requests(services: Services, ann: Person) -> None:
    await ann.post("/api/me")
    me = (await ann.get("/api/me"))["player"]["id"]
    assert services.latest_addresses.requester_of(me) == Requester("127.0.0.1", me)
