"""Who tells whom that a table has a new version: within one process, or through Redis between several.

A message is a hint to look at the database, nothing more. It may come twice, late or after a newer one; what may not
happen is that somebody waits for a hint that was lost: after every gap all listeners hear `EVERYTHING`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

import structlog

Listener: TypeAlias = Callable[[str, str], None]

# The channel that stands for all: messages may have been missed, so look at whatever you follow.
EVERYTHING = "*"

log = structlog.get_logger(__name__)


class Fanout(Protocol):
    """Tells every process of the server what one of them has stored."""

    async def publish(self, channel: str, message: str) -> None:
        """Tell everybody. Never fails and never waits for the network: what is told is stored already."""

    def listen(self, callback: Listener) -> None:
        """Call `callback(channel, message)` on the event loop for every message, our own included."""

    async def start(self) -> None:
        """Begin to hear other processes."""

    async def close(self) -> None:
        """Tell what is still to be told, then stop."""


class MemoryFanout:
    """The fan-out of a server that is one process."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    async def publish(self, channel: str, message: str) -> None:
        """Tell the listeners of this process, before this returns."""
        self.notify(channel, message)

    def listen(self, callback: Listener) -> None:
        """Call `callback(channel, message)` for every message from now on."""
        self._listeners.append(callback)

    async def start(self) -> None:
        """Nothing to begin."""

    async def close(self) -> None:
        """Nothing to stop."""

    def notify(self, channel: str, message: str) -> None:
        """Tell each listener; one that fails keeps nothing from the others."""
        for listener in self._listeners:
            try:
                listener(channel, message)
            except Exception:
                log.exception("a listener failed", channel=channel)
