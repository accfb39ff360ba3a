"""Simulated people who play over HTTP and follow streams while servers are killed, and log every answer they get."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import cycle
from random import Random
from typing import Any, TypeVar

import httpx

from realmtable.server.tables.scenes.changes import apply_change
from tests.server.support.live_server import Person, wait_until
from tests.server.support.restartable_server import WAIT_S

GAME = "medieval_realm"  # the shortest at random: some 55 to 110 steps
Result = TypeVar("Result")


@dataclass(frozen=True)
class Ack:
    """A move that the server has acknowledged."""

    table: str
    version: int
    key: str
    move: str


@dataclass
class Log:
    """The messages that people sent and received, across all restarts of the server."""

    acks: list[Ack] = field(default_factory=list)
    sent: dict[tuple[str, str], str] = field(default_factory=dict)  # (table, key): move
    seen: Counter[str] = field(default_factory=Counter)  # by table, the latest version that anyone has seen
    surprises: list[str] = field(default_factory=list)  # unexpected answers
    breaks: int = 0  # how often a connection was lost
    repeats: int = 0  # acknowledged moves that were sent and acknowledged again

    def note_shown(self, table: str, version: int) -> None:
        self.seen[table] = max(self.seen[table], version)


class Crowd:
    """People who play until they are asked to stop; after a lost connection they try again, at the next server."""

    def __init__(self, ports: Sequence[int], stack: AsyncExitStack) -> None:
        self.urls = [f"http://127.0.0.1:{port}" for port in ports]
        self.next_url = cycle(self.urls)  # of the next person
        self.stack = stack
        self.log = Log()
        self.tables: list[str] = []
        self.acting: dict[str, int] = {}  # by table, the seat that was to move when last seen
        self.rng = Random(4)
        self.last_game = False
        self.stopping = False
        self.resend_share = 0.0  # of the acknowledged moves, which are sent again with the same key
        self.tasks: list[asyncio.Task[None]] = []

    async def person(self) -> Person:
        """Return a person with a session: a newcomer whose first answer is lost would lose the cookie with it."""
        client = httpx.AsyncClient(base_url=next(self.next_url), timeout=WAIT_S)
        person = Person(await self.stack.enter_async_context(client))
        await person.post("/api/me/tokens", {"label": "to be known"})
        return person

    async def retry(self, person: Person, ask: Callable[[], Awaitable[Result]]) -> Result:
        """Repeat a request until there is an answer, as a browser does."""
        async with asyncio.timeout(WAIT_S):
            while True:
                url = person.client.base_url
                try:
                    return await ask()
                except httpx.TransportError:
                    self.log.breaks += 1
                    await self.switch_server(person, url)

    async def switch_server(self, person: Person, failed: httpx.URL) -> None:
        """Go to the server after the one that failed, as a proxy does, unless the person has done so."""
        await asyncio.sleep(0.05)
        if person.client.base_url == failed:
            place = self.urls.index(str(failed).rstrip("/"))
            person.client.base_url = httpx.URL(self.urls[(place + 1) % len(self.urls)])

    async def open_table(self, people: list[Person], *others: str, **wishes: Any) -> str:
        seats = ["me", *["open"] * (len(people) - 1), *others] if people else list(others)
        opener = people[0] if people else await self.person()
        wish = {"game": GAME, "seats": seats, **wishes}
        table: str = (await self.retry(opener, lambda: opener.post("/api/tables", wish)))["table"]
        for person in people[1:]:
            await self.retry(person, lambda person=person: person.post(f"/api/tables/{table}/seats"))  # type: ignore[misc]
        self.tables.append(table)
        return table

    async def play(self, people: list[Person], *others: str, **wishes: Any) -> None:
        """Play one game after another, each to its end unless `stop` was called."""
        while not self.last_game:
            table = await self.open_table(people, *others, **wishes)
            following = asyncio.create_task(self.follow(people[-1], table))
            while not self.stopping and not await self.step(people, table):
                pass
            if self.stopping:
                following.cancel()
            await asyncio.gather(following, return_exceptions=self.stopping)

    async def step(self, people: list[Person], table: str) -> bool:
        """Move for the person whose turn it is; return whether the game is over."""
        person = people[self.acting.get(table, 0) % len(people)]
        scene = await self.scene(person, table)
        if scene["your_turn"]:
            scene = await self.move(person, table, scene)
        elif len(people) == 1:
            await asyncio.sleep(0.01)  # the bot thinks
        self.log.note_shown(table, scene["version"])
        self.acting[table] = scene["acting"][0] if scene["acting"] else 0
        return bool(scene["status"] == "over")

    async def move(self, person: Person, table: str, scene: dict[str, Any]) -> dict[str, Any]:
        key, move = f"k{len(self.log.sent)}", self.rng.choice(scene["choices"])["move"]
        body = {"version": scene["version"], "move": move, "key": key}
        self.log.sent[table, key] = move
        answer = await self.retry(person, lambda: person.send("POST", f"/api/tables/{table}/moves", body))
        if answer.status_code == 409 and len(self.urls) > 1 and answer.json()["error"]["code"] == "StaleVersion":
            return await self.scene(person, table)  # the process that was asked for the scene was behind
        if not answer.is_success:
            self.log.surprises.append(f"{body}: {answer.status_code} {answer.text[:300]}")
            return scene
        self.log.acks.append(Ack(table, answer.json()["version"], key, move))
        if self.rng.random() < self.resend_share:
            await self.switch_server(person, person.client.base_url)
            again = await self.retry(person, lambda: person.send("POST", f"/api/tables/{table}/moves", body))
            self.log.repeats += again.is_success
        return await self.scene(person, table)

    async def scene(self, person: Person, table: str) -> dict[str, Any]:
        """Return the scene of a person."""
        scene: dict[str, Any] = await self.retry(person, lambda: person.get(f"/api/tables/{table}"))
        return scene

    async def follow(self, person: Person, table: str) -> None:
        """Read a table's stream to the end of its game, reconnecting with the last id after every break."""
        last, scene = "", dict[str, Any]()
        async with asyncio.timeout(10 * WAIT_S):
            while scene.get("status") != "over":
                url = person.client.base_url
                with suppress(httpx.TransportError):
                    path, headers = f"/api/tables/{table}/events", {"Last-Event-ID": last}
                    async with person.client.stream("GET", path, headers=headers) as answer:
                        kind = ""
                        async for line in answer.aiter_lines():
                            name, _, value = line.partition(": ")
                            last = value if name == "id" else last
                            kind = value if name == "event" else kind
                            if name == "data":
                                shown = scene.get("version", 0)
                                scene = apply_change({} if kind == "scene" else scene, json.loads(value))
                                if scene["version"] < shown:
                                    self.log.surprises.append(f"{table} went back from {shown}")
                                self.log.note_shown(table, scene["version"])
                                if scene["status"] == "over":
                                    return
                await self.switch_server(person, url)

    def start_tasks(self, *plays: Awaitable[None]) -> None:
        self.tasks = [asyncio.ensure_future(play) for play in plays]

    async def wait_for_acks(self, moves: int) -> None:
        """Wait until `moves` more moves have been acknowledged."""
        enough = len(self.log.acks) + moves

        async def are_enough() -> bool:
            return len(self.log.acks) >= enough

        await wait_until(are_enough, WAIT_S)

    async def stop(self) -> None:
        """Let everyone stop after their current move."""
        self.last_game = self.stopping = True
        async with asyncio.timeout(WAIT_S):
            await asyncio.gather(*self.tasks)

    async def finish(self) -> None:
        """Let everyone play the running games to the end."""
        self.last_game = True
        async with asyncio.timeout(5 * WAIT_S):
            await asyncio.gather(*self.tasks)


@asynccontextmanager
async def open_crowd(ports: Sequence[int]) -> AsyncIterator[Crowd]:
    async with AsyncExitStack() as stack:
        made = Crowd(ports, stack)
        try:
            yield made
        finally:
            for task in made.tasks:
                task.cancel()
            await asyncio.gather(*made.tasks, return_exceptions=True)
