"""Presence: which seats and spectators have a stream open, and closing the streams of a player."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.server.fair_queue import Requester
from realmtable.server.tables.live.bot_costs import is_bot, is_paused
from realmtable.server.tables.live.live_table import LiveTable
from realmtable.server.tables.live.table_memory import drop_drawings
from realmtable.server.tables.table import Table

SHOW_SPECTATORS_AFTER_S: Final = 1.0  # many who come or go at once cause one change


class Presence:
    """Counts the open streams of all live tables of this process."""

    def __init__(self, live_tables: Mapping[str, LiveTable], notify: Callable[[Table], None]) -> None:
        self.is_complete = True  # False if other processes serve streams as well
        self.closings: Counter[str] = Counter()  # by player, how often their streams were closed
        self._live_tables = live_tables
        self._notify = notify

    @asynccontextmanager
    async def count_stream(
        self, live: LiveTable, seats: tuple[Seat, ...], requester: Requester | None = None
    ) -> AsyncIterator[None]:
        """Count a stream for these seats (none: a spectator) while the context is open; resume a paused table."""
        was_paused = is_paused(live)
        live.streams += 1
        live.stream_requesters += [requester] if requester is not None else []
        self._change_spectators(live, seats, requester, arrives=True)
        _change_stream_counts(live, seats, 1)
        if was_paused:
            live.wake()
            self._notify(live.table)
        try:
            yield
        finally:
            live.streams -= 1
            if requester is not None:
                live.stream_requesters.remove(requester)
            self._change_spectators(live, seats, requester, arrives=False)
            _change_stream_counts(live, seats, -1)
            if not live.streams:
                drop_drawings(live)
            if is_paused(live):
                live.wake()

    def close_streams(self, player_id: str) -> None:
        """Close a player's streams because their identity or rights changed; clients reconnect with the new ones."""
        self.closings[player_id] += 1
        for live in self._live_tables.values():
            if live.streams and live.table.seats_of(player_id):
                live.wake()

    def connected_seats(self, live: LiveTable) -> list[bool] | None:
        """Return whether each seat is connected (bots always are), or None if this process cannot know."""
        if not self.is_complete:
            return None
        return [count > 0 or is_bot(live.table, seat) for seat, count in enumerate(live.seat_stream_counts)]

    def count_spectators(self, live: LiveTable) -> int | None:
        """Return the number of people who watch a table, or None if this process cannot know."""
        return live.shown_spectators if self.is_complete else None

    def _change_spectators(
        self, live: LiveTable, seats: tuple[Seat, ...], requester: Requester | None, *, arrives: bool
    ) -> None:
        """Note that a spectator's stream opens or ends, and schedule the update of the number that scenes show."""
        if seats or requester is None or not self.is_complete:
            return
        if arrives:
            live.spectator_requesters.append(requester)
        else:
            live.spectator_requesters.remove(requester)
        if live.spectator_timer is None:
            loop = asyncio.get_running_loop()
            live.spectator_timer = loop.call_later(SHOW_SPECTATORS_AFTER_S, _show_spectators, live)

    def is_paused(self, live: LiveTable) -> bool:
        """Whether a table of bots is known to be waiting for a spectator."""
        return self.is_complete and is_paused(live)


def _show_spectators(live: LiveTable) -> None:
    live.spectator_timer = None
    count = len(set(live.spectator_requesters))
    if count != live.shown_spectators:
        live.shown_spectators = count
        live.wake_players()  # spectators see the number with the next change: waking all of them would cost too much


def _change_stream_counts(live: LiveTable, seats: tuple[Seat, ...], change: int) -> None:
    before = [count > 0 for count in live.seat_stream_counts]
    for seat in seats:
        live.seat_stream_counts[seat] += change
    if before != [count > 0 for count in live.seat_stream_counts]:
        live.wake()
