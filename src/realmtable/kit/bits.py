"""Sets as bits of a whole number, for kernels."""

from __future__ import annotations

from realmtable.kit.compile import kernel


@kernel
def count_bits(mask: int) -> int:
    """How many bits are set.

    >>> count_bits(0b1011)
    3
    """
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count
