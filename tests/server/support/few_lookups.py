"""Tasks that were refused a moment ago, for tests that wait for them."""

from __future__ import annotations

import asyncio
from typing import Any

from realmtable.server.errors import RateLimited

MAX_LOOKUPS = 10


class FewLookups(dict[str, Any]):
    """A dictionary that fails after a few lookups: a loop that never gives way would block the test forever."""

    lookups = 0

    def get(self, *question: Any) -> Any:
        self.lookups += 1
        assert self.lookups < MAX_LOOKUPS, "it would go on forever"
        return super().get(*question)


def make_refused() -> asyncio.Future[Any]:
    """Return the task of a first asker who was refused, as it is before its callbacks run."""
    refused: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    refused.set_exception(RateLimited("Too much.", 60))
    assert refused.exception()
    return refused
