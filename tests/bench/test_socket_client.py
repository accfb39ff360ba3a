"""The lightweight client of sockets."""

from __future__ import annotations

import asyncio

import pytest
from websockets.asyncio.server import ServerConnection, serve

from bench.http_client import RequestFailed
from bench.socket_client import REOPEN, open_socket

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_it_sends_and_receives_until_the_server_says_why_it_closes() -> None:
    async def answer_once(socket: ServerConnection) -> None:
        await socket.send(f"you said {await socket.recv()!r}")
        await socket.close(REOPEN)

    received: list[bytes] = []
    ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    async with serve(answer_once, "127.0.0.1", 0) as server:
        host, port = next(iter(server.sockets)).getsockname()
        socket = await open_socket(host, port, "/", {}, received.append, ended.set_result)
        socket.send(b"hello")
        assert await asyncio.wait_for(ended, 5) == REOPEN
    assert received == [b"you said 'hello'"]
    assert socket.is_closed
    assert min(socket.sent_bytes, socket.received_bytes) > len(b"hello")


async def test_a_refused_socket_fails() -> None:
    async def refuse(_: ServerConnection) -> None:
        """Do nothing."""

    async with serve(refuse, "127.0.0.1", 0, origins=["http://elsewhere.example"]) as server:  # type: ignore[list-item]  # a plain text
        host, port = next(iter(server.sockets)).getsockname()
        with pytest.raises(RequestFailed, match="refused with 403"):
            await open_socket(host, port, "/", {}, lambda _: None, lambda _: None)
    with pytest.raises(RequestFailed, match="cannot connect"):
        await open_socket(host, port, "/", {}, lambda _: None, lambda _: None)
