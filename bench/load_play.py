"""People at tables: each posts a move as soon as its own stream shows its turn, and sees the other's on its stream.

Everything hangs on the streams' callbacks, so that a thousand tables cost the measuring side little.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import random
import time
from collections import Counter, deque
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

import orjson

from bench.load_figures import Figures, Played, delays_within, usage_between
from bench.load_http import Answer, Failed, Lines, Stream, open_stream
from bench.load_process import HOST, usage

WARM_UP_SHARE = 0.2  # of the measured time, before it
DRAIN_S = 30.0
FIRST_SCENE_S = 60.0
AT_ONCE = 64  # tables being opened
YOUR_TURN = b'"your_turn":true'
OVER = b'"status":"over"'


@dataclass(eq=False)
class Session:
    """A guest's browser: its kept connection, its cookie, and the token that goes with it."""

    lines: Lines
    cookie: str = ""
    csrf: str = ""

    def headers(self) -> dict[str, str]:
        """What a browser sends with every request."""
        known = {"cookie": self.cookie, "x-csrf-token": self.csrf} if self.cookie else {}
        return {"origin": self.lines.origin, "content-type": "application/json", **known}

    def learn(self, answer: Answer) -> None:
        """Keep the session that an answer opened."""
        if "set-cookie" in answer.headers:
            self.cookie = answer.headers["set-cookie"].partition(";")[0]
            self.csrf = answer.headers["x-csrf-token"]

    async def post(self, path: str, body: Any) -> Answer:  # noqa: ANN401 - plain data
        """The answer to a request; Failed if it is refused."""
        answer = await self.lines.send("POST", path, self.headers(), orjson.dumps(body))
        self.learn(answer)
        if answer.status not in (200, 201):
            code = "?" if answer.headers.get("content-type") != "application/json" else _code(answer.body)
            raise Failed(f"refused with {answer.status}, {code}")
        return answer


def _code(body: bytes) -> str:
    return str(orjson.loads(body).get("error", {}).get("code", "?"))


class Hall:
    """Many tables of one game at one server, two guests at each."""

    def __init__(self, port: int, game: str, *, pictures: bool) -> None:
        self.port = port
        self.game, self.query = game, "?pictures=true" if pictures else ""
        self.pairs: list[Pair] = []
        self.errors: Counter[str] = Counter()
        self.played: list[Played] = []
        self.playing = False
        self.interval_s = 0.0  # between the moves of a table; 0: none
        self.tasks: set[asyncio.Task[None]] = set()
        self.keys = itertools.count()

    async def open(self, tables: int) -> None:
        """Open tables and streams, and wait until every guest sees its table."""
        self.pairs = [Pair(self, random.Random(number)) for number in range(tables)]
        gate = asyncio.Semaphore(AT_ONCE)

        async def opened(pair: Pair) -> None:
            async with gate:
                await pair.open()

        await asyncio.gather(*(opened(pair) for pair in self.pairs))
        try:
            async with asyncio.timeout(FIRST_SCENE_S):
                await asyncio.gather(*(guest.seen.wait() for pair in self.pairs for guest in pair.guests))
        except TimeoutError:
            raise Failed(f"a stream has shown nothing for {FIRST_SCENE_S:.0f} s") from None

    async def measure(self, name: str, pid: int, rate: float | None, seconds: float) -> Figures:
        """Play at so many moves per second (None: as many as the server takes) and measure."""
        self.errors.clear()
        self.played.clear()
        streams = sum(guest.stream is not None for pair in self.pairs for guest in pair.guests)
        self._begin(rate)
        await asyncio.sleep(WARM_UP_SHARE * seconds)
        before, own_before, start = usage(pid), time.process_time(), time.perf_counter()
        await asyncio.sleep(seconds)
        after, own_after, end = usage(pid), time.process_time(), time.perf_counter()
        await self._stop()
        cpu, memory = usage_between(before, after, end - start)
        return Figures(
            name=name,
            tables=len(self.pairs),
            streams=streams,
            offered_per_s=rate,
            seconds=end - start,
            delays_s=delays_within(self.played, start, end),
            errors=dict(self.errors),
            cpu=cpu,
            memory=memory,
            client_cpu=(own_after - own_before) / (end - start),
        )

    def _begin(self, rate: float | None) -> None:
        gc.collect()
        gc.freeze()  # what stands now stands until the end: collecting must not look at it again
        self.interval_s = 0.0 if rate is None else len(self.pairs) / rate
        self.playing = True
        now = time.perf_counter()
        for pair in self.pairs:
            pair.due = now + pair.rng.random() * self.interval_s
            for guest in pair.guests:
                guest.plan()

    async def _stop(self) -> None:
        """Send nothing more, and wait for what is under way."""
        self.playing = False
        until = time.perf_counter() + DRAIN_S
        while self.tasks or any(guest.sent for pair in self.pairs for guest in pair.guests):
            if time.perf_counter() > until:
                break
            await asyncio.sleep(0.05)
        for pair in self.pairs:
            for guest in pair.guests:
                self.errors["a move was never shown to the opponent"] += len(guest.sent)
                guest.rest()
        self.errors = +self.errors
        gc.unfreeze()

    def close(self) -> None:
        """Leave."""
        for pair in self.pairs:
            for guest in pair.guests:
                guest.leave()
                guest.session.lines.close()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside; its failure is an error of the run."""

        async def watched() -> None:
            try:
                await work
            except (Failed, OSError, TimeoutError) as error:
                self.errors[str(error) or type(error).__name__] += 1

        task = asyncio.ensure_future(watched())
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)


class Pair:
    """Two guests and the table they play at; when a game is over they open the next."""

    def __init__(self, hall: Hall, rng: random.Random) -> None:
        self.hall, self.rng = hall, rng
        self.guests = (Guest(self), Guest(self))
        self.table = ""
        self.due = 0.0  # when the next move is to be sent

    async def open(self) -> None:
        """Open a table, sit down and watch."""
        first, second = self.guests
        wish = {"game": self.hall.game, "seats": ["me", "open"]}
        answer = await first.session.post("/api/tables", wish)
        self.table = str(orjson.loads(answer.body)["table"])
        await second.session.post(f"/api/tables/{self.table}/seats", {})
        for guest in self.guests:
            await guest.watch()

    def other(self, guest: Guest) -> Guest:
        """The opponent."""
        return self.guests[1] if guest is self.guests[0] else self.guests[0]

    def wait_s(self, now: float) -> float:
        """How long to think before the next move, so that moves keep their steady distance."""
        wait = max(0.0, self.due - now)
        self.due += self.hall.interval_s
        return wait

    def ended(self) -> None:
        """Somebody has seen the end; once both have, the next game begins."""
        if all(guest.over for guest in self.guests):
            for guest in self.guests:
                guest.leave()
            self.hall.spawn(self.open())


class Guest:
    """Somebody with a session, a stream and a seat."""

    def __init__(self, pair: Pair) -> None:
        self.pair, self.hall = pair, pair.hall
        self.session = Session(Lines(HOST, self.hall.port))
        self.stream: Stream | None = None
        self.seen = asyncio.Event()  # whether there was a scene yet
        self.turn: tuple[int, bytes] | None = None  # the scene to move in, until we move
        self.clicked = -1  # the version of the latest scene we moved in
        self.timer: asyncio.TimerHandle | None = None
        self.sent: deque[tuple[int, float]] = deque()  # moves the opponent has not seen yet: version before, moment
        self.over = False

    async def watch(self) -> None:
        """Open the stream of the table."""
        self.clicked, self.over, self.turn = -1, False, None
        headers = {**self.session.headers(), "accept": "text/event-stream", "accept-encoding": "gzip"}
        path = f"/api/tables/{self.pair.table}/events{self.hall.query}"
        self.stream = await open_stream(self.session.lines, path, headers, self.see, self.lost)

    def lost(self, reason: str) -> None:
        """The stream has ended by itself."""
        self.stream = None
        self.hall.errors[reason] += 1

    def leave(self) -> None:
        """Watch no longer."""
        self.rest()
        if self.stream is not None:
            self.stream.close()
            self.stream = None

    def rest(self) -> None:
        """Plan nothing, wait for nothing."""
        self.sent.clear()
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def see(self, version: int, scene: bytes) -> None:
        """The stream shows a scene."""
        now = time.perf_counter()
        self.seen.set()
        waiting = self.pair.other(self).sent
        while waiting and waiting[0][0] < version:
            self.hall.played.append(Played(waiting.popleft()[1], now))
        if OVER in scene:
            if not self.over:
                self.over = True
                self.pair.ended()
        elif version > self.clicked and YOUR_TURN in scene:
            self.turn = version, scene
            self.plan()

    def plan(self) -> None:
        """Move when it is time, if it is our turn."""
        if self.hall.playing and self.turn is not None and self.timer is None:
            wait_s = self.pair.wait_s(time.perf_counter())
            self.timer = asyncio.get_running_loop().call_later(wait_s, self.click)

    def click(self) -> None:
        """Send a move, any one."""
        self.timer = None
        if self.hall.playing and self.turn is not None:
            (version, scene), self.turn = self.turn, None
            self.clicked = version
            choice = self.pair.rng.choice(orjson.loads(scene)["choices"])
            self.hall.spawn(self.move(version, choice["move"]))

    async def move(self, version: int, move: str) -> None:
        """Send a move, and wait for the answer."""
        body = {"version": version, "move": move, "key": f"load-{next(self.hall.keys)}"}
        sent = version, time.perf_counter()
        self.sent.append(sent)
        try:
            await self.session.post(f"/api/tables/{self.pair.table}/moves{self.hall.query}", body)
        except Failed:
            if sent in self.sent:
                self.sent.remove(sent)
            raise
