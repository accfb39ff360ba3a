"""Turns every error into one shape: {"error": {"code", "message", "clause"?, "rules"?, "version"?}}.

Under /api the response is that JSON. Elsewhere browsers get a page from `app.state.error_page`, if it is set to a
function `(Request, Problem) -> Response`.
"""

from __future__ import annotations

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

from realmtable.engine.errors import RealmtableError
from realmtable.server.errors import STATUS, http_status

MAX_REPEATED = 60  # characters of the sender's input that a message quotes
SENTENCES = {
    HTTPStatus.BAD_REQUEST: "The body cannot be read; send one JSON value in UTF-8.",
    HTTPStatus.NOT_FOUND: "There is nothing at this address.",
    HTTPStatus.METHOD_NOT_ALLOWED: "This address does not support that method; see the Allow header.",
}
CODES = {HTTPStatus.BAD_REQUEST: "BadInput"}


class ErrorWords(BaseModel):
    """What went wrong and what to do about it."""

    code: str = Field(description="The kind of error, a word from a fixed list.")
    message: str = Field(description="A sentence that says what to do.")
    clause: str | None = Field(None, description="The clause of the game's rules that forbids the move.")
    rules: str | None = Field(None, description="The address of that clause.")
    version: int | None = Field(None, description="The table's current version, if the request used an older one.")


class ErrorResponse(BaseModel):
    """The body of every error response."""

    error: ErrorWords


# The error responses in the OpenAPI schema: `APIRouter(responses=RESPONSES)`.
RESPONSES: dict[int | str, dict[str, Any]] = {
    int(status): {"model": ErrorResponse, "description": status.phrase}
    for status in sorted({*STATUS.values(), HTTPStatus.BAD_REQUEST})
}


@dataclass(frozen=True, slots=True)
class Problem:
    """An error ready to send; `headers` are added to the response."""

    status: int
    code: str
    message: str
    clause: str | None = None
    rules: str | None = None
    version: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def body(self) -> dict[str, Any]:
        """Return the JSON shape without the fields that do not apply."""
        details = {name: getattr(self, name) for name in ErrorWords.model_fields}
        return {"error": {name: value for name, value in details.items() if value is not None}}

    def response(self) -> JSONResponse:
        """Return the JSON response."""
        return JSONResponse(self.body(), self.status, headers=dict(self.headers))


def to_problem(error: RealmtableError) -> Problem:
    """Convert an exception, including its `clause`, `game`, `version` and `retry_after_s` where it has them."""
    clause, game = getattr(error, "clause", None) or None, getattr(error, "game", None)
    retry = getattr(error, "retry_after_s", None)
    return Problem(
        status=int(http_status(error)),
        code=error.code,
        message=_make_encodable(getattr(error, "sentence", str(error))),  # the clause has its own field
        clause=clause,
        rules=f"/rules/{game}#{clause}" if game and clause else None,
        version=getattr(error, "version", None),
        headers={} if retry is None else {"Retry-After": str(retry)},
    )


def internal_problem() -> Problem:
    """Return the response to an unexpected exception; it reveals nothing about the cause."""
    return Problem(int(HTTPStatus.INTERNAL_SERVER_ERROR), "Unexpected", "Something went wrong on our side; try again.")


def respond(request: Request, problem: Problem) -> Response:
    """Return a problem as a page for browsers outside the API, and as JSON otherwise."""
    page: Callable[[Request, Problem], Response] | None = getattr(request.app.state, "error_page", None)
    is_api = request.url.path == "/api" or request.url.path.startswith("/api/")
    if page is None or is_api or "text/html" not in request.headers.get("accept", ""):
        return problem.response()
    return page(request, problem)


def install(app: FastAPI) -> None:
    """Register the handlers for expected errors; `RequestMiddleware` handles the others."""
    app.add_exception_handler(RealmtableError, _handle_refusal)
    app.add_exception_handler(RequestValidationError, _handle_invalid_request)
    app.add_exception_handler(HTTPException, _handle_http_error)


async def _handle_refusal(request: Request, error: Exception) -> Response:
    return refuse_request(request, cast("RealmtableError", error))


def refuse_request(request: Request, refusal: RealmtableError) -> Response:
    """Count a refusal and return the response to it."""
    services = getattr(request.app.state, "services", None)
    if services is not None and hasattr(services, "metrics"):
        services.metrics.refusals.labels(refusal.code).inc()
    return respond(request, to_problem(refusal))


async def _handle_invalid_request(request: Request, error: Exception) -> Response:
    """Name the invalid field in one sentence, without quoting its value, which may be a password."""
    invalid = cast("RequestValidationError", error)
    first = invalid.errors()[0]
    invalid.body = None  # which would stay in memory as long as the error, until garbage is collected
    return respond(request, validation_problem({**first, "loc": first["loc"][1:] or first["loc"]}))


def validation_problem(error: Mapping[str, Any]) -> Problem:
    """Return the problem of an invalid field, as pydantic describes it."""
    field_path = ".".join(str(part) for part in error["loc"])
    sentence = f"{_make_encodable(field_path)[:MAX_REPEATED]}: {_make_encodable(error['msg'])}."
    return Problem(422, "BadInput", sentence)


async def _handle_http_error(request: Request, error: Exception) -> Response:
    http_error = cast("HTTPException", error)
    status = HTTPStatus(http_error.status_code)
    message = SENTENCES.get(status, _make_encodable(str(http_error.detail)))
    code = CODES.get(status, status.phrase.title().replace(" ", "").replace("-", ""))
    return respond(request, Problem(http_error.status_code, code, message, headers=http_error.headers or {}))


def _make_encodable(text: str) -> str:
    """Replace lone surrogates, which JSON allows but UTF-8 cannot encode."""
    return text.encode("utf-8", "replace").decode()
