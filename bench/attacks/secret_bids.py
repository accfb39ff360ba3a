"""An attack by a spectator who listens for secret bids in Chaos Realms."""

from __future__ import annotations

import asyncio

from bench.attacks.accounts import OWNER, Browser
from bench.attacks.guests import ATTACKER

SETTLE_S = 1.0  # time for a stream to deliver events


async def listen_for_bids(url: str, bids: int = 20) -> dict[str, int]:
    """Watch a table where a player bids for another's card and cancels; return what a spectator receives of it."""
    players = [Browser(url, OWNER) for _ in range(3)]
    seats = ["me", "open", "open"]
    setup = {"game": "fantasy_realms", "seats": seats, "options": {"variant": "chaos"}}
    table = (await players[0].post("/api/tables", setup)).json()["table"]
    for player in players[1:]:
        (await player.post(f"/api/tables/{table}/seats")).raise_for_status()
    cards = [(await player.send("GET", f"/api/tables/{table}")).json()["view"]["hand"][0] for player in players]
    await _play(players[0], table, f"offer {cards[0]}")
    spectator = Browser(url, ATTACKER)
    before = (await spectator.send("GET", f"/api/tables/{table}")).json()
    received: list[bytes] = []
    stream = asyncio.create_task(_listen(spectator, table, received))
    await asyncio.sleep(SETTLE_S)
    heard_before = b"".join(received).count(b"event: scene")
    for number in range(bids):
        await _play(players[1], table, f"{'cancel' if number % 2 else 'bid'} {cards[1]} for {cards[0]}")
    await asyncio.sleep(SETTLE_S)
    after = (await spectator.send("GET", f"/api/tables/{table}")).json()
    stream.cancel()
    await asyncio.gather(stream, return_exceptions=True)
    for browser in (*players, spectator):
        await browser.close()
    changing = {"now", "bell", "watching"}  # these depend on the time and on the spectator
    differing = [name for name in before if name not in changing and before[name] != after[name]]
    return {
        "bids": bids,
        "events": b"".join(received).count(b"event: scene") - heard_before,
        "fields_changed": len(differing),
    }


async def _play(player: Browser, table: str, move: str) -> None:
    version = (await player.send("GET", f"/api/tables/{table}")).json()["version"]
    (await player.post(f"/api/tables/{table}/moves", {"version": version, "move": move})).raise_for_status()


async def _listen(spectator: Browser, table: str, received: list[bytes]) -> None:
    path = f"/api/tables/{table}/events"
    async with spectator.client.stream("GET", path, headers={"accept-encoding": "identity"}, timeout=60) as answer:
        async for piece in answer.aiter_raw():
            received.append(piece)  # noqa: PERF401 - the list is read while it grows
