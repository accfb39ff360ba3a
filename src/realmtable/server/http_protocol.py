"""Limits that the HTTP parser lacks: the size of the head and of the whole request, and the time it may take.

Uvicorn with httptools accepts headers of any length, waits forever for the rest of a request, and buffers responses
that a client does not read. `LimitedProtocol` refuses or disconnects such clients.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final, cast

import uvicorn
from starlette.types import Scope
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from realmtable.server.logs import find_header

MAX_HEAD_BYTES: Final = 32 * 1024  # the request line and all headers
CHUNK_BYTES: Final = 8 * 1024  # how much of a head is parsed between size checks
MAX_MESSAGE_BYTES: Final = 4 * 1024 * 1024  # a whole request: twice the largest body, for the overhead of small chunks
STALL_TIMEOUT_S: Final = 60.0  # how long a client may read nothing while data is waiting
DISCARDED_BYTES: Final = 64 * 1024
MAX_DIGITS: Final = len(str(DISCARDED_BYTES))
LINGER_S: Final = 1.0  # how long a client has to read the response to a refused request
DEFAULT_LIMIT_S: Final = 30.0

SENTENCES: Final = {
    HTTPStatus.REQUEST_TIMEOUT: "The request took too long to arrive; send it again.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The request is too large.",
    HTTPStatus.REQUEST_URI_TOO_LONG: f"The address is too long; the limit is {MAX_HEAD_BYTES:,} characters.",
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: f"The headers are too large; the limit is {MAX_HEAD_BYTES:,} bytes.",
}


class LimitedConfig(uvicorn.Config):
    """Uvicorn's configuration plus the time that a request may take to arrive."""

    request_limit_s: float = DEFAULT_LIMIT_S


def has_long_body(scope: Scope) -> bool:
    """Whether the body of a request may be too long to read it only to discard it."""
    length = find_header(scope, b"content-length")
    if length is None:
        return find_header(scope, b"transfer-encoding") is not None
    return not (length.isdecimal() and len(length) <= MAX_DIGITS and int(length) <= DISCARDED_BYTES)


def lacks_long_body(cycle: RequestResponseCycle) -> bool:
    """Whether a long body has not arrived completely."""
    return cycle.more_body and has_long_body(cast("Scope", cycle.scope))


class LingeringTransport:
    """The transport of one response. It stays open while a long body is missing: the protocol closes it later."""

    def __init__(self, transport: asyncio.Transport, cycle: RequestResponseCycle) -> None:
        self._transport, self._cycle = transport, cycle
        self.write, self.is_closing = transport.write, transport.is_closing

    def close(self) -> None:
        """Close the connection after writing everything."""
        if not lacks_long_body(self._cycle):
            self._transport.close()


class LimitedProtocol(HttpToolsProtocol):
    """One connection. A request must arrive within `request_limit_s` and must not exceed the sizes above."""

    def __init__(self, config: uvicorn.Config, *args: Any, **named: Any) -> None:  # noqa: ANN401 - Uvicorn's signature
        super().__init__(config, *args, **named)
        self._limit_s: float = getattr(config, "request_limit_s", DEFAULT_LIMIT_S)
        self._head_bytes = 0  # of the current request
        self._message_bytes = 0
        self._in_head = True
        self._arriving = False  # whether a request has begun but is not complete
        self._refused = False  # once refused, nothing more is read
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._is_upgraded = False  # to a socket

    # ---- receiving

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # Uvicorn's signature
        """Start the deadline of the first request."""
        super().connection_made(transport)
        self._start_timer("deadline", self._limit_s, self._on_deadline)

    def data_received(self, data: bytes) -> None:
        """Parse the data, heads in chunks so that one that is too long is refused early."""
        while data and not self._refused and not self._is_upgraded and not self.transport.is_closing():
            size = CHUNK_BYTES if self._in_head else len(data)
            chunk, data = data[:size], data[size:]
            self._head_bytes += len(chunk) if self._in_head else 0
            self._message_bytes += len(chunk)
            super().data_received(chunk)
            self._check_sizes()
        if self._refused or self._is_upgraded:
            return
        cycle = self._latest_cycle()
        if self._arriving or cycle is None or cycle.response_complete:
            self._start_timer("deadline", self._limit_s, self._on_deadline)
        else:
            self._cancel_timers("deadline")

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over to the protocol of sockets."""
        self._is_upgraded = True
        self._cancel_timers(*self._timers)
        super().handle_websocket_upgrade()

    def on_message_begin(self) -> None:
        """Note that a request has begun."""
        super().on_message_begin()
        self._arriving = True

    def on_header(self, name: bytes, value: bytes) -> None:
        """Accept a header; ignore trailers after a chunked body, which nothing reads."""
        if not self._in_head:
            return
        name = name.lower()
        if name == b"expect":
            super().on_header(name, value)
        else:
            self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        """Note that the head is complete; a body may follow."""
        self._in_head = False
        super().on_headers_complete()
        cycle = self._latest_cycle()
        if cycle is not None and cycle.transport is self.transport:  # a new one
            cycle.transport = cast("asyncio.Transport", LingeringTransport(self.transport, cycle))

    def on_message_complete(self) -> None:
        """Reset the counters for the next request."""
        super().on_message_complete()
        self._in_head, self._arriving = True, False
        self._head_bytes = self._message_bytes = 0

    def _check_sizes(self) -> None:
        if self._in_head and self._head_bytes > MAX_HEAD_BYTES:
            is_url = not self.headers
            self._refuse(HTTPStatus.REQUEST_URI_TOO_LONG if is_url else HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        elif self._message_bytes > MAX_MESSAGE_BYTES:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)

    # ---- deadlines

    def _start_timer(self, name: str, seconds: float, action: Callable[[], object]) -> None:
        """Start a timer, unless it is running."""
        if name not in self._timers:
            self._timers[name] = self.loop.call_later(seconds, action)

    def _cancel_timers(self, *names: str) -> None:
        for name in names:
            if timer := self._timers.pop(name, None):
                timer.cancel()

    def _on_deadline(self) -> None:
        del self._timers["deadline"]
        if self._head_bytes or self._arriving:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)
        else:  # nothing was sent, so there is nothing to answer
            self._hang_up()

    def _refuse(self, status: HTTPStatus) -> None:
        """Send the reason, unless another response is being sent, and hang up."""
        if self._refused or self.transport.is_closing():
            return
        self._stop_reading()
        if self._is_answering() or self.pipeline:
            self._hang_up()
            return
        if cycle := self._latest_cycle():  # wake the app if it waits for the rest of the request
            cycle.disconnected = True
            cycle.message_event.set()
        self.transport.write(_refusal_bytes(status))
        # Closing at once while more data arrives could lose the response before the client reads it.
        self.loop.call_later(LINGER_S, self._hang_up)

    def _stop_reading(self) -> None:
        self._refused = True
        self._cancel_timers("deadline")
        self.flow.pause_reading()

    def _is_answering(self) -> bool:
        """Whether the previous request is being answered, or this one before it is complete."""
        cycle = self._latest_cycle()
        if cycle is None or not cycle.response_started:
            return False
        return not cycle.response_complete or not self._in_head

    def _latest_cycle(self) -> RequestResponseCycle | None:
        """Return the latest request whose head is complete; Uvicorn's type omits None."""
        return cast("RequestResponseCycle | None", self.cycle)

    def _hang_up(self) -> None:
        """Close, and abort if the client does not read the rest in time."""
        if not self.transport.is_closing():
            self.transport.close()
        self._start_timer("abort", STALL_TIMEOUT_S, self.transport.abort)

    # ---- between requests

    def on_response_complete(self) -> None:
        """Wait for the next request, unless this one was refused before its long body was read."""
        cycle = self._latest_cycle()
        if cycle is not None and cycle.response_complete:  # it is not a later one, already waiting
            cycle.body, cycle.transport = bytearray(), self.transport  # freed without the garbage collector
            if lacks_long_body(cycle) and not self.transport.is_closing():
                self._stop_reading()  # reading the body would cost more than the refusal
                self.loop.call_later(LINGER_S, self._hang_up)
                return
        super().on_response_complete()

    # ---- slow clients

    def pause_writing(self) -> None:
        """Start the stall timer: the client reads too slowly."""
        super().pause_writing()
        self._start_timer("stall", STALL_TIMEOUT_S, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop the stall timer: the client has caught up."""
        super().resume_writing()
        self._cancel_timers("stall")

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timers, which would keep the connection and all that it has received in memory."""
        self._cancel_timers(*self._timers)
        super().connection_lost(exc)


def _refusal_bytes(status: HTTPStatus) -> bytes:
    """Return a refusal in the shape of every other error."""
    code = status.phrase.title().replace(" ", "").replace("-", "")
    body = f'{{"error":{{"code":"{code}","message":"{SENTENCES[status]}"}}}}'.encode()
    head = (
        f"HTTP/1.1 {status.value} {status.phrase}\r\n"
        "content-type: application/json\r\n"
        f"content-length: {len(body)}\r\n"
        "cache-control: no-store\r\n"
        "connection: close\r\n"
        "\r\n"
    )
    return head.encode() + body
