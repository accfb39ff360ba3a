from __future__ import annotations

import asyncio

import pytest

from realmtable.server.task_cancellation import cancel_tasks

pytestmark = pytest.mark.anyio


async def test_a_task_that_misses_its_first_cancellation_is_ended_all_the_same() -> None:
    missed = []

    async def deaf() -> None:
        for _ in range(2):
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                missed.append(1)
                if len(missed) > 1:
                    raise

    task = asyncio.ensure_future(deaf())
    await asyncio.sleep(0)
    async with asyncio.timeout(30):
        await cancel_tasks([task])
    assert task.cancelled()
    assert len(missed) == 2


async def test_tasks_that_have_ended_or_failed_are_no_trouble() -> None:
    async def fail() -> None:
        raise ValueError

    failed = asyncio.ensure_future(fail())
    await asyncio.sleep(0)
    await cancel_tasks([failed])
    await cancel_tasks([])
    assert isinstance(failed.exception(), ValueError)
