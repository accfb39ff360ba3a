"""Tables of a real server that several viewers watch: every byte of their streams, and of all they can ask for."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from typing import Any, Final

import pytest

from realmtable.engine import chance
from realmtable.engine.match import LogEntry, Match, format_move_for
from realmtable.engine.protocol import Seat
from realmtable.server.services import Services
from realmtable.server.tables import actions, seeds
from realmtable.server.tables.live import live_table
from realmtable.server.tables.live.live_table import LiveTable
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.table import Occupant, Table, visible_version
from tests.server.support.fake_workers import open_browsers
from tests.server.support.live_server import Person, StreamTap, open_tap
from tests.server.support.mirrored_games import GAME, Act, Mirror

NOW: Final = 1_800_000_000.0
SEED: Final = "5eed" * 8
MOST_SEATS: Final = 8
PLAIN, WITH_PICTURES = "events", "socket"
SCENE_NAME: Final = re.compile(rb"\b[0-9a-f]{8}(?=-\d+\b)")  # in the ids of scenes, which are random
# What a viewer can ask for while a game runs; {…} are filled in.
PATHS: Final = (
    "GET /api/tables/{table}",
    "GET /api/tables/{table}?pictures=true",
    "GET /api/tables/{table}/lines",
    "GET /api/tables/{table}/lines?before={step}",
    "GET /api/tables/{table}/lines?topic=searches",
    "GET /api/tables/{table}/record",
    "GET /api/tables/{table}/fairness",
    "GET /api/tables/{table}/premoves",
    "GET /api/tables/{table}/moments/{step}",
    "GET /api/tables/{table}/moments/{step}.svg",
    "GET /api/tables/{table}/layers/{key}.svg",
    "GET /api/tables/{table}/why?handle={handle}",
    "GET /api/tables/{table}/notes?handle={handle}",
    "GET /api/tables/{table}/preview?move={move}",
    "POST /api/tables/{table}/moves {version} {move}",
    "POST /api/tables/{table}/undo {early}",
    "POST /api/tables/{table}/hints",
)
# Handles and steps that are mostly refused: the reasons must not rest on what the viewer does not know (X4).
HANDLES: Final = ("CG2", "phase:S", "loot Hoard", "block Elf", "tile:CV", "peer", "ready")
REFUSED: Final = (
    "loot Hoard", "loot pile", "loot Toadstool Circle", "activate Golden Crown", "leave Lost Keys", "pack Shield-1",
    "peer CG2", "block Elf", "block Giant-1", "exchange", "take card Hoard", "M CG2", "M BV4 pony", "P CG2", "F Elf",
    "run BV2-BV5 with Quick Boots", "force Gloves of Strength", "want gold", "start Ghosts", "back", "be Elf",
    "shed Elf", "to CN3", "choose clues", "rest Move M3*", "order block never", "die 4", "chit CG Howl-4", "nonsense",
)  # fmt: skip


class ScriptedServer:
    """A server, and people who play and watch at its tables. Draws of chance can be set in advance."""

    def __init__(self, services: Services, people: Sequence[Person], ids: Sequence[str]) -> None:
        self.services = services
        self.people = people  # one for each seat, and a spectator
        self.ids = ids
        self.draws: deque[int] = deque()

    def person(self, viewer: Seat | None) -> Person:
        """Return the person on a seat, or the spectator."""
        return self.people[-1 if viewer is None else viewer]

    async def open_table(self, setup: Setup) -> LiveTable:
        """Open a table at which each seat has its own player."""
        player = (await self.services.accounts.players([self.ids[0]]))[self.ids[0]]
        sitters = [Occupant(self.ids[seat]) for seat in range(setup.seats)]
        table = await self.services.table_service.open_table(setup, player, sitters)
        return await self.services.table_service.find(table.id)

    async def act(self, live: LiveTable, act: Act) -> Table:
        """Take a step at a table; chance draws the outcomes in `act`."""
        self.draws.extend(act.draws)
        after = await self.services.table_service.act(live.table.id, lambda now: actions.play(now, act.seat, act.text))
        assert not self.draws, "all draws are used"
        return after


@asynccontextmanager
async def open_scripted_server(services: Services, patch: pytest.MonkeyPatch) -> AsyncIterator[ScriptedServer]:
    """Run a server on which tables differ in nothing but their states."""
    patch.setattr(live_table, "SHOW_SPECTATORS_AFTER_S", 3600.0)
    services.table_service.now = services.accounts._now = lambda: NOW
    patch.setattr(seeds, "draw_seed", lambda: SEED)
    async with open_browsers(services, MOST_SEATS + 1) as people:
        for person in people:
            await person.post("/api/me/tokens", {"label": "a robot"})  # makes each of them a guest
        ids = [str((await person.get("/api/me"))["player"]["id"]) for person in people]
        server, draw = ScriptedServer(services, people, ids), chance.draw

        def draw_as_told(seed: str, index: int, weights: Sequence[int]) -> int:
            return server.draws.popleft() if server.draws else draw(seed, index, weights)

        patch.setattr(chance, "draw", draw_as_told)
        yield server


class WatchedTable:
    """A table, and the streams of some viewers."""

    def __init__(self, server: ScriptedServer, live: LiveTable, taps: dict[Seat | None, StreamTap]) -> None:
        self.server = server
        self.live = live
        self.taps = taps
        self.shown = dict.fromkeys(taps, -1)  # the version that each stream has sent

    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.live.table.result is not None

    async def act(self, act: Act) -> None:
        """Take a step, and check that only viewers who may know of it notice it, and all of them do."""
        before, viewers = self.live.table, [None, *range(len(self.live.table.seats))]
        scenes = self.server.services.table_service.scenes
        shown = {viewer: await scenes.latest(self.live, _seats(viewer), pictures=False) for viewer in viewers}
        after = await self.server.act(self.live, act)
        entries = _latest_entries(after.match, after.version - before.version)
        unaware = []
        for viewer in viewers:
            known = [entry for entry in entries if _may_know(entry, viewer)]
            unaware += [viewer] * (not known)
            assert shown[viewer].is_current != bool(known), "a scene changes exactly if its viewer may know of a step"
            if after.result is None:
                versions = [visible_version(table, _seats(viewer)) for table in (before, after)]
                assert versions[1] - versions[0] == len(known), "a viewer's version counts the steps they may know of"
        for viewer in unaware[after.version % 5 :: 5]:  # some of them, since views take most of the time
            views = [table.game.view(table.match.state, viewer) for table in (before, after)]
            assert views[0] == views[1], "a view changes by a step that the viewer may not know of"
        await self.settle()

    async def settle(self) -> None:
        """Wait until all streams have sent the current version."""
        for viewer, tap in self.taps.items():
            version = visible_version(self.live.table, _seats(viewer))
            if version != self.shown[viewer]:
                await tap.wait(lambda tap=tap, version=version: version in tap.scenes)  # type: ignore[misc]
                assert not tap.ended, "the server ends no stream while a table is played"
            self.shown[viewer] = version

    def stream(self, viewer: Seat | None) -> bytes:
        """Return everything the stream of a viewer has sent, with the table's id neutralised."""
        return self.neutralise(self.taps[viewer].received)

    def neutralise(self, data: bytes) -> bytes:
        """Return data with the same ids for all tables, so that two tables can be compared."""
        return SCENE_NAME.sub(b"TheOnlyScene", data.replace(self.live.table.id.encode(), b"TheOnlyTable"))

    async def ask(self, viewer: Seat | None, rng: Random, share: float) -> list[tuple[str, int, bytes]]:
        """Send a random share of all requests that a viewer can make, reading ones first; return the answers."""
        person, table = self.server.person(viewer), self.live.table
        own = await person.get(f"/api/tables/{table.id}?pictures=true")
        legal = [choice["move"] for choice in own["choices"]]
        moves = [text for text in REFUSED if text not in legal]
        values: dict[str, Sequence[Any]] = {
            "{table}": [table.id],
            "{step}": sorted({0, max(0, own["step"] - 1), own["step"]}),
            "{key}": ["0" * 32, *[layer["key"] for layer in own["layers"]]],
            "{handle}": [*HANDLES, *[choice["path"][0] for choice in own["choices"][:3]]],
            "{version}": [own["version"]],
            "{early}": [max(0, own["version"] - 3), own["version"]] if "undo" not in own["can"] else [],
        }
        requests: list[str] = []
        for path in PATHS:
            texts = moves if path.startswith("POST") else [*moves[::5], *legal[:4]]
            requests += _fill_in(path, values | {"{move}": texts})
        return [await self._ask(person, request) for request in requests if rng.random() < share]

    async def _ask(self, person: Person, request: str) -> tuple[str, int, bytes]:
        method, path, *rest = request.split(" ", 2 if request.startswith("POST") else 1)
        body: dict[str, Any] | None = None
        if method == "POST":
            version, _, move = rest[0].partition(" ") if rest else ("", "", "")
            body = {**({"version": int(version)} if version else {}), **({"move": move} if move else {})}
        answer = await person.send(method, path, body)
        assert not answer.is_server_error, (request, answer.text)
        assert answer.is_client_error or method == "GET" or path.endswith("hints"), (request, answer.text)
        what = self.neutralise(request.encode()).decode()
        return what, answer.status_code, self.neutralise(answer.content)


def _fill_in(path: str, values: dict[str, Sequence[Any]]) -> list[str]:
    found = [path]
    for name, chosen in values.items():
        if name in path:
            found = [one.replace(name, str(value)) for one in found for value in chosen]
    return found


@asynccontextmanager
async def watch_table(
    server: ScriptedServer, setup: Setup, viewers: Sequence[Seat | None], stream: str = WITH_PICTURES
) -> AsyncIterator[WatchedTable]:
    """Open a table and the streams of some viewers."""
    live = await server.open_table(setup)
    async with AsyncExitStack() as stack:
        taps = {}
        for viewer in viewers:
            path = f"/api/tables/{live.table.id}/{stream}"
            headers = server.person(viewer).cookie_header
            tap = open_tap(server.services.app, path, headers)  # type: ignore[attr-defined]  # put there by the fixture
            taps[viewer] = await stack.enter_async_context(tap)
        watched = WatchedTable(server, live, taps)
        await watched.settle()
        yield watched


async def compare_tables(
    server: ScriptedServer, mirror: Mirror, viewer: Seat | None, rng: Random, share: float
) -> None:
    """Play a mirror at two tables; all that the viewer receives, and a share of all they can ask for, must be equal."""
    seats = len(mirror.starts[0].heroes)
    one, other = [Setup("magic_realm", seats, start=GAME.encode(start)) for start in mirror.starts]
    async with watch_table(server, one, [viewer]) as here, watch_table(server, other, [viewer]) as there:
        for acts in mirror.acts:
            for watched, act in zip((here, there), acts, strict=True):
                if act is not None:
                    await watched.act(act)
        assert here.stream(viewer) == there.stream(viewer)
        if here.is_over():
            return  # nothing is secret any more
        seed = rng.random()
        found = [await watched.ask(viewer, Random(seed), share) for watched in (here, there)]
        for answer, same in zip(*found, strict=True):
            assert answer == same


def _seats(viewer: Seat | None) -> tuple[Seat, ...]:
    return () if viewer is None else (viewer,)


def _latest_entries(match: Match, count: int) -> list[LogEntry]:
    found: list[LogEntry] = []
    node: Match | None = match
    while len(found) < count:
        assert node is not None
        assert node.entry is not None
        found.append(node.entry)
        node = node.parent
    return found


def _may_know(entry: LogEntry, viewer: Seat | None) -> bool:
    return bool(format_move_for(GAME, entry.before, entry.seat, entry.move, viewer))
