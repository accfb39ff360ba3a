"""Every refusal as one shape: {"error": {"code", "message", "clause"?, "rules"?, "version"?}}.

Under /api the shape is the answer. Elsewhere a browser gets a page, once `app.state.error_page` holds a function
`(Request, Problem) -> Response`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, cast

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from realmtable.engine.errors import RealmtableError
from realmtable.server.errors import STATUS, http_status

LOG = logging.getLogger(__name__)
MAX_REPEATED = 60  # characters of a sender's own words that an answer repeats
SENTENCES = {
    HTTPStatus.BAD_REQUEST: "The body could not be read: send one JSON value in UTF-8.",
    HTTPStatus.NOT_FOUND: "There is nothing at this address.",
    HTTPStatus.METHOD_NOT_ALLOWED: "This address does not know that method; the Allow header lists those it knows.",
}
CODES = {HTTPStatus.BAD_REQUEST: "BadInput"}


class ErrorWords(BaseModel):
    """What was refused and what to do about it."""

    code: str = Field(description="The situation, one word of a fixed list.")
    message: str = Field(description="One sentence that says what to do.")
    clause: str | None = Field(None, description="The clause of the game's rules that forbids the move.")
    rules: str | None = Field(None, description="Where to read that clause.")
    version: int | None = Field(None, description="The table's version now, where the sender's was old.")


class ErrorBody(BaseModel):
    """The body of every refusal."""

    error: ErrorWords


# For the API's description: `APIRouter(responses=RESPONSES)`.
RESPONSES: dict[int | str, dict[str, Any]] = {
    int(known): {"model": ErrorBody, "description": known.phrase}
    for known in sorted({*STATUS.values(), HTTPStatus.BAD_REQUEST})
}


@dataclass(frozen=True, slots=True)
class Problem:
    """A refusal, ready to be sent; `headers` go with it."""

    status: int
    code: str
    message: str
    clause: str | None = None
    rules: str | None = None
    version: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def body(self) -> dict[str, Any]:
        """The JSON shape, without what does not apply."""
        words = {
            "code": self.code,
            "message": self.message,
            "clause": self.clause,
            "rules": self.rules,
            "version": self.version,
        }
        return {"error": {name: value for name, value in words.items() if value is not None}}

    def response(self) -> JSONResponse:
        """The answer under /api."""
        return JSONResponse(self.body(), self.status, headers=dict(self.headers))


def to_problem(error: RealmtableError) -> Problem:
    """An error of ours on the wire; `clause`, `game`, `version` and `retry_after_s` are read where it has them."""
    clause, game = getattr(error, "clause", None), getattr(error, "game", None)
    retry = getattr(error, "retry_after_s", None)
    return Problem(
        status=int(http_status(error)),
        code=error.code,
        message=_make_encodable(getattr(error, "sentence", str(error))),  # a clause is given apart
        clause=clause,
        rules=f"/rules/{game}#{clause}" if game and clause else None,
        version=getattr(error, "version", None),
        headers={} if retry is None else {"Retry-After": str(retry)},
    )


def error_response(error: RealmtableError) -> JSONResponse:
    """The JSON answer to an error of ours."""
    return to_problem(error).response()


def internal_problem() -> Problem:
    """What is said of a fault of ours: nothing of its cause."""
    return Problem(int(HTTPStatus.INTERNAL_SERVER_ERROR), "Unexpected", "The server made a mistake; please try again.")


def respond(request: Request, found: Problem) -> Response:
    """A problem as JSON, or as a page where a browser asks for one outside the API."""
    page: Callable[[Request, Problem], Response] | None = getattr(request.app.state, "error_page", None)
    is_api = request.url.path == "/api" or request.url.path.startswith("/api/")
    if page is None or is_api or "text/html" not in request.headers.get("accept", ""):
        return found.response()
    return page(request, found)


def install(app: FastAPI) -> None:
    """Have the app answer every refusal in our shape. `security.protect` adds what catches faults."""
    app.add_exception_handler(RealmtableError, _handle_refusal)
    app.add_exception_handler(RequestValidationError, _handle_invalid_request)
    app.add_exception_handler(HTTPException, _handle_http_error)


class CatchFaults:
    """The innermost middleware: a fault nobody caught is logged and answered in our shape, headers and all."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As ASGI asks."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def send_wrapper(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, receive, send_wrapper)
        except Exception:
            if started:  # too late to say it otherwise: the connection breaks
                raise
            # The route, not the path: a path may hold a sign-in link's secret.
            LOG.exception("A request failed: %s %s", scope["method"], getattr(scope.get("route"), "path", "?"))
            await respond(Request(scope), internal_problem())(scope, receive, send)


async def _handle_refusal(request: Request, error: Exception) -> Response:
    refusal = cast("RealmtableError", error)
    services = getattr(request.app.state, "services", None)
    if services is not None and hasattr(services, "metrics"):
        services.metrics.count_refusal(refusal.code)
    return respond(request, to_problem(refusal))


async def _handle_invalid_request(request: Request, error: Exception) -> Response:
    """One sentence that names the field; what was sent is not repeated, it may be a password."""
    first = cast("RequestValidationError", error).errors()[0]
    place = ".".join(str(part) for part in first["loc"][1:]) or str(first["loc"][0])
    if first["type"] == "json_invalid":
        return respond(request, Problem(422, "BadInput", "The body is not JSON."))
    sentence = f"{_make_encodable(place)[:MAX_REPEATED]}: {_make_encodable(first['msg'])}."
    return respond(request, Problem(422, "BadInput", sentence))


async def _handle_http_error(request: Request, error: Exception) -> Response:
    found = cast("HTTPException", error)
    known = HTTPStatus(found.status_code)
    said = SENTENCES.get(known, _make_encodable(str(found.detail)))
    code = CODES.get(known, known.phrase.title().replace(" ", "").replace("-", ""))
    return respond(request, Problem(found.status_code, code, said, headers=found.headers or {}))


def _make_encodable(text: str) -> str:
    """Text without halves of characters, which JSON lets in and UTF-8 does not let out."""
    return text.encode("utf-8", "replace").decode()
