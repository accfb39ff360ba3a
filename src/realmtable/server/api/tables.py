"""The API of tables. The session or token identifies the player, never the request body."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Final, Literal

import orjson
from fastapi import APIRouter, Depends, Header, Query, Request
from starlette.responses import Response, StreamingResponse

from realmtable.engine.errors import RealmtableError
from realmtable.server.accounts.accounts import Player
from realmtable.server.accounts.authentication import ActingPlayer, AnyVisitor, is_admitted
from realmtable.server.accounts.rating_eligibility import check_may_play_rated
from realmtable.server.api.dependencies import Services, ServicesDep, requester_of
from realmtable.server.api.models import (
    ChatRequest,
    EmptyRequest,
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
from realmtable.server.api.new_tables import make_occupant
from realmtable.server.api.responses import Reply, json_response, layer_response
from realmtable.server.api.storage_charge import count_stored_bytes
from realmtable.server.error_responses import RESPONSES, to_problem
from realmtable.server.errors import add_table_context
from realmtable.server.request_bounds import BoundedRoute, declare_bounds
from realmtable.server.tables import actions
from realmtable.server.tables.actions import EventDraft
from realmtable.server.tables.live import event_stream
from realmtable.server.tables.live.live_table import LiveTable
from realmtable.server.tables.scenes.move_list import page_of_moves
from realmtable.server.tables.scenes.scene import viewpoint
from realmtable.server.tables.table import Occupant, Table, visible_version

EVENT_ID: Final = re.compile(r"[0-9]{1,9}")  # other ids of events are ignored

router = APIRouter(
    route_class=BoundedRoute,
    prefix="/api/tables",
    tags=["tables"],
    responses=RESPONSES,
    dependencies=[Depends(count_stored_bytes)],
)


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
async def watch(  # noqa: PLR0913 - the parameters of the request
    table_id: str,
    request: Request,
    services: ServicesDep,
    visitor: AnyVisitor,
    *,
    pictures: bool = False,
    patches: bool = False,
    groups: bool = False,
    changes: bool = False,
    last_event_id: Annotated[str | None, Header()] = None,
) -> Response:
    """Stream scenes (text/event-stream): the current one, then one for every change.

    The id of an event is the table's version; a client that reconnects with Last-Event-ID misses nothing. With
    `patches`, an event may be a patch of the scene before it; with `groups`, long lists of choices come in groups; with
    `changes`, an event may have only what has changed, unless there are pictures.
    """
    requester, me = requester_of(services, request, visitor.player), visitor.player.id if visitor.player else None
    await services.limits.check("stream", requester.key)
    seen = int(last_event_id) if last_event_id is not None and EVENT_ID.fullmatch(last_event_id) else 0
    live = await _find_table(services, table_id, visitor.player, seen)
    version = _version_for(live.table, visitor.player)
    stream = services.streams.open(requester, table_id if live.table.seats_of(me) else None)
    events = event_stream.stream_scenes(
        services.table_service,
        live,
        me,
        pictures=pictures,
        patches=patches,
        groups=groups,
        changes=changes,
        known=version if last_event_id == str(version) else None,
        closing=services.closing,
        admitted=partial(is_admitted, request, visitor),
        stream=stream,
    )
    return services.event_stream(request, events, stream)


@router.get("/{table_id}/layers/{key}.svg", response_class=Response)
@declare_bounds(3)
async def layer(table_id: str, key: LayerKey, request: Request, services: ServicesDep, visitor: AnyVisitor) -> Response:
    """Return a layer of your picture, as SVG. Only layers of your current scene and recent ones are available."""
    svg, is_private = await services.table_service.layer(table_id, visitor.player, key)
    return layer_response(request, svg, private=is_private)


# ---- sitting


@router.post("/{table_id}/seats", response_model=SceneResponse)
@declare_bounds(10)
async def sit_down(table_id: str, body: SeatRequest, services: ServicesDep, me: ActingPlayer) -> Response:
    """Take a seat; the game starts when all are taken. Rated tables require an account that may play rated games."""
    await services.limits.check("move", me.id)
    found, sitter = await services.table_service.table(table_id), Occupant(me.id)
    if found.setup.rated:
        await check_may_play_rated(services.database, services.settings, me, services.table_service.now())
    exhausted = await services.table_service.exhausted_pairs(found.setup, [*found.seats, sitter])

    def sit(table: Table) -> list[EventDraft]:
        if table.seats_of(me.id):
            return []  # already seated
        return actions.sit(table, sitter, body.seat, exhausted)

    return await _act(services, table_id, me, sit)


@router.delete("/{table_id}/seats", response_model=SceneResponse)
@declare_bounds(10)
async def stand_up(table_id: str, services: ServicesDep, me: ActingPlayer) -> Response:
    """Leave your seat before the game has started."""
    await services.limits.check("move", me.id)
    return await _act(services, table_id, me, lambda table: actions.leave(table, table.seats_of(me.id)))


# ---- playing


@router.post("/{table_id}/moves", response_model=SceneResponse | VersionResponse)
@declare_bounds(10)
async def move(
    table_id: str,
    body: MoveRequest,
    services: ServicesDep,
    me: ActingPlayer,
    *,
    pictures: bool = False,
    scene: bool = True,
) -> Response:
    """Play a step, or several up to the end of your turn, chosen at `version`.

    If information is hidden and a later step is refused, the steps before it stand, and the response is the refusal.
    With `scene=false`, the response to a legal move has only the new version, for clients that have the stream open.
    """
    return (await play_move(services, table_id, me, body, pictures=pictures, scene=scene)).response()


async def play_move(
    services: Services, table_id: str, me: Player, body: MoveRequest, *, pictures: bool, scene: bool
) -> Reply:
    """Play a move and return the new scene, or without `scene` the new version.

    Used by the route above and, without FastAPI, by `move_route`.
    """
    await services.limits.check("move", me.id)

    def play(table: Table) -> list[EventDraft]:
        seats = table.seats_of(me.id)
        _check_version(table, seats, body.version)
        return actions.play(table, actions.playing_seat(table, seats), body.move)

    await _find_table(services, table_id, me, body.version)
    return await _reply_to_action(services, table_id, me, play, body.key, pictures=pictures, scene=scene)


async def _find_table(services: Services, table_id: str, player: Player | None, seen: int) -> LiveTable:
    """Return a table; if the player has seen a later version, in another process, wait for it or read its log."""
    live = await services.table_service.find(table_id)
    if seen > _version_for(live.table, player):
        await services.table_service.wait_for_change(live)
        live = await services.table_service.find(table_id)
        if seen > _version_for(live.table, player):
            live.is_stale = True
            live = await services.table_service.find(table_id)
    return live


def _check_version(table: Table, seats: tuple[int, ...], version: int) -> None:
    """Refuse an action chosen in an older position; `version` is numbered as the player sees it."""
    if not seats or table.status != "running":
        return
    numbering = table.numbering(seats)
    acting = next((seat for seat in seats if seat in table.acting), seats[0])
    actions.check_version(table, acting, numbering.latest_actual_version(version))


def _version_for(table: Table, player: Player | None) -> int:
    if not table.secrets:
        return table.version  # all viewers count alike
    return visible_version(table, table.seats_of(player.id if player else None))


@router.post("/{table_id}/undo", response_model=SceneResponse)
@declare_bounds(10)
async def undo(
    table_id: str, body: UndoRequest, services: ServicesDep, me: ActingPlayer, *, pictures: bool = False
) -> Response:
    """Undo the latest step of your current turn, or in some games your latest step that nobody has reacted to."""
    await services.limits.check("move", me.id)

    def take_back_step(table: Table) -> list[EventDraft]:
        seats = table.seats_of(me.id)
        _check_version(table, seats, body.version)
        return actions.undo(table, seats)

    await _find_table(services, table_id, me, body.version)
    return (await _reply_to_action(services, table_id, me, take_back_step, body.key, pictures=pictures)).response()


# ---- agreeing and ending


@router.post("/{table_id}/offers", response_model=SceneResponse)
@declare_bounds(10)
async def offer(table_id: str, body: OfferRequest, services: ServicesDep, me: ActingPlayer) -> Response:
    """Offer a draw, or ask to take back your last turn."""
    await services.limits.check("move", me.id)
    return await _act(services, table_id, me, lambda table: actions.offer(table, table.seats_of(me.id), body.what))


@router.post("/{table_id}/answers", response_model=SceneResponse)
@declare_bounds(10)
async def answer_offer(table_id: str, body: OfferAnswerRequest, services: ServicesDep, me: ActingPlayer) -> Response:
    """Accept or decline another player's offer, or withdraw your own."""
    await services.limits.check("move", me.id)
    return await _act(
        services, table_id, me, lambda table: actions.answer_offer(table, table.seats_of(me.id), accept=body.accept)
    )


@router.post("/{table_id}/resign", response_model=SceneResponse)
@declare_bounds(10)
async def resign(table_id: str, body: EmptyRequest, services: ServicesDep, me: ActingPlayer) -> Response:  # noqa: ARG001 - requires an empty body
    """Resign. In an unrated game of three or more with other people, a bot takes over your seat."""
    await services.limits.check("move", me.id)
    bot = await make_occupant(services, f"bot:{actions.TAKEOVER_BOT}", me)
    return await _act(services, table_id, me, lambda table: actions.resign(table, table.seats_of(me.id), bot))


@router.post("/{table_id}/chat", response_model=SceneResponse)
@declare_bounds(10)
async def say(table_id: str, body: ChatRequest, services: ServicesDep, me: ActingPlayer) -> Response:
    """Send a chat message to the table."""
    await services.limits.check("chat", me.id)
    return await _act(
        services, table_id, me, lambda table: actions.chat(table, me.id, table.seats_of(me.id), body.text)
    )


# ---- shared by all actions


async def _act(services: Services, table_id: str, me: Player, act: Callable[[Table], list[EventDraft]]) -> Response:
    """Perform an action and return the new scene."""
    return (await _reply_to_action(services, table_id, me, act)).response()


async def _reply_to_action(  # noqa: PLR0913 - the action, and what the reply has
    services: Services,
    table_id: str,
    me: Player,
    act: Callable[[Table], list[EventDraft]],
    key: str | None = None,
    *,
    pictures: bool = False,
    scene: bool = True,
) -> Reply:
    """Perform an action and return the new scene, or without `scene` the new version.

    A refusal includes the current scene to keep clients in sync.
    """
    try:
        table = await services.table_service.act(table_id, act, me.id, key)
    except RealmtableError as error:
        live = services.table_service.live.get(table_id)
        if live is None:
            raise
        services.metrics.count_refusal(error.code)
        problem = to_problem(add_table_context(error, live.table.setup.game, _version_for(live.table, me)))
        current = await services.table_service.scene(table_id, me, pictures=pictures)
        return Reply(orjson.dumps(problem.body() | {"scene": current}), problem.status, problem.headers)
    service = services.table_service
    live = service.live.get(table.id)
    if live is None or live.is_stale or live.received:
        live = await service.find(table.id)
    if not scene:
        return Reply(b'{"version":%d}' % _version_for(live.table, me))
    you = live.table.seats_of(me.id)
    data = service.scenes.scene_bytes_now(live, you, pictures=pictures)
    if data is None:
        data = (await service.scenes.scene_bytes(live, you, pictures=pictures))[1]
    return Reply(data)
