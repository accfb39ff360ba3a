"""The memory of live tables: estimated well, kept within the budget, and evicted without loss."""

from __future__ import annotations

import asyncio
import gc
import sys
import tracemalloc
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from realmtable.engine import registry
from realmtable.engine.match import Match
from realmtable.server.services import Services
from realmtable.server.tables import actions
from realmtable.server.tables.live.live_table import MEASURED_STATES, Viewer, measure_states
from realmtable.server.tables.live.table_memory import TableMemory, table_bytes
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.table import Occupant, Table
from tests.server.support.table_harness import start_table

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


async def open_table(services: Services) -> Table:
    player, _ = await services.accounts.create_guest()
    return await services.table_service.open_table(Setup("classic_realm", 2), player, [Occupant(player.id)] * 2)


def random_step(rng: Random) -> Any:
    def play(table: Table) -> list[actions.EventDraft]:
        move = rng.choice(table.game.legal_moves(table.match.state, table.acting[0]))
        return actions.play(table, table.acting[0], table.game.format_move(table.match.state, move))

    return play


@pytest.mark.anyio
async def test_tables_leave_when_the_budget_is_spent_and_come_back_as_they_were(services: Services) -> None:
    told: list[str] = []
    services.table_service.memory.on_evict = told.append
    services.table_service.memory.budget_bytes = 150_000
    tables = [await open_table(services) for _ in range(3)]
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


@pytest.mark.anyio
async def test_what_was_drawn_for_those_who_watch_goes_with_the_last_of_them(services: Services) -> None:
    table = await open_table(services)
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


@pytest.mark.anyio
async def test_tables_that_are_looked_back_at_have_a_part_of_the_budget(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [await open_table(services) for _ in range(3)]
    for table in tables:
        found = services.table_service.live[table.id]
        monkeypatch.setattr(found, "table", without_history(found.table))
        await services.table_service.full_history(table.id)
    assert len(services.table_service.histories) == 3
    services.table_service.memory.budget_bytes = 1
    services.table_service.histories.clear()
    for table in tables:
        await services.table_service.full_history(table.id)
    assert list(services.table_service.histories) == [tables[2].id]


def without_history(table: Table) -> Table:
    """A table as if it had been read from a snapshot."""
    return Table(**{**{name: getattr(table, name) for name in table.__dataclass_fields__}, "snapshot_step": 1})
