"""The live tables of this process: loading, acting (store, then publish) and rating.

A table stays in memory while it is in use and is otherwise loaded from its log. Several processes may share one
database: the primary key (table, version) decides which of two writes came first, and the fan-out sends the events to
the other processes. A process that has missed some reads them from the database.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import reduce
from typing import Any, Final, TypeVar

import structlog

from realmtable.engine import registry
from realmtable.engine.errors import RealmtableError
from realmtable.server.accounts import ratings
from realmtable.server.accounts.accounts import Accounts, Player
from realmtable.server.errors import BadSetup, NotFound, StaleVersion, Unavailable
from realmtable.server.storage.database import Database
from realmtable.server.storage.fanout import Fanout
from realmtable.server.storage.outages import Outages
from realmtable.server.storage.table_store import Event, SeatRow, Snapshot, Summary, TableRow, TableStore
from realmtable.server.tables import actions, seeds
from realmtable.server.tables.actions import EventDraft
from realmtable.server.tables.live.announced_changes import (
    announce_events,
    announced_version,
    has_events,
    read_events,
)
from realmtable.server.tables.live.bot_costs import is_bot, people_at
from realmtable.server.tables.live.change_signal import ChangeSignal
from realmtable.server.tables.live.live_table import LiveTable
from realmtable.server.tables.live.presence import Presence
from realmtable.server.tables.live.scene_cache import SceneCache
from realmtable.server.tables.live.table_memory import TableMemory, forget_history
from realmtable.server.tables.rating_conditions import are_named, rated_players, rated_ranking, why_not_counted
from realmtable.server.tables.rebuild import replay, table_before_events, take_snapshot
from realmtable.server.tables.scenes.scene import Scene
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.table import Occupant, Table, summarize_result
from realmtable.server.tables.table_events import apply_event
from realmtable.server.tables.table_undo import HistoryNeeded
from realmtable.server.task_cancellation import cancel_tasks

Action = Callable[[Table], list[EventDraft]]
Subject = TypeVar("Subject")
MAX_LIVE_TABLES: Final = 5_000
MAX_HISTORIES: Final = 64  # tables replayed from their first step
SNAPSHOT_EVERY: Final = 64  # events between snapshots of a long game
MAX_RECEIVED: Final = 16  # announcements that a table without viewers keeps; more are read from the database
MAX_RECEIVED_LENGTH: Final = 16_384  # of all of them, in characters: the memory budget does not include them
ANNOUNCEMENT_S: Final = 0.25  # how long to wait for one before reading the database
TABLE_CHANNEL: Final = "table:"  # announces a version of a table, and its events
REMOVED_CHANNEL: Final = "removed:"  # announces that a table was deleted
LOBBY_CHANNEL: Final = "lobby"  # announces that the lists of the lobby have changed
RETRY_S: Final = 1.0
SEAT_KINDS: Final = frozenset({"sat", "left", "timed_out"})  # of events after which seats have other players

log = structlog.get_logger(__name__)


class TableService:
    """The live tables, as the API and the pages use them."""

    def __init__(
        self,
        database: Database,
        store: TableStore,
        accounts: Accounts,
        fanout: Fanout,
        now: Callable[[], float],
        outages: Outages,
    ) -> None:
        self.database = database
        self.store = store
        self.accounts = accounts
        self.fanout = fanout
        self.now = now
        self.outages = outages
        outages.on_outage = self._resume_live_tables
        self.live: OrderedDict[str, LiveTable] = OrderedDict()
        self.histories: OrderedDict[str, Table] = OrderedDict()
        self.replay_slot = asyncio.Semaphore(1)
        self.loading: dict[str, asyncio.Task[LiveTable]] = {}
        self.stale_while_loading: set[str] = set()  # changed by another process while loading
        self.on_change: list[Callable[[Table], None]] = []  # called after every change and after loading
        self.on_stored: list[Callable[[Table, Table], None]] = []  # called with the table before and after our changes
        self.on_step: Callable[[str, str], None] | None = None  # called with the game and "person" or "bot"
        self.lobby_changed = ChangeSignal()
        self.background_tasks: set[asyncio.Task[Any]] = set()
        self.memory = TableMemory()
        self.presence = Presence(self.live, self._notify)
        self.scenes = SceneCache(database, accounts, self.presence, lambda: self.now())  # noqa: PLW0108 - tests replace `now`
        fanout.listen(self._on_message, TABLE_CHANNEL, REMOVED_CHANNEL, LOBBY_CHANNEL)

    # ---- finding tables

    async def table(self, table_id: str) -> Table:
        """Return a table in its current version."""
        return (await self.find(table_id)).table

    async def find(self, table_id: str) -> LiveTable:
        """Return a table in memory, loading it from its log if necessary."""
        live = self.live.get(table_id)
        if live is None:
            task = self.loading.get(table_id)
            if task is None:
                task = self.loading[table_id] = asyncio.ensure_future(self._load(table_id))
                task.add_done_callback(lambda _: self.loading.pop(table_id, None))
            live = await asyncio.shield(task)
            if self._was_interrupted(live.table):
                await self._resume(table_id)
        if live.received and not live.lock.locked():
            self._apply_received(live)
        if live.is_stale or live.received:
            await self._refresh(live)
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
        return self._add_live(live)

    def _add_live(self, live: LiveTable) -> LiveTable:
        live.seat_stream_counts = [0] * len(live.table.seats)
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

    async def _catch_up(self, live: LiveTable) -> None:
        """Apply events in the database that this process does not know of."""
        live.is_stale = False
        live.received.clear()  # they are in the database
        try:
            events = await self.store.events(live.table.id, after=live.table.version)
            table = await self._apply_or_replay(live, events) if events else live.table
        except BaseException:
            live.is_stale = True
            raise
        if events:
            self._apply_version(live, table, events)

    async def _apply_or_replay(self, live: LiveTable, events: Sequence[Event]) -> Table:
        try:
            return reduce(apply_event, events, live.table)
        except HistoryNeeded:
            return await self._replay_log(live, events[-1].version)

    async def _replay_log(self, live: LiveTable, version: int) -> Table:
        """Return a version of a table with all its states, from its log."""
        events = [event for event in await self.store.events(live.table.id) if event.version <= version]
        async with self.replay_slot:
            return await asyncio.to_thread(replay, live.row, events)

    def _apply_version(self, live: LiveTable, table: Table, events: Sequence[Event]) -> None:
        """Replace a table by its next version, and wake its viewers."""
        live.table = table = forget_history(table)
        live.request_keys |= _request_keys(events)
        live.refusals |= _refusals(events)
        new = [secret for secret in table.secrets[-len(events) :] if secret.version >= events[0].version]
        live.wake(new if len(new) == len(events) and table.result is None else ())
        if self.live.get(table.id) is live:
            self._evict_idle(live)
        self._notify(table)

    async def full_history(self, table_id: str) -> Table:
        """Return a table with all its steps, even if it was loaded from a snapshot."""
        live = await self.find(table_id)
        if live.table.snapshot_step == 0:
            return live.table
        history = self.histories.get(table_id)
        if history is None or history.version != live.table.version:
            history = self.histories[table_id] = await self._replay_log(live, live.table.version)
            while len(self.histories) > MAX_HISTORIES or self.memory.are_histories_too_large(self.histories.values()):
                self.histories.popitem(last=False)
        self.histories.move_to_end(table_id)
        return history

    def _on_message(self, channel: str, message: str) -> None:
        """Handle a message that this or another process published."""
        if channel == LOBBY_CHANNEL:
            self.lobby_changed.set()
            self.lobby_changed = ChangeSignal()
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
        self.histories.pop(table_id, None)
        live = self.live.pop(table_id, None)
        if live is not None:
            live.wake()

    def _receive(self, live: LiveTable, message: str) -> None:
        """Handle the announcement of a later version: apply it now if someone watches the table, else before use."""
        for waiting in live.awaiting_change:
            _resolve(waiting)
        length = sum(map(len, live.received)) + len(message)
        if not has_events(message) or len(live.received) >= MAX_RECEIVED or length > MAX_RECEIVED_LENGTH:
            live.received.clear()
            self._mark_stale(live)
            return
        live.received.append(message)
        if live.streams:
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
            self._apply_version(live, table, events)

    async def wait_for_change(self, live: LiveTable) -> None:
        """Wait briefly until another process announces a change of a table; one that was seen there is on its way."""
        if not self.fanout.reaches_others:
            return
        loop = asyncio.get_running_loop()
        waiting = loop.create_future()
        timer = loop.call_later(ANNOUNCEMENT_S, _resolve, waiting)
        live.awaiting_change.append(waiting)
        try:
            await waiting
        finally:
            timer.cancel()
            live.awaiting_change.remove(waiting)

    def _mark_stale(self, live: LiveTable) -> None:
        live.is_stale = True
        if live.streams:
            self._refresh_soon(live)

    def _refresh_soon(self, live: LiveTable) -> None:
        """Refresh a table in the background, for its viewers."""
        self.spawn(self._retry_forever(self._refresh, live))

    async def _refresh(self, live: LiveTable) -> None:
        """Apply changes by other processes that are announced, or in the database."""
        async with live.lock:
            if live.received:
                self._apply_received(live)
            if live.is_stale:
                await self._catch_up(live)

    async def _announce_if_stored(self, live: LiveTable) -> None:
        """Read the log after a write whose outcome is unknown; if it was stored, other processes do not know of it."""
        await self._refresh(live)
        await self.fanout.publish(TABLE_CHANNEL + live.table.id, str(live.table.version))

    @staticmethod
    async def _retry_forever(work: Callable[[Subject], Awaitable[None]], subject: Subject) -> None:
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

    # ---- opening tables

    async def open_table(self, setup: Setup, creator: Player, sitters: Sequence[Occupant | None]) -> Table:
        """Open a table with its first players; the game starts at once if all seats are taken."""
        game = registry.game(setup.game)
        if len(sitters) != setup.seats or setup.seats not in game.info.seats:
            raise BadSetup(f"{game.info.title} is for {game.info.players}.")
        now, table_id = self.now(), secrets.token_urlsafe(9).replace("-", "a").replace("_", "b")
        seed, summary = seeds.draw_seed(), Summary("open", 0, (), False, None, 0, None, now)
        version = game.info.rules_version
        row = TableRow(table_id, setup.game, version, setup.as_data(), seed, creator.id, now, setup.listed, summary)
        table = table_before_events(row)
        drafts = [EventDraft("created", None, creator.id)]
        drafts += [
            EventDraft("sat", seat, sitter.player_id, {"bot": sitter.bot} if sitter.bot else {})
            for seat, sitter in enumerate(sitters)
            if sitter is not None
        ]
        if None not in sitters:
            exhausted = await self.exhausted_pairs(setup, sitters)
            drafts += actions.start_game(table, sitters, exhausted)
        events = _make_events(drafts, table_id, 0, now, None)
        table = _apply_drafts(table, drafts, events)
        row = replace(row, summary=_summarize(table))
        await self.store.insert_table(row, _seat_rows(table), events)
        self._add_live(LiveTable(row, table, {}))
        if setup.listed:
            await self.fanout.publish(LOBBY_CHANNEL, "")
        return table

    # ---- acting

    async def act(self, table_id: str, act: Action, player_id: str | None = None, key: str | None = None) -> Table:
        """Act on the latest version of a table: store the events, then publish them.

        A request whose key the same player has used before changes nothing and gets the same answer. If a request is
        refused in part, its events are published before the refusal is raised.
        """
        live = await self.find(table_id)
        async with live.lock:
            for _ in range(8):
                if live.received:
                    self._apply_received(live)
                if key is not None and (player_id or "", key) in live.request_keys:
                    _raise_refusal(live.refusals.get((player_id or "", key)))
                    return live.table
                if live.is_stale:
                    await self._catch_up(live)
                    continue
                now = self.now()
                try:
                    timeouts = await self._check_clocks(live.table, now) if live.table.is_timed else []
                    plays_on = bool(timeouts) and any(
                        draft.kind in ("resumed", "timed_out") or "default" in draft.data for draft in timeouts
                    )
                    drafts = timeouts or act(live.table)
                    if not drafts:
                        return live.table
                    used_key = None if plays_on else key
                    events = _make_events(drafts, table_id, live.table.version, now, used_key, player_id)
                    table = _apply_drafts(live.table, drafts, events)
                except HistoryNeeded:
                    live.table = await self._replay_log(live, live.table.version)
                    continue
                try:
                    await self._append(live, events, table)
                except StaleVersion:  # another process was first: catch up and retry
                    live.is_stale = True
                    continue
                except NotFound:  # deleted by another process
                    self.forget(table_id)
                    raise
                except BaseException:  # it may or may not be stored: read the log
                    live.is_stale = True
                    self.spawn(self._retry_forever(self._announce_if_stored, live))
                    raise
                if not plays_on:  # else the action is still to be done
                    _raise_refusal(drafts[0].data)
                    return live.table
            if self.live.get(table_id) is live:
                self.forget(table_id)  # perhaps it has events that the database lacks: load it again
            raise StaleVersion("This table is changing too quickly; try again.")

    def _was_interrupted(self, table: Table) -> bool:
        """Whether the clocks of a table are still to leave out an outage."""
        return (
            table.is_timed
            and table.status == "running"
            and self.outages.has_outage_since(table.clock.since, self.now())
        )

    async def _resume(self, table_id: str) -> None:
        """Let the clocks of a table leave out an outage, if it can be stored now; else before the next action."""
        with suppress(RealmtableError):
            await self.act(table_id, lambda _: [])

    def _resume_live_tables(self) -> None:
        for live in list(self.live.values()):
            if self._was_interrupted(live.table):
                self.spawn(self._resume(live.table.id))

    async def _check_clocks(self, table: Table, now: float) -> list[EventDraft]:
        await self.outages.require_beat()  # or players would pay for an outage that has not been noticed yet
        if self._was_interrupted(table):
            return [EventDraft("resumed", data=self.outages.time_lost(table.clock.since, now)._asdict())]
        return actions.check_clocks(table, now, await self._takeover_bot(table, now))

    async def _takeover_bot(self, table: Table, now: float) -> Occupant | None:
        """Return the bot that takes over the seat of a player who has run out of time, if one must."""
        if not actions.needs_takeover_bot(table, now):
            return None
        return Occupant((await self.accounts.bot_player(actions.TAKEOVER_BOT)).id, actions.TAKEOVER_BOT)

    async def _append(self, live: LiveTable, events: list[Event], table: Table) -> None:
        moved_seats = not SEAT_KINDS.isdisjoint([event.kind for event in events])
        snapshot = self._snapshot_if_due(live, table)
        await self.store.append(events, _summarize(table), _seat_rows(table) if moved_seats else None, snapshot)
        live.snapshot_version = snapshot.version if snapshot else live.snapshot_version
        before = live.table
        self._apply_version(live, table, events)
        for callback in self.on_stored:
            callback(before, table)
        message = announce_events(events) if self.fanout.reaches_others else str(table.version)
        await self.fanout.publish(TABLE_CHANNEL + table.id, message)
        if table.setup.listed and (moved_seats or before.status != table.status):
            await self.fanout.publish(LOBBY_CHANNEL, "")
        if table.result is not None and before.result is None:
            self.spawn(self._retry_forever(self.rate, table))
        for event in events:
            if event.kind == "stepped" and event.seat is not None and self.on_step is not None:
                self.on_step(table.setup.game, "bot" if is_bot(table, event.seat) else "person")

    def _snapshot_if_due(self, live: LiveTable, table: Table) -> Snapshot | None:
        # In games without hidden information a turn's line and undo need the turn from its start.
        whole = table.status == "running" and (table.game.info.hidden or not table.match.is_turn_running())
        if whole and table.version - live.snapshot_version >= SNAPSHOT_EVERY:
            return take_snapshot(table)
        return None

    async def exhausted_pairs(self, setup: Setup, sitters: Sequence[Occupant | None]) -> set[ratings.Pair]:
        """Return the pairs at a table that is to be rated of whom no further game counts today."""
        ids = {sitter.player_id for sitter in sitters if sitter is not None}
        return await ratings.exhausted_pairs(self.database, ids, self.now()) if setup.rated and len(ids) > 1 else set()

    async def rate(self, table: Table) -> None:
        """Rate a finished game, or mark it as not counted. Idempotent."""
        ids, setup = rated_players(table), table.setup
        if setup.rated and table.result is not None and len(set(ids)) == len(table.seats):
            players = await self.accounts.players(ids)
            if why_not_counted(table) or not are_named(players.get(player_id) for player_id in ids):
                await ratings.mark_not_counted(self.database, table.id, self.now())
            elif await ratings.rate(self.database, table.id, setup.game, rated_ranking(table), ids, self.now()) is None:
                await self.act(table.id, lambda now: [] if now.is_uncounted else [EventDraft("uncounted")])
                await ratings.mark_not_counted(self.database, table.id, self.now())
            live = self.live.get(table.id)
            if live is not None:
                live.wake()

    # ---- viewing

    async def scene(self, table_id: str, player: Player | None, *, pictures: bool) -> Scene:
        """Return the table as a player (None: a visitor) sees it."""
        live = await self.find(table_id)
        return await self.scenes.build(live, live.table.seats_of(player.id if player else None), pictures=pictures)

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
        self.lobby_changed.set()

    async def close(self) -> None:
        """Cancel background tasks."""
        await cancel_tasks(self.background_tasks)


def _resolve(waiting: asyncio.Future[None]) -> None:
    if not waiting.done():
        waiting.set_result(None)


def _request_keys(events: Sequence[Event]) -> dict[tuple[str, str], int]:
    return {(event.player_id or "", event.key): event.version for event in events if event.key is not None}


def _refusals(events: Sequence[Event]) -> dict[tuple[str, str], Mapping[str, Any]]:
    """Return the data of events whose request was refused in part, by player and key."""
    refused = (event for event in events if event.key is not None and "refused" in event.data)
    return {(event.player_id or "", event.key or ""): event.data for event in refused}


def _raise_refusal(data: Mapping[str, Any] | None) -> None:
    """Raise the refusal of a later step in a request, if there was one."""
    if data is not None and (refusal := actions.refusal_in(data)) is not None:
        raise refusal


def _apply_drafts(table: Table, drafts: Sequence[EventDraft], events: Sequence[Event]) -> Table:
    """Apply new events; the steps in their drafts have already been played on this table."""
    for draft, event in zip(drafts, events, strict=True):
        table = apply_event(table, event, draft.played)
    return table


def _make_events(
    drafts: Sequence[EventDraft], table_id: str, version: int, now: float, key: str | None, player_id: str | None = None
) -> list[Event]:
    """Turn drafts into events that follow `version`; the first one carries the request key."""
    return [
        Event(
            table_id=table_id,
            version=version + 1 + index,
            kind=draft.kind,
            seat=draft.seat,
            player_id=draft.player_id or player_id,
            data=draft.data,
            at=now,
            key=key if index == 0 else None,
        )
        for index, draft in enumerate(drafts)
    ]


def _summarize(table: Table) -> Summary:
    bot_waits = table.bot_due or _bot_must_answer(table)
    has_people = (bot_waits or table.is_timed) and bool(people_at(table))
    return Summary(
        status=table.status,
        version=table.version,
        acting=tuple(table.acting),
        # Tables of bots alone are driven by their spectators.
        bot_due=has_people and bot_waits,
        deadline=_deadline(table) if has_people and table.is_timed else None,
        turn=table.game.turn(table.match.state).number,
        result=summarize_result(table),
        updated_at=table.changed_at,
    )


def _deadline(table: Table) -> float | None:
    """Return when a seat's time runs out, the game's own clock acts or the table answers for a seat, if any does."""
    deadlines = (table.clock.deadline(), table.clock_deadline, table.decision_deadline)
    times = [at for at in deadlines if at is not None]
    return min(times, default=None) if table.status == "running" else None


def _bot_must_answer(table: Table) -> bool:
    return table.status == "running" and table.offer is not None and any(s is not None and s.bot for s in table.seats)


def _seat_rows(table: Table) -> list[SeatRow]:
    return [
        SeatRow(seat, sitter.player_id if sitter else None, sitter.bot if sitter else None)
        for seat, sitter in enumerate(table.seats)
    ]
