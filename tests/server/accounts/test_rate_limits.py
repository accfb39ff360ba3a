"""Rate limits, and how clients are identified."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import pytest
from limits import RateLimitItemPerSecond
from starlette.requests import HTTPConnection

from realmtable.server.accounts import rate_limits
from realmtable.server.accounts.rate_limits import (
    DEFAULTS,
    WIDER_FACTOR,
    Limits,
    MemoryWindows,
    client_address,
    site_of,
)
from realmtable.server.errors import RateLimited, TooLarge

pytestmark = pytest.mark.anyio

REDIS = os.environ.get("REALMTABLE_TEST_REDIS_URL")


class FakeTime:
    """A fake `time` module."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def time(self) -> float:
        return self.now


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeTime]:
    stand_in = FakeTime()
    monkeypatch.setattr(rate_limits, "time", stand_in)
    yield stand_in  # noqa: PT022 - the patch lives as long as the test


async def count_allowed(room: Limits, kind: str, key: str = "somebody", cost: int = 1) -> int:
    """Count the requests that are allowed before the first refusal."""
    for number in range(10_000):
        try:
            await room.check(kind, key, cost)
        except RateLimited:
            return number
    raise AssertionError("never refused")


@pytest.mark.parametrize("kind", DEFAULTS)
async def test_every_kind_has_its_measure(kind: str, watch: FakeTime) -> None:
    amount, seconds = DEFAULTS[kind]
    room, cost = Limits(), 1 if amount < 1000 else amount // 100
    assert await count_allowed(room, kind, cost=cost) == amount // cost
    watch.now += seconds
    assert await count_allowed(room, kind, cost=cost) == amount // cost


@pytest.mark.usefixtures("watch")
async def test_what_costs_more_uses_more_of_the_measure() -> None:
    room, amount = Limits(), DEFAULTS["steps"][0]
    await room.check("steps", "somebody", amount - 1)
    await room.check("steps", "somebody")
    with pytest.raises(RateLimited, match="the limit is 30,000 steps in 10 minutes"):
        await room.check("steps", "somebody")


@pytest.mark.usefixtures("watch")
async def test_what_could_never_be_allowed_is_too_large_and_says_the_limit() -> None:
    with pytest.raises(TooLarge, match=r"about 165,001 steps to replay; the limit is 30,000 steps in 10 minutes"):
        await Limits().check("steps", "somebody", 165_001)


@pytest.mark.usefixtures("watch")
@pytest.mark.parametrize("kind", ["guest", "address_work", "sign_in"])
async def test_the_networks_of_one_ipv6_site_share_a_wider_limit(kind: str) -> None:
    room = Limits()
    for number in range(WIDER_FACTOR * DEFAULTS[kind][0]):
        await room.check(kind, f"2001:db8:7:{number:x}::/64")
    with pytest.raises(RateLimited):
        await room.check(kind, "2001:db8:7:ffff::/64")
    await room.check(kind, "2001:db8:8:1::/64")


def test_names_are_not_taken_for_networks() -> None:
    assert site_of("Ada ::/64 1.2.3.4") == ""
    assert site_of("nonsense::/64") == ""


async def test_the_refusal_says_when_to_come_back(watch: FakeTime) -> None:
    room = Limits()
    await count_allowed(room, "sign_in")
    watch.now += 100.5
    with pytest.raises(RateLimited, match="4 minutes") as refusal:
        await room.check("sign_in", "somebody")
    assert refusal.value.retry_after_s == 200
    watch.now += 198.6
    with pytest.raises(RateLimited, match="a second") as refusal:
        await room.check("sign_in", "somebody")
    assert refusal.value.retry_after_s == 1


@pytest.mark.usefixtures("watch")
async def test_people_and_kinds_do_not_share_a_measure() -> None:
    room = Limits()
    await count_allowed(room, "chat", "one")
    await room.check("chat", "two")
    await room.check("record", "one")


@pytest.mark.usefixtures("watch")
async def test_the_measures_can_be_scaled_and_switched_off() -> None:
    assert await count_allowed(Limits(factor=2.5), "chat") == 25
    assert await count_allowed(Limits(factor=0.001), "chat") == 1
    free = Limits(factor=0)
    for _ in range(1000):
        await free.check("sign_in", "somebody")


async def test_an_unknown_kind_is_a_mistake() -> None:
    for factor in (0, 1):
        with pytest.raises(KeyError):
            await Limits(factor=factor).check("nonsense", "somebody")


def test_memory_does_not_grow_with_everybody_who_ever_came(watch: FakeTime) -> None:
    memory, item = MemoryWindows(), RateLimitItemPerSecond(1, 1)
    for number in range(1000):
        assert memory.hit(item, f"visitor {number}", 1) is None
    watch.now += 100
    memory.hit(item, "the next", 1)
    assert memory.windows.keys() == {"the next"}


async def test_counting_is_quick_however_many_there_are() -> None:
    room, began = Limits(), time.process_time()
    for number in range(20_000):
        await room.check("move", f"visitor {number}")
    assert time.process_time() - began < 5


async def test_without_redis_each_process_counts_for_itself(caplog: pytest.LogCaptureFixture) -> None:
    room = Limits("redis://127.0.0.1:1/0")
    assert await count_allowed(room, "claim") == 10
    assert len(caplog.messages) == 1, "a Redis that is away is not asked each time"
    await room.close()
    assert "127.0.0.1" not in caplog.text


@pytest.mark.skipif(REDIS is None, reason='needs REALMTABLE_TEST_REDIS_URL, set by `eval "$(.ci/services)"`')
async def test_with_redis_all_processes_count_together() -> None:
    key = f"visitor {time.time_ns()}"
    first, second = Limits(REDIS), Limits(REDIS)
    for room in (first, second) * 5:
        await room.check("claim", key)
    for room in (first, second):
        with pytest.raises(RateLimited) as refusal:
            await room.check("claim", key)
        assert 3000 < refusal.value.retry_after_s <= 3600
        await room.close()


@pytest.mark.parametrize(
    "url", ["redis://:word@host:1/2", "redis://host", "rediss://host/0", "unix:///run/redis.sock?db=1"]
)
def test_every_kind_of_redis_address_is_understood(url: str) -> None:
    assert Limits(url)._shared is not None


def connection(peer: str | None, *forwarded: str) -> HTTPConnection:
    headers = [(b"x-forwarded-for", value.encode()) for value in forwarded]
    return HTTPConnection({"type": "http", "headers": headers, "client": None if peer is None else (peer, 1234)})


@pytest.mark.parametrize(
    ("peer", "forwarded", "trusted", "address"),
    [
        ("192.0.2.1", [], False, "192.0.2.1"),
        ("192.0.2.1", ["198.51.100.7"], False, "192.0.2.1"),
        ("192.0.2.1", ["198.51.100.7"], True, "198.51.100.7"),
        ("192.0.2.1", ["6.6.6.6, 198.51.100.7"], True, "198.51.100.7"),
        ("192.0.2.1", ["6.6.6.6", "198.51.100.7"], True, "198.51.100.7"),
        ("192.0.2.1", ["nonsense"], True, "192.0.2.1"),
        ("192.0.2.1", [""], True, "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", [], False, "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", [], False, "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", [], False, "192.0.2.1"),
        ("fe80::1%eth0", [], False, "fe80::/64"),
        (None, [], True, "unknown"),
        ("", [], False, "unknown"),
    ],
)
def test_an_address_is_the_peers_unless_a_trusted_proxy_tells(
    peer: str | None, forwarded: list[str], trusted: bool, address: str
) -> None:
    assert client_address(connection(peer, *forwarded), trust_proxy=trusted) == address
