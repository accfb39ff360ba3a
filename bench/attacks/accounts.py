"""Attacks with stolen sessions, guessed passwords, bought ratings and look-alike names."""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from typing import Any

import httpx

from bench.attacks.guests import ATTACKER
from bench.measure import find_command

PASSWORD = "correct horse battery"  # noqa: S105 - for accounts that exist for a minute
OWNER = "198.51.100.7"  # a documentation address, sent in X-Forwarded-For
POLL_EVERY_S = 0.1
TIMEOUT_S = 30.0  # a figure this large means that the access never ended


class Browser:
    """A browser at an address, with its cookies and CSRF token."""

    def __init__(self, url: str, address: str) -> None:
        self.client = httpx.AsyncClient(base_url=url, headers={"x-forwarded-for": address, "origin": url}, timeout=60)
        self.csrf = ""

    async def send(self, method: str, path: str, body: Any = None) -> httpx.Response:  # noqa: ANN401 - plain data
        """Send a request and return the response, even if it is a refusal."""
        headers = {"x-csrf-token": self.csrf} if self.csrf else {}
        answer = await self.client.request(method, path, json=body, headers=headers)
        self.csrf = answer.headers.get("x-csrf-token", self.csrf)
        return answer

    async def post(self, path: str, body: Any = None) -> httpx.Response:  # noqa: ANN401 - plain data
        """Send a POST and return the response."""
        return await self.send("POST", path, body or {})

    async def claim(self, name: str) -> None:
        """Become a member."""
        await self.post("/api/me")
        (await self.post("/api/me/claim", {"name": name, "password": PASSWORD})).raise_for_status()

    async def close(self) -> None:
        """Close the connections."""
        await self.client.aclose()


async def revoke_sessions(url: str, database_url: str) -> dict[str, float]:
    """Steal a session and a token, then have the operator sign the member out.

    Return how long the session, the token and a stream survive, and the status of an attempt to create another token.
    """
    thief = Browser(url, ATTACKER)
    await thief.claim("Ada Lovelace")
    token = (await thief.post("/api/me/tokens", {"label": "a bot"})).json()["token"]
    table = (await thief.post("/api/tables", {"game": "classic_realm", "seats": ["me", "me"]})).json()["table"]
    stream = asyncio.create_task(_wait_for_stream_end(thief, f"/api/tables/{table}/events"))
    await asyncio.sleep(0.5)
    await _sign_out("Ada Lovelace", database_url)
    start = time.perf_counter()
    attempt = await thief.post("/api/me/tokens", {"label": "mine now"})
    bearer = {"authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=url, headers=bearer, timeout=60) as program:
        session_s = await _seconds_until(lambda: _is_signed_out(thief), start)
        token_s = await _seconds_until(lambda: _is_refused(program), start)
    await asyncio.wait({stream}, timeout=max(0.0, TIMEOUT_S - (time.perf_counter() - start)))
    stream_s = stream.result() - start if stream.done() else TIMEOUT_S
    stream.cancel()
    await thief.close()
    ended = {"session_s": session_s, "token_s": token_s, "stream_s": max(0.0, stream_s)}
    return {**ended, "new_token": attempt.status_code}


async def guess_passwords(url: str, guesses: int = 60) -> dict[str, Any]:
    """Guess one member's password; return whether the owner can sign in on a known device and on a new one."""
    owner = Browser(url, OWNER)
    await owner.claim("Mary Shelley")
    attacker = Browser(url, ATTACKER)
    statuses: Counter[int] = Counter()
    for number in range(guesses):
        wrong = {"name": "Mary Shelley", "password": f"guess {number:05}"}
        statuses[(await attacker.post("/api/session", wrong)).status_code] += 1
    right = {"name": "Mary Shelley", "password": PASSWORD}
    known = (await owner.post("/api/session", right)).status_code
    new = Browser(url, OWNER)
    elsewhere = (await new.post("/api/session", right)).status_code
    for browser in (owner, attacker, new):
        await browser.close()
    return {"refused": statuses[429], "known_device": known, "new_device": elsewhere}


async def buy_ratings(url: str, guests: int = 5) -> dict[str, Any]:
    """Have new guests open rated games, also from custom positions; return how many get through or onto the list."""
    statuses: Counter[int] = Counter()
    start = "W:Fb2 B:Fb8 move=W"
    for _ in range(guests):
        fresh = Browser(url, ATTACKER)
        for setting in ({}, {"position": start}):
            clock = {"kind": "move", "seconds": 60}
            body = {"game": "classic_realm", "seats": ["me", "open"], "rated": True, "clock": clock, **setting}
            answer = await fresh.post("/api/tables", body)
            statuses[answer.status_code] += 1
        await fresh.close()
    async with httpx.AsyncClient(base_url=url, timeout=60) as client:
        leaders = (await client.get("/api/ratings/classic_realm")).json()["leaders"]
    people = [leader for leader in leaders if leader["player"]["kind"] != "bot"]
    return {"opened": statuses[201], "refused": 2 * guests - statuses[201], "on_the_list": len(people)}


async def claim_lookalike(url: str) -> dict[str, int]:
    """Claim a name that looks like another member's, and return the status."""
    first, second = Browser(url, OWNER), Browser(url, ATTACKER)
    await first.claim("Coco")
    await second.post("/api/me")
    status = (await second.post("/api/me/claim", {"name": "Сосо", "password": PASSWORD})).status_code  # noqa: RUF001 - Cyrillic on purpose
    for browser in (first, second):
        await browser.close()
    return {"lookalike": status}


async def _sign_out(name: str, database_url: str) -> None:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("REALMTABLE_")}
    environment["REALMTABLE_DATABASE_URL"] = database_url
    process = await asyncio.create_subprocess_exec(
        find_command(), "admin", "sign-out", name, "--tokens", env=environment, stdout=asyncio.subprocess.DEVNULL
    )
    if await process.wait():
        raise RuntimeError("realmtable admin sign-out failed")


async def _wait_for_stream_end(browser: Browser, path: str) -> float:
    """Return the time at which a stream ended."""
    try:
        async with browser.client.stream("GET", path, timeout=TIMEOUT_S + 30) as answer:
            async for _ in answer.aiter_raw():
                pass
    except httpx.HTTPError:
        pass
    return time.perf_counter()


async def _is_signed_out(browser: Browser) -> bool:
    return bool((await browser.send("GET", "/api/me")).json()["player"] is None)


async def _is_refused(program: httpx.AsyncClient) -> bool:
    return (await program.get("/api/me")).status_code in (401, 403)


async def _seconds_until(condition: Any, start: float) -> float:  # noqa: ANN401 - a function that returns a coroutine
    while time.perf_counter() - start < TIMEOUT_S:
        if await condition():
            break
        await asyncio.sleep(POLL_EVERY_S)
    return time.perf_counter() - start
