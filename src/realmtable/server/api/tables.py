"""The API of tables. The session or token identifies the player, never the request body."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Literal

from fastapi import Header, Query, Request
from starlette.responses import Response, StreamingResponse

from realmtable.server.accounts.authentication import ActingPlayer, AnyVisitor, is_admitted
from realmtable.server.api import player_actions
from realmtable.server.api.dependencies import ServicesDep, make_router, requester_of
from realmtable.server.api.models import (
    ActionRequest,
    ChatRequest,
    ClaimRequest,
    LayerKey,
    LinesResponse,
    MoveRequest,
    OfferAnswerRequest,
    OfferRequest,
    SceneResponse,
    SeatRequest,
    UndoRequest,
    VersionResponse,
)
from realmtable.server.api.responses import json_response, layer_response
from realmtable.server.request_bounds import declare_bounds
from realmtable.server.tables.live import event_stream
from realmtable.server.tables.live.table_feed import TableFeed
from realmtable.server.tables.scenes.move_list import page_of_moves
from realmtable.server.tables.scenes.scene import viewpoint

router = make_router("tables", "/api/tables")


# ---- finding


@router.get("")
@declare_bounds(5)
async def list_tables(
    services: ServicesDep,
    status: Literal["open", "running", "over"] = "open",
    game: Annotated[str | None, Query(max_length=40)] = None,
) -> list[dict[str, Any]]:
    """List the public tables with a given status, newest first."""
    return await services.lobby.list_tables(status, game)


@router.get("/mine")
@declare_bounds(5)
async def my_tables(services: ServicesDep, visitor: AnyVisitor) -> list[dict[str, Any]]:
    """List your tables, those waiting for you first."""
    return [] if visitor.player is None else await services.lobby.list_tables_of(visitor.player)


@router.get("/{table_id}", response_model=SceneResponse)
@declare_bounds(5)
async def see(table_id: str, services: ServicesDep, visitor: AnyVisitor, *, pictures: bool = False) -> Response:
    """Return a table as you see it, with its view or, on request, its picture."""
    return json_response(await services.table_service.scene(table_id, visitor.player, pictures=pictures))


@router.get("/{table_id}/lines", response_model=LinesResponse)
@declare_bounds(5)
async def earlier_lines(
    table_id: str,
    services: ServicesDep,
    visitor: AnyVisitor,
    before: Annotated[int | None, Query(ge=0, le=2**31 - 1)] = None,
    topic: Annotated[str | None, Query(min_length=1, max_length=40)] = None,
    *,
    mine: bool = False,
) -> Response:
    """Return the latest lines of the move list that begin before a step, as far as you may see them.

    Filter them by a topic of the game, or with `mine` by your own seats.
    """
    table = await services.table_service.table(table_id)
    seats = table.seats_of(visitor.player.id if visitor.player else None)
    lines, more = page_of_moves(table, seats, viewpoint(table, seats), before=before, topic=topic, mine=mine)
    return json_response({"lines": lines, "earlier": more})


@router.get("/{table_id}/events", response_class=StreamingResponse)
@declare_bounds(10)
async def watch(
    table_id: str,
    request: Request,
    services: ServicesDep,
    visitor: AnyVisitor,
    last_event_id: Annotated[str, Header(max_length=40)] = "",
) -> Response:
    """Stream the scene (text/event-stream), and then every change of it.

    A client that reconnects with Last-Event-ID misses nothing.
    """
    requester = requester_of(services, request, visitor.player)
    await services.limits.check("stream", requester.key)
    live, me = await services.table_service.find(table_id), requester.person
    stream = services.streams.open(requester, table_id if live.table.seats_of(me) else None)
    feed = TableFeed(services.table_service, live, me, stream, services.closing, pictures=False, known=last_event_id)
    return services.event_stream(event_stream.stream_scenes(feed, partial(is_admitted, request, visitor)), stream)


@router.get("/{table_id}/layers/{key}.svg", response_class=Response)
@declare_bounds(3)
async def layer(table_id: str, key: LayerKey, request: Request, services: ServicesDep, visitor: AnyVisitor) -> Response:
    """Return a layer of your picture, as SVG. Only layers of your current scene and recent ones are available."""
    svg, is_private = await services.table_service.layer(table_id, visitor.player, key)
    return layer_response(request, svg, private=is_private)


# ---- acting: the same as by messages on a table's socket


@router.post("/{table_id}/seats")
@declare_bounds(10, stores=True)
async def sit_down(table_id: str, body: SeatRequest, services: ServicesDep, me: ActingPlayer) -> VersionResponse:
    """Take a seat; the game starts when all are taken. Rated tables require an account that may play rated games."""
    return VersionResponse(version=await player_actions.sit(services, table_id, me, body))


@router.delete("/{table_id}/seats")
@declare_bounds(10, stores=True)
async def stand_up(table_id: str, services: ServicesDep, me: ActingPlayer) -> VersionResponse:
    """Leave your seat before the game has started."""
    return VersionResponse(version=await player_actions.stand_up(services, table_id, me))


@router.post("/{table_id}/moves")
@declare_bounds(10, stores=True)
async def move(table_id: str, body: MoveRequest, services: ServicesDep, me: ActingPlayer) -> VersionResponse:
    """Play a step, or several up to the end of your turn, chosen at `version`.

    If information is hidden and a later step is refused, the steps before it stand, and the response is the refusal.
    """
    return VersionResponse(version=await player_actions.play(services, table_id, me, body))


@router.post("/{table_id}/undo")
@declare_bounds(10, stores=True)
async def undo(table_id: str, body: UndoRequest, services: ServicesDep, me: ActingPlayer) -> VersionResponse:
    """Undo the latest step of your current turn, or in some games your latest step that nobody has reacted to."""
    return VersionResponse(version=await player_actions.undo(services, table_id, me, body))


@router.post("/{table_id}/offers")
@declare_bounds(10, stores=True)
async def offer(table_id: str, body: OfferRequest, services: ServicesDep, me: ActingPlayer) -> VersionResponse:
    """Offer a draw, or ask to take back your last turn."""
    return VersionResponse(version=await player_actions.offer(services, table_id, me, body))


@router.post("/{table_id}/answers")
@declare_bounds(10, stores=True)
async def answer_offer(
    table_id: str, body: OfferAnswerRequest, services: ServicesDep, me: ActingPlayer
) -> VersionResponse:
    """Accept or decline another player's offer, or withdraw your own."""
    return VersionResponse(version=await player_actions.answer_offer(services, table_id, me, body))


@router.post("/{table_id}/resign")
@declare_bounds(10, stores=True)
async def resign(table_id: str, body: ActionRequest, services: ServicesDep, me: ActingPlayer) -> VersionResponse:
    """Resign. In an unrated game of three or more with other people, a bot takes over your seat."""
    return VersionResponse(version=await player_actions.resign(services, table_id, me, body))


@router.post("/{table_id}/abort")
@declare_bounds(10, stores=True)
async def abort(table_id: str, body: ActionRequest, services: ServicesDep, me: ActingPlayer) -> VersionResponse:
    """Abort a game in which you have not made a step yet. Nobody wins, and it does not count."""
    return VersionResponse(version=await player_actions.abort(services, table_id, me, body))


@router.post("/{table_id}/claims")
@declare_bounds(10, stores=True)
async def claim(table_id: str, body: ClaimRequest, services: ServicesDep, me: ActingPlayer) -> VersionResponse:
    """Claim a win or a draw against an opponent who has been away for too long while it is their turn."""
    return VersionResponse(version=await player_actions.claim(services, table_id, me, body))


@router.post("/{table_id}/chat")
@declare_bounds(10, stores=True)
async def say(table_id: str, body: ChatRequest, services: ServicesDep, me: ActingPlayer) -> VersionResponse:
    """Send a chat message to the table."""
    return VersionResponse(version=await player_actions.chat(services, table_id, me, body))
