"""Notifies listeners of new versions of tables: within one process, or through Redis between several.

A message says that something was stored, and may contain it to save reading the database. It may arrive twice, late or
out of order. Because no listener may wait for a message that was lost, all listeners receive `EVERYTHING` after every
gap.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import structlog

Listener: TypeAlias = Callable[[str, str], None]

# The channel that stands for all channels: messages may have been missed.
EVERYTHING = "*"

log = structlog.get_logger(__name__)


class Fanout:
    """The fan-out for a single process. `RedisFanout` notifies all processes of what one of them has stored."""

    def __init__(self) -> None:
        self._listeners: list[tuple[tuple[str, ...], Listener]] = []

    @property
    def reaches_others(self) -> bool:
        """Whether other processes can receive messages now."""
        return False

    async def publish(self, channel: str, message: str) -> None:
        """Notify the listeners of all processes, those of this one before returning.

        Never fails and never waits for the network.
        """
        self.notify(channel, message)

    def listen(self, callback: Listener, *kinds: str) -> None:
        """Call `callback(channel, message)` on the event loop for messages, including this process's own.

        `kinds` are the beginnings of channels up to their colon, such as "table:"; without any, it gets all messages.
        `EVERYTHING` is for all listeners.
        """
        self._listeners.append((kinds, callback))

    async def start(self) -> None:
        """Start sending to and receiving from other processes, if there are any."""

    async def close(self) -> None:
        """Send the remaining messages to other processes, then stop."""

    def notify(self, channel: str, message: str) -> None:
        """Call each listener; the failure of one does not affect the others."""
        kind = channel[: channel.find(":") + 1] or channel
        for kinds, listener in self._listeners:
            if kinds and kind not in kinds and channel != EVERYTHING:
                continue
            try:
                listener(channel, message)
            except Exception:
                log.exception("a listener failed", channel=channel)
