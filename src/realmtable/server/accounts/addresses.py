"""Where players were last seen, and who was seen at an address. Only in memory; of shared addresses only hashes."""

from __future__ import annotations

import itertools
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from realmtable.server.accounts.ids import digest
from realmtable.server.fair_queue import Requester
from realmtable.server.storage.fanout import Fanout
from realmtable.server.ttl_cache import TtlCache

MAX_PLAYERS: Final = 20_000


class LatestAddresses:
    """The latest address of each recently active player."""

    def __init__(self, size: int = MAX_PLAYERS) -> None:
        self._size = size
        self._addresses: OrderedDict[str, tuple[str, int]] = OrderedDict()  # by player, with the number of the note
        self._notes = itertools.count(1)

    def note(self, player_id: str, address: str) -> None:
        """Note that a player has sent a request from an address."""
        self._addresses[player_id] = address, next(self._notes)
        self._addresses.move_to_end(player_id)
        if len(self._addresses) > self._size:
            self._addresses.popitem(last=False)

    def requester_of(self, player_id: str) -> Requester:
        """Return a player as a requester of work; without a known address, they get a separate one."""
        return Requester(self._addresses.get(player_id, (f"player {player_id}", 0))[0], player_id)

    def latest_requester(self, player_ids: Sequence[str]) -> Requester:
        """Return the most recently active of these players, or the first if none was active."""
        return self.requester_of(max(player_ids, key=lambda player_id: self._addresses.get(player_id, ("", 0))[1]))


CHANNEL: Final = "address:"
MAX_AGE_S: Final = 12 * 3600.0
PUBLISH_EVERY_S: Final = 600.0
MAX_ADDRESSES: Final = 20_000
MAX_PLAYERS_PER_ADDRESS: Final = 30  # per address, the latest ones


@lru_cache(maxsize=10_000)  # only in memory
def _hash_address(address: str) -> str:
    return digest(address)[:32]


class SharedAddresses:
    """The players seen at each address, latest last."""

    def __init__(self, fanout: Fanout | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._fanout, self._clock = fanout, clock
        self._seen: OrderedDict[str, OrderedDict[str, float]] = OrderedDict()
        self._published: TtlCache[tuple[str, str], bool] = TtlCache(MAX_ADDRESSES, PUBLISH_EVERY_S, clock)
        if fanout is not None:
            fanout.listen(self._on_message, CHANNEL)

    async def note(self, address: str, player_id: str) -> None:
        """Note that a player has sent a request from an address."""
        key, now = _hash_address(address), self._clock()
        players = self._seen.get(key)
        before = None if players is None else players.get(player_id)
        if before is not None and now - before < PUBLISH_EVERY_S:
            return  # noted recently
        if self._fanout is None or self._is_published(key, player_id):
            self._put(key, player_id)
        else:  # which notifies this process too, at once
            await self._fanout.publish(CHANNEL + key, player_id)

    def _is_published(self, key: str, player_id: str) -> bool:
        """Whether a player at a busy address was published recently, and only pushed out by others; note it if not."""
        if self._published.get((key, player_id)):
            return True
        self._published.put((key, player_id), value=True, epoch=self._published.epoch)
        return False

    def players_at(self, address: str) -> list[str]:
        """Return the players seen at an address in the last hours."""
        oldest = self._clock() - MAX_AGE_S
        return [player_id for player_id, at in self._seen.get(_hash_address(address), {}).items() if at > oldest]

    def _on_message(self, channel: str, player_id: str) -> None:
        if channel.startswith(CHANNEL):
            self._put(channel.removeprefix(CHANNEL), player_id)

    def _put(self, key: str, player_id: str) -> None:
        players = self._seen.setdefault(key, OrderedDict())
        players[player_id] = self._clock()
        players.move_to_end(player_id)
        self._seen.move_to_end(key)
        if len(players) > MAX_PLAYERS_PER_ADDRESS:
            players.popitem(last=False)
        if len(self._seen) > MAX_ADDRESSES:
            self._seen.popitem(last=False)
