"""Limits the open sockets and event streams of a process, and chooses which to end when it is full.

Players come first: their stream replaces one of a spectator, of a lobby page, or of an older page of their own.
Otherwise the group with by far the most streams loses one, so that no address can lock out the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from realmtable.server.accounts.rate_limits import WIDER_FACTOR, site_of
from realmtable.server.errors import RateLimited
from realmtable.server.fair_queue import Requester

RETRY_AFTER_S = 60
FULL = "Too many people are watching at the moment; try again in a minute."
FULL_ADDRESS = "Too many pages are open from your address; close some, or try again in a minute."


@dataclass(eq=False)
class OpenStream:
    """One open socket or event stream. After `end` its client may reconnect; without room it is refused then."""

    requester: Requester
    played_table_id: str | None  # the table at which the client plays, if any
    ended: bool = False
    on_end: Callable[[], None] | None = field(default=None, repr=False)  # ends its current wait for events

    def end(self) -> None:
        """End the stream: at once if it is waiting, else when the client has read what was sent."""
        self.ended = True
        if self.on_end is not None:
            self.on_end()


class OpenStreams:
    """Those of one process: at most `max_total`, at most `max_per_address` per address, more per site."""

    def __init__(self, max_total: int, max_per_address: int) -> None:
        self.max_total = max_total
        self.max_per_address = max_per_address
        self._streams: dict[OpenStream, None] = {}  # in the order of opening

    def __len__(self) -> int:
        return len(self._streams)

    def open(self, requester: Requester, played_table_id: str | None = None) -> OpenStream:
        """Open a stream, ending another if necessary; raise RateLimited if there is no room."""
        stream, site = OpenStream(requester, played_table_id), site_of(requester.address)
        here = [other for other in self._streams if other.requester.address == requester.address]
        at_site = [other for other in self._streams if site and site_of(other.requester.address) == site]
        if len(here) >= self.max_per_address:
            self._make_room(stream, here, lambda other: other.requester.key, FULL_ADDRESS)
        elif len(at_site) >= WIDER_FACTOR * self.max_per_address:
            self._make_room(stream, at_site, lambda other: other.requester.address, FULL_ADDRESS)
        elif len(self) >= self.max_total:
            self._make_room(stream, list(self._streams), lambda other: other.requester.address, FULL)
        self._streams[stream] = None
        return stream

    def close(self, stream: OpenStream) -> None:
        """Remove a stream; does nothing if it was already replaced."""
        self._streams.pop(stream, None)

    def _make_room(
        self, newcomer: OpenStream, streams: Sequence[OpenStream], group: Callable[[OpenStream], str], refusal: str
    ) -> None:
        """End one of the streams or refuse the newcomer. `group` returns the unit that shares the slots fairly."""
        sizes = Counter(group(stream) for stream in streams)
        # Only the latest stream of a player at their table holds the seat.
        holders = {(each.requester.key, each.played_table_id): each for each in self._streams}
        spare = [
            stream
            for stream in streams
            if stream.played_table_id is None or holders[stream.requester.key, stream.played_table_id] is not stream
        ]
        candidates = spare or streams if newcomer.played_table_id is not None else spare
        # The oldest stream of the person with the most streams in the largest group.
        persons = Counter(stream.requester.key for stream in streams)
        chosen = max(candidates, key=lambda one: (sizes[group(one)], persons[one.requester.key]), default=None)
        player_first = newcomer.played_table_id is not None and bool(spare)
        if chosen is None or not (player_first or sizes[group(chosen)] > sizes[group(newcomer)] + 1):
            raise RateLimited(refusal, RETRY_AFTER_S)
        chosen.end()
        self.close(chosen)
