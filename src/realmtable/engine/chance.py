"""Fair dice: every draw follows from a seed by a published rule, and the seed is committed to before the first one.

The hash of the seed is shown when a match starts, the seed when it has ended; anybody can then draw again and compare.
The rule uses SHA-256 only, so that it gives the same draws on every machine and in every year.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence

MAX_SEED_LENGTH = 200


def commitment(seed: str) -> str:
    """The hash that binds a table to its seed.

    >>> commitment("7")[:16]
    'd06de1fa44cbd5ce'
    """
    return hashlib.sha256(f"realmtable seed {seed}".encode()).hexdigest()


def matches_commitment(seed: str, promised: str) -> bool:
    """Whether a seed is the one that was promised."""
    return hmac.compare_digest(commitment(seed).encode(), promised.lower().encode())


def draw(seed: str, index: int, weights: Sequence[int]) -> int:
    """Which of the weighted outcomes the draw with this index (0, 1, …) gives.

    >>> [draw("7", index, [1, 1, 1, 1, 1, 1]) + 1 for index in range(8)]
    [1, 3, 1, 1, 5, 4, 6, 6]
    """
    if sum(weights) <= 0 or min(weights) < 0:
        raise ValueError("weights must be whole numbers, none negative, with a positive sum")
    pick = _uniform_below(sum(weights), f"realmtable draw {index} of {seed}")
    outcome = 0
    while pick >= weights[outcome]:
        pick -= weights[outcome]
        outcome += 1
    return outcome


def _uniform_below(limit: int, label: str) -> int:
    """A number from 0 to limit - 1, each equally likely: hashes beyond the last whole multiple are drawn again."""
    attempt = 0
    while True:
        value = int.from_bytes(hashlib.sha256(f"{label}, try {attempt}".encode()).digest(), "big")
        if value < 2**256 - 2**256 % limit:
            return value % limit
        attempt += 1
