"""Counts the calls of functions that a piece of work makes, which are the same on every machine however busy it is."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

Answer = TypeVar("Answer")


def count_calls(work: Callable[[], Answer]) -> tuple[Answer, int]:
    """Return what a function returns, and how many calls of functions it makes, itself included."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        answer = work()
    finally:
        sys.setprofile(before)
    return answer, calls - 1  # without the call that ends the counting
