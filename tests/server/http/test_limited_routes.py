"""Routes with limits of their own, besides the budgets that all share: each limit is counted and answers 429."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any, Final

import httpx
import pytest

from realmtable.analysis.puzzles import load_puzzles
from realmtable.server.accounts.rate_limits import DEFAULTS, OF_ONE_PROCESS, STORED, Limits
from realmtable.server.errors import RateLimited
from realmtable.server.services import Services
from realmtable.server.tables.replays.shared_images import SharedImages
from tests.seeds import mark_long
from tests.server.support.live_server import Person

pytestmark = pytest.mark.anyio

MOVE: Final = {"move"}
WORK: Final = {"steps", "address_steps"}
LOOK: Final = WORK
PICTURE: Final = {"picture", "address_picture", *LOOK}
ANIMATION: Final = {"animation", "address_animation", *LOOK}
TABLE: Final = "/api/tables/{table_id}"
OVER: Final = "/api/tables/{over_id}"
RECORD: Final = "/api/records/{record_id}"
PUZZLE: Final = "/api/puzzles/realm/{puzzle_id}"


@dataclass(frozen=True)
class RouteRequest:
    """A request that reaches every limit of a route."""

    limits: set[str]
    path: str
    body: Any = field(default_factory=dict)
    new: bool = False  # from somebody who is nobody yet


# What a request to each limited route counts as.
LIMITED: Final[dict[str, RouteRequest]] = {
    "POST /api/tables": RouteRequest(
        {"guest", "table", *WORK},
        "/api/tables",
        {"game": "realm", "seats": ["me", "me"], "record": "Game: realm\n\n1. Bh11"},
        new=True,
    ),
    "GET /api/tables/{table_id}/events": RouteRequest({"stream"}, f"{TABLE}/events"),
    "POST /api/tables/{table_id}/seats": RouteRequest(MOVE, f"{TABLE}/seats"),
    "DELETE /api/tables/{table_id}/seats": RouteRequest(MOVE, f"{TABLE}/seats"),
    "POST /api/tables/{table_id}/moves": RouteRequest(MOVE, f"{TABLE}/moves", {"version": 4, "move": "Bh11"}),
    "POST /api/tables/{table_id}/undo": RouteRequest(MOVE, f"{TABLE}/undo", {"version": 4}),
    "GET /api/tables/{table_id}/preview": RouteRequest(LOOK, f"{TABLE}/preview?move=Bh11"),
    "GET /api/tables/{table_id}/notes": RouteRequest(LOOK, f"{TABLE}/notes?handle=a1"),
    "GET /api/tables/{table_id}/why": RouteRequest(LOOK, f"{TABLE}/why?handle=a1"),
    "POST /api/tables/{table_id}/offers": RouteRequest(MOVE, f"{TABLE}/offers", {"what": "draw"}),
    "POST /api/tables/{table_id}/answers": RouteRequest(MOVE, f"{TABLE}/answers", {"accept": True}),
    "POST /api/tables/{table_id}/resign": RouteRequest(MOVE, f"{TABLE}/resign"),
    "POST /api/tables/{table_id}/abort": RouteRequest(MOVE, f"{TABLE}/abort"),
    "POST /api/tables/{table_id}/claims": RouteRequest(MOVE, f"{TABLE}/claims", {"what": "win"}),
    "POST /api/tables/{table_id}/chat": RouteRequest({"chat"}, f"{TABLE}/chat", {"text": "hello"}),
    "POST /api/tables/{table_id}/reports": RouteRequest({"report"}, f"{TABLE}/reports", {"version": 1}),
    "POST /api/me/mutes": RouteRequest({"mute"}, "/api/me/mutes", {"player": "nobody"}),
    "POST /api/tables/{table_id}/rematch": RouteRequest({"table"}, f"{OVER}/rematch"),
    "GET /api/tables/{table_id}/moments/{step}.svg": RouteRequest(LOOK, f"{TABLE}/moments/0.svg"),
    "GET /api/tables/{table_id}/moments/{step}": RouteRequest(LOOK, f"{TABLE}/moments/0"),
    "GET /api/tables/{table_id}/moments/{step}.png": RouteRequest(PICTURE, f"{TABLE}/moments/0.png"),
    "GET /api/tables/{table_id}/replay.gif": RouteRequest(ANIMATION, f"{OVER}/replay.gif"),
    "GET /api/tables/{table_id}/record": RouteRequest(LOOK, f"{TABLE}/record"),
    "GET /api/tables/{table_id}/fairness": RouteRequest(LOOK, f"{OVER}/fairness"),
    "GET /api/lobby/events": RouteRequest({"stream"}, "/api/lobby/events"),
    "POST /api/lessons/{game}/{step}": RouteRequest(WORK, "/api/lessons/realm/0", {}),
    "POST /api/games/{game}/checks": RouteRequest(WORK, "/api/games/realm/checks", {"seats": 2}),
    "POST /api/explore": RouteRequest(WORK, "/api/explore", {"game": "realm"}),
    "POST /api/explore/why": RouteRequest(WORK, "/api/explore/why", {"game": "realm", "handle": "a1"}),
    "POST /api/records": RouteRequest({"record", *WORK}, "/api/records", {"text": "Game: realm\n\n1. Bh11"}),
    "GET /api/records/{record_id}": RouteRequest(LOOK, RECORD),
    "GET /api/records/{record_id}/moments/{step}.svg": RouteRequest(LOOK, f"{RECORD}/moments/1.svg"),
    "GET /api/records/{record_id}/moments/{step}": RouteRequest(LOOK, f"{RECORD}/moments/1"),
    "GET /api/records/{record_id}/moments/{step}.png": RouteRequest(PICTURE, f"{RECORD}/moments/1.png"),
    "GET /api/records/{record_id}/replay.gif": RouteRequest(ANIMATION, f"{RECORD}/replay.gif"),
    "GET /api/positions/{game}.png": RouteRequest(PICTURE, "/api/positions/realm.png"),
    "POST /api/tables/{table_id}/analysis": RouteRequest({"analysis"}, f"{OVER}/analysis"),
    "POST /api/records/{record_id}/analysis": RouteRequest({"analysis", *WORK}, f"{RECORD}/analysis"),
    "POST /api/tables/{table_id}/hints": RouteRequest({"hint"}, f"{TABLE}/hints"),
    "POST /api/think": RouteRequest({"think"}, "/api/think", {"game": "realm"}),
    "POST /api/positions/edits": RouteRequest(WORK, "/api/positions/edits", {"game": "realm"}),
    "GET /api/puzzles/{game}/{puzzle_id}": RouteRequest(LOOK, PUZZLE),
    "POST /api/puzzles/{game}/{puzzle_id}/answers": RouteRequest(WORK, f"{PUZZLE}/answers"),
    "GET /api/puzzles/{game}/{puzzle_id}/solution": RouteRequest(LOOK, f"{PUZZLE}/solution"),
    "POST /api/me": RouteRequest({"guest"}, "/api/me", new=True),
    "POST /api/me/name": RouteRequest({"claim"}, "/api/me/name", {"name": "Ada"}),
    "POST /api/me/claim": RouteRequest({"claim"}, "/api/me/claim", {"name": "Ada", "password": "long enough to pass"}),
    "POST /api/session": RouteRequest(
        {"sign_in", "sign_in_name", "sign_in_here"}, "/api/session", {"name": "Ada", "password": "long enough to pass"}
    ),
    "POST /api/session/link": RouteRequest({"sign_in"}, "/api/session/link", {"token": "a" * 43}),
    "POST /api/me/link": RouteRequest({"token"}, "/api/me/link"),
    "POST /api/me/tokens": RouteRequest({"token"}, "/api/me/tokens", {"label": "my bot"}),
    "POST /api/me/notifications": RouteRequest(
        {"notify"},
        "/api/me/notifications",
        {"endpoint": "https://push.example.org/x", "keys": {"p256dh": "B" * 87, "auth": "A" * 22}},
    ),
    "GET /analyse/{game}": RouteRequest(LOOK, "/analyse/realm"),
    "GET /tables/{table_id}/replay": RouteRequest(LOOK, "/tables/{table_id}/replay"),
    "GET /records/{record_id}": RouteRequest(LOOK, "/records/{record_id}"),
    "GET /positions/{game}": RouteRequest(LOOK, "/positions/realm"),
    "GET /puzzles/{game}/{puzzle_id}.svg": RouteRequest(LOOK, "/puzzles/realm/{puzzle_id}.svg"),
    "GET /puzzles/{game}/{puzzle_id}": RouteRequest(LOOK, "/puzzles/realm/{puzzle_id}"),
    "GET /battle/{game}": RouteRequest({"think"}, "/battle/magic_realm?battle=Elf:Wolf"),
}


class RecordingLimits(Limits):
    """Notes what is counted, and refuses one kind."""

    def __init__(self, refused: str = "") -> None:
        super().__init__(factor=0)
        self.refused = refused
        self.seen: set[str] = set()

    async def check(self, kind: str, key: str, cost: int = 1) -> None:
        assert key
        assert cost >= 1
        await super().check(kind, key, cost)
        if kind in (STORED, *OF_ONE_PROCESS):  # of many routes: see test_request_bounds.py
            return
        self.seen.add(kind)
        if kind == self.refused:
            raise RateLimited("Too many requests; try again in a second.", 1)


@pytest.fixture
async def visitor(services: Services) -> AsyncIterator[Callable[[], Person]]:
    """Makes people who are nobody yet."""
    transport = httpx.ASGITransport(services.app)  # type: ignore[attr-defined]  # put there by the fixture
    clients: list[httpx.AsyncClient] = []

    def make() -> Person:
        clients.append(httpx.AsyncClient(transport=transport, base_url=services.settings.public_url))
        return Person(clients[-1])

    yield make
    for client in clients:
        await client.aclose()


async def make_ids(person: Person, path: str) -> dict[str, str]:
    """Create what a path names: a running table, one that is over, a record, or a puzzle; return the ids."""
    body = {"game": "realm", "seats": ["me", "me"]}
    known = {"table_id": (await person.post("/api/tables", body))["table"]}
    if "{over_id}" in path:
        over = known["over_id"] = (await person.post("/api/tables", body))["table"]
        scene = await person.get(f"/api/tables/{over}")
        await person.post(f"/api/tables/{over}/moves", {"version": scene["version"], "move": "Bh11"})
        await person.post(f"/api/tables/{over}/resign")
    if "{record_id}" in path:
        known["record_id"] = (await person.post("/api/records", {"text": "Game: realm\n\n1. Bh11"}))["record"]
    return {**known, "puzzle_id": next(iter(load_puzzles("realm")))}


async def send(services: Services, person: Person, known: dict[str, str], route: str, limits: RecordingLimits) -> int:
    """The status that a request to a route gets under these limits."""
    sent, method = LIMITED[route], route.partition(" ")[0]
    services.limits = services.replay_pool._limits = limits
    services.replay_cache.loaded_records.clear()  # so that it is read again
    services.shared_images = SharedImages(services.replay_pool, limits)
    body = None if method == "GET" else sent.body
    return (await person.send(method, sent.path.format(**known), body)).status_code


# Counted when something is sent, not by a request: tests/server/notifications/test_turn_notifier.py.
WHEN_SENT: Final = {"notified"}


def test_every_limit_has_a_route() -> None:
    assert set().union(*(sent.limits for sent in LIMITED.values())) == (
        DEFAULTS.keys() - {STORED} - WHEN_SENT - set(OF_ONE_PROCESS)
    )


STREAMS = {route for route in LIMITED if route.endswith("/events")}  # they do not end by themselves


LONG = {  # whose work takes more than half a second
    route
    for route in LIMITED
    if route.endswith((".png", ".gif", "/hints")) or route in {"GET /battle/{game}", "POST /api/think"}
}


@pytest.mark.parametrize("route", mark_long(sorted(LIMITED), *LONG))
async def test_a_route_counts_what_it_should_and_answers_429(
    services: Services, visitor: Callable[[], Person], route: str
) -> None:
    owner = visitor()
    known = await make_ids(owner, LIMITED[route].path)
    for kind in sorted(LIMITED[route].limits):
        person = visitor() if LIMITED[route].new else owner
        assert await send(services, person, known, route, RecordingLimits(kind)) == 429, kind
    if route not in STREAMS:
        limits = RecordingLimits()
        person = visitor() if LIMITED[route].new else owner
        assert await send(services, person, known, route, limits) != 429
        assert limits.seen == LIMITED[route].limits
