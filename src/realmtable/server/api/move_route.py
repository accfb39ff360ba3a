"""Plays moves in front of FastAPI and the middleware, whose layers would take longer than the moves.

It handles well-formed requests of known players, with the same checks, logs and headers as the middleware and the same
function as the route `tables.move`. All other requests take the usual path, so that each refusal has one form.
When a connection sends another move with the same head, what follows from the head alone is not checked again.
"""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Final, NamedTuple

from fastapi import FastAPI
from fastapi.routing import APIRoute
from pydantic import ValidationError
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from realmtable.engine.errors import RealmtableError
from realmtable.server.accounts.accounts import Player, RecentSender
from realmtable.server.accounts.authentication import SESSION_TOKEN, changes_session, note_player_at, visitor
from realmtable.server.accounts.ids import digest
from realmtable.server.accounts.rate_limits import client_address
from realmtable.server.api.dependencies import Services
from realmtable.server.api.models import MoveRequest
from realmtable.server.api.responses import JSON_TYPE, Reply
from realmtable.server.api.storage_charge import charge_move
from realmtable.server.api.tables import play_move, router
from realmtable.server.error_responses import fault_response, refuse_request
from realmtable.server.http_protocol import RESPONSE_WRITER
from realmtable.server.logs import RequestLog, ResponseSender, find_header
from realmtable.server.middleware import CompleteSender, SiteChecks, has_nul
from realmtable.server.request_bounds import bounds_of
from realmtable.server.request_head_cache import WHOLE_BODY

PATH: Final = re.compile(r"/api/tables/([^/]+)/moves")
ROUTE: Final = next(route for route in router.routes if isinstance(route, APIRoute) and route.name == "move")
BOUNDS: Final = bounds_of(ROUTE)


class ResponseForm(NamedTuple):
    """What the response to a move includes."""

    pictures: bool = False
    scene: bool = True


def replay_messages(messages: list[Message], receive: Receive) -> Receive:
    """Return a receive channel that starts with messages already received."""
    received = iter(messages)

    async def replay() -> Message:
        message = next(received, None)
        return await receive() if message is None else message

    return replay


FORMS_BY_QUERY: Final = {
    b"": ResponseForm(),
    b"pictures=false": ResponseForm(),
    b"pictures=true": ResponseForm(pictures=True),
    b"scene=false": ResponseForm(scene=False),
}


class Application(FastAPI):
    """FastAPI's application, with an ASGI application in front of its middleware."""

    front: ASGIApp | None = None  # usually a `MoveRoute`, which calls `super().__call__` for other requests

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        await (self.front or super().__call__)(scope, receive, send)

    def put_in_front(self, checks: SiteChecks, request_log: RequestLog) -> None:
        """Put a route for moves in front of the middleware."""
        self.front = MoveRoute(self, super().__call__, checks, request_log)


class AuthenticatedMove(NamedTuple):
    """A move of a known player."""

    player: Player
    address: str
    table_id: str
    move: MoveRequest
    body_bytes: int
    started_at: float  # a time of `time.perf_counter`


@dataclass(slots=True)
class RepeatedMoves:
    """Facts derived from the request head of a move."""

    table_id: str
    token_hash: str
    address: str
    sender: RecentSender | None = None  # once recalled


class MoveRoute:
    """Plays moves, and passes every other request on to `others`."""

    def __init__(self, app: FastAPI, others: ASGIApp, checks: SiteChecks, request_log: RequestLog) -> None:
        self._app, self._others = app, others
        self._checks = checks
        self._log = request_log
        # The headers of each response, apart from its length and id.
        start = checks.complete({"headers": [(b"content-type", JSON_TYPE.encode())]}, {"path": "/api/tables/1/moves"})
        self._headers = b"".join([b"%b: %b\r\n" % pair for pair in start["headers"]])

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        table_id = _table_id(scope)
        if table_id is None:
            await self._others(scope, receive, send)
            return
        started_at = time.perf_counter()
        message = await receive()
        move = _read_move(message)
        player = None if move is None else await self._admit(scope)
        if move is None or player is None:
            await self._others(scope, replay_messages([message], receive), send)
            return
        address = self._address(scope)
        self._handle_repeats(scope, table_id, address)
        request = AuthenticatedMove(player, address, table_id, move, len(message["body"]), started_at)
        await self._play(scope, receive, send, request)

    async def repeat(self, known: RepeatedMoves, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request with the head of an earlier one that was admitted."""
        started_at, body = time.perf_counter(), scope[WHOLE_BODY]
        move = _parse_move(body)
        player = None if move is None else await self._recognise(known)
        if move is None or player is None:
            await self(scope, receive, send)
            return
        request = AuthenticatedMove(player, known.address, known.table_id, move, len(body), started_at)
        await self._play(scope, receive, send, request)

    async def _recognise(self, known: RepeatedMoves) -> Player | None:
        """Return the sender of another request, or None if the session must be looked up."""
        services, sender = self._services(), known.sender
        if sender is None or not services.accounts.is_current(sender):
            sender = known.sender = services.accounts.recall_sender(known.token_hash)
            if sender is None:
                return None
        try:
            await note_player_at(services, sender.player, known.address)
        except Exception:  # noqa: BLE001 - as below
            return None
        return sender.player

    def _services(self) -> Services:
        services: Services = self._app.state.services
        return services

    async def _admit(self, scope: Scope) -> Player | None:
        """Return the sender, or None if they are unknown or the usual path would refuse the request."""
        scope["app"] = self._app
        request = Request(scope)
        try:
            if has_nul(scope):
                return None
            self._checks.origin.check(request)
            return (await visitor(request)).player
        except Exception:  # noqa: BLE001 - a refusal or a fault: the usual path meets it again, answers and logs it
            return None

    def _address(self, scope: Scope) -> str:
        return client_address(Request(scope), trust_proxy=self._services().settings.trust_proxy)

    def _handle_repeats(self, scope: Scope, table_id: str, address: str) -> None:
        """Handle later requests with the same head in `repeat`, if the sender has a session."""
        writer, token = scope.get(RESPONSE_WRITER), scope.get(SESSION_TOKEN)
        if writer is not None and token is not None:
            writer.handle_repeats(partial(self.repeat, RepeatedMoves(table_id, digest(token), address)))

    def _play(self, scope: Scope, receive: Receive, send: Send, request: AuthenticatedMove) -> Awaitable[None]:
        scope["app"], scope["route"], scope["path_params"] = self._app, ROUTE, {"table_id": request.table_id}
        return self._log.handle(partial(self._answer, request), scope, receive, send, request.started_at)

    async def _answer(self, request: AuthenticatedMove, scope: Scope, receive: Receive, send: ResponseSender) -> None:
        try:
            services, player = self._services(), request.player
            await charge_move(services, player, request.address, request.body_bytes)
            pictures, scene = FORMS_BY_QUERY[scope["query_string"]]
            reply = await play_move(services, request.table_id, player, request.move, pictures=pictures, scene=scene)
            if self._write(reply, scope, send):
                return
            response = reply.response()
        except RealmtableError as refusal:
            response = refuse_request(Request(scope), refusal)
        except Exception as fault:  # noqa: BLE001 - logged, and answered with 500
            response = fault_response(scope, fault)
        await response(scope, receive, CompleteSender(self._checks, scope, send))

    def _write(self, reply: Reply, scope: Scope, send: ResponseSender) -> bool:
        """Write the usual response to the connection at once; return False if it must be sent as messages."""
        writer = scope.get(RESPONSE_WRITER)
        if writer is None or reply.status != HTTPStatus.OK or changes_session(scope):
            return False
        own = b"content-length: %d\r\nx-request-id: %b\r\n" % (len(reply.body), send.request_id.encode())
        if not writer.write_response(self._headers + own, reply.body):
            return False
        send.status = int(reply.status)  # the log shows the number
        return True


def _table_id(scope: Scope) -> str | None:
    """Return the table that a request plays at, or None if it is another request or has unusual parts."""
    if scope["type"] != "http" or scope["method"] != "POST" or scope["query_string"] not in FORMS_BY_QUERY:
        return None
    found = PATH.fullmatch(scope["path"])
    if found is None or scope.get("root_path") or (b"content-type", b"application/json") not in scope["headers"]:
        return None
    return found[1] if find_header(scope, b"transfer-encoding") is None else None  # the size of the body is known


def _read_move(message: Message) -> MoveRequest | None:
    """Return the move in a complete body, or None."""
    if message["type"] != "http.request" or message.get("more_body") or "body" not in message:
        return None
    return _parse_move(message["body"])


def _parse_move(body: bytes) -> MoveRequest | None:
    if len(body) > BOUNDS.body or b"\\" in body:  # escapes may stand for text that no database can store
        return None
    try:
        return MoveRequest.model_validate_json(body)
    except ValidationError:
        return None
