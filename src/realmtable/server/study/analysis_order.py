"""Whose analysis is next: addresses take turns, and so do the people at one address."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final

from realmtable.server.accounts.latest_addresses import LatestAddresses
from realmtable.server.fair_queue import Owner, Shares
from realmtable.server.storage.analyses import AnalysisRequest

EXPECTED_S: Final = 60.0  # how long an analysis takes while it is not known


class AnalysisOrder:
    """Remembers whose analyses took how long in this process, and says who is next."""

    def __init__(self, addresses: LatestAddresses) -> None:
        self._addresses = addresses
        self._shares = Shares()
        self._entered: set[Owner] = set()
        self._running: Owner | None = None
        self._uncharged: tuple[Owner, float] | None = None  # whose analysis has ended, and how long it took

    def next_asker(self, wishes: Sequence[AnalysisRequest]) -> str | None:
        """The person whose oldest wish is next; None where there are no wishes."""
        self._sync_owners({self._addresses.owner_of(wish.asked_by) for wish in wishes})
        return self._shares.next_owner(_first_ranks(self._queues_by_owner(wishes))).person if wishes else None

    def start(self, asker: str) -> None:
        """An analysis of this person's begins."""
        self._running = self._addresses.owner_of(asker)
        self._shares.enter(self._running)
        self._shares.start(self._running, EXPECTED_S)

    def end(self, spent_s: float) -> None:
        """It has ended. It is charged only when those who have come meanwhile stand level with it."""
        assert self._running is not None  # noqa: S101 - it was started
        self._uncharged, self._running = (self._running, spent_s), None

    def position_of(self, source: str, wishes: Sequence[AnalysisRequest]) -> int:
        """How many wishes come before one, if all take equally long."""
        shares, lines = self._shares.copy(), self._queues_by_owner(wishes)
        for owner in lines.keys() - self._entered:
            shares.enter(owner)
        for place in range(len(wishes)):
            owner = shares.next_owner(_first_ranks(lines))
            if lines[owner].popleft()[1] == source:
                return place
            shares.start(owner, EXPECTED_S)
            if not lines[owner]:
                del lines[owner]
        return len(wishes)

    def _sync_owners(self, owners: set[Owner]) -> None:
        for owner in owners - self._entered:
            self._shares.enter(owner)
        for owner in self._entered - owners:
            self._shares.leave(owner)
        self._entered = owners
        if self._uncharged is not None:
            (owner, spent_s), self._uncharged = self._uncharged, None
            self._shares.settle(owner, EXPECTED_S, spent_s)
            self._shares.leave(owner)

    def _queues_by_owner(self, wishes: Sequence[AnalysisRequest]) -> dict[Owner, deque[tuple[int, str]]]:
        lines: dict[Owner, deque[tuple[int, str]]] = {}
        for number, wish in enumerate(wishes):
            lines.setdefault(self._addresses.owner_of(wish.asked_by), deque()).append((number, wish.source))
        return lines


def _first_ranks(lines: dict[Owner, deque[tuple[int, str]]]) -> dict[Owner, tuple[int, int]]:
    return {owner: (0, line[0][0]) for owner, line in lines.items()}
