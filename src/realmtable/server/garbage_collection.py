"""When Python looks for cyclic garbage in the server: when memory has grown, and in idle moments.

By default Python looks again and again at all objects that were added to memory. Moves leave no cyclic garbage, so
under a load of moves that finds nothing, takes a twentieth of the processor time, and makes single moves wait. Here no
collection starts by itself. While the server is busy, everything is collected once its memory has grown by
`GROWTH_BYTES`; so garbage never takes up more than that. When it is idle, new objects are collected.
"""

from __future__ import annotations

import asyncio
import gc
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

CHECK_EVERY_S: Final = 0.1
GROWTH_BYTES: Final = 32 * 1024 * 1024
MANY_OBJECTS: Final = 1_000_000  # new ones; where the system does not say how much memory a process has
FEW_OBJECTS: Final = 2_000  # new ones that are worth an idle moment
IDLE_CHECKS: Final = 5  # in a row without many new objects: the server is idle
REST_FACTOR: Final = 20  # full collections take at most a twentieth of the time
MEMORY_FILE: Final = Path("/proc/self/statm")


def read_memory() -> int | None:
    """Return the bytes of memory that this process uses, or None if the system does not say."""
    try:
        return int(MEMORY_FILE.read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return None


class QuietCollector:
    """Collects garbage when memory has grown or the server is idle. Objects that exist at the start are never visited.

    It never freezes objects later, because it could not know whether they are garbage.
    """

    def __init__(self, read_memory: Callable[[], int | None] = read_memory) -> None:
        self._read_memory = read_memory
        self._memory = 0  # after the latest full collection
        self._objects = 0  # new ones at the latest check
        self._idle_checks = 0
        self._rests_until = 0.0

    async def run(self) -> None:
        """Replace Python's automatic collections until this is cancelled."""
        gc.collect()
        gc.freeze()  # what exists now is permanent
        gc.disable()
        self._memory = self._read_memory() or 0
        try:
            while True:
                await asyncio.sleep(CHECK_EVERY_S)
                self.check(time.monotonic())
        finally:
            gc.enable()
            gc.unfreeze()

    def check(self, now: float) -> None:
        """Collect garbage if it is time for it."""
        new_objects, memory = gc.get_count()[0], self._read_memory()
        has_grown = new_objects > MANY_OBJECTS if memory is None else memory > self._memory + GROWTH_BYTES
        is_busy = abs(new_objects - self._objects) > FEW_OBJECTS
        self._objects, self._idle_checks = new_objects, 0 if is_busy else self._idle_checks + 1
        if has_grown and now >= self._rests_until:
            gc.collect()
            self._memory = self._read_memory() or 0
            self._rests_until = now + REST_FACTOR * (time.monotonic() - now)
        elif self._idle_checks >= IDLE_CHECKS and new_objects > FEW_OBJECTS:
            gc.collect(1)
