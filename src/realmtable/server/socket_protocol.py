"""What Uvicorn's protocol of sockets lacks: a window that fits scenes, and bounds for clients that misbehave."""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory
from websockets.frames import CloseCode, Frame
from websockets.server import ServerProtocol

MAX_MESSAGE: Final = 8 * 1024  # bytes that a client may send at once
MAX_WAITING: Final = 50  # messages, and frames of one message
MAX_CONTROL_FRAMES: Final = 50  # that a client may send between two of our pings
SLICE: Final = 4 * 1024  # bytes that are parsed before the bounds are checked
PING_S: Final = 20.0
# 8 KiB: a change repeats much of the one before. Larger windows compress little better and take more memory.
COMPRESSION: Final = ServerPerMessageDeflateFactory(
    server_max_window_bits=13, client_max_window_bits=12, compress_settings={"memLevel": 5}
)


class SocketProtocol(WebSocketsSansIOProtocol):
    """One socket."""

    def __init__(self, *args: Any, **named: Any) -> None:  # noqa: ANN401 - Uvicorn's signature
        super().__init__(*args, **named)
        self.conn = ServerProtocol(
            extensions=[COMPRESSION], max_size=MAX_MESSAGE, logger=logging.getLogger("uvicorn.error")
        )
        self._control_frames = 0  # since our latest ping
        self._abort_timer: asyncio.TimerHandle | None = None

    # ---- clients that send too much

    def data_received(self, data: bytes) -> None:
        """Parse the data in slices."""
        for start in range(0, len(data), SLICE):
            if not self.transport.is_closing():
                super().data_received(data[start : start + SLICE])

    def handle_text(self, event: Frame) -> None:
        """Refuse a client that does not wait for answers."""
        if self.queue.qsize() >= MAX_WAITING:
            self._refuse("Too many messages at once.")
        else:
            super().handle_text(event)

    def handle_cont(self, event: Frame) -> None:
        """Refuse messages in too many frames."""
        if len(self.frames) >= MAX_WAITING:
            self._refuse("Too many frames in one message.")
        else:
            super().handle_cont(event)

    def handle_ping(self) -> None:
        """Answer a ping."""
        super().handle_ping()
        self._count_control_frame()

    def handle_pong(self, event: Frame) -> None:
        """Note the answer to our ping."""
        super().handle_pong(event)
        self._count_control_frame()

    def send_keepalive_ping(self) -> None:
        """Send a ping."""
        self._control_frames = 0
        super().send_keepalive_ping()

    def _count_control_frame(self) -> None:
        self._control_frames += 1
        if self._control_frames > MAX_CONTROL_FRAMES:
            self._refuse("Too many pings.")

    def _refuse(self, reason: str) -> None:
        if not self.close_sent:
            self.conn.fail(CloseCode.POLICY_VIOLATION, reason)
            self.handle_parser_exception()

    # ---- clients that read nothing

    def pause_writing(self) -> None:
        """Read nothing from a client that does not read, or the answers to its pings would pile up."""
        super().pause_writing()
        self.transport.pause_reading()

    def resume_writing(self) -> None:
        """Read again, unless messages wait."""
        super().resume_writing()
        if not self.read_paused:
            self.transport.resume_reading()

    def keepalive_timeout(self) -> None:
        """Drop a connection whose client has not answered: what it has not read would be kept until it is closed."""
        super().keepalive_timeout()
        self.transport.abort()

    def handle_close(self, event: Frame) -> None:
        """Close, if necessary without the client."""
        super().handle_close(event)
        self._abort_soon()

    def handle_parser_exception(self) -> None:
        """Close, if necessary without the client."""
        super().handle_parser_exception()
        self._abort_soon()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """Close, if necessary without the client."""
        super().on_task_complete(task)
        self._abort_soon()

    def _abort_soon(self) -> None:
        """Drop the connection if the client does not read what is left in time."""
        if self._abort_timer is None and not self.disconnected:
            self._abort_timer = self.loop.call_later(PING_S, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timer, which would keep the connection in memory."""
        if self._abort_timer is not None:
            self._abort_timer.cancel()
        super().connection_lost(exc)
