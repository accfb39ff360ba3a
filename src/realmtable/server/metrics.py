"""Monitoring: Prometheus metrics at `/metrics`, health at `/healthz`, and the lag of the event loop.

Processes that share a port also share their metrics through the folder PROMETHEUS_MULTIPROC_DIR (set by `serve`), so
that each of them can answer for all.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import os
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import cache, partial
from http import HTTPStatus
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import orjson
import structlog
from fastapi import APIRouter, Request, Response
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from starlette.types import Scope

from realmtable.server.errors import NotAllowed, Unavailable
from realmtable.server.logs import read_header
from realmtable.server.request_bounds import BoundedRoute, declare_bounds
from realmtable.server.settings import MIB
from realmtable.server.storage.disk_usage import DiskUse
from realmtable.server.storage.table_store import TableStore

Check = Callable[[], Awaitable[object]]

MULTIPROCESS_DIR_VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"
LAG_SAMPLE_S: Final = 0.25
CHECK_TIMEOUT_S: Final = 3.0
HEALTH_CACHE_S: Final = 1.0
VITAL: Final = frozenset({"database"})  # parts that the server cannot work without
QUICK_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
SLOW_BUCKETS: Final = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
SIZE_BUCKETS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500)

log = structlog.get_logger(__name__)
disable_created_metrics()  # type: ignore[no-untyped-call]  # creation times would double the output


class Metrics:
    """The metrics of one process, in their own registry."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        if MULTIPROCESS_DIR_VARIABLE not in os.environ:
            ProcessCollector(registry=self.registry)
            PlatformCollector(registry=self.registry)
        self._requests = self._counter("requests", "Requests answered.", "method", "route", "status")
        self._latency = self._histogram(
            "request_seconds", "Time from request to end of response, without streams.", QUICK_BUCKETS, "route"
        )
        self._moves = self._counter("moves", "Steps played.", "game", "by")
        self.refusals = self._counter("refusals", "Requests refused, by code.", "code")
        self.streams = self._gauge("streams", "Open event streams.")
        self.tables = self._gauge("tables", "Live tables in memory.")
        self.table_bytes = self._gauge("table_memory_bytes", "Estimated memory of live tables.")
        self.evictions = self._counter("table_evictions", "Tables evicted from memory, by status.", "status")
        self.database_bytes = self._gauge("database_bytes", "Size of the database.", mode="livemax")
        self.free_bytes = self._gauge("disk_free_bytes", "Free disk space next to an SQLite database.", mode="livemax")
        self.rows = self._gauge("database_rows", "Rows of the larger database tables.", "table", mode="livemax")
        self.removals = self._counter("expired", "Rows removed by expiry, by kind.", "kind")
        self._thinking = self._histogram("thinking_seconds", "Thinking time of bots per step.", SLOW_BUCKETS, "bot")
        self.notifications = self._counter("notifications", "Notifications, by result.", "result")
        self._batch = self._histogram("append_batch", "Table changes per transaction.", SIZE_BUCKETS)
        self._append = self._histogram("append_seconds", "Duration of such a transaction.", QUICK_BUCKETS)
        self._lag = self._histogram("loop_lag_seconds", "Delay with which the event loop wakes a task.", QUICK_BUCKETS)
        self._worst = self._gauge("loop_lag_worst_seconds", "Longest such delay since the start.", mode="livemax")
        self.worst_lag_s = 0.0

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(f"realmtable_{name}", text, labels, registry=self.registry)

    def _gauge(self, name: str, text: str, *labels: str, mode: Any = "livesum") -> Gauge:  # noqa: ANN401 - a literal of the library
        return Gauge(f"realmtable_{name}", text, labels, registry=self.registry, multiprocess_mode=mode)

    def _histogram(self, name: str, text: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
        return Histogram(f"realmtable_{name}", text, labels, registry=self.registry, buckets=buckets)

    def count_response(self, method: str, route: str, status: int, seconds: float | None) -> None:
        """Count a response; `seconds` is None for a stream."""
        self._requests.labels(method, route, status).inc()
        if seconds is not None:
            self._latency.labels(route).observe(seconds)

    def count_move(self, game: str, by: str) -> None:
        """Count a step by a `person`, a `program` (with a personal token) or a `bot`."""
        self._moves.labels(game, by).inc()

    def observe_thinking(self, bot: str, seconds: float) -> None:
        """Record how long a bot has thought."""
        self._thinking.labels(bot).observe(seconds)

    def observe_append(self, changes: int, seconds: float) -> None:
        """Record the number of table changes in a transaction and how long it took."""
        self._batch.observe(changes)
        self._append.observe(seconds)

    async def measure_loop_lag(self) -> None:
        """Measure how late short sleeps end, until cancelled."""
        while True:
            due = time.perf_counter() + LAG_SAMPLE_S
            await asyncio.sleep(LAG_SAMPLE_S)
            lag = max(0.0, time.perf_counter() - due)
            self._lag.observe(lag)
            if lag > self.worst_lag_s:
                self.worst_lag_s = lag
                self._worst.set(lag)

    def render(self) -> bytes:
        """Return the metrics in Prometheus's text format, of all processes if they share their counts."""
        shared_dir = os.environ.get(MULTIPROCESS_DIR_VARIABLE)
        if not shared_dir:
            return generate_latest(self.registry)
        forget_dead_processes(Path(shared_dir))
        combined = CollectorRegistry()
        MultiProcessCollector(combined)  # type: ignore[no-untyped-call]  # the library's
        return generate_latest(combined)


def forget_dead_processes(folder: Path) -> None:
    """Remove the gauges of killed processes, whose streams and tables no longer exist."""
    for pid in {int(path.stem.rpartition("_")[2]) for path in folder.glob("gauge_live*_*.db")}:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            mark_process_dead(pid)  # type: ignore[no-untyped-call]  # the library's
        except PermissionError:
            continue


class Degraded(Exception):
    """A part is degraded; the message is public."""


class Health:
    """Checks the health of every part. Results are cached for a second, so that frequent requests are cheap."""

    def __init__(self, checks: Mapping[str, Check]) -> None:
        self._checks = checks
        self._lock = asyncio.Lock()
        self._reasons: dict[str, str] = {}
        self._valid_until = -1.0

    async def failing_checks(self) -> dict[str, str]:
        """Return the failing parts, each with the reason; empty if all are healthy."""
        async with self._lock:
            if time.monotonic() >= self._valid_until:
                results = await asyncio.gather(*(self._run_check(part, check) for part, check in self._checks.items()))
                self._reasons = {part: reason for part, reason in zip(self._checks, results, strict=True) if reason}
                self._valid_until = time.monotonic() + HEALTH_CACHE_S
        return self._reasons

    @staticmethod
    async def _run_check(part: str, check: Check) -> str | None:
        try:
            await asyncio.wait_for(check(), CHECK_TIMEOUT_S)
        except TimeoutError:
            return f"no answer within {CHECK_TIMEOUT_S:g} s"
        except Degraded as error:
            return str(error)
        except Exception as error:
            log.warning("unhealthy", part=part, exc_info=error)
            return type(error).__name__
        return None


def health_checks(store: TableStore, disk_use: DiskUse, redis_url: str | None) -> dict[str, Check]:
    """Return the health checks: the database, the disk and, if used, Redis."""

    async def check_disk() -> None:
        space = await disk_use.measure()
        if disk_use.is_low():
            raise Degraded(f"only {(space.free_bytes or 0) // MIB:,} MiB free")

    checks: dict[str, Check] = {"database": store.ping, "disk": check_disk}
    if redis_url is not None:
        checks["fanout"] = partial(_ping_redis, redis_url)
    return checks


async def _ping_redis(url: str) -> None:
    from redis.asyncio import Redis  # noqa: PLC0415 - a single process does not need Redis
    from redis.asyncio.retry import Retry  # noqa: PLC0415 - one process needs no Redis
    from redis.backoff import NoBackoff  # noqa: PLC0415 - one process needs no Redis

    async with Redis.from_url(url, retry=Retry(NoBackoff(), 0)) as redis:
        await redis.ping()


@cache
def installed_version() -> str:
    """Return the version of this package; reading it takes milliseconds."""
    return version("realmtable")


router = APIRouter(route_class=BoundedRoute, include_in_schema=False)


@router.get("/healthz")
@declare_bounds(0)
async def healthz(request: Request) -> Response:
    """Report the server's health: 503 if a vital part fails, "degraded" if only others do."""
    state = request.app.state
    if not hasattr(state, "health"):
        services = state.services
        state.health = Health(health_checks(services.store, services.disk_use, services.settings.redis_url))
    reasons = await state.health.failing_checks()
    # A proxy removes servers that answer 503. If a shared part such as Redis fails, it would remove them all.
    word = "unwell" if reasons.keys() & VITAL else "degraded" if reasons else "ok"
    status = HTTPStatus.SERVICE_UNAVAILABLE if word == "unwell" else HTTPStatus.OK
    body = {"status": word, "version": installed_version(), "reasons": reasons}
    return Response(orjson.dumps(body), status, {"Cache-Control": "no-store"}, "application/json")


@router.get("/metrics")
@declare_bounds(0)
async def show_metrics(request: Request) -> Response:
    """Return the metrics to clients with the token; without a configured token, to this machine only."""
    services = request.app.state.services
    metrics: Metrics = services.metrics
    live, disk_use = services.table_service.live, services.disk_use
    if not may_read_metrics(request.scope, services.settings.metrics_token):
        raise NotAllowed(
            "Metrics are available from this machine only, or with the bearer token REALMTABLE_METRICS_TOKEN."
        )
    metrics.tables.set(len(live))
    metrics.table_bytes.set(services.table_service.memory.count(live))
    with suppress(Unavailable):  # the other metrics are still useful
        space, rows = await disk_use.measure(), await disk_use.count_rows()
        metrics.database_bytes.set(space.database_bytes)
        if space.free_bytes is not None:
            metrics.free_bytes.set(space.free_bytes)
        for table, count in rows.items():
            metrics.rows.labels(table).set(count)
    return Response(metrics.render(), media_type=CONTENT_TYPE_LATEST)


def may_read_metrics(scope: Scope, token: str | None) -> bool:
    """Whether a request may read the metrics.

    Behind a proxy every request seems to come from this machine, so forwarded requests count as remote.
    """
    if token is not None:
        return hmac.compare_digest(read_header(scope, b"authorization").encode(), f"Bearer {token}".encode())
    is_forwarded = any(
        read_header(scope, name) for name in (b"x-forwarded-for", b"x-forwarded-host", b"forwarded", b"via")
    )
    return not is_forwarded and _is_loopback((scope.get("client") or ("",))[0])


def _is_loopback(address: str) -> bool:
    with suppress(ValueError):
        return ipaddress.ip_address(address).is_loopback
    return False
