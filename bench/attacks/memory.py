"""Many tables with many steps: how much memory the server takes, and whether all of them can still be looked at.

`python -m bench.attacks.memory` starts a server of its own, with a small budget and without rate limits, and prints the
figures.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

import orjson

from bench.attacks.disk_fill import MIB, connect_to
from bench.http_client import ConnectionPool, RequestFailed
from bench.load_players import Session
from bench.server_process import HOST, read_usage, run_server

TABLES: Final = 150
STEPS: Final = 25
MAX_CONCURRENT: Final = 8
BUDGET_MIB: Final = 16
GAME: Final = "oriental_realm"  # whose states are the largest


async def fill_memory(url: str, pid: int, tables: int = TABLES, steps: int = STEPS) -> dict[str, float]:
    """Open tables and play some steps at each; what the process grew by, and how many tables are as they were left.

    The server must run without rate limits.
    """
    await _play_tables(url, 4, steps)  # what is made once for all tables
    before = _resident_mib(pid)
    versions = await _play_tables(url, tables, steps)
    grew = _resident_mib(pid) - before
    lines = connect_to(url)
    figures = await _read_metrics(lines)
    intact = 0
    for table, version in versions.items():
        answer = await lines.send("GET", f"/api/tables/{table}", {})
        intact += answer.status == 200 and orjson.loads(answer.body)["version"] == version
    lines.close()
    return {
        "tables": tables,
        "steps_each": steps,
        "grew_mib": grew,
        "grew_mib_per_table": grew / tables,
        "tables_in_memory": figures.get("realmtable_tables", -1),
        "estimated_mib": figures.get("realmtable_table_memory_bytes", 0) / MIB,
        "evicted": figures.get("realmtable_table_evictions_total", 0),
        "intact": intact,
    }


async def _play_tables(url: str, tables: int, steps: int) -> dict[str, int]:
    """The version of every table after its steps."""
    versions: dict[str, int] = {}
    gate = asyncio.Semaphore(MAX_CONCURRENT)

    async def play_one() -> None:
        async with gate:
            session = Session(connect_to(url))
            body = {"game": GAME, "seats": ["me", "me"]}
            table = orjson.loads((await session.post("/api/tables", body)).body)["table"]
            answer = await session.pool.send("GET", f"/api/tables/{table}", session.headers())
            scene = orjson.loads(answer.body)
            for number in range(steps):
                if not scene["choices"]:
                    break
                move = scene["choices"][number % len(scene["choices"])]["move"]
                answer = await session.post(f"/api/tables/{table}/moves", {"version": scene["version"], "move": move})
                scene = orjson.loads(answer.body)
            versions[table] = scene["version"]
            session.pool.close()

    await asyncio.gather(*(play_one() for _ in range(tables)))
    return versions


async def _read_metrics(lines: ConnectionPool) -> dict[str, float]:
    """Every figure of /metrics by name, its labels added up."""
    text = (await lines.send("GET", "/metrics", {})).body.decode()
    found: dict[str, float] = {}
    for name, value in re.findall(r"^(\w+)(?:\{[^}]*\})? (\S+)$", text, flags=re.MULTILINE):
        found[name] = found.get(name, 0.0) + float(value)
    return found


def _resident_mib(pid: int) -> float:
    used = read_usage(pid)
    if used is None:
        raise RequestFailed("this system does not tell how much memory a process has")
    return used.memory / MIB


async def main(**settings: str) -> dict[str, Any]:
    """The attack on a server of its own."""
    with tempfile.TemporaryDirectory() as place:
        async with run_server(Path(place), 10, compile_bots="off", **settings) as (port, pid):
            return await fill_memory(f"http://{HOST}:{port}", pid)


if __name__ == "__main__":
    given = dict(word.split("=", 1) for word in sys.argv[1:]) or {"memory_mib": str(BUDGET_MIB)}
    for name, value in asyncio.run(main(**given)).items():
        sys.stdout.write(f"{name}: {value:,.2f}\n")
