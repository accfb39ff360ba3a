"""Analyses of finished games: asked for once, worked on one at a time beside the tables, shown to all who look back."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

import structlog

from realmtable.engine import registry
from realmtable.engine.errors import BadInput, RealmtableError
from realmtable.engine.record import Record
from realmtable.search.analysis import ENGINE_VERSION, Analysis, ThinkRequest, can_analyse, check_can_analyse, run_study
from realmtable.search.result import SearchLimits, SearchResult
from realmtable.server.accounts.latest_addresses import LatestAddresses
from realmtable.server.errors import NotAllowed, Unavailable
from realmtable.server.storage.analyses import AnalysisRow, AnalysisStore
from realmtable.server.study.analysis_order import AnalysisOrder
from realmtable.server.tables.record_cache import RecordCache
from realmtable.server.tables.service import TableService
from realmtable.server.tables.table import Table
from realmtable.server.tasks import cancel_tasks
from realmtable.server.workers.analysis_queue import ANALYSIS, AnalysisQueue
from realmtable.server.workers.replay_pool import Asker

MAX_TURNS: Final = 400
POLL_S: Final = 5.0  # for wishes that another process has taken down
STALE_S: Final = 90.0  # whoever was not heard of for so long is gone; longer than any one thought takes
RETRY_S: Final = 1.0
WARMING_MESSAGE: Final = "The engine is being made ready, as after every update; this takes some minutes."
BROKEN_MESSAGE: Final = "The analysis broke off; this is a fault of ours. Try again."

log = structlog.get_logger(__name__)


class AnalysisRunner:
    """One a process. `start` takes up what waits; `close` ends it, and the work is taken up at the next start."""

    def __init__(
        self,
        analyses: AnalysisStore,
        table_service: TableService,
        replay_book: RecordCache,
        analysis_queue: AnalysisQueue,
        addresses: LatestAddresses,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.addresses = addresses
        self.order = AnalysisOrder(addresses)
        self.analyses = analyses
        self.table_service = table_service
        self.record_cache = replay_book
        self.analysis_queue = analysis_queue
        self.now = now
        self._requested = asyncio.Event()
        self._work_task: asyncio.Task[None] | None = None
        self._row: AnalysisRow | None = None  # what is worked on

    async def start(self) -> None:
        """Work from now on."""
        self._work_task = asyncio.ensure_future(self._work())

    async def close(self) -> None:
        """Stop working."""
        if self._work_task is not None:
            await cancel_tasks([self._work_task])
        if self._row is not None:
            with suppress(RealmtableError):  # else it is taken up when nobody was heard of for a while
                await self.analyses.release(self._row)

    # ---- asking and looking

    async def request(self, source: str, player_id: str, asker: Asker | None = None) -> dict[str, Any]:
        """Ask for the analysis of a game that is over; asking twice starts one job."""
        game, turns = await self._game_and_turns(source, asker)
        check_can_analyse(registry.info(game))
        if not 0 < turns <= MAX_TURNS:
            raise BadInput(f"A game of 1 to {MAX_TURNS} turns can be analysed; this one has {turns}.")
        now = self.now()
        await self.analyses.add_request(
            AnalysisRow(source, ENGINE_VERSION, game, "waiting", player_id, now, now, 0, turns, data=None, message="")
        )
        self._requested.set()
        return await self.report(source)

    async def main_line(self, source: str, asker: Asker) -> str:
        """The game that is to be analysed, as a record without variations."""
        kind, _, number = source.partition(":")
        if kind == "record":
            return (await self.record_cache.load_record(number, asker)).main_line
        await self._require_finished_table(number)
        return await self.record_cache.table_record_text(number, asker)

    async def report(self, source: str) -> dict[str, Any]:
        """How far the analysis of a game is, and what it says once it is done."""
        rows = await self.analyses.find(source)
        row = next((row for row in rows if row.engine == ENGINE_VERSION or row.status == "done"), None)
        if row is None:
            return _make_report(await self._can_request(source), "none")
        ahead = await self._queue_position(row) if row.status == "waiting" else 0
        can_ask = row.status == "failed" or row.engine != ENGINE_VERSION
        if row.status == "running" and self.analysis_queue.is_warming(row.game):
            row = replace(row, message=WARMING_MESSAGE)
        return _make_report(can_ask, row.status, row, ahead)

    async def _queue_position(self, row: AnalysisRow) -> int:
        """How many analyses come before one that waits, as far as is known now."""
        stale = self.now() - STALE_S
        wishes = await self.analyses.open_requests(row.engine, stale)
        return await self.analyses.count_running(row.engine, stale) + self.order.position_of(row.source, wishes)

    async def _can_request(self, source: str) -> bool:
        kind, _, number = source.partition(":")
        if kind == "table":
            table = await self.table_service.table(number)
            return table.status == "over" and can_analyse(table.game.info) and table.step > 0
        return can_analyse(registry.info(await self.record_cache.load_game_id(number)))

    async def _game_and_turns(self, source: str, asker: Asker | None) -> tuple[str, int]:
        """Which game a source is of, and how many turns it has."""
        kind, _, number = source.partition(":")
        if kind == "record":
            kept = await self.record_cache.load_record(number, asker)
            return kept.encoded_game.game, kept.turns
        table = await self._require_finished_table(number)
        return table.setup.game, len(table.lines)

    async def _load_record(self, source: str) -> Record:
        kind, _, number = source.partition(":")
        if kind == "record":
            return await self.record_cache.load_main_line(number, None)
        await self._require_finished_table(number)
        return await self.record_cache.table_record(number)

    async def _require_finished_table(self, table_id: str) -> Table:
        table = await self.table_service.table(table_id)
        if table.status != "over":
            raise NotAllowed("A game can be analysed when it is over.")
        return table

    # ---- working

    async def _work(self) -> None:
        while True:
            self._requested.clear()
            try:
                self._row = await self._claim_next()
                if self._row is not None:
                    await self._run_analysis(self._row)
                    self._row = None
                    continue
            except Unavailable:
                await asyncio.sleep(RETRY_S)
            except Exception:  # whatever it is, the next wish must be looked at
                log.exception("analyst_failed")
                await asyncio.sleep(RETRY_S)
            await self._wait()

    async def _claim_next(self) -> AnalysisRow | None:
        """The wish whose turn it is, now ours; any other if another process was quicker."""
        now = self.now()
        asker = self.order.next_asker(await self.analyses.open_requests(ENGINE_VERSION, now - STALE_S))
        if asker is None:
            return None
        claimed = await self.analyses.claim(ENGINE_VERSION, now, now - STALE_S, asker)
        return claimed or await self.analyses.claim(ENGINE_VERSION, now, now - STALE_S)

    async def _wait(self) -> None:
        try:
            async with asyncio.timeout(POLL_S):
                await self._requested.wait()
        except TimeoutError:
            return

    async def _run_analysis(self, row: AnalysisRow) -> None:
        """Carry out one wish: keep what comes of it, or say why nothing does."""
        begun = time.perf_counter()
        self.order.start(row.asked_by)
        try:
            found = await self._analyse(row)
        except RealmtableError as error:
            log.warning("analysis_failed", source=row.source, reason=str(error))
            await self.analyses.fail(row, str(error))
        except Exception:
            log.exception("analysis_failed", source=row.source)
            await self.analyses.fail(row, BROKEN_MESSAGE)
        else:
            await self.analyses.complete(row, found.as_dict())
            log.info("analysed", source=row.source, turns=len(found.turns), seconds=time.perf_counter() - begun)
        finally:
            self.order.end(time.perf_counter() - begun)

    async def _analyse(self, row: AnalysisRow) -> Analysis:
        record = await self._load_record(row.source)
        await self._wait_until_warm(row)
        study = run_study(record, SearchLimits(seconds=self.analysis_queue.seconds))
        owner = self.addresses.owner_of(row.asked_by)
        step = await asyncio.to_thread(_advance, study, None)
        while isinstance(step, ThinkRequest):
            await self.analyses.heartbeat(row, step.done, step.total, self.now())
            thought = await self.analysis_queue.think(record.game, step.state, urgency=ANALYSIS, owner=owner)
            step = await asyncio.to_thread(_advance, study, thought)
        return step

    async def _wait_until_warm(self, row: AnalysisRow) -> None:
        """Wait until the engine is as strong as it will be: an analysis is kept for good."""
        while self.analysis_queue.is_warming(row.game):
            await self.analyses.heartbeat(row, 0, row.total, self.now())
            await asyncio.sleep(RETRY_S)


def _advance(
    study: Generator[ThinkRequest, SearchResult, Analysis], thought: SearchResult | None
) -> ThinkRequest | Analysis:
    """The next question of a study, or what it has found."""
    try:
        return next(study) if thought is None else study.send(thought)
    except StopIteration as done:
        found: Analysis = done.value
        return found


def _make_report(can_ask: bool, status: str, row: AnalysisRow | None = None, ahead: int = 0) -> dict[str, Any]:
    """What people are told of an analysis."""
    data = row.data if row is not None and row.status == "done" else None
    points = [] if data is None else [list(turn.steps) for turn in Analysis.from_dict(data).turning_points()]
    return {
        "status": status,
        "can_ask": can_ask,
        "done": row.done if row is not None else 0,
        "total": row.total if row is not None else 0,
        "ahead": ahead,
        "message": row.message if row is not None else "",
        "analysis": data,
        "turning_points": points,
    }
