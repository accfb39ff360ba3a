"""Bounds on requests that the HTTP parser does not have: the size of a head, of a whole message, and the time it takes.

Uvicorn with httptools would read a header of any length, wait for the rest of a request forever, and keep what a reader
does not take. `LimitedProtocol` refuses the first, ends the second, and lets such a reader go.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any, Final, cast

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

MAX_HEAD_BYTES: Final = 32 * 1024  # the request line and all headers
CHUNK_BYTES: Final = 8 * 1024  # how much of a head is parsed before its size is looked at
MAX_MESSAGE_BYTES: Final = 4 * 1024 * 1024  # a whole request; twice the largest body, for bodies sent in small pieces
STALL_TIMEOUT_S: Final = 60.0  # how long a reader may take nothing of what waits for it
LINGER_S: Final = 1.0  # how long a reader has to take the answer to a refused request
DEFAULT_LIMIT_S: Final = 30.0

SENTENCES: Final = {
    HTTPStatus.REQUEST_TIMEOUT: "The request took too long to arrive; send it again.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The request is too large.",
    HTTPStatus.REQUEST_URI_TOO_LONG: f"An address has at most {MAX_HEAD_BYTES:,} characters.",
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: f"All headers together have at most {MAX_HEAD_BYTES:,} bytes.",
}


class LimitedConfig(uvicorn.Config):
    """Uvicorn's configuration, with the time that a request may take to arrive."""

    request_limit_s: float = DEFAULT_LIMIT_S


class LimitedProtocol(HttpToolsProtocol):
    """One connection. A request must begin and arrive whole within `request_limit_s`, and within the sizes above."""

    def __init__(self, config: uvicorn.Config, *args: Any, **named: Any) -> None:  # noqa: ANN401 - as Uvicorn has them
        super().__init__(config, *args, **named)
        self._limit_s: float = getattr(config, "request_limit_s", DEFAULT_LIMIT_S)
        self._head_bytes = 0  # of the request that is arriving
        self._message_bytes = 0
        self._in_head = True
        self._arriving = False  # whether a request has begun to arrive and has not ended
        self._refused = False  # from then on nothing is read
        self._deadline_timer: asyncio.TimerHandle | None = None
        self._stall_timer: asyncio.TimerHandle | None = None

    # ---- what arrives

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as Uvicorn has it
        """Somebody has connected, and is to send something."""
        super().connection_made(transport)
        self._set_deadline()

    def data_received(self, data: bytes) -> None:
        """Parse what has come, a head in pieces, so that a long one is noticed before it is read."""
        while data and not self._refused and not self.transport.is_closing():
            size = CHUNK_BYTES if self._in_head else len(data)
            piece, data = data[:size], data[size:]
            self._head_bytes += len(piece) if self._in_head else 0
            self._message_bytes += len(piece)
            super().data_received(piece)
            self._check_sizes()
        if self._refused:
            return
        cycle = self._latest_cycle()
        if self._arriving or cycle is None or cycle.response_complete:
            self._set_deadline()
        else:
            self._cancel_deadline()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._arriving = True

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header; what follows a body in pieces is dropped, nobody reads it."""
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The head is there; a body may follow."""
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """A request has arrived whole; the next one may follow at once."""
        super().on_message_complete()
        self._in_head, self._arriving = True, False
        self._head_bytes = self._message_bytes = 0

    def _check_sizes(self) -> None:
        if self._in_head and self._head_bytes > MAX_HEAD_BYTES:
            is_url = not self.headers
            self._refuse(HTTPStatus.REQUEST_URI_TOO_LONG if is_url else HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        elif self._message_bytes > MAX_MESSAGE_BYTES:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)

    # ---- time

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
        else:  # nothing was sent, so nothing is answered
            self._hang_up()

    def _refuse(self, status: HTTPStatus) -> None:
        """Say why in one sentence, unless an answer is under way, and hang up."""
        if self._refused or self.transport.is_closing():
            return
        self._refused = True
        self._cancel_deadline()
        self.flow.pause_reading()
        if self._is_answering() or self.pipeline:
            self._hang_up()
            return
        if cycle := self._latest_cycle():  # whoever waits for the rest of the request is told that it will not come
            cycle.disconnected = True
            cycle.message_event.set()
        self.transport.write(_refusal_bytes(status))
        # To close at once while more arrives could take the answer away from its reader.
        self.loop.call_later(LINGER_S, self._hang_up)

    def _is_answering(self) -> bool:
        """Whether the request before this one is being answered, or this one although it has not arrived whole."""
        cycle = self._latest_cycle()
        if cycle is None or not cycle.response_started:
            return False
        return not cycle.response_complete or not self._in_head

    def _latest_cycle(self) -> RequestResponseCycle | None:
        """The latest request whose head has arrived, with its answer; Uvicorn's type has no None."""
        return cast("RequestResponseCycle | None", self.cycle)

    def _hang_up(self) -> None:
        """Close, and do not wait forever for a reader to take the rest."""
        if not self.transport.is_closing():
            self.transport.close()
        self.loop.call_later(STALL_TIMEOUT_S, self.transport.abort)

    def timeout_keep_alive_handler(self) -> None:
        """Nothing has come for a while after an answer."""
        self._hang_up()

    # ---- readers

    def pause_writing(self) -> None:
        """The reader takes less than is sent."""
        super().pause_writing()
        if self._stall_timer is None:
            self._stall_timer = self.loop.call_later(STALL_TIMEOUT_S, self.transport.abort)

    def resume_writing(self) -> None:
        """The reader has caught up."""
        super().resume_writing()
        self._cancel_stall_timer()

    def _cancel_stall_timer(self) -> None:
        if self._stall_timer is not None:
            self._stall_timer.cancel()
            self._stall_timer = None

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        self._cancel_deadline()
        self._cancel_stall_timer()
        super().connection_lost(exc)


def _refusal_bytes(status: HTTPStatus) -> bytes:
    """A refusal in the shape of every other one."""
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
