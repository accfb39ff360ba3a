"""The latest address of each player, for queues that are fair by address. Only in memory, never stored."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from realmtable.server.fair_queue import Requester

MAX_PLAYERS: Final = 20_000


class PlayerAddresses:
    """The latest address of each recently active player."""

    def __init__(self, size: int = MAX_PLAYERS) -> None:
        self._size = size
        self._addresses: OrderedDict[str, str] = OrderedDict()  # by player, most recent last
        self._seen: dict[str, int] = {}
        self._count = 0

    def note(self, player_id: str, address: str) -> None:
        """Note that a player has sent a request from an address."""
        self._count += 1
        self._seen[player_id] = self._count
        self._addresses[player_id] = address
        self._addresses.move_to_end(player_id)
        if len(self._addresses) > self._size:
            del self._seen[self._addresses.popitem(last=False)[0]]

    def requester_of(self, player_id: str) -> Requester:
        """Return a player as a requester of work; without a known address, they get a separate one."""
        return Requester(self._addresses.get(player_id, f"player {player_id}"), player_id)

    def latest_requester(self, player_ids: Sequence[str]) -> Requester:
        """Return the most recently active of these players, or the first if none was active."""
        return self.requester_of(max(player_ids, key=lambda player_id: self._seen.get(player_id, 0)))
