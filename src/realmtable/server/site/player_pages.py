"""Profiles of players."""

from __future__ import annotations

from typing import Annotated, Any, Final, NamedTuple

from fastapi import APIRouter, Query, Request, Response

from realmtable.engine import registry
from realmtable.search.bot_levels import levels
from realmtable.server.accounts import ratings
from realmtable.server.accounts.accounts import Player
from realmtable.server.api import people
from realmtable.server.api.dependencies import Services, ServicesDep
from realmtable.server.request_bounds import BoundedRoute, declare_bounds
from realmtable.server.site.rating_graph import RatingGraph, draw_graph
from realmtable.server.site.templates import page
from realmtable.server.site.visitor import PageVisitor
from realmtable.server.study.player_statistics import Statistics, Tally
from realmtable.server.tables.scenes.scene import display_name

GAMES_PER_PAGE: Final = 20

router = APIRouter(route_class=BoundedRoute, include_in_schema=False)


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
@declare_bounds(10)
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
    player, statistics = await people.load_profile(services, viewer, player_id)
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
