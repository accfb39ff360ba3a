"""Tasks for workers, which import them by name."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import NamedTuple

from realmtable.engine.errors import BadInput


def double(number: int) -> int:
    return 2 * number


def sleep_and_double(number: int) -> int:
    """Double a number; small numbers take longest, so that they do not finish in order."""
    time.sleep(max(0.0, 0.2 - number / 20))
    return 2 * number


class Marked(NamedTuple):
    """A number to double, and a folder in which each start of the task leaves a file with the worker's process id."""

    number: int
    folder: str


def mark_and_double(task: Marked) -> int:
    Path(task.folder, f"{task.number}.{os.getpid()}.{time.monotonic_ns()}").touch()
    time.sleep(0.05)
    return 2 * task.number


def die_once(task: Marked) -> int:
    """End the worker's process at the first start of a task."""
    mark = Path(task.folder, str(task.number))
    if not mark.exists():
        mark.touch()
        os._exit(3)
    return 2 * task.number


def die(_: int) -> int:
    os._exit(3)


def refuse(number: int) -> int:
    raise BadInput(f"Not {number}.")
