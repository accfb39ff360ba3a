"""Start and exit of worker processes. Must not import the rules before `prepare_worker` has set how they run."""

from __future__ import annotations

import multiprocessing
import os
import threading
from multiprocessing.connection import wait
from typing import Final

NICENESS: Final = 10  # people's requests come first


def prepare_worker(compiled: bool) -> None:
    """Prepare a worker, with the rules compiled or as plain Python.

    Interrupts are left to the parent, whose pool stops its workers.
    """
    os.environ["REALMTABLE_COMPILE"] = "1" if compiled else "0"
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    from realmtable.engine import registry  # noqa: PLC0415 - the rules read the switch above

    for info in registry.infos():
        registry.game(info.id)  # so that the first task does not wait for the import


def _end_with_parent() -> None:
    """Exit when the parent process dies, even if it is killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
