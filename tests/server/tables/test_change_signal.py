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


async def wait_until_pushed() -> None:
    await asyncio.sleep(0)
    await asyncio.sleep(0)


async def test_changes_that_are_pushed_do_not_end_the_wait() -> None:
    waiter, signals = ChangeWaiter(30.0), [ChangeSignal() for _ in range(4)]
    pushed: list[int] = []

    def push() -> ChangeSignal | None:
        pushed.append(len(pushed))
        return signals[len(pushed)] if len(pushed) < 3 else None  # the third is left to the task

    wait = asyncio.ensure_future(waiter.wait(signals[0], push))
    await asyncio.sleep(0)
    for count, signal in enumerate(signals[:2]):
        signal.set()
        assert len(pushed) == count, "what changes the table comes first"
        await wait_until_pushed()
        assert len(pushed) == count + 1
        assert not wait.done()
    signals[2].set()
    assert await wait
    assert not any(signal._waiting for signal in signals)
    waiter.close()


async def test_a_push_that_fails_is_left_to_the_task() -> None:
    waiter, signal = ChangeWaiter(30.0), ChangeSignal()

    def push() -> ChangeSignal | None:
        raise ZeroDivisionError

    wait = asyncio.ensure_future(waiter.wait(signal, push))
    await asyncio.sleep(0)
    signal.set()
    assert await wait
    waiter.close()


async def test_nothing_is_pushed_after_the_wait_has_ended() -> None:
    waiter, signal = ChangeWaiter(30.0), ChangeSignal()
    wait = asyncio.ensure_future(waiter.wait(signal, lambda: pytest.fail("the wait has ended")))
    await asyncio.sleep(0)
    signal.set()
    waiter.stop()
    assert not await wait
    await wait_until_pushed()
    waiter.close()


async def test_each_push_restarts_the_time() -> None:
    waiter, loop = ChangeWaiter(0.2), asyncio.get_running_loop()
    first, second = ChangeSignal(), ChangeSignal()
    loop.call_later(0.15, first.set)
    begun = loop.time()
    assert not await waiter.wait(first, lambda: second)
    assert loop.time() - begun >= 0.34
    assert not second._waiting
    waiter.close()
