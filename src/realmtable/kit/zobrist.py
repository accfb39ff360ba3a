"""Random keys for Zobrist hashing. They must never change: written positions contain hashes made from them."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray


def random_keys(label: str, *shape: int) -> NDArray[np.int64]:
    """Return an array of random numbers that depend only on the label."""
    count = int(np.prod(shape))
    stream = hashlib.shake_256(label.encode()).digest(8 * count)
    return np.frombuffer(stream, dtype="<i8").astype(np.int64).reshape(shape)
