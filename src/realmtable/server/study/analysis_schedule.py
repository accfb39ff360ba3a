"""The order of analyses: addresses take turns, and so do the people at one address."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from copy import deepcopy

from realmtable.server.accounts.player_addresses import PlayerAddresses
from realmtable.server.fair_queue import Requester, Shares
from realmtable.server.storage.analyses import AnalysisRequest


class AnalysisSchedule:
    """Chooses the next person, based on how many analyses each has had in this process."""

    def __init__(self, addresses: PlayerAddresses) -> None:
        self._addresses = addresses
        self._shares = Shares()
        self._entered: set[Requester] = set()
        self._running: Requester | None = None

    def next_player(self, requests: Sequence[AnalysisRequest]) -> str | None:
        """Return the person whose oldest request is next; None if there are no requests."""
        self._sync_requesters({self._addresses.requester_of(request.asked_by) for request in requests})
        return (
            self._shares.next_requester(_first_ranks(self._queues_by_requester(requests))).person if requests else None
        )

    def start(self, player_id: str) -> None:
        """Note that an analysis for this person begins."""
        self._running = self._addresses.requester_of(player_id)
        self._shares.enter(self._running)
        self._shares.take(self._running)

    def end(self) -> None:
        """Note that the analysis has ended."""
        assert self._running is not None  # noqa: S101 - set by `start`
        self._shares.leave(self._running)
        self._running = None

    def position_of(self, source: str, requests: Sequence[AnalysisRequest]) -> int:
        """Return the number of requests ahead of the one for `source`."""
        shares, queues = deepcopy(self._shares), self._queues_by_requester(requests)
        for requester in queues.keys() - self._entered:
            shares.enter(requester)
        for position in range(len(requests)):
            requester = shares.next_requester(_first_ranks(queues))
            if queues[requester].popleft()[1] == source:
                return position
            shares.take(requester)
            if not queues[requester]:
                del queues[requester]
        return len(requests)

    def _sync_requesters(self, requesters: set[Requester]) -> None:
        for requester in requesters - self._entered:
            self._shares.enter(requester)
        for requester in self._entered - requesters:
            self._shares.leave(requester)
        self._entered = requesters

    def _queues_by_requester(self, requests: Sequence[AnalysisRequest]) -> dict[Requester, deque[tuple[int, str]]]:
        queues: dict[Requester, deque[tuple[int, str]]] = {}
        for number, request in enumerate(requests):
            queues.setdefault(self._addresses.requester_of(request.asked_by), deque()).append((number, request.source))
        return queues


def _first_ranks(queues: dict[Requester, deque[tuple[int, str]]]) -> dict[Requester, tuple[int, int]]:
    return {requester: (0, queue[0][0]) for requester, queue in queues.items()}
