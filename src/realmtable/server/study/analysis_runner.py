"""Analyses of finished games: each is computed once, in the background, and shown to everyone who views the replay."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from typing import Any, Final

import structlog

from realmtable.analysis.game_analysis import (
    ENGINE_VERSION,
    Analysis,
    advance_study,
    can_analyse,
    check_can_analyse,
    run_study,
)
from realmtable.analysis.judged_steps import JudgeRequest, judge_step
from realmtable.engine import registry
from realmtable.engine.errors import BadInput, RealmtableError
from realmtable.engine.protocol import Judgement, JudgesSteps
from realmtable.engine.record import Record
from realmtable.search.search_result import SearchLimits, SearchResult
from realmtable.server.accounts.addresses import LatestAddresses
from realmtable.server.errors import NotAllowed, Unavailable
from realmtable.server.fair_queue import Requester, Shares
from realmtable.server.storage.analyses import AnalysisRequest, AnalysisRow, AnalysisStore
from realmtable.server.tables.live.table_service import TableService
from realmtable.server.tables.replays.replay_cache import ReplayCache
from realmtable.server.tables.table import Table
from realmtable.server.task_cancellation import cancel_tasks
from realmtable.server.workers.search_queue import ANALYSIS, SearchQueue

MAX_TURNS: Final = 400
POLL_S: Final = 5.0  # for requests that another process has accepted
STALE_S: Final = 90.0  # a worker without a heartbeat for this long is gone; longer than any single search takes
RETRY_S: Final = 1.0
WARMING_MESSAGE: Final = "The engine is still warming up; the analysis starts in about half a minute."
BROKEN_MESSAGE: Final = "The analysis failed because of an error on our side; try again."

log = structlog.get_logger(__name__)


class AnalysisRunner:
    """Runs the analyses of one process. `close` releases an unfinished analysis, so that another start resumes it."""

    def __init__(
        self,
        analyses: AnalysisStore,
        table_service: TableService,
        replay_cache: ReplayCache,
        search_queue: SearchQueue,
        addresses: LatestAddresses,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.addresses = addresses
        self.order = AnalysisSchedule(addresses)
        self.analyses = analyses
        self.table_service = table_service
        self.replay_cache = replay_cache
        self.search_queue = search_queue
        self.now = now
        self._requested = asyncio.Event()
        self._work_task: asyncio.Task[None] | None = None
        self._row: AnalysisRow | None = None  # the analysis in progress

    async def start(self) -> None:
        """Start working."""
        self._work_task = asyncio.ensure_future(self._work())

    async def close(self) -> None:
        """Stop working."""
        if self._work_task is not None:
            await cancel_tasks([self._work_task])
        if self._row is not None:
            with suppress(RealmtableError):  # otherwise it is resumed once it is stale
                await self.analyses.release(self._row)

    # ---- requests and reports

    async def request(self, source: str, player_id: str, requester: Requester | None = None) -> dict[str, Any]:
        """Request the analysis of a finished game; repeated requests share one job."""
        game, turns = await self._game_and_turns(source, requester)
        check_can_analyse(registry.info(game))
        if refusal := await self._why_not_judged(source):
            raise BadInput(refusal)
        if not 0 < turns <= MAX_TURNS:
            raise BadInput(f"Only games of 1 to {MAX_TURNS} turns can be analysed; this one has {turns}.")
        now = self.now()
        await self.analyses.add_request(
            AnalysisRow(source, ENGINE_VERSION, game, "waiting", player_id, now, now, 0, turns, data=None, message="")
        )
        self._requested.set()
        return await self.report(source)

    async def main_line(self, source: str, requester: Requester) -> str:
        """Return the game to analyse as a record without variations."""
        kind, _, number = source.partition(":")
        if kind == "record":
            return (await self.replay_cache.load_record(number, requester)).main_line
        await self._require_finished_table(number)
        return await self.replay_cache.table_record_text(number, requester)

    async def report(self, source: str) -> dict[str, Any]:
        """Return the progress of a game's analysis and, once it is done, its result."""
        rows = await self.analyses.find(source)
        row = next((row for row in rows if row.engine == ENGINE_VERSION or row.status == "done"), None)
        if row is None:
            can_request = await self._can_request(source)
            refusal = await self._why_not_judged(source) if can_request else ""
            return _make_report(can_request and not refusal, "none", message=refusal)
        ahead = await self._queue_position(row) if row.status == "waiting" else 0
        can_ask = row.status == "failed" or row.engine != ENGINE_VERSION
        if row.status == "running" and self.search_queue.is_warming(row.game):
            row = replace(row, message=WARMING_MESSAGE)
        return _make_report(can_ask, row.status, row, ahead)

    async def _queue_position(self, row: AnalysisRow) -> int:
        """Return the number of analyses ahead of a waiting one, as far as is known now."""
        stale = self.now() - STALE_S
        requests = await self.analyses.open_requests(row.engine, stale)
        return await self.analyses.count_running(row.engine, stale) + self.order.position_of(row.source, requests)

    async def _can_request(self, source: str) -> bool:
        kind, _, number = source.partition(":")
        if kind == "table":
            table = await self.table_service.table(number)
            return table.status == "over" and can_analyse(table.game.info) and table.step > 0
        return can_analyse(registry.info(await self.replay_cache.load_game_id(number)))

    async def _why_not_judged(self, source: str) -> str:
        """Return why the steps of a game are not judged, in games that judge them; otherwise nothing."""
        kind, _, number = source.partition(":")
        if kind == "table":
            table = await self.table_service.table(number)
            return table.game.why_not_judged(table.match.state) if isinstance(table.game, JudgesSteps) else ""
        if not registry.info(await self.replay_cache.load_game_id(number)).judges_steps:
            return ""
        record = await self.replay_cache.load_main_line(number, None)
        return record.game.why_not_judged(record.start) if isinstance(record.game, JudgesSteps) else ""

    async def _game_and_turns(self, source: str, requester: Requester | None) -> tuple[str, int]:
        kind, _, number = source.partition(":")
        if kind == "record":
            record = await self.replay_cache.load_record(number, requester)
            return record.encoded_game.game, record.turns
        table = await self._require_finished_table(number)
        return table.setup.game, len(table.move_list)

    async def _load_record(self, source: str) -> Record:
        kind, _, number = source.partition(":")
        if kind == "record":
            return await self.replay_cache.load_main_line(number, None)
        await self._require_finished_table(number)
        return await self.replay_cache.table_record(number)

    async def _require_finished_table(self, table_id: str) -> Table:
        table = await self.table_service.table(table_id)
        if table.status != "over":
            raise NotAllowed("A game can be analysed only when it is over.")
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
            except Exception:  # the next request must not suffer from it
                log.exception("analyst_failed")
                await asyncio.sleep(RETRY_S)
            with suppress(TimeoutError):  # `asyncio.wait_for` could swallow a cancellation
                async with asyncio.timeout(POLL_S):
                    await self._requested.wait()

    async def _claim_next(self) -> AnalysisRow | None:
        """Claim the next request in fair order; if another process was faster, claim any other."""
        now = self.now()
        player_id = self.order.next_player(await self.analyses.open_requests(ENGINE_VERSION, now - STALE_S))
        if player_id is None:
            return None
        claimed = await self.analyses.claim(ENGINE_VERSION, now, now - STALE_S, player_id)
        return claimed or await self.analyses.claim(ENGINE_VERSION, now, now - STALE_S)

    async def _run_analysis(self, row: AnalysisRow) -> None:
        """Run one analysis and store the result, or the reason why it failed."""
        started_at = time.perf_counter()
        self.order.start(row.asked_by)
        try:
            analysis = await self._analyse(row)
        except RealmtableError as error:
            log.warning("analysis_failed", source=row.source, reason=str(error))
            await self.analyses.fail(row, str(error))
        except Exception:
            log.exception("analysis_failed", source=row.source)
            await self.analyses.fail(row, BROKEN_MESSAGE)
        else:
            await self.analyses.complete(row, analysis.as_dict())
            log.info("analysed", source=row.source, turns=len(analysis.turns), seconds=time.perf_counter() - started_at)
        finally:
            self.order.end()

    async def _analyse(self, row: AnalysisRow) -> Analysis:
        record = await self._load_record(row.source)
        await self._wait_until_warm(row)
        study = run_study(record, SearchLimits(seconds=self.search_queue.seconds))
        requester = self.addresses.requester_of(row.asked_by)
        step = await asyncio.to_thread(advance_study, study, None)
        while not isinstance(step, Analysis):
            await self.analyses.heartbeat(row, step.done, step.total, self.now())
            result: SearchResult | Judgement | None
            if isinstance(step, JudgeRequest):
                asked = step.game_id, step.view, step.move
                result = await self.search_queue.run(judge_step, asked, ANALYSIS, requester)
            else:
                result = await self.search_queue.think(record.game, step.state, urgency=ANALYSIS, requester=requester)
            step = await asyncio.to_thread(advance_study, study, result)
        return step

    async def _wait_until_warm(self, row: AnalysisRow) -> None:
        """Wait until the engine has reached full strength, because analyses are stored permanently."""
        while self.search_queue.is_warming(row.game):
            self.search_queue.request_compiling(row.game)
            await self.analyses.heartbeat(row, 0, row.total, self.now())
            await asyncio.sleep(RETRY_S)


def _make_report(
    can_ask: bool, status: str, row: AnalysisRow | None = None, ahead: int = 0, message: str = ""
) -> dict[str, Any]:
    data = row.data if row is not None and row.status == "done" else None
    analysis = None if data is None else Analysis.from_dict(data)
    points = [] if analysis is None else [list(turn.steps) for turn in analysis.turning_points()]
    mistakes = [] if analysis is None else [seat.describe() for seat in analysis.sum_up_mistakes()]
    return {
        "status": status,
        "can_ask": can_ask,
        "done": row.done if row is not None else 0,
        "total": row.total if row is not None else 0,
        "ahead": ahead,
        "message": row.message if row is not None else message,
        "analysis": data,
        "turning_points": points,
        "mistakes": mistakes,
    }


class AnalysisSchedule:
    """Chooses the next person, based on how many analyses each has had in this process."""

    def __init__(self, addresses: LatestAddresses) -> None:
        self._addresses = addresses
        self._shares = Shares()
        self._entered: set[Requester] = set()
        self._running: Requester | None = None

    def next_player(self, requests: Sequence[AnalysisRequest]) -> str | None:
        """Return the person whose oldest request is next; None if there are no requests."""
        self._sync_requesters({self._addresses.requester_of(request.asked_by) for request in requests})
        if not requests:
            return None
        return self._shares.next_requester(_first_ranks(self._queues_by_requester(requests))).person

    def start(self, player_id: str) -> None:
        """Note that an analysis for this person begins."""
        self._running = self._addresses.requester_of(player_id)
        self._shares.enter(self._running)
        self._shares.take(self._running)

    def end(self) -> None:
        """Note that the analysis has ended."""
        assert self._running is not None  # noqa: S101 - set by `start`
        self._shares.leave(self._running)
        self._running = None

    def position_of(self, source: str, requests: Sequence[AnalysisRequest]) -> int:
        """Return the number of requests ahead of the one for `source`."""
        shares, queues = deepcopy(self._shares), self._queues_by_requester(requests)
        for requester in queues.keys() - self._entered:
            shares.enter(requester)
        for position in range(len(requests)):
            requester = shares.next_requester(_first_ranks(queues))
            if queues[requester].popleft()[1] == source:
                return position
            shares.take(requester)
            if not queues[requester]:
                del queues[requester]
        return len(requests)

    def _sync_requesters(self, requesters: set[Requester]) -> None:
        for requester in requesters - self._entered:
            self._shares.enter(requester)
        for requester in self._entered - requesters:
            self._shares.leave(requester)
        self._entered = requesters

    def _queues_by_requester(self, requests: Sequence[AnalysisRequest]) -> dict[Requester, deque[tuple[int, str]]]:
        queues: dict[Requester, deque[tuple[int, str]]] = {}
        for number, request in enumerate(requests):
            queues.setdefault(self._addresses.requester_of(request.asked_by), deque()).append((number, request.source))
        return queues


def _first_ranks(queues: dict[Requester, deque[tuple[int, str]]]) -> dict[Requester, tuple[int, int]]:
    return {requester: (0, queue[0][0]) for requester, queue in queues.items()}
