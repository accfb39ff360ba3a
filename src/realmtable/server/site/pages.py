"""Every page of the browser table. What a page shows comes from the games' own facts and the server's rooms.

Two pages belong to the board scripts and get their data as JSON in the page: ``table.html`` has `scene` (see
`realmtable.server.tables.scene`), ``replay.html`` has `replay` (see `realmtable.server.tables.moments`).
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from http import HTTPStatus
from typing import Annotated, Any, Final, NamedTuple

from fastapi import APIRouter, FastAPI, Query, Request, Response
from fastapi.responses import RedirectResponse
from starlette.exceptions import HTTPException

from realmtable.engine import registry
from realmtable.engine.errors import RealmtableError
from realmtable.engine.protocol import GameInfo
from realmtable.search.analysis import can_analyse
from realmtable.search.bots import bot_name, levels
from realmtable.server.accounts.sessions import Visitor
from realmtable.server.api import accounts
from realmtable.server.api.shared import SVG_POLICY, Services, ServicesDep, admit_reader
from realmtable.server.errors import NotFound
from realmtable.server.site import game_pictures, rules_page, setup_page, static_files, study_pages, tour
from realmtable.server.site.api_reference import group_operations
from realmtable.server.site.static_files import make_response
from realmtable.server.site.templates import NO_VISITOR, THEMES, error_page, fragment, page
from realmtable.server.site.visitor import PageVisitor, page_visitor
from realmtable.server.tables import moments
from realmtable.server.tables.lobby import Entry

SVG: Final = "image/svg+xml"
CACHE_A_DAY: Final = "public, max-age=86400"
MAX_OWN_GAMES: Final = 6  # in the lobby; the account page has them all
MAX_LISTED: Final = 10  # tables in each list of the lobby
GAMES_PER_PAGE: Final = 50  # as many as the lobby gives at a time
HALFWAY: Final = 2

router = APIRouter(include_in_schema=False)
router.include_router(static_files.router)
router.include_router(study_pages.router)


def install(app: FastAPI) -> None:
    """Give an application its pages, those of refusals included."""
    app.include_router(router)
    app.state.error_page = error_page
    usual = app.exception_handlers[HTTPException]

    async def handle_not_found(request: Request, error: Exception) -> Response:
        """An address that no page has was looked at by somebody, too."""
        with suppress(RealmtableError):
            await page_visitor(request)
        answer: Response = await usual(request, error)  # type: ignore[misc]  # ours is asynchronous
        return answer

    app.add_exception_handler(HTTPStatus.NOT_FOUND, handle_not_found)


Theme = Annotated[str, Query(max_length=10)]
Position = Annotated[str, Query(max_length=20_000)]


# ---- the lobby


@router.get("/")
async def lobby(request: Request, services: ServicesDep, who: PageVisitor) -> Response:
    """The games, open seats and running games."""
    lists = await _lobby_lists(services, who)
    return page(request, who, "lobby.html", games=games_in_order(), seat_range=seat_range, **lists)


@router.get("/lobby/lists")
async def lobby_lists(request: Request, services: ServicesDep, who: PageVisitor) -> Response:
    """The live parts of the lobby alone."""
    lists = await _lobby_lists(services, who)
    html = fragment("your_games.html", **lists) + fragment("lobby_lists.html", **lists)
    response = make_response(request, html.encode(), "text/html; charset=utf-8")
    response.headers["cache-control"] = "no-store"
    return response


async def _lobby_lists(services: Services, who: Visitor) -> dict[str, Any]:
    mine = [] if who.player is None else await services.lobby.list_tables_of(who.player)
    running = [entry for entry in mine if entry["status"] in {"open", "running"}]
    shown = {entry["table"] for entry in running}
    lists = await services.lobby.list_open_and_running()
    others = {name: [entry for entry in found if entry["table"] not in shown] for name, found in lists.items()}
    return {"mine": running[:MAX_OWN_GAMES], "shown": MAX_LISTED, **others}


def games_in_order() -> list[GameInfo]:
    """The games as they are shown: those with a tour first, since newcomers look there."""
    return sorted(registry.infos(), key=lambda info: (not tour.has_tour(info.id), info.title))


def seat_range(info: GameInfo) -> str:
    """For how many a game is, in words."""
    return "For one player." if info.seats == (1,) else f"{info.players} players."


@router.get("/games/{game}.svg")
async def game_picture(request: Request, game: str, theme: Theme = "auto") -> Response:
    """A game in play."""
    drawn = await asyncio.to_thread(game_pictures.picture, registry.info(game).id, theme_or_auto(theme))
    return cacheable_svg(request, drawn)


def theme_or_auto(theme: str) -> str:
    """The colours of this name; those of the system where there are none."""
    return theme if theme in THEMES else "auto"


def cacheable_svg(request: Request, picture: str) -> Response:
    """A picture that browsers may keep for a day."""
    response = make_response(request, picture.encode(), SVG)
    response.headers["cache-control"] = CACHE_A_DAY
    response.headers["content-security-policy"] = SVG_POLICY
    return response


# ---- setting a table up, playing, looking back


@router.get("/play/{game}")
async def set_up(request: Request, who: PageVisitor, game: str, position: Position = "") -> Response:
    """How to play a game: against whom, on which seat, by which rules."""
    info = registry.info(game)
    bots, counts = levels(), setup_page.seat_counts(info)
    return page(
        request,
        who,
        "setup.html",
        game=info,
        counts=counts,
        default_count=counts[0] if counts[0] > 1 or len(counts) == 1 else counts[1],
        bots=bots,
        default_bot=bots[len(bots) // HALFWAY].name,
        clocks=setup_page.clock_choices(),
        presets=setup_page.presets(game),
        options=info.options(),
        position=position,
    )


@router.get("/tables/{table_id}")
async def table(request: Request, services: ServicesDep, who: PageVisitor, table_id: str) -> Response:
    """A table: the board, the players, the log."""
    scene = await services.table_service.scene(table_id, who.player, pictures=True)
    return page(request, who, "table.html", scene=scene)


@router.get("/tables/{table_id}/replay")
async def table_replay(request: Request, services: ServicesDep, who: PageVisitor, table_id: str) -> Response:
    """A game to step through."""
    replay = await services.record_cache.table_replay(table_id, who.player, await admit_reader(services, request, who))
    return page(
        request,
        who,
        "replay.html",
        replay=replay,
        **await study_pages.replay_context(services, replay, f"table:{table_id}"),
    )


@router.get("/records")
async def records(request: Request, who: PageVisitor) -> Response:
    """Where a record is imported."""
    game = games_in_order()[0]
    example = f"Game: {game.id}\n\n1. …"
    return page(request, who, "import_record.html", example=example, game_id=game.id)


@router.get("/records/{record_id}")
async def record(request: Request, services: ServicesDep, who: PageVisitor, record_id: str) -> Response:
    """An imported record to step through."""
    replay = (await services.record_cache.load_record(record_id, await admit_reader(services, request, who))).page
    return page(
        request,
        who,
        "replay.html",
        replay=replay,
        **await study_pages.replay_context(services, replay, f"record:{record_id}"),
    )


@router.get("/positions/{game}")
async def position(request: Request, services: ServicesDep, who: PageVisitor, game: str, p: Position = "") -> Response:
    """A single position to try things out in."""
    asker, info = await admit_reader(services, request, who), registry.info(game)
    replay = await services.replay_pool.run(asker, 1, moments.position_replay, info.id, p or None)
    return page(request, who, "replay.html", replay=replay, **await study_pages.replay_context(None, replay))


# ---- rules and tour


@router.get("/rules")
async def rules_index(request: Request, who: PageVisitor) -> Response:
    """The games whose rules can be read."""
    return page(request, who, "rules_index.html", games=games_in_order())


@router.get("/rules/{game}")
async def rules(request: Request, who: PageVisitor, game: str) -> Response:
    """The rules of a game."""
    info = registry.info(game)
    found = await asyncio.to_thread(rules_page.rules, game)
    context: dict[str, Any] = {"game": info, "rules": found, "options": info.options(), "can_study": can_analyse(info)}
    presets, has_tour = setup_page.presets(game), tour.has_tour(game)
    return page(request, who, "rules.html", presets=presets, has_tour=has_tour, **context)


@router.get("/rules/{game}/{number}.svg")
async def rules_figure(request: Request, game: str, number: int, theme: Theme = "auto") -> Response:
    """A drawn example of the rules."""
    drawn = await asyncio.to_thread(rules_page.figure_picture, registry.info(game).id, number, theme_or_auto(theme))
    if drawn is None:
        raise NotFound("The rules have no such example.")
    return cacheable_svg(request, drawn)


@router.get("/tour")
async def first_tour() -> Response:
    """The tour of the first game that brings one."""
    return RedirectResponse(f"/tour/{games_in_order()[0].id}", 303)


@router.get("/tour/{game}")
async def tour_page(request: Request, who: PageVisitor, game: str) -> Response:
    """The tour of a game, its first board drawn."""
    info = registry.info(game)
    steps = await asyncio.to_thread(tour.steps, game)
    if not steps:
        raise NotFound(f"{info.title} has no tour; its rules are at /rules/{game}.")
    moment = await asyncio.to_thread(moments.explore, game, steps[0].position, ())
    return page(request, who, "tour.html", game=info, steps=[step._asdict() for step in steps], moment=moment)


# ---- people


class RatingRow(NamedTuple):
    """A rating in a list, with its error bar on a scale of 0 to 100."""

    name: str
    url: str
    rating: accounts.RatingData
    bar: tuple[float, float, float] = (0, 50, 100)  # low end, guess, high end


def add_bars(rows: list[RatingRow]) -> list[RatingRow]:
    """The rows on one common scale, so that their bars can be compared."""
    low = min((row.rating.value - row.rating.plus_minus for row in rows), default=0)
    high = max((row.rating.value + row.rating.plus_minus for row in rows), default=1)
    scale = 100 / max(1, high - low)

    def bar(value: int, plus_minus: int) -> tuple[float, float, float]:
        return tuple(round((end - low) * scale, 1) for end in (value - plus_minus, value, value + plus_minus))  # type: ignore[return-value]

    return [row._replace(bar=bar(row.rating.value, row.rating.plus_minus)) for row in rows]


@router.get("/account")
async def account(
    request: Request,
    services: ServicesDep,
    who: PageVisitor,
    before: Annotated[float | None, Query(allow_inf_nan=False)] = None,
) -> Response:
    """One's own name, devices, tokens and games."""
    me = who.player
    games = [] if me is None else await services.lobby.list_tables_of(me, before)
    tokens = [] if me is None else await services.accounts.list_tokens(me)
    fresh = who.session is not None and await services.accounts.is_fresh(who.session)
    shown: dict[str, Any] = {"games": games, "older": next_page_before(games), "paged": before is not None}
    return page(request, who, "account.html", tokens=tokens, fresh=fresh, **shown)


def next_page_before(games: list[Entry]) -> float | None:
    """The moment before which the next page of games begins; None where this page holds the last of them."""
    return min(entry["updated_at"] for entry in games) if len(games) >= GAMES_PER_PAGE else None


@router.get("/players/{player_id}")
async def player_page(request: Request, who: PageVisitor, player_id: str) -> Response:
    """Somebody's ratings, and the games of theirs that the reader may see; of oneself what others see."""
    is_me = who.player is not None and who.player.id == player_id
    found = await accounts.player_page(player_id, request, NO_VISITOR if is_me else who)
    titles = {info.id: info.title for info in registry.infos()}
    rows = [
        RatingRow(titles[game], f"/ratings/{game}", rating) for game, rating in found.ratings.items() if game in titles
    ]
    context: dict[str, Any] = {"player": found.player, "name": display_name(found.player), "games": found.tables}
    return page(request, who, "player.html", rows=add_bars(rows), **context)


def display_name(player: accounts.PlayerData) -> str:
    """A player's name; a bot's as people know it."""
    return bot_name(player.name) if player.kind == "bot" else player.name


@router.get("/ratings")
async def ratings_index() -> Response:
    """The ratings of the first game."""
    return RedirectResponse(f"/ratings/{games_in_order()[0].id}", 303)


@router.get("/ratings/{game}")
async def ratings_page(request: Request, who: PageVisitor, game: str) -> Response:
    """The best at a game, with how sure that is."""
    info = registry.info(game)
    found = (await accounts.game_ratings(game, request)).leaders
    rows = [RatingRow(display_name(leader.player), f"/players/{leader.player.id}", leader.rating) for leader in found]
    return page(request, who, "ratings.html", game=info, games=games_in_order(), rows=add_bars(rows))


@router.get("/sign-in/{token}")
async def sign_in_link(request: Request, who: PageVisitor, token: str) -> Response:
    """A one-time link: it is used by the button, so that a program that only looks ahead does not use it up."""
    response = page(request, who, "signin_link.html", token=token[:200])
    response.headers["cache-control"] = "no-store"
    response.headers["referrer-policy"] = "no-referrer"
    return response


# ---- for programs


@router.get("/api")
async def api_reference(request: Request, services: ServicesDep, who: PageVisitor) -> Response:
    """The API for people who write programs."""
    schema = request.app.openapi()
    first = games_in_order()[0]
    seats = ["me", *[f"bot:{levels()[0].name}"] * (min(first.seats) - 1)]
    context: dict[str, Any] = {
        "groups": group_operations(schema),
        "address": services.settings.public_url,
        "first": first,
        "seats": seats,
    }
    return page(request, who, "api.html", openapi_url=request.app.openapi_url, **context)
