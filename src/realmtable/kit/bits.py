"""Bit sets stored in integers, for kernels."""

from __future__ import annotations

from realmtable.kit.compile import kernel


@kernel
def count_bits(mask: int) -> int:
    """Return the number of bits that are set.

    >>> count_bits(0b1011)
    3
    """
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count
