"""Random numbers in kernels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from realmtable.kit.compile import kernel


@kernel
def next_random(stream: NDArray[np.uint64]) -> np.uint64:
    """Advance a xorshift stream and return its next number. `stream` has one element, which is never 0."""
    value = stream[0]
    value ^= value << np.uint64(13)
    value ^= value >> np.uint64(7)
    value ^= value << np.uint64(17)
    stream[0] = value
    return np.uint64(value)


@kernel
def random_below(stream: NDArray[np.uint64], count: int) -> int:
    """Return a random number from 0 to count - 1."""
    return int(next_random(stream) % np.uint64(count))
