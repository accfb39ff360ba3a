"""A real server process that can be killed and restarted, with one port and one database."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Self

import httpx
import pytest

LINUX = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc, as Linux has it")
WAIT_S = 90.0
# A process that has imported everything and forks a server for each line it reads, so that restarts take no time.
FORK_SERVER = """
import os, signal, sys, realmtable.cli.serve
from realmtable.cli.main import main
from realmtable.server.app import style_hashes
style_hashes()  # loads every game
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for _ in iter(sys.stdin.readline, ""):
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)
        main()
        os._exit(0)
    print(pid, flush=True)
"""


class RestartableServer:
    """A server that can be killed and started again with the same port and database; leaving the context kills it."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder = folder
        self.port = non_ephemeral_port()
        self.pid = 0
        self.children: set[int] = set()  # processes that killed servers had started
        environment = {
            "REALMTABLE_DATABASE_URL": f"sqlite:///{folder / 'tables.sqlite3'}",
            "REALMTABLE_LIMITS_FACTOR": "0",
            "REALMTABLE_BOT_PACE_S": "0",
            "REALMTABLE_BOT_WORKERS": "1",
            "REALMTABLE_LOG_LEVEL": "error",
            "REALMTABLE_COMPILE_BOTS": "false",  # it would take a processor from the tests
            "REALMTABLE_COMPILE": "0",  # as `serve` sets it before it loads a game
            "GLIBC_TUNABLES": "",  # or it would start itself again, as the process that forks
            **{f"REALMTABLE_{name.upper()}": value for name, value in settings.items()},
        }
        with (folder / "log.txt").open("ab") as log:
            self.fork_server = subprocess.Popen(  # noqa: S603 - our own command
                [sys.executable, "-c", FORK_SERVER, "serve", "--no-open", "--port", str(self.port)],
                env={**os.environ, **environment},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        assert self.fork_server.stdin is not None
        assert self.fork_server.stdout is not None
        self.fork_server.stdin.close()
        self.fork_server.stdout.close()
        self.fork_server.wait(WAIT_S)

    async def start(self) -> None:
        """Start the server, and return when it answers."""
        assert self.fork_server.stdin is not None
        assert self.fork_server.stdout is not None
        self.fork_server.stdin.write("live\n")
        self.fork_server.stdin.flush()
        self.pid = int(await asyncio.to_thread(self.fork_server.stdout.readline))
        async with asyncio.timeout(WAIT_S), httpx.AsyncClient(base_url=f"http://127.0.0.1:{self.port}") as client:
            while not await _is_ready(client):
                assert is_alive(self.pid), (self.folder / "log.txt").read_text()
                await asyncio.sleep(0.01)

    def kill(self) -> None:
        """Kill the server, as a power cut would."""
        if self.pid and is_alive(self.pid):
            self.children |= {
                int(entry.name) for entry in Path("/proc").glob("[0-9]*") if _parent_pid(entry) == self.pid
            }
            os.kill(self.pid, signal.SIGKILL)
            while Path(f"/proc/{self.pid}").exists():  # its last thread holds the port
                time.sleep(0.001)
        self.pid = 0


def non_ephemeral_port() -> int:
    """Return a free port outside the range that the system uses for outgoing connections.

    Otherwise a client that keeps connecting while no server listens could, by chance, get this port and reach itself.
    """
    for port in Random().sample(range(20_000, 32_000), 50):
        with suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port
    raise OSError("no port is free")


async def _is_ready(client: httpx.AsyncClient) -> bool:
    with suppress(httpx.TransportError):
        return (await client.get("/healthz")).status_code == 200
    return False


def is_alive(pid: int) -> bool:
    with suppress(OSError):
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def _parent_pid(entry: Path) -> int | None:
    with suppress(OSError):
        return int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    return None
