"""Records, positions and lines that are costly to play, sent while somebody else opens a table.

`python -m bench.attacks.record_import` starts a server of its own with the usual limits and prints a line for each
attack: what it is, what others felt, and the bound it must stay under.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import orjson

from bench.http_client import ConnectionPool, RequestFailed, Response
from bench.load_players import Session
from bench.server_process import HOST, run_server
from realmtable.engine import registry

DURATION_S: Final = 12.0  # of each attack, at least as long as its requests are sent
TIMEOUT_S: Final = 200.0  # for the slowest answer to somebody else
PAUSE_S: Final = 0.05
BOUND_MS: Final = 500.0  # what others may feel at worst, on a machine that does nothing else
RECORD_CHARACTERS: Final = 1_000_000  # characters

Attack = Callable[[int], Awaitable[str]]


class Impact(NamedTuple):
    """What an attack did to others: how long a cheap request and the opening of a table took, in milliseconds."""

    attack: str
    answered: str  # what the attacker got
    quiet_ms: float
    median_ms: float
    worst_ms: float
    open_table_ms: float  # the worst

    def describe(self) -> str:
        """A line for people."""
        worst = max(self.worst_ms, self.open_table_ms)
        judged = "held" if worst <= BOUND_MS else "EXCEEDED"
        return (
            f"{self.attack}: a cheap request took {self.quiet_ms:.0f} ms before, {self.median_ms:.0f} ms meanwhile"
            f" (worst {self.worst_ms:.0f}), opening a table {self.open_table_ms:.0f} ms at worst;"
            f" bound {BOUND_MS:.0f} ms {judged}; the attacker got {self.answered}"
        )


# ---- the attacks; each gets the port of a server and says what it was answered


async def one_record_of_nested_variations(port: int) -> str:
    """One record of the greatest size, variations in variations to the allowed depth."""
    nest = "[Bb5 " * 38 + "]" * 38 + " "
    text = "Game: realm\n\n1. Bh11 " + nest * (RECORD_CHARACTERS // len(nest) - 1)
    return _count_statuses([await _send(port, "/api/records", {"text": text})])


async def one_record_of_empty_variations(port: int) -> str:
    """One record of empty variations: each was written out with its position."""
    text = "Game: realm\n\n1. Bh11 " + "[] " * (RECORD_CHARACTERS // 3 - 20)
    return _count_statuses([await _send(port, "/api/records", {"text": text})])


async def eight_records_of_joined_words(port: int) -> str:
    """Eight records at once, each one turn of words joined by commas."""
    text = "Game: realm\n\n1. " + "x, " * (RECORD_CHARACTERS // 3 - 20)
    return _count_statuses(await asyncio.gather(*(_send(port, "/api/records", {"text": text}) for _ in range(8))))


async def eight_long_records(port: int) -> str:
    """Eight records at once with as many steps as are allowed, all legal."""
    text = "Game: realm\n\n1. Bh11 " + "[Bb5] " * 4_900
    return _count_statuses(await asyncio.gather(*(_send(port, "/api/records", {"text": text}) for _ in range(8))))


async def long_records_looked_at(port: int) -> str:
    """A long record, kept and then looked at by eight at once."""
    text = "Game: realm\n\n1. Bh11 " + "[Bb5] " * 4_900
    kept = await _send(port, "/api/records", {"text": text})
    if kept is None or "record" not in (body := orjson.loads(kept.body)):
        return _count_statuses([kept])
    path = f"/api/records/{body['record']}"
    return _count_statuses(await asyncio.gather(*(_send(port, path, None) for _ in range(8))))


async def long_lines_tried_out(port: int) -> str:
    """Lines of 400 steps, tried out as often as the limits let somebody."""
    body = {"game": "realm", "moves": _random_moves("realm", 400)}
    return _count_statuses(await _repeat(port, "/api/explore", body, 8))


async def crowded_positions_tried_out(port: int) -> str:
    """A position with hundreds of choices, tried out as often as the limits let somebody."""
    return _count_statuses(
        await _repeat(port, "/api/explore", {"game": "modern_realm", "position": _CROWDED_POSITION}, 8)
    )


async def tables_from_long_records(port: int) -> str:
    """Tables opened from the end of long records."""
    text = "Game: realm\n\n1. Bh11 " + "[Bb5] " * 4_900
    body = {"game": "realm", "seats": ["me", "open"], "record": text}
    return _count_statuses(await asyncio.gather(*(_send(port, "/api/tables", body) for _ in range(8))))


ATTACKS: Final[tuple[Attack, ...]] = (
    one_record_of_nested_variations,
    one_record_of_empty_variations,
    eight_records_of_joined_words,
    eight_long_records,
    long_records_looked_at,
    tables_from_long_records,
    long_lines_tried_out,
    crowded_positions_tried_out,
)
_CROWDED_POSITION: Final = (
    "W:Ab2,Ae2,Ch2,Ak2,Ab5,Ae5,Ah5,Ak5 B:Ae8,Ah8,Af10,Cd11,Ag11,Ai12,Aj12 move=W"  # found by looking for many choices
)


@cache
def _random_moves(game_id: str, count: int) -> list[str]:
    """A legal line of so many steps from the first position."""
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
    """The answer to somebody new, who asks or (with no body) looks; None where none came in time."""
    lines = ConnectionPool(HOST, port)
    try:
        async with asyncio.timeout(TIMEOUT_S):
            if body is None:
                return await lines.send("GET", path, Session(lines).headers())
            return await lines.send("POST", path, Session(lines).headers(), orjson.dumps(body))
    except (TimeoutError, RequestFailed):
        return None
    finally:
        lines.close()


async def _repeat(port: int, path: str, body: dict[str, Any], count: int) -> list[Response | None]:
    """The answers to so many at once who ask again and again while the attack lasts."""
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


# ---- what others feel


async def _time_ms(work: Awaitable[Response]) -> float:
    begun = time.perf_counter()
    with suppress(TimeoutError, RequestFailed):
        async with asyncio.timeout(TIMEOUT_S):
            await work
    return 1000 * (time.perf_counter() - begun)


async def measure(port: int, attack: Attack) -> Impact:
    """Attack a server while somebody else asks for something cheap and opens tables."""
    bystander = Session(ConnectionPool(HOST, port))
    table = orjson.loads((await bystander.post("/api/tables", {"game": "realm", "seats": ["me", "me"]})).body)["table"]
    path = f"/api/tables/{table}"

    def time_request() -> Awaitable[float]:
        return _time_ms(bystander.pool.send("GET", path, bystander.headers()))

    quiet = [await time_request() for _ in range(20)]
    attacking = asyncio.create_task(_run(attack, port))
    cheap, opened, begun = [], [0.0], time.monotonic()
    opening = {"game": "realm", "seats": ["me", "me"]}
    while not attacking.done() or time.monotonic() - begun < 1:
        await asyncio.sleep(PAUSE_S)
        cheap.append(await time_request())
        if len(cheap) % 20 == 1:
            opened.append(await _time_ms(bystander.post("/api/tables", opening)))
    bystander.pool.close()
    return Impact(
        attack.__name__.replace("_", " "),
        attacking.result(),
        sorted(quiet)[len(quiet) // 2],
        sorted(cheap)[len(cheap) // 2],
        max(cheap),
        max(opened),
    )


async def _run(attack: Attack, port: int) -> str:
    return await attack(port)


async def run_attacks(chosen: list[str]) -> list[Impact]:
    """Every attack, or those that are named, each on a server of its own."""
    felt = []
    for attack in ATTACKS:
        if chosen and attack.__name__ not in chosen:
            continue
        with tempfile.TemporaryDirectory() as folder:
            async with run_server(Path(folder), 100, limits_factor="1", compile_bots="off") as (port, _):
                felt.append(await measure(port, attack))
                print(felt[-1].describe(), flush=True)
    return felt


if __name__ == "__main__":
    found = asyncio.run(run_attacks(sys.argv[1:]))
    sys.exit(any(max(each.worst_ms, each.open_table_ms) > BOUND_MS for each in found))
