"""All live tables of this process: one queue a table, store then publish, and every viewer's scenes.

A table is kept in memory while somebody uses it and read from its log otherwise. Several processes may serve one
database: the primary key (table, version) decides who was first, and the fan-out tells the others to read on.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import reduce
from typing import Any, Final, TypeVar

import orjson
import structlog

from realmtable.engine import registry
from realmtable.engine.protocol import Seat
from realmtable.server.accounts import ratings
from realmtable.server.accounts.accounts import Accounts, Player
from realmtable.server.errors import BadSetup, NotFound, StaleVersion, Unavailable
from realmtable.server.fair_queue import Owner
from realmtable.server.storage.database import Database
from realmtable.server.storage.fanout import Fanout
from realmtable.server.storage.store import Event, SeatRow, Snapshot, Store, Summary, TableRow
from realmtable.server.tables import actions
from realmtable.server.tables.actions import EventDraft
from realmtable.server.tables.bot_tables import is_paused, people_at
from realmtable.server.tables.legal_choices import prepare_choices
from realmtable.server.tables.live_table import LiveTable
from realmtable.server.tables.rated_games import are_named, why_not_counted
from realmtable.server.tables.replay import open_table, replay, take_snapshot
from realmtable.server.tables.scene import Scene, SceneContext, scene, viewpoint
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.table import Occupant, Table, apply_event
from realmtable.server.tables.table_memory import TableMemory, drop_drawings
from realmtable.server.tasks import cancel_tasks
from realmtable.server.workers.replay_pool import ReplayPool

Action = Callable[[Table], list[EventDraft]]
Subject = TypeVar("Subject")
MAX_LIVE_TABLES: Final = 5_000
MAX_HISTORIES: Final = 64  # tables replayed from their first step, for those who look back
SNAPSHOT_EVERY: Final = 64  # events between snapshots of a long game
REMOVED_CHANNEL: Final = "removed:"  # the channel on which a table's removal is told
RETRY_S: Final = 1.0
STALE_CLOCK_S: Final = 0.5  # how old a scene with a running clock may be

log = structlog.get_logger(__name__)


class TableService:
    """The tables, as the API and the pages use them."""

    def __init__(
        self,
        database: Database,
        store: Store,
        accounts: Accounts,
        fanout: Fanout,
        now: Callable[[], float],
    ) -> None:
        self.database = database
        self.store = store
        self.accounts = accounts
        self.fanout = fanout
        self.now = now
        self.live: OrderedDict[str, LiveTable] = OrderedDict()
        self.histories: OrderedDict[str, Table] = OrderedDict()
        self.replay_slot = asyncio.Semaphore(1)
        self.loading: dict[str, asyncio.Task[LiveTable]] = {}
        self.stale_while_loading: set[str] = set()  # tables being read while another process wrote
        self.on_change: list[Callable[[Table], None]] = []  # told after every commit of this process, and after loading
        self.on_step: Callable[[str, str], None] | None = None  # told the game, and whether a "person" or "bot" moved
        self.replay_pool: ReplayPool | None = None  # where crowded positions are listed
        self.lobby_changed = asyncio.Event()
        self.stream_closings: Counter[str] = Counter()  # how often a player's streams were ended
        self.knows_presence = True  # only where this process has all streams
        self.background_tasks: set[asyncio.Task[Any]] = set()
        self.memory = TableMemory()
        fanout.listen(self._on_message)

    # ---- finding tables

    async def table(self, table_id: str) -> Table:
        """A table as it stands."""
        return (await self.find(table_id)).table

    async def find(self, table_id: str) -> LiveTable:
        """A table in memory, read from its log if need be."""
        live = self.live.get(table_id)
        if live is None:
            task = self.loading.get(table_id)
            if task is None:
                task = self.loading[table_id] = asyncio.ensure_future(self._load(table_id))
                task.add_done_callback(lambda _: self.loading.pop(table_id, None))
            live = await asyncio.shield(task)
        if live.is_stale:
            async with live.queue:
                await self._catch_up(live)
        if table_id in self.live:  # not laid aside meanwhile
            self.live.move_to_end(table_id)
        return live

    async def _load(self, table_id: str) -> LiveTable:
        row = await self.store.table(table_id)
        if row is None:
            raise NotFound("There is no such table; it may have been removed.")
        snapshot = await self.store.snapshot(table_id)  # first: the events must not be older
        events = await self.store.events(table_id)
        async with self.replay_slot:  # one at a time: many threads would hold the loop up
            table = await asyncio.to_thread(replay, row, events, snapshot)
        if table.trouble:
            log.warning("table_halted", table=table_id, trouble=table.trouble)
        live = LiveTable(row, table, _request_keys(events), snapshot_version=snapshot.version if snapshot else 0)
        live.is_stale = table_id in self.stale_while_loading  # another process has written while we read
        self.stale_while_loading.discard(table_id)
        return self._add_live(live)

    def _add_live(self, live: LiveTable) -> LiveTable:
        live.seat_stream_counts = [0] * len(live.table.seats)
        self.live[live.table.id] = live
        self._evict_idle(live)
        for tell in self.on_change:
            tell(live.table)
        return live

    def _evict_idle(self, changed: LiveTable) -> None:
        """Count a table that has come or grown; forget others if there are too many. Their logs keep them."""
        self.memory.measure(changed)
        for key in self.memory.choose_evictions(self.live, changed, MAX_LIVE_TABLES):
            self.memory.note_eviction(self.live.pop(key))

    async def _catch_up(self, live: LiveTable) -> None:
        """Apply what another process has written, or this one without being told so."""
        live.is_stale = False
        try:
            events = await self.store.events(live.table.id, after=live.table.version)
        except BaseException:
            live.is_stale = True
            raise
        if events:
            self._apply_version(live, reduce(apply_event, events, live.table), events)

    def _apply_version(self, live: LiveTable, table: Table, events: Sequence[Event]) -> None:
        """Swap a table for its next version, and tell those who wait for it here."""
        live.table = table
        live.request_keys |= _request_keys(events)
        new = [secret for secret in table.secrets[-len(events) :] if secret.version >= events[0].version]
        live.wake(new if len(new) == len(events) and table.result is None else ())
        if self.live.get(table.id) is live:
            self._evict_idle(live)
        for tell in self.on_change:
            tell(table)

    async def full_history(self, table_id: str) -> Table:
        """A table with every step from the first on, also where a snapshot had cut the way to it short."""
        live = await self.find(table_id)
        if live.table.snapshot_step == 0:
            return live.table
        kept = self.histories.get(table_id)
        if kept is None or kept.version != live.table.version:
            events = await self.store.events(table_id)
            async with self.replay_slot:
                kept = await asyncio.to_thread(replay, live.row, events)
            self.histories[table_id] = kept
            while len(self.histories) > MAX_HISTORIES or self.memory.are_histories_too_large(self.histories.values()):
                self.histories.popitem(last=False)
        self.histories.move_to_end(table_id)
        return kept

    def _on_message(self, channel: str, message: str) -> None:
        """Something was published, here or in another process."""
        if channel == "lobby":
            self.lobby_changed.set()
            self.lobby_changed = asyncio.Event()
            return
        if channel.startswith(REMOVED_CHANNEL):
            self.forget(channel.removeprefix(REMOVED_CHANNEL))
            return
        table_id = channel.removeprefix("table:")
        self.stale_while_loading |= self.loading.keys() if channel == "*" else self.loading.keys() & {table_id}
        live = self.live.get(table_id)
        if channel == "*":
            for kept in list(self.live.values()):
                self._mark_stale(kept)
        elif live is not None and (not message or int(message) > live.table.version):
            self._mark_stale(live)

    def forget(self, table_id: str) -> None:
        """A table was removed from the database: its readers are sent away, and find that it is gone."""
        self.histories.pop(table_id, None)
        live = self.live.pop(table_id, None)
        if live is not None:
            live.wake()

    def _mark_stale(self, live: LiveTable) -> None:
        live.is_stale = True
        if live.streams:
            self.spawn(self._retry_forever(self._refresh_if_stale, live))

    async def _refresh_if_stale(self, live: LiveTable) -> None:
        async with live.queue:
            if live.is_stale:
                await self._catch_up(live)

    @staticmethod
    async def _retry_forever(work: Callable[[Subject], Awaitable[None]], subject: Subject) -> None:
        """Do something that must be done, however long the database cannot be reached."""
        while True:
            try:
                return await work(subject)
            except Unavailable:
                await asyncio.sleep(RETRY_S)

    def spawn(self, work: Any) -> None:  # noqa: ANN401 - a coroutine
        """Run something beside the requests, and say so if it fails."""
        task = asyncio.ensure_future(work)
        self.background_tasks.add(task)
        task.add_done_callback(self._on_task_done)

    def _on_task_done(self, task: asyncio.Task[Any]) -> None:
        self.background_tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("background_failed", exc_info=error)

    # ---- opening tables

    async def open_table(self, setup: Setup, creator: Player, sitters: Sequence[Occupant | None]) -> Table:
        """A new table with those who sit at it from the start; it begins at once when all seats are taken."""
        game = registry.game(setup.game)
        if len(sitters) != setup.seats or setup.seats not in game.info.seats:
            raise BadSetup(f"{game.info.title} is for {game.info.players} players.")
        now, table_id = self.now(), secrets.token_urlsafe(9).replace("-", "a").replace("_", "b")
        seed, summary = secrets.token_hex(16), Summary("open", 0, (), False, None, 0, None, now)
        version = game.info.rules_version
        row = TableRow(table_id, setup.game, version, setup.as_data(), seed, creator.id, now, setup.listed, summary)
        table = open_table(row)
        drafts = [EventDraft("created", None, creator.id)]
        drafts += [
            EventDraft("sat", seat, sitter.player_id, {"bot": sitter.bot} if sitter.bot else {})
            for seat, sitter in enumerate(sitters)
            if sitter is not None
        ]
        if None not in sitters:
            drafts += actions.start_game(table)
        events = _make_events(drafts, table_id, 0, now, None)
        table = reduce(apply_event, events, table)
        row = replace(row, summary=_summarize(table))
        await self.store.open_table(row, _seat_rows(table), events)
        self._add_live(LiveTable(row, table, {}))
        if setup.listed:
            await self.fanout.publish("lobby", "")
        return table

    # ---- acting

    async def act(self, table_id: str, act: Action, player_id: str | None = None, key: str | None = None) -> Table:
        """One action at a table: decided on the newest version, stored, and only then shown to anybody.

        The same key of the same player twice is answered as the first time and stores nothing.
        """
        live = await self.find(table_id)
        async with live.queue:
            for _ in range(8):
                if key is not None and (player_id or "", key) in live.request_keys:
                    return live.table
                if live.is_stale:
                    await self._catch_up(live)
                    continue
                now = self.now()
                drafts = actions.check_clocks(live.table, now) or act(live.table)
                if not drafts:
                    return live.table
                try:
                    await self._append(live, _make_events(drafts, table_id, live.table.version, now, key, player_id))
                except StaleVersion:  # another process was first: read on and decide anew
                    live.is_stale = True
                    continue
                except NotFound:  # removed beside us
                    self.forget(table_id)
                    raise
                except BaseException:  # perhaps stored, perhaps not: the log will tell
                    live.is_stale = True
                    self.spawn(self._retry_forever(self._refresh_if_stale, live))
                    raise
                return live.table
            raise StaleVersion("The table changes too quickly; try again.")

    async def _append(self, live: LiveTable, events: list[Event]) -> None:
        table = reduce(apply_event, events, live.table)
        moved_seats = any(event.kind in ("sat", "left") for event in events)
        snapshot = self._snapshot_if_due(live, table)
        await self.store.append(events, _summarize(table), _seat_rows(table) if moved_seats else None, snapshot)
        live.snapshot_version = snapshot.version if snapshot else live.snapshot_version
        before = live.table
        self._apply_version(live, table, events)
        await self.fanout.publish(f"table:{table.id}", str(table.version))
        if table.setup.listed and (moved_seats or before.status != table.status):
            await self.fanout.publish("lobby", "")
        if table.result is not None and before.result is None:
            self.spawn(self._retry_forever(self.rate, table))
        for event in events:
            if event.kind == "stepped" and event.seat is not None and self.on_step is not None:
                self.on_step(table.setup.game, "bot" if _is_bot(table, event.seat) else "person")

    def _snapshot_if_due(self, live: LiveTable, table: Table) -> Snapshot | None:
        between_turns = table.status == "running" and not table.match.is_turn_running()
        if between_turns and table.version - live.snapshot_version >= SNAPSHOT_EVERY:
            return take_snapshot(table)
        return None

    async def rate(self, table: Table) -> None:
        """Count a rated game that has ended, or note that it does not count; doing it again changes nothing."""
        ids = [sitter.player_id for sitter in table.seats if sitter is not None]
        if table.setup.rated and table.result is not None and len(set(ids)) == len(table.seats):
            players = await self.accounts.players(ids)
            if why_not_counted(table) or not are_named(players.get(player_id) for player_id in ids):
                await ratings.mark_not_counted(self.database, table.id, self.now())
            else:
                await ratings.rate(self.database, table.id, table.setup.game, table.result.ranking, ids, self.now())
            live = self.live.get(table.id)
            if live is not None:
                live.wake()

    # ---- looking

    async def scene(self, table_id: str, player: Player | None, *, pictures: bool) -> Scene:
        """A table as a player (None: a visitor) sees it."""
        live = await self.find(table_id)
        return await self._build_scene(live, live.table.seats_of(player.id if player else None), pictures=pictures)

    async def _build_scene(self, live: LiveTable, you: tuple[Seat, ...], *, pictures: bool) -> Scene:
        """The scene of one version: what changes while we ask who the players are is asked for anew."""
        while True:
            changed = live.change_event(you)
            around = await self.scene_context(live)
            await self._prepare_choices(live.table, you)
            if not changed.is_set():
                return scene(live.table, you, around, pictures=pictures)

    async def _prepare_choices(self, table: Table, you: tuple[Seat, ...]) -> None:
        """Have what a scene shows of a crowded position listed elsewhere."""
        viewer = viewpoint(table, you)
        if self.replay_pool is not None and viewer is not None and actions.may_act(table, viewer):
            await prepare_choices(self.replay_pool, table.match, viewer)

    async def scene_bytes(self, live: LiveTable, you: tuple[Seat, ...], *, pictures: bool) -> tuple[int, bytes]:
        """A scene as JSON with its version, made once for all who see the same."""
        kept = live.scenes.get((you, pictures))
        timed = live.table.setup.clock.kind != "none" or live.table.clock_deadline is not None
        if kept is not None and not (timed and self.now() - kept[0] > STALE_CLOCK_S):
            return live.table.numbering(you).visible_version(live.table.version), kept[1]
        shown = await self._build_scene(live, you, pictures=pictures)
        data = orjson.dumps(shown)
        live.scenes[you, pictures] = (shown["now"], data)
        return int(shown["version"]), data

    async def scene_context(self, live: LiveTable) -> SceneContext:
        """What a scene shows beside the log."""
        table = live.table
        ids = {sitter.player_id for sitter in table.seats if sitter} | {said.player_id for said in table.chat}
        players = await self.accounts.players(sorted(ids))
        rated = await ratings.ratings_of(self.database, sorted(ids), table.setup.game) if table.setup.rated else {}
        connected = [count > 0 or _is_bot(table, seat) for seat, count in enumerate(live.seat_stream_counts)]
        paused = self.knows_presence and is_paused(live)
        return SceneContext(players, rated, connected if self.knows_presence else None, self.now(), paused)

    @asynccontextmanager
    async def presence(
        self, live: LiveTable, seats: tuple[Seat, ...], watcher: Owner | None = None
    ) -> AsyncIterator[None]:
        """Count somebody on these seats as connected; a paused table of bots goes on."""
        was_paused = is_paused(live)
        live.streams += 1
        live.watchers += [watcher] if watcher is not None else []
        self._change_stream_counts(live, seats, 1)
        if was_paused:
            live.wake()
            for tell in self.on_change:
                tell(live.table)
        try:
            yield
        finally:
            live.streams -= 1
            if watcher is not None:
                live.watchers.remove(watcher)
            self._change_stream_counts(live, seats, -1)
            if not live.streams:
                drop_drawings(live)
            if is_paused(live):
                live.wake()

    def close_streams(self, player_id: str) -> None:
        """End a player's streams: who they are or what they may see has changed; a reader comes back as who it is."""
        self.stream_closings[player_id] += 1
        for live in self.live.values():
            if live.streams and live.table.seats_of(player_id):
                live.wake()

    @staticmethod
    def _change_stream_counts(live: LiveTable, seats: tuple[Seat, ...], change: int) -> None:
        before = [count > 0 for count in live.seat_stream_counts]
        for seat in seats:
            live.seat_stream_counts[seat] += change
        if before != [count > 0 for count in live.seat_stream_counts]:
            live.wake()

    def wake_all(self) -> None:
        """Have everybody who waits look up."""
        for live in self.live.values():
            live.wake()
        self.lobby_changed.set()

    async def close(self) -> None:
        """Cancel background tasks."""
        await cancel_tasks(self.background_tasks)


def _is_bot(table: Table, seat: Seat) -> bool:
    sitter = table.seats[seat]
    return sitter is not None and sitter.bot is not None


def _request_keys(events: Sequence[Event]) -> dict[tuple[str, str], int]:
    return {(event.player_id or "", event.key): event.version for event in events if event.key is not None}


def _make_events(
    drafts: Sequence[EventDraft], table_id: str, version: int, now: float, key: str | None, player_id: str | None = None
) -> list[Event]:
    """Drafts as events that follow a version; the sender's key goes with the first."""
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
    return Summary(
        status=table.status,
        version=table.version,
        acting=tuple(table.acting),
        bot_due=bool(people_at(table))
        and (table.bot_due or _bot_must_answer(table)),  # who watches bots alone sees to them
        deadline=_deadline(table),
        turn=table.game.turn(table.match.state).number,
        result=None if table.result is None else table.result.as_data(),
        updated_at=table.changed_at,
    )


def _deadline(table: Table) -> float | None:
    """When something happens of itself: a seat's time is up, or the game's own clock takes its step."""
    if not people_at(table):
        return None
    times = [at for at in (table.clock.deadline(), table.clock_deadline) if at is not None]
    return min(times, default=None) if table.status == "running" else None


def _bot_must_answer(table: Table) -> bool:
    return table.status == "running" and table.offer is not None and any(s is not None and s.bot for s in table.seats)


def _seat_rows(table: Table) -> list[SeatRow]:
    return [
        SeatRow(seat, sitter.player_id if sitter else None, sitter.bot if sitter else None)
        for seat, sitter in enumerate(table.seats)
    ]
