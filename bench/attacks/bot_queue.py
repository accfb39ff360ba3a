"""Attacks that queue work for bots, analyses and the analysis board while another guest waits."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from contextlib import suppress
from typing import Any

from bench.attacks.guests import ATTACKER, BYSTANDER, Guest
from bench.server.http_client import RequestFailed
from realmtable.server.tables.scenes.changes import list_choices_in

TIMEOUT_S = 60.0  # the other user's patience; a figure this large means that they gave up
POLL_EVERY_S = 0.02


async def flood_bots(url: str, tables: int = 60, moves: int = 3) -> dict[str, float]:
    """Open and watch many tables of strong bots; return how long another guest waits for a level-1 bot."""
    victim, attacker = Guest.at(url, BYSTANDER), Guest.at(url, ATTACKER)
    table = await _open(victim, ["me", "bot:level1"], "classic_realm")
    quiet = [await _wait_for_bot(victim, table) for _ in range(moves)]
    streams = []
    for _ in range(tables):
        flood = await _open(attacker, ["bot:level8", "bot:level8"], "realm")
        with suppress(RequestFailed):
            streams.append(await attacker.watch(f"/api/tables/{flood}/events"))
    await asyncio.sleep(2)  # until every worker is busy
    flooded = [await _wait_for_bot(victim, table) for _ in range(moves)]
    for stream in streams:
        stream.close()
    return {"tables": tables, "quiet_s": max(quiet), "worst_s": max(flooded), "best_s": min(flooded)}


async def open_unwatched_bots(url: str, tables: int = 10, seconds: float = 5.0) -> dict[str, float]:
    """Open unwatched tables of bots; return how many steps they play, and how soon one resumes when watched."""
    attacker = Guest.at(url, ATTACKER)
    opened = [await _open(attacker, ["bot:level1", "bot:level1"], "classic_realm") for _ in range(tables)]
    await asyncio.sleep(seconds)
    steps = sum([int((await attacker.request_json("GET", f"/api/tables/{table}"))["step"]) for table in opened])
    stream = await attacker.watch(f"/api/tables/{opened[0]}/events")
    resumed = await _seconds_until(lambda: _has_moved(attacker, opened[0]))
    stream.close()
    return {"tables": tables, "steps_unwatched": steps, "resumed_s": resumed}


async def flood_analyses(url: str, analyses: int = 30) -> dict[str, float]:
    """Request many analyses; return how long another guest waits for theirs to start."""
    victim, attacker = Guest.at(url, BYSTANDER), Guest.at(url, ATTACKER)
    own = await _finish_game(victim, 0)
    for number in range(analyses):  # of different games, so that no result is shared
        await attacker.request_json("POST", f"/api/tables/{await _finish_game(attacker, number)}/analysis", {})
    ahead = (await victim.request_json("POST", f"/api/tables/{own}/analysis", {}))["ahead"]

    async def has_begun() -> bool:
        return bool((await victim.request_json("GET", f"/api/tables/{own}/analysis"))["status"] in ("running", "done"))

    return {"analyses": analyses, "ahead": ahead, "begun_s": await _seconds_until(has_begun)}


async def flood_board(url: str, guests: int = 5, each: int = 8) -> dict[str, float]:
    """Request many evaluations at once; return how another guest's single evaluation fares."""
    victim = Guest.at(url, BYSTANDER)
    attackers = [Guest.at(url, ATTACKER) for _ in range(guests)]
    for attacker in attackers:
        await attacker.request_json("POST", "/api/me", {})
    requests = [
        asyncio.ensure_future(attacker.send("POST", "/api/think", {"game": game}))
        for attacker in attackers
        for game in _games(each)
    ]
    await asyncio.sleep(1)
    start = time.perf_counter()
    answer = await victim.send("POST", "/api/think", {"game": "oriental_realm"})
    waited = time.perf_counter() - start
    statuses = Counter([request.result().status for request in requests if request.done() and not request.exception()])
    for request in requests:
        request.cancel()
    await asyncio.gather(*requests, return_exceptions=True)
    return {"requests": len(requests), "status": answer.status, "felt_s": waited, "refused_attacker": statuses[429]}


def _games(count: int) -> list[str]:
    names = ("realm", "classic_realm", "medieval_realm", "modern_realm")
    return [names[number % len(names)] for number in range(count)]


async def _open(guest: Guest, seats: list[str], game: str) -> str:
    return str((await guest.request_json("POST", "/api/tables", {"game": game, "seats": seats}))["table"])


async def _wait_for_bot(guest: Guest, table: str) -> float:
    """Move until it is the bot's turn, and return the seconds the bot takes."""
    scene = await guest.request_json("GET", f"/api/tables/{table}")
    while scene["your_turn"]:
        await _post_move(guest, scene)
        scene = await guest.request_json("GET", f"/api/tables/{table}")
    version = scene["version"]

    async def has_answered() -> bool:
        return bool((await guest.request_json("GET", f"/api/tables/{table}"))["version"] > version)

    waited = await _seconds_until(has_answered)
    await _seconds_until(lambda: _is_my_turn(guest, table))
    return waited


async def _post_move(guest: Guest, scene: dict[str, Any], index: int = 0) -> None:
    body = {"version": scene["version"], "move": list_choices_in(scene["choices"])[index]["move"]}
    await guest.request_json("POST", f"/api/tables/{scene['table']}/moves", body)


async def _is_my_turn(guest: Guest, table: str) -> bool:
    return bool((await guest.request_json("GET", f"/api/tables/{table}"))["your_turn"])


async def _has_moved(guest: Guest, table: str) -> bool:
    return bool((await guest.request_json("GET", f"/api/tables/{table}"))["step"] > 0)


async def _finish_game(guest: Guest, choice: int) -> str:
    table = await _open(guest, ["me", "me"], "classic_realm")
    await _post_move(guest, await guest.request_json("GET", f"/api/tables/{table}"), choice)
    await guest.request_json("POST", f"/api/tables/{table}/resign", {})
    return table


async def _seconds_until(condition: Any) -> float:  # noqa: ANN401 - a function that returns a coroutine
    start = time.perf_counter()
    while time.perf_counter() - start < TIMEOUT_S:
        if await condition():
            break
        await asyncio.sleep(POLL_EVERY_S)
    return time.perf_counter() - start
