"""A small memory of what was looked up a moment ago, so that a busy server need not ask its database each time."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class TtlCache(Generic[Key, Value]):
    """Keeps the latest `size` values for `seconds` each.

    `put` takes the `epoch` that was read before the value was looked up: if anything has been forgotten since, the
    value may be what was to be forgotten, and is not kept.
    """

    def __init__(self, size: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.epoch = 0
        self._size, self._seconds, self._clock = size, seconds, clock
        self._entries: OrderedDict[Key, tuple[Value, float]] = OrderedDict()

    def get(self, key: Key) -> Value | None:
        """The value, unless it is absent or too old."""
        value, until = self._entries.get(key, (None, 0.0))
        if value is None or until <= self._clock():
            self._entries.pop(key, None)
            return None
        self._entries.move_to_end(key)
        return value

    def put(self, key: Key, value: Value, epoch: int) -> None:
        """Keep a value that was looked up at that epoch."""
        if epoch != self.epoch:
            return
        self._entries[key] = (value, self._clock() + self._seconds)
        self._entries.move_to_end(key)
        if len(self._entries) > self._size:
            self._entries.popitem(last=False)

    def forget(self, key: Key) -> None:
        """Forget one value at once."""
        self.epoch += 1
        self._entries.pop(key, None)

    def forget_where(self, unwanted: Callable[[Value], bool]) -> None:
        """Forget every value that answers to this."""
        self.epoch += 1
        for key in [key for key, (value, _) in self._entries.items() if unwanted(value)]:
            del self._entries[key]
