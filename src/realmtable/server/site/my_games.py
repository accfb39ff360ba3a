"""The page with the visitor's own games: what waits for them comes first."""

from __future__ import annotations

from typing import Annotated, Final, NamedTuple

from fastapi import APIRouter, Query, Request, Response

from realmtable.server.api.shared import ServicesDep
from realmtable.server.site.templates import page
from realmtable.server.site.visitor import PageVisitor
from realmtable.server.tables.lobby import Entry

MAX_UNFINISHED: Final = 100
FINISHED_PER_PAGE: Final = 50

router = APIRouter(include_in_schema=False)


class Section(NamedTuple):
    """A list of games under a heading."""

    title: str
    games: list[Entry]


@router.get("/my-games")
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
    sections = [*split_unfinished(unfinished), Section("Finished", finished)]
    return page(request, visitor, "my_games.html", sections=sections, older=older, paged=before is not None)


def split_unfinished(games: list[Entry]) -> list[Section]:
    """Return the unfinished games in sections: first those in which another person waits for the player."""
    with_people = [entry for entry in games if has_opponent(entry)]
    mine = [entry for entry in with_people if entry["your_turn"]]
    return [
        Section("Your turn", sorted(mine, key=lambda entry: entry["deadline"] or entry["updated_at"] * 2)),
        Section("Waiting for others", [entry for entry in with_people if not entry["your_turn"]]),
        Section("Against bots and alone", [entry for entry in games if not has_opponent(entry)]),
    ]


def has_opponent(entry: Entry) -> bool:
    """Whether another person plays, or is still to join."""
    seats = [seat for index, seat in enumerate(entry["seats"]) if index not in entry["you"]]
    return any(seat["bot"] is None for seat in seats)
