"""The API of images for sharing. They show what a spectator may see, to players too."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Annotated, Any, Final, NamedTuple

from fastapi import Depends, Query, Request
from starlette.responses import Response

from realmtable.engine import registry
from realmtable.server.accounts.authentication import AnyVisitor
from realmtable.server.api.dependencies import RequesterDep, Services, ServicesDep, make_router, requester_of
from realmtable.server.api.responses import json_response
from realmtable.server.errors import NotRunning
from realmtable.server.fair_queue import Requester
from realmtable.server.images.render import Caption, Shape, Theme
from realmtable.server.request_bounds import declare_bounds
from realmtable.server.tables.replays import image_tasks
from realmtable.server.tables.replays.replay_tasks import EncodedGame, LoadedRecord
from realmtable.server.tables.replays.shared_images import ImageKey
from realmtable.server.tables.table import Table, summarize_result

PNG: Final = "image/png"
GIF: Final = "image/gif"
MAX_POSITION: Final = 2_400  # so that the URL is short enough even if each character is percent-encoded
FINAL: Final = "public, max-age=86400"  # names and drawings may still change
CHANGING: Final = "private, no-cache"
RETRY_AFTER_S: Final = 1
NOT_READY: Final[dict[int | str, dict[str, Any]]] = {
    HTTPStatus.ACCEPTED.value: {"description": "The animation is being made; ask again."}
}

router = make_router()

ShapeQuery = Annotated[Shape, Query(description="1200 × 630 for link previews, or 1080 × 1080.")]
ThemeQuery = Annotated[Theme, Query(description="The colours of the image.")]


class Look(NamedTuple):
    """The shape and the colours of an image."""

    shape: Shape
    theme: Theme


async def read_look(shape: ShapeQuery = "square", theme: ThemeQuery = "light") -> Look:
    """Dependency: the look that a request asks for."""
    return Look(shape, theme)


LookDep = Annotated[Look, Depends(read_look)]


# ---- pictures


@router.get("/tables/{table_id}/moments/{step}.png", response_class=Response, tags=["tables"])
@declare_bounds(20, runs_in="worker")
async def table_image(
    table_id: str, step: int, request: Request, services: ServicesDep, visitor: AnyVisitor, look: LookDep
) -> Response:
    """Return an image of the game after `step` steps as PNG, as a spectator sees it."""
    requester = requester_of(services, request, visitor.player)
    found = await services.replay_cache.find_moment(table_id, visitor.player, step, requester)
    result = summarize_result(found.table) if step == found.steps else None
    caption, question = await table_caption(services, found.table), (found.run, result["text"] if result else "")
    drawn = await services.replay_pool.run(requester, 1 + len(found.run.moves), image_tasks.draw_run, *question)
    cache = FINAL if found.table.result is not None else CHANGING
    return await _send_picture(services, request, requester, make_key(drawn, caption, look), cache)


@router.get("/records/{record_id}/moments/{step}.png", response_class=Response, tags=["records"])
@declare_bounds(20, runs_in="worker")
async def record_image(
    record_id: str, step: int, request: Request, services: ServicesDep, requester: RequesterDep, look: LookDep
) -> Response:
    """Return an image of a stored record after `step` steps as PNG."""
    run = await services.replay_cache.record_run(record_id, step, requester)
    caption = record_caption(await services.replay_cache.load_record(record_id, requester))
    drawn = await services.replay_pool.run(requester, 1 + len(run.moves), image_tasks.draw_run, run)
    return await _send_picture(services, request, requester, make_key(drawn, caption, look), FINAL)


@router.get("/positions/{game}.png", response_class=Response, tags=["positions"])
@declare_bounds(20, runs_in="worker")
async def position_image(
    game: str,
    request: Request,
    services: ServicesDep,
    requester: RequesterDep,
    look: LookDep,
    p: Annotated[
        str, Query(max_length=MAX_POSITION, description="The position; by default the game's first one.")
    ] = "",
) -> Response:
    """Return an image of a position as PNG, as a spectator sees it."""
    info = registry.info(game)
    drawn = await services.replay_pool.run(requester, 1, image_tasks.draw_position, info.id, p or None)
    key = make_key(drawn, Caption(info.title), look)
    return await _send_picture(services, request, requester, key, FINAL)


# ---- animations


@router.get("/tables/{table_id}/replay.gif", response_class=Response, tags=["tables"], responses=NOT_READY)
@declare_bounds(20, runs_in="worker")
async def table_animation(
    table_id: str, request: Request, services: ServicesDep, requester: RequesterDep, theme: ThemeQuery = "light"
) -> Response:
    """Return a finished game as an animated GIF or, while it is being made, the progress with status 202."""
    table = await services.table_service.table(table_id)
    result = summarize_result(table)
    if result is None:
        raise NotRunning("The animation is available once the game is over.")
    caption = (await table_caption(services, table))._replace(line=result["text"])
    key = ImageKey((table.id, table.version), caption, "square", theme)
    return await _send_animation(
        services, request, requester, key, lambda: services.replay_cache.load_whole_table(table_id, requester)
    )


@router.get("/records/{record_id}/replay.gif", response_class=Response, tags=["records"], responses=NOT_READY)
@declare_bounds(20, runs_in="worker")
async def record_animation(
    record_id: str, request: Request, services: ServicesDep, requester: RequesterDep, theme: ThemeQuery = "light"
) -> Response:
    """Return a stored record as an animated GIF or, while it is being made, the progress with status 202."""
    loaded = await services.replay_cache.load_record(record_id, requester)
    key = ImageKey(record_id, record_caption(loaded), "square", theme)

    async def load() -> EncodedGame:
        return loaded.encoded_game

    return await _send_animation(services, request, requester, key, load)


async def _send_animation(
    services: Services,
    request: Request,
    requester: Requester,
    key: ImageKey,
    load: Callable[[], Awaitable[EncodedGame]],
) -> Response:
    headers = _headers(key, FINAL)
    if _is_known(request, key):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    made = await services.shared_images.animation(requester, key, load)
    if isinstance(made, bytes):
        return Response(made, media_type=GIF, headers=headers)
    response = json_response(made)
    response.status_code = HTTPStatus.ACCEPTED
    response.headers.update({"Retry-After": str(RETRY_AFTER_S), "Cache-Control": "no-store"})
    return response


# ---- captions


async def table_caption(services: Services, table: Table) -> Caption:
    """Return the words next to an image of a table; a moment adds a line about itself."""
    names = await services.replay_cache.player_names(table)
    taken = {table.game.info.seat_names[seat] for seat, sitter in enumerate(table.seats) if sitter is not None}
    players = tuple((seat, name) for seat, name in names.items() if seat in taken)
    return Caption(table.game.info.title, players, "" if table.started else "Waiting for players")


def record_caption(loaded: LoadedRecord) -> Caption:
    """Return the words next to an image of a stored record."""
    info, headers = registry.info(loaded.page["game"]), loaded.page["headers"]
    return Caption(info.title, tuple((seat, headers[seat]) for seat in info.seat_names if seat in headers))


# ---- responses


def make_key(drawn: image_tasks.MomentPicture, caption: Caption, look: Look) -> ImageKey:
    """Return the key of an image; its caption gets the line of the moment if it has none."""
    return ImageKey(drawn.picture, caption if caption.line else caption._replace(line=drawn.line), *look)


async def _send_picture(
    services: Services, request: Request, requester: Requester, key: ImageKey, cache: str
) -> Response:
    """Return a picture, which is not made if the client has it already."""
    headers = _headers(key, cache)
    if _is_known(request, key):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    return Response(await services.shared_images.picture(requester, key), media_type=PNG, headers=headers)


def _is_known(request: Request, key: ImageKey) -> bool:
    return f'"{key.digest}"' in request.headers.get("if-none-match", "")


def _headers(key: ImageKey, cache: str) -> dict[str, str]:
    return {"ETag": f'"{key.digest}"', "Cache-Control": cache, "X-Robots-Tag": "noindex"}
