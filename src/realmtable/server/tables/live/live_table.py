"""A table in memory: its value, its lock, its viewers with their scenes, and for whom its bots think."""

from __future__ import annotations

import asyncio
import gc
import secrets
import sys
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from realmtable.engine.match import Match
from realmtable.engine.protocol import Seat, State
from realmtable.kit.array_state import ArrayState
from realmtable.server.accounts.addresses import LatestAddresses
from realmtable.server.fair_queue import Requester
from realmtable.server.storage.table_store import TableRow
from realmtable.server.tables.scenes.changes import PlacedScene
from realmtable.server.tables.scenes.scene import SceneContext
from realmtable.server.tables.table import Table
from realmtable.server.tables.viewer_knowledge import SecretStep, is_known

ARRAY_STATE_BYTES: Final = 300  # without the array itself
MEASURED_STATES: Final = 4  # the latest ones; states that are not arrays share most of what they have with others
ViewerKind = tuple[tuple[Seat, ...], bool]  # the seats of a viewer, and whether they get pictures


@dataclass(eq=False)
class Viewer:
    """Someone who watches a table, through a socket or an event stream."""

    you: tuple[Seat, ...]  # their seats; none for a spectator
    requester: Requester | None
    player_id: str | None = None
    woken: asyncio.Event = field(default_factory=asyncio.Event)  # set when what they see may have changed


class LatestScene:
    """The latest scene of one kind of viewer, and what has changed since the one before.

    Its `id` tells nothing about other kinds of viewers, who may see more changes.
    """

    def __init__(self, before: LatestScene | None, placed: PlacedScene, change: bytes) -> None:
        self.series: str = secrets.token_hex(4) if before is None else before.series
        self.number: int = 1 if before is None else before.number + 1
        self.id = f"{self.series}-{self.number}"
        self.previous_id = "" if before is None else before.id
        self.placed = placed
        self.change = change  # from the previous scene, as JSON; empty for the first
        self.is_current = True  # until the table changes


class StateSizes(NamedTuple):
    """How much memory the states of a match take, in bytes."""

    first: int = 0
    further: int = 0  # each of them: what it does not share with those before it


@dataclass(eq=False)
class LiveTable:
    """A table in memory, with its viewers."""

    row: TableRow
    table: Table
    request_keys: dict[tuple[str, str], int]  # by player and key, the version that a request led to
    refusals: dict[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)  # of later steps in those requests
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    viewers: dict[Viewer, None] = field(default_factory=dict)  # those who have watched longest first
    away_since: dict[str, float] = field(default_factory=dict)  # by player, when it was first noticed
    shown_spectators: int = 0  # the number that scenes show
    spectator_timer: asyncio.TimerHandle | None = None  # updates that number
    snapshot_version: int = 0  # of the latest snapshot
    is_stale: bool = False  # whether the database may have newer events
    received: list[str] = field(default_factory=list)  # announcements by other processes, to be applied before use
    announced: asyncio.Event = field(default_factory=asyncio.Event)  # set by the next announcement, and replaced
    scenes: dict[ViewerKind, LatestScene] = field(default_factory=dict)
    changes: int = 0  # of what scenes show
    context: SceneContext | None = None  # of the latest scene, until the next change
    recent_layers: dict[tuple[Seat, ...], OrderedDict[str, None]] = field(default_factory=dict)  # keys by viewer
    layers_at: dict[tuple[Seat, ...], int] = field(default_factory=dict)  # the version that they include
    size: int = 0  # in bytes, as last estimated
    state_sizes: StateSizes = field(default_factory=StateSizes)
    remeasure_at_step: int = 0  # when to measure `state_sizes` again

    def is_watched_by(self, seat: Seat) -> bool:
        """Whether a player on this seat watches the table."""
        return any(seat in viewer.you for viewer in self.viewers)

    def wake(self, secret_steps: Sequence[SecretStep] = ()) -> None:
        """Wake the viewers after a change; if it consists only of secret steps, only those who may know of them."""
        self._wake(lambda seats: not secret_steps or _may_know(secret_steps, seats))

    def wake_players(self) -> None:
        """Wake the viewers with seats, whose scenes show a number that has changed."""
        self._wake(bool)

    def _wake(self, concerns: Callable[[tuple[Seat, ...]], bool]) -> None:
        self.context = None
        self.changes += 1
        for (seats, _), scene in self.scenes.items():
            if concerns(seats):
                scene.is_current = False
        for viewer in self.viewers:
            if concerns(viewer.you):
                viewer.woken.set()


def _may_know(steps: Sequence[SecretStep], seats: tuple[Seat, ...]) -> bool:
    return any(is_known(step, seats) for step in steps)


# ---- its size


def measure_states(match: Match) -> StateSizes:
    """Estimate the memory of a match's states from the latest ones."""
    if isinstance(match.state, ArrayState):
        size = int(match.state.position.nbytes) + ARRAY_STATE_BYTES
        return StateSizes(size, size)
    seen: set[int] = set()
    first, *further = [_measure(state, seen) for state in _list_latest_states(match)]
    return StateSizes(first, sum(further) // max(1, len(further)))


def _list_latest_states(match: Match) -> list[State]:
    states: list[State] = []
    at: Match | None = match
    while at is not None and len(states) < MEASURED_STATES:
        states.append(at.state)
        at = at.parent
    return states[::-1]


def _measure(state: State, seen: set[int]) -> int:
    """Return the size of a state and of everything it refers to, except for objects that were seen before."""
    size, found = 0, [state]
    while found:
        thing = found.pop()
        if id(thing) not in seen and not callable(thing):  # classes and functions are not the state's own
            seen.add(id(thing))
            size += sys.getsizeof(thing)
            found += gc.get_referents(thing)
    return size


def drop_drawings(live: LiveTable) -> None:
    """Drop cached scenes and pictures, which can be rebuilt for the next viewer."""
    live.scenes.clear()
    for name in ("picture", "shared_parts"):
        live.table.__dict__.pop(name, None)


# ---- who watches


SHOW_SPECTATORS_AFTER_S: Final = 1.0  # many who come or go at once cause one change


class Presence:
    """Counts the viewers of all live tables of this process."""

    def __init__(
        self, live_tables: Mapping[str, LiveTable], notify: Callable[[Table], None], now: Callable[[], float]
    ) -> None:
        self.is_complete = True  # False if other processes serve streams as well
        self.closings: Counter[str] = Counter()  # by player, how often their streams were closed
        self._live_tables = live_tables
        self._notify = notify
        self._now = now

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
        note_presence(live, viewer.player_id)
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
        return [seat in live.table.bots or live.is_watched_by(seat) for seat in range(len(live.table.seats))]

    def away_since(self, live: LiveTable) -> list[float | None] | None:
        """Return since when the person on each seat of a running game has been away; None if this process cannot know.

        An absence begins when somebody notices it, so that a table that has just been loaded finds nobody absent.
        """
        connected, now = self.connected_seats(live), self._now()
        if connected is None or live.table.status != "running":
            return None
        return [
            None if is_there or player is None else live.away_since.setdefault(player, now)
            for is_there, player in zip(connected, map(live.table.people.get, range(len(connected))), strict=True)
        ]

    def forget_absences(self) -> None:
        """Begin to count all absences again, after an outage."""
        for live in self._live_tables.values():
            if live.away_since:
                live.away_since.clear()
                live.wake()

    def count_spectators(self, live: LiveTable) -> int | None:
        """Return the number of people who watch a table, or None if this process cannot know."""
        return live.shown_spectators if self.is_complete else None

    def is_paused(self, live: LiveTable) -> bool:
        """Whether a table of bots is known to be waiting for a spectator."""
        return self.is_complete and is_paused(live)


def note_presence(live: LiveTable, player_id: str | None) -> None:
    """Note that a player has been at a table until now."""
    live.away_since.pop(player_id or "", None)


def _show_spectators(live: LiveTable) -> None:
    live.spectator_timer = None
    count = len({viewer.requester for viewer in live.viewers if not viewer.you and viewer.requester})
    if count != live.shown_spectators:
        live.shown_spectators = count
        live.wake_players()  # spectators see the number with the next change: waking all of them would cost too much


# ---- for whom its bots think


FOR_PLAYER, FOR_SPECTATOR = range(2)  # urgency of a bot's thinking
WEIGHTS: Final = (1.0, 4.0)  # the turns that a job counts for at each urgency


def is_paused(live: LiveTable) -> bool:
    """Whether a game is paused: only bots play, and there are no spectators."""
    return live.table.status == "running" and not live.viewers and not live.table.people


def requester_and_urgency(live: LiveTable, addresses: LatestAddresses) -> tuple[Requester, int]:
    """Return who is charged for a bot's thinking, and how urgent it is.

    This is the player who was active last. At a table of bots alone it is the spectator who has watched longest, not
    the player who opened it: strangers must not use up another player's share.
    """
    if live.table.people:
        return addresses.latest_requester([*live.table.people.values()]), FOR_PLAYER
    watching = [viewer.requester for viewer in live.viewers if viewer.requester is not None]
    if watching:
        return watching[0], FOR_SPECTATOR
    return addresses.requester_of(live.table.created_by), FOR_SPECTATOR
