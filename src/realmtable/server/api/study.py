"""The API of analyses, hints and the analysis board; refused to players during a rated game of the same kind."""

from __future__ import annotations

from functools import partial
from typing import Any

from fastapi import Request
from starlette.responses import Response

from realmtable.engine import registry
from realmtable.server.api.dependencies import ActingRequesterDep, RequesterDep, Services, ServicesDep, make_router
from realmtable.server.api.models import (
    AnalysisResponse,
    EditedPositionResponse,
    EditRequest,
    EmptyRequest,
    EvaluationResponse,
    HintResponse,
    ThinkRequest,
)
from realmtable.server.api.responses import json_response
from realmtable.server.fair_queue import Requester
from realmtable.server.request_bounds import KIB, declare_bounds
from realmtable.server.study import analysis_board, hints

router = make_router("study")


# ---- analyses of whole games


@router.get("/tables/{table_id}/analysis", response_model=AnalysisResponse)
@declare_bounds(2)
async def table_analysis(table_id: str, services: ServicesDep) -> Response:
    """Return the analysis of a finished game, or its progress. Everyone who may see the replay may see it."""
    return json_response(
        await services.analysis_runner.report(f"table:{(await services.table_service.table(table_id)).id}")
    )


@router.post("/tables/{table_id}/analysis", response_model=AnalysisResponse, status_code=202)
@declare_bounds(10)
async def analyse_table(
    table_id: str,
    body: EmptyRequest,  # noqa: ARG001 - requires an empty body
    services: ServicesDep,
    requester: ActingRequesterDep,
) -> Response:
    """Request the analysis of a finished game. It is computed once for everyone; repeated requests have no effect."""
    table = await services.table_service.table(table_id)
    return await _request_analysis(services, f"table:{table.id}", table.setup.game, requester)


@router.get("/records/{record_id}/analysis", response_model=AnalysisResponse)
@declare_bounds(2)
async def record_analysis(record_id: str, services: ServicesDep) -> Response:
    """Return the analysis of a stored record, or its progress."""
    await services.replay_cache.load_text(record_id)
    return json_response(await services.analysis_runner.report(f"record:{record_id}"))


@router.post("/records/{record_id}/analysis", response_model=AnalysisResponse, status_code=202)
@declare_bounds(20, runs_in="worker")
async def analyse_record(
    record_id: str,
    body: EmptyRequest,  # noqa: ARG001 - refuses other fields
    services: ServicesDep,
    requester: ActingRequesterDep,
) -> Response:
    """Request the analysis of a stored record."""
    game = await services.replay_cache.load_game_id(record_id)
    return await _request_analysis(services, f"record:{record_id}", game, requester)


async def _request_analysis(services: Services, source: str, game: str, requester: Requester) -> Response:
    await services.engine_help_rules.check_may_ask(requester.person, requester.address, game)
    await services.limits.check("analysis", requester.key)
    await services.engine_help_rules.check_record(
        game, partial(services.analysis_runner.main_line, source, requester), requester
    )
    response = json_response(await services.analysis_runner.request(source, requester.key, requester))
    response.status_code = 202
    return response


# ---- hints and the analysis board


@router.post("/tables/{table_id}/hints", response_model=HintResponse)
@declare_bounds(20, runs_in="worker")
async def hint(
    table_id: str,
    body: EmptyRequest,  # noqa: ARG001 - refuses other fields
    services: ServicesDep,
    requester: ActingRequesterDep,
    *,
    pictures: bool = False,
) -> dict[str, Any]:
    """Return a good turn and the reason for it.

    It must be your turn at an unrated table. Everyone at the table sees that you asked.
    """
    table = await services.table_service.table(table_id)
    await services.engine_help_rules.refuse_during_rated_game(requester.person, requester.address, table.setup.game)
    await services.limits.check("hint", requester.key)
    await services.engine_help_rules.check_table(table)
    return await hints.give_hint(services.table_service, services.search_queue, table_id, requester, pictures=pictures)


@router.post("/think", response_model=EvaluationResponse)
@declare_bounds(20, body=64 * KIB, runs_in="worker")
async def think(body: ThinkRequest, request: Request, services: ServicesDep, requester: RequesterDep) -> Response:
    """Evaluate a position: return the chances and the best lines in notation. Nothing is stored."""
    await services.engine_help_rules.check_may_ask(requester.person, requester.address, registry.info(body.game).id)
    await services.limits.check("think", requester.key)
    await services.engine_help_rules.check_position(body.game, body.position)
    is_gone = request.is_disconnected
    return json_response(
        await analysis_board.think_about(services.search_queue, body.game, body.position, requester, is_gone)
    )


@router.post("/positions/edits", response_model=EditedPositionResponse)
@declare_bounds(10, body=64 * KIB, runs_in="worker")
async def edit(body: EditRequest, services: ServicesDep, requester: RequesterDep) -> Response:
    """Edit a position that is being set up. Nothing is stored."""
    change = analysis_board.PositionChange(body.clear, body.seat, body.handle, body.piece)
    question = (registry.info(body.game).id, body.position, change)
    return json_response(await services.replay_pool.run(requester, 1, analysis_board.edit_position, *question))
