"""Writes log lines in groups, since under load the system takes longer to write a line than we take to format it."""

from __future__ import annotations

import asyncio
import atexit
import io
from collections import deque
from contextlib import suppress
from typing import TextIO


class BatchedLines(io.TextIOBase):
    """A file whose lines are written once per round of the event loop; outside an event loop, at once."""

    def __init__(self, target: TextIO) -> None:
        super().__init__()
        self._target = target
        self._waiting: deque[str] = deque()  # any thread may add lines, or write them
        self._writes_on: asyncio.AbstractEventLoop | None = None  # the loop that will write them
        atexit.register(self.write_waiting)

    def isatty(self) -> bool:
        """Whether the lines appear in a terminal."""
        return self._target.isatty()

    def write(self, text: str) -> int:
        """Add a line."""
        self._waiting.append(text)
        return len(text)

    def flush(self) -> None:
        """Write all lines, at the end of the current round if there is an event loop."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self.write_waiting()
            return
        if self._writes_on is not loop:
            self._writes_on = loop
            loop.call_soon(self.write_waiting)

    def write_waiting(self) -> None:
        """Write all lines now."""
        self._writes_on = None
        lines = []
        with suppress(IndexError):  # there are no more
            while True:
                lines.append(self._waiting.popleft())
        with suppress(OSError):  # no one reads it, or the disk is full; reporting that would write here again
            self._target.write("".join(lines))
            self._target.flush()
