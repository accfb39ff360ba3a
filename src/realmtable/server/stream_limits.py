"""How many event streams a process keeps open, in all and for one address, and whose ends first when there is no room.

Players come first: their stream takes the place of a spectator's, of a page in the lobby, or of an older page of their
own. Otherwise whoever has by far the most streams gives one up, so that no address can keep the others out.
"""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from realmtable.server.errors import RateLimited
from realmtable.server.fair_queue import Owner

RETRY_AFTER_S = 60
FULL = "Too many people are watching at the moment; come back in a minute."
FULL_ADDRESS = "Too many pages are open at your address; close some, or come back in a minute."


@dataclass(eq=False)
class OpenStream:
    """One open stream. `end` has it end soon: its reader may come back, and is refused if there is still no room."""

    owner: Owner
    played_table_id: str | None  # the table at which its reader plays, if they do
    number: int
    ended: bool = False
    timeout: asyncio.Timeout | None = field(default=None, repr=False)  # of its present wait for news

    def end(self) -> None:
        """Have the stream end at once if it waits, else as soon as its reader has taken what was sent."""
        self.ended = True
        if self.timeout is not None:
            with suppress(RuntimeError):  # it has just stopped waiting
                self.timeout.reschedule(0)


class OpenStreams:
    """The open streams of one process: at most `max_total`, and at most `max_per_address` for one address."""

    def __init__(self, most: int, most_per_address: int) -> None:
        self.max_total = most
        self.max_per_address = most_per_address
        self._numbers = itertools.count()
        self._by_address: dict[str, dict[OpenStream, None]] = {}  # in the order in which they were opened
        self._at_seats: dict[tuple[str, str], list[OpenStream]] = {}  # of those who play, by person and table

    def __len__(self) -> int:
        return sum(len(streams) for streams in self._by_address.values())

    def open(self, owner: Owner, seat_at: str | None = None) -> OpenStream:
        """A place for a stream; RateLimited if there is none and nobody else has to give theirs up."""
        stream = OpenStream(owner, seat_at, next(self._numbers))
        here = self._by_address.get(owner.address, {})
        if len(here) >= self.max_per_address:
            self._make_room(stream, here, lambda other: other.owner.person, FULL_ADDRESS)
        elif len(self) >= self.max_total:
            everywhere = itertools.chain.from_iterable(self._by_address.values())
            self._make_room(stream, everywhere, lambda other: other.owner.address, FULL)
        self._by_address.setdefault(owner.address, {})[stream] = None
        if seat_at is not None:
            self._at_seats.setdefault((owner.person, seat_at), []).append(stream)
        return stream

    def close(self, stream: OpenStream) -> None:
        """A stream has ended; nothing happens if it had to give its place up before."""
        here = self._by_address.get(stream.owner.address, {})
        if stream not in here:
            return
        del here[stream]
        if not here:
            del self._by_address[stream.owner.address]
        if stream.played_table_id is not None:
            same_seat = self._at_seats[stream.owner.person, stream.played_table_id]
            same_seat.remove(stream)
            if not same_seat:
                del self._at_seats[stream.owner.person, stream.played_table_id]

    def _holds_seat(self, stream: OpenStream) -> bool:
        """Whether it is the stream by which somebody plays; an older page of theirs at the same table is not."""
        return (
            stream.played_table_id is not None
            and self._at_seats[stream.owner.person, stream.played_table_id][-1] is stream
        )

    def _make_room(
        self, newcomer: OpenStream, among: Iterable[OpenStream], group: Callable[[OpenStream], str], refusal: str
    ) -> None:
        """End one of the streams, or refuse the newcomer. `group` says by what they are to be shared out fairly."""
        streams = list(among)
        sizes = Counter(group(stream) for stream in streams)
        spare = [stream for stream in streams if not self._holds_seat(stream)]
        wanted = spare or streams if newcomer.played_table_id is not None else spare
        # Of the largest group, in it of the person with the most streams, the one that was opened first.
        persons = Counter(stream.owner.person for stream in streams)
        chosen = max(wanted, key=lambda one: (sizes[group(one)], persons[one.owner.person], -one.number), default=None)
        gives_way = newcomer.played_table_id is not None and bool(spare)
        if chosen is None or not (gives_way or sizes[group(chosen)] > sizes[group(newcomer)] + 1):
            raise RateLimited(refusal, RETRY_AFTER_S)
        chosen.end()
        self.close(chosen)
