"""Bots of many tables: whose thinks next, and that bots among themselves rest while nobody watches."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest

from realmtable.engine import registry
from realmtable.server.accounts.latest_addresses import LatestAddresses
from realmtable.server.fair_queue import FairQueue, Owner
from realmtable.server.services import Realm
from realmtable.server.tables import actions
from realmtable.server.tables.bot_tables import FOR_PLAYER, FOR_SPECTATOR, WEIGHTS, claim_of, is_paused
from realmtable.server.tables.clock import ClockRule
from realmtable.server.tables.live_table import Live
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.table import Sitter, Table
from tests.server.serving import Person, Tap, until
from tests.server.studying import people

pytestmark = pytest.mark.anyio

EVE = Owner("1.1.1.1", "eve")


class Workers:
    """Stands in for the processes: each thought takes until the test lets it end; who was asked is noted."""

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
        await until(lambda: _more_than(self.asked, asked))


async def _more_than(found: list[str], count: int) -> bool:
    return len(found) > count


def with_workers(realm: Realm) -> Workers:
    """One worker that is slow, and by whose clock every thought takes a second."""
    ticks = itertools.count()
    realm.keeper.queue = FairQueue(1, WEIGHTS, clock=lambda: float(next(ticks)))
    workers: Any = Workers()
    realm.keeper.thinker = workers
    stand_in: Workers = workers
    return stand_in


async def bots_alone(realm: Realm, level: str = "level8", **setup: Any) -> Table:
    player, _ = await realm.accounts.guest()
    bot = await realm.accounts.bot_player(level)
    return await realm.house.open_table(
        Setup("classic_realm", 2, **setup), player, [Sitter(bot.id, level), Sitter(bot.id, level)]
    )


async def bot_and(realm: Realm, address: str, level: str = "level1") -> Table:
    """A table of somebody at an address, at which the bot is to move."""
    player, _ = await realm.accounts.guest()
    realm.latest_addresses.note(player.id, address)
    bot = await realm.accounts.bot_player(level)
    return await realm.house.open_table(Setup("classic_realm", 2), player, [Sitter(bot.id, level), Sitter(player.id)])


@asynccontextmanager
async def watching(realm: Realm, *tables: Table, watcher: Owner = EVE) -> AsyncIterator[None]:
    async with AsyncExitStack() as stack:
        for table in tables:
            await stack.enter_async_context(realm.house.present(await realm.house.find(table.id), (), watcher))
        yield


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_sixty_tables_of_one_guest_stand_behind_the_next_bot_of_another(realm: Realm) -> None:
    workers = with_workers(realm)
    tables = [await bots_alone(realm) for _ in range(60)]
    async with watching(realm, *tables):
        await until(lambda: _more_than(workers.asked, 0))
        await settle()
        assert realm.keeper.queue.waiting() == 59
        await bot_and(realm, "2.2.2.2")
        await settle()
        assert workers.asked == ["level8"]  # one worker, and it is busy
        await workers.end_one()
        assert workers.asked == ["level8", "level1"]
        await workers.end_one()
        assert workers.asked[2:] == ["level8"]
        await realm.keeper.close()


async def test_sixty_tables_of_guests_at_one_address_share_one_portion(realm: Realm) -> None:
    workers = with_workers(realm)
    for _ in range(60):
        await bot_and(realm, "1.1.1.1", "level8")
    await until(lambda: _more_than(workers.asked, 0))
    for _ in range(2):
        await bot_and(realm, "2.2.2.2")
    await settle()
    for _ in range(4):
        await workers.end_one()
    assert workers.asked == ["level8", "level1", "level8", "level1", "level8"]
    await realm.keeper.close()


async def test_bots_alone_take_no_worker_until_somebody_watches_and_rest_when_nobody_does_any_more(
    realm: Realm,
) -> None:
    workers = with_workers(realm)
    workers.ended = asyncio.Semaphore(100)
    table = await bots_alone(realm)
    await realm.keeper._look_round(first=True)
    await settle()
    assert workers.asked == []
    assert not realm.keeper.thinking
    async with watching(realm, table):
        await until(lambda: _more_than(workers.asked, 3))

    async def resting() -> bool:
        return table.id not in realm.keeper.thinking

    assert await until(resting)
    asked = len(workers.asked)
    await realm.keeper._look_round(first=False)
    await settle()
    assert len(workers.asked) == asked
    assert (await realm.house.table(table.id)).step > 0


async def test_a_bot_that_waits_for_a_worker_gives_up_its_place_when_nobody_watches_any_more(realm: Realm) -> None:
    workers = with_workers(realm)
    tables = [await bots_alone(realm) for _ in range(3)]
    async with watching(realm, *tables):
        await until(lambda: _more_than(workers.asked, 0))
    workers.ended.release()

    async def resting() -> bool:
        return not realm.keeper.thinking

    assert await until(resting)
    assert workers.asked == ["level8"]


async def test_a_stream_resumes_bots_and_the_scene_says_that_they_rest(realm: Realm) -> None:
    workers = with_workers(realm)
    workers.ended = asyncio.Semaphore(1000)
    async with people(realm, 1) as (ann,):
        table = await _opened(ann, ["bot:level1", "bot:level2"])
        scene = await ann.get(f"/api/tables/{table}")
        assert scene["sub"] == "Turn 1 · standard rules · paused until somebody watches"
        app: Any = realm.app  # type: ignore[attr-defined]  # put there by the fixture
        async with Tap(app, f"/api/tables/{table}/events") as stream:
            await stream.wait(lambda: max(stream.scenes, default=0) > scene["version"] + 3)
            assert all("paused" not in shown["sub"] for shown in stream.scenes.values())

        async def says_so() -> bool:
            return "paused" in (await ann.get(f"/api/tables/{table}"))["sub"]

        assert await until(says_so)


async def _opened(person: Person, seats: list[str]) -> str:
    table: str = (await person.post("/api/tables", {"game": "classic_realm", "seats": seats}))["table"]
    return table


async def test_a_watched_table_of_bots_whose_thought_was_lost_is_taken_up_again(realm: Realm) -> None:
    workers = with_workers(realm)
    realm.house.on_change.clear()  # nobody is told, as if the thought had been lost
    table = await bots_alone(realm)
    async with watching(realm, table):
        await settle()
        assert workers.asked == []
        await realm.keeper._look_round(first=False)
        await until(lambda: _more_than(workers.asked, 0))
        await realm.keeper.close()


async def test_bots_alone_never_run_out_of_time_and_cost_the_sweep_nothing(realm: Realm) -> None:
    with_workers(realm)
    table = await bots_alone(realm, clock=ClockRule("game", 1.0))
    row = await realm.store.table(table.id)
    assert row is not None
    assert (row.summary.bot_due, row.summary.deadline) == (False, None)
    assert table.clock.deadline() is not None
    assert actions.flag(table, table.changed_at + 100.0) == []
    assert await realm.store.overdue(table.changed_at + 100.0) == []
    assert await realm.store.waiting_for_bots(table.changed_at + 100.0) == []


async def test_a_person_among_bots_does_run_out_of_time(realm: Realm) -> None:
    with_workers(realm)
    player, _ = await realm.accounts.guest()
    bot = await realm.accounts.bot_player("level1")
    setup = Setup("classic_realm", 2, clock=ClockRule("game", 1.0))
    table = await realm.house.open_table(setup, player, [Sitter(player.id), Sitter(bot.id, "level1")])
    assert [draft.kind for draft in actions.flag(table, table.changed_at + 100.0)] == ["flagged"]


async def test_a_table_of_bots_that_an_older_server_left_due_is_looked_at_once(
    realm: Realm, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await bots_alone(realm)
    found, find = [], realm.house.find

    async def due(_: float) -> list[str]:
        return [table.id]

    async def noted(table_id: str) -> Live:
        found.append(table_id)
        return await find(table_id)

    monkeypatch.setattr(realm.store, "waiting_for_bots", due)
    monkeypatch.setattr(realm.house, "find", noted)
    for _ in range(3):
        await realm.keeper._look_round(first=False)
    assert found == [table.id]


async def test_a_thought_is_for_the_player_who_was_here_last_or_for_the_first_who_watches(realm: Realm) -> None:
    with_workers(realm)
    alone, addresses = await realm.house.find((await bots_alone(realm)).id), LatestAddresses()
    assert is_paused(alone)
    assert claim_of(alone, addresses) == (addresses.owner_of(alone.table.created_by), FOR_SPECTATOR)
    stranger = Owner("5.5.5.5", "stranger")
    async with realm.house.present(alone, (), EVE), realm.house.present(alone, (), stranger):
        assert not is_paused(alone)
        assert claim_of(alone, addresses) == (EVE, FOR_SPECTATOR)
    assert alone.watchers == []
    played = await realm.house.find((await bot_and(realm, "2.2.2.2")).id)
    player = played.table.created_by
    async with realm.house.present(played, (), EVE):
        assert claim_of(played, realm.latest_addresses) == (Owner("2.2.2.2", player), FOR_PLAYER)


async def test_players_are_known_by_the_address_of_their_requests(realm: Realm) -> None:
    async with people(realm, 1) as (ann,):
        await ann.post("/api/me")
        me = (await ann.get("/api/me"))["player"]["id"]
        assert realm.latest_addresses.owner_of(me) == Owner("127.0.0.1", me)
