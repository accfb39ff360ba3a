"""The tables in the memory of this process, and how they follow what other processes do at them.

A table stays in memory while it is in use and is otherwise loaded from its log. Several processes may share one
database: the fan-out sends the events of one to the others, and a process that has missed some reads them from the
database.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any, Final, TypeVar

import orjson
import structlog

from realmtable.server.accounts.accounts import Accounts, Player
from realmtable.server.errors import NotFound, Unavailable
from realmtable.server.shared_tasks import SharedTasks
from realmtable.server.storage.database import Database
from realmtable.server.storage.fanout import Fanout
from realmtable.server.storage.table_store import Event, TableStore
from realmtable.server.tables.events.apply import apply_event
from realmtable.server.tables.events.undo import HistoryNeeded
from realmtable.server.tables.live.live_table import LiveTable, Presence
from realmtable.server.tables.live.table_memory import TableMemory, forget_history
from realmtable.server.tables.live.viewer_scenes import ViewerScenes
from realmtable.server.tables.replay_log import replay
from realmtable.server.tables.scenes.changes import Change
from realmtable.server.tables.table import Table
from realmtable.server.task_cancellation import cancel_tasks

Subject = TypeVar("Subject")
MAX_LIVE_TABLES: Final = 5_000
MAX_RECEIVED: Final = 16  # announcements that a table without viewers keeps; more are read from the database
MAX_RECEIVED_LENGTH: Final = 16_384  # of all of them, in characters: the memory budget does not include them
ANNOUNCEMENT_S: Final = 0.25  # how long to wait for one before reading the database
TABLE_CHANNEL: Final = "table:"  # announces a version of a table, and its events
REMOVED_CHANNEL: Final = "removed:"  # announces that a table was deleted
LOBBY_CHANNEL: Final = "lobby"  # announces that the lists of the lobby have changed
RETRY_S: Final = 1.0

log = structlog.get_logger(__name__)


@dataclass(eq=False)
class LiveTables:
    """The tables in memory, by id."""

    database: Database
    store: TableStore
    accounts: Accounts
    fanout: Fanout
    now: Callable[[], float]

    def __post_init__(self) -> None:
        self.live: OrderedDict[str, LiveTable] = OrderedDict()
        self.replay_slot = asyncio.Semaphore(1)
        self.loading: SharedTasks[LiveTable] = SharedTasks()
        self.stale_while_loading: set[str] = set()  # changed by another process while loading
        self.on_change: list[Callable[[Table], None]] = []  # called after every change and after loading
        self.lobby_viewers: set[asyncio.Event] = set()  # set when the lists of the lobby have changed
        self.background_tasks: set[asyncio.Task[Any]] = set()
        self.memory = TableMemory()
        self.presence = Presence(self.live, self._notify, lambda: self.now())  # noqa: PLW0108 - tests replace `now`
        self.scenes = ViewerScenes(self.database, self.accounts, self.presence, lambda: self.now())  # noqa: PLW0108 - tests replace `now`
        self.fanout.listen(self._on_message, TABLE_CHANNEL, REMOVED_CHANNEL, LOBBY_CHANNEL)

    async def table(self, table_id: str) -> Table:
        """Return a table in its current version."""
        return (await self.find(table_id)).table

    async def find(self, table_id: str) -> LiveTable:
        """Return a table in memory, loading it from its log if necessary."""
        live = self.live.get(table_id) or await self.loading.run(table_id, partial(self._load, table_id))
        if live.received and not live.lock.locked():
            self._apply_received(live)
        if live.is_stale or live.received:
            await self.refresh(live)
        if table_id in self.live:  # it may have been evicted meanwhile
            self.live.move_to_end(table_id)
        return live

    async def _load(self, table_id: str) -> LiveTable:
        row = await self.store.table(table_id)
        if row is None:
            raise NotFound("This table does not exist; it may have been deleted.")
        snapshot = await self.store.snapshot(table_id)  # before the events, which must not be older
        events = await self.store.events(table_id)
        async with self.replay_slot:  # one at a time: several threads would block the event loop
            table = await asyncio.to_thread(replay, row, events, snapshot)
        if table.trouble:
            log.warning("table_halted", table=table_id, trouble=table.trouble)
        live = LiveTable(row, forget_history(table), _request_keys(events), _refusals(events))
        live.snapshot_version = snapshot.version if snapshot else 0
        live.is_stale = table_id in self.stale_while_loading  # another process wrote while we read
        self.stale_while_loading.discard(table_id)
        return self.add_live(live)

    def add_live(self, live: LiveTable) -> LiveTable:
        """Keep a table in memory."""
        self.live[live.table.id] = live
        self._evict_idle(live)
        self._notify(live.table)
        return live

    def _notify(self, table: Table) -> None:
        for callback in self.on_change:
            callback(table)

    def _evict_idle(self, changed: LiveTable) -> None:
        """Measure a new or changed table, and evict others if memory is short; they can be loaded again."""
        self.memory.measure(changed)
        for key in self.memory.choose_evictions(self.live, changed, MAX_LIVE_TABLES):
            self.memory.note_eviction(self.live.pop(key))

    async def catch_up(self, live: LiveTable) -> None:
        """Apply changes by other processes that are announced, or in the database. The caller holds the lock."""
        if live.received:
            self._apply_received(live)
        if not live.is_stale:
            return
        live.is_stale = False
        live.received.clear()  # they are in the database
        try:
            events = await self.store.events(live.table.id, after=live.table.version)
            table = await self._apply_or_replay(live, events) if events else live.table
        except BaseException:
            live.is_stale = True
            raise
        if events:
            self.apply_version(live, table, events)

    async def _apply_or_replay(self, live: LiveTable, events: Sequence[Event]) -> Table:
        try:
            return reduce(apply_event, events, live.table)
        except HistoryNeeded:
            return await self.replay_log(live, events[-1].version)

    async def replay_log(self, live: LiveTable, version: int) -> Table:
        """Return a version of a table with all its states, from its log."""
        events = [event for event in await self.store.events(live.table.id) if event.version <= version]
        async with self.replay_slot:
            return await asyncio.to_thread(replay, live.row, events)

    def apply_version(self, live: LiveTable, table: Table, events: Sequence[Event]) -> None:
        """Replace a table by its next version, and wake its viewers."""
        live.table = table = forget_history(table)
        live.request_keys |= _request_keys(events)
        live.refusals |= _refusals(events)
        new = [secret for secret in table.hidden_steps[-len(events) :] if secret.version >= events[0].version]
        live.wake(new if len(new) == len(events) and table.result is None else ())
        if self.live.get(table.id) is live:
            self._evict_idle(live)
        self._notify(table)

    def _on_message(self, channel: str, message: str) -> None:
        if channel == LOBBY_CHANNEL:
            for woken in self.lobby_viewers:
                woken.set()
            return
        if channel.startswith(REMOVED_CHANNEL):
            self.forget(channel.removeprefix(REMOVED_CHANNEL))
            return
        table_id = channel.removeprefix(TABLE_CHANNEL)
        self.stale_while_loading |= self.loading.keys() if channel == "*" else self.loading.keys() & {table_id}
        live = self.live.get(table_id)
        if channel == "*":
            for each in list(self.live.values()):
                self._mark_stale(each)
        elif live is not None and (not message or announced_version(message) > live.table.version):
            self._receive(live, message)

    def forget(self, table_id: str) -> None:
        """Drop a table that was deleted from the database; its streams end."""
        live = self.live.pop(table_id, None)
        if live is not None:
            live.wake()

    def _receive(self, live: LiveTable, message: str) -> None:
        """Handle the announcement of a later version: apply it now if someone watches the table, else before use."""
        live.announced.set()
        live.announced = asyncio.Event()
        length = sum(map(len, live.received)) + len(message)
        if not has_events(message) or len(live.received) >= MAX_RECEIVED or length > MAX_RECEIVED_LENGTH:
            live.received.clear()
            self._mark_stale(live)
            return
        live.received.append(message)
        if live.viewers:
            self.follow_announcements(live)

    def follow_announcements(self, live: LiveTable) -> None:
        """Apply what was announced for a table with viewers, now if possible, else in the background."""
        if live.received and not live.lock.locked():
            self._apply_received(live)
        if live.is_stale or live.received:
            self._refresh_soon(live)

    def _apply_received(self, live: LiveTable) -> None:
        """Apply the announced events, or mark the table as stale if that fails, for example because some are missing.

        Call this only while no one else holds the table's lock.
        """
        messages, live.received = live.received, []
        try:
            events = read_events(live.table.id, messages, live.table.version)
            table = reduce(apply_event, events, live.table)
        except Exception as error:  # noqa: BLE001 - whatever it is, the database has the events
            live.is_stale = True
            log.debug("announcement_not_applied", table=live.table.id, reason=type(error).__name__)
            return
        if events:
            self.apply_version(live, table, events)

    async def wait_for_change(self, live: LiveTable) -> None:
        """Wait briefly until another process announces a change of a table; one that was seen there is on its way."""
        if self.fanout.reaches_others:
            await wait_for(live.announced, ANNOUNCEMENT_S)

    def _mark_stale(self, live: LiveTable) -> None:
        live.is_stale = True
        if live.viewers:
            self._refresh_soon(live)

    def _refresh_soon(self, live: LiveTable) -> None:
        self.spawn(self.retry_forever(self.refresh, live))

    async def refresh(self, live: LiveTable) -> None:
        """Apply changes by other processes."""
        async with live.lock:
            await self.catch_up(live)

    @staticmethod
    async def retry_forever(work: Callable[[Subject], Awaitable[None]], subject: Subject) -> None:
        """Retry until the database is available again."""
        while True:
            try:
                return await work(subject)
            except Unavailable:
                await asyncio.sleep(RETRY_S)

    def spawn(self, work: Any) -> None:  # noqa: ANN401 - a coroutine
        """Run a coroutine in the background, and log if it fails."""
        task = asyncio.ensure_future(work)
        self.background_tasks.add(task)
        task.add_done_callback(self._on_task_done)

    def _on_task_done(self, task: asyncio.Task[Any]) -> None:
        self.background_tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("background_failed", exc_info=error)

    async def scene(self, table_id: str, player: Player | None, *, pictures: bool) -> Change:
        """Return the table as a player (None: a visitor) sees it."""
        live = await self.find(table_id)
        return await self.scenes.whole(live, live.table.seats_of(player.id if player else None), pictures=pictures)

    async def layer(self, table_id: str, player: Player | None, key: str) -> tuple[str, bool]:
        """Return a layer of a player's picture, and whether others may see another one in its place."""
        live = await self.find(table_id)
        svg = self.scenes.find_layer(live, live.table.seats_of(player.id if player else None), key)
        if svg is None:
            raise NotFound("This part of the picture is not in use any more; reload the page.")
        return svg, live.table.game.info.hidden

    def wake_all(self) -> None:
        """Wake all viewers."""
        for live in self.live.values():
            live.wake()
        for woken in self.lobby_viewers:
            woken.set()

    async def close(self) -> None:
        """Cancel background tasks."""
        await cancel_tasks(self.background_tasks)


async def wait_for(event: asyncio.Event, timeout_s: float) -> bool:
    """Wait for an event; return whether it came in time."""
    with suppress(TimeoutError):
        async with asyncio.timeout(timeout_s):
            await event.wait()
    return event.is_set()


def _request_keys(events: Sequence[Event]) -> dict[tuple[str, str], int]:
    return {(event.player_id or "", event.key): event.version for event in events if event.key is not None}


def _refusals(events: Sequence[Event]) -> dict[tuple[str, str], Mapping[str, Any]]:
    """Return the data of events whose request was refused in part, by player and key."""
    refused = (event for event in events if event.key is not None and "refused" in event.data)
    return {(event.player_id or "", event.key or ""): event.data for event in refused}


MAX_LENGTH: Final = 16_384  # of the events in an announcement; longer ones are read from the database


def announce_events(events: Sequence[Event]) -> str:
    """Return the message that announces events which were stored."""
    version = str(events[-1].version)
    try:
        data = orjson.dumps([event[1:] for event in events])  # without the table's id
    except TypeError:  # a number that is too large for it
        return version
    return f"{version} {data.decode()}" if len(data) <= MAX_LENGTH else version


def announced_version(message: str) -> int:
    """Return the version that a message announces."""
    return int(message.partition(" ")[0])


def has_events(message: str) -> bool:
    """Whether a message contains the events of the change."""
    return " " in message


def read_events(table_id: str, messages: Sequence[str], after: int) -> list[Event]:
    """Return the events in these messages after a version, each once and in order."""
    rows = [row for message in messages for row in orjson.loads(message.partition(" ")[2])]
    found = {event.version: event for event in (Event(table_id, *row) for row in rows) if event.version > after}
    return [found[version] for version in sorted(found)]
