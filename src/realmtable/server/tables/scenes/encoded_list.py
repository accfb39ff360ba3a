"""A list as JSON that is kept for the next version of a table, where most of its items are the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import orjson


class EncodedList(NamedTuple):
    """The items joined into one bytes object.

    With a thousand tables in memory, visiting many small objects misses the processor's cache.
    """

    items: bytes = b""  # separated by commas
    sizes: Sequence[int] = ()  # of the items, in bytes

    def continue_with(self, first: int, end: int, added: Sequence[object]) -> EncodedList:
        """Return the items from `first` to before `end`, followed by others, given as plain data.

        >>> EncodedList().continue_with(0, 0, ["a", "b", "c"]).continue_with(1, 2, [4])
        EncodedList(items=b'"b",4', sizes=[3, 1])
        """
        new = [orjson.dumps(item) for item in added]
        kept = self.sizes[first:end]
        if kept:
            start = sum(self.sizes[:first]) + first
            stop = len(self.items) if end >= len(self.sizes) else start + sum(kept) + len(kept) - 1
            new.insert(0, self.items[start:stop])
        return EncodedList(b",".join(new), [*kept, *map(len, new[bool(kept) :])])

    def as_json(self) -> orjson.Fragment:
        """Return the list as a part of later JSON."""
        return orjson.Fragment(b"[%b]" % self.items)
