"""A small app with a route for every situation, and a client for it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import httpx
from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, ConfigDict

from realmtable.engine.errors import BadInput, IllegalMove
from realmtable.server import error_responses
from realmtable.server.accounts.authentication import close_session, open_session
from realmtable.server.accounts.rate_limits import Limits
from realmtable.server.errors import NotFound, RateLimited, StaleVersion, Unavailable
from realmtable.server.request_bounds import LARGEST_BODY, BoundedRoute, declare_bounds
from realmtable.server.request_checks import install_middleware
from realmtable.server.security_headers import style_hash
from realmtable.server.settings import Settings
from tests.server.support.accounts_app import URL

COOKIE = "realmtable_session"
SESSION = "a-session-token"


class Words(BaseModel):
    model_config = ConfigDict(extra="forbid")

    text: str
    count: int = 0


def make_stub_app(public_url: str = URL) -> FastAPI:
    """Create an app with a route for each kind of success, refusal and failure."""
    app = FastAPI()
    app.router.route_class = BoundedRoute
    app.state.services = SimpleNamespace(settings=Settings(public_url=public_url), limits=Limits(factor=0))
    error_responses.install(app)

    @app.post("/api/words")
    @declare_bounds(0)
    async def words(body: Words) -> dict[str, int]:
        return {"size": len(body.text)}

    @app.post("/api/tables")
    @declare_bounds(1, body=LARGEST_BODY)
    async def large(request: Request) -> dict[str, int]:
        return {"size": len(await request.body())}

    @app.post("/api/quiet")
    @app.delete("/api/quiet")
    @app.get("/api/quiet")
    @declare_bounds(0)
    async def quiet(request: Request) -> dict[str, int]:
        return {"size": len(await request.body())}

    @app.get("/api/raise/{kind}")
    @app.get("/pages/{kind}")
    @declare_bounds(0)
    async def refuse(kind: str) -> None:
        raise ERRORS[kind]

    @app.get("/api/open")
    @declare_bounds(0)
    async def start_session_and_fail(request: Request) -> None:
        open_session(request, SESSION)
        raise NotFound("Nothing here.")

    @app.get("/api/close")
    @declare_bounds(0)
    async def end_session(request: Request) -> HTMLResponse:
        close_session(request)
        return HTMLResponse("bye")

    install_middleware(app, Settings(public_url=public_url), [style_hash("a{}")])
    return app


def illegal_move(game: str | None) -> IllegalMove:
    error = IllegalMove("R10", "One event a piece.")
    if game:
        error.game = game  # type: ignore[attr-defined]
    return error


def stale_version() -> StaleVersion:
    error = StaleVersion("The table has moved on.")
    error.version = 17  # type: ignore[attr-defined]
    return error


ERRORS: dict[str, Exception] = {
    "clause": illegal_move("realm"),
    "gameless": illegal_move(None),
    "stale": stale_version(),
    "limited": RateLimited("Slow down.", 7),
    "away": Unavailable("Storage is away."),
    "half": BadInput("half a sign \ud800"),
    "fault": RuntimeError("the secret cause"),
}


def make_client(app: Any, url: str = URL, **options: Any) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=url, **options)
