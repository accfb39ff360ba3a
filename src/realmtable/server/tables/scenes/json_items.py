"""Lists of plain data that are kept as JSON from version to version, and grow at their end.

Encoding a list again visits every object in it. Of a thousand tables, most objects are not in the processor's cache, so
that takes several times as long as copying the bytes.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import orjson


class JsonItems(NamedTuple):
    """The items of a JSON list, each with a comma in front of it."""

    data: bytes
    lengths: array[int]  # of the items, with their commas

    def cut(self, first: int, end: int) -> JsonItems:
        """Return the items from `first` up to `end`."""
        kept = self.lengths[first:end]
        start = sum(self.lengths[:first])
        return JsonItems(self.data[start : start + sum(kept)], kept)

    def extend(self, items: Iterable[Any]) -> JsonItems:
        """Return these items and others, plain data, after them."""
        new = [b"," + orjson.dumps(item) for item in items]
        lengths = array("I", [len(item) for item in new])
        return JsonItems(b"".join([self.data, *new]), self.lengths + lengths)

    def as_list(self) -> bytes:
        """Return the JSON of the whole list."""
        return b"[%b]" % self.data[1:]


NO_ITEMS: Final = JsonItems(b"", array("I"))
