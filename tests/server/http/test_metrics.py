"""Metrics, health and the lag of the event loop."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from fastapi import FastAPI
from fastapi.responses import StreamingResponse
from prometheus_client.parser import text_string_to_metric_families

from realmtable.server import error_responses
from realmtable.server import metrics as module
from realmtable.server.errors import Unavailable
from realmtable.server.metrics import Health, Metrics, forget_dead_processes
from realmtable.server.request_checks import install_middleware
from realmtable.server.settings import MIB, Settings
from realmtable.server.storage.disk_usage import DiskSpace

pytestmark = pytest.mark.anyio
TOKEN = "a-token-of-sixteen-signs"  # noqa: S105 - nobody's


class FakeStore:
    """A database that answers as it is told."""

    def __init__(self) -> None:
        self.asked = 0
        self.answer: Callable[[], Awaitable[object]] | None = None

    async def ping(self) -> None:
        self.asked += 1
        if self.answer is not None:
            await self.answer()


class FakeDisk:
    """A disk with as much room as it is told."""

    free_mib = 2000

    async def measure(self) -> DiskSpace:
        return DiskSpace(5000, self.free_mib * MIB)

    async def count_rows(self) -> dict[str, int]:
        return {"events": 7}

    def is_low(self) -> bool:
        return self.free_mib < 500


def make_stub_app(settings: Settings | None = None, metrics: Metrics | None = None) -> FastAPI:
    app = FastAPI(openapi_url=None)
    chosen, counted = settings or Settings(), metrics or Metrics()
    app.state.services = SimpleNamespace(
        settings=chosen,
        metrics=counted,
        store=FakeStore(),
        disk_use=FakeDisk(),
        table_service=SimpleNamespace(
            live={"a": 1, "b": 2}, memory=SimpleNamespace(count=lambda live: 1000 * len(live))
        ),
    )
    error_responses.install(app)

    @app.get("/api/tables/{table_id}")
    async def table(table_id: str) -> str:
        if table_id == "broken":
            raise RuntimeError
        return table_id

    @app.get("/api/tables/{table_id}/events")
    async def events(table_id: str) -> StreamingResponse:
        async def stream() -> AsyncIterator[bytes]:
            yield f"data: {table_id}\n\n".encode()

        return StreamingResponse(stream(), media_type="text/event-stream")

    app.router.routes += module.router.routes
    install_middleware(app, chosen, on_response=counted.count_response)
    return app


def make_client(app: FastAPI, host: str = "127.0.0.1") -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app, client=(host, 1)), base_url="http://table.test")


def value(metrics: Metrics, name: str, **labels: str) -> float | None:
    return metrics.registry.get_sample_value(f"realmtable_{name}", labels)


async def test_answers_are_counted_by_the_template_of_their_route() -> None:
    metrics = Metrics()
    async with make_client(make_stub_app(metrics=metrics)) as http:
        for path in ("/api/tables/a", "/api/tables/b", "/api/tables/broken", "/nothing", "/other"):
            await http.get(path)
        await http.post("/api/tables/a")
        await http.request("SPY", "/api/tables/a")
        await http.get("/api/tables/a/events")
    route = "/api/tables/{table_id}"
    assert value(metrics, "requests_total", method="GET", route=route, status="200") == 2
    assert value(metrics, "requests_total", method="GET", route=route, status="500") == 1
    assert value(metrics, "requests_total", method="POST", route=route, status="405") == 1
    assert value(metrics, "requests_total", method="other", route=route, status="405") == 1
    assert value(metrics, "requests_total", method="GET", route="unmatched", status="404") == 2
    assert value(metrics, "request_seconds_count", route=route) == 5
    assert value(metrics, "requests_total", method="GET", route=f"{route}/events", status="200") == 1
    assert value(metrics, "request_seconds_count", route=f"{route}/events") is None, "streams are not timed"


async def test_everything_is_in_the_text_of_prometheus() -> None:
    metrics = Metrics()
    metrics.count_move("realm", "bot")
    metrics.refusals.labels("IllegalMove").inc()
    metrics.observe_thinking("greedy", 0.2)
    metrics.observe_append(4, 0.002)
    with metrics.streams.track_inprogress():
        assert value(metrics, "streams") == 1
    assert value(metrics, "streams") == 0
    async with make_client(make_stub_app(metrics=metrics)) as http:
        answer = await http.get("/metrics")
    families = {family.name: family for family in text_string_to_metric_families(answer.text)}
    for name in ("moves", "refusals", "streams", "tables", "thinking_seconds", "append_batch", "append_seconds"):
        assert families[f"realmtable_{name}"].samples, name
    assert {"realmtable_requests", "realmtable_loop_lag_seconds", "process_resident_memory_bytes"} <= families.keys()
    assert families["realmtable_tables"].samples[0].value == 2
    assert families["realmtable_database_bytes"].samples[0].value == 5000
    assert families["realmtable_disk_free_bytes"].samples[0].value == 2000 * MIB
    assert families["realmtable_database_rows"].samples[0].labels == {"table": "events"}
    assert families["realmtable_database_rows"].samples[0].value == 7
    assert families["realmtable_table_memory_bytes"].samples[0].value == 2000
    assert answer.headers["content-type"].startswith("text/plain")


def test_every_metric_is_in_the_pages() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "host" / "deploy.md").read_text(encoding="utf-8")
    for family in Metrics().registry.collect():
        if family.name.startswith("realmtable_"):
            name = family.name + ("_total" if family.type == "counter" else "")
            assert f"`{name}`" in page


@pytest.mark.parametrize(
    ("host", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("::1", {}, 200),
        ("192.0.2.9", {}, 403),
        ("127.0.0.1", {"X-Forwarded-For": "192.0.2.9"}, 403),
        ("127.0.0.1", {"Via": "1.1 proxy"}, 403),
        ("socket", {}, 403),
    ],
)
async def test_metrics_are_for_this_machine(host: str, headers: dict[str, str], status: int) -> None:
    async with make_client(make_stub_app(), host) as http:
        answer = await http.get("/metrics", headers=headers)
    assert answer.status_code == status
    if status == 403:
        assert answer.json()["error"]["code"] == "NotAllowed"


async def test_metrics_are_for_whoever_has_the_token() -> None:
    app = make_stub_app(Settings(metrics_token=TOKEN))
    async with make_client(app, "192.0.2.9") as http:
        assert (await http.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})).status_code == 200
        for wrong in ("", f"Bearer {TOKEN}x", TOKEN, "Bearer é"):
            assert (
                await http.get("/metrics", headers=[(b"Authorization", wrong.encode("latin-1"))])
            ).status_code == 403
    async with make_client(app) as http:
        assert (await http.get("/metrics")).status_code == 403


async def test_a_server_that_is_well_says_so_with_its_version() -> None:
    app = make_stub_app()
    async with make_client(app) as http:
        answer = await http.get("/healthz")
        assert answer.status_code == 200
        assert answer.json() == {"status": "ok", "version": answer.json()["version"], "reasons": {}}
        assert answer.json()["version"][0].isdigit()
        assert answer.headers["cache-control"] == "no-store"
        await asyncio.gather(*(http.get("/healthz") for _ in range(20)))
    assert app.state.services.store.asked == 1


async def test_a_server_that_cannot_write_says_so_and_recovers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HEALTH_CACHE_S", 0.0)
    app = make_stub_app()

    async def fail() -> None:
        raise Unavailable("hunter2: disk full")

    async with make_client(app) as http:
        app.state.services.store.answer = fail
        answer = await http.get("/healthz")
        assert answer.status_code == 503
        assert answer.json()["reasons"] == {"database": "Unavailable"}
        assert answer.json()["status"] == "unwell"
        app.state.services.store.answer = None
        assert (await http.get("/healthz")).status_code == 200


async def test_a_part_that_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHECK_TIMEOUT_S", 0.05)
    health = Health({"slow": lambda: asyncio.sleep(10), "well": lambda: asyncio.sleep(0)})
    assert await health.failing_checks() == {"slow": "no answer within 0.05 s"}


NO_REDIS = "redis://127.0.0.1:1/0"


@pytest.mark.parametrize(
    ("redis_url", "free_mib", "has_database", "status", "reasons"),
    [
        (NO_REDIS, 2000, True, "degraded", {"fanout": "ConnectionError"}),
        (None, 12, True, "degraded", {"disk": "only 12 MiB free"}),
        (NO_REDIS, 2000, False, "unwell", {"database": "Unavailable", "fanout": "ConnectionError"}),
    ],
    ids=["without Redis", "with little disk", "without its database and Redis"],
)
async def test_a_degraded_server_stays_in_the_proxy_and_one_without_its_database_does_not(
    redis_url: str | None, free_mib: int, has_database: bool, status: str, reasons: dict[str, str]
) -> None:
    app = make_stub_app(Settings(redis_url=redis_url))
    app.state.services.disk_use.free_mib = free_mib

    async def fail() -> None:
        raise Unavailable("away")

    app.state.services.store.answer = None if has_database else fail
    async with make_client(app) as http:
        answer = await http.get("/healthz")
    assert answer.status_code == (200 if status == "degraded" else 503)
    assert (answer.json()["status"], answer.json()["reasons"]) == (status, reasons)


async def test_the_lag_of_the_loop_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LAG_SAMPLE_S", 0.01)
    metrics, begun = Metrics(), time.perf_counter()
    watching = asyncio.create_task(metrics.measure_loop_lag())
    await asyncio.sleep(0.05)
    time.sleep(0.1)  # noqa: ASYNC251 - this is what must be noticed
    await asyncio.sleep(0.05)
    watching.cancel()
    assert 0.08 < metrics.worst_lag_s < time.perf_counter() - begun
    assert value(metrics, "loop_lag_worst_seconds") == metrics.worst_lag_s
    assert (value(metrics, "loop_lag_seconds_count") or 0) >= 2


PROCESS = """
import sys
from realmtable.server.metrics import Metrics
metrics = Metrics()
metrics.count_move("realm", "person")
metrics.tables.set(2)
if sys.argv[1] == "ask":
    print(metrics.render().decode())
"""


@pytest.mark.long
def test_processes_that_share_a_port_answer_for_all(tmp_path: Path) -> None:
    environment = {**os.environ, module.MULTIPROCESS_DIR_VARIABLE: str(tmp_path)}
    told = [
        subprocess.run(  # noqa: S603 - our own code
            [sys.executable, "-c", PROCESS, what], env=environment, capture_output=True, text=True, check=True
        ).stdout
        for what in ("count", "ask")
    ]
    families = text_string_to_metric_families(told[1])
    samples = {sample.name: sample.value for family in families for sample in family.samples}
    assert samples["realmtable_moves_total"] == 2
    assert samples["realmtable_tables"] == 2, "the first process has ended and holds no table any more"


def test_the_gauges_of_the_living_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(module.MULTIPROCESS_DIR_VARIABLE, str(tmp_path))
    mine, dead = tmp_path / f"gauge_livesum_{os.getpid()}.db", tmp_path / "gauge_livesum_99999999.db"
    mine.touch()
    dead.touch()
    forget_dead_processes(tmp_path)
    assert mine.exists()
    assert not dead.exists()
