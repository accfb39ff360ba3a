"""The API of tables. The session or token identifies the player, never the request body."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any, Final, Literal

import orjson
from fastapi import APIRouter, Depends, Header, Query, Request
from starlette.responses import Response, StreamingResponse

from realmtable.engine import registry
from realmtable.engine.errors import RealmtableError
from realmtable.search.bot_levels import make_bot
from realmtable.server.accounts.accounts import Player
from realmtable.server.accounts.authentication import ActingPlayer, AnyVisitor, is_admitted
from realmtable.server.accounts.rating_eligibility import check_may_play_rated
from realmtable.server.api.models import (
    MAX_PATH,
    Answer,
    Chat,
    Empty,
    Handle,
    LayerKey,
    LinesBody,
    MomentBody,
    Move,
    NewTable,
    NoteBody,
    OfferWish,
    Opened,
    PremovesBody,
    ReasonBody,
    Rematch,
    SceneBody,
    SeatWish,
    Undo,
)
from realmtable.server.api.shared import (
    KnownLayers,
    Reply,
    Services,
    ServicesDep,
    admit_reader,
    asker_of,
    json_response,
    layer_response,
    raw_json_response,
    svg_response,
    text_file_response,
)
from realmtable.server.api.storage_charge import count_stored_bytes
from realmtable.server.error_responses import RESPONSES, to_problem
from realmtable.server.errors import BadSetup, NotAllowed, NotRunning, NotSeated, add_table_context
from realmtable.server.tables import actions
from realmtable.server.tables.actions import EventDraft
from realmtable.server.tables.live import event_stream
from realmtable.server.tables.live.live_table import LiveTable
from realmtable.server.tables.rating_conditions import check_rated_setup
from realmtable.server.tables.rematches import choose_level, rematch_seats
from realmtable.server.tables.replays import replay_tasks
from realmtable.server.tables.replays.replay_tasks import estimate_steps
from realmtable.server.tables.scenes.move_list import page_of_moves
from realmtable.server.tables.scenes.scene import viewpoint
from realmtable.server.tables.setup import RulesRequest, Setup, resolve_rules
from realmtable.server.tables.table import Occupant, Table
from realmtable.server.tables.timeouts import TIMEOUT_RULES
from realmtable.server.workers.replay_pool import Asker

EVENT_ID: Final = re.compile(r"[0-9]{1,9}")  # other ids of events are ignored

router = APIRouter(
    prefix="/api/tables", tags=["tables"], responses=RESPONSES, dependencies=[Depends(count_stored_bytes)]
)


# ---- opening and finding


@router.post("", status_code=201)
async def open_table(body: NewTable, request: Request, services: ServicesDep, me: ActingPlayer) -> Opened:
    """Open a table. The game starts at once if no seat is open; otherwise send `invite` to a friend."""
    await services.limits.check("table", me.id)
    await services.quotas.check_tables(me)
    setup = await _make_setup(services, body, asker_of(services, request, me))
    if setup.rated:
        check_rated_setup(setup)
        await check_may_play_rated(services.database, services.settings, me, services.table_service.now())
    if setup.start is not None:  # a bot playing from there would be as good as the engine
        await services.fair_play.check_position(setup.game, setup.start)
    occupants = [await _make_occupant(services, assignment, me) for assignment in body.seats]
    table = await services.table_service.open_table(setup, me, occupants)
    return _describe_opened(services, table)


async def _make_setup(services: Services, body: NewTable, asker: Asker) -> Setup:
    info = registry.info(body.game)
    if len(body.seats) not in info.seats:
        raise BadSetup(f"{info.title} is for {info.players}, not {len(body.seats)}.")
    if body.rated and ("me" not in body.seats or body.seats.count("me") > 1):
        raise BadSetup("In a rated game you must take exactly one seat.")
    if body.timeout is not None and (len(body.seats) <= actions.TWO_PLAYERS or body.clock.kind == "none"):
        raise BadSetup("Only a game of three or more players with a clock can have a timeout rule; leave it out.")
    rules = RulesRequest(body.game, body.preset, body.options, body.position, body.record, body.after)
    if body.record is not None:
        cost = estimate_steps(body.record)
        options, start = await services.replay_pool.run_long(asker, cost, resolve_rules, rules, len(body.seats))
    elif body.position is not None:
        options, start = await services.replay_pool.run(asker, 1, resolve_rules, rules, len(body.seats))
    else:
        options, start = resolve_rules(rules, len(body.seats))
    return Setup(
        game=body.game,
        seats=len(body.seats),
        options=options,
        preset=body.preset,
        start=start,
        clock=body.clock.to_rule(),
        rated=body.rated,
        listed=body.listed,
        chat=body.chat,
        sides="shared" if body.seats.count("me") > 1 else "",
        timeout=body.timeout or TIMEOUT_RULES[0],
    )


async def _make_occupant(services: Services, assignment: str, me: Player) -> Occupant | None:
    if assignment == "open":
        return None
    if assignment == "me":
        return Occupant(me.id)
    name = assignment.removeprefix("bot:")
    make_bot(name)  # raises if there is no such bot
    return Occupant((await services.accounts.bot_player(name)).id, name)


def _describe_opened(services: Services, table: Table) -> Opened:
    url = f"/tables/{table.id}"
    return Opened(table=table.id, url=url, invite=services.settings.public_url.rstrip("/") + url)


@router.get("")
async def list_tables(
    services: ServicesDep,
    status: Literal["open", "running", "over"] = "open",
    game: Annotated[str | None, Query(max_length=40)] = None,
) -> list[dict[str, Any]]:
    """List the public tables with a given status, newest first."""
    return await services.lobby.list_tables(status, game)


@router.get("/mine")
async def my_tables(services: ServicesDep, visitor: AnyVisitor) -> list[dict[str, Any]]:
    """List your tables, those waiting for you first."""
    return [] if visitor.player is None else await services.lobby.list_tables_of(visitor.player)


@router.get("/{table_id}", response_model=SceneBody)
async def see(table_id: str, services: ServicesDep, visitor: AnyVisitor, *, pictures: bool = False) -> Response:
    """Return a table as you see it, with its view or, on request, its picture."""
    return json_response(await services.table_service.scene(table_id, visitor.player, pictures=pictures))


@router.get("/{table_id}/lines", response_model=LinesBody)
async def earlier_lines(  # noqa: PLR0913 - the place and the filter
    table_id: str,
    request: Request,
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
    await admit_reader(services, request, visitor)
    table = await services.table_service.table(table_id)
    seats = table.seats_of(visitor.player.id if visitor.player else None)
    lines, more = page_of_moves(table, seats, viewpoint(table, seats), before=before, topic=topic, mine=mine)
    return json_response({"lines": lines, "earlier": more})


@router.get("/{table_id}/events", response_class=StreamingResponse)
async def watch(  # noqa: PLR0913 - the parameters of the request
    table_id: str,
    request: Request,
    services: ServicesDep,
    visitor: AnyVisitor,
    *,
    pictures: bool = False,
    patches: bool = False,
    last_event_id: Annotated[str | None, Header()] = None,
) -> Response:
    """Stream scenes (text/event-stream): the current one, then one for every change.

    The id of an event is the table's version; a client that reconnects with Last-Event-ID misses nothing. With
    `patches`, an event may be a patch of the scene before it.
    """
    owner, me = asker_of(services, request, visitor.player).owner, visitor.player.id if visitor.player else None
    await services.limits.check("stream", owner.person)
    seen = int(last_event_id) if last_event_id is not None and EVENT_ID.fullmatch(last_event_id) else 0
    live = await _find_table(services, table_id, visitor.player, seen)
    version = _version_for(live.table, visitor.player)
    stream = services.streams.open(owner, table_id if live.table.seats_of(me) else None)
    events = event_stream.stream_scenes(
        services.table_service,
        live,
        me,
        pictures=pictures,
        patches=patches,
        known=version if last_event_id == str(version) else None,
        closing=services.closing,
        admitted=partial(is_admitted, request, visitor),
        stream=stream,
    )
    return services.event_stream(request, events, stream)


@router.get("/{table_id}/layers/{key}.svg", response_class=Response)
async def layer(table_id: str, key: LayerKey, request: Request, services: ServicesDep, visitor: AnyVisitor) -> Response:
    """Return a layer of your picture, as SVG. Only layers of your current scene and recent ones are available."""
    await services.limits.check("moment", asker_of(services, request, visitor.player).key)
    svg, is_private = await services.table_service.layer(table_id, visitor.player, key)
    return layer_response(request, svg, private=is_private)


# ---- sitting


@router.post("/{table_id}/seats", response_model=SceneBody)
async def sit_down(table_id: str, body: SeatWish, services: ServicesDep, me: ActingPlayer) -> Response:
    """Take a seat; the game starts when all are taken. Rated tables require an account that may play rated games."""
    await services.limits.check("move", me.id)
    if (await services.table_service.table(table_id)).setup.rated:
        await check_may_play_rated(services.database, services.settings, me, services.table_service.now())

    def sit(table: Table) -> list[EventDraft]:
        if table.seats_of(me.id):
            return []  # already seated
        return actions.sit(table, Occupant(me.id), body.seat)

    return await _act(services, table_id, me, sit)


@router.delete("/{table_id}/seats", response_model=SceneBody)
async def stand_up(table_id: str, services: ServicesDep, me: ActingPlayer) -> Response:
    """Leave your seat before the game has started."""
    await services.limits.check("move", me.id)
    return await _act(services, table_id, me, lambda table: actions.leave(table, table.seats_of(me.id)))


# ---- playing


@router.post("/{table_id}/moves", response_model=SceneBody)
async def move(
    table_id: str, body: Move, services: ServicesDep, me: ActingPlayer, *, pictures: bool = False
) -> Response:
    """Play a step, or several up to the end of your turn, chosen at `version`.

    If information is hidden and a later step is refused, the steps before it stand, and the response is the refusal.
    """
    return (await play_move(services, table_id, me, body, pictures=pictures)).response()


async def play_move(services: Services, table_id: str, me: Player, body: Move, *, pictures: bool) -> Reply:
    """Play a move and return the new scene. Used by the route above and, without FastAPI, by `move_route`."""
    await services.limits.check("move", me.id)

    def play(table: Table) -> list[EventDraft]:
        seats = table.seats_of(me.id)
        _check_version(table, seats, body.version)
        return actions.play(table, actions.playing_seat(table, seats), body.move)

    await _find_table(services, table_id, me, body.version)
    return await _reply_to_action(services, table_id, me, play, key=body.key, pictures=pictures)


async def _find_table(services: Services, table_id: str, player: Player | None, seen: int) -> LiveTable:
    """Return a table; read its log first if the player has seen a later version, in another process."""
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
    return table.numbering(table.seats_of(player.id if player else None)).visible_version(table.version)


@router.post("/{table_id}/undo", response_model=SceneBody)
async def undo(
    table_id: str, body: Undo, services: ServicesDep, me: ActingPlayer, *, pictures: bool = False
) -> Response:
    """Undo the latest step of your current turn, or in some games your latest step that nobody has reacted to."""
    await services.limits.check("move", me.id)

    def take_back_step(table: Table) -> list[EventDraft]:
        seats = table.seats_of(me.id)
        _check_version(table, seats, body.version)
        return actions.undo(table, seats)

    await _find_table(services, table_id, me, body.version)
    return await _act(services, table_id, me, take_back_step, key=body.key, pictures=pictures)


@router.get("/{table_id}/preview")
async def preview(
    table_id: str,
    request: Request,
    services: ServicesDep,
    visitor: AnyVisitor,
    move: Annotated[str, Query(min_length=1, max_length=2000)],
    known_layers: KnownLayers,
) -> Response:
    """Return the effect of a step without playing it. Nothing is stored."""
    asker = await admit_reader(services, request, visitor)
    return raw_json_response(await services.replay_cache.preview(table_id, visitor.player, move, asker, known_layers))


@router.get("/{table_id}/why", response_model=ReasonBody)
async def why_not(
    table_id: str,
    request: Request,
    services: ServicesDep,
    visitor: AnyVisitor,
    handle: Handle,
    path: Annotated[list[Handle], Query(max_length=MAX_PATH)] = [],  # noqa: B006 - FastAPI copies it
) -> Response:
    """Return why a handle of the picture cannot be chosen now, after the handles of `path`."""
    asker = await admit_reader(services, request, visitor)
    return json_response(await services.replay_cache.why_not(table_id, visitor.player, path, handle, asker))


@router.get("/{table_id}/notes", response_model=NoteBody)
async def note(table_id: str, request: Request, services: ServicesDep, visitor: AnyVisitor, handle: Handle) -> Response:
    """Return what choosing a handle of the picture would do, in a sentence; empty if the game has none to say."""
    asker = await admit_reader(services, request, visitor)
    return json_response({"text": await services.replay_cache.note(table_id, visitor.player, handle, asker)})


@router.get("/{table_id}/premoves", response_model=PremovesBody)
async def premoves(table_id: str, request: Request, services: ServicesDep, visitor: AnyVisitor) -> Response:
    """Return the moves that you can choose in advance while another player is to move. Nothing is stored."""
    asker = await admit_reader(services, request, visitor)
    return json_response(await services.replay_cache.premoves(table_id, visitor.player, asker))


# ---- agreeing and ending


@router.post("/{table_id}/offers", response_model=SceneBody)
async def offer(table_id: str, body: OfferWish, services: ServicesDep, me: ActingPlayer) -> Response:
    """Offer a draw, or ask to take back your last turn."""
    await services.limits.check("move", me.id)
    return await _act(services, table_id, me, lambda table: actions.offer(table, table.seats_of(me.id), body.what))


@router.post("/{table_id}/answers", response_model=SceneBody)
async def answer_offer(table_id: str, body: Answer, services: ServicesDep, me: ActingPlayer) -> Response:
    """Accept or decline another player's offer, or withdraw your own."""
    await services.limits.check("move", me.id)
    return await _act(
        services, table_id, me, lambda table: actions.answer_offer(table, table.seats_of(me.id), accept=body.accept)
    )


@router.post("/{table_id}/resign", response_model=SceneBody)
async def resign(table_id: str, body: Empty, services: ServicesDep, me: ActingPlayer) -> Response:  # noqa: ARG001 - requires an empty body
    """Resign. In an unrated game of three or more with other people, a bot takes over your seat."""
    await services.limits.check("move", me.id)
    bot = await _make_occupant(services, f"bot:{actions.TAKEOVER_BOT}", me)
    return await _act(services, table_id, me, lambda table: actions.resign(table, table.seats_of(me.id), bot))


@router.post("/{table_id}/chat", response_model=SceneBody)
async def say(table_id: str, body: Chat, services: ServicesDep, me: ActingPlayer) -> Response:
    """Send a chat message to the table."""
    await services.limits.check("chat", me.id)
    return await _act(
        services, table_id, me, lambda table: actions.chat(table, me.id, table.seats_of(me.id), body.text)
    )


@router.post("/{table_id}/rematch", status_code=201)
async def rematch(table_id: str, body: Rematch, services: ServicesDep, me: ActingPlayer) -> Opened:
    """Play again. The first request opens a new table; later ones join it.

    In a game of two, the loser takes the first seat. Against other bots, every request opens a new table.
    """
    table = await services.table_service.table(table_id)
    mine = table.seats_of(me.id)
    if not mine:
        raise NotSeated("Only players of this game can ask for a rematch.")
    if table.result is None:
        raise NotRunning("You can ask for a rematch when the game is over.")
    next_seats = rematch_seats(table.result.ranking)
    if table.setup.rated:
        check_rated_setup(table.setup)
        await check_may_play_rated(services.database, services.settings, me, services.table_service.now())
    if body.bots != "same":
        return await _rematch_with_other_bots(services, table, me, next_seats, body.bots)
    if table.rematch is None:
        await services.limits.check("table", me.id)
        await services.quotas.check_tables(me)
        reseated = [table.seats[next_seats.index(seat)] for seat in range(len(next_seats))]
        occupants = [each if each and (each.bot or each.player_id == me.id) else None for each in reseated]
        new_table = await services.table_service.open_table(table.setup, me, occupants)
        table = await services.table_service.act(
            table_id, lambda now: [] if now.rematch else [EventDraft("rematch", None, me.id, {"table": new_table.id})]
        )
    assert table.rematch is not None  # noqa: S101 - set by this request or a faster one
    joined = await services.table_service.act(
        table.rematch,
        lambda now: (
            [] if now.seats_of(me.id) or now.started else actions.sit(now, Occupant(me.id), next_seats[mine[0]])
        ),
        me.id,
    )
    return _describe_opened(services, joined)


async def _rematch_with_other_bots(
    services: Services, table: Table, me: Player, next_seats: Sequence[int], wish: str
) -> Opened:
    """Open a table like this one with easier or stronger bots, or with bots of a level."""
    occupants: list[Occupant | None] = []
    for seat in range(len(next_seats)):
        sitter = table.seats[next_seats.index(seat)]
        if sitter is not None and sitter.player_id == me.id:
            occupants.append(sitter)
            continue
        level = None if sitter is None or sitter.bot is None else choose_level(sitter.bot, wish)
        if level is None:
            raise NotAllowed("There are no such bots: each of your opponents must be a bot with such a level.")
        occupants.append(await _make_occupant(services, f"bot:{level}", me))
    await services.limits.check("table", me.id)
    await services.quotas.check_tables(me)
    return _describe_opened(services, await services.table_service.open_table(table.setup, me, occupants))


# ---- replays


@router.get("/{table_id}/moments/{step}.svg", response_class=Response)
async def moment_picture(
    table_id: str, step: int, request: Request, services: ServicesDep, visitor: AnyVisitor
) -> Response:
    """Return a picture of the game after `step` steps, as SVG."""
    asker, work = await admit_reader(services, request, visitor), replay_tasks.moment_picture
    return svg_response(await services.replay_cache.table_moment(table_id, visitor.player, step, asker, work))


@router.get("/{table_id}/moments/{step}", response_model=MomentBody)
async def moment(
    table_id: str,
    step: int,
    request: Request,
    services: ServicesDep,
    visitor: AnyVisitor,
    known_layers: KnownLayers,
) -> Response:
    """Return the position after `step` steps, as far as you may see it."""
    asker = await admit_reader(services, request, visitor)
    work = partial(replay_tasks.moment_json, known_layers=known_layers)
    return raw_json_response(await services.replay_cache.table_moment(table_id, visitor.player, step, asker, work))


@router.get("/{table_id}/record", response_class=Response)
async def record(table_id: str, request: Request, services: ServicesDep, visitor: AnyVisitor) -> Response:
    """Return the game as a record file. Games with hidden information must be over."""
    asker = await admit_reader(services, request, visitor)
    return text_file_response(await services.replay_cache.table_record_text(table_id, asker), f"{table_id}.record")


@router.get("/{table_id}/fairness")
async def fairness(table_id: str, request: Request, services: ServicesDep, visitor: AnyVisitor) -> dict[str, Any]:
    """Return the proof that dice and shuffles match the hash published before the game."""
    return await services.replay_cache.table_fairness(table_id, await admit_reader(services, request, visitor))


# ---- shared by all actions


async def _act(
    services: Services,
    table_id: str,
    me: Player,
    act: Callable[[Table], list[EventDraft]],
    key: str | None = None,
    *,
    pictures: bool = False,
) -> Response:
    """Perform an action and return the new scene."""
    return (await _reply_to_action(services, table_id, me, act, key, pictures=pictures)).response()


async def _reply_to_action(
    services: Services,
    table_id: str,
    me: Player,
    act: Callable[[Table], list[EventDraft]],
    key: str | None = None,
    *,
    pictures: bool = False,
) -> Reply:
    """Perform an action and return the new scene; a refusal includes the current scene to keep clients in sync."""
    try:
        table = await services.table_service.act(table_id, act, me.id, key)
    except RealmtableError as error:
        live = services.table_service.live.get(table_id)
        if live is None:
            raise
        services.metrics.count_refusal(error.code)
        problem = to_problem(add_table_context(error, live.table.setup.game, _version_for(live.table, me)))
        scene = await services.table_service.scene(table_id, me, pictures=pictures)
        return Reply(orjson.dumps(problem.body() | {"scene": scene}), problem.status, problem.headers)
    live = await services.table_service.find(table.id)
    _, data = await services.table_service.scenes.scene_bytes(live, live.table.seats_of(me.id), pictures=pictures)
    return Reply(data)
