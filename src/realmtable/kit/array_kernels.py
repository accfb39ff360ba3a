"""Copy an array over another one, and count entries: in plain Python or in a kernel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from realmtable.kit.compile import is_compiling, kernel

Ints = NDArray[np.int64]


def copy_at_once(target: Ints, source: Ints) -> None:
    """Copy with one NumPy call: fast in plain Python, but compiling it takes longer than a whole search."""
    target[:] = source


def copy_each(target: Ints, source: Ints) -> None:
    """Copy one entry after the other, which compiles to the same machine code as a copy of memory."""
    for index in range(source.size):
        target[index] = source[index]


copy_array = kernel(copy_each) if is_compiling() else copy_at_once


@kernel
def count_key(array: Ints, first: int, count: int, key: int) -> int:
    """Count how often `key` occurs in the `count` entries starting at `first`."""
    found = 0
    for entry in range(first, first + count):
        found += 1 if array[entry] == key else 0
    return found
