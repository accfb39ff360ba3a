"""Simulated players: each sends a move when their socket shows their turn, and sees the opponent's moves on it.

Everything runs in the sockets' callbacks, so that a thousand tables cost the clients little.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import random
import time
from collections import Counter, deque
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

import orjson

from bench.load.report import Figures, MoveTiming, delays_within
from bench.server.http_client import ConnectionPool, RequestFailed
from bench.server.process import HOST
from bench.server.session import Session
from bench.server.socket_client import REOPEN, SocketClient, open_socket
from bench.server.usage import Usage, usage_between
from realmtable.server.tables.scenes.changes import apply_change

WARM_UP_SHARE = 0.2  # of the measured time, in advance
DRAIN_TIMEOUT_S = 30.0
FIRST_SCENE_TIMEOUT_S = 60.0
MAX_CONCURRENT = 64  # tables being opened
LOOKED_AT = ("version", "status", "your_turn", "choices")  # fields of a scene
SERVER = "server"  # the part of `ReadUsages` that is always there

ReadUsages = Callable[[], Mapping[str, Usage | None]]  # what the server and the services behind it have used so far


class LoadRun:
    """Many tables of one game on one server, with two guests each."""

    def __init__(self, port: int, game: str, *, pictures: bool) -> None:
        self.port = port
        self.game = game
        self.query = "" if pictures else "?pictures=false"  # as browsers and programs ask
        self.pairs: list[Pair] = []
        self.errors: Counter[str] = Counter()
        self.move_timings: list[MoveTiming] = []
        self.playing = False
        self.interval_s = 0.0  # between the moves at a table
        self.tasks: set[asyncio.Task[None]] = set()
        self.keys = itertools.count()

    async def open(self, tables: int) -> None:
        """Open tables and sockets, and wait until every guest has seen their table."""
        self.pairs = [Pair(self, random.Random(number)) for number in range(tables)]
        semaphore = asyncio.Semaphore(MAX_CONCURRENT)

        async def open_pair(pair: Pair) -> None:
            async with semaphore:
                await pair.open()

        await asyncio.gather(*(open_pair(pair) for pair in self.pairs))
        try:
            async with asyncio.timeout(FIRST_SCENE_TIMEOUT_S):
                await asyncio.gather(*(guest.seen.wait() for pair in self.pairs for guest in pair.guests))
        except TimeoutError:
            raise RequestFailed(f"a socket has shown nothing for {FIRST_SCENE_TIMEOUT_S:.0f} s") from None

    async def measure(self, name: str, read_usages: ReadUsages, rate: float | None, seconds: float) -> Figures:
        """Play at `rate` moves per second (None: as fast as possible) and measure."""
        self.errors.clear()
        self.move_timings.clear()
        sockets = sum(guest.socket is not None for pair in self.pairs for guest in pair.guests)
        self._start(rate)
        await asyncio.sleep(WARM_UP_SHARE * seconds)
        before, own_before, start = read_usages(), time.process_time(), time.perf_counter()
        await asyncio.sleep(seconds)
        await self._wait_for_move(start)
        after, own_after, end = read_usages(), time.process_time(), time.perf_counter()
        await self._stop()
        used = {part: usage_between(before[part], after[part], end - start) for part in before}
        cpu, memory = used.pop(SERVER)
        return Figures(
            name=name,
            tables=len(self.pairs),
            streams=sockets,
            offered_per_s=rate,
            seconds=end - start,
            delays_s=delays_within(self.move_timings, start, end),
            errors=dict(self.errors),
            cpu=cpu,
            memory=memory,
            client_cpu=(own_after - own_before) / (end - start),
            other_cpu={part: processors for part, (processors, _) in used.items()},
        )

    async def _wait_for_move(self, start: float) -> None:
        """Extend a short run on a busy machine until a move has been shown since its start."""
        until = time.perf_counter() + DRAIN_TIMEOUT_S
        while not delays_within(self.move_timings, start, time.perf_counter()):
            if time.perf_counter() > until:
                break
            await asyncio.sleep(0.05)

    def _start(self, rate: float | None) -> None:
        gc.collect()
        gc.freeze()  # these objects live until the end; do not scan them again
        self.interval_s = 0.0 if rate is None else len(self.pairs) / rate
        self.playing = True
        now = time.perf_counter()
        for pair in self.pairs:
            pair.due = now + pair.rng.random() * self.interval_s
            for guest in pair.guests:
                guest.schedule_move()

    async def _stop(self) -> None:
        """Stop sending, and wait for pending moves."""
        self.playing = False
        until = time.perf_counter() + DRAIN_TIMEOUT_S
        while self.tasks or any(guest.sent for pair in self.pairs for guest in pair.guests):
            if time.perf_counter() > until:
                break
            await asyncio.sleep(0.05)
        for pair in self.pairs:
            for guest in pair.guests:
                self.errors["a move was never shown to the opponent"] += len(guest.sent)
                guest.cancel_plans()
        self.errors = +self.errors
        gc.unfreeze()

    def close(self) -> None:
        """Close all connections."""
        for pair in self.pairs:
            for guest in pair.guests:
                guest.leave()
                guest.session.pool.close()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine in the background; its failure counts as an error of the run."""

        async def count_failure() -> None:
            try:
                await work
            except (RequestFailed, OSError, TimeoutError) as error:
                self.errors[str(error) or type(error).__name__] += 1

        task = asyncio.ensure_future(count_failure())
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)


class Pair:
    """Two guests and their table; when a game is over they open another."""

    def __init__(self, run: LoadRun, rng: random.Random) -> None:
        self.run, self.rng = run, rng
        self.guests = (Guest(self), Guest(self))
        self.table = ""
        self.due = 0.0  # when to send the next move

    async def open(self) -> None:
        """Open a table, take both seats and open the sockets."""
        first, second = self.guests
        setup = {"game": self.run.game, "seats": ["me", "open"]}
        answer = await first.session.post("/api/tables", setup)
        self.table = str(orjson.loads(answer.body)["table"])
        await second.session.post(f"/api/tables/{self.table}/seats", {})
        for guest in self.guests:
            await guest.watch()

    def opponent_of(self, guest: Guest) -> Guest:
        """Return a guest's opponent."""
        return self.guests[1] if guest is self.guests[0] else self.guests[0]

    def take_wait_s(self, now: float) -> float:
        """Return how long to wait before the next move, so that moves keep a steady interval."""
        wait = max(0.0, self.due - now)
        self.due += self.run.interval_s
        return wait

    def on_game_over(self) -> None:
        """Start the next game once both guests have seen the end."""
        if all(guest.over for guest in self.guests):
            for guest in self.guests:
                guest.leave()
            self.run.spawn(self.open())


class Guest:
    """A player with a session, a socket and a seat."""

    def __init__(self, pair: Pair) -> None:
        self.pair, self.run = pair, pair.run
        self.session = Session(ConnectionPool(HOST, self.run.port))
        self.socket: SocketClient | None = None
        self.seen = asyncio.Event()  # set by the first scene
        self.scene: dict[str, Any] = {}  # what we look at of it
        self.last_moved_version = -1  # the version of the latest scene we moved in
        self.timer: asyncio.TimerHandle | None = None
        self.sent: deque[tuple[int, float]] = deque()  # moves the opponent has not seen: version before the move, time
        self.over = False

    async def watch(self) -> None:
        """Open the socket of the table."""
        self.last_moved_version, self.over, self.scene = -1, False, {}
        await self._connect()

    async def _connect(self) -> None:
        headers = {"Origin": self.session.pool.origin, "Cookie": self.session.cookie}
        path = f"/api/tables/{self.pair.table}/socket{self.run.query}"
        self.socket = await open_socket(HOST, self.run.port, path, headers, self.on_message, self.on_end)

    def on_end(self, code: int) -> None:
        """Open the socket again, as pages do, if the server asks for it; otherwise count an error."""
        self.socket = None
        if code == REOPEN:
            self.run.spawn(self._connect())
        else:
            self.run.errors[f"socket closed with {code}"] += 1

    def leave(self) -> None:
        """Close the socket."""
        self.cancel_plans()
        if self.socket is not None:
            self.socket.close()
            self.socket = None

    def cancel_plans(self) -> None:
        """Cancel the scheduled move and forget pending ones."""
        self.sent.clear()
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def on_message(self, text: bytes) -> None:
        """Handle a message."""
        now, message = time.perf_counter(), orjson.loads(text)
        if "error" in message:
            self.run.errors[message["error"]["code"]] += 1
            if "refused" in message and self.sent:
                self.sent.pop()
        change = message.get("scene") or message.get("change")
        if change is None:
            return
        looked_at = {name: change[name] for name in LOOKED_AT if name in change}
        self.scene = apply_change({} if "scene" in message else self.scene, looked_at)
        self.seen.set()
        version, waiting = self.scene["version"], self.pair.opponent_of(self).sent
        while waiting and waiting[0][0] < version:
            self.run.move_timings.append(MoveTiming(waiting.popleft()[1], now))
        if self.scene["status"] == "over":
            if not self.over:
                self.over = True
                self.pair.on_game_over()
        else:
            self.schedule_move()

    def schedule_move(self) -> None:
        """Schedule a move if it is our turn."""
        is_due = self.scene.get("your_turn") and self.scene["version"] > self.last_moved_version
        if self.run.playing and is_due and self.timer is None:
            wait_s = self.pair.take_wait_s(time.perf_counter())
            self.timer = asyncio.get_running_loop().call_later(wait_s, self.send_random_move)

    def send_random_move(self) -> None:
        """Send a random legal move."""
        self.timer = None
        if not self.run.playing or not self.scene["your_turn"] or self.socket is None:
            return
        version = self.last_moved_version = self.scene["version"]
        moves = [move for group in self.scene["choices"].values() for move in group["moves"]]
        message = {"do": "move", "version": version, "move": self.pair.rng.choice(moves)}
        self.sent.append((version, time.perf_counter()))
        self.socket.send(orjson.dumps({**message, "key": f"load-{next(self.run.keys)}"}))
