"""A lightweight HTTP/1.1 client with a pool of keep-alive connections and event streams that call back.

A general client would use more of the machine than the server it measures.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import NamedTuple, cast

from httptools import HttpResponseParser

OnEvent = Callable[[str, bytes], None]  # called with the kind of an event and its data

OK = 200
FINISHED = "stream finished by the server"


class RequestFailed(Exception):
    """A request got no complete response, or an unexpected one."""


class ConnectionClosed(RequestFailed):
    """The connection was closed before any part of a response arrived."""


class Response(NamedTuple):
    """A complete response; header names are in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes


def format_request(method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> bytes:
    """Encode a request. The path is not escaped."""
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    if body or method != "GET":
        lines.append(f"content-length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode() + body


class EventReader:
    """Assembles the chunks of an event stream, and calls back once for every event with data."""

    def __init__(self, on_event: OnEvent) -> None:
        self._on_event = on_event
        self._rest = b""

    def feed(self, data: bytes) -> None:
        """Process a received chunk."""
        *blocks, self._rest = (self._rest + data).split(b"\n\n")
        for block in blocks:
            fields = dict(line.split(b": ", 1) for line in block.split(b"\n") if b": " in line)
            if b"data" in fields:
                self._on_event(fields[b"event"].decode(), fields[b"data"])


class _Connection(asyncio.Protocol):
    """Base of both kinds of connection: the parser and the transport."""

    def __init__(self) -> None:
        self.parser = HttpResponseParser(self)
        self.headers: dict[str, str] = {}
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by asyncio."""
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Called by asyncio."""
        self.parser.feed_data(data)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Called by the parser."""
        self.headers[name.decode().lower()] = value.decode()

    def close(self) -> None:
        """Close the connection."""
        if self.transport is not None:
            self.transport.close()


class KeepAliveConnection(_Connection):
    """A keep-alive connection that carries one request at a time."""

    def __init__(self) -> None:
        super().__init__()
        self.body = bytearray()
        self.waiting: asyncio.Future[Response] | None = None
        self.lost = False

    async def send(self, data: bytes) -> Response:
        """Send a request and return the response."""
        if self.transport is None or self.lost:
            raise ConnectionClosed("connection is closed")
        self.headers, self.body = {}, bytearray()
        self.waiting = asyncio.get_running_loop().create_future()
        self.transport.write(data)
        return await self.waiting

    def on_body(self, body: bytes) -> None:
        """Called by the parser."""
        self.body += body

    def on_message_complete(self) -> None:
        """Called by the parser."""
        if not self.parser.should_keep_alive():
            self.lost = True
        if self.waiting is not None and not self.waiting.done():
            self.waiting.set_result(Response(self.parser.get_status_code(), self.headers, bytes(self.body)))

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by asyncio."""
        self.lost = True
        if self.waiting is not None and not self.waiting.done():
            kind = RequestFailed if self.headers else ConnectionClosed
            self.waiting.set_exception(kind(f"connection lost: {exc or 'closed by the server'}"))


class ConnectionPool:
    """A pool of keep-alive connections to one server, as many as there are concurrent requests."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self.origin = f"http://{host}:{port}"
        self._free: list[KeepAliveConnection] = []

    async def send(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> Response:
        """Send a request and return the response; raise `RequestFailed` if there is none.

        The server may close an idle connection just when it is reused; then, like a browser, try another one.
        """
        return await self.send_encoded(
            format_request(method, path, {"host": f"{self.host}:{self.port}", **headers}, body)
        )

    async def send_encoded(self, data: bytes) -> Response:
        """Send a request that is already encoded, and return the response."""
        while self._free:
            connection = self._free.pop()
            with suppress(ConnectionClosed):
                return await self._send_on(connection, data)
        return await self._send_on(await self._connect(), data)

    async def _send_on(self, connection: KeepAliveConnection, data: bytes) -> Response:
        response = await connection.send(data)
        if connection.lost:
            connection.close()
        else:
            self._free.append(connection)
        return response

    async def _connect(self) -> KeepAliveConnection:
        try:
            return (await asyncio.get_running_loop().create_connection(KeepAliveConnection, self.host, self.port))[1]
        except OSError as error:
            raise RequestFailed(f"cannot connect: {error.strerror}") from None

    def close(self) -> None:
        """Close all idle connections."""
        for connection in self._free:
            connection.close()


class Stream(_Connection):
    """An open event stream. Calls `ended` with a reason if the stream ends without `close`.

    The reason is FINISHED if the server has completed the response: then a browser reconnects at once.
    """

    def __init__(self, on_event: OnEvent, ended: Callable[[str], None]) -> None:
        super().__init__()
        self._on_event, self._on_end = on_event, ended
        self._reader: EventReader | None = None
        self.status: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.closing = False

    def on_headers_complete(self) -> None:
        """Called by the parser."""
        self._reader = EventReader(self._on_event)
        if not self.status.done():
            self.status.set_result(self.parser.get_status_code())

    def on_body(self, body: bytes) -> None:
        """Called by the parser."""
        if self._reader is not None and not self.closing:
            self._reader.feed(body)

    def on_message_complete(self) -> None:
        """Called by the parser."""
        if not self.closing and self.parser.get_status_code() == OK:
            self.close()
            self._on_end(FINISHED)

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by asyncio."""
        if not self.status.done():
            self.status.set_exception(RequestFailed("stream lost before its response"))
        elif not self.closing:
            self._on_end(f"stream ended: {exc or 'closed by the server'}")

    def close(self) -> None:
        """Close the stream without calling `ended`."""
        self.closing = True
        super().close()


async def open_stream(
    pool: ConnectionPool, path: str, headers: Mapping[str, str], on_event: OnEvent, ended: Callable[[str], None]
) -> Stream:
    """Open a stream and wait for its status; raise `RequestFailed` unless it is 200."""
    loop = asyncio.get_running_loop()
    try:
        _, stream = await loop.create_connection(lambda: Stream(on_event, ended), pool.host, pool.port)
    except OSError as error:
        raise RequestFailed(f"cannot connect: {error.strerror}") from None
    assert stream.transport is not None  # noqa: S101 - just connected
    stream.transport.write(format_request("GET", path, {"host": f"{pool.host}:{pool.port}", **headers}))
    status = await stream.status
    if status != OK:
        stream.close()
        raise RequestFailed(f"stream refused with {status}")
    return stream
