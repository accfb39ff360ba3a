"""The pages about people: profiles, and the page with all live games."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any, Final, NamedTuple

from fastapi import APIRouter, Query, Request, Response
from pydantic import StringConstraints

from realmtable.engine import registry
from realmtable.search.bot_levels import levels
from realmtable.server.accounts import ratings
from realmtable.server.accounts.accounts import Player
from realmtable.server.api import people
from realmtable.server.api.shared import Services, ServicesDep, admit_reader, asker_of, layer_response
from realmtable.server.errors import NotFound
from realmtable.server.site.pages import Theme, theme_or_auto
from realmtable.server.site.rating_graph import RatingGraph, draw_graph
from realmtable.server.site.static_files import make_response
from realmtable.server.site.templates import fragment, page, theme_of
from realmtable.server.site.visitor import PageVisitor
from realmtable.server.study.player_statistics import Statistics, Tally
from realmtable.server.tables.live.board_pictures import KEY_LENGTH
from realmtable.server.tables.lobby import Entry
from realmtable.server.tables.scenes.scene import display_name

GAMES_PER_PAGE: Final = 20
MAX_IN_VIEW: Final = 12  # tables whose pictures one request updates
FIRST_IN_VIEW: Final = 6  # tables whose pictures a new page has

TableId = Annotated[str, StringConstraints(min_length=1, max_length=32)]
PictureKey = Annotated[str, StringConstraints(pattern=rf"^[0-9a-f]{{{KEY_LENGTH}}}$")]

router = APIRouter(include_in_schema=False)


# ---- profiles


class GameRating(NamedTuple):
    """A player's rating in a game, with its graph."""

    game: str
    title: str
    rating: ratings.DisplayRating
    graph: RatingGraph | None


class ResultRow(NamedTuple):
    """The results in a game or against an opponent."""

    label: str
    url: str
    tally: Tally


@router.get("/players/{player_id}")
async def profile(
    request: Request,
    services: ServicesDep,
    visitor: PageVisitor,
    player_id: str,
    before: Annotated[float | None, Query(allow_inf_nan=False)] = None,
    *,
    as_others: bool = False,
) -> Response:
    """Show a player's statistics, ratings and games; only their own profile includes unlisted games."""
    viewer = None if as_others else visitor.player
    player, statistics = await people.load_profile(services, request, viewer, player_id)
    is_me = visitor.player is not None and visitor.player.id == player.id
    own = is_me and not as_others
    rows = await services.store.list_tables_of(player.id, GAMES_PER_PAGE, before, listed_only=not own)
    games = await services.lobby.make_entries(rows, viewer)
    context: dict[str, Any] = {
        "player": player,
        "name": display_name(player),
        "is_me": is_me,
        "own": own,
        "about": next((level.help for level in levels() if level.name == player.name and player.kind == "bot"), ""),
        "statistics": statistics,
        "total": add_tallies(statistics),
        "results": [
            ResultRow(title, f"/play/{game}", tally)
            for game, tally in statistics.games.items()
            if (title := _title(game))
        ],
        "ratings": await _list_ratings(services, player, statistics),
        "opponents": await _list_opponents(services, statistics),
        "games": games,
        "private": {row.id for row in rows if not row.listed},
        "older": rows[-1].summary.updated_at if len(rows) == GAMES_PER_PAGE else None,
        "paged": before is not None,
    }
    return page(request, visitor, "player.html", **context)


def add_tallies(statistics: Statistics) -> Tally:
    """Return the results of all games together."""
    tallies = statistics.games.values()
    return Tally(
        sum(tally.played for tally in tallies),
        sum(tally.won for tally in tallies),
        sum(tally.drawn for tally in tallies),
    )


def _title(game: str) -> str:
    """Return the title of a game; empty if the game no longer exists."""
    return next((info.title for info in registry.infos() if info.id == game), "")


async def _list_ratings(services: Services, player: Player, statistics: Statistics) -> list[GameRating]:
    rated = await ratings.ratings_by_game(services.database, player.id)
    return [
        GameRating(game, title, rating, draw_graph(statistics.histories.get(game, ())))
        for game, rating in rated.items()
        if (title := _title(game))
    ]


async def _list_opponents(services: Services, statistics: Statistics) -> list[ResultRow]:
    players = await services.accounts.players(statistics.opponents)
    return [
        ResultRow(display_name(players[other]), f"/players/{other}", tally)
        for other, tally in statistics.opponents.items()
        if other in players
    ]


# ---- live games


@router.get("/watch")
async def watch(request: Request, services: ServicesDep, visitor: PageVisitor) -> Response:
    """Show all live games with small boards."""
    await services.limits.check("watch", asker_of(services, request, visitor.player).key)
    entries = await services.lobby.list_live()
    cards = await _make_cards(services, entries, [entry["table"] for entry in entries[:FIRST_IN_VIEW]])
    return page(request, visitor, "watch.html", cards=cards)


@router.get("/watch/list")
async def watch_list(
    request: Request,
    services: ServicesDep,
    visitor: PageVisitor,
    in_view: Annotated[list[TableId], Query(max_length=MAX_IN_VIEW)] = [],  # noqa: B006 - FastAPI copies it
) -> Response:
    """Return only the live games, with new pictures of the tables in view, for the page's script."""
    await services.limits.check("watch", asker_of(services, request, visitor.player).key)
    cards = await _make_cards(services, await services.lobby.list_live(), in_view)
    html = fragment("watch_list.html", cards=cards, theme=theme_of(request))
    response = make_response(request, html.encode(), "text/html; charset=utf-8")
    response.headers["cache-control"] = "no-store"
    return response


async def _make_cards(services: Services, entries: Sequence[Entry], in_view: Sequence[str]) -> list[dict[str, Any]]:
    """Return the entries with the keys of their pictures and the numbers of spectators."""
    cards = []
    for entry in entries:
        table_id, key = entry["table"], None
        with suppress(NotFound):  # deleted a moment ago
            pictures = services.board_pictures
            key = await pictures.current_key(table_id) if table_id in in_view else pictures.known_key(table_id)
        live = services.table_service.live.get(table_id)
        watching = 0 if live is None else services.table_service.presence.count_spectators(live) or 0
        cards.append({**entry, "key": key, "watching": watching})
    return cards


@router.get("/watch/{table_id}/{key}.svg")
async def watched_board(
    request: Request,
    services: ServicesDep,
    visitor: PageVisitor,
    table_id: TableId,
    key: PictureKey,
    theme: Theme = "auto",
) -> Response:
    """Return a listed table's board as spectators see it."""
    await admit_reader(services, request, visitor)
    svg = await services.board_pictures.load(table_id, key, theme_or_auto(theme))
    return layer_response(request, svg, private=False)
