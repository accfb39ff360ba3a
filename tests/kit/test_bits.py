"""Bit sets."""

from __future__ import annotations

from realmtable.kit.bits import count_bits


def test_bits_are_counted() -> None:
    assert [count_bits(mask) for mask in (0, 1, 0b1011, 0xFF, 0xFFFF, 1 << 52 | 1)] == [0, 1, 3, 8, 16, 2]
