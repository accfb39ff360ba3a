"""The pages of opening studies; they know no particular game."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from realmtable.engine import registry
from realmtable.engine.protocol import GameInfo
from realmtable.server.errors import NotFound
from realmtable.server.request_bounds import BoundedRoute, declare_bounds
from realmtable.server.site.pages import Theme, cacheable_svg, games_in_order, theme_or_auto
from realmtable.server.site.templates import shared_page
from realmtable.server.site.visitor import PageVisitor
from realmtable.server.study import openings

router = APIRouter(route_class=BoundedRoute, include_in_schema=False)


@router.get("/openings")
@declare_bounds(1)
async def openings_index() -> Response:
    """Redirect to the first game that has an opening study."""
    first = next((info.id for info in games_in_order() if openings.has_study(info.id)), None)
    if first is None:
        raise NotFound("There is no opening study yet.")
    return RedirectResponse(f"/openings/{first}", 303)


@router.get("/openings/{game}")
@declare_bounds(5)
async def openings_page(request: Request, visitor: PageVisitor, game: str) -> Response:
    """Show the openings of a game and how they score in self-play."""
    return await shared_page(
        request, visitor, "openings.html", (game,), partial(_describe_openings, registry.info(game))
    )


def _describe_openings(info: GameInfo) -> dict[str, Any]:
    data = openings.load_study(info.id)
    best, worst = openings.best_and_worst(data)
    return {
        "game": info,
        "data": data,
        "best": best,
        "worst": worst,
        "few": openings.small_sample_note(data),
        "bar": openings.bar,
        "shade": openings.shade,
        "unbroken": openings.join_units,
    }


@router.get("/openings/{game}/{name}.svg")
@declare_bounds(5, runs_in="thread")
async def openings_picture(request: Request, game: str, name: str, theme: Theme = "auto") -> Response:
    """Return the picture of a board in the study."""
    drawn = await asyncio.to_thread(openings.board_picture, registry.info(game).id, name, theme_or_auto(theme))
    return cacheable_svg(request, drawn)
