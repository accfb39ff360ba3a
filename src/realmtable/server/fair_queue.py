"""A fair queue for a limited number of slots, in which no one can crowd out the others.

Addresses take turns, and so do the people at one address. Each person's urgent work goes before their other work. Less
urgent work counts as several turns, so that it yields to other people's urgent work without starving.
"""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
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

    def is_idle(self) -> bool:
        """Whether no key has a job."""
        return not self._active


class Shares:
    """The turns that requesters have had, by address and, at each address, by person."""

    def __init__(self) -> None:
        self._groups: dict[str, Turns] = {"": Turns()}  # of addresses, and of the people at each address

    def enter(self, requester: Requester) -> None:
        """Add a job of a requester."""
        self._groups[""].enter(requester.address)
        self._groups.setdefault(requester.address, Turns()).enter(requester.key)

    def leave(self, requester: Requester) -> None:
        """Remove a job of a requester, finished or withdrawn."""
        self._groups[""].leave(requester.address)
        people = self._groups[requester.address]
        people.leave(requester.key)
        if people.is_idle():
            del self._groups[requester.address]

    def take(self, requester: Requester, turns: float = 1.0) -> None:
        """Count turns of a requester whose job starts."""
        self._groups[""].take(requester.address, turns)
        self._groups[requester.address].take(requester.key, turns)

    def next_requester(self, first: Mapping[Requester, tuple[int, int]]) -> Requester:
        """Return the requester who goes next. `first` maps each candidate to the rank of their first job, for ties."""
        addresses = self._groups[""]
        address = min(first, key=lambda requester: (addresses.rank_of(requester.address), first[requester])).address
        here = [requester for requester in first if requester.address == address]
        return min(here, key=lambda requester: (self._groups[address].rank_of(requester.key), first[requester]))


@dataclass(frozen=True, eq=False)
class Ticket:
    """A waiting job."""

    requester: Requester
    rank: tuple[int, int]  # its urgency and number
    is_refusable: bool
    admitted: asyncio.Future[None]


class FairQueue:
    """A semaphore that admits up to `places` jobs at once, in fair order.

    `weights` holds how many turns a job of each urgency counts for, most urgent first. When more than `max_waiting`
    jobs wait, the address with the most waiting jobs loses one; if the newcomer is from that address, the newcomer is
    refused.
    """

    def __init__(self, places: int, weights: Sequence[float] = (1.0,), max_waiting: int | None = None) -> None:
        self.free = places
        self.max_waiting = max_waiting
        self.shares = Shares()
        self._weights = weights
        self._numbers = itertools.count()
        self.waiting: list[Ticket] = []

    @asynccontextmanager
    async def acquire(self, requester: Requester, urgency: int = 0, *, refusable: bool = True) -> AsyncIterator[None]:
        """Hold a slot while the block runs; raise RateLimited if too many jobs are waiting."""
        ticket = await self._enter(requester, urgency, refusable=refusable)
        try:
            yield
        finally:
            self._leave(ticket)

    async def _enter(self, requester: Requester, urgency: int, *, refusable: bool) -> Ticket:
        admitted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        ticket = Ticket(requester, (urgency, next(self._numbers)), refusable, admitted)
        if not self.free and refusable and self.max_waiting is not None and len(self.waiting) >= self.max_waiting:
            self._make_room(requester)
        self.shares.enter(requester)
        self.waiting.append(ticket)
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
        while self.free and self.waiting:
            # The first ticket of each requester, which replaces their later ones.
            by_rank = sorted(self.waiting, key=lambda ticket: ticket.rank, reverse=True)
            first = {ticket.requester: ticket for ticket in by_rank}
            ranks = {requester: ticket.rank for requester, ticket in first.items()}
            ticket = first[self.shares.next_requester(ranks)]
            self.waiting.remove(ticket)
            if ticket.admitted.cancelled():  # its caller is gone but has not run yet
                self.shares.leave(ticket.requester)
                continue
            self.free -= 1
            self.shares.take(ticket.requester, self._weights[ticket.rank[0]])
            ticket.admitted.set_result(None)

    def _drop(self, ticket: Ticket) -> None:
        """Remove a ticket if it is still waiting."""
        if ticket in self.waiting:
            self.waiting.remove(ticket)
            self.shares.leave(ticket.requester)

    def _make_room(self, newcomer: Requester) -> None:
        """Refuse the latest job of the person with the most, at the address with the most: perhaps the newcomer's."""
        refusal = RateLimited("The server is busy at the moment; try again in a few seconds.", RETRY_AFTER_S)
        refusable = [ticket for ticket in self.waiting if ticket.is_refusable]
        addresses = Counter(ticket.requester.address for ticket in refusable)
        people = Counter(ticket.requester for ticket in refusable)
        last = max(
            refusable,
            key=lambda ticket: (addresses[ticket.requester.address], people[ticket.requester], ticket.rank[1]),
            default=None,
        )
        if last is None or addresses[last.requester.address] <= addresses[newcomer.address] + 1:
            raise refusal
        self._drop(last)
        last.admitted.set_exception(refusal)
