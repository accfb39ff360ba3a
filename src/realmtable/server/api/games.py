"""Games, positions and records over HTTP: what can be played, trying lines out, keeping records."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from realmtable.engine import registry
from realmtable.engine.protocol import GameInfo
from realmtable.search.bots import levels
from realmtable.server.accounts.quotas import RECORD_BYTES
from realmtable.server.accounts.sessions import ActingPlayer, AnyVisitor
from realmtable.server.api.models import Explore, Kept, MomentBody, NewRecord
from realmtable.server.api.shared import JSON, Here, asker_of, plain_text, reader_of, ready_json, svg
from realmtable.server.error_responses import RESPONSES
from realmtable.server.storage.rows import text_bytes
from realmtable.server.storage.store import RecordRow
from realmtable.server.tables import event_stream
from realmtable.server.tables.replay_tasks import (
    check_record,
    estimate_steps,
    explored_json,
    moment_json,
    moment_picture,
)

router = APIRouter(prefix="/api", responses=RESPONSES)


@router.get("/games", tags=["games"])
async def games() -> list[dict[str, Any]]:
    """Every game with its options, presets and bots."""
    return [game_facts(info) for info in registry.infos()]


@router.get("/games/{game}", tags=["games"])
async def game(game: str) -> dict[str, Any]:
    """One game with its options, presets and bots."""
    return game_facts(registry.info(game))


def game_facts(info: GameInfo) -> dict[str, Any]:
    """The facts of a game as plain data."""
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
        "bots": [{"name": level.name, "label": level.label, "help": level.help} for level in levels()],
    }


@router.get("/lobby/events", response_class=StreamingResponse, tags=["tables"])
async def lobby_events(request: Request, realm: Here, who: AnyVisitor) -> Response:
    """A stream that says "changed" when the lists of the lobby have."""
    owner = asker_of(realm, request, who.player).owner
    await realm.limits.check("stream", owner.address)
    opened = realm.streams.open(owner)
    return realm.event_stream(request, event_stream.lobby(realm.house, realm.closing, opened), opened)


@router.post("/explore", response_model=MomentBody, tags=["positions"])
async def explore(body: Explore, request: Request, realm: Here, who: AnyVisitor) -> Response:
    """Try a line out from a position: what it leads to and what could follow. Nothing is stored."""
    asker = asker_of(realm, request, who.player)
    await realm.limits.check("explore", asker.key)
    question = (registry.info(body.game).id, body.position, body.moves)
    return ready_json(await realm.replay_pool.run(asker, cost_of_line(body.moves), explored_json, *question))


def cost_of_line(moves: Sequence[str]) -> int:
    """About how many steps a line has; each text may hold a whole turn."""
    return 1 + sum(map(estimate_steps, moves))


@router.post("/records", status_code=201, tags=["records"])
async def keep_record(body: NewRecord, request: Request, realm: Here, me: ActingPlayer) -> Kept:
    """Keep a record, checked move by move; its page can be shared."""
    await realm.limits.check("record", me.id)
    asker, size = asker_of(realm, request, me), text_bytes(body.text)
    await realm.quotas.check_records(me, size)
    facts = await realm.replay_pool.run_long(asker, estimate_steps(body.text), check_record, body.text)
    await realm.quotas.spend(me, asker.address, size + RECORD_BYTES)
    record_id = secrets.token_hex(8)
    await realm.store.add_record(RecordRow(record_id, facts.game, body.text, me.id, realm.house.now()))
    return Kept(record=record_id, url=f"/records/{record_id}", warnings=facts.warnings)


@router.get("/records/{record_id}", tags=["records"])
async def record(record_id: str, request: Request, realm: Here, who: AnyVisitor) -> Response:
    """A kept record with its turns, comments and variations."""
    return JSON((await realm.replay_book.kept(record_id, await reader_of(realm, request, who))).page)


@router.get("/records/{record_id}/record", response_class=Response, tags=["records"])
async def record_file(record_id: str, realm: Here) -> Response:
    """A kept record as the file it was."""
    return plain_text(await realm.replay_book.kept_text(record_id), f"{record_id}.record")


@router.get("/records/{record_id}/moments/{step}.svg", response_class=Response, tags=["records"])
async def record_picture(record_id: str, step: int, request: Request, realm: Here, who: AnyVisitor) -> Response:
    """The picture of a moment of a kept record, as SVG."""
    asker = await reader_of(realm, request, who)
    return svg(await realm.replay_book.kept_moment(record_id, step, asker, moment_picture))


@router.get("/records/{record_id}/moments/{step}", response_model=MomentBody, tags=["records"])
async def record_moment(record_id: str, step: int, request: Request, realm: Here, who: AnyVisitor) -> Response:
    """A moment of a kept record."""
    asker = await reader_of(realm, request, who)
    return ready_json(await realm.replay_book.kept_moment(record_id, step, asker, moment_json))
