"""Floods of requests from one address, and how they delay a bystander who plays quietly on the same server."""

from __future__ import annotations

import asyncio
import itertools
import multiprocessing
import re
import statistics
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, Final, NamedTuple

import orjson
from fastapi.routing import APIRoute

from bench.attacks.guests import ATTACKER, BYSTANDER, Guest, host_and_port
from bench.server.http_client import ConnectionPool, RequestFailed, format_request
from bench.server.usage import read_usage
from realmtable.analysis.puzzles import load_puzzles
from realmtable.server.app import create_app
from realmtable.server.request_bounds import bounds_of, list_routes
from realmtable.server.site import static_files
from realmtable.server.site.api_reference import group_operations
from realmtable.server.tables.scenes.changes import list_choices_in

MIB: Final = 1 << 20
PAUSE_S: Final = 0.1  # between the bystander's requests: a quick player
QUIET_S: Final = 5.0  # how long the bystander plays before the flood
SETTLE_S: Final = 3.0  # how long the server may take afterwards to free memory
JSON: Final = {"content-type": "application/json"}


Attack = Callable[[str, float], Coroutine[Any, Any, Counter[int]]]  # of a server at a URL, for some seconds


class Flood(NamedTuple):
    """Requests that some connections of one attacker repeat in turn, each as soon as the last one is answered."""

    requests: Sequence[bytes]
    connections: int


class Impact(NamedTuple):
    """What a flood did to the bystander and to the server's memory."""

    quiet_ms: float  # medians
    busy_ms: float
    worst_ms: float
    grew_mib: float
    statuses: Counter[int]

    @property
    def ratio(self) -> float:
        """How many times as long the bystander waits."""
        return self.busy_ms / self.quiet_ms


class Bystander:
    """A guest who plays against themselves: a look at the board, a move, and so on."""

    def __init__(self, url: str) -> None:
        self._guest = Guest.at(url, BYSTANDER)
        self._path = ""

    async def start(self) -> None:
        """Open a table."""
        opened = await self._guest.request_json("POST", "/api/tables", {"game": "realm", "seats": ["me", "me"]})
        self._path = f"/api/tables/{opened['table']}"

    async def play(self, seconds: float) -> list[float]:
        """Play for some seconds; return how long each answer took, in milliseconds."""
        until, delays = time.perf_counter() + seconds, list[float]()
        while time.perf_counter() < until:
            scene = await self._time(delays, "GET", self._path)
            if not scene["choices"]:
                await self.start()
                continue
            move = list_choices_in(scene["choices"])[0]["move"]
            await self._time(delays, "POST", f"{self._path}/moves", {"version": scene["version"], "move": move})
        return delays

    async def _time(self, delays: list[float], method: str, path: str, body: Any = None) -> Any:  # noqa: ANN401 - plain data
        start = time.perf_counter()
        answer = await self._guest.request_json(method, path, body)
        delays.append(1000 * (time.perf_counter() - start))
        await asyncio.sleep(PAUSE_S)
        return answer


async def measure(url: str, pid: int, flood: Flood, seconds: float) -> Impact:
    """Run a flood beside a bystander."""
    return await measure_beside(url, pid, partial(_send_flood, flood=flood), seconds)


async def measure_beside(url: str, pid: int, attack: Attack, seconds: float) -> Impact:
    """Run an attack beside a bystander."""
    bystander = Bystander(url)
    await bystander.start()
    await bystander.play(1)
    quiet = await bystander.play(QUIET_S)
    before = resident_mib(pid)
    busy, statuses = await attack_beside(url, bystander, attack, seconds)
    await asyncio.sleep(SETTLE_S)
    return Impact(statistics.median(quiet), statistics.median(busy), max(busy), resident_mib(pid) - before, statuses)


async def attack_beside(
    url: str, bystander: Bystander, attack: Attack, seconds: float
) -> tuple[list[float], Counter[int]]:
    """Return the bystander's delays during an attack, and how its requests were answered."""
    with running_attack(url, attack, seconds) as results:
        delays = await bystander.play(seconds)
        statuses: Counter[int] = await asyncio.to_thread(results.recv)
    return delays, statuses


@contextmanager
def running_attack(url: str, attack: Attack, seconds: float) -> Iterator[Connection]:
    """Attack the server from another process, so that the bystander's own waits stay true."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_attack_in_process, args=(url, attack, seconds, sender), daemon=True)
    process.start()
    try:
        yield receiver
    finally:
        process.join(seconds + 60)
        process.kill()


def _attack_in_process(url: str, attack: Attack, seconds: float, results: Connection) -> None:
    results.send(asyncio.run(attack(url, seconds)))


async def _send_flood(url: str, seconds: float, flood: Flood) -> Counter[int]:
    host, port = host_and_port(url)
    statuses: Counter[int] = Counter()
    until = time.perf_counter() + seconds

    async def repeat(start: int) -> None:
        pool = ConnectionPool(host, port)
        for request in itertools.islice(itertools.cycle(flood.requests), start, None):
            if time.perf_counter() >= until:
                break
            try:
                async with asyncio.timeout(30):
                    statuses[(await pool.send_encoded(request)).status] += 1
            except (RequestFailed, TimeoutError):
                statuses[0] += 1
                await asyncio.sleep(0.01)
        pool.close()

    await asyncio.gather(*(repeat(number) for number in range(flood.connections)))
    return statuses


def format_statuses(statuses: Counter[int]) -> str:
    """Describe how a flood was answered; 0 stands for no answer."""
    return ", ".join(f"{count:,} × {status or 'no answer'}" for status, count in sorted(statuses.items()))


def resident_mib(pid: int) -> float:
    """Return the memory of a process."""
    used = read_usage(pid)
    if used is None:
        raise RequestFailed("this system does not report the memory of a process")
    return used.memory / MIB


def encode(method: str, path: str, body: Any = b"", *, address: str = ATTACKER, **headers: str) -> bytes:  # noqa: ANN401 - plain data
    """Encode a request of a stranger; a body that is not bytes is sent as JSON."""
    data = body if isinstance(body, bytes) else orjson.dumps(body)
    named = {"host": "127.0.0.1", "x-forwarded-for": address, **(JSON if data else {}), **headers}
    return format_request(method, path, named, data)


async def sign_in_guest(url: str, address: str = ATTACKER) -> dict[str, str]:
    """Return the headers of a new guest."""
    guest = Guest.at(url, address)
    await guest.request_json("POST", "/api/me", {})
    return guest.headers()


def encode_all(requests: Iterable[tuple[str, str, Any]], headers: dict[str, str]) -> list[bytes]:
    """Encode requests of a guest."""
    return [
        format_request(method, path, {"host": "127.0.0.1", **JSON, **headers}, orjson.dumps(body))
        for method, path, body in requests
    ]


# ---- the floods

LARGE: Final = 1_990_000
PAGES: Final = (
    "/api",
    "/openings/realm",
    "/learn/magic_realm",
    "/rules/magic_realm",
    "/rules/magic_realm/cards",
    "/rules/fantasy_realms/cards",
    "/play/magic_realm",
    "/",
    "/puzzles",
    "/ratings/realm",
)


async def broken_json(_: str) -> Flood:
    """Send two megabytes of opening brackets."""
    return Flood([encode("POST", "/api/records", b"[" * LARGE)], 4)


async def many_keys(_: str) -> Flood:
    """Send two megabytes of unknown fields."""
    body = b"{" + b",".join(b'"k%d":1' % number for number in range(LARGE // 12)) + b"}"
    return Flood([encode("POST", path, body) for path in ("/api/records", "/api/tables", "/api/games/realm/checks")], 4)


async def unknown_pages(_: str) -> Flood:
    """Load pages that do not exist, as a browser does."""
    return Flood([encode("GET", f"/nope/{number}", accept="text/html") for number in range(100)], 8)


async def escapes(_: str) -> Flood:
    """Send two megabytes of escaped line ends, also from another site."""
    body = b'{"text": "' + rb"\n" * (LARGE // 2) + b'"}'
    words = b'{"text": "' + rb"\ud83e\udd89" * (LARGE // 12) + b'"}'
    foreign = {"origin": "https://elsewhere.example"}
    return Flood([encode("POST", "/api/records", each, **more) for each in (body, words) for more in ({}, foreign)], 4)


async def large_bodies(url: str) -> Flood:
    """Send the largest valid bodies, as a guest."""
    headers = await sign_in_guest(url)
    text = "Game: realm\n\n" + " ".join(f"{number}. Bh11" for number in range(1, 90_000))
    record = {"game": "realm", "seats": ["me", "me"], "record": text[:999_000]}
    line = {"game": "realm", "moves": ["Bh11"] * 300, "position": "x" * 19_000}
    return Flood(
        encode_all(
            [
                ("POST", "/api/records", {"text": text[:999_000]}),
                ("POST", "/api/tables", record),
                ("POST", "/api/explore", line),
            ],
            headers,
        ),
        4,
    )


async def pages(_: str) -> Flood:
    """Load the largest pages."""
    return Flood([encode("GET", path, **{"accept-encoding": "gzip", "accept": "text/html"}) for path in PAGES], 8)


async def misspelt_cards(_: str) -> Flood:
    """Score hands with misspelt cards."""
    hand = {"game": "fantasy_realms", "hand": ["Kinng", "Queeen", "Knigts", "Rangrs", "Cndle", "Bel Tower", "Frest"]}
    page = "/score/fantasy_realms?hand=Kinng,Queeen,Knigts,Rangrs,Cndle,Bel%20Tower,Frest"
    return Flood([encode("POST", "/api/score", hand), encode("GET", page)], 8)


async def chat(url: str) -> Flood:
    """Send chat messages at a table, by two guests."""
    first, second = Guest.at(url, ATTACKER), Guest.at(url, ATTACKER)
    table = (await first.request_json("POST", "/api/tables", {"game": "realm", "seats": ["me", "open"]}))["table"]
    await second.request_json("POST", f"/api/tables/{table}/seats", {})
    words = ("POST", f"/api/tables/{table}/chat", {"text": "hello " * 30})
    return Flood([encode_all([words], guest.headers())[0] for guest in (first, second)], 8)


async def guests(_: str) -> Flood:
    """Become one guest after another."""
    return Flood([encode("POST", "/api/me", {})], 8)


async def bot_tables(url: str) -> Flood:
    """Open tables where bots play each other."""
    opened = {"game": "realm", "seats": ["bot:level3", "bot:level3"]}
    return Flood(encode_all([("POST", "/api/tables", opened)], await sign_in_guest(url)), 4)


async def wide_network(_: str) -> Flood:
    """Load pages and become guests from many networks of one IPv6 site."""
    addresses = [f"2001:db8:7:{number:x}::1" for number in range(70)]
    kinds = [("GET", "/rules/magic_realm", b""), ("POST", "/api/me", {})]
    return Flood([encode(*kind, address=address) for address in addresses for kind in kinds], 8)


FLOODS: Final[dict[str, Callable[[str], Awaitable[Flood]]]] = {
    "broken JSON": broken_json,
    "escapes": escapes,
    "many keys": many_keys,
    "unknown pages": unknown_pages,
    "large valid bodies": large_bodies,
    "expensive pages": pages,
    "misspelt cards": misspelt_cards,
    "chat": chat,
    "guests": guests,
    "bot tables": bot_tables,
    "networks of one IPv6 site": wide_network,
}


# ---- every route


class RouteImpact(NamedTuple):
    """How a flood of one route delays the bystander."""

    route: str
    ratio: float
    statuses: Counter[int]


DOUBT: Final = 2.0  # a higher ratio is measured again, right after a new quiet time


async def flood_routes(url: str, pid: int, seconds: float) -> tuple[list[RouteImpact], float]:
    """Flood each route with its largest body; return the impacts, the worst first, and how much memory grew (MiB)."""
    bystander = Bystander(url)
    await bystander.start()
    await bystander.play(1)
    quiet, before, impacts = statistics.median(await bystander.play(QUIET_S)), resident_mib(pid), list[RouteImpact]()
    app = create_app()
    examples = {
        (operation.method, operation.path): operation.bodies
        for group in group_operations(app.openapi())
        for operation in group.operations
    }
    for number, route in enumerate(list_routes(app)):
        if route.path.endswith("/events"):  # they do not end; `streams` holds them
            continue
        method = min(route.methods or ())
        flood = await _flood_of_route(url, f"203.0.113.{number}", route, method, examples.get((method, route.path), ()))
        attack = partial(attack_beside, url, bystander, partial(_send_flood, flood=flood), seconds)
        delays, statuses = await attack()
        if statistics.median(delays) > DOUBT * quiet:  # or the machine has become slower since it was quiet
            quiet = statistics.median(await bystander.play(QUIET_S))
            delays, statuses = await attack()
        impacts.append(RouteImpact(f"{method} {route.path}", statistics.median(delays) / quiet, statuses))
    await asyncio.sleep(SETTLE_S)
    return sorted(impacts, key=lambda impact: -impact.ratio), resident_mib(pid) - before


async def _flood_of_route(url: str, address: str, route: APIRoute, method: str, bodies: Sequence[str]) -> Flood:
    """Return requests of a new guest that fill the body of a route, with the examples of its documentation."""
    guest = Guest.at(url, address)
    me = (await guest.request_json("POST", "/api/me", {}))["id"]
    game = next((game for part, game in GAMES_BY_PATH.items() if part in route.path), "realm")
    values = {**PATH_VALUES, "game": game, "player_id": me, "puzzle_id": next(iter(load_puzzles("realm")))}
    if "{table_id}" in route.path:
        opened = await guest.request_json("POST", "/api/tables", {"game": "realm", "seats": ["me", "me"]})
        values["table_id"] = opened["table"]
    if "{record_id}" in route.path:
        record = {"text": "Game: realm\n\n1. Bh11"}
        values["record_id"] = (await guest.request_json("POST", "/api/records", record))["record"]
    path = re.sub(r"\{(\w+)(?::path)?\}", lambda found: values[found[1]], route.path)
    size = bounds_of(route).body
    filled = [body.encode().ljust(size) for body in bodies] or [b"" if method == "GET" else b"{}".ljust(size)]
    return Flood([format_request(method, path, {"host": "127.0.0.1", **guest.headers()}, body) for body in filled], 4)


PATH_VALUES: Final = {
    "card": "King",
    "key": "0" * 32,
    "name": "app.js",
    "number": "1",
    "preset": "standard",
    "step": "0",
    "token": "a" * 43,
    "token_id": "1",
    "version": static_files.digest(),
}
GAMES_BY_PATH: Final = {
    "/rules": "magic_realm",
    "/learn": "magic_realm",
    "/play": "magic_realm",
    "/lessons": "magic_realm",
    "/battle": "magic_realm",
    "/score": "fantasy_realms",
    "/cards": "fantasy_realms",
}
