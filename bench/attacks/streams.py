"""Attacks with connections hoarded by one address: event streams, endless heads, and requests that never end."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from http import HTTPStatus

from bench.attacks.guests import ATTACKER, BYSTANDER, Guest, host_and_port
from bench.server.http_client import RequestFailed, Stream

MIB = 1 << 20
PER_GUEST = 50  # streams; a guest may open sixty a minute
SETTLE_S = 2.0  # until the streams that the server has ended last are closed here, too
TIMEOUT_S = 10.0  # for the server to refuse a connection


async def hold_streams(url: str, streams: int = 1000) -> dict[str, float]:
    """Hold as many streams as one address may; return whether a player elsewhere still gets one.

    Start the server with `max_streams` at or below `streams` to see which streams it closes when it is full.
    """
    victim = Guest.at(url, BYSTANDER)
    table = (await victim.request_json("POST", "/api/tables", {"game": "classic_realm", "seats": ["me", "me"]}))[
        "table"
    ]
    held, refused = await _open_streams(url, streams, f"/api/tables/{table}/events")
    start = time.perf_counter()
    try:
        seat: Stream | None = await victim.watch(f"/api/tables/{table}/events")
    except RequestFailed:
        seat = None
    waited = time.perf_counter() - start
    await asyncio.sleep(SETTLE_S)
    alive = sum(stream.transport is not None and not stream.transport.is_closing() for stream in held)
    for stream in [*held, *([seat] if seat else [])]:
        stream.close()
    return {
        "asked": streams,
        "held": alive,
        "refused": refused,
        "player_refused": float(seat is None),
        "player_felt_s": waited,
    }


async def _open_streams(url: str, streams: int, path: str) -> tuple[list[Stream], int]:
    held: list[Stream] = []
    refused = 0
    while len(held) + refused < streams:
        guest = Guest.at(url, ATTACKER)
        while (await guest.send("POST", "/api/me", {})).status == HTTPStatus.TOO_MANY_REQUESTS:  # noqa: ASYNC110 - the server decides when there is room
            await asyncio.sleep(1)
        for number in range(min(PER_GUEST, streams - len(held) - refused)):
            try:
                held.append(await guest.watch("/api/lobby/events" if number % 10 == 0 else path))
            except RequestFailed:
                refused += 1
    return held, refused


async def send_long_heads(url: str, mebibytes: int = 100) -> dict[str, float]:
    """Send a header and a URL of `mebibytes` MiB; return how much is accepted, and the delay of other requests."""
    header = await _send_endless_head(url, b"GET / HTTP/1.1\r\nhost: here\r\nx-long: ", mebibytes)
    address = await _send_endless_head(url, b"GET /", mebibytes)
    return {
        "header_status": header[0],
        "header_mib_taken": header[1],
        "address_status": address[0],
        "address_mib_taken": address[1],
        "other_worst_s": max(header[2], address[2]),
    }


async def _send_endless_head(url: str, start: bytes, mebibytes: int) -> tuple[int, float, float]:
    """Return the status (0 without a response), the MiB accepted, and the slowest response to another guest."""
    reader, writer = await asyncio.open_connection(*host_and_port(url))
    watching = asyncio.ensure_future(_measure_worst_answer(url))
    taken = 0
    with suppress(OSError, TimeoutError):
        writer.write(start)
        async with asyncio.timeout(TIMEOUT_S):
            while taken < mebibytes * MIB and not reader._buffer and not reader.at_eof():  # type: ignore[attr-defined]  # noqa: SLF001 - whether a response has arrived
                writer.write(b"a" * (MIB // 4))
                await writer.drain()
                taken += MIB // 4
    status = await _read_status(reader)
    writer.close()
    watching.cancel()
    worst = await asyncio.gather(watching, return_exceptions=True)
    return status, taken / MIB, worst[0] if isinstance(worst[0], float) else 0.0


async def _read_status(reader: asyncio.StreamReader) -> int:
    line = b""
    try:
        async with asyncio.timeout(TIMEOUT_S):
            line = await reader.readline()
    except (OSError, TimeoutError):  # data received before the connection broke is still buffered
        line = bytes(reader._buffer)  # type: ignore[attr-defined]  # noqa: SLF001 - there is no public access
    words = line.split()
    return int(words[1]) if len(words) > 1 else 0


async def _measure_worst_answer(url: str) -> float:
    guest, worst = Guest.at(url, BYSTANDER), 0.0
    try:
        while True:
            start = time.perf_counter()
            await guest.send("GET", "/api/games")
            worst = max(worst, time.perf_counter() - start)
            await asyncio.sleep(0.02)
    except asyncio.CancelledError:
        return worst


async def send_slowly(url: str, connections: int = 200, seconds: float = 40.0) -> dict[str, float]:
    """Send one byte per second on many connections; return how many stay open, by what they send.

    `seconds` must be longer than the server's `request_limit_s`.
    """
    head = b"GET / HTTP/1.1\r\nhost: here\r\nx-slow: "
    body = b"POST /api/tables HTTP/1.1\r\nhost: here\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n"
    starts = {"heads": head, "bodies": body, "blank_lines": b"\r\n", "nothing": b""}
    each = connections // len(starts)
    open_still = {
        name: asyncio.gather(*(_trickle(url, start, seconds) for _ in range(each))) for name, start in starts.items()
    }
    return {"connections": 4 * each, **{f"open_{name}": sum(await found) for name, found in open_still.items()}}


async def _trickle(url: str, start: bytes, seconds: float) -> bool:
    """Whether a connection is still open after `seconds`."""
    reader, writer = await asyncio.open_connection(*host_and_port(url))
    drip = b"\r\n" if start == b"\r\n" else b"a"
    until = time.perf_counter() + seconds
    try:
        writer.write(start)
        while time.perf_counter() < until:
            if start:
                writer.write(drip)
            with suppress(TimeoutError):
                async with asyncio.timeout(1):
                    while await reader.read(4096):
                        pass
                    return False  # the server has hung up
    except OSError:
        return False
    finally:
        writer.close()
    return True
