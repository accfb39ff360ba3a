"""How background tasks are ended."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any, Final

RETRY_S: Final = 0.1


async def cancel_tasks(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel tasks until they have ended: `asyncio.wait_for` of Python 3.11, inside libraries, can miss it once."""
    ending = list(tasks)
    while pending := [task for task in ending if not task.done()]:
        for task in pending:
            task.cancel()
        await asyncio.wait(pending, timeout=RETRY_S)
    await asyncio.gather(*ending, return_exceptions=True)
