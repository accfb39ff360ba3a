"""The API of games, positions and records: list games, explore lines, store records."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from starlette.responses import Response, StreamingResponse

from realmtable.engine import registry
from realmtable.engine.protocol import GameInfo, HasCardGallery
from realmtable.search.bot_levels import levels
from realmtable.server.accounts.authentication import ActingPlayer
from realmtable.server.api.dependencies import ActingRequesterDep, KnownLayers, RequesterDep, ServicesDep, make_router
from realmtable.server.api.models import (
    ExploreRequest,
    MomentResponse,
    NewRecordRequest,
    ReasonResponse,
    SetupCheckResponse,
    SetupRequest,
    StoredRecord,
    WhyNotRequest,
)
from realmtable.server.api.responses import json_response, svg_response, text_file_response
from realmtable.server.errors import NotFound
from realmtable.server.request_bounds import KIB, LARGEST_BODY, declare_bounds
from realmtable.server.storage.table_changes import text_bytes
from realmtable.server.storage.table_store import RecordRow
from realmtable.server.tables.live import event_stream
from realmtable.server.tables.replays.replay_tasks import (
    check_record,
    estimate_steps,
    explore_json,
    moment_json,
    moment_picture,
    why_not_json,
)
from realmtable.server.tables.setup import RulesRequest, check_setup

CACHE_A_DAY: Final = "public, max-age=86400"

router = make_router()


@router.get("/games", tags=["games"])
@declare_bounds(5)
async def games() -> list[dict[str, Any]]:
    """List all games with their options, presets and bots."""
    return [game_facts(info) for info in registry.infos()]


@router.get("/games/{game}", tags=["games"])
@declare_bounds(3)
async def game(game: str) -> dict[str, Any]:
    """Return a game with its options, presets and bots."""
    return game_facts(registry.info(game))


@router.get("/games/{game}/cards/{card}", tags=["games"])
@declare_bounds(3)
async def card(game: str, card: str) -> Response:
    """Return a card of a game: its name, its text, and its picture without the style, which is that of the board."""
    played = registry.game(game)
    groups = played.gallery().groups if isinstance(played, HasCardGallery) else ()
    found = next((each for group in groups for each in group.cards if each.name == card), None)
    if found is None:
        raise NotFound("This game has no such card.")
    response = json_response(found._asdict())
    response.headers["cache-control"] = CACHE_A_DAY
    return response


@router.post("/games/{game}/checks", response_model=SetupCheckResponse, tags=["games"])
@declare_bounds(10, body=64 * KIB, runs_in="worker")
async def check_rules(game: str, body: SetupRequest, services: ServicesDep, requester: RequesterDep) -> Response:
    """Check whether a table can be opened with some rules and players. Nothing is stored."""
    rules = RulesRequest(registry.info(game).id, body.preset, body.options, body.position, body.record, body.after)
    run = services.replay_pool.run if body.record is None else services.replay_pool.run_long
    cost = 1 if body.record is None else estimate_steps(body.record)
    seats, fault = await run(requester, cost, check_setup, rules, body.seats)
    return json_response({"seats": list(seats), "fault": None if fault is None else fault._asdict()})


def game_facts(info: GameInfo) -> dict[str, Any]:
    """Return the facts about a game as plain data."""
    return {
        "id": info.id,
        "title": info.title,
        "summary": info.summary,
        "seats": list(info.seats),
        "seat_names": list(info.seat_names),
        "presets": {name: dict(values) for name, values in info.presets.items()},
        "default_preset": info.default_preset,
        "options": [option._asdict() for option in info.options()],
        "hidden": info.hidden,
        "chance": info.chance,
        "rules_version": info.rules_version,
        "rules": f"/rules/{info.id}",
        "bots": [{"name": level.name, "label": level.label, "help": level.help} for level in levels(info)],
    }


@router.get("/lobby/events", response_class=StreamingResponse, tags=["tables"])
@declare_bounds(5)
async def lobby_events(services: ServicesDep, requester: RequesterDep) -> Response:
    """Stream a "changed" event whenever the lists of the lobby change."""
    await services.limits.check("stream", requester.address)
    stream = services.streams.open(requester)
    return services.event_stream(
        event_stream.stream_lobby_changes(services.table_service, services.closing, stream), stream
    )


@router.post("/explore", response_model=MomentResponse, tags=["positions"])
@declare_bounds(10, body=64 * KIB, runs_in="worker")
async def explore(body: ExploreRequest, services: ServicesDep, requester: RequesterDep) -> Response:
    """Play a line from a position; return the resulting position and the possible next moves. Nothing is stored."""
    question = (registry.info(body.game).id, body.position, body.moves, body.known_layers)
    return json_response(
        await services.replay_pool.run(requester, estimate_line_steps(body.moves), explore_json, *question)
    )


@router.post("/explore/why", response_model=ReasonResponse, tags=["positions"])
@declare_bounds(10, body=64 * KIB, runs_in="worker")
async def why_not(body: WhyNotRequest, services: ServicesDep, requester: RequesterDep) -> Response:
    """Return why the seat to move cannot choose a handle of a position's picture. Nothing is stored."""
    question = (registry.info(body.game).id, body.position, body.path, body.handle)
    return json_response(await services.replay_pool.run(requester, 1, why_not_json, *question))


def estimate_line_steps(moves: Sequence[str]) -> int:
    """Return roughly how many steps a line has; each text may contain a whole turn."""
    return 1 + sum(map(estimate_steps, moves))


@router.post("/records", status_code=201, tags=["records"])
@declare_bounds(40, body=LARGEST_BODY, runs_in="worker", stores=True)
async def keep_record(
    body: NewRecordRequest, services: ServicesDep, me: ActingPlayer, requester: ActingRequesterDep
) -> StoredRecord:
    """Store a record after checking it move by move. Its page can be shared."""
    await services.limits.check("record", me.id)
    await services.quotas.check_records(me, text_bytes(body.text))
    facts = await services.replay_pool.run_long(requester, estimate_steps(body.text), check_record, body.text)
    record_id = secrets.token_hex(8)
    await services.store.add_record(RecordRow(record_id, facts.game, facts.text, me.id, services.table_service.now()))
    return StoredRecord(record=record_id, url=f"/records/{record_id}", warnings=facts.warnings)


@router.get("/records/{record_id}", tags=["records"])
@declare_bounds(10, runs_in="worker")
async def record(record_id: str, services: ServicesDep, requester: RequesterDep) -> Response:
    """Return a stored record with its turns, comments and variations."""
    return json_response((await services.replay_cache.load_record(record_id, requester)).page)


@router.get("/records/{record_id}/record", response_class=Response, tags=["records"])
@declare_bounds(3)
async def record_file(record_id: str, services: ServicesDep) -> Response:
    """Return a stored record as its original file."""
    return text_file_response(await services.replay_cache.load_text(record_id), f"{record_id}.record")


@router.get("/records/{record_id}/moments/{step}.svg", response_class=Response, tags=["records"])
@declare_bounds(10, runs_in="worker")
async def record_picture(record_id: str, step: int, services: ServicesDep, requester: RequesterDep) -> Response:
    """Return a picture of a stored record after `step` steps, as SVG."""
    return svg_response(await services.replay_cache.record_moment(record_id, step, requester, moment_picture))


@router.get("/records/{record_id}/moments/{step}", response_model=MomentResponse, tags=["records"])
@declare_bounds(10, runs_in="worker")
async def record_moment(
    record_id: str,
    step: int,
    services: ServicesDep,
    requester: RequesterDep,
    known_layers: KnownLayers,
) -> Response:
    """Return a stored record's position after `step` steps."""
    work = partial(moment_json, known_layers=known_layers)
    return json_response(await services.replay_cache.record_moment(record_id, step, requester, work))
