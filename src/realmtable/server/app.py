"""The FastAPI application: `create_app` puts together the routes, the middleware and the services."""

from __future__ import annotations

import html
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache

import structlog
from fastapi import FastAPI

from realmtable.engine import registry
from realmtable.engine.pictures import draw_whole
from realmtable.engine.protocol import HasCardGallery, HasPanels
from realmtable.server import error_responses
from realmtable.server.api import table_socket
from realmtable.server.api.routers import ROUTERS
from realmtable.server.garbage_collection import QuietCollector
from realmtable.server.metrics import Metrics, installed_version
from realmtable.server.metrics import router as monitoring_router
from realmtable.server.request_checks import install_middleware
from realmtable.server.security_headers import style_hash
from realmtable.server.services import Services
from realmtable.server.settings import Settings
from realmtable.server.site import (
    about_pages,
    account_pages,
    live_game_pages,
    offline_pages,
    pages,
    player_pages,
    puzzle_pages,
    score_pages,
    static_files,
    study_pages,
)

log = structlog.get_logger(__name__)
SITE = (
    static_files,
    study_pages,
    offline_pages,
    about_pages,
    pages,
    account_pages,
    player_pages,
    live_game_pages,
    puzzle_pages,
    score_pages,
)
DESCRIPTION = """
Do everything from a program that you can do on the website. To act as yourself, send `Authorization: Bearer TOKEN`
with a personal token from your account page. Without a token you are a guest, identified by a cookie. Every error has
the shape `{"error": {"code", "message"}}`: the code names the situation, the message says what to do.
"""


def create_app(settings: Settings | None = None, *, collects_garbage_itself: bool = False) -> FastAPI:
    """Create the web application. Its services start and stop with it.

    With `collects_garbage_itself` it decides when Python collects garbage in this process.
    """
    chosen = Settings.read() if settings is None else settings
    metrics = Metrics()
    for problem in registry.problems().values():
        log.warning("game_left_out", problem=problem)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.services = await Services.start(chosen, metrics)
        if collects_garbage_itself:
            app.state.services.table_service.spawn(QuietCollector().run())
        try:
            yield
        finally:
            await app.state.services.close()

    app = FastAPI(
        title="Realmtable",
        version=installed_version(),
        description=DESCRIPTION,
        lifespan=lifespan,
        openapi_url=None,  # ours has bounds, as every route
        docs_url=None,  # both pages load scripts from other sites; /api is our own reference
        redoc_url=None,
    )
    error_responses.install(app)
    for router in (*ROUTERS, *(module.router for module in SITE), monitoring_router):
        app.router.routes += router.routes  # FastAPI takes much longer to find a route in an included router
    app.router.routes.append(table_socket.ROUTE)
    pages.install(app)
    app.state.site_checks = install_middleware(app, chosen, style_hashes(), metrics.count_response)
    return app


@cache
def style_hashes() -> tuple[str, ...]:
    """Return the content security policy hashes of the styles in game pictures, which pages contain inline."""
    styles = set()
    for info in registry.infos():
        game = registry.game(info.id)
        styles |= {game.gallery().style} if isinstance(game, HasCardGallery) else set()
        for viewer in (None, 0):
            view = game.view(game.initial(info.seats[0]), viewer)
            panels = game.panels(view) if isinstance(game, HasPanels) else []
            for picture in (draw_whole(game, view), *(panel.svg for panel in panels)):
                styles |= set(re.findall(r"<style>(.*?)</style>", picture, re.DOTALL))
    return tuple(sorted(style_hash(html.unescape(style)) for style in styles))  # as the browser parses it
