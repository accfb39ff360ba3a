"""Limits that the HTTP parser lacks: the size of the head and of the whole request, and the time it may take.

Uvicorn with httptools accepts headers of any length, waits forever for the rest of a request, and buffers responses
that a client does not read. `LimitedProtocol` refuses or disconnects such clients.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any, Final, cast

import uvicorn
from starlette.types import ASGIApp, Scope
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from realmtable.server import request_head_cache
from realmtable.server.logs import find_header
from realmtable.server.request_head_cache import CachedRequestHead, cache_head, read_cacheable_head

MAX_HEAD_BYTES: Final = 32 * 1024  # the request line and all headers
CHUNK_BYTES: Final = 8 * 1024  # how much of a head is parsed between size checks
MAX_MESSAGE_BYTES: Final = 4 * 1024 * 1024  # a whole request: twice the largest body, for the overhead of small chunks
STALL_TIMEOUT_S: Final = 60.0  # how long a client may read nothing while data is waiting
DISCARDED_BYTES: Final = 64 * 1024
LINGER_S: Final = 1.0  # how long a client has to read the response to a refused request
DEFAULT_LIMIT_S: Final = 30.0
RESPONSE_WRITER: Final = "realmtable.response_writer"  # in the scope of a request: its `ResponseWriter`

SENTENCES: Final = {
    HTTPStatus.REQUEST_TIMEOUT: "The request took too long to arrive; send it again.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The request is too large.",
    HTTPStatus.REQUEST_URI_TOO_LONG: f"The address is too long; the limit is {MAX_HEAD_BYTES:,} characters.",
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: f"The headers are too large; the limit is {MAX_HEAD_BYTES:,} bytes.",
}


class LimitedConfig(uvicorn.Config):
    """Uvicorn's configuration plus the time that a request may take to arrive."""

    request_limit_s: float = DEFAULT_LIMIT_S


def lacks_long_body(cycle: RequestResponseCycle) -> bool:
    """Whether the body of a request has not arrived completely, and is too long to read it only to discard it."""
    length = find_header(cast("Scope", cycle.scope), b"content-length")
    return cycle.more_body and (length is None or int(length) > DISCARDED_BYTES)


class DefaultHeaders:
    """The headers that Uvicorn adds to every response, as lines; it makes a new list every second."""

    def __init__(self) -> None:
        self._headers: list[tuple[bytes, bytes]] = []
        self._lines = b""

    def format(self, headers: list[tuple[bytes, bytes]]) -> bytes:
        """Return the headers as lines."""
        if headers is not self._headers:
            self._lines = b"".join([b"%b: %b\r\n" % pair for pair in headers])
            self._headers = headers
        return self._lines


_DEFAULT_HEADERS: Final = DefaultHeaders()


class ResponseWriter:
    """Writes the head of a response together with the beginning of its body, which saves sending a packet.

    It is the transport of one response, with the methods that Uvicorn uses there. Two more methods write what is sent
    most often without ASGI messages, each of which costs a dozen calls.
    """

    def __init__(
        self,
        transport: asyncio.Transport,
        loop: asyncio.AbstractEventLoop,
        cycle: RequestResponseCycle,
        received: bytes = b"",
        heads: list[CachedRequestHead] | None = None,
    ) -> None:
        self._transport, self._loop, self._cycle = transport, loop, cycle
        self._head = b""
        self._received = received  # the data that the request begins with, if it is short
        self._heads = heads  # those that the connection knows
        self.is_closing = transport.is_closing

    def handle_repeats(self, app: ASGIApp) -> None:
        """Have `app` handle later requests of this connection with the same head, apart from the body's length."""
        cycle = self._cycle
        if self._heads is None or not self._received or not cycle.keep_alive:
            return
        head = read_cacheable_head(self._received, cast("Any", cycle.scope), app)
        if head is not None:
            cache_head(self._heads, head)

    def write_response(self, headers: bytes, body: bytes) -> bool:
        """Write a whole response with the status 200; `headers` are lines that include the body's length.

        Return False, with nothing written, if that must wait for the client or anything else is unusual.
        """
        cycle = self._cycle
        if self._head or cycle.response_started or cycle.disconnected:
            return False
        if not cycle.keep_alive or cycle.flow.write_paused:
            return False
        cycle.response_started = cycle.response_complete = True
        cycle.waiting_for_100_continue = False
        default = _DEFAULT_HEADERS.format(cycle.default_headers)
        self._transport.write(b"HTTP/1.1 200 OK\r\n%b%b\r\n%b" % (default, headers, body))
        cycle.message_event.set()
        cycle.on_response()
        return True

    def can_write_chunk(self) -> bool:
        """Whether `write_chunk` would write something now."""
        cycle = self._cycle
        if self._head or not cycle.chunked_encoding or cycle.response_complete:
            return False
        return not cycle.disconnected and not cycle.flow.write_paused

    def write_chunk(self, data: bytes) -> bool:
        """Write a part of a streamed response. Return False, with nothing written, as `write_response` does.

        An empty part is not written either: as a chunk it would end the response.
        """
        if not data or not self.can_write_chunk():
            return False
        self._transport.write(b"%x\r\n%b\r\n" % (len(data), data))
        return True

    def write(self, data: bytes) -> None:
        """Write data; a head waits for the body, but not longer than the event loop takes to come round."""
        if data.startswith(b"HTTP/") and not self._head:
            self._head = data
            self._loop.call_soon(self._flush)
            return
        head, self._head = self._head, b""
        self._transport.write(head + data if head else data)

    def lacks_long_body(self) -> bool:
        """Whether a long body has not arrived completely."""
        return lacks_long_body(self._cycle)

    def close(self) -> None:
        """Close the connection after writing everything; if a long body is missing, the protocol does it later."""
        self._flush()
        if not self.lacks_long_body():
            self._transport.close()

    def _flush(self) -> None:
        head, self._head = self._head, b""
        if head and not self._transport.is_closing():
            self._transport.write(head)


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
        self._deadline_timer: asyncio.TimerHandle | None = None
        self._stall_timer: asyncio.TimerHandle | None = None
        self._abort_timer: asyncio.TimerHandle | None = None
        self._idle_timer: asyncio.TimerHandle | None = None
        self._idle_since: float | None = None  # a time of the event loop; None while a request arrives or is answered
        self._received = b""  # what the current request begins with, if it is short
        self._heads: list[CachedRequestHead] = []  # whose requests need not be parsed

    # ---- receiving

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # Uvicorn's signature
        """Start the deadline of the first request."""
        super().connection_made(transport)
        self._set_deadline()

    def data_received(self, data: bytes) -> None:
        """Parse the data, heads in chunks so that one that is too long is refused early."""
        if not self._head_bytes and not self._arriving:  # a request begins
            if self._heads and self._start_with_cached_head(data):
                return
            self._received = data if len(data) <= request_head_cache.MAX_BYTES else b""
        else:
            self._received = b""  # a later request in this data must not be taken for an earlier one
        while data and not self._refused and not self.transport.is_closing():
            size = CHUNK_BYTES if self._in_head else len(data)
            chunk, data = data[:size], data[size:]
            self._head_bytes += len(chunk) if self._in_head else 0
            self._message_bytes += len(chunk)
            super().data_received(chunk)
            self._check_sizes()
        if self._refused:
            return
        cycle = self._latest_cycle()
        if self._arriving or cycle is None or cycle.response_complete:
            self._set_deadline()
        else:
            self._cancel_deadline()

    def _start_with_cached_head(self, data: bytes) -> bool:
        """Start to handle a request whose head is cached; return False, with nothing done, if it must be parsed."""
        if self._refused or self.transport.is_closing() or self.pipeline:
            return False
        previous = self._latest_cycle()
        if previous is not None and not previous.response_complete:
            return False
        for head in self._heads:
            body = head.body_in(data)
            if body is not None:
                self._cancel_deadline()
                self._unset_keepalive_if_required()
                self._received = data
                self._start_request(head, body)
                return True
        return False

    def _start_request(self, head: CachedRequestHead, body: bytes) -> None:
        scope = head.make_scope(body, self.app_state.copy())
        self.cycle = cycle = RequestResponseCycle(
            scope=cast("Any", scope),
            transport=self.transport,
            flow=self.flow,
            logger=self.logger,
            access_logger=self.access_logger,
            access_log=self.access_log,
            default_headers=self.server_state.default_headers,
            message_event=asyncio.Event(),
            expect_100_continue=False,
            keep_alive=True,
            on_response=self.on_response_complete,
        )
        cycle.body += body
        cycle.more_body = False
        cycle.message_event.set()
        self._add_writer(cycle)
        self._start_asgi_task(cycle, cast("Any", head.app))

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
            self._add_writer(cycle)

    def _add_writer(self, cycle: RequestResponseCycle) -> None:
        writer = ResponseWriter(self.transport, self.loop, cycle, self._received, self._heads)
        cycle.transport = cast("asyncio.Transport", writer)
        cycle.scope[RESPONSE_WRITER] = writer  # type: ignore[typeddict-unknown-key]  # an addition to ASGI

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

    def _set_deadline(self) -> None:
        if self._deadline_timer is None:
            self._deadline_timer = self.loop.call_later(self._limit_s, self._on_deadline)

    def _cancel_deadline(self) -> None:
        if self._deadline_timer is not None:
            self._deadline_timer.cancel()
            self._deadline_timer = None

    def _on_deadline(self) -> None:
        self._deadline_timer = None
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
        self._cancel_deadline()
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
        if self._abort_timer is None:
            self._abort_timer = self.loop.call_later(STALL_TIMEOUT_S, self.transport.abort)

    # ---- idle connections

    def on_response_complete(self) -> None:
        """Wait for the next request. Unlike in Uvicorn, one timer serves many waits, since most end long before it."""
        self.server_state.total_requests += 1
        cycle = self._latest_cycle()
        if cycle is not None and not cycle.response_complete:  # it is a later one, already waiting
            cycle = None
        if cycle is not None:  # free it without the garbage collector
            cycle.body = bytearray()
            cycle.transport = self.transport
            cycle.scope.pop(RESPONSE_WRITER, None)  # type: ignore[typeddict-item]  # as in `_add_writer`
        if self.transport.is_closing():
            return
        if cycle is not None and lacks_long_body(cycle):
            # Refused before its body was read, and reading the rest would cost more than the refusal.
            self._stop_reading()
            self.loop.call_later(LINGER_S, self._hang_up)
            return
        self.flow.resume_reading()
        if self.pipeline:
            self._start_asgi_task(*self.pipeline.pop())
            return
        self._idle_since = self.loop.time()
        if self._idle_timer is None:
            self._idle_timer = self.loop.call_later(self.timeout_keep_alive, self._check_idle)

    def _unset_keepalive_if_required(self) -> None:
        """Note that the connection is not idle any more. Uvicorn calls this when data arrives."""
        self._idle_since = None

    def _check_idle(self) -> None:
        """Hang up when a kept-alive connection has been idle for too long."""
        self._idle_timer = None
        if self._idle_since is None:
            return
        left_s = self._idle_since + self.timeout_keep_alive - self.loop.time()
        if left_s > 0:
            self._idle_timer = self.loop.call_later(left_s, self._check_idle)
        else:
            self._hang_up()

    # ---- slow clients

    def pause_writing(self) -> None:
        """Start the stall timer: the client reads too slowly."""
        super().pause_writing()
        if self._stall_timer is None:
            self._stall_timer = self.loop.call_later(STALL_TIMEOUT_S, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop the stall timer: the client has caught up."""
        super().resume_writing()
        self._cancel_stall_timer()

    def _cancel_stall_timer(self) -> None:
        if self._stall_timer is not None:
            self._stall_timer.cancel()
            self._stall_timer = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timers, which would keep the connection and all that it has received in memory."""
        self._cancel_deadline()
        self._cancel_stall_timer()
        for timer in (self._idle_timer, self._abort_timer):
            if timer is not None:
                timer.cancel()
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
