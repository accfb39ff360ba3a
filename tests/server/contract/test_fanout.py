"""Every process receives the messages of every other in order, and learns of gaps."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

import pytest

from realmtable.engine.errors import BadInput
from realmtable.server.services import open_fanout
from realmtable.server.storage import redis_fanout
from realmtable.server.storage.fanout import Fanout
from realmtable.server.storage.redis_fanout import RedisFanout
from tests.server.contract.helpers import CuttableProxy

pytestmark = pytest.mark.anyio

Heard = list[tuple[str, str]]
Start = Callable[[str | None], Awaitable[tuple[Fanout, Heard]]]
TIMEOUT_S = 60


async def wait_until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(TIMEOUT_S):
        while not condition():  # noqa: ASYNC110  # what is awaited is told by no event
            await asyncio.sleep(0.01)


@pytest.fixture
async def start() -> AsyncIterator[Start]:
    """Starts a process's fan-out, with a list of all it hears."""
    started: list[Fanout] = []

    async def begin(url: str | None) -> tuple[Fanout, Heard]:
        one, heard = open_fanout(url), Heard()
        one.listen(lambda channel, message: heard.append((channel, message)))
        await one.start()
        if isinstance(one, RedisFanout):
            await wait_until(lambda: heard == [("*", "")])  # what was read before the subscription may be out of date
            heard.clear()
        started.append(one)
        return one, heard

    yield begin
    for one in started:
        await one.close()


@pytest.fixture(params=["memory", "redis"])
def url(request: pytest.FixtureRequest) -> str | None:
    found: str | None = None if request.param == "memory" else request.getfixturevalue("redis_url")
    return found


async def test_own_messages_are_heard_in_order_and_once(start: Start, url: str | None) -> None:
    one, heard = await start(url)
    told = [("table:a", str(number)) for number in range(50)] + [("lobby", "")]
    for channel, message in told:
        await one.publish(channel, message)
    await wait_until(lambda: len(heard) >= len(told))
    await asyncio.sleep(0.1)
    assert heard == told


async def test_a_listener_that_fails_keeps_nothing_from_others(start: Start, url: str | None) -> None:
    def fail(channel: str, message: str) -> None:
        raise RuntimeError(channel + message)

    one, _ = await start(url)
    later: Heard = []
    one.listen(fail)
    one.listen(lambda channel, message: later.append((channel, message)))
    await one.publish("lobby", "")
    await wait_until(lambda: later == [("lobby", "")])


async def test_a_listener_hears_only_the_kinds_that_it_asks_for_and_of_gaps(start: Start, url: str | None) -> None:
    one, everything_heard = await start(url)
    heard = Heard()
    one.listen(lambda channel, message: heard.append((channel, message)), "table:", "lobby")
    told = [("table:a", "1"), ("tables:a", "1"), ("player:table:", "2"), ("lobby", ""), ("lobbyist", ""), ("*", "")]
    for channel, message in told:
        await one.publish(channel, message)
    assert everything_heard == told
    assert heard == [("table:a", "1"), ("lobby", ""), ("*", "")]


async def test_other_processes_hear_in_order_per_channel(start: Start, redis_url: str) -> None:
    (one, heard_by_one), (two, heard_by_two) = await start(redis_url), await start(redis_url)
    for number in range(500):
        await one.publish("table:a", str(number))
        await two.publish("table:b", str(number))
        if number % 100 == 0:
            await asyncio.sleep(0.01)
    await wait_until(lambda: len(heard_by_one) >= 1000 and len(heard_by_two) >= 1000)
    for heard in (heard_by_one, heard_by_two):
        for channel in ("table:a", "table:b"):
            assert [text for told, text in heard if told == channel] == [str(number) for number in range(500)]


async def test_another_database_of_the_same_redis_hears_nothing(start: Start, redis_url: str) -> None:
    another = redis_url.rpartition("/")[0] + "/15"
    (one, _), (_, heard), (_, heard_by_twin) = await start(redis_url), await start(another), await start(redis_url)
    await one.publish("lobby", "")
    await wait_until(lambda: heard_by_twin == [("lobby", "")])
    assert heard == []


async def test_after_a_gap_everybody_is_told_to_look(start: Start, redis_line: CuttableProxy) -> None:
    (one, heard_by_one), (two, heard_by_two) = await start(redis_line.address), await start(redis_line.address)
    await redis_line.cut()
    async with asyncio.timeout(0.8 * redis_fanout.TIMEOUT_S):
        await one.publish("table:a", "7")
    assert heard_by_one == [("table:a", "7")], "our own listeners need no Redis"
    await asyncio.sleep(0.3)
    await redis_line.mend()
    await wait_until(lambda: ("*", "") in heard_by_one and ("*", "") in heard_by_two)
    await two.publish("table:a", "8")
    await wait_until(lambda: ("table:a", "8") in heard_by_one)


async def test_what_one_process_could_not_tell_it_tells_later(
    start: Start, redis_line: CuttableProxy, redis_url: str
) -> None:
    (cut_off, _), (_, heard) = await start(redis_line.address), await start(redis_url)
    await redis_line.cut()
    await cut_off.publish("table:a", "7")
    await asyncio.sleep(0.1)
    await redis_line.mend()
    await wait_until(lambda: ("table:a", "7") in heard)


async def test_too_much_to_tell_becomes_one_message(
    start: Start, redis_line: CuttableProxy, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_fanout, "MAX_UNSENT", 10)
    (cut_off, _), (_, heard) = await start(redis_line.address), await start(redis_url)
    await redis_line.cut()
    for number in range(12):
        await cut_off.publish("table:a", str(number))
        await asyncio.sleep(0)
    await redis_line.mend()
    await wait_until(lambda: ("table:a", "11") in heard)
    assert heard[0] == ("*", "")
    assert len(heard) < 12


async def test_a_silent_redis_counts_as_gone(
    start: Start, redis_line: CuttableProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_fanout, "PING_AFTER_S", 0.4)
    _, heard = await start(redis_line.address)
    await asyncio.sleep(1.0)
    assert heard == [], "Redis answers our question, so there was no gap"
    redis_line.stall()
    await wait_until(lambda: heard == [("*", "")])


async def test_many_messages_travel_as_one_and_unreadable_ones_count_as_a_gap(start: Start, redis_url: str) -> None:
    (one, _), (two, heard) = await start(redis_url), await start(redis_url)
    assert isinstance(one, RedisFanout)
    assert isinstance(two, RedisFanout)
    assert one.reaches_others
    sent = [("table:a", f'{number} [["é\\n"]]') for number in range(2 * redis_fanout.MAX_BATCH + 1)]
    before = int((await one._redis.info("commandstats")).get("cmdstat_publish", {}).get("calls", 0))
    for channel, message in sent:
        await one.publish(channel, message)
    await wait_until(lambda: len(heard) == len(sent))
    assert heard == sent
    assert int((await one._redis.info("commandstats"))["cmdstat_publish"]["calls"]) - before == 3
    heard.clear()
    for number, unreadable in enumerate(("{", "5", "null", "[1]", "[[1, 2]]", "[]"), 1):
        await one._redis.publish(two._channel, f"someone {unreadable}")
        await wait_until(lambda number=number: heard == number * [("*", "")])  # type: ignore[misc]  # bound at once
    assert two.reaches_others


async def test_a_message_that_cannot_be_sent_becomes_a_gap(start: Start, redis_url: str) -> None:
    (one, _), (_, heard) = await start(redis_url), await start(redis_url)
    await one.publish("table:a", "\ud800")
    await wait_until(lambda: heard == [("*", "")])
    await one.publish("table:a", "7")
    await wait_until(lambda: heard[1:] == [("table:a", "7")])


async def test_hearing_goes_on_after_an_unexpected_failure(
    start: Start, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (one, _), (_, heard) = await start(redis_url), await start(redis_url)
    with monkeypatch.context() as patch:
        patch.setattr(redis_fanout, "_read_batch", lambda _: 1 // 0)
        await one.publish("table:a", "7")
        await wait_until(lambda: heard == [("*", "")])
    await one.publish("table:a", "8")
    await wait_until(lambda: heard[1:] == [("table:a", "8")])


async def test_what_is_being_sent_when_a_process_stops_still_arrives(
    start: Start, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (one, _), (_, heard) = await start(redis_url), await start(redis_url)
    assert isinstance(one, RedisFanout)
    publish, calls = one._redis.publish, []

    async def publish_slowly(channel: str, message: str) -> int:
        calls.append(message)
        if len(calls) == 1:
            await asyncio.sleep(TIMEOUT_S)
        return int(await publish(channel, message))

    monkeypatch.setattr(one._redis, "publish", publish_slowly)
    await one.publish("table:a", "1")
    await wait_until(lambda: len(calls) == 1)
    await one.publish("table:a", "2")
    await one.close()
    await wait_until(lambda: heard == [("table:a", "1"), ("table:a", "2")])


async def test_closing_ends_what_misses_that_it_was_cancelled() -> None:
    """As `asyncio.wait_for` of Python 3.11 does where its work is done at the same moment."""
    one = RedisFanout("redis://127.0.0.1:1/0")

    async def deaf() -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        await asyncio.Event().wait()

    one._tasks = [asyncio.create_task(deaf())]
    await asyncio.sleep(0)
    async with asyncio.timeout(TIMEOUT_S):
        await one.close()
    assert one._tasks[0].cancelled()


async def test_a_server_starts_and_stops_without_its_redis() -> None:
    one, heard = open_fanout("redis://127.0.0.1:1/0"), Heard()
    one.listen(lambda channel, message: heard.append((channel, message)))
    await one.start()
    await one.publish("lobby", "")
    await asyncio.sleep(0.05)
    await one.close()
    assert heard == [("lobby", "")]


def test_without_an_address_there_is_one_process() -> None:
    assert type(open_fanout(None)) is type(open_fanout("")) is Fanout


def test_other_addresses_are_refused_without_repeating_a_password() -> None:
    with pytest.raises(BadInput, match="redis://") as refusal:
        open_fanout("http://:secret@host")
    assert "secret" not in str(refusal.value)
