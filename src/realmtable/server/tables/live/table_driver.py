"""Drives tables between people's actions: bots move and answer offers, clocks run out, interrupted work resumes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, Protocol

import structlog

from realmtable.engine.errors import RealmtableError
from realmtable.engine.match import Match, format_move_for
from realmtable.engine.protocol import CLOCK, HasClock, Seat
from realmtable.server.accounts import ratings
from realmtable.server.accounts.addresses import LatestAddresses
from realmtable.server.errors import Unavailable
from realmtable.server.fair_queue import FairQueue
from realmtable.server.tables import actions, seeds
from realmtable.server.tables.actions import EventDraft
from realmtable.server.tables.live.live_table import LiveTable, is_paused, requester_and_urgency
from realmtable.server.tables.live.table_service import TableService
from realmtable.server.tables.table import Table
from realmtable.server.task_cancellation import cancel_tasks

SWEEP_S: Final = 1.0
RESUME_AFTER_S: Final = 20.0  # after this long, a bot's process must have died
RETRY_S: Final = 1.0
GIVE_UP_FOR_S: Final = 60.0
MAX_FAILURES: Final = 5
SLOWEST_PACE: Final = 4.0  # how many times slower than usual bots act among people who act at the same time
SHORT_TIME_S: Final = 120.0  # with less time left, they get faster
HEAD_START_S: Final = 20.0  # how long bots leave a person to read how to act at the same time as they do
HEAD_START_SHARE: Final = 0.2  # of the time that the game's clock runs, at most
HEAD_START_POLL_S: Final = 0.5
MAX_BOT_RUN: Final = 60  # steps of a bot that are shown as one change

log = structlog.get_logger(__name__)


class MoveChooser(Protocol):
    """Chooses moves for bots: `realmtable.server.workers.warming_pool.WarmingPool`."""

    async def choose(self, game_id: str, position: str, seat: Seat, bot: str, seed: int) -> list[str]:
        """Return the next steps of a bot that knows what its seat knows of a full position, in notation."""


class TableDriver:
    """Drives the tables of one process, from `start` until `close`."""

    def __init__(
        self,
        table_service: TableService,
        move_chooser: MoveChooser,
        pace_s: float,
        on_thought: Callable[[str, float], None] | None = None,
        *,
        queue: FairQueue,
        addresses: LatestAddresses,
    ) -> None:
        self.queue = queue  # for a worker
        self.addresses = addresses
        self.on_thought = on_thought  # called with the bot and its thinking time in seconds
        self.table_service = table_service
        self.move_chooser = move_chooser
        self.pace_s = pace_s
        self.closed = False
        self.bot_tasks: dict[str, asyncio.Task[None]] = {}
        # By table, the version at which each of its bots was asked last.
        self.asked_versions: dict[str, dict[Seat, int]] = {}
        self.paused: set[str] = set()  # paused tables that the database still lists as waiting for a bot
        self.gave_up_at: dict[str, float] = {}  # tables whose bot failed repeatedly, with the time
        self.sweep_task: asyncio.Task[None] | None = None
        self.rng = Random(seeds.draw_seed())  # noqa: S311 - not used for secrets
        table_service.on_change.append(self.on_table_change)

    async def start(self) -> None:
        """Start the regular sweep for tables that wait for a bot or have run out of time."""
        self.sweep_task = asyncio.ensure_future(self._sweep())

    async def close(self) -> None:
        """Cancel all tasks; interrupted bots resume at the next start."""
        self.closed = True
        await cancel_tasks([*self.bot_tasks.values(), *([self.sweep_task] if self.sweep_task else [])])

    def on_table_change(self, table: Table) -> None:
        """Start a bot if one is due after a change."""
        if self.closed or not table.bots:
            return
        if table.result is not None:
            self.asked_versions.pop(table.id, None)
        if (self._due_bots(table) or _bot_to_answer(table) is not None) and table.id not in self.bot_tasks:
            task = asyncio.ensure_future(self._play_bots(table.id))
            self.bot_tasks[table.id] = task
            task.add_done_callback(lambda _: self._on_bot_done(table.id))

    def _on_bot_done(self, table_id: str) -> None:
        self.bot_tasks.pop(table_id, None)
        live = self.table_service.live.get(table_id)
        if table_id in self.gave_up_at:
            return  # the sweep retries it later
        if live is not None:
            self.on_table_change(live.table)

    def _due_bots(self, table: Table) -> list[Seat]:
        """Return the bots to ask, least recently asked first: those to move, and after a change those that may act."""
        live = self.table_service.live.get(table.id)
        if live is not None and is_paused(live):
            return []
        asked = self.asked_versions.get(table.id, {})
        due = [
            seat
            for seat in table.bots
            if seat in table.acting
            or (asked.get(seat, -1) < _version_for(table, seat) and actions.may_act(table, seat))
        ]
        return sorted(due, key=lambda seat: asked.get(seat, -1))

    async def _play_bots(self, table_id: str) -> None:
        """Play the bots of a table until a person is to act."""
        failures = 0
        while failures < MAX_FAILURES:
            try:
                table = await self.table_service.table(table_id)
                if (seat := _bot_to_answer(table)) is not None:
                    await self._answer_offer(table, seat)
                elif not (due := self._due_bots(table)):
                    return
                elif self.pace_s and (left_s := head_start_left(table, self.table_service.now())):
                    await asyncio.sleep(min(left_s, HEAD_START_POLL_S))
                else:
                    await self._play_bot_turn(table, due[0])
                failures = 0
            except Unavailable:
                await asyncio.sleep(RETRY_S)
            except RealmtableError as error:  # the table has changed meanwhile: retry
                failures += 1
                log.info("bot_retries", table=table_id, reason=error.code)
            except Exception:
                failures += 1
                log.exception("bot_failed", table=table_id)
                await asyncio.sleep(RETRY_S)
        self.gave_up_at[table_id] = self.table_service.now()

    async def _play_bot_turn(self, table: Table, seat: Seat) -> None:
        """Choose the bot's next steps and play them as one change, at a pace that people can follow.

        A bot that chooses step by step is asked again until the pace allows to show its steps, as long as it acts
        alone. Steps that no person may know of are played at once.
        """
        due = time.monotonic() + self.pace_s * pace_factor(table, self.table_service.now())
        table, texts = await self._choose_moves(table.id, seat)
        run = _play_ahead(table, seat, texts)
        while texts and time.monotonic() < due and len(run) < MAX_BOT_RUN and _is_still_alone(table, run, seat):
            chosen_for, more = await self._choose_moves(table.id, seat, run[-1].played)
            if chosen_for.match is not table.match or not more:
                break
            texts = [*texts, *more]
            run = _play_ahead(table, seat, texts)
        if texts:
            await asyncio.sleep(0 if _is_secret(table, run) else due - time.monotonic())
            await self._play_run(table, seat, texts)
        elif seat in self._due_bots(table):  # asking again at once could go on for ever and block the event loop
            raise RuntimeError(f"The bot on seat {seat} is to move and chose nothing.")

    async def _choose_moves(self, table_id: str, seat: Seat, ahead: Match | None = None) -> tuple[Table, list[str]]:
        """Wait for a worker and choose a bot's next steps; return them with the table that they were chosen for.

        `ahead` is the match after steps that the bot has chosen already.
        """
        async with self.queue.acquire(*requester_and_urgency(await self.table_service.find(table_id), self.addresses)):
            table = await self.table_service.table(table_id)  # it may have changed while the bot waited for a worker
            if seat not in self._due_bots(table):
                return table, []
            bot = table.bots[seat]
            self.asked_versions.setdefault(table_id, {})[seat] = _version_for(table, seat)
            position = table.game.encode((ahead or table.match).state)  # the worker resamples it, which may be slow
            started = time.perf_counter()
            texts = await self.move_chooser.choose(table.setup.game, position, seat, bot, self.rng.getrandbits(63))
            if self.on_thought is not None:
                self.on_thought(bot, time.perf_counter() - started)
            return table, texts

    async def _play_run(self, table: Table, seat: Seat, texts: Sequence[str]) -> Table:
        """Play a bot's steps up to the first that is no longer possible."""

        def play(now: Table) -> list[EventDraft]:
            actions.check_version(now, seat, table.version)
            return actions.play_run(now, now.match, seat, texts)[0]

        sitter = table.seats[seat]
        return await self.table_service.act(table.id, play, sitter.player_id if sitter else None)

    async def _answer_offer(self, table: Table, seat: Seat) -> None:
        """Answer for a bot: it accepts takebacks in unrated games, and declines draws."""
        accept = table.offer is not None and table.offer.what == "takeback" and not table.setup.rated
        await asyncio.sleep(self.pace_s)
        await self.table_service.act(
            table.id,
            lambda now: actions.answer_offer(now, (seat,), accept=accept) if _bot_to_answer(now) is not None else [],
        )

    async def _sweep(self) -> None:
        first = True
        while True:
            try:
                await self.sweep_once(first=first)
                first = False
            except RealmtableError as error:
                log.warning("sweep_failed", reason=error.code)
            except Exception:  # whatever happens, the next sweep must run
                log.exception("sweep_failed")
            await asyncio.sleep(SWEEP_S)

    async def sweep_once(self, *, first: bool) -> None:
        """Look for tables that wait for a bot or have run out of time; the first time, also for those left undone."""
        now = self.table_service.now()
        for table_id in await self.table_service.store.overdue_tables(now):
            await self._log_errors(self.table_service.act(table_id, lambda _: []))
        waited = 0.0 if first else RESUME_AFTER_S
        self.gave_up_at = {table: since for table, since in self.gave_up_at.items() if since > now - GIVE_UP_FOR_S}
        for table_id in await self.table_service.store.tables_waiting_for_bots(now - waited):
            if table_id not in self.bot_tasks and table_id not in self.gave_up_at and table_id not in self.paused:
                await self._log_errors(self._resume_table(table_id))
        for live in [live for live in self.table_service.live.values() if live.viewers]:
            if live.table.people:
                await self._log_errors(self.table_service.replace_absent_players(live))
            else:
                await self._log_errors(self._drive_watched_table(live))
        if first:
            for table_id in await ratings.list_uncounted_tables(self.table_service.database):
                await self._log_errors(self._rate_table(table_id))

    async def _resume_table(self, table_id: str) -> None:
        live = await self.table_service.find(table_id)
        if is_paused(live):
            self.paused.add(table_id)
        self.on_table_change(live.table)

    async def _drive_watched_table(self, live: LiveTable) -> None:
        """Sweep a table of bots that has spectators; the database lists only tables with people."""
        if live.table.clock_deadline is not None and live.table.clock_deadline <= self.table_service.now():
            await self.table_service.act(live.table.id, lambda _: [])
        if live.table.id not in self.gave_up_at:
            self.on_table_change(live.table)

    async def _rate_table(self, table_id: str) -> None:
        await self.table_service.rate(await self.table_service.table(table_id))

    @staticmethod
    async def _log_errors(work: Any) -> None:  # noqa: ANN401 - a coroutine
        """Await and log errors, so that one table's failure does not affect others."""
        try:
            await work
        except RealmtableError as error:
            log.warning("table_skipped", reason=error.code)
        except Exception:
            log.exception("table_skipped")


def pace_factor(table: Table, now: float) -> float:
    """Return how many times slower than usual bots show their steps.

    Where everyone acts at the same time, the steps of several bots come from all sides. Bots slow down as long as a
    person takes part, but less when little time is left.
    """
    if table.clock_deadline is None or not table.people.keys() & {*table.acting}:
        return 1.0
    return max(1.0, min(SLOWEST_PACE, SLOWEST_PACE * (table.clock_deadline - now) / SHORT_TIME_S))


def head_start_left(table: Table, now: float) -> float:
    """Return for how many seconds bots still wait before they act at the same time as a person.

    Where a person meets only bots, nobody else waits: the person gets time to read the introduction. It ends with
    their first step.
    """
    game, state = table.game, table.match.state
    if table.clock_deadline is None or not isinstance(game, HasClock) or len({*table.people.values()}) != 1:
        return 0.0
    clock_s = game.clock_s(state)
    left_s = table.clock_deadline - clock_s + min(HEAD_START_S, HEAD_START_SHARE * clock_s) - now
    return 0.0 if left_s <= 0 or _has_person_acted(table) else left_s


def _has_person_acted(table: Table) -> bool:
    """Whether a person has taken a step since the game's clock started."""
    match = table.match
    while match.entry is not None and CLOCK in table.game.to_move(match.entry.before):
        if match.entry.seat in table.people:
            return True
        if match.parent is None:
            return False
        match = match.parent
    return False


def _play_ahead(table: Table, seat: Seat, texts: Sequence[str]) -> list[EventDraft]:
    """Return what a bot's steps would add to the log."""
    return actions.play_run(table, table.match, seat, texts)[0] if texts else []


def _is_still_alone(table: Table, run: Sequence[EventDraft], seat: Seat) -> bool:
    """Whether a bot acts alone after its steps, in the same turn and without chance between them."""
    match = run[-1].played
    assert match is not None  # noqa: S101 - a step
    game, entry = table.game, match.entry
    assert entry is not None  # noqa: S101 - it has been played
    is_alone = entry.seat == seat and game.to_move(match.state) == (seat,)
    return is_alone and game.turn(match.state) == entry.turn and all(draft.seat == seat for draft in run)


def _is_secret(table: Table, run: Sequence[EventDraft]) -> bool:
    """Whether no person, at the table or watching, may know of any of these steps."""
    if not table.game.info.hidden:
        return False
    entries = [draft.played.entry for draft in run if draft.played is not None and draft.played.entry is not None]
    return not any(
        format_move_for(table.game, entry.before, entry.seat, entry.move, viewer)
        for entry in entries
        for viewer in (None, *table.people)
    )


def _version_for(table: Table, seat: Seat) -> int:
    """Return the version as the bot counts it, so that steps hidden from it do not trigger it."""
    return table.numbering((seat,)).visible_version(table.version)


def _bot_to_answer(table: Table) -> Seat | None:
    """Return the bot that answers an offer: the first one, if no person can answer."""
    if table.offer is None or table.status != "running":
        return None
    bots = [seat for seat in table.bots if seat != table.offer.seat]
    return bots[0] if bots and table.people.keys() <= {table.offer.seat} else None
