"""Processor time, function calls and cyclic garbage per move in the server: `python -m bench.server_move_costs`.

The server runs in this process, with real HTTP on connections in memory, and every move is on disk before anyone sees
it. What the kernel and the players do is left out, so that the figures depend little on what else the machine does.
Compare two versions by running this with the `src` folder of each in PYTHONPATH, in turn.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import click
import uvicorn
import uvloop
from uvicorn.server import ServerState

from realmtable.cli.serve import SWITCH_INTERVAL_S
from realmtable.server import logs
from realmtable.server.app import create_app
from realmtable.server.http_protocol import LimitedProtocol
from realmtable.server.settings import Settings
from realmtable.server.tables.table import Table

ORIGIN = "http://127.0.0.1:8000"
MOST_SHOWN = 60
MAX_STREAMS_PER_TABLE = 20  # a pair keeps the streams of its earlier tables open


class MemoryTransport(asyncio.Transport):
    """The server's end of a connection whose client reads everything at once."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 50_000), "sockname": ("127.0.0.1", 8000)})
        self.written: list[bytes] = []
        self.answered: asyncio.Future[bytes] | None = None

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Take what the server sends."""
        if self.answered is None:
            self.written.append(bytes(data))
        elif not self.answered.done():
            self.answered.set_result(bytes(data))

    def is_closing(self) -> bool:
        """Return False: these connections stay open."""
        return False

    def close(self) -> None:
        """Do nothing."""

    def abort(self) -> None:
        """Do nothing."""

    def pause_reading(self) -> None:
        """Do nothing."""

    def resume_reading(self) -> None:
        """Do nothing."""


class Connection:
    """A client's connection to a server in this process."""

    def __init__(self, config: uvicorn.Config, state: ServerState) -> None:
        self.transport = MemoryTransport()
        self.protocol = LimitedProtocol(config, state, {}, asyncio.get_running_loop())
        self.protocol.connection_made(self.transport)

    async def send(self, request: bytes) -> bytes:
        """Send a request, and return the first part of the response."""
        self.transport.answered = asyncio.get_running_loop().create_future()
        self.protocol.data_received(request)
        return await self.transport.answered

    def open_stream(self, request: bytes) -> None:
        """Send a request for a stream, whose events are ignored."""
        self.transport.answered = None
        self.protocol.data_received(request)


def format_request(method: str, path: str, headers: dict[str, str], body: bytes = b"") -> bytes:
    """Return a request as a browser sends it."""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1:8000", f"Origin: {ORIGIN}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    lines += [f"Content-Length: {len(body)}"] if method == "POST" else []
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


@dataclass
class Player:
    """A guest with a connection."""

    connection: Connection
    headers: dict[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})

    async def post(self, path: str, body: Any) -> Any:  # noqa: ANN401 - plain data
        """Send JSON and return the JSON of the response."""
        answer = await self.connection.send(format_request("POST", path, self.headers, json.dumps(body).encode()))
        head, _, text = answer.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n")[1:])
        if "set-cookie" in fields:
            cookie = fields["set-cookie"].partition(";")[0]
            self.headers |= {"Cookie": cookie, "X-CSRF-Token": fields["x-csrf-token"]}
        if not head.startswith(b"HTTP/1.1 2"):
            raise click.ClickException(f"The server refused {path}: {text.decode()}")
        return json.loads(text)


class CallCounter:
    """Counts function calls in one thread, Python's and built-in ones."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        """Count one event of `sys.setprofile`."""
        if event == "call":
            self.calls[f"{Path(frame.f_code.co_filename).name}:{frame.f_code.co_qualname}"] += 1
        elif event == "c_call":
            self.calls[f"built in: {getattr(argument, '__qualname__', argument)}"] += 1


class Costs:
    """What the moves after the first few have cost, without the players."""

    def __init__(self, warm_up: int, measured: int, counter: CallCounter | None) -> None:
        self.moves = 0
        self.most_moves = warm_up + measured
        self._warm_up, self._counter = warm_up, counter
        self._players_s = 0.0
        self._start = (0.0, 0.0)  # of this thread, and of the whole process
        self.text = ""
        self.garbage = 0.0  # objects per move that only the garbage collector frees; measured together with calls

    def count_move(self) -> None:
        """Count a move; begin to measure after the first ones, and end after the last."""
        self.moves += 1
        if self.moves == self._warm_up:
            if self._counter is not None:
                gc.collect()
                gc.disable()
            self._players_s, self._start = 0.0, (time.thread_time(), time.process_time())
            sys.setprofile(self._counter)
        elif self.moves == self.most_moves:
            sys.setprofile(None)
            ends = time.thread_time(), time.process_time()
            counted = self.most_moves - self._warm_up
            loop_us, process_us = [
                1e6 * (end - start - self._players_s) / counted for start, end in zip(self._start, ends, strict=True)
            ]
            if self._counter is not None:
                self.garbage = gc.collect() / counted
                gc.enable()
            self.text = f"{loop_us:.0f} µs per move in the event loop, {process_us:.0f} µs in all threads"

    @contextmanager
    def leave_out(self) -> Iterator[None]:
        """Leave out what a player does, and count none of its calls."""
        profile, start = sys.getprofile(), time.thread_time()
        sys.setprofile(None)
        yield
        self._players_s += time.thread_time() - start
        sys.setprofile(profile)


@dataclass
class Pair:
    """Two players at a table."""

    table: str
    players: tuple[Player, Player]
    rng: Random
    whole: bool  # whether they ask for whole scenes instead of changes

    async def play(self, app: Any, game: str, costs: Costs) -> None:  # noqa: ANN401 - FastAPI's
        """Play random legal moves until all are played; open another table when a game is over."""
        while costs.moves < costs.most_moves:
            with costs.leave_out():
                chosen = self._choose(app.state.services.table_service.live[self.table].table)
            if chosen is None:
                await self.open(game)
                continue
            connection, request = chosen
            answer = await connection.send(request)
            if not answer.startswith(b"HTTP/1.1 200"):
                raise click.ClickException(f"A move was refused: {answer.decode()}")
            costs.count_move()

    def _choose(self, table: Table) -> tuple[Connection, bytes] | None:
        """Return the next request and its connection; None if the game is over."""
        if table.result is not None:
            return None
        seat, state = table.acting[0], table.match.state
        move = table.game.format_move(state, self.rng.choice(table.game.legal_moves(state, seat)))
        body = json.dumps({"version": table.version, "move": move, "key": f"m{table.version}"}).encode()
        player = self.players[seat]
        path = f"/api/tables/{self.table}/moves{'' if self.whole else '?scene=false'}"
        return player.connection, format_request("POST", path, player.headers, body)

    async def open(self, game: str) -> None:
        """Open a table, take both seats and open both streams."""
        first, second = self.players
        self.table = (await first.post("/api/tables", {"game": game, "seats": ["me", "open"]}))["table"]
        await second.post(f"/api/tables/{self.table}/seats", {})
        for player in self.players:
            own = player.connection.protocol
            stream = Connection(own.config, own.server_state)
            headers = {**player.headers, "Accept": "text/event-stream", "Accept-Encoding": "gzip"}
            path = f"/api/tables/{self.table}/events{'' if self.whole else '?changes=true'}"
            stream.open_stream(format_request("GET", path, headers))


async def measure(game: str, tables: int, moves: int, counter: CallCounter | None, *, whole: bool = False) -> Costs:
    """Run a server and its players in this process; return the costs of the moves."""
    with tempfile.TemporaryDirectory(prefix="realmtable-moves-") as folder:
        database = f"sqlite:///{Path(folder) / 'tables.sqlite3'}"
        streams = str(MAX_STREAMS_PER_TABLE * tables)  # all players share one address
        limits = {"limits_factor": "0", "max_streams": streams, "max_streams_per_address": streams}
        settings = Settings.read({}, {"database_url": database, "public_url": ORIGIN, **limits})
        with (Path(folder) / "log").open("w", encoding="utf-8") as log:
            logs.configure("text", "info", log)
            app = create_app(settings, collects_garbage_itself=True)
            config = uvicorn.Config(app, http=LimitedProtocol, lifespan="on", log_config=None, access_log=False)
            config.load()
            async with app.router.lifespan_context(app):
                state = ServerState()
                pairs = [
                    Pair(
                        "",
                        (Player(Connection(config, state)), Player(Connection(config, state))),
                        Random(number),
                        whole,
                    )
                    for number in range(tables)
                ]
                return await _play(app, state, game, pairs, Costs(moves // 5, moves, counter))


async def _play(app: Any, state: ServerState, game: str, pairs: list[Pair], costs: Costs) -> Costs:  # noqa: ANN401 - FastAPI's
    for pair in pairs:
        await pair.open(game)
    await asyncio.gather(*(pair.play(app, game, costs) for pair in pairs))
    app.state.services.stop_streams()
    for task in list(state.tasks):
        await task
    return costs


@click.command()
@click.option("--game", default="classic_realm", show_default=True, help="The game to play.")
@click.option("--tables", default=40, show_default=True, help="Tables with two players each.")
@click.option("--moves", type=click.IntRange(10), default=2000, show_default=True, help="Moves to measure.")
@click.option("--whole", is_flag=True, help="Ask for whole scenes instead of changes.")
@click.option("--calls", is_flag=True, help="Count function calls too; times are then longer.")
def main(game: str, tables: int, moves: int, *, whole: bool, calls: bool) -> None:
    """Measure the processor time per move, and on request count the function calls."""
    os.environ.setdefault("REALMTABLE_COMPILE", "0")  # before any game is loaded
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    counter = CallCounter() if calls else None
    costs = uvloop.run(measure(game, tables, moves, counter, whole=whole))
    click.echo(costs.text)
    if counter is not None:
        click.echo(f"{costs.garbage:.1f} objects per move are left to the garbage collector")
        click.echo(f"{counter.calls.total() / moves:.0f} calls per move")
        for name, times in counter.calls.most_common(MOST_SHOWN):
            click.echo(f"{times / moves:7.1f} {name}")


if __name__ == "__main__":
    main()
