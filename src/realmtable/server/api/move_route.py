"""Plays moves without FastAPI's routing and dependencies, which would take longer than the moves.

It handles well-formed requests of known players with the functions that `tables.move` uses. All other requests go to
that route, so that each refusal has one form.
"""

from __future__ import annotations

import re
from typing import Final

from pydantic import ValidationError
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from realmtable.engine.errors import RealmtableError
from realmtable.server.accounts.authentication import visitor
from realmtable.server.api.models import Move
from realmtable.server.api.storage_charge import charge_request
from realmtable.server.api.tables import play_move, router
from realmtable.server.error_responses import refuse_request
from realmtable.server.middleware import replay_messages

PATH: Final = re.compile(r"/api/tables/([^/]+)/moves")
PICTURES_BY_QUERY: Final = {b"": False, b"pictures=false": False, b"pictures=true": True}
ROUTE: Final = next(route for route in router.routes if getattr(route, "name", "") == "move")


class MoveRoute:
    """The innermost ASGI middleware: plays moves, and passes every other request on."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        table_id = _table_id(scope)
        if table_id is None:
            await self.app(scope, receive, send)
            return
        message = await receive()
        body = _read_move(message)
        request = Request(scope, receive)
        try:
            sender = None if body is None else await visitor(request)
            if body is None or sender is None or sender.player is None:
                await self.app(scope, replay_messages([message], receive), send)
                return
            scope["route"], scope["path_params"] = ROUTE, {"table_id": table_id}  # for logs and metrics
            services, pictures = request.app.state.services, PICTURES_BY_QUERY[scope["query_string"]]
            await charge_request(request, services, sender.player)
            response = await play_move(services, table_id, sender.player, body, pictures=pictures)
        except RealmtableError as error:
            response = refuse_request(request, error)
        await response(scope, receive, send)


def _table_id(scope: Scope) -> str | None:
    """Return the table that a request plays at, or None if it is another request or has unusual parts."""
    if scope["type"] != "http" or scope["method"] != "POST" or scope["query_string"] not in PICTURES_BY_QUERY:
        return None
    found = PATH.fullmatch(scope["path"])
    if found is None or scope.get("root_path") or (b"content-type", b"application/json") not in scope["headers"]:
        return None
    return found[1]


def _read_move(message: Message) -> Move | None:
    """Return the move in a complete body, or None."""
    if message["type"] != "http.request" or message.get("more_body"):
        return None
    try:
        return Move.model_validate_json(message.get("body", b""))
    except ValidationError:
        return None
