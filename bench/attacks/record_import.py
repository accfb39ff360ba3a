"""Attacks with records, positions and lines that are costly to replay, sent while another user opens tables."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any, Final, NamedTuple

import orjson

from bench.server.http_client import ConnectionPool, RequestFailed, Response
from bench.server.process import HOST
from bench.server.session import Session
from realmtable.engine import registry

DURATION_S: Final = 12.0  # of attacks that repeat their requests
TIMEOUT_S: Final = 200.0  # for any response
PAUSE_S: Final = 0.05
BOUND_MS: Final = 500.0  # the longest acceptable delay for others, on an otherwise idle machine
RECORD_CHARACTERS: Final = 1_000_000

Attack = Callable[[int], Awaitable[str]]


class Impact(NamedTuple):
    """An attack's effect on others: milliseconds for a cheap request and for opening a table."""

    answered: str  # the responses to the attacker
    worst_ms: float
    open_table_ms: float  # the worst


# ---- the attacks; each takes the port of a server and returns the responses it got


async def send_nested_variations(port: int) -> str:
    """Send one record of maximal size with variations nested to the allowed depth."""
    nest = "[Bb5 " * 38 + "]" * 38 + " "
    text = "Game: realm\n\n1. Bh11 " + nest * (RECORD_CHARACTERS // len(nest) - 1)
    return _count_statuses([await _send(port, "/api/records", {"text": text})])


async def send_empty_variations(port: int) -> str:
    """Send one record of empty variations; each used to be written out with its position."""
    text = "Game: realm\n\n1. Bh11 " + "[] " * (RECORD_CHARACTERS // 3 - 20)
    return _count_statuses([await _send(port, "/api/records", {"text": text})])


async def send_joined_words(port: int) -> str:
    """Send eight records at once, each a single turn of words joined by commas."""
    text = "Game: realm\n\n1. " + "x, " * (RECORD_CHARACTERS // 3 - 20)
    return _count_statuses(await asyncio.gather(*(_send(port, "/api/records", {"text": text}) for _ in range(8))))


async def send_long_records(port: int) -> str:
    """Send eight records at once with as many legal steps as allowed."""
    text = "Game: realm\n\n1. Bh11 " + "[Bb5] " * 4_900
    return _count_statuses(await asyncio.gather(*(_send(port, "/api/records", {"text": text}) for _ in range(8))))


async def view_long_records(port: int) -> str:
    """Store a long record and view it eight times at once."""
    text = "Game: realm\n\n1. Bh11 " + "[Bb5] " * 4_900
    stored = await _send(port, "/api/records", {"text": text})
    if stored is None or "record" not in (body := orjson.loads(stored.body)):
        return _count_statuses([stored])
    path = f"/api/records/{body['record']}"
    return _count_statuses(await asyncio.gather(*(_send(port, path, None) for _ in range(8))))


async def explore_long_lines(port: int) -> str:
    """Explore lines of 400 steps as often as the limits allow."""
    body = {"game": "realm", "moves": _random_moves("realm", 400)}
    return _count_statuses(await _repeat(port, "/api/explore", body, 8))


async def explore_crowded_positions(port: int) -> str:
    """Explore a position with hundreds of choices as often as the limits allow."""
    return _count_statuses(
        await _repeat(port, "/api/explore", {"game": "modern_realm", "position": _CROWDED_POSITION}, 8)
    )


async def open_tables_from_long_records(port: int) -> str:
    """Open tables from the end of long records."""
    text = "Game: realm\n\n1. Bh11 " + "[Bb5] " * 4_900
    body = {"game": "realm", "seats": ["me", "open"], "record": text}
    return _count_statuses(await asyncio.gather(*(_send(port, "/api/tables", body) for _ in range(8))))


ATTACKS: Final[Mapping[str, Attack]] = {
    "one_record_of_nested_variations": send_nested_variations,
    "one_record_of_empty_variations": send_empty_variations,
    "eight_records_of_joined_words": send_joined_words,
    "eight_long_records": send_long_records,
    "long_records_viewed": view_long_records,
    "tables_from_long_records": open_tables_from_long_records,
    "long_lines_explored": explore_long_lines,
    "crowded_positions_explored": explore_crowded_positions,
}
_CROWDED_POSITION: Final = (
    "W:Ab2,Ae2,Ch2,Ak2,Ab5,Ae5,Ah5,Ak5 B:Ae8,Ah8,Af10,Cd11,Ag11,Ai12,Aj12 move=W"  # found by a search for many choices
)


@cache
def _random_moves(game_id: str, count: int) -> list[str]:
    """Return a legal line of `count` steps from the initial position."""
    game, rng = registry.game(game_id), Random(3)
    while True:
        state = game.initial()
        texts: list[str] = []
        while len(texts) < count and (acting := game.to_move(state)):
            move = rng.choice(game.legal_moves(state, acting[0]))
            texts.append(game.format_move(state, move))
            state = game.play(state, acting[0], move)
        if len(texts) == count:
            return texts


async def _send(port: int, path: str, body: dict[str, Any] | None) -> Response | None:
    """Send a POST, or a GET without a body, as a new visitor; return None if no response came in time."""
    pool = ConnectionPool(HOST, port)
    try:
        async with asyncio.timeout(TIMEOUT_S):
            if body is None:
                return await pool.send("GET", path, Session(pool).headers())
            return await pool.send("POST", path, Session(pool).headers(), orjson.dumps(body))
    except (TimeoutError, RequestFailed):
        return None
    finally:
        pool.close()


async def _repeat(port: int, path: str, body: dict[str, Any], count: int) -> list[Response | None]:
    """Have `count` visitors repeat a request for `DURATION_S`, and return all responses."""
    until = time.monotonic() + DURATION_S

    async def ask() -> list[Response | None]:
        answers = []
        while time.monotonic() < until:
            answers.append(await _send(port, path, body))
        return answers

    return [answer for answers in await asyncio.gather(*(ask() for _ in range(count))) for answer in answers]


def _count_statuses(answers: list[Response | None]) -> str:
    statuses = [0 if answer is None else answer.status for answer in answers]
    return ", ".join(f"{statuses.count(status)} × {status or 'no answer'}" for status in sorted(set(statuses)))


# ---- the effect on others


async def _time_ms(work: Awaitable[Response]) -> float:
    start = time.perf_counter()
    with suppress(TimeoutError, RequestFailed):
        async with asyncio.timeout(TIMEOUT_S):
            await work
    return 1000 * (time.perf_counter() - start)


async def measure(port: int, name: str) -> Impact:
    """Run one of the attacks on a server while a bystander sends cheap requests and opens tables."""
    bystander = Session(ConnectionPool(HOST, port))
    table = orjson.loads((await bystander.post("/api/tables", {"game": "realm", "seats": ["me", "me"]})).body)["table"]
    path = f"/api/tables/{table}"

    attacking = asyncio.create_task(_run(ATTACKS[name], port))
    cheap, opened, begun = [], [0.0], time.monotonic()
    opening = {"game": "realm", "seats": ["me", "me"]}
    while not attacking.done() or time.monotonic() - begun < 1:
        await asyncio.sleep(PAUSE_S)
        cheap.append(await _time_ms(bystander.pool.send("GET", path, bystander.headers())))
        if len(cheap) % 20 == 1:
            opened.append(await _time_ms(bystander.post("/api/tables", opening)))
    bystander.pool.close()
    return Impact(attacking.result(), max(cheap), max(opened))


async def _run(attack: Attack, port: int) -> str:
    return await attack(port)
