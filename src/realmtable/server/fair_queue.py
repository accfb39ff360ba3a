"""A fair queue for a limited number of slots, in which no one can crowd out the others.

Addresses share the slots equally, and so do the people at one address: the one that has used the least time goes next.
Each person's urgent work goes before their other work. Less urgent work is charged at a higher rate, so that it yields
to other people's urgent work without starving.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from realmtable.server.errors import RateLimited

RETRY_AFTER_S: Final = 10  # sent when the queue is full
FIRST_GUESS_S: Final = 1.0  # expected duration of a job before any was measured
LEARNING_RATE: Final = 0.2
MAX_KEYS: Final = 10_000  # addresses whose usage is remembered


class Requester(NamedTuple):
    """The address from which a job was requested, and the person, if known."""

    address: str
    person: str | None = None

    @property
    def key(self) -> str:
        """The person or, if unknown, the address: all unknown people at an address count as one."""
        return self.person or self.address


class Usage:
    """The time that each key has used.

    A key that becomes active again starts level with the least-used active key: idle time earns no credit, and time
    used while no other key was waiting leaves no debt.
    """

    def __init__(self) -> None:
        self._used: dict[str, float] = {}
        self._pending: dict[str, float] = {}  # charged in advance for running jobs
        self._active: Counter[str] = Counter()  # number of waiting and running jobs of each key
        self._floor = 0.0

    def usage_of(self, key: str) -> float:
        """Return the time that an active key has used, including the expected time of its running jobs."""
        return self._used[key] + self._pending.get(key, 0.0)

    def enter(self, key: str) -> None:
        """Add a job of a key."""
        if not self._active[key]:
            self._floor = max(self._floor, min((self._used[other] for other in +self._active), default=self._floor))
            self._used[key] = max(self._used.get(key, self._floor), self._floor)
        self._active[key] += 1

    def leave(self, key: str) -> None:
        """Remove a job of a key, finished or withdrawn."""
        self._active[key] -= 1
        if not self._active[key]:
            del self._active[key]
            if self._used[key] <= self._floor or len(self._used) > MAX_KEYS:
                del self._used[key]
            self._pending.pop(key, None)

    def start(self, key: str, expected: float) -> None:
        """Charge a starting job in advance, so that newcomers do not wait behind further jobs of the same key."""
        self._pending[key] = self._pending.get(key, 0.0) + expected

    def settle(self, key: str, expected: float, spent: float) -> None:
        """Replace the advance charge of a finished job with the time it took."""
        self._pending[key] -= expected
        self._used[key] += spent

    def copy(self) -> Usage:
        """Return an independent copy."""
        duplicate = Usage()
        duplicate._used, duplicate._pending, duplicate._active = (
            self._used.copy(),
            self._pending.copy(),
            self._active.copy(),
        )
        duplicate._floor = self._floor
        return duplicate

    def is_idle(self, key: str) -> bool:
        """Whether a key has no jobs."""
        return not self._active[key]


class Shares:
    """The time that requesters have used, by address and, at each address, by person."""

    def __init__(self) -> None:
        self._addresses = Usage()
        self._persons: dict[str, Usage] = {}

    def enter(self, requester: Requester) -> None:
        """Add a job of a requester."""
        self._addresses.enter(requester.address)
        self._persons.setdefault(requester.address, Usage()).enter(requester.key)

    def leave(self, requester: Requester) -> None:
        """Remove a job of a requester, finished or withdrawn."""
        self._addresses.leave(requester.address)
        self._persons[requester.address].leave(requester.key)
        if self._addresses.is_idle(requester.address):
            del self._persons[requester.address]

    def start(self, requester: Requester, expected: float) -> None:
        """Charge a starting job with its expected time."""
        self._addresses.start(requester.address, expected)
        self._persons[requester.address].start(requester.key, expected)

    def settle(self, requester: Requester, expected: float, spent: float) -> None:
        """Replace the expected time of a finished job with the time it took."""
        self._addresses.settle(requester.address, expected, spent)
        self._persons[requester.address].settle(requester.key, expected, spent)

    def next_requester(self, first: dict[Requester, tuple[int, int]]) -> Requester:
        """Return the requester who goes next. `first` maps each candidate to the rank of their first job, for ties."""
        ranks: dict[str, tuple[int, int]] = {}
        for requester, rank in first.items():
            ranks[requester.address] = min(rank, ranks.get(requester.address, rank))
        address = min(ranks, key=lambda address: (self._addresses.usage_of(address), ranks[address]))
        here = [requester for requester in first if requester.address == address]
        return min(here, key=lambda requester: (self._persons[address].usage_of(requester.key), first[requester]))

    def copy(self) -> Shares:
        """Return an independent copy."""
        duplicate = Shares()
        duplicate._addresses = self._addresses.copy()
        duplicate._persons = {address: usage.copy() for address, usage in self._persons.items()}
        return duplicate


@dataclass(order=True)
class Ticket:
    """A waiting job."""

    urgency: int
    number: int
    requester: Requester = field(compare=False)
    refusable: bool = field(compare=False)
    admitted: asyncio.Future[None] = field(compare=False)
    expected: float = field(compare=False, default=0.0)


class FairQueue:
    """A semaphore that admits up to `places` jobs at once, in fair order.

    `weights` holds the cost of a second for each urgency, most urgent first. When more than `max_waiting` jobs wait,
    the address with the most waiting jobs loses one; if the newcomer is from that address, the newcomer is refused.
    """

    def __init__(
        self,
        places: int,
        weights: Sequence[float] = (1.0,),
        max_waiting: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.free = places
        self.max_waiting = max_waiting
        self.shares = Shares()
        self._weights = weights
        self._clock = clock
        self._numbers = itertools.count()
        self._waiting: dict[Requester, list[Ticket]] = {}  # heaps
        self._expected_s = FIRST_GUESS_S

    @asynccontextmanager
    async def acquire(self, requester: Requester, urgency: int = 0, *, refusable: bool = True) -> AsyncIterator[None]:
        """Hold a slot while the block runs; raise RateLimited if too many jobs are waiting."""
        ticket = await self._enter(requester, urgency, refusable=refusable)
        started_at = self._clock()
        try:
            yield
        finally:
            self._leave(ticket, self._clock() - started_at)

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
                self._leave(ticket, 0.0)  # admitted in the same moment: pass the slot on
            raise
        return ticket

    def _leave(self, ticket: Ticket, spent_s: float) -> None:
        self._expected_s += LEARNING_RATE * (spent_s - self._expected_s)
        self.shares.settle(ticket.requester, ticket.expected, spent_s * self._weights[ticket.urgency])
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
            ticket.expected = self._expected_s * self._weights[ticket.urgency]
            self.shares.start(requester, ticket.expected)
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
