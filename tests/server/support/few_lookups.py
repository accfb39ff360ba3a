"""A dictionary that stops endless loops, and a task that was refused, for tests of callers that share one task."""

from __future__ import annotations

import asyncio
from typing import Any

from realmtable.server.errors import RateLimited

MAX_LOOKUPS = 10


class FewLookups(dict[str, Any]):
    """A dictionary that fails after a few lookups, since a loop that never yields would block the test forever."""

    lookups = 0

    def get(self, *question: Any) -> Any:
        self.lookups += 1
        assert self.lookups < MAX_LOOKUPS, "the loop never yields"
        return super().get(*question)


def make_refused() -> asyncio.Future[Any]:
    """Return a task that has failed with RateLimited, and whose callbacks have not run yet."""
    refused: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    refused.set_exception(RateLimited("Too much.", 60))
    assert refused.exception()
    return refused
