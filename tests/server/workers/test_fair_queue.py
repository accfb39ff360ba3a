"""Fair queues: who is admitted next."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from realmtable.server.accounts.addresses import LatestAddresses
from realmtable.server.errors import RateLimited
from realmtable.server.fair_queue import FairQueue, Requester

pytestmark = pytest.mark.anyio

ANN, BOB, EVE = Requester("1.1.1.1", "ann"), Requester("2.2.2.2", "bob"), Requester("3.3.3.3", "eve")


class QueueHarness:
    """A queue and those who wait in it; each keeps its place until it is told to go."""

    def __init__(self, places: int = 1, weights: tuple[float, ...] = (1.0,), max_waiting: int | None = None) -> None:
        self.queue = FairQueue(places, weights, max_waiting)
        self.order: list[str] = []  # who was admitted
        self.working: dict[str, asyncio.Event] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}

    async def enqueue(self, name: str, requester: Requester, urgency: int = 0, *, refusable: bool = True) -> None:
        async def work() -> None:
            async with self.queue.acquire(requester, urgency, refusable=refusable):
                self.order.append(name)
                self.working[name] = asyncio.Event()
                await self.working[name].wait()

        self.tasks[name] = asyncio.ensure_future(work())
        await settle()

    async def finish(self, name: str) -> None:
        self.working.pop(name).set()
        await self.tasks[name]
        await settle()

    async def finish_all(self) -> list[str]:
        """Let each who works finish, the earliest first, until nobody waits."""
        while self.working:
            name = next(iter(self.working))
            await self.finish(name)
        return self.order


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_a_newcomer_gets_the_next_free_place_however_many_wait_of_another() -> None:
    shop = QueueHarness(places=2)
    for number in range(60):
        await shop.enqueue(f"eve{number}", EVE)
    await shop.enqueue("bob", BOB)
    assert shop.order == ["eve0", "eve1"]
    await shop.finish("eve0")
    assert shop.order[-1] == "bob"


async def test_a_newcomer_is_next_though_others_have_worked_alone_for_hours() -> None:
    shop = QueueHarness()
    await shop.enqueue("eve", EVE)
    for number in range(20):
        await shop.enqueue(f"eve{number}", EVE)
    for name in ["eve", *(f"eve{number}" for number in range(10))]:
        await shop.finish(name)
    await shop.enqueue("bob", BOB)
    await shop.enqueue("bob2", BOB)
    await shop.finish("eve10")
    assert shop.order[-1] == "bob"
    await shop.finish("bob")
    # What Eve did while nobody else wanted anything is no debt: they take turns.
    assert await shop.finish_all() == [*shop.order[:13], "eve11", "bob2", *(f"eve{n}" for n in range(12, 20))]


async def test_many_guests_of_one_address_share_one_portion() -> None:
    shop = QueueHarness()
    for number in range(20):
        await shop.enqueue(f"guest{number}", Requester("9.9.9.9", f"guest{number}"))
    for number in range(3):
        await shop.enqueue(f"bob{number}", BOB)
    names = [name.rstrip("0123456789") for name in (await shop.finish_all())[:7]]
    assert names == ["guest", "bob", "guest", "bob", "guest", "bob", "guest"]


async def test_the_people_of_one_address_take_turns() -> None:
    shop = QueueHarness()
    for number in range(5):
        await shop.enqueue(f"eve{number}", Requester("9.9.9.9", "eve"))
    await shop.enqueue("kid", Requester("9.9.9.9", "kid"))
    await shop.finish("eve0")
    assert shop.order[-1] == "kid"
    await shop.finish_all()


async def test_urgent_work_of_one_person_goes_first_and_else_who_came_first() -> None:
    shop = QueueHarness(weights=(1, 2, 8))
    await shop.enqueue("first", ANN, 2)
    for name, urgency in (("a1", 2), ("b1", 1), ("a2", 2), ("h1", 0), ("b2", 1), ("h2", 0)):
        await shop.enqueue(name, ANN, urgency)
    assert await shop.finish_all() == ["first", "h1", "h2", "b1", "b2", "a1", "a2"]
    assert shop.queue.free == 1
    assert len(shop.queue.waiting) == 0


async def test_less_urgent_work_yields_to_others_and_never_starves() -> None:
    shop = QueueHarness(weights=(1.0, 4.0))
    for number in range(12):
        await shop.enqueue(f"watch{number}", EVE, 1)
        await shop.enqueue(f"play{number}", BOB, 0)
    order = [name.rstrip("0123456789") for name in await shop.finish_all()]
    assert [place for place, name in enumerate(order) if name == "watch"][:3] == [0, 2, 6]  # four plays to each


async def test_who_goes_away_leaves_the_place_to_the_next() -> None:
    shop = QueueHarness()
    await shop.enqueue("ann", ANN)
    await shop.enqueue("bob", BOB)
    await shop.enqueue("eve", EVE)
    shop.tasks["bob"].cancel()
    await settle()
    assert len(shop.queue.waiting) == 1
    await shop.finish("ann")
    assert shop.order == ["ann", "eve"]
    await shop.finish_all()
    assert shop.queue.free == 1


async def test_who_was_admitted_and_cancelled_at_once_gives_the_place_back() -> None:
    queue = FairQueue(1)

    async def work() -> None:
        async with queue.acquire(BOB):
            await asyncio.sleep(3600)

    async with queue.acquire(ANN):
        second = asyncio.ensure_future(work())
        await settle()
    second.cancel()  # it has just been admitted, and has not run yet
    with pytest.raises(asyncio.CancelledError):
        await second
    assert queue.free == 1


async def test_all_who_work_and_wait_may_be_cancelled_at_once() -> None:
    shop = QueueHarness(places=2)
    for number in range(3):
        for requester in (ANN, BOB, EVE):
            await shop.enqueue(f"{requester.person}{number}", requester)
    for task in shop.tasks.values():
        task.cancel()
    ended = await asyncio.gather(*shop.tasks.values(), return_exceptions=True)
    assert all(isinstance(end, asyncio.CancelledError) for end in ended)
    assert (shop.queue.free, len(shop.queue.waiting)) == (2, 0)


async def test_a_full_queue_refuses_who_has_the_most_waiting_and_nobody_else() -> None:
    shop = QueueHarness(max_waiting=3)
    await shop.enqueue("working", EVE)
    for number in range(3):
        await shop.enqueue(f"eve{number}", EVE)
    await shop.enqueue("eve3", EVE)
    with pytest.raises(RateLimited):
        await shop.tasks["eve3"]
    await shop.enqueue("bob", BOB)
    with pytest.raises(RateLimited):
        await shop.tasks["eve2"]  # who came last of those that wait
    assert not shop.tasks["bob"].done()
    await shop.enqueue("bob2", BOB)
    with pytest.raises(RateLimited):
        await shop.tasks["bob2"]  # Eve does not have more waiting than Bob would have
    await shop.enqueue("analysis", ANN, refusable=False)  # never refused
    assert await shop.finish_all() == ["working", "bob", "analysis", "eve0", "eve1"]


async def test_a_failure_inside_gives_the_place_back() -> None:
    queue = FairQueue(1)
    with suppress(ZeroDivisionError):
        async with queue.acquire(ANN):
            raise ZeroDivisionError
    async with queue.acquire(BOB):
        assert queue.free == 0


def test_addresses_remember_where_players_were_last_and_forget_the_oldest() -> None:
    addresses = LatestAddresses(size=2)
    assert addresses.requester_of("ann") == Requester("player ann", "ann")
    assert addresses.latest_requester(["ann", "bob"]).person == "ann"
    addresses.note("ann", "1.1.1.1")
    addresses.note("bob", "2.2.2.2")
    addresses.note("ann", "1.1.1.9")
    assert addresses.requester_of("ann") == Requester("1.1.1.9", "ann")
    assert addresses.latest_requester(["bob", "ann"]).person == "ann"
    addresses.note("eve", "3.3.3.3")
    assert addresses.requester_of("bob") == Requester("player bob", "bob")
    assert addresses.requester_of("ann").address == "1.1.1.9"
