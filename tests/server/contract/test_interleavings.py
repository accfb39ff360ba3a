"""Two processes whose work interleaves at random: every stream shows every move, wherever and whenever it opens."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest

from realmtable.server.accounts.accounts import Player
from realmtable.server.api.player_actions import find_seen_table
from realmtable.server.fair_queue import Requester
from realmtable.server.services import Services
from realmtable.server.stream_limits import OpenStream
from realmtable.server.tables import actions
from realmtable.server.tables.actions import EventDraft
from realmtable.server.tables.live.event_stream import stream_scenes
from realmtable.server.tables.live.table_feed import TableFeed
from realmtable.server.tables.scenes.changes import apply_change, read_scene
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.table import Occupant, Table
from tests.server.contract.helpers import PLAYERS, add_players
from tests.server.contract.test_table_service import run_process

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

TABLES = 30
MOVES = 25
TIMEOUT_S = 20
SEED = 1


@pytest.fixture
async def processes(tmp_path: Path, postgresql_url: str, redis_url: str) -> AsyncIterator[list[Services]]:
    """Two processes on one PostgreSQL and one Redis, whose reads and writes take random times."""
    async with AsyncExitStack() as stack:
        found = [
            (await stack.enter_async_context(run_process(tmp_path, database_url=postgresql_url, redis_url=redis_url)))[
                1
            ]
            for _ in range(2)
        ]
        rng = Random(SEED)
        for services in found:
            for name in ("append", "events", "table", "snapshot"):
                setattr(services.store, name, delay_randomly(getattr(services.store, name), rng))
        await add_players(found[0].database)
        async with asyncio.timeout(TIMEOUT_S):
            while not all(services.fanout.reaches_others for services in found):  # noqa: ASYNC110 - no event tells it
                await asyncio.sleep(0.01)
        yield found


def delay_randomly(work: Callable[..., Awaitable[Any]], rng: Random) -> Callable[..., Awaitable[Any]]:
    async def work_slowly(*args: Any, **named: Any) -> Any:
        await wait_randomly(rng)
        try:
            return await work(*args, **named)
        finally:
            await wait_randomly(rng)

    return work_slowly


async def wait_randomly(rng: Random) -> None:
    for _ in range(rng.choice((0, 0, 1, 3, 10))):
        await asyncio.sleep(rng.choice((0, 0, 0.001, 0.005)))


class Viewer:
    """A player's stream in one of the processes; it reads slowly now and then."""

    def __init__(
        self, services: Services, table_id: str, player: Player, rng: Random, before: Viewer | None = None
    ) -> None:
        """`before`: the same player's stream that this one continues, in this process or the other."""
        self._services, self._table_id, self._player, self._rng = services, table_id, player, rng
        self.scene: dict[str, Any] = {"version": -1} if before is None else before.scene
        self.known: str = "" if before is None else before.known
        self.task = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        service, rng = self._services.table_service, self._rng
        while True:
            live = await service.find(self._table_id)
            stream, closing = OpenStream(Requester("address", self._player.id), self._table_id), asyncio.Event()
            feed = TableFeed(service, live, self._player.id, stream, closing, pictures=False, known=self.known)
            async for event in stream_scenes(feed, self._admit):
                self._read(event)
                if rng.random() < 0.3:
                    await asyncio.sleep(0.002)

    async def _admit(self) -> bool:
        await wait_randomly(self._rng)
        return True

    async def is_up_to_date(self) -> bool:
        """Whether the changes have led to the scene that this process would send as a whole."""
        service = self._services.table_service
        live = await service.find(self._table_id)
        whole = await service.scenes.whole(live, live.table.seats_of(self._player.id), pictures=False)
        return read_scene({**self.scene, "now": 0}) == read_scene({**whole, "now": 0})

    def _read(self, event: bytes) -> None:
        if found := re.match(rb"id: (.*)\nevent: (.*)\ndata: (.*)\n\n$", event):
            self.known, change = found[1].decode(), json.loads(found[3])
            self.scene = apply_change({} if found[2] == b"scene" else self.scene, change)


async def play(processes: list[Services], players: list[Player], number: int) -> str:
    """Play moves at one table, each in a random process; return the first that a stream does not show, or nothing."""
    rng = Random(f"{SEED} {number}")
    sitters = [Occupant(player.id) for player in players]
    table = await processes[0].table_service.open_table(Setup("classic_realm", 2), players[0], sitters)
    viewers = [Viewer(rng.choice(processes), table.id, player, rng) for player in players]
    try:
        for move in range(MOVES):
            if rng.random() < 0.3:
                seat = rng.randrange(2)
                viewers[seat].task.cancel()
                viewers[seat] = Viewer(rng.choice(processes), table.id, players[seat], rng, viewers[seat])
            if rng.random() < 0.3:
                for services in processes:
                    evict_if_idle(services, table.id)
            table = await play_random_move(rng.choice(processes), players, table, rng)
            if not all(await asyncio.gather(*(shows(viewer, table.version) for viewer in viewers))):
                return f"move {move} at table {number}"
            if table.status != "running":
                break
    finally:
        for viewer in viewers:
            viewer.task.cancel()
    return ""


def evict_if_idle(services: Services, table_id: str) -> None:
    live = services.table_service.live.get(table_id)
    if live is not None and not live.viewers and not live.lock.locked():
        services.table_service.live.pop(table_id)


async def play_random_move(services: Services, players: list[Player], table: Table, rng: Random) -> Table:
    (seat,) = table.acting

    def choose(latest: Table) -> list[EventDraft]:
        state = latest.match.state
        move = rng.choice(list(latest.game.legal_moves(state, seat)))
        return actions.play(latest, seat, latest.game.format_move(state, move))

    await find_seen_table(services, table.id, players[seat], table.version)
    return await services.table_service.act(table.id, choose, players[seat].id)


async def shows(viewer: Viewer, version: int) -> bool:
    try:
        async with asyncio.timeout(TIMEOUT_S):
            while viewer.scene["version"] < version:  # noqa: ASYNC110 - no event tells it
                await asyncio.sleep(0.002)
    except TimeoutError:
        return False
    return await viewer.is_up_to_date()


async def test_every_stream_shows_every_move(processes: list[Services]) -> None:
    players = list((await processes[0].accounts.players(PLAYERS)).values())
    missed = await asyncio.gather(*(play(processes, players, number) for number in range(TABLES)))
    assert not list(filter(None, missed))
