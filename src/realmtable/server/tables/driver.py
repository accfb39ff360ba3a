"""Keeps games going when no person acts: bots move and answer, clocks fall, what a crash left undone is taken up."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from random import Random
from typing import Any, Final, Protocol

import structlog

from realmtable.engine.errors import RealmtableError
from realmtable.engine.protocol import Seat
from realmtable.server.accounts import ratings
from realmtable.server.accounts.latest_addresses import LatestAddresses
from realmtable.server.errors import Unavailable
from realmtable.server.fair_queue import FairQueue
from realmtable.server.tables import actions
from realmtable.server.tables.actions import Draft
from realmtable.server.tables.bot_tables import claim_of, is_paused, people_at
from realmtable.server.tables.live_table import Live
from realmtable.server.tables.service import House
from realmtable.server.tables.table import Table
from realmtable.server.tasks import cancel_tasks

SWEEP_S: Final = 1.0
TAKE_UP_S: Final = 20.0  # a bot that has not moved for so long has lost its process
RETRY_S: Final = 1.0
GIVEN_UP_S: Final = 60.0
TROUBLE_LIMIT: Final = 5

log = structlog.get_logger(__name__)


class Thinker(Protocol):
    """Who thinks for the bots: `realmtable.server.workers.worker_pool.Workers`."""

    async def choose(self, game_id: str, position: str, seat: Seat, bot: str, seed: int) -> list[str]:
        """The texts of the steps a bot takes next."""


class Keeper:
    """One a process. `start` takes up what waits; `close` ends it."""

    def __init__(
        self,
        house: House,
        thinker: Thinker,
        pace_s: float,
        told: Callable[[str, float], None] | None = None,
        *,
        queue: FairQueue,
        addresses: LatestAddresses,
    ) -> None:
        self.queue = queue  # for a worker
        self.addresses = addresses
        self.told = told  # which bot has thought for how many seconds
        self.house = house
        self.thinker = thinker
        self.pace_s = pace_s
        self.closed = False
        self.thinking: dict[str, asyncio.Task[None]] = {}
        self.asked: dict[str, dict[Seat, int]] = {}  # by table: the version at which each of its bots was asked last
        self.paused: set[str] = set()  # tables of bots that the database still says are due, from before they paused
        self.given_up: dict[str, float] = {}  # tables whose bot failed again and again, with the moment
        self.sweeping: asyncio.Task[None] | None = None
        self.rng = Random(secrets.randbits(64))  # noqa: S311 - bots need no secrets
        house.on_change.append(self.look)

    async def start(self) -> None:
        """Take up the games that wait for a bot or whose clock has run out, and sweep from now on."""
        self.sweeping = asyncio.ensure_future(self._sweep())

    async def close(self) -> None:
        """Stop thinking; whatever a bot was about to do is taken up at the next start."""
        self.closed = True
        await cancel_tasks([*self.thinking.values(), *([self.sweeping] if self.sweeping else [])])

    def look(self, table: Table) -> None:
        """A table has changed: set a bot to work if one is due."""
        if self.closed:
            return
        if table.result is not None:
            self.asked.pop(table.id, None)
        if (self._due(table) or _asked(table) is not None) and table.id not in self.thinking:
            task = asyncio.ensure_future(self._move(table.id))
            self.thinking[table.id] = task
            task.add_done_callback(lambda _: self._done(table.id))

    def _done(self, table_id: str) -> None:
        self.thinking.pop(table_id, None)
        live = self.house.live.get(table_id)
        if table_id in self.given_up:
            return  # the sweep takes it up again after a while
        if live is not None:
            self.look(live.table)

    def _due(self, table: Table) -> list[Seat]:
        """The bots to ask, first who was asked longest ago: those to move, and after every change who may come back."""
        live = self.house.live.get(table.id)
        if live is not None and is_paused(live):
            return []
        asked = self.asked.get(table.id, {})
        due = [
            seat
            for seat, sitter in enumerate(table.seats)
            if sitter is not None
            and sitter.bot is not None
            and (
                seat in table.acting
                or (asked.get(seat, -1) < _version_for(table, seat) and actions.may_act(table, seat))
            )
        ]
        return sorted(due, key=lambda seat: asked.get(seat, -1))

    async def _move(self, table_id: str) -> None:
        """Play the bots of a table until a person is to act."""
        troubles = 0
        while troubles < TROUBLE_LIMIT:
            try:
                table = await self.house.table(table_id)
                if (seat := _asked(table)) is not None:
                    await self._answer(table, seat)
                elif due := self._due(table):
                    await self._play(table, due[0])
                else:
                    return
                troubles = 0
            except Unavailable:
                await asyncio.sleep(RETRY_S)
            except RealmtableError as error:  # the table has changed meanwhile: look again
                troubles += 1
                log.info("bot_retries", table=table_id, reason=error.code)
            except Exception:
                troubles += 1
                log.exception("bot_failed", table=table_id)
                await asyncio.sleep(RETRY_S)
        self.given_up[table_id] = self.house.now()

    async def _play(self, table: Table, seat: Seat) -> None:
        """Think, and play what was thought out step by step at a pace that people can follow."""
        pause = asyncio.ensure_future(asyncio.sleep(self.pace_s))
        try:
            table, texts = await self._thought(table.id, seat)
            if texts:
                await pause
        finally:
            pause.cancel()
        for place, text in enumerate(texts):
            if place:
                await asyncio.sleep(self.pace_s)
            table = await self._step(table, seat, text)
            if seat not in table.acting:
                return

    async def _thought(self, table_id: str, seat: Seat) -> tuple[Table, list[str]]:
        """What a bot wants to do once a worker is free for it, and the table that it has looked at."""
        async with self.queue.place(*claim_of(await self.house.find(table_id), self.addresses)):
            table = await self.house.table(table_id)  # it may have changed while the bot waited for a worker
            sitter = table.seats[seat]
            if sitter is None or sitter.bot is None or seat not in self._due(table):
                return table, []
            self.asked.setdefault(table_id, {})[seat] = _version_for(table, seat)
            state = table.game.resample(table.match.state, seat, self.rng)
            begun = time.perf_counter()
            texts = await self.thinker.choose(
                table.setup.game, table.game.encode(state), seat, sitter.bot, self.rng.getrandbits(63)
            )
            if self.told is not None:
                self.told(sitter.bot, time.perf_counter() - begun)
            return table, texts

    async def _step(self, table: Table, seat: Seat, text: str) -> Table:
        def play(now: Table) -> list[Draft]:
            actions.check_version(now, seat, table.version)
            return actions.play(now, seat, text)

        sitter = table.seats[seat]
        return await self.house.act(table.id, play, sitter.player_id if sitter else None)

    async def _answer(self, table: Table, seat: Seat) -> None:
        """Bots let people take back where nothing is at stake, and play every game out."""
        accept = table.offer is not None and table.offer.what == "takeback" and not table.setup.rated
        await asyncio.sleep(self.pace_s)
        await self.house.act(
            table.id, lambda now: actions.answer(now, (seat,), accept=accept) if _asked(now) is not None else []
        )

    async def _sweep(self) -> None:
        first = True
        while True:
            try:
                await self._look_round(first=first)
                first = False
            except RealmtableError as error:
                log.warning("sweep_failed", reason=error.code)
            except Exception:  # whatever it is, the next second's clocks must fall
                log.exception("sweep_failed")
            await asyncio.sleep(SWEEP_S)

    async def _look_round(self, *, first: bool) -> None:
        now = self.house.now()
        for table_id in await self.house.store.overdue(now):
            await self._quietly(self.house.act(table_id, lambda _: []))
        waited = 0.0 if first else TAKE_UP_S
        self.given_up = {table: since for table, since in self.given_up.items() if since > now - GIVEN_UP_S}
        for table_id in await self.house.store.waiting_for_bots(now - waited):
            if table_id not in self.thinking and table_id not in self.given_up and table_id not in self.paused:
                await self._quietly(self._take_up(table_id))
        for live in [live for live in self.house.live.values() if live.streams and not people_at(live.table)]:
            await self._quietly(self._attend(live))
        if first:
            for table_id in await ratings.uncounted(self.house.database):
                await self._quietly(self._count(table_id))

    async def _take_up(self, table_id: str) -> None:
        live = await self.house.find(table_id)
        if is_paused(live):
            self.paused.add(table_id)
        self.look(live.table)

    async def _attend(self, live: Live) -> None:
        """Do for a table of bots that somebody watches what the database tells of other tables."""
        if live.table.bell is not None and live.table.bell <= self.house.now():
            await self.house.act(live.table.id, lambda _: [])
        if live.table.id not in self.given_up:
            self.look(live.table)

    async def _count(self, table_id: str) -> None:
        await self.house.rate(await self.house.table(table_id))

    @staticmethod
    async def _quietly(work: Any) -> None:  # noqa: ANN401 - a coroutine
        """One table's trouble must not keep the others from their turn."""
        try:
            await work
        except RealmtableError as error:
            log.warning("table_skipped", reason=error.code)
        except Exception:
            log.exception("table_skipped")


def _version_for(table: Table, seat: Seat) -> int:
    """The version as a bot counts it: what it may not know of must not make it look again."""
    return table.numbering((seat,)).version(table.version)


def _asked(table: Table) -> Seat | None:
    """The bot that an offer waits for: the first one, where no person is left to answer."""
    if table.offer is None or table.status != "running":
        return None
    others = [(seat, sitter) for seat, sitter in enumerate(table.seats) if sitter and seat != table.offer.seat]
    bots = [seat for seat, sitter in others if sitter.bot is not None]
    return bots[0] if len(bots) == len(others) and bots else None
