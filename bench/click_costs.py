"""What a click costs: its bytes on the wire, both ways together, and the source files that it runs through.

`python -m bench.click_costs` plays random games at a local server through the sockets of two pages. For the files it
plays in this process as well, with each function call counted.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import click
import orjson
import uvicorn

import realmtable
from bench.server.http_client import ConnectionPool, RequestFailed
from bench.server.process import HOST, free_port, run_server
from bench.server.session import Session
from bench.server.socket_client import SocketClient, open_socket
from realmtable.server.tables.scenes.changes import apply_change

SEATS = 2
LIMIT = 2_048  # bytes
PACKAGE = Path(realmtable.__file__).parent
OF_THE_GAME = ("engine", "kit", "games")  # folders whose files a click may use as it needs
ANSWER_S = 30.0


Files = frozenset[str]  # paths in the package


class GameCosts(NamedTuple):
    """The costs of the clicks in random games."""

    game: str
    sizes: Sequence[int]  # in bytes
    ours: Sequence[Files]  # of the server, by click
    of_the_game: Sequence[Files]  # by click


@dataclass(eq=False)
class Page:
    """A player's page: what its socket has shown."""

    session: Session
    table: str = ""
    socket: SocketClient | None = None
    scene: dict[str, Any] = field(default_factory=dict)
    answers: list[dict[str, Any]] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def open(self, port: int) -> None:
        """Open the socket and wait for the scene."""
        headers = {"Origin": self.session.pool.origin, "Cookie": self.session.cookie}
        path = f"/api/tables/{self.table}/socket"
        self.socket = await open_socket(HOST, port, path, headers, self._on_message, lambda _: None)
        await self.wait_for(lambda: bool(self.scene))

    def _on_message(self, text: bytes) -> None:
        message = orjson.loads(text)
        change = message.get("scene") or message.get("change")
        if change is not None:
            self.scene = apply_change({} if "scene" in message else self.scene, change)
        if "accepted" in message or "refused" in message:
            self.answers.append(message)
        self.news.set()

    async def wait_for(self, condition: Any) -> None:  # noqa: ANN401 - a function
        """Wait until a condition holds for what was received."""
        async with asyncio.timeout(ANSWER_S):
            while not condition():
                self.news.clear()
                await self.news.wait()

    async def click(self, move: str) -> int:
        """Play a move; return the bytes that it took, both ways together."""
        assert self.socket is not None  # noqa: S101 - it is open
        before, count = self.socket.sent_bytes + self.socket.received_bytes, len(self.answers)
        message = {"do": "move", "key": f"click-{count}", "version": self.scene["version"], "move": move}
        self.socket.send(orjson.dumps(message))
        await self.wait_for(lambda: len(self.answers) > count)
        if "refused" in self.answers[-1]:
            raise RequestFailed(self.answers[-1]["error"]["message"])
        return self.socket.sent_bytes + self.socket.received_bytes - before


class FileCounter:
    """Notes in which source files functions are called, in all threads."""

    def __init__(self) -> None:
        self.codes: set[CodeType] = set()

    @contextmanager
    def count(self) -> Iterator[None]:
        """Note the calls while the context is open."""
        threading.setprofile(self._note)
        sys.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            self.codes.add(frame.f_code)

    def take(self) -> tuple[Files, Files]:
        """Return the files of the server, and those of the game, that have been called since the last time."""
        codes, self.codes = self.codes, set()
        paths = {Path(code.co_filename) for code in codes}
        files = {path.relative_to(PACKAGE) for path in paths if path.is_relative_to(PACKAGE)}
        of_the_game = {path for path in files if path.parts[0] in OF_THE_GAME}
        return frozenset(map(str, files - of_the_game)), frozenset(map(str, of_the_game))


async def play(port: int, game: str, clicks: int, rng: random.Random, counter: FileCounter | None) -> GameCosts:
    """Play random games at a server until there were so many clicks."""
    costs = GameCosts(game, [], [], [])
    sizes, ours, of_the_game = list[int](), list[Files](), list[Files]()
    pages: list[Page] = []
    while len(sizes) < clicks:
        if not pages or pages[0].scene["status"] == "over":
            pages = await _open_pages(port, game)
        page = next((each for each in pages if each.scene["choices"]), None)
        if page is None:
            await asyncio.sleep(0.02)  # a change is on its way
            continue
        moves = [move for group in page.scene["choices"].values() for move in group["moves"]]
        if counter is not None:
            counter.codes.clear()
        sizes.append(await page.click(rng.choice(moves)))
        if counter is not None:
            found = counter.take()
            ours.append(found[0])
            of_the_game.append(found[1])
        await asyncio.sleep(0.005)  # until the other page has the change
    return costs._replace(sizes=sizes, ours=ours, of_the_game=of_the_game)


async def _open_pages(port: int, game: str) -> list[Page]:
    pages = [Page(Session(ConnectionPool(HOST, port))) for _ in range(SEATS)]
    first, *others = pages
    setup = {"game": game, "seats": ["me", *["open"] * len(others)]}
    table = str(orjson.loads((await first.session.post("/api/tables", setup)).body)["table"])
    for page in others:
        await page.session.post(f"/api/tables/{table}/seats", {})
    for page in pages:
        page.table = table
        await page.open(port)
    return pages


async def measure_bytes(games: Sequence[str], clicks: int) -> list[GameCosts]:
    """Count the bytes of clicks at a server."""
    with tempfile.TemporaryDirectory(prefix="realmtable-clicks-") as place:
        async with run_server(Path(place), 100) as (port, _):
            return [await play(port, game, clicks, random.Random(1), None) for game in games]


async def measure_files(games: Sequence[str], clicks: int) -> list[GameCosts]:
    """Count the files of clicks at a server in this process."""
    from realmtable.cli.serve import uvicorn_config  # noqa: PLC0415 - the server reads its switches first
    from realmtable.server import logs  # noqa: PLC0415
    from realmtable.server.app import create_app  # noqa: PLC0415
    from realmtable.server.settings import Settings  # noqa: PLC0415
    from realmtable.server.storage.database import migrate  # noqa: PLC0415

    with tempfile.TemporaryDirectory(prefix="realmtable-clicks-") as place:
        port, counter = free_port(), FileCounter()
        url = f"sqlite:///{place}/clicks.db"
        await migrate(url)
        settings = Settings(database_url=url, limits_factor=0.0, log_level="error", public_url=f"http://{HOST}:{port}")
        logs.configure(log_level="error")
        config = uvicorn_config(settings, create_app(settings))
        config.host, config.port = HOST, port
        server = uvicorn.Server(config)
        with counter.count():
            serving = asyncio.ensure_future(server.serve())
            while not server.started:  # noqa: ASYNC110 - Uvicorn offers nothing to wait for
                await asyncio.sleep(0.05)
            found = [await play(port, game, clicks, random.Random(1), counter) for game in games]
            server.should_exit = True
            await serving
        return found


def table_of(sizes: Sequence[GameCosts], files: Sequence[GameCosts]) -> str:
    """Format the costs as a table."""
    lines = [
        f"| game | clicks | bytes: median | 99% | worst | over {LIMIT:,} | files of the server | of the game |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for costs, counted in zip(sizes, files, strict=True):
        ordered = sorted(costs.sizes)
        over = sum(size > LIMIT for size in ordered)
        cells = [
            costs.game,
            f"{len(ordered)}",
            f"{statistics.median(ordered):,.0f}",
            f"{ordered[len(ordered) * 99 // 100]:,}",
            f"{ordered[-1]:,}",
            f"{over / len(ordered):.1%}",
            f"{statistics.median(map(len, counted.ours)):.0f}",
            f"{statistics.median(map(len, counted.of_the_game)):.0f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def list_usual_files(counted: Sequence[GameCosts]) -> list[str]:
    """Return the server's files that at least half of the clicks ran through."""
    clicks = [files for costs in counted for files in costs.ours]
    counts = Counter(name for files in clicks for name in files)
    return sorted(name for name, count in counts.items() if 2 * count >= len(clicks))


@click.command()
@click.argument("games", metavar="[GAME …]", nargs=-1)
@click.option("--clicks", type=click.IntRange(1, 10_000), default=300, show_default=True, help="Clicks in each game.")
@click.option("--files", is_flag=True, help="Print the names of the server's files that most clicks run through.")
def main(games: tuple[str, ...], clicks: int, files: bool) -> None:
    """Measure the bytes and the source files of a click in random games of two."""
    known = [info.id for info in realmtable.infos()]
    unknown = sorted(set(games) - set(known))
    if unknown:
        raise click.UsageError(f"There is no game {unknown[0]}; choose among {', '.join(known)}.")
    chosen = games or tuple(known)
    sizes = asyncio.run(measure_bytes(chosen, clicks))
    counted = asyncio.run(measure_files(chosen, min(clicks, 20)))
    click.echo(table_of(sizes, counted))
    if files:
        click.echo("\n".join(list_usual_files(counted)))


if __name__ == "__main__":
    main()
