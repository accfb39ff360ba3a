"""Refuses more games than there is memory for, before any array is created."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import numpy as np

from realmtable.engine.errors import BadInput
from realmtable.gpu.backends import Backend, make_batch, make_step_outputs
from realmtable.gpu.cpu_backend import CpuBackend
from realmtable.kit.rules import Position, Rules

GIGABYTE: Final = 10**9


def count_bytes(rules: Rules, start: Position, facts: dict[str, Any], columns: tuple[int, int, int]) -> int:
    """Return the memory that the arrays of one game take."""
    backend = CpuBackend(rules)
    actions, batch = make_batch(backend, 1, start, facts)
    arrays = [actions, *batch[:-1], *make_step_outputs(backend, 1, columns)]
    return int(sum(np.asarray(array).nbytes for array in arrays) - start.nbytes)


def check_memory(backend: Backend, title: str, count: int, bytes_per_game: int) -> None:
    """Raise `BadInput` if the arrays of `count` games need more memory than is free."""
    free, needed = backend.find_free_memory(), count * bytes_per_game
    if free is not None and needed > free:
        raise BadInput(
            f"{count:,} games of {title} need {needed / GIGABYTE:,.1f} GB of memory, "
            f"but only {free / GIGABYTE:,.1f} GB are free; create fewer."
        )


@contextmanager
def refuse_without_memory(title: str, count: int) -> Iterator[None]:
    """Turn a `MemoryError` into `BadInput`: `check_memory` cannot always know how much is free."""
    try:
        yield
    except MemoryError as error:
        raise BadInput(f"There is not enough memory for {count:,} games of {title}; create fewer.") from error
