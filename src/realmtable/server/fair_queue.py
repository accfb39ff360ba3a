"""A fair queue for a limited number of slots, in which no one can crowd out the others.

Addresses take turns, and so do the people at one address. Each person's urgent work goes before their other work. Less
urgent work counts as several turns, so that it yields to other people's urgent work without starving.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from realmtable.server.errors import RateLimited

RETRY_AFTER_S: Final = 10  # sent when the queue is full
MAX_KEYS: Final = 10_000  # addresses whose turns are remembered


class Requester(NamedTuple):
    """The address from which a job was requested, and the person, if known."""

    address: str
    person: str | None = None

    @property
    def key(self) -> str:
        """The person or, if unknown, the address: all unknown people at an address count as one."""
        return self.person or self.address


class Turns:
    """The turns that each key has had.

    A key that becomes active again starts level with the active key that has had the fewest, and goes before it: idle
    time earns no credit, and turns taken while no other key was waiting leave no debt.
    """

    def __init__(self) -> None:
        self._had: dict[str, float] = {}
        self._latest: dict[str, int] = {}  # the number of each key's latest turn
        self._active: Counter[str] = Counter()  # number of waiting and running jobs of each key
        self._floor = 0.0
        self._count = 0

    def rank_of(self, key: str) -> tuple[float, int]:
        """Return the rank of an active key: the fewest turns first, then the longest wait since the latest one."""
        return self._had[key], self._latest.get(key, 0)

    def enter(self, key: str) -> None:
        """Add a job of a key."""
        if not self._active[key]:
            self._floor = max(self._floor, min((self._had[other] for other in +self._active), default=self._floor))
            self._had[key] = max(self._had.get(key, self._floor), self._floor)
        self._active[key] += 1

    def leave(self, key: str) -> None:
        """Remove a job of a key, finished or withdrawn."""
        self._active[key] -= 1
        if not self._active[key]:
            del self._active[key]
            if self._had[key] <= self._floor or len(self._had) > MAX_KEYS:
                del self._had[key]
                self._latest.pop(key, None)

    def take(self, key: str, turns: float) -> None:
        """Count turns of a key whose job starts."""
        self._count += 1
        self._had[key] += turns
        self._latest[key] = self._count

    def is_idle(self, key: str) -> bool:
        """Whether a key has no jobs."""
        return not self._active[key]


class Shares:
    """The turns that requesters have had, by address and, at each address, by person."""

    def __init__(self) -> None:
        self._addresses = Turns()
        self._persons: dict[str, Turns] = {}

    def enter(self, requester: Requester) -> None:
        """Add a job of a requester."""
        self._addresses.enter(requester.address)
        self._persons.setdefault(requester.address, Turns()).enter(requester.key)

    def leave(self, requester: Requester) -> None:
        """Remove a job of a requester, finished or withdrawn."""
        self._addresses.leave(requester.address)
        self._persons[requester.address].leave(requester.key)
        if self._addresses.is_idle(requester.address):
            del self._persons[requester.address]

    def take(self, requester: Requester, turns: float = 1.0) -> None:
        """Count turns of a requester whose job starts."""
        self._addresses.take(requester.address, turns)
        self._persons[requester.address].take(requester.key, turns)

    def next_requester(self, first: dict[Requester, tuple[int, int]]) -> Requester:
        """Return the requester who goes next. `first` maps each candidate to the rank of their first job, for ties."""
        ranks: dict[str, tuple[int, int]] = {}
        for requester, rank in first.items():
            ranks[requester.address] = min(rank, ranks.get(requester.address, rank))
        address = min(ranks, key=lambda address: (self._addresses.rank_of(address), ranks[address]))
        here = [requester for requester in first if requester.address == address]
        return min(here, key=lambda requester: (self._persons[address].rank_of(requester.key), first[requester]))


@dataclass(order=True)
class Ticket:
    """A waiting job."""

    urgency: int
    number: int
    requester: Requester = field(compare=False)
    refusable: bool = field(compare=False)
    admitted: asyncio.Future[None] = field(compare=False)


class FairQueue:
    """A semaphore that admits up to `places` jobs at once, in fair order.

    `weights` holds how many turns a job of each urgency counts for, most urgent first. When more than `max_waiting`
    jobs wait, the address with the most waiting jobs loses one; if the newcomer is from that address, the newcomer is
    refused.
    """

    def __init__(
        self,
        places: int,
        weights: Sequence[float] = (1.0,),
        max_waiting: int | None = None,
    ) -> None:
        self.free = places
        self.max_waiting = max_waiting
        self.shares = Shares()
        self._weights = weights
        self._numbers = itertools.count()
        self._waiting: dict[Requester, list[Ticket]] = {}  # heaps

    @asynccontextmanager
    async def acquire(self, requester: Requester, urgency: int = 0, *, refusable: bool = True) -> AsyncIterator[None]:
        """Hold a slot while the block runs; raise RateLimited if too many jobs are waiting."""
        ticket = await self._enter(requester, urgency, refusable=refusable)
        try:
            yield
        finally:
            self._leave(ticket)

    def waiting_count(self) -> int:
        """Return the number of waiting jobs."""
        return sum(len(tickets) for tickets in self._waiting.values())

    async def _enter(self, requester: Requester, urgency: int, *, refusable: bool) -> Ticket:
        admitted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        ticket = Ticket(urgency, next(self._numbers), requester, refusable, admitted)
        if not self.free and refusable and self.max_waiting is not None and self.waiting_count() >= self.max_waiting:
            self._make_room(requester)
        self.shares.enter(requester)
        heapq.heappush(self._waiting.setdefault(requester, []), ticket)
        self._admit()
        try:
            await admitted
        except asyncio.CancelledError:
            if admitted.cancelled():
                self._drop(ticket)
            else:
                self._leave(ticket)  # admitted in the same moment: pass the slot on
            raise
        return ticket

    def _leave(self, ticket: Ticket) -> None:
        self.shares.leave(ticket.requester)
        self.free += 1
        self._admit()

    def _admit(self) -> None:
        while self.free and self._waiting:
            requester = self.shares.next_requester(
                {requester: _rank(tickets[0]) for requester, tickets in self._waiting.items()}
            )
            ticket = heapq.heappop(self._waiting[requester])
            if not self._waiting[requester]:
                del self._waiting[requester]
            if ticket.admitted.cancelled():  # its caller is gone but has not run yet
                self.shares.leave(requester)
                continue
            self.free -= 1
            self.shares.take(requester, self._weights[ticket.urgency])
            ticket.admitted.set_result(None)

    def _drop(self, ticket: Ticket) -> None:
        """Remove a ticket that is still waiting."""
        tickets = self._waiting.get(ticket.requester, [])
        if ticket not in tickets:
            return
        tickets.remove(ticket)
        heapq.heapify(tickets)
        if not tickets:
            del self._waiting[ticket.requester]
        self.shares.leave(ticket.requester)

    def _make_room(self, newcomer: Requester) -> None:
        """Refuse the latest job of the address with the most waiting jobs, which may be the newcomer."""
        refusal = RateLimited("The server is busy at the moment; try again in a few seconds.", RETRY_AFTER_S)
        refusable = [ticket for tickets in self._waiting.values() for ticket in tickets if ticket.refusable]
        last = _last_of_the_busiest(refusable)
        counts = Counter(ticket.requester.address for ticket in refusable)
        if last is None or counts[last.requester.address] <= counts[newcomer.address] + 1:
            raise refusal
        self._drop(last)
        last.admitted.set_exception(refusal)


def _rank(ticket: Ticket) -> tuple[int, int]:
    return ticket.urgency, ticket.number


def _last_of_the_busiest(tickets: Iterable[Ticket]) -> Ticket | None:
    """Return the latest ticket of the person with the most tickets at the address with the most tickets."""
    waiting = list(tickets)
    addresses = Counter(ticket.requester.address for ticket in waiting)
    requesters = Counter(ticket.requester for ticket in waiting)
    return max(
        waiting,
        key=lambda ticket: (addresses[ticket.requester.address], requesters[ticket.requester], ticket.number),
        default=None,
    )
