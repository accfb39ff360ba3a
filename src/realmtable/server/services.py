"""`Services` creates and connects the parts of a running server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress

import structlog
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from realmtable.engine.extras import require_extra
from realmtable.search.bot_levels import needs_compiling
from realmtable.server.accounts.account_watch import AccountWatch
from realmtable.server.accounts.accounts import Accounts
from realmtable.server.accounts.addresses import LatestAddresses, SharedAddresses
from realmtable.server.accounts.quotas import Quotas
from realmtable.server.accounts.rate_limits import Limits
from realmtable.server.errors import Unavailable
from realmtable.server.fair_queue import FairQueue
from realmtable.server.metrics import Metrics
from realmtable.server.notifications.push_sender import PushSender
from realmtable.server.notifications.turn_notifier import TurnNotifier
from realmtable.server.settings import MIB, Settings
from realmtable.server.steady_clock import SteadyTime, TimeSharing
from realmtable.server.storage.analyses import AnalysisStore
from realmtable.server.storage.database import Database, connect
from realmtable.server.storage.database_lock import DatabaseLock, lock_database
from realmtable.server.storage.disk_usage import DiskUse
from realmtable.server.storage.expiry import Expiry, ExpiryTerms
from realmtable.server.storage.fanout import Fanout
from realmtable.server.storage.moderation import MuteStore, ReportStore
from realmtable.server.storage.outages import Outages
from realmtable.server.storage.player_history import SolveStore
from realmtable.server.storage.push_subscriptions import SubscriptionStore
from realmtable.server.storage.table_store import TableStore
from realmtable.server.stream_limits import OpenStream, OpenStreams
from realmtable.server.study.analysis_runner import AnalysisRunner
from realmtable.server.study.engine_help_rules import EngineHelpRules
from realmtable.server.study.player_statistics import PlayerStatistics
from realmtable.server.study.puzzles import PuzzleService
from realmtable.server.tables.clock import DAY_S
from realmtable.server.tables.live.board_pictures import BoardPictures
from realmtable.server.tables.live.live_table import WEIGHTS
from realmtable.server.tables.live.live_tables import REMOVED_CHANNEL
from realmtable.server.tables.live.table_driver import TableDriver
from realmtable.server.tables.live.table_service import TableService
from realmtable.server.tables.lobby import Lobby
from realmtable.server.tables.replays.replay_cache import ReplayCache
from realmtable.server.tables.replays.shared_images import SharedImages
from realmtable.server.tables.table import Table
from realmtable.server.workers.replay_pool import ReplayPool
from realmtable.server.workers.search_queue import SearchQueue
from realmtable.server.workers.warming_pool import CompileWarmup, WarmingPool

RETRY_S = 60.0
FIRST_EXPIRY_AFTER_S = 3600.0
SUBSCRIPTION_DAYS = 90  # after which a browser that does not confirm it is not notified any more
PLAYER_CHANNEL = "player:"
log = structlog.get_logger(__name__)
STREAM_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class Services:
    """The services of one server process. `Services.start` creates and starts them; `close` stops them."""

    def __init__(self, settings: Settings, database: Database, channel: Fanout, metrics: Metrics) -> None:
        self.settings = settings
        self.database = database
        self.fanout = channel
        self.metrics = metrics
        self.store = TableStore(database, metrics.observe_append)
        self.accounts = Accounts(database, session_days=settings.session_days, announce=self._publish_account_change)
        self.account_watch = AccountWatch(database, self._on_account_change)
        channel.listen(self._on_message, PLAYER_CHANNEL)
        self.limits = Limits(settings.redis_url, settings.limits_factor)
        self.disk_use = DiskUse(database, settings.database_url, settings.low_disk_mib)
        self.quotas = Quotas(settings, database, self.disk_use)
        self.time = SteadyTime()
        self.time_sharing = TimeSharing(self.time, settings.redis_url) if settings.redis_url else None
        self.database_lock = DatabaseLock()
        self.outages = Outages(database, self.time.now)
        self.table_service = TableService(database, self.store, self.accounts, channel, self.time.now, self.outages)
        self.table_service.presence.is_complete = settings.redis_url is None
        self.compile_warmup = CompileWarmup(wanted=settings.compile_bots)
        self.bot_workers = WarmingPool(settings.bot_workers, settings.bot_limit_s, self.compile_warmup)
        self.latest_addresses = LatestAddresses()
        queue = FairQueue(settings.bot_workers, WEIGHTS)
        self.table_driver = TableDriver(
            self.table_service,
            self.bot_workers,
            settings.bot_pace_s,
            metrics.observe_thinking,
            queue=queue,
            addresses=self.latest_addresses,
        )
        self.table_service.on_change.append(self._compile_for_bots)
        self.table_service.on_step = metrics.count_move
        self.shared_addresses = SharedAddresses(channel)
        self.subscriptions = SubscriptionStore(database)
        self.push_sender = PushSender(
            database,
            settings.notification_contact,
            lambda result: metrics.notifications.labels(result).inc(),
            allow_loopback=settings.push_loopback,
        )
        self.turn_notifier = TurnNotifier(self.table_service, self.subscriptions, self.push_sender, self.limits)
        self.table_service.memory.budget_bytes = settings.memory_mib * MIB
        self.table_service.memory.is_busy = self.table_driver.bot_tasks.__contains__
        self.table_service.memory.on_evict = lambda status: metrics.evictions.labels(status).inc()
        self.lobby = Lobby(self.store, self.accounts)
        self.replay_pool = ReplayPool(settings.replay_workers, self.limits)
        self.engine_help_rules = EngineHelpRules(
            self.table_service,
            self.store,
            self.shared_addresses,
            self.replay_pool,
            time.monotonic,
            by_address=settings.limits_addresses,
        )
        self.replay_cache = ReplayCache(self.table_service, self.store, self.accounts, self.replay_pool)
        # Images have their own process, so that nobody who steps through a game waits for them.
        self.shared_images = SharedImages(ReplayPool(min(1, settings.replay_workers), self.limits), self.limits)
        self.study_workers = WarmingPool(settings.study_workers, settings.bot_limit_s, self.compile_warmup)
        self.search_queue = SearchQueue(self.study_workers, settings.study_s)
        self.analysis_runner = AnalysisRunner(
            AnalysisStore(database),
            self.table_service,
            self.replay_cache,
            self.search_queue,
            self.latest_addresses,
            now=self.time.now,
        )
        self.puzzle_service = PuzzleService(self.search_queue, SolveStore(database), self.replay_pool)
        self.player_statistics = PlayerStatistics(database, self.puzzle_service.solves)
        self.mutes, self.reports = MuteStore(database), ReportStore(database)
        self.board_pictures = BoardPictures(self.table_service)
        self.closing = asyncio.Event()
        self.streams = OpenStreams(settings.max_streams, settings.max_streams_per_address)
        self.lag_task: asyncio.Task[None] | None = None

    def _compile_for_bots(self, table: Table) -> None:
        """Compile the game of a table whose bots need it next, even before a bot is to move."""
        if table.status == "running" and any(map(needs_compiling, table.bots.values())):
            self.bot_workers.prepare(table.game.info.id)

    async def _publish_account_change(self, player_id: str, number: int) -> None:
        """Tell every process to drop its cached data about a player."""
        await self.fanout.publish(f"{PLAYER_CHANNEL}{player_id}", str(number))

    def _on_message(self, channel: str, message: str) -> None:
        if channel == "*":
            self.accounts.forget(None)
        elif channel.startswith(PLAYER_CHANNEL):
            self.account_watch.receive(channel.removeprefix(PLAYER_CHANNEL), int(message))

    def _on_account_change(self, player_id: str) -> None:
        self.accounts.forget(player_id)
        self.table_service.presence.close_streams(player_id)

    @classmethod
    async def start(cls, settings: Settings, metrics: Metrics) -> Services:
        """Create the services, connect them and start their background work."""
        lock = lock_database(settings.database_url)
        try:
            services = cls(settings, await connect(settings.database_url), open_fanout(settings.redis_url), metrics)
        except BaseException:
            lock.release()
            raise
        services.database_lock = lock
        lock.name_holder()
        joins_others = services.time_sharing is not None and await services.time_sharing.start()
        services.time.catch_up(await services.outages.latest_moment())
        await services.outages.start(is_alone=not joins_others)
        await services.account_watch.start()
        await services.fanout.start()
        services.compile_warmup.start()
        services.table_service.spawn(services.replay_pool.start())
        services.push_sender.start()
        await services.table_driver.start()
        await services.analysis_runner.start()
        services.lag_task = asyncio.ensure_future(metrics.measure_loop_lag())
        for work in (
            repeat(services._sweep_accounts, DAY_S),
            # Not right after the start, so that an old backup can be inspected.
            repeat(services.expire, DAY_S, FIRST_EXPIRY_AFTER_S),
            repeat(services.disk_use.measure, RETRY_S),  # so that it is known before anything is stored
            services.account_watch.run(),
            services.outages.run(),
        ):
            services.table_service.spawn(work)
        return services

    async def _sweep_accounts(self) -> None:
        """Remove expired sessions, links and subscriptions."""
        await self.accounts.sweep()
        await self.subscriptions.remove_unseen(time.time() - SUBSCRIPTION_DAYS * DAY_S)

    async def expire(self) -> dict[str, int]:
        """Remove expired data and return the number of rows of each kind."""
        now = self.time.now()
        if abs(self.time.wall_clock_ahead_s()) > DAY_S:
            log.warning("expiry_skipped", reason="the system clock was changed by more than a day; restart the server")
            return {}
        removed = await Expiry(self.database, expiry_terms(self.settings), now, self._publish_removals).remove()
        removed["reports"] = await self.reports.remove_expired(now)
        for kind, count in removed.items():
            self.metrics.removals.labels(kind).inc(count)
        if any(removed.values()):
            log.info("expired", **removed)
        return removed

    async def _publish_removals(self, table_ids: Sequence[str]) -> None:
        for table_id in table_ids:
            await self.fanout.publish(f"{REMOVED_CHANNEL}{table_id}", "")
        await self.fanout.publish("lobby", "")

    def stop_streams(self) -> None:
        """End all event streams; clients reconnect to the next server by themselves."""
        self.closing.set()
        self.table_service.wake_all()

    async def close(self) -> None:
        """Stop the services in the order of their dependencies."""
        self.stop_streams()
        if self.lag_task is not None:
            self.lag_task.cancel()
        self.turn_notifier.close()
        await self.push_sender.close()
        await self.table_driver.close()
        await self.analysis_runner.close()
        await self.bot_workers.close()
        await self.study_workers.close()
        await self.shared_images.close()
        await self.replay_pool.close()
        await self.compile_warmup.close()
        with suppress(Unavailable):
            await self.outages.beat()
        await self.table_service.close()
        await self.store.close()
        await self.fanout.close()  # after the store: what it still writes is published
        await self.limits.close()
        if self.time_sharing is not None:
            await self.time_sharing.close()
        await self.database.close()
        self.database_lock.release()

    def event_stream(self, events: AsyncIterator[bytes], stream: OpenStream) -> StreamingResponse:
        """Return a response that streams events, and frees its slot at the end."""
        return CountedStream(self, stream, events)


class CountedStream(StreamingResponse):
    """An event stream that counts as open while it is being sent."""

    def __init__(self, services: Services, stream: OpenStream, events: AsyncIterator[bytes]) -> None:
        super().__init__(events, media_type="text/event-stream", headers=STREAM_HEADERS)
        self._services, self._stream = services, stream

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        try:
            with self._services.metrics.streams.track_inprogress():
                await super().__call__(scope, receive, send)
        finally:
            self._services.streams.close(self._stream)


async def repeat(work: Callable[[], Awaitable[object]], pause_s: float, first_after_s: float = 0.0) -> None:
    """Do something again and again; if the database does not answer, soon."""
    next_s = first_after_s
    while True:
        await asyncio.sleep(next_s)
        try:
            await work()
        except Unavailable:
            next_s = RETRY_S
        else:
            next_s = pause_s


def expiry_terms(settings: Settings) -> ExpiryTerms:
    """Return the expiry terms of the settings."""
    return ExpiryTerms(settings.abandoned_days, settings.guest_days, settings.session_days)


def open_fanout(redis_url: str | None) -> Fanout:
    """Return the fan-out for this Redis URL, or one within this process if the URL is empty."""
    if not redis_url:
        return Fanout()
    require_extra("redis")
    from realmtable.server.storage.redis_fanout import RedisFanout  # noqa: PLC0415 - one process needs no Redis

    return RedisFanout(redis_url)
