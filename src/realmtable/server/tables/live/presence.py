"""Presence: which seats and spectators watch a table, and ending what a player watches."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from realmtable.server.tables.live.bot_costs import is_bot, is_paused
from realmtable.server.tables.live.live_table import LiveTable, Viewer
from realmtable.server.tables.live.table_memory import drop_drawings
from realmtable.server.tables.table import Table

SHOW_SPECTATORS_AFTER_S: Final = 1.0  # many who come or go at once cause one change


class Presence:
    """Counts the viewers of all live tables of this process."""

    def __init__(self, live_tables: Mapping[str, LiveTable], notify: Callable[[Table], None]) -> None:
        self.is_complete = True  # False if other processes serve streams as well
        self.closings: Counter[str] = Counter()  # by player, how often their streams were closed
        self._live_tables = live_tables
        self._notify = notify

    @contextmanager
    def watch(self, live: LiveTable, viewer: Viewer) -> Iterator[None]:
        """Count a viewer while the context is open; resume a paused table."""
        was_paused = is_paused(live)
        self._change_viewers(live, viewer, lambda: live.viewers.update({viewer: None}))
        if was_paused:
            live.wake()
            self._notify(live.table)
        try:
            yield
        finally:
            self._change_viewers(live, viewer, lambda: live.viewers.pop(viewer))
            if not live.viewers:
                drop_drawings(live)
            if is_paused(live):
                live.wake()

    def _change_viewers(self, live: LiveTable, viewer: Viewer, change: Callable[[], object]) -> None:
        """Add or remove a viewer, and wake those whose scenes show it."""
        before = [live.is_watched_by(seat) for seat in viewer.you]
        change()
        if before != [live.is_watched_by(seat) for seat in viewer.you]:
            live.wake()
        if not viewer.you and self.is_complete and live.spectator_timer is None:
            loop = asyncio.get_running_loop()
            live.spectator_timer = loop.call_later(SHOW_SPECTATORS_AFTER_S, _show_spectators, live)

    def close_streams(self, player_id: str) -> None:
        """Close a player's streams because their identity or rights changed; clients reconnect with the new ones."""
        self.closings[player_id] += 1
        for live in self._live_tables.values():
            if live.viewers and live.table.seats_of(player_id):
                live.wake()
            for viewer in live.viewers:
                if viewer.player_id == player_id:
                    viewer.woken.set()

    def connected_seats(self, live: LiveTable) -> list[bool] | None:
        """Return whether each seat is connected (bots always are), or None if this process cannot know."""
        if not self.is_complete:
            return None
        return [is_bot(live.table, seat) or live.is_watched_by(seat) for seat in range(len(live.table.seats))]

    def count_spectators(self, live: LiveTable) -> int | None:
        """Return the number of people who watch a table, or None if this process cannot know."""
        return live.shown_spectators if self.is_complete else None

    def is_paused(self, live: LiveTable) -> bool:
        """Whether a table of bots is known to be waiting for a spectator."""
        return self.is_complete and is_paused(live)


def _show_spectators(live: LiveTable) -> None:
    live.spectator_timer = None
    count = len({viewer.requester for viewer in live.viewers if not viewer.you and viewer.requester})
    if count != live.shown_spectators:
        live.shown_spectators = count
        live.wake_players()  # spectators see the number with the next change: waking all of them would cost too much
