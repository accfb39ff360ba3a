"""Changes while the table service waits for the database: no one is left with an outdated table."""

from __future__ import annotations

import asyncio
import gc
import sys
import tracemalloc
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import ANY, AsyncMock

import pytest
from structlog.testing import capture_logs

from realmtable.engine import registry
from realmtable.engine.match import Match
from realmtable.server.accounts import ratings
from realmtable.server.accounts.accounts import Player
from realmtable.server.errors import Unavailable
from realmtable.server.services import Services
from realmtable.server.storage.table_store import Event
from realmtable.server.tables import actions, rating_conditions
from realmtable.server.tables.live import event_stream, live_tables
from realmtable.server.tables.live.live_table import MEASURED_STATES, Viewer, measure_states
from realmtable.server.tables.live.table_memory import TableMemory, table_bytes
from realmtable.server.tables.scenes.changes import read_scene, whole_change
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.table import Occupant, Table
from tests.server.support.live_server import make_feed, stays_signed_in, wait_until
from tests.server.support.table_harness import start_table

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


STEPS = 40
SEEDS = (0, 9)


def play_table(game: str, seed: int, steps: int = STEPS) -> Table:
    found, rng = start_table(game), Random(seed)
    for _ in range(steps):
        if found.table.status != "running" or min(found.table.acting) < 0:
            break
        found.play(rng)
    return found.table


DAILY = (
    "fantasy_realms",
    "realm",
    "realms_of_etherium",
)  # one of each kind; make slow has the others


@pytest.mark.long
@pytest.mark.parametrize(
    "game",
    [
        pytest.param(info.id, marks=() if info.id in DAILY else pytest.mark.slow)
        for info in registry.infos()
        if 2 in info.seats
    ],
)
def test_the_estimate_is_about_what_python_has_allocated(game: str) -> None:
    for seed in SEEDS:
        play_table(game, seed)  # what a game keeps for all its tables is made now
    gc.collect()
    tracemalloc.start()
    try:
        tables = [play_table(game, seed) for seed in SEEDS]
        gc.collect()
        shared = tracemalloc.Filter(inclusive=False, filename_pattern="*/step_table.py")  # one for all tables
        traces = tracemalloc.take_snapshot().filter_traces([shared]).statistics("filename")
        allocated = sum(trace.size for trace in traces)
    finally:
        tracemalloc.stop()
    estimate = sum(table_bytes(table, measure_states(table.match)) for table in tables)
    assert 0.5 < estimate / allocated < 2, (estimate, allocated)


def test_a_state_of_any_kind_is_measured() -> None:
    class WithSlots:
        __slots__ = ("numbers", "unset")

        def __init__(self) -> None:
            self.numbers = list(range(1000, 2000))

    plain = SimpleNamespace(words={"a": "x" * 3000}, again=None, rule=len)
    plain.again = plain  # a circle
    game: Any = None
    assert measure_states(Match(game, WithSlots())).first > 1000 * sys.getsizeof(1000)
    assert 3000 < measure_states(Match(game, plain)).first < 4000
    assert measure_states(Match(game, plain)).further == 0


def test_what_states_share_is_counted_once() -> None:
    game: Any = None
    shared, match = "x" * 100_000, None
    for number in range(2 * MEASURED_STATES):
        match = Match(game, SimpleNamespace(shared=shared, own="y" * (1000 + number)), parent=match)
    assert match is not None
    found = measure_states(match)
    assert 100_000 < found.first < 103_000
    assert 1000 < found.further < 3000


def test_lists_of_legal_steps_are_not_kept_for_earlier_states() -> None:
    table = play_table("modern_realm", 1)
    node = table.match.parent
    earlier = 0
    while node is not None:
        assert node.state._codes is None
        node, earlier = node.parent, earlier + 1
    assert earlier > 10


def make_live(status: str, size: int = 10, **facts: Any) -> Any:  # stands in for a Live
    values = {"viewers": {}, "lock": asyncio.Lock(), "size": size, "table": SimpleNamespace(status=status)}
    return SimpleNamespace(**(values | facts))


def test_finished_tables_leave_first_then_those_unused_for_longest() -> None:
    memory = TableMemory(budget_bytes=100)
    newest = make_live("open")
    tables = {
        "r1": make_live("running"),
        "o1": make_live("open"),
        "f1": make_live("over"),
        "r2": make_live("running"),
        "watched": make_live("over", viewers={"eve": None}),
        "f2": make_live("halted"),
        "thinking": make_live("running"),
        "new": newest,
    }
    memory.is_busy = "thinking".__eq__
    memory.count(tables)
    assert memory.choose_evictions(tables, newest, 100) == []
    order = ["f1", "f2", "o1", "r1", "r2"]
    for count in range(1, 6):
        assert memory.choose_evictions(tables, newest, len(tables) - count) == order[:count]
    assert memory.choose_evictions(tables, newest, 0) == order, "the others are in use"
    memory.budget_bytes = 79
    assert memory.choose_evictions(tables, newest, 100) == ["f1"], "to nine tenths of the budget"
    memory.budget_bytes = 60
    assert memory.choose_evictions(tables, newest, 100) == ["f1", "f2", "o1"]


async def acquire(lock: asyncio.Lock) -> None:
    await lock.acquire()


def test_a_table_that_is_being_changed_stays() -> None:
    memory = TableMemory(budget_bytes=1)
    changing = make_live("over")
    asyncio.run(acquire(changing.lock))
    memory.count({"a": changing})
    assert memory.choose_evictions({"a": changing}, make_live("over"), 0) == []


# ---- on a server


def random_step(rng: Random) -> Any:
    def play(table: Table) -> list[actions.EventDraft]:
        move = rng.choice(table.game.legal_moves(table.match.state, table.acting[0]))
        return actions.play(table, table.acting[0], table.game.format_move(table.match.state, move))

    return play


async def test_tables_leave_when_the_budget_is_spent_and_come_back_as_they_were(services: Services) -> None:
    told: list[str] = []
    services.table_service.memory.on_evict = told.append
    services.table_service.memory.budget_bytes = 150_000
    tables = [(await open_table(services))[1] for _ in range(3)]
    await services.table_service.act(tables[1].id, lambda now: actions.resign(now, (0,)))
    rng = Random(1)
    last = tables[0]
    for _ in range(30):
        last = await services.table_service.act(tables[2].id, random_step(rng))
    assert told[:2] == ["over", "running"]
    assert list(services.table_service.live) == [tables[2].id], "the one in use stays though it is large"
    assert services.table_service.memory.used_bytes == services.table_service.live[last.id].size
    back = await services.table_service.table(tables[1].id)
    assert (back.status, back.version) == ("over", tables[1].version + 1)
    again = await services.table_service.table(last.id)
    assert again.game.encode(again.match.state) == last.game.encode(last.match.state)
    assert again.version == last.version


async def test_what_was_drawn_for_those_who_watch_goes_with_the_last_of_them(services: Services) -> None:
    table = (await open_table(services))[1]
    live = await services.table_service.find(table.id)
    watch, scenes = services.table_service.presence.watch, services.table_service.scenes
    with watch(live, Viewer((), None)):
        with watch(live, Viewer((), None)):
            await scenes.latest(live, (), pictures=True)
        assert live.scenes
        assert "picture" in live.table.__dict__
    assert not live.scenes
    assert "picture" not in live.table.__dict__
    assert (await scenes.whole(live, (), pictures=True))["picture"]
