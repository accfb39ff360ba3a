"""A light HTTP/1.1 client: kept connections that are shared, and event streams that call back.

A general client would need more of the machine than the server it measures.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import NamedTuple, cast

from httptools import HttpResponseParser

OnEvent = Callable[[int, bytes], None]


class RequestFailed(Exception):
    """A request that got no whole answer, or another one than it should."""


class ConnectionClosed(RequestFailed):
    """A request on a connection that was closed before anything of an answer came."""


class Response(NamedTuple):
    """A whole answer; names of headers are in small letters."""

    status: int
    headers: dict[str, str]
    body: bytes


def format_request(method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> bytes:
    """A request as the wire has it; a path is taken as it is."""
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    if body or method != "GET":
        lines.append(f"content-length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode() + body


class EventReader:
    """Puts the pieces of an event stream together and calls back once for every event that has data."""

    def __init__(self, on_event: OnEvent, *, zipped: bool) -> None:
        self._on_event = on_event
        self._unzip = zlib.decompressobj(wbits=31) if zipped else None
        self._rest = b""
        self._number = -1

    def feed(self, data: bytes) -> None:
        """Take in what has arrived."""
        text = self._unzip.decompress(data) if self._unzip is not None else data
        *blocks, self._rest = (self._rest + text).split(b"\n\n")
        for block in blocks:
            self._handle_block(block)

    def _handle_block(self, block: bytes) -> None:
        data = []
        for line in block.split(b"\n"):
            if line.startswith(b"data: "):
                data.append(line[6:])
            elif line.startswith(b"id: "):
                self._number = int(line[4:])
        if data:
            self._on_event(self._number, b"\n".join(data))


class _Connection(asyncio.Protocol):
    """What both kinds of connection share: the parser, and how the end is told."""

    def __init__(self) -> None:
        self.parser = HttpResponseParser(self)
        self.headers: dict[str, str] = {}
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """As asyncio calls it."""
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """As asyncio calls it."""
        self.parser.feed_data(data)

    def on_header(self, name: bytes, value: bytes) -> None:
        """As the parser calls it."""
        self.headers[name.decode().lower()] = value.decode()

    def close(self) -> None:
        """Hang up."""
        if self.transport is not None:
            self.transport.close()


class KeepAliveConnection(_Connection):
    """A kept connection: one request at a time."""

    def __init__(self) -> None:
        super().__init__()
        self.body = bytearray()
        self.waiting: asyncio.Future[Response] | None = None
        self.lost = False

    async def send(self, data: bytes) -> Response:
        """The answer to a request."""
        if self.transport is None or self.lost:
            raise ConnectionClosed("connection is closed")
        self.headers, self.body = {}, bytearray()
        self.waiting = asyncio.get_running_loop().create_future()
        self.transport.write(data)
        return await self.waiting

    def on_body(self, body: bytes) -> None:
        """As the parser calls it."""
        self.body += body

    def on_message_complete(self) -> None:
        """As the parser calls it."""
        if not self.parser.should_keep_alive():
            self.lost = True
        if self.waiting is not None and not self.waiting.done():
            self.waiting.set_result(Response(self.parser.get_status_code(), self.headers, bytes(self.body)))

    def connection_lost(self, exc: Exception | None) -> None:
        """As asyncio calls it."""
        self.lost = True
        if self.waiting is not None and not self.waiting.done():
            kind = RequestFailed if self.headers else ConnectionClosed
            self.waiting.set_exception(kind(f"connection lost: {exc or 'closed by the server'}"))


class ConnectionPool:
    """Kept connections to one server, as many as requests are under way at once."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self.origin = f"http://{host}:{port}"
        self._free: list[KeepAliveConnection] = []

    async def send(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> Response:
        """The answer to a request; Failed if there is none.

        The server may close a kept connection just when it is used again; then, as browsers do, another is tried.
        """
        data = format_request(method, path, {"host": f"{self.host}:{self.port}", **headers}, body)
        while self._free:
            line = self._free.pop()
            with suppress(ConnectionClosed):
                return await self._send_on(line, data)
        return await self._send_on(await self._connect(), data)

    async def _send_on(self, line: KeepAliveConnection, data: bytes) -> Response:
        answer = await line.send(data)
        if not line.lost:
            self._free.append(line)
        return answer

    async def _connect(self) -> KeepAliveConnection:
        try:
            return (await asyncio.get_running_loop().create_connection(KeepAliveConnection, self.host, self.port))[1]
        except OSError as error:
            raise RequestFailed(f"cannot connect: {error.strerror}") from None

    def close(self) -> None:
        """Hang up everywhere."""
        for line in self._free:
            line.close()


class Stream(_Connection):
    """An open event stream. `ended` is called with a reason if it ends without having been closed by us."""

    def __init__(self, on_event: OnEvent, ended: Callable[[str], None]) -> None:
        super().__init__()
        self._on_event, self._on_end = on_event, ended
        self._reader: EventReader | None = None
        self.status: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.closing = False

    def on_headers_complete(self) -> None:
        """As the parser calls it."""
        self._reader = EventReader(self._on_event, zipped=self.headers.get("content-encoding") == "gzip")
        if not self.status.done():
            self.status.set_result(self.parser.get_status_code())

    def on_body(self, body: bytes) -> None:
        """As the parser calls it."""
        if self._reader is not None and not self.closing:
            self._reader.feed(body)

    def connection_lost(self, exc: Exception | None) -> None:
        """As asyncio calls it."""
        if not self.status.done():
            self.status.set_exception(RequestFailed("stream lost before its answer"))
        elif not self.closing:
            self._on_end(f"stream ended: {exc or 'closed by the server'}")

    def close(self) -> None:
        """Hang up on purpose."""
        self.closing = True
        super().close()


async def open_stream(
    lines: ConnectionPool, path: str, headers: Mapping[str, str], on_event: OnEvent, ended: Callable[[str], None]
) -> Stream:
    """A stream whose answer has begun well; Failed otherwise."""
    loop = asyncio.get_running_loop()
    try:
        _, stream = await loop.create_connection(lambda: Stream(on_event, ended), lines.host, lines.port)
    except OSError as error:
        raise RequestFailed(f"cannot connect: {error.strerror}") from None
    assert stream.transport is not None  # noqa: S101 - it was made just now
    stream.transport.write(format_request("GET", path, {"host": f"{lines.host}:{lines.port}", **headers}))
    status = await stream.status
    if status != 200:
        stream.close()
        raise RequestFailed(f"stream refused with {status}")
    return stream
