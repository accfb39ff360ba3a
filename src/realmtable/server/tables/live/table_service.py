"""What happens at tables: they open, players act, games are rated.

Every move and every other action goes through `act`. Several processes may share one database: the primary key
(table, version) decides which of two writes came first.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

import structlog

from realmtable.engine import registry
from realmtable.engine.errors import RealmtableError
from realmtable.server.accounts import ratings
from realmtable.server.accounts.accounts import Player
from realmtable.server.errors import BadSetup, NotFound, StaleVersion
from realmtable.server.storage.outages import Outages
from realmtable.server.storage.table_store import Event, SeatRow, Snapshot, Summary, TableRow
from realmtable.server.tables import actions, seeds
from realmtable.server.tables.absence import absent_seats, replaces_absent_players
from realmtable.server.tables.actions import EventDraft
from realmtable.server.tables.events.apply import apply_event
from realmtable.server.tables.events.undo import HistoryNeeded
from realmtable.server.tables.first_steps import first_step_deadlines
from realmtable.server.tables.live.live_table import LiveTable, note_presence
from realmtable.server.tables.live.live_tables import (
    LOBBY_CHANNEL,
    TABLE_CHANNEL,
    LiveTables,
    announce_events,
)
from realmtable.server.tables.rating_conditions import are_named, rated_players, rated_ranking, why_not_counted
from realmtable.server.tables.replay_log import table_before_events, take_snapshot
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.table import Occupant, Table, summarize_result

Decision = Callable[[Table], list[EventDraft]]
SNAPSHOT_EVERY: Final = 64  # events between snapshots of a long game
MAX_TRIES: Final = 8  # to store a version, while other processes store theirs
SEAT_KINDS: Final = frozenset({"sat", "left", "timed_out"})  # of events after which seats have other players

log = structlog.get_logger(__name__)


@dataclass(eq=False)
class TableService(LiveTables):
    """The tables in memory, and all that changes them."""

    outages: Outages

    def __post_init__(self) -> None:
        super().__post_init__()
        self.outages.on_outage = self._resume_live_tables
        self.on_stored: list[Callable[[Table, Table], None]] = []  # called with the table before and after our changes
        self.on_step: Callable[[str, str], None] | None = None  # called with the game and "person" or "bot"

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
        events = self._make_events(drafts, table, None, None)
        table = _apply_drafts(table, drafts, events)
        row = replace(row, summary=_summarize(table))
        await self.store.insert_table(row, _seat_rows(table), events)
        self.add_live(LiveTable(row, table, {}))
        if setup.listed:
            await self.fanout.publish(LOBBY_CHANNEL, "")
        return table

    async def find(self, table_id: str) -> LiveTable:
        """Return a table in memory. If it has just been loaded, its clocks leave out an outage."""
        was_loaded = table_id in self.live
        live = await super().find(table_id)
        if not was_loaded and self._was_interrupted(live.table):
            await self._resume(table_id)
        return live

    # ---- acting

    async def act(self, table_id: str, decide: Decision, player_id: str | None = None, key: str | None = None) -> Table:
        """Act on the latest version of a table, and return the next one.

        `decide` checks the request, reads it, plays it and returns the events, or raises why not. They are stored, and
        only then published. A request whose key the same player has used before changes nothing and gets the same
        answer. If a request is refused in part, its events are published before the refusal is raised.
        """
        live = await self.find(table_id)
        note_presence(live, player_id)
        async with live.lock:
            for _ in range(MAX_TRIES):
                await self.catch_up(live)
                if key is not None and (player_id or "", key) in live.request_keys:
                    _raise_refusal(live.refusals.get((player_id or "", key)))
                    return live.table
                before = live.table
                try:
                    overdue = await self._check_clocks(before) if before.is_timed else []
                    drafts = overdue or decide(before)
                    if not drafts:
                        return before
                    plays_on = _plays_on_after(overdue)
                    events = self._make_events(drafts, before, player_id, None if plays_on else key)
                    table = _apply_drafts(before, drafts, events)
                except HistoryNeeded:
                    live.table = await self.replay_log(live, before.version)
                    continue
                if not await self._store(live, table, events):
                    continue
                await self._publish(before, table, events)
                if not plays_on:
                    _raise_refusal(drafts[0].data)
                    return live.table
            if self.live.get(table_id) is live:
                self.forget(table_id)  # perhaps it has events that the database lacks: load it again
            raise StaleVersion("This table is changing too quickly; try again.")

    def _make_events(
        self, drafts: Sequence[EventDraft], table: Table, player_id: str | None, key: str | None
    ) -> list[Event]:
        """Turn drafts into the next events of a table; the first one carries the request key."""
        now = self.now()
        return [
            Event(
                table_id=table.id,
                version=table.version + 1 + index,
                kind=draft.kind,
                seat=draft.seat,
                player_id=draft.player_id or player_id,
                data=draft.data,
                at=now,
                key=key if index == 0 else None,
            )
            for index, draft in enumerate(drafts)
        ]

    async def _store(self, live: LiveTable, table: Table, events: list[Event]) -> bool:
        """Store the next version of a table; return whether no other process was first."""
        seat_rows = None if SEAT_KINDS.isdisjoint([event.kind for event in events]) else _seat_rows(table)
        snapshot = _snapshot_if_due(live, table)
        try:
            await self.store.append(events, _summarize(table), seat_rows, snapshot)
        except StaleVersion:
            live.is_stale = True
            return False
        except NotFound:  # deleted by another process
            self.forget(table.id)
            raise
        except BaseException:  # it may or may not be stored: read the log
            live.is_stale = True
            self.spawn(self.retry_forever(self._announce_if_stored, live))
            raise
        if snapshot is not None:
            live.snapshot_version = snapshot.version
        self.apply_version(live, table, events)
        return True

    async def _announce_if_stored(self, live: LiveTable) -> None:
        """Read the log after a write whose outcome is unknown; if it was stored, other processes do not know of it."""
        await self.refresh(live)
        await self.fanout.publish(TABLE_CHANNEL + live.table.id, str(live.table.version))

    async def _publish(self, before: Table, table: Table, events: Sequence[Event]) -> None:
        """Tell other processes and services of a stored version."""
        for callback in self.on_stored:
            callback(before, table)
        message = announce_events(events) if self.fanout.reaches_others else str(table.version)
        await self.fanout.publish(TABLE_CHANNEL + table.id, message)
        if table.setup.listed and (before.seats != table.seats or before.status != table.status):
            await self.fanout.publish(LOBBY_CHANNEL, "")
        if table.result is not None and before.result is None:
            self.spawn(self.retry_forever(self.rate, table))
        for event in events:
            if event.kind == "stepped" and event.seat is not None and self.on_step is not None:
                self.on_step(table.setup.game, "bot" if event.seat in table.bots else "person")

    # ---- clocks

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
        self.presence.forget_absences()
        for live in list(self.live.values()):
            if self._was_interrupted(live.table):
                self.spawn(self._resume(live.table.id))

    async def _check_clocks(self, table: Table) -> list[EventDraft]:
        now = self.now()
        await self.outages.require_beat()  # or players would pay for an outage that has not been noticed yet
        if self._was_interrupted(table):
            return [EventDraft("resumed", data=self.outages.time_lost(table.clock.since, now)._asdict())]
        return actions.check_clocks(table, now, await self._takeover_bot(table, now))

    async def _takeover_bot(self, table: Table, now: float) -> Occupant | None:
        """Return the bot that takes over the seat of a player who has run out of time, if one must."""
        return await self.takeover_bot() if actions.needs_takeover_bot(table, now) else None

    async def takeover_bot(self) -> Occupant:
        """Return the bot that takes over the seats of players who leave."""
        return Occupant((await self.accounts.bot_player(actions.TAKEOVER_BOT)).id, actions.TAKEOVER_BOT)

    async def replace_absent_players(self, live: LiveTable) -> None:
        """Let bots take over the seats of players who have kept others waiting for too long."""
        if not replaces_absent_players(live.table):  # as most tables
            return
        if not absent_seats(live.table, self.presence.away_since(live), self.now()):
            return
        bot = await self.takeover_bot()

        def decide(table: Table) -> list[EventDraft]:
            return actions.replace_absent_players(table, self.presence.away_since(live), self.now(), bot)

        await self.act(live.table.id, decide)

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


def _raise_refusal(data: Mapping[str, Any] | None) -> None:
    """Raise the refusal of a later step in a request, if there was one."""
    if data is not None and (refusal := actions.refusal_in(data)) is not None:
        raise refusal


def _apply_drafts(table: Table, drafts: Sequence[EventDraft], events: Sequence[Event]) -> Table:
    """Apply new events; the steps in their drafts have already been played on this table."""
    for draft, event in zip(drafts, events, strict=True):
        table = apply_event(table, event, draft.played)
    return table


def _plays_on_after(overdue: Sequence[EventDraft]) -> bool:
    """Whether the action is still to be done after what the clocks did first."""
    return any(draft.kind in ("resumed", "timed_out") or "default" in draft.data for draft in overdue)


def _snapshot_if_due(live: LiveTable, table: Table) -> Snapshot | None:
    """Return a snapshot of a long game, if the latest one is old."""
    # In games without hidden information a turn's line and undo need the turn from its start.
    whole = table.status == "running" and (table.game.info.hidden or not table.match.is_turn_running())
    if whole and table.version - live.snapshot_version >= SNAPSHOT_EVERY:
        return take_snapshot(table)
    return None


def _summarize(table: Table) -> Summary:
    bot_waits = bool(table.bots.keys() & {*table.acting}) or _bot_must_answer(table)
    has_people = (bot_waits or table.is_timed) and bool(table.people)
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
    """Return when a clock or another deadline of a running table ends, or None."""
    own = (table.clock.deadline(), table.clock_deadline, table.decision_deadline)
    deadlines = (*own, *first_step_deadlines(table).values())
    times = [at for at in deadlines if at is not None]
    return min(times, default=None) if table.status == "running" else None


def _bot_must_answer(table: Table) -> bool:
    return table.status == "running" and table.offer is not None and bool(table.bots)


def _seat_rows(table: Table) -> list[SeatRow]:
    return [
        SeatRow(seat, sitter.player_id if sitter else None, sitter.bot if sitter else None)
        for seat, sitter in enumerate(table.seats)
    ]
