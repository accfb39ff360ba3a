"""The memory of live tables: estimated honestly, kept within the budget, and nothing is lost when a table leaves."""

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
from realmtable.server.services import Realm
from realmtable.server.tables import actions, table_memory
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.table import Sitter, Table
from realmtable.server.tables.table_memory import TableMemory, state_bytes, table_bytes
from tests.server.tabling import bench

STEPS = 40


def played(game: str, seed: int, steps: int = STEPS) -> Table:
    found, rng = bench(game), Random(seed)
    for _ in range(steps):
        if found.table.status != "running" or min(found.table.acting) < 0:
            break
        found.play(rng)
    return found.table


@pytest.mark.parametrize("game", [info.id for info in registry.infos() if 2 in info.seats])
def test_the_estimate_is_about_what_python_has_allocated(game: str) -> None:
    played(game, 0)  # what a game keeps for all its tables is made now
    played(game, 9)
    gc.collect()
    tracemalloc.start()
    try:
        tables = [played(game, seed) for seed in range(4)]
        gc.collect()
        shared = tracemalloc.Filter(inclusive=False, filename_pattern="*/step_table.py")  # one for all tables
        traces = tracemalloc.take_snapshot().filter_traces([shared]).statistics("filename")
        allocated = sum(trace.size for trace in traces)
    finally:
        tracemalloc.stop()
    estimate = sum(table_bytes(table, state_bytes(table.match.state)) for table in tables)
    assert 0.5 < estimate / allocated < 2, (estimate, allocated)


def test_a_state_of_any_kind_is_measured() -> None:
    class Slotted:
        __slots__ = ("numbers", "unset")

        def __init__(self) -> None:
            self.numbers = list(range(1000, 2000))

    plain = SimpleNamespace(words={"a": "x" * 3000}, again=None, rule=len)
    plain.again = plain  # a circle
    assert state_bytes(Slotted()) > 1000 * sys.getsizeof(1000) * table_memory.OWN_PART
    assert 3000 * table_memory.OWN_PART < state_bytes(plain) < 3000


def test_lists_of_legal_steps_are_not_kept_for_earlier_states() -> None:
    table = played("modern_realm", 1)
    node = table.match.parent
    earlier = 0
    while node is not None:
        assert node.state._codes is None
        node, earlier = node.parent, earlier + 1
    assert earlier > 10


def live(status: str, size: int = 10, **facts: Any) -> Any:  # stands in for a Live
    values = {"streams": 0, "queue": asyncio.Lock(), "size": size, "table": SimpleNamespace(status=status)}
    return SimpleNamespace(**(values | facts))


def test_finished_tables_leave_first_then_those_unused_for_longest() -> None:
    memory = TableMemory(budget_bytes=100)
    newest = live("open")
    tables = {
        "r1": live("running"),
        "o1": live("open"),
        "f1": live("over"),
        "r2": live("running"),
        "watched": live("over", streams=1),
        "f2": live("halted"),
        "thinking": live("running"),
        "new": newest,
    }
    memory.is_busy = "thinking".__eq__
    memory.count(tables)
    assert memory.leaving(tables, newest, 100) == []
    order = ["f1", "f2", "o1", "r1", "r2"]
    for count in range(1, 6):
        assert memory.leaving(tables, newest, len(tables) - count) == order[:count]
    assert memory.leaving(tables, newest, 0) == order, "the others are in use"
    memory.budget_bytes = 79
    assert memory.leaving(tables, newest, 100) == ["f1"], "to nine tenths of the budget"
    memory.budget_bytes = 60
    assert memory.leaving(tables, newest, 100) == ["f1", "f2", "o1"]


async def locked(lock: asyncio.Lock) -> None:
    await lock.acquire()


def test_a_table_that_is_being_changed_stays() -> None:
    memory = TableMemory(budget_bytes=1)
    changing = live("over")
    asyncio.run(locked(changing.queue))
    memory.count({"a": changing})
    assert memory.leaving({"a": changing}, live("over"), 0) == []


# ---- on a server


async def opened(realm: Realm) -> Table:
    player, _ = await realm.accounts.guest()
    return await realm.house.open_table(Setup("classic_realm", 2), player, [Sitter(player.id)] * 2)


def random_step(rng: Random) -> Any:
    def play(table: Table) -> list[actions.Draft]:
        move = rng.choice(table.game.legal_moves(table.match.state, table.acting[0]))
        return actions.play(table, table.acting[0], table.game.format_move(table.match.state, move))

    return play


@pytest.mark.anyio
async def test_tables_leave_when_the_budget_is_spent_and_come_back_as_they_were(realm: Realm) -> None:
    told: list[str] = []
    realm.house.memory.on_leave = told.append
    realm.house.memory.budget_bytes = 150_000
    tables = [await opened(realm) for _ in range(3)]
    await realm.house.act(tables[1].id, lambda now: actions.resign(now, (0,)))
    rng = Random(1)
    last = tables[0]
    for _ in range(30):
        last = await realm.house.act(tables[2].id, random_step(rng))
    assert told[:2] == ["over", "running"]
    assert list(realm.house.live) == [tables[2].id], "the one in use stays though it is large"
    assert realm.house.memory.used_bytes == realm.house.live[last.id].size
    back = await realm.house.table(tables[1].id)
    assert (back.status, back.version) == ("over", tables[1].version + 1)
    again = await realm.house.table(last.id)
    assert again.game.encode(again.match.state) == last.game.encode(last.match.state)
    assert again.version == last.version


@pytest.mark.anyio
async def test_what_was_drawn_for_those_who_watch_goes_with_the_last_of_them(realm: Realm) -> None:
    table = await opened(realm)
    live = await realm.house.find(table.id)
    async with realm.house.present(live, ()):
        async with realm.house.present(live, ()):
            await realm.house.scene_bytes(live, (), pictures=True)
        assert live.scenes
        assert "picture" in live.table.__dict__
    assert not live.scenes
    assert "picture" not in live.table.__dict__
    assert (await realm.house.scene_bytes(live, (), pictures=True))[1]


@pytest.mark.anyio
async def test_tables_that_are_looked_back_at_have_a_part_of_the_budget(
    realm: Realm, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [await opened(realm) for _ in range(3)]
    for table in tables:
        found = realm.house.live[table.id]
        monkeypatch.setattr(found, "table", table_memory_cut(found.table))
        await realm.house.whole(table.id)
    assert len(realm.house.wholes) == 3
    realm.house.memory.budget_bytes = 1
    realm.house.wholes.clear()
    for table in tables:
        await realm.house.whole(table.id)
    assert list(realm.house.wholes) == [tables[2].id]


def table_memory_cut(table: Table) -> Table:
    """A table as if it had been read from a snapshot."""
    return Table(**{**{name: getattr(table, name) for name in table.__dataclass_fields__}, "base": 1})
