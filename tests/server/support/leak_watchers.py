"""Scripted games, and watchers who read every byte they can get."""

from __future__ import annotations

import itertools
import secrets
from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from realmtable.engine import chance
from realmtable.server import display_names
from realmtable.server.images.render import Caption
from realmtable.server.services import Services
from realmtable.server.site import templates
from realmtable.server.tables import lobby, seeds
from realmtable.server.tables.live import board_pictures, live_table, table_service
from realmtable.server.tables.replays import image_tasks, shared_images
from tests.server.support.live_server import Person, StreamTap, make_app, make_settings, open_tap

SEED = "5eed" * 8
TABLE = "TheOnlyTable"
NOW = 1_800_000_000.0
PASSWORD = "correct horse battery"  # noqa: S105 - a test's
VARYING_HEADERS = (
    "x-request-id",
    "set-cookie",
    "content-length",
)  # random, checked separately, and due to the time in a scene
# Where a table, its players or its moves can appear; {…} are filled in. All other routes are in the next two lists.
READ_PATHS = (
    "/api/tables/{table}",
    "/api/tables/{table}?pictures=true",
    "/api/tables/{table}/lines",
    "/api/tables/{table}/lines?before={step}&mine=true",
    "/api/tables/{table}/fairness",
    "/api/tables/{table}/analysis",
    "/api/tables/{table}/record",
    "/api/tables/{table}/preview?move={move}",
    "/api/tables/{table}/layers/{key}.svg",
    "/api/tables/{table}/why?handle={handle}",
    "/api/tables/{table}/notes?handle={handle}",
    "/api/tables/{table}/premoves",
    "/api/tables/{table}/moments/{step}",
    "/api/tables/{table}/moments/{step}.svg",
    "/api/tables/{table}/moments/{step}.png",
    "/api/tables?status=running",
    "/api/tables/mine",
    "/api/players/{player}",
    "/tables/{table}",
    "/tables/{table}/replay",
    "/lobby/lists",
    "/watch/list?in_view={table}",
    "/watch/{table}/{key}.svg",
)
# Paths that show little, or the same as others; they are read once, at the end of a game.
RARE_PATHS = (
    "/api/tables",
    "/api/tables/{table}/replay.gif",
    "/api/tables?status=over",
    "/api/ratings/{game}",
    "/api/me",
    "/api/me/tokens",
    "/api/me/mutes",
    "/api/players/{player}/statistics",
    "/api/me/preferences",
    "/api/me/waiting",
    "/players/{player}",
    "/watch",
    "/ratings/{game}",
    "/account",
    "/my-games",
    "/settings",
    "/",
    "/healthz",
)
# Nothing about a table can appear here: facts of games, files, uploaded records. Streams are read separately.
OTHER_PATHS = {
    "/analyse",
    "/analyse/{game}",
    "/api",
    "/api/openapi.json",
    "/battle",
    "/battle/{game}",
    "/score",
    "/score/{game}",
    "/score/{game}/sheet",
    "/api/games",
    "/api/games/{game}",
    "/api/lobby/events",
    "/api/me/notifications",
    "/api/puzzles/daily",
    "/api/puzzles/{game}",
    "/api/puzzles/{game}/{puzzle_id}",
    "/api/puzzles/{game}/{puzzle_id}/solution",
    "/api/puzzles/{game}/{puzzle_id}/solution/{step}",
    "/api/records/{record_id}",
    "/api/records/{record_id}/moments/{step}",
    "/api/records/{record_id}/moments/{step}.svg",
    "/api/records/{record_id}/moments/{step}.png",
    "/api/records/{record_id}/replay.gif",
    "/api/positions/{game}.png",
    "/api/records/{record_id}/analysis",
    "/api/records/{record_id}/record",
    "/api/tables/{table_id}/events",
    "/contact",
    "/favicon.ico",
    "/games/{game}.svg",
    "/metrics",
    "/openings",
    "/openings/{game}",
    "/openings/{game}/{name}.svg",
    "/play/{game}",
    "/privacy",
    "/robots.txt",
    "/sitemap.xml",
    "/terms",
    "/positions/{game}",
    "/puzzles",
    "/learn",
    "/learn/{game}",
    "/learn/{game}/{number}",
    "/puzzles/daily",
    "/puzzles/{game}/daily",
    "/puzzles/{game}",
    "/puzzles/{game}/{puzzle_id}",
    "/puzzles/{game}/{puzzle_id}.svg",
    "/ratings",
    "/records",
    "/records/{record_id}",
    "/rules",
    "/rules/{game}",
    "/rules/{game}/{number}.svg",
    "/rules/{game}/summary/{number}.svg",
    "/rules/{game}/cards",
    "/offline",
    "/service-worker.js",
    "/api/games/{game}/cards/{card}",
    "/games/{game}/presets/{preset}.svg",
    "/sign-in/{token}",
    "/static/{version}/{name:path}",
    "/tour",
}
# Actions that the sender may not take; the reasons must not tell anything.
FORBIDDEN_REQUESTS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("POST", "undo", {"version": 10**6}),
    ("POST", "undo", {"version": 1}),
    ("POST", "answers", {"accept": True}),
    ("POST", "seats", {"seat": 0}),
    ("DELETE", "seats", {}),
    ("POST", "hints", {}),
    ("POST", "analysis", {}),
)
SPECTATOR_REQUESTS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("POST", "offers", {"what": "takeback"}),
    ("POST", "resign", {}),
    ("POST", "rematch", {}),
)
STREAMS = ("events", "socket")


@dataclass(frozen=True)
class GameScript:
    """A game that is played as written: what chance draws, and what each seat plays."""

    draws: str  # a digit for the outcome of each draw; if empty, the seed decides
    plays: tuple[tuple[int, str], ...]  # seat and move in order
    game: str = "secret_cards"
    options: tuple[tuple[str, Any], ...] = ()


@dataclass
class Watcher:
    """A person who reads everything they can, and what they have received."""

    name: str
    person: Person
    received: list[tuple[str, int, tuple[tuple[str, str], ...], bytes]] = field(default_factory=list)

    async def read(self, method: str, path: str, body: Any = None) -> httpx.Response:
        answer = await self.person.send(method, path, body)
        assert not answer.is_server_error, (path, answer.text)
        kept = tuple((key, value) for key, value in answer.headers.items() if key not in VARYING_HEADERS)
        self.received.append((f"{method} {path} {body or ''}", answer.status_code, kept, answer.content))
        return answer

    async def read_all(self, paths: tuple[str, ...], values: dict[str, list[Any]]) -> None:
        for path in paths:
            for filled in _fill_path(path, values):
                await self.read("GET", filled)

    async def try_forbidden(self, table: str, tries: Collection[str] | None = None) -> None:
        """Try all forbidden actions, or only those in `tries`, and keep the refusals."""
        spectating = self.name in ("spectator", "nobody")
        for method, what, body in (*FORBIDDEN_REQUESTS, *(SPECTATOR_REQUESTS if spectating else ())):
            if tries is not None and what not in tries:
                continue
            answer = await self.read(method, f"/api/tables/{table}/{what}", body)
            assert answer.is_client_error or (what, spectating) == ("seats", False), (what, answer.text)

    async def try_moves(self, table: str, version: int, texts: list[str]) -> None:
        for text in texts:
            answer = await self.read("POST", f"/api/tables/{table}/moves", {"version": version, "move": text})
            assert answer.is_client_error, (text, answer.text)


def _fill_path(path: str, values: dict[str, list[Any]]) -> Iterator[str]:
    names_in = [name for name in values if name in path]
    for chosen in itertools.product(*(values[name] for name in names_in)):
        filled = path
        for name, value in zip(names_in, chosen, strict=True):
            filled = filled.replace(name, str(value))
        yield filled


@dataclass
class WatchedGame:
    """A scripted game that everyone watches. Everything else that is random, such as ids, is the same in every run."""

    services: Services
    app: FastAPI
    script: GameScript
    players: list[Person]
    watchers: dict[str, Watcher]
    table: str = ""
    streams: dict[str, list[StreamTap]] = field(default_factory=dict)

    async def open_table(self) -> None:
        seats = ["me", *["open"] * (len(self.players) - 1)]
        options = dict(self.script.options)
        wish = {"game": self.script.game, "seats": seats, "options": options, "listed": True}
        self.table = (await self.players[0].post("/api/tables", wish))["table"]

    async def seat_players(self) -> None:
        for person in self.players[1:]:
            await person.post(f"/api/tables/{self.table}/seats")

    async def scene(self, seat: int = 0) -> dict[str, Any]:
        scene: dict[str, Any] = await self.players[seat].get(f"/api/tables/{self.table}")
        return scene

    async def play(self, seat: int, move: str, known_to: Collection[str] | None = None) -> dict[str, Any]:
        """Take a step, and wait until all streams, or those of the watchers named, have shown it."""
        await self.players[seat].play(self.table, move)
        for name, taps in self.streams.items():
            if known_to is not None and name not in known_to:
                continue
            reached = (await self.watchers[name].person.get(f"/api/tables/{self.table}"))["version"]
            for tap in taps:
                await tap.wait(lambda tap=tap, reached=reached: reached in tap.scenes)  # type: ignore[misc]
        return await self.scene(seat)

    async def read_everything(self, paths: tuple[str, ...] = READ_PATHS, tries: Collection[str] | None = None) -> None:
        """Let every watcher read all paths and try all forbidden actions."""
        scene = await self.scene()
        values: dict[str, list[Any]] = {
            "{player}": [scene["seats"][0]["player"]["id"]],
            "{move}": ["1"],
            "{handle}": ["1"] if self.script.game != "market_day" else ["A", "home", "pack:a", "sell:a", "sell:n"],
            "{table}": [self.table],
            "{game}": [self.script.game],
        }
        for watcher in self.watchers.values():
            own = await watcher.person.get(f"/api/tables/{self.table}?pictures=true")
            steps = [max(0, own["step"] - 1), own["step"]]
            keys = ["0" * 32, *(layer["key"] for layer in own["layers"])]
            await watcher.read_all(paths, values | {"{step}": steps, "{key}": keys})
            await watcher.try_forbidden(self.table, tries)

    def all_bytes(self) -> bytes:
        answers = [
            b"".join([kept.encode() for pair in headers for kept in pair]) + body
            for watcher in self.watchers.values()
            for _, _, headers, body in watcher.received
        ]
        return b"\n".join([*answers, *(tap.received for taps in self.streams.values() for tap in taps)])


@asynccontextmanager
async def play_watched(
    patch: pytest.MonkeyPatch, folder: Path, script: GameScript, seats: int = 2, opponent: int = 1
) -> AsyncIterator[WatchedGame]:
    """Run a server for a script; runs differ only in their scripts. The player on the seat `opponent` watches."""
    _make_deterministic(patch, script)
    app = make_app(make_settings(folder))
    async with app.router.lifespan_context(app), AsyncExitStack() as stack:
        services: Services = app.state.services
        services.table_service.now = services.accounts._now = lambda: NOW
        transport = httpx.ASGITransport(app)
        people = [
            Person(
                await stack.enter_async_context(httpx.AsyncClient(transport=transport, base_url="http://testserver"))
            )
            for _ in range(seats + 2)
        ]
        for person in people[: seats + 1]:
            await person.post("/api/me/tokens", {"label": "a robot"})  # makes each of them a guest
        await people[0].post("/api/me/claim", {"name": "Ann of Secrets", "password": PASSWORD})
        watchers = {"opponent": people[opponent], "spectator": people[seats], "nobody": people[seats + 1]}
        named = {name: Watcher(name, person) for name, person in watchers.items()}
        found = WatchedGame(services, app, script, people[:seats], named)
        await found.open_table()
        await found.seat_players()
        for name, watcher in named.items():
            paths = [f"/api/tables/{found.table}/{stream}" for stream in STREAMS]
            found.streams[name] = [
                await stack.enter_async_context(
                    open_tap(app, path, watcher.person.cookie_header if name != "nobody" else {})
                )
                for path in paths
            ]
        yield found
        await found.read_everything(RARE_PATHS, tries=() if script.draws == "" else None)


def _write_image(picture: str, caption: Caption, *_: object) -> bytes:
    return f"{picture}{caption}".encode()


def _make_deterministic(patch: pytest.MonkeyPatch, script: GameScript) -> None:
    """Fix ids, names, the seed and the time, and let chance draw what the script says."""
    counts: dict[object, Iterator[int]] = defaultdict(lambda: itertools.count(1))
    patch.setattr(secrets, "token_hex", lambda size: f"{next(counts[size]):0{2 * size}x}")
    patch.setattr(secrets, "token_urlsafe", lambda size: f"{next(counts[-size]):0{size}}-secret")
    certain = SimpleNamespace(token_urlsafe=lambda _: TABLE)
    patch.setattr(table_service, "secrets", certain)
    patch.setattr(seeds, "draw_seed", lambda: SEED)
    patch.setattr(board_pictures, "REDRAW_S", 0.0)
    patch.setattr(lobby, "LIVE_CACHE_S", 0.0)
    patch.setattr(live_table, "SHOW_SPECTATORS_AFTER_S", 3600.0)
    patch.setattr(display_names, "random_name", lambda: f"Heron {next(counts['name'])}")
    patch.setattr(templates, "time", SimpleNamespace(time=lambda: NOW + 9, strftime=lambda *_: "", gmtime=lambda _: 0))

    # Images as text: this is faster, and everything in them can be searched.
    patch.setattr(shared_images, "render_captioned", _write_image)
    patch.setattr(image_tasks, "render_captioned", _write_image)
    patch.setattr(shared_images, "join_frames", b"".join)

    if not script.draws:
        return  # chance draws from the seed, which is the same too

    def draw_from_script(_: str, index: int, weights: list[int]) -> int:
        assert len(weights) == 6, "every draw of a script has six outcomes"
        return int(script.draws[index]) - 1

    patch.setattr(chance, "draw", draw_from_script)
