"""An attack with many long games: how much memory the server uses, and whether all tables can still be viewed."""

from __future__ import annotations

import asyncio
import re
from typing import Final

import orjson

from bench.attacks.disk_fill import MIB, connect_to
from bench.server.http_client import ConnectionPool, RequestFailed
from bench.server.session import Session
from bench.server.usage import read_usage
from realmtable.server.tables.scenes.changes import list_choices_in

TABLES: Final = 150
STEPS: Final = 25
MAX_CONCURRENT: Final = 8
BUDGET_MIB: Final = 16
GAME: Final = "oriental_realm"  # has the largest states


async def fill_memory(url: str, pid: int, tables: int = TABLES, steps: int = STEPS) -> dict[str, float]:
    """Open tables and play some steps at each; return the growth of the process and the number of intact tables.

    The server must run without rate limits.
    """
    await _play_tables(url, 4, steps)  # warm up what all tables share
    before = _resident_mib(pid)
    versions = await _play_tables(url, tables, steps)
    growth = _resident_mib(pid) - before
    pool = connect_to(url)
    figures = await _read_metrics(pool)
    intact = 0
    for table, version in versions.items():
        answer = await pool.send("GET", f"/api/tables/{table}", {})
        intact += answer.status == 200 and orjson.loads(answer.body)["version"] == version
    pool.close()
    return {
        "tables": tables,
        "steps_each": steps,
        "grew_mib": growth,
        "grew_mib_per_table": growth / tables,
        "tables_in_memory": figures.get("realmtable_tables", -1),
        "estimated_mib": figures.get("realmtable_table_memory_bytes", 0) / MIB,
        "evicted": figures.get("realmtable_table_evictions_total", 0),
        "intact": intact,
    }


async def _play_tables(url: str, tables: int, steps: int) -> dict[str, int]:
    """Play the tables and return each table's final version."""
    versions: dict[str, int] = {}
    semaphore = asyncio.Semaphore(MAX_CONCURRENT)

    async def play_one() -> None:
        async with semaphore:
            session = Session(connect_to(url))
            body = {"game": GAME, "seats": ["me", "me"]}
            table = orjson.loads((await session.post("/api/tables", body)).body)["table"]
            for number in range(steps):
                answer = await session.pool.send("GET", f"/api/tables/{table}", session.headers())
                scene = orjson.loads(answer.body)
                if not (choices := list_choices_in(scene["choices"])):
                    break
                body = {"version": scene["version"], "move": choices[number % len(choices)]["move"]}
                answer = await session.post(f"/api/tables/{table}/moves", body)
                versions[table] = orjson.loads(answer.body)["version"]
            session.pool.close()

    await asyncio.gather(*(play_one() for _ in range(tables)))
    return versions


async def _read_metrics(pool: ConnectionPool) -> dict[str, float]:
    """Return every metric of /metrics by name, summed over its labels."""
    text = (await pool.send("GET", "/metrics", {})).body.decode()
    totals: dict[str, float] = {}
    for name, value in re.findall(r"^(\w+)(?:\{[^}]*\})? (\S+)$", text, flags=re.MULTILINE):
        totals[name] = totals.get(name, 0.0) + float(value)
    return totals


def _resident_mib(pid: int) -> float:
    used = read_usage(pid)
    if used is None:
        raise RequestFailed("this system does not report the memory of a process")
    return used.memory / MIB
