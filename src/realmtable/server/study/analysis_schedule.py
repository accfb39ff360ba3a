"""The order of analyses: addresses take turns, and so do the people at one address."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final

from realmtable.server.accounts.player_addresses import PlayerAddresses
from realmtable.server.fair_queue import Owner, Shares
from realmtable.server.storage.analyses import AnalysisRequest

EXPECTED_S: Final = 60.0  # assumed duration of an analysis


class AnalysisSchedule:
    """Chooses the next person, based on how much analysis time each has used in this process."""

    def __init__(self, addresses: PlayerAddresses) -> None:
        self._addresses = addresses
        self._shares = Shares()
        self._entered: set[Owner] = set()
        self._running: Owner | None = None
        self._uncharged: tuple[Owner, float] | None = None  # the owner and duration of the last analysis

    def next_asker(self, requests: Sequence[AnalysisRequest]) -> str | None:
        """Return the person whose oldest request is next; None if there are no requests."""
        self._sync_owners({self._addresses.owner_of(request.asked_by) for request in requests})
        return self._shares.next_owner(_first_ranks(self._queues_by_owner(requests))).person if requests else None

    def start(self, asker: str) -> None:
        """Note that an analysis for this person begins."""
        self._running = self._addresses.owner_of(asker)
        self._shares.enter(self._running)
        self._shares.start(self._running, EXPECTED_S)

    def end(self, spent_s: float) -> None:
        """Note that the analysis has ended. It is charged later, once owners who arrived meanwhile have entered."""
        assert self._running is not None  # noqa: S101 - set by `start`
        self._uncharged, self._running = (self._running, spent_s), None

    def position_of(self, source: str, requests: Sequence[AnalysisRequest]) -> int:
        """Return the number of requests ahead of the one for `source`, if all take equally long."""
        shares, queues = self._shares.copy(), self._queues_by_owner(requests)
        for owner in queues.keys() - self._entered:
            shares.enter(owner)
        for position in range(len(requests)):
            owner = shares.next_owner(_first_ranks(queues))
            if queues[owner].popleft()[1] == source:
                return position
            shares.start(owner, EXPECTED_S)
            if not queues[owner]:
                del queues[owner]
        return len(requests)

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

    def _queues_by_owner(self, requests: Sequence[AnalysisRequest]) -> dict[Owner, deque[tuple[int, str]]]:
        queues: dict[Owner, deque[tuple[int, str]]] = {}
        for number, request in enumerate(requests):
            queues.setdefault(self._addresses.owner_of(request.asked_by), deque()).append((number, request.source))
        return queues


def _first_ranks(queues: dict[Owner, deque[tuple[int, str]]]) -> dict[Owner, tuple[int, int]]:
    return {owner: (0, queue[0][0]) for owner, queue in queues.items()}
