"""The event loop never blocks: many tables play with bots that think, people move, long records are read."""

from __future__ import annotations

import asyncio
import statistics
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from realmtable.search import bots
from tests.server.serving import WAIT_S, Person, Served, quiet, settings_for, until

pytestmark = pytest.mark.anyio

MOVES = 2  # of each person
TICK_S = 0.01
WORST_S = 0.6  # a person begins to notice


@pytest.fixture(autouse=True)
def quiet_logs() -> Iterator[None]:
    with quiet():
        yield


@pytest.fixture
def busy(tmp_path: Path) -> Iterator[Served]:
    """A server whose bots have all the time they want."""
    with Served(settings_for(tmp_path, bot_workers=2, bot_limit_s=60.0)) as served:
        yield served


class Lags:
    """How late a short sleep ends: on the server's loop, and beside it in a plain thread of the same process.

    What the thread suffers is the machine's doing (and that of this test, which is a client in the same process); only
    what the loop suffers beyond that is the server's.
    """

    def __init__(self) -> None:
        self.loop: list[float] = []
        self.thread: list[float] = []
        self._stopped = threading.Event()
        self._beside = threading.Thread(target=self._sleep, daemon=True)

    async def watch(self) -> None:
        while not self._stopped.is_set():
            due = time.perf_counter() + TICK_S
            await asyncio.sleep(TICK_S)
            self.loop.append(time.perf_counter() - due)

    def _sleep(self) -> None:
        while not self._stopped.is_set():
            due = time.perf_counter() + TICK_S
            time.sleep(TICK_S)
            self.thread.append(time.perf_counter() - due)

    def start(self) -> None:
        self._beside.start()

    def stop(self) -> None:
        self._stopped.set()
        self._beside.join()

    def check(self) -> None:
        """The loop was hardly later than the machine itself."""
        assert len(self.loop) > 20
        worst, noise = max(self.loop), max(self.thread)
        assert worst < WORST_S + 2 * noise, f"the loop stood still for {worst:.2f} s, a thread for {noise:.2f} s"
        assert statistics.median(self.loop) < 0.1 + 2 * statistics.median(self.thread)


@asynccontextmanager
async def watched(served: Served) -> AsyncIterator[Lags]:
    lags = Lags()
    served.call(lambda: served.app.state.realm.house.spawn(lags.watch()))
    lags.start()
    try:
        yield lags
    finally:
        lags.stop()


async def play(person: Person, bot: str, rng: Random) -> None:
    """A few moves of a person against a bot, each after the bot has answered the one before."""
    table = (await person.post("/api/tables", {"game": "classic_realm", "seats": ["me", f"bot:{bot}"]}))["table"]

    async def my_turn() -> Any:
        scene = await person.get(f"/api/tables/{table}")
        return scene if scene["your_turn"] or scene["status"] == "over" else None

    for _ in range(MOVES):
        scene = await until(my_turn, 5 * WAIT_S)
        body = {"version": scene["version"], "move": rng.choice(scene["choices"])["move"]}
        await person.post(f"/api/tables/{table}/moves", body)
    assert (await until(my_turn, 5 * WAIT_S))["step"] >= 2 * MOVES


async def people(served: Served, stack: AsyncExitStack, count: int) -> list[Person]:
    clients = [httpx.AsyncClient(base_url=served.url, timeout=WAIT_S) for _ in range(count)]
    return [Person(await stack.enter_async_context(client)) for client in clients]


@pytest.mark.parametrize("tables", [6, pytest.param(30, marks=pytest.mark.slow)])
async def test_bots_think_elsewhere_and_the_loop_keeps_time(
    busy: Served, monkeypatch: pytest.MonkeyPatch, tables: int
) -> None:
    thought_here: list[str] = []

    def refuse(bot: bots.Bot, *_: object) -> None:
        thought_here.append(bot.name)
        raise AssertionError("a bot thinks in the server's process")

    for kind in (bots.RandomBot, bots.CasualBot, bots.GreedyBot):  # here alone: workers import their own
        monkeypatch.setattr(kind, "choose", refuse)
    async with AsyncExitStack() as stack:
        crowd = await people(busy, stack, tables)
        names = ["random", "casual", "greedy", "level4"]
        async with watched(busy) as lags:
            await asyncio.gather(
                *(play(person, names[index % len(names)], Random(index)) for index, person in enumerate(crowd))
            )
        lags.check()
        assert busy.app.state.realm.metrics.worst_lag_s < WORST_S + 2 * max(lags.thread)
    assert thought_here == []


async def test_reading_a_long_record_holds_up_nobody(busy: Served) -> None:
    """A record of the greatest size keeps a thread busy for seconds; meanwhile others are answered."""
    text = "Game: realm\n\n1. Bh11 " + "{a long story} (Bb5) " * 25_000
    async with AsyncExitStack() as stack:
        ann, bob = await people(busy, stack, 2)
        table = (await bob.post("/api/tables", {"game": "realm", "seats": ["me", "me"]}))["table"]
        async with watched(busy) as lags:
            reading = [
                asyncio.create_task(ann.send("POST", "/api/records", {"text": text})),
                asyncio.create_task(
                    ann.send("POST", "/api/tables", {"game": "realm", "seats": ["me", "open"], "record": text})
                ),
            ]
            answered = 0
            while not all(task.done() for task in reading):
                await bob.get(f"/api/tables/{table}")
                answered += 1
            answers = [task.result() for task in reading]
        assert [answer.status_code < 500 for answer in answers] == [True, True]
        assert answered > 5
        lags.check()
