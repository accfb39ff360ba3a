"""A table in memory: its current value, its lock, its open streams and their cached scenes."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from realmtable.engine.protocol import Seat
from realmtable.server.accounts.accounts import Player
from realmtable.server.fair_queue import Requester
from realmtable.server.storage.table_store import TableRow
from realmtable.server.tables.live.change_signal import ChangeSignal
from realmtable.server.tables.live.state_sizes import StateSizes
from realmtable.server.tables.scenes.list_changes import SceneChanges
from realmtable.server.tables.scenes.scene import SceneContext
from realmtable.server.tables.table import Table
from realmtable.server.tables.viewer_numbering import SecretStep, is_known


class CachedScene(NamedTuple):
    """A scene as JSON."""

    made_at: float
    data: bytes
    is_crowded: bool  # whether it has so many choices that they may be sent in groups


class CachedChanges(NamedTuple):
    """What has changed since the scene before, as JSON."""

    made_at: float
    changes: SceneChanges


class KnownPlayers(NamedTuple):
    """The players that the scenes of a table name, for as long as the key is the same."""

    key: tuple[object, ...]
    players: Mapping[str, Player]


@dataclass(eq=False)
class LiveTable:
    """A table in memory, with the viewers who wait for its next version."""

    row: TableRow
    table: Table
    request_keys: dict[tuple[str, str], int]  # by player and key, the version that a request led to
    refusals: dict[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)  # of later steps in those requests
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    change_signals: dict[tuple[Seat, ...], ChangeSignal] = field(default_factory=dict)  # by the seats of a viewer
    seat_stream_counts: list[int] = field(default_factory=list)  # number of open streams of each seat
    streams: int = 0
    stream_requesters: list[Requester] = field(default_factory=list)  # of the open streams, oldest first
    spectator_requesters: list[Requester] = field(default_factory=list)  # of the open streams without a seat
    shown_spectators: int = 0  # the number that scenes show
    spectator_timer: asyncio.TimerHandle | None = None  # updates that number
    snapshot_version: int = 0  # of the latest snapshot
    is_stale: bool = False  # whether the database may have newer events
    received: list[str] = field(default_factory=list)  # announcements by other processes, to be applied before use
    awaiting_change: list[asyncio.Future[None]] = field(default_factory=list)  # resolved by the next announcement
    # By the seats of a viewer, whether there are pictures, and whether choices are in groups.
    scenes: dict[tuple[tuple[Seat, ...], bool, bool], CachedScene] = field(default_factory=dict)
    # By the seats of a viewer, and whether choices are in groups; only where all viewers may know the same.
    changes: dict[tuple[tuple[Seat, ...], bool], CachedChanges] = field(default_factory=dict)
    context: SceneContext | None = None  # of the latest scene, until the next change
    known_players: KnownPlayers | None = None
    recent_layers: dict[tuple[Seat, ...], OrderedDict[str, None]] = field(default_factory=dict)  # keys by viewer
    layers_at: dict[tuple[Seat, ...], int] = field(default_factory=dict)  # the version that they include
    size: int = 0  # in bytes, as last estimated
    state_sizes: StateSizes = field(default_factory=StateSizes)
    remeasure_at_step: int = 0  # when to measure `state_sizes` again

    def change_signal(self, seats: tuple[Seat, ...]) -> ChangeSignal:
        """Return a signal that is set at the next change that viewers on these seats may know of."""
        change = self.change_signals.get(seats)
        if change is None:
            change = self.change_signals[seats] = ChangeSignal()
        return change

    def wake(self, secrets: Sequence[SecretStep] = ()) -> None:
        """Wake the viewers after a change; if it consists only of `secrets`, only those who may know of them."""
        self.context = None
        self.changes = {}
        if not secrets:
            signals, self.change_signals = self.change_signals, {}
            self.scenes = {}
        else:
            signals = {seats: signal for seats, signal in self.change_signals.items() if _may_know(secrets, seats)}
            self.change_signals = {seats: self.change_signals[seats] for seats in self.change_signals.keys() - signals}
            self.scenes = {key: cached for key, cached in self.scenes.items() if not _may_know(secrets, key[0])}
        for signal in signals.values():
            signal.set()

    def wake_players(self) -> None:
        """Wake the viewers with seats, whose scenes show a number that has changed."""
        self.context = None
        self.changes = {}
        for seats in [seats for seats in self.change_signals if seats]:
            self.change_signals.pop(seats).set()
        self.scenes = {key: cached for key, cached in self.scenes.items() if not key[0]}


def _may_know(secrets: Sequence[SecretStep], seats: tuple[Seat, ...]) -> bool:
    """Whether viewers on these seats may know of one of these steps."""
    return any(is_known(secret, seats) for secret in secrets)
