"""Clients of sockets that send too much, read nothing, or vanish."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import httpx
import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode, Frame, Opcode
from websockets.typing import Origin

from realmtable.server import socket_protocol
from realmtable.server.http_protocol import CHUNK_BYTES
from realmtable.server.socket_protocol import MAX_CONTROL_FRAMES, MAX_WAITING, SocketProtocol
from tests.server.support.live_server import WAIT_S, Person, ServerThread, make_settings, wait_until

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def open_table_socket(folder: Path) -> AsyncIterator[tuple[ServerThread, str, ClientConnection]]:
    with ServerThread(make_settings(folder)) as served:
        async with httpx.AsyncClient(base_url=served.url, timeout=WAIT_S) as client:
            table = await Person(client).open_table(seats=["me", "me"])
            path = f"/api/tables/{table}/socket"
            async with connect(served.url.replace("http", "ws", 1) + path, origin=Origin(served.url)) as socket:
                await socket.recv()
                yield served, path, socket


async def send_pings(socket: ClientConnection) -> None:
    for _ in range(MAX_CONTROL_FRAMES + 1):
        socket.protocol.send_ping(b"")
    socket.transport.write(b"".join(socket.protocol.data_to_send()))


async def send_frames(socket: ClientConnection) -> None:
    await socket.send(iter(["a"] * (MAX_WAITING + 2)))


async def send_messages(socket: ClientConnection) -> None:
    for _ in range(MAX_WAITING + 1):
        socket.protocol.send_text(b"{}")
    socket.transport.write(b"".join(socket.protocol.data_to_send()))


@pytest.mark.parametrize("send", [send_pings, send_frames, send_messages])
async def test_a_client_that_sends_too_much_at_once_is_refused(tmp_path: Path, send: Any) -> None:
    async with open_table_socket(tmp_path) as (served, _, socket):
        with suppress(ConnectionClosed):
            await send(socket)
        await asyncio.wait_for(socket.wait_closed(), WAIT_S)
        # What is on its way may break the connection before the client has read the reason.
        assert socket.close_code in {CloseCode.POLICY_VIOLATION, CloseCode.ABNORMAL_CLOSURE}

        async def is_forgotten() -> bool:
            return len(served.app.state.services.streams) == 0

        await wait_until(is_forgotten)


async def test_a_connection_becomes_one_socket(tmp_path: Path) -> None:
    """A second request that came with the first is not read."""
    async with open_table_socket(tmp_path) as (served, path, _):
        streams = served.app.state.services.streams
        host, port = served.url.removeprefix("http://").split(":")
        lines = ["Host: here", f"Origin: {served.url}", "Connection: Upgrade", "Upgrade: websocket"]
        lines += ["Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="]
        head = "\r\n".join([f"GET {path} HTTP/1.1", *lines, ""])
        padded = f"{head}X-Long: {'a' * (CHUNK_BYTES - len(head) - 12)}\r\n\r\n".encode()
        assert len(padded) == CHUNK_BYTES
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(padded + f"{head}\r\n".encode())
        assert (await reader.readline()).startswith(b"HTTP/1.1 101")

        async def is_open() -> bool:
            return len(streams) == 2

        await wait_until(is_open)
        writer.close()

        async def is_closed() -> bool:
            return len(streams) == 1

        await wait_until(is_closed)


async def make_protocol() -> tuple[SocketProtocol, Mock]:
    config, transport = uvicorn.Config(Mock(), interface="asgi3"), Mock()
    config.load()
    transport.is_closing.return_value = False
    protocol = SocketProtocol(config, ServerState(), {}, _loop=asyncio.get_running_loop())
    protocol.connections.add(protocol)
    protocol.transport = transport
    return protocol, transport


@pytest.mark.parametrize("is_lost", [False, True])
async def test_a_connection_that_nobody_reads_is_dropped_some_time_after_its_end(
    monkeypatch: pytest.MonkeyPatch, is_lost: bool
) -> None:
    monkeypatch.setattr(socket_protocol, "PING_S", 0.01)
    protocol, transport = await make_protocol()
    protocol.close_sent = True  # the client's answer to our close frame arrives
    protocol.handle_close(Frame(Opcode.CLOSE, b""))
    if is_lost:
        protocol.connection_lost(None)
    await asyncio.sleep(0.05)
    assert transport.abort.called is not is_lost


async def test_nothing_is_read_from_a_client_that_does_not_read() -> None:
    protocol, transport = await make_protocol()
    protocol.pause_writing()
    transport.pause_reading.assert_called_once()
    protocol.resume_writing()
    transport.resume_reading.assert_called_once()
    protocol.read_paused = True  # messages wait
    protocol.pause_writing()
    protocol.resume_writing()
    transport.resume_reading.assert_called_once()
