"""When Python looks for cyclic garbage in the server: rarely, as long as there is none.

Each collection of new objects visits everything that moves have added to memory. Moves leave no cyclic garbage, so
under a load of moves these visits find nothing, take a twentieth of the processor time, and make other moves wait.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

# New objects, and collections of younger ones, before each generation's collection.
THRESHOLDS: Final = (1_000, 2_500, 1_000)
FEW_OBJECTS: Final = 20  # a collection that finds no more than this many is not worth its time
SKIPPED_IN_A_ROW: Final = 15  # collections after one that found few objects
MAX_SKIPPED: Final = 20_000  # collections, before everything is collected


class SparingCollector:
    """Skips most collections of new objects while they find next to nothing.

    To skip one, it freezes all objects, which takes no time: the collection that follows has nothing to visit. Frozen
    objects are freed as usual when nothing refers to them any more. Those in a cycle stay until everything is
    collected, after `MAX_SKIPPED` skipped collections. With a thousand tables that may take a second, and happens once
    in several hundred thousand moves.
    """

    def __init__(self) -> None:
        self._left_to_skip = 0  # before the next real collection
        self._skipped = 0  # since everything was collected
        self._is_skipping = False  # whether the current collection is being skipped

    def start(self) -> None:
        """Freeze the objects that exist, which are permanent, and begin to skip collections."""
        gc.collect()
        gc.freeze()
        gc.set_threshold(*THRESHOLDS)
        gc.callbacks.append(self.on_collection)

    def on_collection(self, phase: str, info: Mapping[str, Any]) -> None:
        """Handle the start and the end of a collection, as Python reports them."""
        if info["generation"] != 0:
            return
        if phase == "start":
            self._is_skipping = self._left_to_skip > 0
            if self._is_skipping:
                gc.freeze()
        elif self._is_skipping:
            self._left_to_skip -= 1
            self._skipped += 1
            if self._skipped >= MAX_SKIPPED:
                self._collect_all_soon()
        elif info["collected"] <= FEW_OBJECTS:
            self._left_to_skip = SKIPPED_IN_A_ROW

    def _collect_all_soon(self) -> None:
        """Have the event loop collect everything, since no collection can begin inside another."""
        with suppress(RuntimeError):  # in a thread without an event loop: after a later collection
            asyncio.get_running_loop().call_soon(self.collect_all)
            self._skipped = 0

    @staticmethod
    def collect_all() -> None:
        """Collect all cyclic garbage, and freeze what is left."""
        gc.unfreeze()
        gc.collect()
        gc.freeze()
