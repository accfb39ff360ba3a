"""The API that reads a table's positions: previews, moves in advance, moments and the record. It changes nothing."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import Query
from starlette.responses import Response

from realmtable.server.accounts.authentication import AnyVisitor
from realmtable.server.api.dependencies import KnownLayers, RequesterDep, ServicesDep, make_router
from realmtable.server.api.models import (
    MAX_PATH,
    Handle,
    MomentResponse,
    NoteResponse,
    PlannedStep,
    PremovesResponse,
    ReasonResponse,
)
from realmtable.server.api.responses import json_response, svg_response, text_file_response
from realmtable.server.request_bounds import declare_bounds
from realmtable.server.tables.replays import replay_tasks
from realmtable.server.tables.scenes.premoves import MAX_STEPS

router = make_router("tables", "/api/tables")


# ---- the current position


@router.get("/{table_id}/preview")
@declare_bounds(10, runs_in="worker")
async def preview(
    table_id: str,
    services: ServicesDep,
    visitor: AnyVisitor,
    requester: RequesterDep,
    move: Annotated[str, Query(min_length=1, max_length=2000)],
    known_layers: KnownLayers,
) -> Response:
    """Return the effect of a step without playing it. Nothing is stored."""
    return json_response(await services.replay_cache.preview(table_id, visitor.player, move, requester, known_layers))


@router.get("/{table_id}/why", response_model=ReasonResponse)
@declare_bounds(10, runs_in="worker")
async def why_not(
    table_id: str,
    services: ServicesDep,
    visitor: AnyVisitor,
    requester: RequesterDep,
    handle: Handle,
    path: Annotated[list[Handle], Query(max_length=MAX_PATH)] = [],  # noqa: B006 - FastAPI copies it
) -> Response:
    """Return why a handle of the picture cannot be chosen now, after the handles of `path`."""
    return json_response(await services.replay_cache.why_not(table_id, visitor.player, path, handle, requester))


@router.get("/{table_id}/notes", response_model=NoteResponse)
@declare_bounds(10, runs_in="worker")
async def note(
    table_id: str, services: ServicesDep, visitor: AnyVisitor, requester: RequesterDep, handle: Handle
) -> Response:
    """Return what choosing a handle of the picture would do, and each of your steps that starts with it."""
    return json_response(await services.replay_cache.note(table_id, visitor.player, handle, requester))


@router.get("/{table_id}/premoves", response_model=PremovesResponse)
@declare_bounds(10, runs_in="worker")
async def premoves(
    table_id: str,
    services: ServicesDep,
    visitor: AnyVisitor,
    requester: RequesterDep,
    planned: Annotated[list[PlannedStep], Query(max_length=MAX_STEPS)] = [],  # noqa: B006 - FastAPI copies it
) -> Response:
    """Return what you can choose in advance, after the steps you have planned. Nothing is stored."""
    return json_response(await services.replay_cache.premoves(table_id, visitor.player, planned, requester))


# ---- replays


@router.get("/{table_id}/moments/{step}.svg", response_class=Response)
@declare_bounds(10, runs_in="worker")
async def moment_picture(
    table_id: str, step: int, services: ServicesDep, visitor: AnyVisitor, requester: RequesterDep
) -> Response:
    """Return a picture of the game after `step` steps, as SVG."""
    work = replay_tasks.moment_picture
    return svg_response(await services.replay_cache.table_moment(table_id, visitor.player, step, requester, work))


@router.get("/{table_id}/moments/{step}", response_model=MomentResponse)
@declare_bounds(10, runs_in="worker")
async def moment(
    table_id: str,
    step: int,
    services: ServicesDep,
    visitor: AnyVisitor,
    requester: RequesterDep,
    known_layers: KnownLayers,
) -> Response:
    """Return the position after `step` steps, as far as you may see it."""
    work = partial(replay_tasks.moment_json, known_layers=known_layers)
    return json_response(await services.replay_cache.table_moment(table_id, visitor.player, step, requester, work))


@router.get("/{table_id}/record", response_class=Response)
@declare_bounds(10, runs_in="worker")
async def record(table_id: str, services: ServicesDep, requester: RequesterDep) -> Response:
    """Return the game as a record file. Games with hidden information must be over."""
    return text_file_response(await services.replay_cache.table_record_text(table_id, requester), f"{table_id}.record")


@router.get("/{table_id}/fairness")
@declare_bounds(10, runs_in="worker")
async def fairness(table_id: str, services: ServicesDep, requester: RequesterDep) -> dict[str, Any]:
    """Return the proof that dice and shuffles match the hash published before the game."""
    return await services.replay_cache.table_fairness(table_id, requester)
