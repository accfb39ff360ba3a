"""The page with all live games, its updates, and the boards on it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request, Response
from pydantic import StringConstraints

from realmtable.server.api.dependencies import Services, ServicesDep
from realmtable.server.api.responses import layer_response
from realmtable.server.errors import NotFound
from realmtable.server.request_bounds import BoundedRoute, declare_bounds
from realmtable.server.site.pages import Theme
from realmtable.server.site.static_files import make_response
from realmtable.server.site.templates import VisitDep, fragment, theme_of
from realmtable.server.tables.live.board_pictures import KEY_LENGTH
from realmtable.server.tables.lobby import Entry

MAX_IN_VIEW: Final = 12  # tables whose pictures one request updates
FIRST_IN_VIEW: Final = 6  # tables whose pictures a new page has

TableId = Annotated[str, StringConstraints(min_length=1, max_length=32)]
PictureKey = Annotated[str, StringConstraints(pattern=rf"^[0-9a-f]{{{KEY_LENGTH}}}$")]

router = APIRouter(route_class=BoundedRoute, include_in_schema=False)


@router.get("/watch")
@declare_bounds(10)
async def watch(visit: VisitDep) -> Response:
    """Show all live games with small boards."""
    entries = await visit.services.lobby.list_live()
    cards = await _make_cards(visit.services, entries, [entry["table"] for entry in entries[:FIRST_IN_VIEW]])
    return visit.page("watch.html", cards=cards)


@router.get("/watch/list")
@declare_bounds(10)
async def watch_list(
    request: Request,
    services: ServicesDep,
    in_view: Annotated[list[TableId], Query(max_length=MAX_IN_VIEW)] = [],  # noqa: B006 - FastAPI copies it
) -> Response:
    """Return only the live games, with new pictures of the tables in view, for the page's script."""
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
@declare_bounds(3)
async def watched_board(
    request: Request,
    services: ServicesDep,
    table_id: TableId,
    key: PictureKey,
    theme: Theme = "auto",
) -> Response:
    """Return a listed table's board as spectators see it."""
    svg = await services.board_pictures.load(table_id, key, theme)
    return layer_response(request, svg, private=False)
