"""Verifiable dice: every draw follows from a seed by a published rule, and the seed is committed to in advance.

A match publishes the hash of its seed when it starts and the seed when it ends, so anyone can repeat the draws and
compare. The rule uses only SHA-256, so the draws never depend on the machine or the version.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence


def commitment(seed: str) -> str:
    """Return the hash that commits a table to its seed.

    >>> commitment("7")[:16]
    'd06de1fa44cbd5ce'
    """
    return hashlib.sha256(f"realmtable seed {seed}".encode()).hexdigest()


def matches_commitment(seed: str, expected: str) -> bool:
    """Whether a seed has this commitment."""
    return hmac.compare_digest(commitment(seed).encode(), expected.lower().encode())


def draw(seed: str, index: int, weights: Sequence[int]) -> int:
    """Return the weighted outcome of the draw with this index (0, 1, …).

    >>> [draw("7", index, [1, 1, 1, 1, 1, 1]) + 1 for index in range(8)]
    [1, 3, 1, 1, 5, 4, 6, 6]
    """
    if sum(weights) <= 0 or min(weights) < 0:
        raise ValueError("weights must be non-negative integers with a positive sum")
    pick = _uniform_below(sum(weights), f"realmtable draw {index} of {seed}")
    outcome = 0
    while pick >= weights[outcome]:
        pick -= weights[outcome]
        outcome += 1
    return outcome


def _uniform_below(limit: int, label: str) -> int:
    """Return a uniform number from 0 to limit - 1; hashes past the last multiple of `limit` are drawn again."""
    attempt = 0
    while True:
        value = int.from_bytes(hashlib.sha256(f"{label}, try {attempt}".encode()).digest(), "big")
        if value < 2**256 - 2**256 % limit:
            return value % limit
        attempt += 1
