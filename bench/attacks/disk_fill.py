"""An attack by guests who store as many long records as they can: how much one address stores before it is refused."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from functools import cache
from typing import Final
from urllib.parse import urlsplit

import orjson

from bench.server.http_client import ConnectionPool, RequestFailed, Response
from bench.server.process import HOST
from bench.server.session import Session
from realmtable.engine import registry
from realmtable.engine.match import Match
from realmtable.engine.record import Record, load_record

MIB: Final = 1024 * 1024
GUESTS: Final = 4
RECORD_CHARACTERS: Final = 990_000
DURATION_S: Final = 30.0
BOUND_MIB: Final = 40.0  # the default daily limit of an address, plus the database's overhead


async def fill_disk(url: str, guests: int = GUESTS, lasts_s: float = DURATION_S) -> dict[str, float]:
    """Store long records as several guests at once, until all are refused or time is up."""
    until = time.monotonic() + lasts_s
    start = time.perf_counter()
    counts = await asyncio.gather(*(_store_records(url, until) for _ in range(guests)))
    total = sum(counts, Counter[str]())
    return {
        "guests": guests,
        "kept": total["kept"],
        "refused": total["refused"],
        "stored_mib": total["kept"] * RECORD_CHARACTERS / MIB,
        "seconds": time.perf_counter() - start,
    }


async def _store_records(url: str, until: float) -> Counter[str]:
    """Store records as one guest until the first refusal."""
    session, counts = Session(connect_to(url)), Counter[str]()
    body = orjson.dumps({"text": long_record()})
    while time.monotonic() < until:
        answer = await _send(session, "/api/records", body)
        counts["kept" if answer.status == 201 else "refused"] += 1
        if answer.status != 201:
            break
    session.pool.close()
    return counts


async def _send(session: Session, path: str, body: bytes) -> Response:
    answer = await session.pool.send("POST", path, session.headers(), body)
    session.store_session(answer)
    return answer


@cache
def long_record() -> str:
    """Return a short game with a comment that makes it about as long as records may be."""
    game = registry.game("classic_realm")
    match = Match.start(game)
    match = match.play(0, game.legal_moves(match.state, 0)[0])
    text = Record.from_match(match, {}).text()
    comment = "{" + "x" * (RECORD_CHARACTERS - len(text) - 3) + "}\n"
    load_record(text + comment, registry.game)  # otherwise a mistake here would look like a refusal
    return text + comment


def connect_to(url: str) -> ConnectionPool:
    """Return connections to a server on this machine."""
    parts = urlsplit(url)
    if parts.hostname not in (HOST, "localhost"):
        raise RequestFailed("attacks are limited to servers on this machine")
    return ConnectionPool(parts.hostname, parts.port or 80)
