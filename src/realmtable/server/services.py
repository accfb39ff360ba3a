"""The parts of a running server, put together once and handed to everybody who needs them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress

import structlog
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from realmtable.server.accounts.account_changes import AccountWatch
from realmtable.server.accounts.accounts import Accounts
from realmtable.server.accounts.latest_addresses import LatestAddresses
from realmtable.server.accounts.quotas import Quotas
from realmtable.server.accounts.rate_limits import Limits
from realmtable.server.accounts.seen_addresses import SeenAddresses
from realmtable.server.errors import Unavailable
from realmtable.server.fair_queue import FairQueue
from realmtable.server.metrics import Metrics
from realmtable.server.settings import MIB, Settings
from realmtable.server.steady_clock import SteadyTime, TimeSharing
from realmtable.server.storage.analyses import Analyses
from realmtable.server.storage.database import Database, connect
from realmtable.server.storage.database_lock import DatabaseLock, lock_database
from realmtable.server.storage.disk_usage import DiskUse
from realmtable.server.storage.expiry import Expiry, Terms
from realmtable.server.storage.fanout import Fanout
from realmtable.server.storage.open_fanout import open_fanout
from realmtable.server.storage.puzzle_solves import Solves
from realmtable.server.storage.store import Store
from realmtable.server.stream_limits import OpenStream, OpenStreams
from realmtable.server.study.analyses import Analysts
from realmtable.server.study.fair_play import FairPlay
from realmtable.server.study.puzzles import PuzzleRoom
from realmtable.server.tables.bot_tables import WEIGHTS
from realmtable.server.tables.clock import DAY_S
from realmtable.server.tables.driver import Keeper
from realmtable.server.tables.event_stream import zipped
from realmtable.server.tables.lobby import Lobby
from realmtable.server.tables.record_cache import ReplayBook
from realmtable.server.tables.service import REMOVED, House
from realmtable.server.workers.analysis_queue import Thinkers
from realmtable.server.workers.replay_pool import ReplayPool
from realmtable.server.workers.warming_pool import Crew, Warmth

RETRY_S = 60.0
EXPIRE_AFTER_S = 3600.0
PLAYER = "player:"
log = structlog.get_logger(__name__)
STREAM_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class Realm:
    """Everything that runs in one server process; `Realm.started` makes one, `close` ends it."""

    def __init__(self, settings: Settings, database: Database, channel: Fanout, metrics: Metrics) -> None:
        self.settings = settings
        self.database = database
        self.fanout = channel
        self.metrics = metrics
        self.store = Store(database, metrics.appended)
        self.accounts = Accounts(database, session_days=settings.session_days, announce=self._announce)
        self.account_watch = AccountWatch(database, self._account_changed)
        channel.listen(self._heard)
        self.limits = Limits(settings.redis_url, settings.limits_factor)
        self.disk_use = DiskUse(database, settings.database_url, settings.low_disk_mib)
        self.quotas = Quotas(settings, database, self.disk_use)
        self.time = SteadyTime()
        self.time_sharing = TimeSharing(self.time, settings.redis_url) if settings.redis_url else None
        self.database_lock = DatabaseLock()
        self.house = House(database, self.store, self.accounts, channel, self.time.now)
        self.house.tells_presence = settings.redis_url is None
        self.warmth = Warmth(wanted=settings.compile_bots)
        self.workers = Crew(settings.bot_workers, settings.bot_limit_s, self.warmth)
        self.latest_addresses = LatestAddresses()
        queue = FairQueue(settings.bot_workers, WEIGHTS)
        self.keeper = Keeper(
            self.house, self.workers, settings.bot_pace_s, metrics.thought, queue=queue, addresses=self.latest_addresses
        )
        self.house.on_step = metrics.moved
        self.seen_addresses = SeenAddresses(channel)
        self.house.memory.budget_bytes = settings.memory_mib * MIB
        self.house.memory.is_busy = self.keeper.thinking.__contains__
        self.house.memory.on_leave = metrics.count_eviction
        self.lobby = Lobby(self.store, self.accounts)
        self.replay_pool = ReplayPool(settings.replay_workers, self.limits)
        self.fair_play = FairPlay(self.house, self.store, self.seen_addresses, self.replay_pool, time.monotonic)
        self.house.pool = self.replay_pool
        self.replay_book = ReplayBook(self.house, self.store, self.accounts, self.replay_pool)
        self.study_workers = Crew(settings.study_workers, settings.bot_limit_s, self.warmth)
        self.thinkers = Thinkers(self.study_workers, settings.study_s)
        self.analysts = Analysts(
            Analyses(database),
            self.house,
            self.replay_book,
            self.thinkers,
            self.latest_addresses,
            now=self.time.now,
        )
        self.puzzle_room = PuzzleRoom(self.thinkers, Solves(database), self.replay_pool)
        self.closing = asyncio.Event()
        self.streams = OpenStreams(settings.max_streams, settings.max_streams_per_address)
        self.watching: asyncio.Task[None] | None = None

    async def _announce(self, player_id: str, number: int) -> None:
        """Have every process forget what it knows of a player."""
        await self.fanout.publish(f"{PLAYER}{player_id}", str(number))

    def _heard(self, channel: str, message: str) -> None:
        if channel == "*":
            self.accounts.forget(None)
        elif channel.startswith(PLAYER):
            self.account_watch.hear(channel.removeprefix(PLAYER), int(message))

    def _account_changed(self, player_id: str) -> None:
        self.accounts.forget(player_id)
        self.house.dismiss(player_id)

    @classmethod
    async def started(cls, settings: Settings, metrics: Metrics) -> Realm:
        """A server's parts, connected and at work."""
        lock = lock_database(settings.database_url)
        try:
            realm = cls(settings, await connect(settings.database_url), open_fanout(settings.redis_url), metrics)
        except BaseException:
            lock.release()
            raise
        realm.database_lock = lock
        realm.time.adopt(lock.note)
        lock.leave_note(realm.time.note())
        if realm.time_sharing is not None:
            await realm.time_sharing.start()
        await realm.account_watch.start()
        await realm.fanout.start()
        realm.warmth.start()
        realm.house.spawn(realm.replay_pool.start())
        await realm.keeper.start()
        await realm.analysts.start()
        realm.watching = asyncio.ensure_future(metrics.watch_loop())
        for work in (realm._tidy(), realm._expire_daily(), realm._watch_disk(), realm.account_watch.run()):
            realm.house.spawn(work)
        return realm

    async def _tidy(self) -> None:
        """Forget what has run out, at the start and once a day."""
        while True:
            try:
                await self.accounts.sweep()
            except Unavailable:
                await asyncio.sleep(RETRY_S)
            else:
                await asyncio.sleep(DAY_S)

    async def _expire_daily(self) -> None:
        """Remove what has expired, once a day; not at once, for who looks at an old backup wants to see it."""
        pause_s = EXPIRE_AFTER_S
        while True:
            await asyncio.sleep(pause_s)
            try:
                await self.expire()
            except Unavailable:
                pause_s = RETRY_S
            else:
                pause_s = DAY_S

    async def _watch_disk(self) -> None:
        """Look at the disk now and then, so that it is known before somebody wants to store something."""
        while True:
            with suppress(Unavailable):
                await self.disk_use.look()
            await asyncio.sleep(RETRY_S)

    async def expire(self) -> dict[str, int]:
        """Remove what has expired; how many of each kind."""
        now = self.time.now()
        if abs(self.time.wall_clock_ahead_s()) > DAY_S:
            log.warning(
                "expiry_skipped", reason="the machine's clock was set by more than a day; start the server again"
            )
            return {}
        removed = await Expiry(self.database, terms_of(self.settings), now, self._tell_removed).remove()
        for kind, count in removed.items():
            self.metrics.count_removals(kind, count)
        if any(removed.values()):
            log.info("expired", **removed)
        return removed

    async def _tell_removed(self, table_ids: Sequence[str]) -> None:
        for table_id in table_ids:
            await self.fanout.publish(f"{REMOVED}{table_id}", "")
        await self.fanout.publish("lobby", "")

    def stop_streams(self) -> None:
        """Let everybody who watches go; they come back to the next server by themselves."""
        self.closing.set()
        self.house.wake_all()

    async def close(self) -> None:
        """End in the order in which the parts need each other."""
        self.stop_streams()
        if self.watching is not None:
            self.watching.cancel()
        await self.keeper.close()
        await self.analysts.close()
        await self.workers.close()
        await self.study_workers.close()
        await self.replay_pool.close()
        await self.warmth.close()
        await self.house.close()
        await self.fanout.close()
        await self.limits.close()
        await self.quotas.close()
        if self.time_sharing is not None:
            await self.time_sharing.close()
        await self.store.close()
        await self.database.close()
        self.database_lock.release()

    @property
    def open_streams(self) -> int:
        """How many streams are open."""
        return len(self.streams)

    def event_stream(self, request: Request, events: AsyncIterator[bytes], stream: OpenStream) -> StreamingResponse:
        """A stream of events as an answer, compressed where the reader can take that; its place is free afterwards."""
        packs = "gzip" in request.headers.get("accept-encoding", "")
        headers = STREAM_HEADERS | ({"Content-Encoding": "gzip", "Vary": "Accept-Encoding"} if packs else {})
        return CountedStream(self, stream, zipped(events) if packs else events, headers)


class CountedStream(StreamingResponse):
    """A stream of events that counts as open for as long as it is being sent."""

    def __init__(
        self, realm: Realm, stream: OpenStream, events: AsyncIterator[bytes], headers: Mapping[str, str]
    ) -> None:
        super().__init__(events, media_type="text/event-stream", headers=headers)
        self._realm = realm
        self._stream = stream

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As ASGI asks."""
        try:
            with self._realm.metrics.stream():
                await super().__call__(scope, receive, send)
        finally:
            self._realm.streams.close(self._stream)


def terms_of(settings: Settings) -> Terms:
    """After how many days what expires, as the settings say."""
    return Terms(settings.abandoned_days, settings.guest_days, settings.session_days)
