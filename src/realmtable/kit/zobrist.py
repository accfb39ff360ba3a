"""Random numbers for Zobrist hashing, the same on every machine for ever: positions are written with them."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray


def random_keys(label: str, *shape: int) -> NDArray[np.int64]:
    """An array of random numbers that follow from a label alone."""
    count = int(np.prod(shape))
    stream = hashlib.shake_256(label.encode()).digest(8 * count)
    return np.frombuffer(stream, dtype="<i8").astype(np.int64).reshape(shape)
