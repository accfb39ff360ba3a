"""A lightweight WebSocket client that calls back, compressed as in browsers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import cast

from websockets.client import ClientProtocol
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Response
from websockets.protocol import State
from websockets.uri import parse_uri

from bench.server.http_client import RequestFailed

REOPEN = 4000  # the close code after which a page opens its socket again


class SocketClient(asyncio.Protocol):
    """An open socket. Calls `on_message` for every text, and `on_end` with the code if the server closes it."""

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str],
        on_message: Callable[[bytes], None],
        on_end: Callable[[int], None],
        *,
        compressed: bool = True,
    ) -> None:
        extensions = [ClientPerMessageDeflateFactory(client_max_window_bits=True)] if compressed else []
        self._connection = ClientProtocol(parse_uri(url), extensions=extensions, max_size=None)
        self._headers = headers
        self._on_message, self._on_end = on_message, on_end
        self._transport: asyncio.Transport | None = None
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.received_bytes = self.sent_bytes = 0  # on the wire
        self._is_left = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin the handshake."""
        self._transport = cast("asyncio.Transport", transport)
        request = self._connection.connect()
        request.headers.update(self._headers)
        self._connection.send_request(request)
        self._flush()

    def data_received(self, data: bytes) -> None:
        """Handle what has arrived."""
        self.received_bytes += len(data)
        self._connection.receive_data(data)
        self._flush()
        for event in self._connection.events_received():
            if isinstance(event, Response) and not self.opened.done():
                refused = self._connection.handshake_exc
                self.opened.set_result(None) if refused is None else self.opened.set_exception(
                    RequestFailed(f"socket refused with {event.status_code}")
                )
            elif isinstance(event, Frame) and event.opcode is Opcode.TEXT:
                self._on_message(bytes(event.data))

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        """Say why the connection ended, unless we have left."""
        if not self.opened.done():
            self.opened.set_exception(RequestFailed("connection lost before the socket was open"))
        elif not self._is_left:
            closed = self._connection.close_rcvd
            self._on_end(CloseCode.ABNORMAL_CLOSURE if closed is None else closed.code)

    @property
    def is_closed(self) -> bool:
        """Whether the connection has ended, or is about to."""
        return self._connection.state is not State.OPEN or self._transport is None or self._transport.is_closing()

    @property
    def waiting_bytes(self) -> int:
        """How much of what was sent the server has not taken yet."""
        return 0 if self._transport is None else self._transport.get_write_buffer_size()

    def send(self, text: bytes) -> None:
        """Send a text."""
        self._connection.send_text(text)
        self._flush()

    def close(self) -> None:
        """Leave."""
        self._is_left = True
        if self._transport is not None:
            self._transport.close()

    def _flush(self) -> None:
        for data in self._connection.data_to_send():
            self.sent_bytes += len(data)
            if data and self._transport is not None:
                self._transport.write(data)


async def open_socket(  # noqa: PLR0913 - where, who, and what happens then
    host: str,
    port: int,
    path: str,
    headers: Mapping[str, str],
    on_message: Callable[[bytes], None],
    on_end: Callable[[int], None],
    *,
    compressed: bool = True,
) -> SocketClient:
    """Open a socket; raise `RequestFailed` if that is refused."""

    def make() -> SocketClient:
        return SocketClient(f"ws://{host}:{port}{path}", headers, on_message, on_end, compressed=compressed)

    try:
        _, client = await asyncio.get_running_loop().create_connection(make, host, port)
    except OSError as error:
        raise RequestFailed(f"cannot connect: {error.strerror}") from None
    await client.opened
    return client
