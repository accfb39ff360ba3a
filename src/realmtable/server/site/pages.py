"""The routes of the web pages; they know no particular game.

Two pages are drawn by scripts from JSON inside the page: ``table.html`` from `scene` (see
`server.tables.scenes.scene`) and ``replay.html`` from `replay` (see `server.tables.replays.replay_views`).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any, Final

import orjson
from fastapi import APIRouter, FastAPI, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import AfterValidator
from starlette.exceptions import HTTPException

from realmtable.analysis.game_analysis import can_analyse, has_analysis_board
from realmtable.engine import registry
from realmtable.engine.errors import RealmtableError
from realmtable.engine.protocol import GameInfo, HasCardGallery
from realmtable.search.bot_levels import FIRST_LEVEL, levels
from realmtable.server.accounts.ratings import check_may_play_rated
from realmtable.server.api.responses import SVG_POLICY
from realmtable.server.error_responses import refuse_request
from realmtable.server.errors import NotAllowed, NotFound, RateLimited
from realmtable.server.request_bounds import BoundedRoute, charge_weight, declare_bounds
from realmtable.server.site import (
    game_pictures,
    game_summary,
    invitations,
    rules_rendering,
    setup_choices,
    study_pages,
)
from realmtable.server.site.api_reference import group_operations
from realmtable.server.site.static_files import make_response
from realmtable.server.site.templates import (
    THEMES,
    Visit,
    VisitDep,
    error_page,
    fragment,
    identify_visitor,
    waiting_games,
    waits_for_viewer,
)
from realmtable.server.study import lessons
from realmtable.server.tables.replays import replay_views

SVG: Final = "image/svg+xml"
LABELS: Final = re.compile(r' (?:aria-[a-z]+|role|tabindex)="[^"]*"')
CACHE_A_DAY: Final = "public, max-age=86400"
OPENAPI_PATH: Final = "/api/openapi.json"
NOT_FOUND_WEIGHT: Final = 5
MAX_OWN_GAMES: Final = 6  # in the lobby; another page lists all
MAX_LISTED: Final = 10  # tables in each list of the lobby

router = APIRouter(route_class=BoundedRoute, include_in_schema=False)


def install(app: FastAPI) -> None:
    """Add the error pages to an application."""
    app.state.error_page = error_page
    default_handler = app.exception_handlers[HTTPException]

    async def handle_not_found(request: Request, error: Exception) -> Response:
        """Charge the request, and identify the visitor before the 404 page is rendered, so that it shows their name."""
        try:
            await charge_weight(request, NOT_FOUND_WEIGHT)
            await identify_visitor(request)
        except RateLimited as refusal:
            return refuse_request(request, refusal)
        except RealmtableError:
            pass  # a stranger
        response: Response = await default_handler(request, error)  # type: ignore[misc]  # ours is asynchronous
        return response

    app.add_exception_handler(HTTPStatus.NOT_FOUND, handle_not_found)


def _known_theme(theme: str) -> str:
    return theme if theme in THEMES else "auto"


Theme = Annotated[str, Query(max_length=10), AfterValidator(_known_theme)]
Position = Annotated[str, Query(max_length=20_000)]


# ---- the lobby


@router.get("/")
@declare_bounds(10)
async def lobby(visit: VisitDep) -> Response:
    """Show the games, open seats and running games."""
    lists = await _lobby_lists(visit)
    games = games_in_order()
    taught = {info.id for info in games if lessons.has_lesson(info.id)}
    return visit.page("lobby.html", games=games, lessons=taught, seat_range=seat_range, **lists)


@router.get("/lobby/lists")
@declare_bounds(10)
async def lobby_lists(visit: VisitDep) -> Response:
    """Return only the parts of the lobby that change, for its script."""
    lists = await _lobby_lists(visit)
    html = fragment("lobby_own_games.html", waiting=waiting_games(visit.request), **lists)
    html += fragment("lobby_lists.html", **lists)
    response = make_response(visit.request, html.encode(), "text/html; charset=utf-8")
    response.headers["cache-control"] = "no-store"
    return response


async def _lobby_lists(visit: Visit) -> dict[str, Any]:
    mine = [] if visit.player is None else await visit.services.lobby.list_tables_of(visit.player)
    running = [entry for entry in mine if entry["status"] in {"open", "running"}]
    shown = {entry["table"] for entry in running}
    lists = await visit.services.lobby.list_open_and_running()
    others = {name: [entry for entry in entries if entry["table"] not in shown] for name, entries in lists.items()}
    return {"mine": running[:MAX_OWN_GAMES], "shown": MAX_LISTED, **others}


def games_in_order() -> list[GameInfo]:
    """Return the games in display order."""
    return sorted(registry.infos(), key=lambda info: (not info.presentation.featured, info.title))


def seat_range(info: GameInfo) -> str:
    """Describe the player counts of a game."""
    return "For one player." if info.seats == (1,) else f"{info.players}."


@router.get("/games/{game}.svg")
@declare_bounds(5, runs_in="thread")
async def game_picture(request: Request, game: str, theme: Theme = "auto") -> Response:
    """Return a picture of a game in progress."""
    drawn = await asyncio.to_thread(game_pictures.image, registry.info(game).id, theme)
    return cacheable_svg(request, drawn)


@router.get("/games/{game}/presets/{preset}.svg")
@declare_bounds(5, runs_in="thread")
async def preset_picture(request: Request, game: str, preset: str, theme: Theme = "auto") -> Response:
    """Return a picture of the beginning of a game with a preset."""
    if preset not in registry.info(game).presets:
        raise NotFound("This game has no such preset.")
    drawn = await asyncio.to_thread(game_pictures.preset_picture, game, preset, theme)
    return cacheable_svg(request, drawn)


def cacheable_svg(request: Request, picture: str) -> Response:
    """Return a picture for an <img>, which browsers may cache for a day.

    The page's text describes it; the labels of its parts, a sixth of its size, would reach no one.
    """
    response = make_response(request, LABELS.sub("", picture).encode(), SVG)
    response.headers["cache-control"] = CACHE_A_DAY
    response.headers["content-security-policy"] = SVG_POLICY
    return response


# ---- set-up, tables and replays


@router.get("/play/{game}")
@declare_bounds(10)
async def set_up(
    visit: VisitDep, game: str, position: Position = "", against: Annotated[str, Query(max_length=10)] = ""
) -> Response:
    """Show the form that opens a table; `against` may be "link", for a friend."""
    info, player, store = registry.info(game), visit.player, visit.services.store
    suggested = info.suggested_preset
    if info.presentation.first_preset and player is not None and await store.has_finished(player.id, game):
        suggested = info.default_preset
    bots, counts, presets = levels(info), sorted(info.seats), setup_choices.presets(game, suggested)
    is_challenge = against == "link"
    default_count = setup_choices.count_to_suggest(presets, counts, alone_with_friend=is_challenge)
    return visit.page(
        "setup.html",
        game=info,
        counts=counts,
        default_count=default_count,
        bots=bots,
        default_bot=FIRST_LEVEL,
        clocks=setup_choices.clock_choices(),
        custom_clocks=setup_choices.custom_clocks(),
        clock_bounds=setup_choices.CLOCK_BOUNDS,
        presets=presets,
        suggested=suggested,
        first_preset=setup_choices.preset_for(presets, default_count),
        first_presets=setup_choices.count_shown(presets),
        options=info.options(),
        position=position,
        is_challenge=is_challenge,
        not_rated=await _why_not_rated(visit),
    )


async def _why_not_rated(visit: Visit) -> str:
    """Return why a visitor may not play rated games; empty if they may."""
    if visit.player is None:
        return "Rated games are for members only."
    try:
        now = visit.services.table_service.now()
        await check_may_play_rated(visit.services.database, visit.services.settings, visit.player, now)
    except NotAllowed as error:
        return str(error)
    return ""


@router.get("/tables/{table_id}")
@declare_bounds(10)
async def table(visit: VisitDep, table_id: str, *, watch: bool = False) -> Response:
    """Show a table with its board, players and log, or an invitation to those who may take a seat."""
    services = visit.services
    found = await services.table_service.table(table_id)
    if not watch and invitations.is_invitation(found, visit.player):
        return await invitations.invitation_page(visit, found)
    scene = await services.table_service.scene(table_id, visit.player, pictures=True)
    info = registry.info(scene["game"])
    context: dict[str, Any] = {
        "picture": _join(scene["picture"]),
        "panels": [
            {**panel, "svg": _join(scene["panel_parts"], f"{name}/")} for name, panel in scene["panels"].items()
        ],
        "first_move": next((move for group in scene["choices"].values() for move in group["moves"]), ""),
        "listed": found.setup.listed,
        "muted": [] if visit.player is None else await services.mutes.list_muted(visit.player.id),
        "levels": levels(info),
        "can_study": can_analyse(info),
        "has_secrets": info.hidden,
        "qr_code": invitations.qr_code(services.settings.public_url + scene["invite"])
        if "leave" in scene["can"]
        else "",
        "link_preview": await invitations.preview_table(services, found),
        # The game on the page needs no badge.
        "waiting": max(0, waiting_games(visit.request) - waits_for_viewer(scene)),
    }
    return visit.page("table.html", scene=scene, **context)


def _join(parts: Mapping[str, Mapping[str, Any]], prefix: str = "") -> str:
    """Return a picture from its parts in a scene, those whose keys begin with a prefix."""
    return "".join([part["svg"] for key, part in parts.items() if key.startswith(prefix)])


@router.get("/tables/{table_id}/replay")
@declare_bounds(20, runs_in="worker")
async def table_replay(visit: VisitDep, table_id: str) -> Response:
    """Show the replay of a table's game."""
    services = visit.services
    replay = await services.replay_cache.table_replay(table_id, visit.player, visit.requester)
    preview = await invitations.preview_table(services, await services.table_service.table(table_id), path="/replay")
    context = await study_pages.replay_context(services, replay, f"table:{table_id}")
    return visit.page("replay.html", replay=replay, link_preview=preview, **context)


@router.get("/records")
@declare_bounds(5)
async def records(visit: VisitDep) -> Response:
    """Show the form that imports a record."""
    game = games_in_order()[0]
    context = {"example": f"Game: {game.id}\n\n1. …", "game_id": game.id}
    return await visit.shared_page("import_record.html", (), lambda: context)


@router.get("/records/{record_id}")
@declare_bounds(20, runs_in="worker")
async def record(visit: VisitDep, record_id: str) -> Response:
    """Show the replay of an imported record."""
    replay = (await visit.services.replay_cache.load_record(record_id, visit.requester)).page
    preview = invitations.preview_record(visit.services, record_id, replay)
    context = await study_pages.replay_context(visit.services, replay, f"record:{record_id}")
    return visit.page("replay.html", replay=replay, link_preview=preview, **context)


@router.get("/positions/{game}")
@declare_bounds(20, runs_in="worker")
async def position(visit: VisitDep, game: str, p: Position = "") -> Response:
    """Show a position to explore."""
    game = registry.info(game).id
    replay = await visit.services.replay_pool.run(visit.requester, 1, replay_views.position_replay, game, p or None)
    return visit.page("replay.html", replay=replay, **await study_pages.replay_context(None, replay))


# ---- rules and lessons


@router.get("/rules")
@declare_bounds(5)
async def rules_index(visit: VisitDep) -> Response:
    """List the games with links to their rules."""
    return await visit.shared_page("rules_index.html", (), lambda: {"games": games_in_order()})


@router.get("/rules/{game}")
@declare_bounds(5)
async def rules(visit: VisitDep, game: str) -> Response:
    """Show the rules of a game."""
    return await visit.shared_page("rules.html", (game,), partial(_describe_rules, registry.info(game)))


def _describe_rules(info: GameInfo) -> dict[str, Any]:
    return {
        "game": info,
        "rules": rules_rendering.rules(info.id),
        "summary": game_summary.game_summary(info.id),
        "options": info.options(),
        "presets": setup_choices.presets(info.id),
        "has_board": has_analysis_board(info),
        "has_lesson": lessons.has_lesson(info.id),
        "has_gallery": isinstance(registry.game(info.id), HasCardGallery),
    }


@router.get("/rules/{game}/{number}.svg")
@declare_bounds(5, runs_in="thread")
async def rules_figure(request: Request, game: str, number: int, theme: Theme = "auto") -> Response:
    """Return the picture of an example in the rules."""
    drawn = await asyncio.to_thread(rules_rendering.figure_picture, registry.info(game).id, number, theme)
    if drawn is None:
        raise NotFound("The rules have no such example.")
    return cacheable_svg(request, drawn)


@router.get("/rules/{game}/summary/{number}.svg")
@declare_bounds(5, runs_in="thread")
async def summary_picture(request: Request, game: str, number: int, theme: Theme = "auto") -> Response:
    """Return a board of a game's summary."""
    drawn = await asyncio.to_thread(game_summary.summary_picture, registry.info(game).id, number, theme)
    if drawn is None:
        raise NotFound("The summary has no such picture.")
    return cacheable_svg(request, drawn)


@router.get("/rules/{game}/cards")
@declare_bounds(5)
async def card_gallery(visit: VisitDep, game: str) -> Response:
    """Show all cards of a game."""
    found = registry.game(game)
    if not isinstance(found, HasCardGallery):
        raise NotFound(f"{found.info.title} has no card gallery; its rules are at /rules/{game}.")
    return await visit.shared_page(
        "card_gallery.html", (game,), lambda: {"game": found.info, "gallery": found.gallery()}
    )


@router.get("/tour")
@router.get("/learn")
@declare_bounds(1)
async def first_lesson() -> Response:
    """Redirect to the lesson of the first game."""
    return RedirectResponse(f"/learn/{games_in_order()[0].id}", 303)


@router.get("/learn/{game}")
@router.get("/learn/{game}/{number}")
@declare_bounds(5)
async def lesson_page(visit: VisitDep, game: str, number: str = str(lessons.FIRST)) -> Response:
    """Show a lesson of a game with its first board."""
    lesson = await asyncio.to_thread(lessons.find_lesson, game, lessons.read_number(number))
    return await visit.shared_page("lesson.html", (game, lesson.number), partial(_describe_lesson, game, lesson))


def _describe_lesson(game: str, lesson: lessons.Lesson) -> dict[str, Any]:
    start = lessons.practise(game, 0, (), lesson=lesson.number)
    shown = ("title", "text", "done", "marks", "later")
    steps = [{name: getattr(step, name) for name in shown} for step in lesson.steps]
    data = {
        "game": game,
        "number": lesson.number,
        "steps": steps,
        "bots": lesson.bots,
        "preset": lesson.preset,
        "start": start,
    }
    return {
        "lesson": data,
        "lesson_title": lesson.title,
        "following": lessons.next_lesson(lesson),
        "game": registry.info(game),
    }


# ---- API


@router.get("/api")
@declare_bounds(5)
async def api_reference(visit: VisitDep) -> Response:
    """Show the API reference."""
    address, first = visit.services.settings.public_url, games_in_order()[0]

    def describe() -> dict[str, Any]:
        return {
            "groups": group_operations(visit.request.app.openapi()),
            "address": address,
            "first": first,
            "seats": ["me", *[f"bot:{levels()[0].name}"] * (min(first.seats) - 1)],
            "openapi_url": OPENAPI_PATH,
        }

    return await visit.shared_page("api_reference.html", (address,), describe)


@router.get(OPENAPI_PATH)
@declare_bounds(3)
async def openapi_schema(request: Request) -> Response:
    """Return the schema of the API."""
    schema = request.app.openapi()  # FastAPI keeps it
    if not hasattr(request.app.state, "openapi_json"):
        request.app.state.openapi_json = await asyncio.to_thread(orjson.dumps, schema)
    return make_response(request, request.app.state.openapi_json, "application/json")
