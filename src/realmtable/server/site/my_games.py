"""The page with the visitor's own games: what waits for them comes first."""

from __future__ import annotations

from typing import Annotated, Final, NamedTuple

from fastapi import APIRouter, Query, Request, Response

from realmtable.server.api.dependencies import ServicesDep
from realmtable.server.request_bounds import BoundedRoute, declare_bounds
from realmtable.server.site.templates import page
from realmtable.server.site.visitor import PageVisitor
from realmtable.server.tables.lobby import Entry
from realmtable.server.tables.scenes.headline import TWO_PLAYERS, describe_result
from realmtable.server.tables.table import Result

MAX_UNFINISHED: Final = 100
FINISHED_PER_PAGE: Final = 50

router = APIRouter(route_class=BoundedRoute, include_in_schema=False)


class Section(NamedTuple):
    """A list of games under a heading."""

    title: str
    games: list[Entry]


@router.get("/my-games")
@declare_bounds(10)
async def my_games(
    request: Request,
    services: ServicesDep,
    visitor: PageVisitor,
    before: Annotated[float | None, Query(allow_inf_nan=False)] = None,
) -> Response:
    """Show the visitor's games; `before` selects older finished ones."""
    me, lobby = visitor.player, services.lobby
    unfinished = [] if me is None or before else await lobby.list_tables_of(me, limit=MAX_UNFINISHED, over=False)
    finished = [] if me is None else await lobby.list_tables_of(me, before, limit=FINISHED_PER_PAGE, over=True)
    older = min(entry["updated_at"] for entry in finished) if len(finished) >= FINISHED_PER_PAGE else None
    described = [{**entry, "verdict": describe_end(entry)} for entry in finished]
    sections = [*split_unfinished(unfinished), Section("Finished", described)]
    return page(request, visitor, "my_games.html", sections=sections, older=older, paged=before is not None)


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
