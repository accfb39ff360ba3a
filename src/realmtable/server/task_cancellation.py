"""Cancelling background tasks reliably."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any, Final

RETRY_S: Final = 0.1


async def cancel_tasks(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel tasks and wait until they have ended.

    Cancellation is repeated because `asyncio.wait_for` in Python 3.11, used inside libraries, can swallow one.
    """
    cancelled = list(tasks)
    while pending := [task for task in cancelled if not task.done()]:
        for task in pending:
            task.cancel()
        await asyncio.wait(pending, timeout=RETRY_S)
    await asyncio.gather(*cancelled, return_exceptions=True)
