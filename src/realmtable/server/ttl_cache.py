"""A small cache of recent lookups, so that a busy server does not query its database every time."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class TtlCache(Generic[Key, Value]):
    """Keeps the `size` most recently used values, each for `seconds`.

    Read `epoch` before looking a value up and pass it to `put`. If anything was forgotten in the meantime, the value
    may be outdated, and `put` ignores it.
    """

    def __init__(self, size: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.epoch = 0
        self._size, self._seconds, self._clock = size, seconds, clock
        self._entries: OrderedDict[Key, tuple[Value, float]] = OrderedDict()

    def get(self, key: Key) -> Value | None:
        """Return the value, or None if it is missing or expired."""
        found = self._entries.get(key)
        if found is None:
            return None
        if found[1] <= self._clock():
            del self._entries[key]
            return None
        self._entries.move_to_end(key)
        return found[0]

    def put(self, key: Key, value: Value, epoch: int) -> None:
        """Store a value that was looked up at the given epoch."""
        if epoch != self.epoch:
            return
        self._entries[key] = (value, self._clock() + self._seconds)
        self._entries.move_to_end(key)
        if len(self._entries) > self._size:
            self._entries.popitem(last=False)

    def forget(self, key: Key) -> None:
        """Forget the value of a key."""
        self.epoch += 1
        self._entries.pop(key, None)

    def forget_where(self, unwanted: Callable[[Value], bool]) -> None:
        """Forget every value for which `unwanted` returns true."""
        self.epoch += 1
        for key in [key for key, (value, _) in self._entries.items() if unwanted(value)]:
            del self._entries[key]
