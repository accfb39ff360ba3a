"""A table in memory: its value, its queue, its open streams and the scenes that were built for them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from realmtable.engine.protocol import Seat
from realmtable.server.fair_queue import Owner
from realmtable.server.storage.store import TableRow
from realmtable.server.tables.table import Table
from realmtable.server.tables.visibility import SecretStep, is_known


@dataclass(eq=False)
class LiveTable:
    """One table in memory, with those who wait for its next version."""

    row: TableRow
    table: Table
    request_keys: dict[
        tuple[str, str], int
    ]  # (player, key) of requests that were answered, with the version they led to
    queue: asyncio.Lock = field(default_factory=asyncio.Lock)
    change_events: dict[tuple[Seat, ...], asyncio.Event] = field(default_factory=dict)  # set for viewers on these seats
    seat_stream_counts: list[int] = field(default_factory=list)  # how many streams every seat has open
    streams: int = 0
    watchers: list[Owner] = field(default_factory=list)  # whose streams they are, the first that was opened first
    snapshot_version: int = 0  # the version of the latest one
    is_stale: bool = False  # whether another process has written
    scenes: dict[tuple[tuple[Seat, ...], bool], tuple[float, bytes]] = field(default_factory=dict)
    size: int = 0  # in bytes, as last estimated,
    state_size: int = 0  # that of one state of it,
    remeasure_at_step: int = 0  # and when to measure that again

    def change_event(self, seats: tuple[Seat, ...]) -> asyncio.Event:
        """Set at the next change that viewers on these seats (none: spectators) may know of."""
        return self.change_events.setdefault(seats, asyncio.Event())

    def wake(self, secrets: Sequence[SecretStep] = ()) -> None:
        """Tell those who wait that there is something new; if it is nothing but `secrets`, only those who know them."""
        for seats in [seats for seats in self.change_events if _may_know(secrets, seats)]:
            self.change_events.pop(seats).set()
        self.scenes = {key: kept for key, kept in self.scenes.items() if not _may_know(secrets, key[0])}


def _may_know(secrets: Sequence[SecretStep], seats: tuple[Seat, ...]) -> bool:
    """Whether viewers on these seats may know of a change: of one that is more than secret steps everybody may."""
    return not secrets or any(is_known(secret, seats) for secret in secrets)
