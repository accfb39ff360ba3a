"""How a worker process begins and ends. Nothing of the rules is imported here before it is known how they shall run."""

from __future__ import annotations

import multiprocessing
import os
import threading
from multiprocessing.connection import wait
from typing import Final

NICENESS: Final = 10  # people's requests come first


def prepare_worker(compiled: bool) -> None:
    """Make a worker ready, with the rules compiled or as plain Python.

    Interrupts are for the parent, which ends its workers itself: the pool sees to that.
    """
    os.environ["REALMTABLE_COMPILE"] = "1" if compiled else "0"
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    from realmtable.engine import registry  # noqa: PLC0415 - the rules read the switch above

    for info in registry.infos():
        registry.game(info.id)  # so that no question waits for it


def _end_with_parent() -> None:
    """End this process when its parent dies, however suddenly."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
