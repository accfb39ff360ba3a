"""Waiting for changes: woken by a signal, by the time, or by the end of a stream."""

from __future__ import annotations

import asyncio

import pytest

from realmtable.server.tables.live.change_signal import ChangeSignal, ChangeWaiter

pytestmark = pytest.mark.anyio


async def test_a_change_wakes_everyone_who_waits_and_nobody_waits_for_it_again() -> None:
    signal, waiters = ChangeSignal(), [ChangeWaiter(30.0) for _ in range(3)]
    waits = [asyncio.ensure_future(waiter.wait(signal)) for waiter in waiters]
    await asyncio.sleep(0)
    assert not any(wait.done() for wait in waits)
    signal.set()
    assert await asyncio.gather(*waits) == [True] * 3
    assert await waiters[0].wait(signal)
    for waiter in waiters:
        waiter.close()


async def test_each_wait_has_the_whole_time_though_one_timer_serves_several() -> None:
    waiter, loop = ChangeWaiter(0.2), asyncio.get_running_loop()
    for _ in range(2):
        signal = ChangeSignal()
        loop.call_later(0.15, signal.set)
        assert await waiter.wait(signal)
    begun = loop.time()
    assert not await waiter.wait(ChangeSignal())
    assert loop.time() - begun >= 0.19
    waiter.close()


async def test_a_stopped_waiter_returns_at_once_now_and_later() -> None:
    waiter, signal = ChangeWaiter(30.0), ChangeSignal()
    wait = asyncio.ensure_future(waiter.wait(signal))
    await asyncio.sleep(0)
    waiter.stop()
    assert not await wait
    assert not await waiter.wait(signal)
    signal.set()
    assert await waiter.wait(signal)
    waiter.close()


async def test_a_cancelled_wait_leaves_nothing_behind() -> None:
    waiter, signal = ChangeWaiter(30.0), ChangeSignal()
    wait = asyncio.ensure_future(waiter.wait(signal))
    await asyncio.sleep(0)
    wait.cancel()
    with pytest.raises(asyncio.CancelledError):
        await wait
    assert not signal._waiting
    waiter.close()
