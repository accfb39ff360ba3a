"""The event loop never blocks: many tables with thinking bots, moving players and long records."""

from __future__ import annotations

import asyncio
import statistics
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from realmtable.engine.bots import Bot
from realmtable.search import baselines
from realmtable.server.images import render
from realmtable.server.tables import setup
from realmtable.server.tables.replays import image_tasks, replay_tasks, replay_views
from tests.server.support.live_server import WAIT_S, Person, ServerThread, make_settings, wait_until

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("quiet_logs")]

MOVES = 2  # of each person
TICK_S = 0.01
WORST_S = 0.6  # a person begins to notice


@pytest.fixture
def busy(tmp_path: Path) -> Iterator[ServerThread]:
    """A server whose bots have all the time they want."""
    with ServerThread(make_settings(tmp_path, bot_workers=2, bot_limit_s=60.0, replay_workers=1)) as served:
        yield served


class LagMonitor:
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
async def watch_lag(served: ServerThread) -> AsyncIterator[LagMonitor]:
    lags = LagMonitor()
    served.call_on_loop(lambda: served.app.state.services.table_service.spawn(lags.watch()))
    lags.start()
    try:
        yield lags
    finally:
        lags.stop()


async def play(person: Person, bot: str, rng: Random) -> None:
    """A few moves of a person against a bot, each after the bot has answered the one before."""
    table = await person.open_table(game="classic_realm", seats=["me", f"bot:{bot}"])

    async def fetch_if_my_turn() -> Any:
        scene = await person.get(f"/api/tables/{table}")
        return scene if scene["your_turn"] or scene["status"] == "over" else None

    for _ in range(MOVES):
        scene = await wait_until(fetch_if_my_turn, 5 * WAIT_S)
        body = {"version": scene["version"], "move": rng.choice(scene["choices"])["move"]}
        await person.post(f"/api/tables/{table}/moves", body)
    assert (await wait_until(fetch_if_my_turn, 5 * WAIT_S))["step"] >= 2 * MOVES


async def open_browsers(served: ServerThread, stack: AsyncExitStack, count: int) -> list[Person]:
    clients = [httpx.AsyncClient(base_url=served.url, timeout=WAIT_S) for _ in range(count)]
    return [Person(await stack.enter_async_context(client)) for client in clients]


@pytest.mark.parametrize("tables", [pytest.param(6, marks=pytest.mark.long), pytest.param(30, marks=pytest.mark.slow)])
async def test_bots_think_elsewhere_and_the_loop_keeps_time(
    busy: ServerThread, monkeypatch: pytest.MonkeyPatch, tables: int
) -> None:
    thought_here: list[str] = []

    def refuse(bot: Bot, *_: object) -> None:
        thought_here.append(bot.name)
        raise AssertionError("a bot thinks in the server's process")

    for kind in (baselines.RandomBot, baselines.CasualBot, baselines.GreedyBot):
        monkeypatch.setattr(kind, "choose", refuse)
    async with AsyncExitStack() as stack:
        crowd = await open_browsers(busy, stack, tables)
        names = ["random", "casual", "greedy", "level4"]
        async with watch_lag(busy) as lags:
            await asyncio.gather(
                *(play(person, names[index % len(names)], Random(index)) for index, person in enumerate(crowd))
            )
        lags.check()
        assert busy.app.state.services.metrics.worst_lag_s < WORST_S + 2 * max(lags.thread)
    assert thought_here == []


CROWDED = "W:Ab2,Ae2,Ch2,Ak2,Ab5,Ae5,Ah5,Ak5 B:Ae8,Ah8,Af10,Cd11,Ag11,Ai12,Aj12 move=W"  # some 800 choices
STORY = "Game: realm\n\n1. Bh11 " + "{a long story} (Bb5) " * 25_000
NESTED = "Game: realm\n\n1. Bh11 " + "[Bb5 [Bb8]] " * 80_000
JOINED = "Game: realm\n\n1. " + "x, " * 330_000
LONG = "Game: realm\n\n1. Bh11 " + "[Bb5] " * 3_000


def record_of(text: str) -> tuple[str, str, dict[str, Any]]:
    return "POST", "/api/records", {"text": text}


COSTLY = {
    "a record with much beside its turns": record_of(STORY),
    "a record of nested variations": record_of(NESTED),
    "a record of words joined by commas": record_of(JOINED),
    "a record of many steps": record_of(LONG),
    "a table from a record": ("POST", "/api/tables", {"game": "realm", "seats": ["me", "open"], "record": LONG}),
    "a crowded position": ("POST", "/api/explore", {"game": "modern_realm", "position": CROWDED}),
    "a table from a crowded position": (
        "POST",
        "/api/tables",
        {"game": "modern_realm", "seats": ["me", "me"], "position": CROWDED},
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", COSTLY)
async def test_costly_requests_hold_up_nobody(busy: ServerThread, name: str) -> None:
    """Two at once keep a process busy for seconds; meanwhile others are answered."""
    method, path, body = COSTLY[name]
    async with AsyncExitStack() as stack:
        ann, bob = await open_browsers(busy, stack, 2)
        table = await bob.open_table(seats=["me", "me"])
        await ann.post("/api/me")
        async with watch_lag(busy) as lags:
            asking = [asyncio.create_task(ann.send(method, path, body)) for _ in range(2)]
            answered = 0
            while not all(task.done() for task in asking) or answered < 10:
                await bob.get(f"/api/tables/{table}")
                await asyncio.sleep(0.05)  # the processes at work are less urgent than this one
                answered += 1
            answers = [task.result() for task in asking]
        assert [answer.status_code < 500 for answer in answers] == [True] * 2
        lags.check()


@pytest.mark.long
async def test_costly_work_is_done_in_other_processes(busy: ServerThread, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the work runs, rather than how long it takes: the functions that do it are never called here."""
    called: list[str] = []

    def refuse(name: str) -> Callable[..., None]:
        def call(*_: object, **__: object) -> None:
            called.append(name)
            raise AssertionError(f"{name} runs in the server's process")

        return call

    for module, name in (
        (replay_views, "explore"),
        (replay_views, "record_replay"),
        (replay_views, "moment"),
        (replay_tasks, "moment"),
        (replay_tasks, "parse_record"),
        (replay_tasks, "load_record"),
        (setup, "load_record"),
        (image_tasks, "draw_whole"),
        (render, "make_plain"),
    ):
        monkeypatch.setattr(module, name, refuse(f"{module.__name__}.{name}"))
    short = "Game: realm\n\n1. Bh11 [Bb5] / Bh2"
    async with AsyncExitStack() as stack:
        [ann] = await open_browsers(busy, stack, 1)
        wish = {"game": "realm", "seats": ["me", "me"], "record": short}
        table = (await ann.post("/api/tables", wish))["table"]
        scene = await ann.get(f"/api/tables/{table}?pictures=true")
        body = {"version": scene["version"], "move": scene["choices"][0]["move"]}
        await ann.post(f"/api/tables/{table}/moves", body)
        scene = await ann.get(f"/api/tables/{table}")
        await ann.get(f"/api/tables/{table}/preview?move={scene['choices'][0]['move']}")
        await ann.get(f"/api/tables/{table}/moments/1")
        await ann.post("/api/explore", {"game": "realm", "moves": ["Bh11"]})
        record = (await ann.post("/api/records", {"text": short}))["record"]
        await ann.get(f"/api/records/{record}")
        await ann.get(f"/api/records/{record}/moments/2")
        await ann.post("/api/positions/edits", {"game": "realm", "handle": "h11"})
        for page in (
            f"/tables/{table}/replay",
            f"/records/{record}",
            f"/api/tables/{table}/record",
            f"/api/tables/{table}/moments/1.svg",
            f"/api/records/{record}/moments/1.svg",
            f"/api/tables/{table}/moments/1.png",
            f"/api/records/{record}/replay.gif",
            "/api/positions/realm.png",
            "/positions/realm",
            "/analyse/realm",
        ):
            assert (await ann.client.get(page)).status_code in {200, 202}, page
    assert called == []
