"""Fair queues: a few places, many who want one, and nobody who can crowd out the others.

Addresses share the places equally, and so do the people at one address: whoever has used the least time goes next.
Urgent work of one person goes before their other work, and less urgent work is charged at a higher rate, so that it
yields to urgent work of others without ever starving.
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

RETRY_AFTER_S: Final = 10  # when to come back if the queue is full
FIRST_GUESS_S: Final = 1.0  # how long work takes, before any has been measured
LEARNING_RATE: Final = 0.2
MAX_KEYS: Final = 10_000  # addresses whose use is remembered


class Owner(NamedTuple):
    """Whom work is done for: a person, and the address they come from."""

    address: str
    person: str


class Usage:
    """What each of several keys has used.

    A key that wants something again starts level with the one that has used the least among those that want something
    now: being away saves up no claim, and having worked while nobody else wanted to is no debt.
    """

    def __init__(self) -> None:
        self._used: dict[str, float] = {}
        self._pending: dict[str, float] = {}  # charged in advance for work that is under way
        self._active: Counter[str] = Counter()  # how many pieces of work each key wants or has under way
        self._floor = 0.0

    def usage_of(self, key: str) -> float:
        """What an active key has used, with what its work under way is expected to take."""
        return self._used[key] + self._pending.get(key, 0.0)

    def enter(self, key: str) -> None:
        """A key wants one more piece of work done."""
        if not self._active[key]:
            self._floor = max(self._floor, min((self._used[other] for other in +self._active), default=self._floor))
            self._used[key] = max(self._used.get(key, self._floor), self._floor)
        self._active[key] += 1

    def leave(self, key: str) -> None:
        """One piece of work of a key is done, or no longer wanted."""
        self._active[key] -= 1
        if not self._active[key]:
            del self._active[key]
            if self._used[key] <= self._floor or len(self._used) > MAX_KEYS:
                del self._used[key]
            self._pending.pop(key, None)

    def start(self, key: str, expected: float) -> None:
        """Charge work that begins in advance, so that nobody who comes meanwhile stands behind the same key's rest."""
        self._pending[key] = self._pending.get(key, 0.0) + expected

    def settle(self, key: str, expected: float, spent: float) -> None:
        """Charge work that has ended by what it took."""
        self._pending[key] -= expected
        self._used[key] += spent

    def copy(self) -> Usage:
        """The same figures, to try something out on."""
        twin = Usage()
        twin._used, twin._pending, twin._active = self._used.copy(), self._pending.copy(), self._active.copy()
        twin._floor = self._floor
        return twin

    def is_idle(self, key: str) -> bool:
        """Whether a key wants nothing."""
        return not self._active[key]


class Shares:
    """What owners have used, by address, and at each address by person."""

    def __init__(self) -> None:
        self._addresses = Usage()
        self._persons: dict[str, Usage] = {}

    def enter(self, owner: Owner) -> None:
        """An owner wants one more piece of work done."""
        self._addresses.enter(owner.address)
        self._persons.setdefault(owner.address, Usage()).enter(owner.person)

    def leave(self, owner: Owner) -> None:
        """One piece of work of an owner is done, or no longer wanted."""
        self._addresses.leave(owner.address)
        self._persons[owner.address].leave(owner.person)
        if self._addresses.is_idle(owner.address):
            del self._persons[owner.address]

    def start(self, owner: Owner, expected: float) -> None:
        """Work begins that is expected to take so long."""
        self._addresses.start(owner.address, expected)
        self._persons[owner.address].start(owner.person, expected)

    def settle(self, owner: Owner, expected: float, spent: float) -> None:
        """Work has ended that took so long."""
        self._addresses.settle(owner.address, expected, spent)
        self._persons[owner.address].settle(owner.person, expected, spent)

    def next_owner(self, first: dict[Owner, tuple[int, int]]) -> Owner:
        """Who goes next of owners who have entered; `first` ranks the first piece of work of each, for ties."""
        ranks: dict[str, tuple[int, int]] = {}
        for owner, rank in first.items():
            ranks[owner.address] = min(rank, ranks.get(owner.address, rank))
        address = min(ranks, key=lambda address: (self._addresses.usage_of(address), ranks[address]))
        here = [owner for owner in first if owner.address == address]
        return min(here, key=lambda owner: (self._persons[address].usage_of(owner.person), first[owner]))

    def copy(self) -> Shares:
        """The same figures, to try something out on."""
        twin = Shares()
        twin._addresses = self._addresses.copy()
        twin._persons = {address: usage.copy() for address, usage in self._persons.items()}
        return twin


@dataclass(order=True)
class Ticket:
    """One who waits."""

    urgency: int
    number: int
    owner: Owner = field(compare=False)
    refusable: bool = field(compare=False)
    admitted: asyncio.Future[None] = field(compare=False)
    expected: float = field(compare=False, default=0.0)


class FairQueue:
    """Admits so many at once, in the order that is fair.

    `weights` say how much a second of each urgency counts, the most urgent first. Where more than `max_waiting` wait,
    the address that has the most waiting loses one, or the newcomer is refused if it is theirs.
    """

    def __init__(
        self,
        places: int,
        weights: Sequence[float] = (1.0,),
        most_waiting: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.free = places
        self.max_waiting = most_waiting
        self.shares = Shares()
        self._weights = weights
        self._clock = clock
        self._numbers = itertools.count()
        self._waiting: dict[Owner, list[Ticket]] = {}  # heaps
        self._expected_s = FIRST_GUESS_S

    @asynccontextmanager
    async def acquire(self, owner: Owner, urgency: int = 0, *, refusable: bool = True) -> AsyncIterator[None]:
        """A place for as long as the block runs; RateLimited where too many wait already."""
        ticket = await self._enter(owner, urgency, refusable=refusable)
        begun = self._clock()
        try:
            yield
        finally:
            self._leave(ticket, self._clock() - begun)

    def waiting_count(self) -> int:
        """How many wait."""
        return sum(len(tickets) for tickets in self._waiting.values())

    async def _enter(self, owner: Owner, urgency: int, *, refusable: bool) -> Ticket:
        admitted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        ticket = Ticket(urgency, next(self._numbers), owner, refusable, admitted)
        if not self.free and refusable and self.max_waiting is not None and self.waiting_count() >= self.max_waiting:
            self._make_room(owner)
        self.shares.enter(owner)
        heapq.heappush(self._waiting.setdefault(owner, []), ticket)
        self._admit()
        try:
            await admitted
        except asyncio.CancelledError:
            if admitted.cancelled():
                self._drop(ticket)
            else:
                self._leave(ticket, 0.0)  # admitted just now: the next one's turn
            raise
        return ticket

    def _leave(self, ticket: Ticket, spent_s: float) -> None:
        self._expected_s += LEARNING_RATE * (spent_s - self._expected_s)
        self.shares.settle(ticket.owner, ticket.expected, spent_s * self._weights[ticket.urgency])
        self.shares.leave(ticket.owner)
        self.free += 1
        self._admit()

    def _admit(self) -> None:
        while self.free and self._waiting:
            owner = self.shares.next_owner({owner: _rank(tickets[0]) for owner, tickets in self._waiting.items()})
            ticket = heapq.heappop(self._waiting[owner])
            if not self._waiting[owner]:
                del self._waiting[owner]
            if ticket.admitted.cancelled():  # who waited has gone and does not know it yet
                self.shares.leave(owner)
                continue
            self.free -= 1
            ticket.expected = self._expected_s * self._weights[ticket.urgency]
            self.shares.start(owner, ticket.expected)
            ticket.admitted.set_result(None)

    def _drop(self, ticket: Ticket) -> None:
        """Forget one who waits, if they still do."""
        tickets = self._waiting.get(ticket.owner, [])
        if ticket not in tickets:
            return
        tickets.remove(ticket)
        heapq.heapify(tickets)
        if not tickets:
            del self._waiting[ticket.owner]
        self.shares.leave(ticket.owner)

    def _make_room(self, newcomer: Owner) -> None:
        """Refuse whoever came last of the address that has the most waiting: the newcomer, or another."""
        refusal = RateLimited("Too many people want to know at the moment; try again in a few seconds.", RETRY_AFTER_S)
        refusable = [ticket for tickets in self._waiting.values() for ticket in tickets if ticket.refusable]
        last = _last_of_the_busiest(refusable)
        counts = Counter(ticket.owner.address for ticket in refusable)
        if last is None or counts[last.owner.address] <= counts[newcomer.address] + 1:
            raise refusal
        self._drop(last)
        last.admitted.set_exception(refusal)


def _rank(ticket: Ticket) -> tuple[int, int]:
    return ticket.urgency, ticket.number


def _last_of_the_busiest(tickets: Iterable[Ticket]) -> Ticket | None:
    """Who came last of the person with the most waiting at the address with the most waiting."""
    found = list(tickets)
    addresses = Counter(ticket.owner.address for ticket in found)
    owners = Counter(ticket.owner for ticket in found)
    return max(
        found,
        key=lambda ticket: (addresses[ticket.owner.address], owners[ticket.owner], ticket.number),
        default=None,
    )
