"""Attacks over the sockets of tables: more messages than anyone plays, and sockets whose clients are gone or idle."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from typing import Any

import orjson

from bench.attacks.floods import Bystander, Impact, measure_beside, resident_mib
from bench.attacks.guests import ATTACKER, BYSTANDER, Guest, host_and_port
from bench.server.http_client import RequestFailed
from bench.server.socket_client import SocketClient, open_socket

SOCKETS = 8  # of the attacker
MAX_WAITING = 1 << 16  # bytes that the server has not taken yet
GONE_S = 45.0  # after which the server must have noticed that nobody answers its pings

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _open_table(guest: Guest, seats: list[str]) -> str:
    opened = await guest.request_json("POST", "/api/tables", {"game": "realm", "seats": seats})
    return f"/api/tables/{opened['table']}/socket"


def _socket_headers(guest: Guest) -> dict[str, str]:
    return {"Origin": guest.pool.origin, "Cookie": guest.cookie, "X-Forwarded-For": guest.address}


async def flood_messages(url: str, pid: int, seconds: float) -> Impact:
    """Send messages of all kinds without waiting for the answers, while a bystander plays."""
    return await measure_beside(url, pid, send_messages, seconds)


async def send_messages(url: str, seconds: float) -> Counter[int]:
    """Send chat, moves, broken JSON and long messages; return how they were answered, by status."""
    guest = Guest.at(url, ATTACKER)
    path = await _open_table(guest, ["me", "me"])
    kinds = (
        b'{"do":"chat","key":"c%d","text":"hello"}',
        b'{"do":"move","key":"m%d","version":1,"move":"Zz9"}',
        b"[" * 8_000 + b"%d",
        b'{"do":"chat","key":"k%d","text":"' + rb"\n" * 3_900 + b'"}',
    )
    statuses: Counter[int] = Counter()

    def count(text: bytes) -> None:
        message = orjson.loads(text)
        code = message.get("error", {}).get("code")
        if code or "accepted" in message:
            statuses[{None: 200, "RateLimited": 429}.get(code, 400)] += 1

    async def send(number: int) -> None:
        until, sent = time.perf_counter() + seconds, 0
        while time.perf_counter() < until:
            try:
                socket = await open_socket(*host_and_port(url), path, _socket_headers(guest), count, lambda _: None)
            except RequestFailed:
                statuses[0] += 1
                await asyncio.sleep(0.1)
                continue
            while time.perf_counter() < until and not socket.is_closed:
                if socket.waiting_bytes < MAX_WAITING:
                    socket.send(kinds[(number + sent) % len(kinds)] % sent)
                    sent += 1
                await asyncio.sleep(0 if sent % 10 else 0.001)
            socket.close()

    await asyncio.gather(*(send(number) for number in range(SOCKETS)))
    return statuses


async def leave_sockets_half_open(url: str, sockets: int = 100) -> dict[str, float]:
    """Open sockets and vanish, as a phone without a network does; return how many the server still holds."""
    guest = Guest.at(url, ATTACKER)
    path = await _open_table(guest, ["me", "me"])
    host, port = host_and_port(url)
    head = "".join(f"{name}: {value}\r\n" for name, value in _socket_headers(guest).items())
    request = (
        f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n{head}"
    )
    unfinished: list[Connection] = []
    silent: list[Connection] = []
    for number in range(sockets):
        reader, writer = await asyncio.open_connection(host, port)
        end, those = ("\r\n", silent) if number % 2 == 0 else ("X-More: ", unfinished)
        writer.write((request + end).encode())
        those.append((reader, writer))
    await asyncio.sleep(GONE_S)
    held = {
        "silent": sum([await _is_open(reader) for reader, _ in silent]),
        "unfinished": sum([await _is_open(reader) for reader, _ in unfinished]),
    }
    for _, writer in [*silent, *unfinished]:
        writer.close()
    return {"sockets": sockets, **held}


async def _is_open(reader: asyncio.StreamReader) -> bool:
    """Whether a connection is open, after all that was sent on it."""
    try:
        async with asyncio.timeout(0.2):
            while await reader.read(1 << 16):
                pass
    except TimeoutError:
        return True
    except OSError:
        pass
    return False


async def hold_idle_sockets(url: str, pid: int, sockets: int = 2000) -> dict[str, float]:
    """Watch one table through idle sockets; return the server's memory, and how long a player waits for a move."""
    player = Guest.at(url, BYSTANDER)
    path = await _open_table(player, ["me", "me"])
    held: list[SocketClient] = []
    try:
        for _ in range(sockets):
            viewer = Guest.at(url, ATTACKER)
            held.append(await open_socket(*host_and_port(url), path, _socket_headers(viewer), _ignore, _ignore))
        await asyncio.sleep(2)
        bystander = Bystander(url)
        await bystander.start()
        waited = max(await bystander.play(5))
        return {
            "sockets": sum(not socket.is_closed for socket in held),
            "mib": resident_mib(pid),
            "worst_ms": waited,
        }
    finally:
        for socket in held:
            socket.close()


def _ignore(_: Any) -> None:  # noqa: ANN401 - a message, or a code
    pass
