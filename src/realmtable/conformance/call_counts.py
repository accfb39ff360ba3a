"""Counts the calls of functions that a piece of work makes, which are the same on every machine however busy it is."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, TypeVar

Answer = TypeVar("Answer")
ProfileFunction = Callable[[FrameType, str, Any], None]  # for `sys.setprofile`


def leave_out_slipcover(count: ProfileFunction) -> ProfileFunction:
    """Leave out the calls that SlipCover inserts into our code while it measures the coverage of the tests."""
    depth = 0  # its calls can contain others

    def count_others(frame: FrameType, event: str, argument: Any) -> None:  # noqa: ANN401 - as `sys.setprofile` calls it
        nonlocal depth
        if event.startswith("c_") and getattr(argument, "__module__", "") == "slipcover.probe":
            depth += 1 if event == "c_call" else -1
        elif not depth:
            count(frame, event, argument)

    return count_others


def count_calls(work: Callable[[], Answer]) -> tuple[Answer, int]:
    """Return what a function returns, and how many calls of functions it makes, itself included."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(leave_out_slipcover(count))
    try:
        answer = work()
    finally:
        sys.setprofile(before)
    return answer, calls - 1  # without the call that ends the counting
