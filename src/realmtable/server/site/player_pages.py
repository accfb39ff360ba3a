"""Profiles of players, and the list of one's own games."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Annotated, Any, Final, NamedTuple

from fastapi import APIRouter, Query, Response

from realmtable.engine import registry
from realmtable.search.bot_levels import levels
from realmtable.server.accounts import ratings
from realmtable.server.accounts.accounts import Player
from realmtable.server.accounts.ratings import RatingPoint
from realmtable.server.api import people
from realmtable.server.api.dependencies import Services
from realmtable.server.request_bounds import BoundedRoute, declare_bounds
from realmtable.server.site.templates import VisitDep
from realmtable.server.study.player_statistics import Statistics, Tally
from realmtable.server.tables.lobby import Entry
from realmtable.server.tables.scenes.headline import TWO_PLAYERS, describe_result
from realmtable.server.tables.scenes.scene import display_name
from realmtable.server.tables.table import Result

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
    visit: VisitDep,
    player_id: str,
    before: Annotated[float | None, Query(allow_inf_nan=False)] = None,
    *,
    as_others: bool = False,
) -> Response:
    """Show a player's statistics, ratings and games; only their own profile includes unlisted games."""
    viewer = None if as_others else visit.player
    player, statistics = await people.load_profile(visit.services, viewer, player_id)
    is_me = visit.player is not None and visit.player.id == player.id
    own = is_me and not as_others
    rows = await visit.services.store.list_tables_of(player.id, GAMES_PER_PAGE, before, listed_only=not own)
    games = await visit.services.lobby.make_entries(rows, viewer)
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
        "ratings": await _list_ratings(visit.services, player, statistics),
        "opponents": await _list_opponents(visit.services, statistics),
        "games": games,
        "private": {row.id for row in rows if not row.listed},
        "older": rows[-1].summary.updated_at if len(rows) == GAMES_PER_PAGE else None,
        "paged": before is not None,
    }
    return visit.page("player.html", **context)


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


SIZE: Final = 100
STEP: Final = 100  # between lines of the grid; doubled until they are few
MIN_MARGIN: Final = 50
MAX_TICKS: Final = 4
MIN_POINTS: Final = 2


class Tick(NamedTuple):
    """A horizontal line of the grid."""

    y: float
    value: int


class RatingGraph(NamedTuple):
    """The paths and labels of a graph."""

    line: str
    band: str
    ticks: list[Tick]
    first: str
    last: str


def draw_graph(points: Sequence[RatingPoint]) -> RatingGraph | None:
    """Return the graph of these ratings; None if there are too few for a line."""
    if len(points) < MIN_POINTS:
        return None
    # The wide error bars of the first games are cut off, or the line would be flat.
    margin = max(points[-1].plus_minus, MIN_MARGIN)
    low = min(point.value for point in points) - margin
    high = max(point.value for point in points) + margin
    begin, span = points[0].at, points[-1].at - points[0].at

    def x(index: int) -> float:
        part = (points[index].at - begin) / span if span > 0 else index / (len(points) - 1)
        return round(SIZE * part, 2)

    def y(value: float) -> float:
        return round(SIZE * (high - value) / (high - low), 2)

    line = [f"{x(index)} {y(point.value)}" for index, point in enumerate(points)]
    upper = [f"{x(index)} {y(point.value + point.plus_minus)}" for index, point in enumerate(points)]
    lower = [f"{x(index)} {y(point.value - point.plus_minus)}" for index, point in enumerate(points)]
    ticks = [Tick(y(value), value) for value in grid_values(low, high)]
    return RatingGraph(
        line="M" + "L".join(line),
        band="M" + "L".join([*upper, *reversed(lower)]) + "Z",
        ticks=ticks,
        first=format_day(points[0].at),
        last=format_day(points[-1].at),
    )


def grid_values(low: float, high: float) -> list[int]:
    """Return a few round values between two ratings, highest first.

    >>> grid_values(1310, 1690), grid_values(900, 2100)
    ([1600, 1500, 1400], [2000, 1600, 1200])
    """
    step = STEP
    while (high - low) / step > MAX_TICKS:
        step *= 2
    first = math.ceil(low / step)
    return [step * number for number in range(math.floor(high / step), first - 1, -1)]


def format_day(moment: float) -> str:
    """Format the day of a time.

    >>> format_day(0)
    '1 Jan 1970'
    """
    day = time.gmtime(moment)
    return f"{day.tm_mday} {time.strftime('%b %Y', day)}"


MAX_UNFINISHED: Final = 100
FINISHED_PER_PAGE: Final = 50


class Section(NamedTuple):
    """A list of games under a heading."""

    title: str
    games: list[Entry]


@router.get("/my-games")
@declare_bounds(10)
async def my_games(visit: VisitDep, before: Annotated[float | None, Query(allow_inf_nan=False)] = None) -> Response:
    """Show the visitor's games; `before` selects older finished ones."""
    me, lobby = visit.player, visit.services.lobby
    unfinished = [] if me is None or before else await lobby.list_tables_of(me, limit=MAX_UNFINISHED, over=False)
    finished = [] if me is None else await lobby.list_tables_of(me, before, limit=FINISHED_PER_PAGE, over=True)
    older = min(entry["updated_at"] for entry in finished) if len(finished) >= FINISHED_PER_PAGE else None
    described = [{**entry, "verdict": describe_end(entry)} for entry in finished]
    sections = [*split_unfinished(unfinished), Section("Finished", described)]
    return visit.page("my_games.html", sections=sections, older=older, paged=before is not None)


def split_unfinished(games: list[Entry]) -> list[Section]:
    """Return the unfinished games in sections: first those in which another person waits for the player."""
    with_people = [entry for entry in games if has_opponent(entry)]
    mine = [entry for entry in with_people if entry["your_turn"]]
    return [
        Section("Your turn", sorted(mine, key=lambda entry: entry["deadline"] or entry["updated_at"] * 2)),
        Section("Waiting for others", [entry for entry in with_people if not entry["your_turn"]]),
        Section("Against bots or solo", [entry for entry in games if not has_opponent(entry)]),
    ]


def describe_end(entry: Entry) -> str:
    """Return how a finished game ended, as the player on one of its seats reads it.

    >>> result = {"ranking": [2, 1], "scores": None, "reason": "resignation", "text": "White resigned; Black wins."}
    >>> entry = {"seats": [{"name": "White"}, {"name": "Black"}], "result": result}
    >>> [describe_end({**entry, "you": you}) for you in ([0], [1], [0, 1])]
    ['You lost (you resigned)', 'You won: White resigned.', 'White resigned; Black wins.']
    """
    facts, you = entry["result"], entry["you"]
    if facts is None:
        return "ended"
    result = Result(tuple(facts["ranking"]), facts["scores"], facts["reason"], facts["text"], facts.get("reached", ()))
    if len(you) != 1:
        return result.text
    if result.reason == "resignation" and len(result.ranking) == TWO_PLAYERS and result.ranking[you[0]] > 1:
        return "You lost (you resigned)"
    return describe_result(result, you[0], [seat["name"] for seat in entry["seats"]])


def has_opponent(entry: Entry) -> bool:
    """Whether another person plays, or is still to join."""
    seats = [seat for index, seat in enumerate(entry["seats"]) if index not in entry["you"]]
    return any(seat["bot"] is None for seat in seats)
