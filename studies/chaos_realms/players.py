"""Seven players at a table of Chaos Realms, each with a session and a stream, who trade as fast as they are allowed.

Many want the same card at the same moment; some act on an outdated scene, click twice or send nonsense. Every response
is checked, and everything the streams show goes to the consistency checker.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter, deque
from collections.abc import Mapping
from typing import Any

import orjson

from bench.server.http_client import ConnectionPool, RequestFailed, Response, Stream, open_stream
from bench.server.process import HOST
from bench.server.session import Session
from realmtable import game
from realmtable.engine.record import load_record
from realmtable.server.tables.scenes.changes import apply_change, read_scene
from studies.chaos_realms.consistency import ConsistencyChecker, PublicMoveCounter, delivery_delays, find_refusal_fault

SEATS = 7
END_TIMEOUT_S = 60.0
STALE_SHARE = 0.05  # of steps taken from an earlier scene
NONSENSE_SHARE = 0.02
TWICE_SHARE = 0.03
TOGETHER_SHARE = 0.5  # of steps about the newest offer
NONSENSE = ("bid King for King", "offer Nobody", "accept", "time", "deck", "withdraw 7", "ready, ready")
# Relative frequency of each kind of legal step; otherwise bids, which are far more numerous, would dominate.
MOVE_WEIGHTS = {"offer": 4, "bid": 6, "accept": 5, "withdraw": 1, "cancel": 1, "refuse": 1, "ready": 0.3, "active": 6}

Scene = Mapping[str, Any]


class ChaosTable:
    """A table with its seven players."""

    def __init__(self, port: int, rng: random.Random, *, limited: bool = False) -> None:
        self.rng, self.limited = rng, limited
        self.guests = [Guest(self, seat, port) for seat in range(SEATS)]
        self.checker = ConsistencyChecker(SEATS)
        self.faults: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.taken = 0  # accepted steps
        self.offers: list[tuple[float, int]] = []  # time sent, number of the public step
        self.id = ""

    async def open(self) -> None:
        """Open a table, take all seats and open the streams."""
        options = {"trading_s": 3600, "max_steps": 5000}
        seats = ["me", *["open"] * (SEATS - 1)]
        setup = {"game": "fantasy_realms", "preset": "chaos", "options": options, "seats": seats}
        answer = await self.guests[0].session.post("/api/tables", setup)
        self.id = str(orjson.loads(answer.body)["table"])
        for guest in self.guests[1:]:
            await guest.session.post(f"/api/tables/{self.id}/seats", {"seat": guest.seat})
        await asyncio.gather(*(guest.watch() for guest in self.guests))
        async with asyncio.timeout(END_TIMEOUT_S):
            await asyncio.gather(*(guest.begun.wait() for guest in self.guests))

    async def trade(self, seconds: float, rate: float | None) -> None:
        """Trade for `seconds`, at `rate` actions per second and player (None: as often as responses come)."""
        until = time.perf_counter() + seconds
        await asyncio.gather(*(guest.trade(until, rate) for guest in self.guests))

    async def finish(self) -> None:
        """Finish the game: all players are ready, the Necromancer's holder chooses, and the record is checked."""
        try:
            async with asyncio.timeout(END_TIMEOUT_S):
                self.checker.compare_bids(await asyncio.gather(*(guest.fetch_view() for guest in self.guests)))
                await asyncio.gather(*(guest.finish() for guest in self.guests))
                answer = await self.guests[0].get(f"/api/tables/{self.id}/record")
        except TimeoutError:
            self.faults["the game did not end in time"] += 1
        else:
            self._check_record(answer.body.decode())
        self.faults += self.checker.faults

    def _check_record(self, text: str) -> None:
        match = load_record(text, game).replay()
        outcome, result = match.outcome(), self.guests[0].scene["result"]
        view = match.view(0)
        hands = [] if view["scores"] is None else [sorted(score["hand"]) for score in view["scores"]]
        self.count_fault(
            hands != self.checker.last_hands(), "the record ends with different hands than the players saw"
        )
        same = outcome is not None and list(outcome.scores) == result["scores"]
        self.count_fault(not same, "the record ends with a different result")
        self.count_fault(view["steps"] != self.taken, "the record has different steps than were accepted")

    def count_fault(self, wrong: bool, what: str) -> None:
        """Count a fault if `wrong` is true."""
        self.faults[what] += wrong
        self.faults = +self.faults

    def delays_s(self) -> list[float]:
        """Return for every offer how long it took until the last of the seven had seen it."""
        return delivery_delays(self.offers, [guest.public_move_times for guest in self.guests])

    def close(self) -> None:
        """Close all connections."""
        for guest in self.guests:
            guest.leave()


class Guest:
    """A player with a session, a stream and a seat."""

    def __init__(self, table: ChaosTable, seat: int, port: int) -> None:
        self.table, self.seat = table, seat
        self.session = Session(ConnectionPool(HOST, port))
        self.stream: Stream | None = None
        self.sent_scene: Scene = {}  # as the stream sends it
        self.scene: Scene = {}
        self.accepted_offers: dict[int, float] = {}  # time sent, by the version that they led to, until it is shown
        self.counter = PublicMoveCounter()
        self.begun = asyncio.Event()
        self.over = asyncio.Event()
        self.public_move_times: list[tuple[int, float]] = []  # public steps the stream showed, with times
        self.past_moves: deque[str] = deque(maxlen=20)  # steps that were legal earlier
        self.key_count = 0

    # ---- watching

    async def watch(self) -> None:
        """Open the stream of the table."""
        headers = {**self.session.headers(), "accept": "text/event-stream"}
        path = f"/api/tables/{self.table.id}/events"
        self.stream = await open_stream(self.session.pool, path, headers, self.on_event, self.on_stream_end)

    async def fetch_view(self) -> Mapping[str, Any]:
        """Fetch this seat's current view."""
        view: Mapping[str, Any] = orjson.loads((await self.get(f"/api/tables/{self.table.id}")).body)["view"]
        return view

    def on_event(self, kind: str, data: bytes) -> None:
        """Handle a scene or a change of it from the stream."""
        self.sent_scene = apply_change({} if kind == "scene" else self.sent_scene, orjson.loads(data))
        self.scene = scene = read_scene(self.sent_scene)
        if scene["status"] == "open":
            return
        self.public_move_times.append((self.counter.count(scene), time.perf_counter()))
        self.table.checker.add_view(self.counter.count(scene), scene["view"])
        self.note_shown_offers()
        self.begun.set()
        if scene["status"] == "over":
            self.over.set()

    def note_shown_offers(self) -> None:
        """Note our offers that the latest scene shows."""
        for version in [version for version in self.accepted_offers if version <= self.scene["version"]]:
            self.table.offers.append((self.accepted_offers.pop(version), self.counter.count(self.scene)))

    def on_stream_end(self, reason: str) -> None:
        """Count a stream that ended unexpectedly as a fault."""
        self.stream = None
        self.table.count_fault(wrong=True, what=reason)

    def leave(self) -> None:
        """Close the stream and the connections."""
        if self.stream is not None:
            self.stream.close()
        self.session.pool.close()

    # ---- trading

    async def trade(self, until: float, rate: float | None) -> None:
        """Act repeatedly until the deadline."""
        pause = 0.0 if rate is None else 1 / rate
        due = time.perf_counter() + self.table.rng.random() * pause
        while time.perf_counter() < until and not self.over.is_set():
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            due = max(due + pause, time.perf_counter() - pause)
            move = self.pick_move()
            if move and self.scene["view"]["phase"] == "trade":
                await self.send_move(move)
            else:
                await asyncio.sleep(0.01)

    def pick_move(self) -> str:
        """Pick a plausible step; now and then an outdated one, or nonsense."""
        rng, moves = self.table.rng, [choice["move"] for choice in self.scene["choices"]]
        roll = rng.random()
        if roll < NONSENSE_SHARE:
            return rng.choice(NONSENSE)
        if roll < NONSENSE_SHARE + STALE_SHARE and self.past_moves:
            return rng.choice(self.past_moves)
        chosen = self._pick_lively_move(moves)
        self.past_moves.append(rng.choice(moves or ["ready"]))
        return chosen

    def _pick_lively_move(self, moves: list[str]) -> str:
        """Pick a step of a popular kind, often about the newest card on offer."""
        rng, view = self.table.rng, self.scene["view"]
        kinds = sorted({move.partition(" ")[0] for move in moves} & MOVE_WEIGHTS.keys())
        if sum(view["ready"]) > SEATS // 2:
            kinds = [kind for kind in kinds if kind != "ready"]  # otherwise trading would end
        if not kinds:
            return ""
        kind = rng.choices(kinds, [MOVE_WEIGHTS[kind] for kind in kinds])[0]
        fitting = [move for move in moves if move.partition(" ")[0] == kind]
        newest = view["offers"][-1]["card"] if view["offers"] else "none"
        together = [move for move in fitting if newest in move] if rng.random() < TOGETHER_SHARE else []
        return rng.choice(together or fitting)

    async def send_move(self, move: str) -> bool:
        """Send a step, now and then twice as by a double click; return whether it was accepted."""
        self.key_count += 1
        body = {"version": self.scene["version"], "move": move, "key": f"seat{self.seat}-{self.key_count}"}
        sent, times = time.perf_counter(), 1 + (self.table.rng.random() < TWICE_SHARE)
        try:
            answers = await asyncio.gather(*(self._post(body) for _ in range(times)))
        except (RequestFailed, OSError) as error:
            self.table.count_fault(wrong=True, what=f"no answer: {error}")
            return False
        accepted = [answer for answer in answers if answer.status == 200]
        if accepted:
            self._on_accepted(move, sent, orjson.loads(accepted[0].body)["version"])
        return bool(accepted)

    async def _post(self, body: Mapping[str, Any]) -> Response:
        path = f"/api/tables/{self.table.id}/moves"
        answer = await self.session.pool.send("POST", path, self.session.headers(), orjson.dumps(body))
        if answer.status != 200:
            self._on_refused(answer)
        return answer

    def _on_accepted(self, move: str, sent: float, version: int) -> None:
        self.table.taken += move.partition(" ")[0] in MOVE_WEIGHTS  # the Necromancer's choice comes after trading
        if move.startswith("offer "):
            self.accepted_offers[version] = sent
            self.note_shown_offers()

    def _on_refused(self, answer: Response) -> None:
        try:
            refusal = orjson.loads(answer.body)
        except orjson.JSONDecodeError:
            refusal = None
        fault = find_refusal_fault(answer.status, refusal, limited=self.table.limited)
        self.table.count_fault(bool(fault), fault)
        code = (refusal or {}).get("error", {}).get("code", "?")
        self.table.refused[f"{answer.status} {code}"] += 1

    async def get(self, path: str) -> Response:
        """Send a GET with this player's session."""
        return await self.session.pool.send("GET", path, self.session.headers())

    async def finish(self) -> None:
        """Declare ready, and choose the Necromancer's card, until the game is over."""
        while not self.over.is_set():
            moves = [choice["move"] for choice in self.scene["choices"]]
            trading = self.scene["view"]["phase"] == "trade"
            wanted = [move for move in moves if move == "ready"] if trading else moves
            if not wanted or not await self.send_move(self.table.rng.choice(wanted)):
                await asyncio.sleep(0.05)
