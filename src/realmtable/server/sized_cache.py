"""A cache of large values, limited by their size."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class SizedCache(Generic[Key, Value]):
    """The most recently used values, up to a total size; the latest stays, whatever its size."""

    def __init__(self, max_size: int, measure: Callable[[Value], int], max_count: float = float("inf")) -> None:
        self.max_size, self.max_count = max_size, max_count
        self.size = 0
        self._measure: Callable[[Any], int] = measure
        self._values: OrderedDict[Key, Value] = OrderedDict()  # the least recently used first

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: Key) -> Value | None:
        """Return a value, or None if it is not stored."""
        if (value := self._values.get(key)) is not None:
            self._values.move_to_end(key)
        return value

    def put(self, key: Key, value: Value) -> None:
        """Store a value; the least recently used ones make room for it."""
        if (old := self._values.pop(key, None)) is not None:
            self.size -= self._measure(old)
        self._values[key] = value
        self.size += self._measure(value)
        while len(self._values) > 1 and (self.size > self.max_size or len(self._values) > self.max_count):
            self.size -= self._measure(self._values.popitem(last=False)[1])

    def clear(self) -> None:
        """Forget all values."""
        self._values.clear()
        self.size = 0
