"""Pages that show the engine's results: the analysis of a replay, and the analysis board."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Query, Response
from fastapi.responses import RedirectResponse
from markupsafe import Markup

from realmtable.analysis.game_analysis import has_analysis_board
from realmtable.engine import registry
from realmtable.engine.errors import BadPosition, RealmtableError
from realmtable.engine.protocol import AnyGame, GameInfo, HasPalette, PalettePiece
from realmtable.server.errors import NotFound
from realmtable.server.request_bounds import BoundedRoute, declare_bounds
from realmtable.server.services import Services
from realmtable.server.site.templates import VisitDep
from realmtable.server.tables.replays import replay_views

DRAWING_PLACES = ("b2", "a1")  # places to draw a piece for its icon: on a Center, or on the Border
_PICTURE = re.compile(r'<svg[^>]* class="([^"]*)"')
_PIECE = re.compile(
    r'data-handle="[^"]*"[^>]*><rect[^>]*/>'
    r'<g class="(rt-seat\d)" transform="translate\([^)]*\)([^"]*)">(.*?)</g><circle'
)

router = APIRouter(route_class=BoundedRoute, include_in_schema=False)


async def replay_context(services: Services | None, replay: Mapping[str, Any], source: str = "") -> dict[str, Any]:
    """Return the template context of a replay: the analysis of the whole game, and whether it has an analysis board."""
    analysis = await services.analysis_runner.report(source) if services is not None else None
    return {"analysis": analysis, "has_board": has_analysis_board(registry.info(replay["game"]))}


# ---- the analysis board


@router.get("/analyse")
@declare_bounds(1)
async def first_board() -> Response:
    """Redirect to the analysis board of the first game that has one."""
    return RedirectResponse(f"/analyse/{games_with_board()[0].id}", 303)


@router.get("/analyse/{game}")
@declare_bounds(20, runs_in="worker")
async def board(visit: VisitDep, game: str, p: Annotated[str, Query(max_length=20_000)] = "") -> Response:
    """Show the analysis board of a game, with the position `p` if given."""
    info = registry.info(game)
    if not has_analysis_board(info):
        raise NotFound(f"{info.title} has no analysis board; only two-player games without secrets and dice do.")
    moment, fault = await visit.services.replay_pool.run(visit.requester, 1, _first_moment, info.id, p)
    pieces = await asyncio.to_thread(piece_icons, info.id)
    return visit.page(
        "analysis_board.html",
        game=info,
        games=games_with_board(),
        moment=moment,
        fault=fault,
        asked=p,
        pieces=pieces,
    )


def games_with_board() -> list[GameInfo]:
    """Return the games that have an analysis board, in display order."""
    return sorted(
        filter(has_analysis_board, registry.infos()), key=lambda info: (not info.presentation.featured, len(info.title))
    )


def _first_moment(game_id: str, position: str) -> tuple[replay_views.Moment, str]:
    """Return the position to show first; if it is invalid, the game's initial position and the reason."""
    try:
        return replay_views.explore(game_id, position or None, ()), ""
    except RealmtableError as error:
        return replay_views.explore(game_id, None, ()), str(error)


class Icon(NamedTuple):
    """A piece of the palette with its picture."""

    token: str
    seat: int
    words: str
    picture: Markup


@cache
def piece_icons(game_id: str) -> list[Icon]:
    """Return the pieces that can be placed on a game's board; empty if the game has no palette."""
    game = registry.game(game_id)
    if not isinstance(game, HasPalette):
        return []
    empty = game.without_pieces(game.encode(game.initial(game.info.seats[0])))
    return [Icon(*piece, _extract_piece(game, empty, piece)) for piece in game.palette()]


def _extract_piece(game: AnyGame, empty: str, piece: PalettePiece) -> Markup:
    """Return the picture of a single piece, extracted from a board with that piece."""
    assert isinstance(game, HasPalette)  # noqa: S101 - checked by the caller
    for place in DRAWING_PLACES:
        try:
            picture = game.draw(game.view(game.draft(game.with_piece(empty, place, piece.token)), None))
        except BadPosition:
            continue
        board, shape = _PICTURE.search(picture), _PIECE.search(picture)
        if board and shape:
            group = f'<g class="{shape[1]}" transform="translate(20 20){shape[2]}">{shape[3]}</g>'
            svg = f'<svg class="{board[1]} piece" viewBox="0 0 40 40" aria-hidden="true">{group}</svg>'
            return Markup(svg)  # noqa: S704 - our own picture
    return Markup("")
