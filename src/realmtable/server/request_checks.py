"""Checks and logs every request, and completes every response; plain ASGI, so that streams are not buffered."""

from __future__ import annotations

import hmac
import logging
import re
import time
from collections.abc import Callable, Collection, Iterable
from http import HTTPStatus
from secrets import token_hex
from urllib.parse import urlsplit

import structlog
from fastapi import FastAPI
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from realmtable.engine.errors import BadInput, RealmtableError
from realmtable.server.accounts.authentication import (
    CSRF_HEADER,
    SessionCookie,
    bearer_token,
    csrf_token,
    is_secure,
    session_cookie,
)
from realmtable.server.error_responses import internal_problem, respond, to_problem
from realmtable.server.errors import NotAllowed
from realmtable.server.http_protocol import has_long_body
from realmtable.server.logs import find_header, read_header, request_method, route_template
from realmtable.server.security_headers import SecurityHeaders, make_redirect_relative
from realmtable.server.settings import Settings

REQUEST_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")
# Requested so often that they are logged at debug level only.
QUIET_ROUTES = ("/static", "/healthz", "/metrics")
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
DEFAULT_PORTS = {"http": 80, "https": 443}
CSRF_KEY = CSRF_HEADER.lower().encode()

log = structlog.get_logger(__name__)
OnResponse = Callable[[str, str, int, float | None], None]
Origin = tuple[str, str, int | None]  # scheme, host, port


def install_middleware(
    app: FastAPI, settings: Settings, style_hashes: Iterable[str] = (), on_response: OnResponse | None = None
) -> RequestChecks:
    """Add the middleware of this module, and return its checks. Call this once, after all others were added."""
    checks = RequestChecks(settings, style_hashes)
    app.add_middleware(RequestMiddleware, checks=checks, trust_proxy=settings.trust_proxy, on_response=on_response)
    return checks


class RequestChecks:
    """The checks of requests, and the headers of responses."""

    def __init__(self, settings: Settings, style_hashes: Iterable[str] = ()) -> None:
        self.origin = OriginCheck(settings.public_url)
        self._session_cookie = SessionCookie(settings.public_url, settings.session_days)
        self._security_headers = SecurityHeaders(style_hashes, secure=is_secure(settings.public_url))

    @staticmethod
    def check_address(scope: Scope) -> None:
        """Raise BadInput if an address contains the NUL character, which PostgreSQL cannot store."""
        if "\0" in scope["path"] or b"%00" in scope.get("query_string", b""):
            raise BadInput("An address must not contain the NUL character.")

    def session_headers(self, scope: Scope) -> list[tuple[bytes, bytes]]:
        """Return the headers that renew the session cookie in the response to a request, if it is to be renewed."""
        start: Message = {"headers": []}
        self._session_cookie.add_to(start, scope.setdefault("state", {}))
        return list(start["headers"])

    def complete(self, start: Message, scope: Scope) -> Message:
        """Return the start message of a response to a request, with all headers."""
        self._session_cookie.add_to(start, scope.setdefault("state", {}))
        make_redirect_relative(start)
        return self._security_headers.complete(start, scope["path"])


class RequestMiddleware:
    """The outermost middleware: checks and logs every request, and completes the headers of every response.

    One middleware does all of it, because each layer would cost several calls for every message. After each response
    `on_response` is called with the method, the route, the status and the seconds it took, which are None for a stream.
    """

    def __init__(
        self, app: ASGIApp, checks: RequestChecks, *, trust_proxy: bool = False, on_response: OnResponse | None = None
    ) -> None:
        self.app = app
        self.checks = checks
        self.trust_proxy = trust_proxy
        self.on_response = on_response

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        if scope["type"] == "lifespan":
            await self._run_lifespan(scope, receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _run_lifespan(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run startup and shutdown; log failures here instead of leaving that to Uvicorn."""

        async def send_wrapper(message: Message) -> None:
            await send({"type": message["type"]} if message["type"].endswith(".failed") else message)

        try:
            await self.app(scope, receive, send_wrapper)
        except Exception:
            log.exception("could not start or stop")
            raise

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        request_id, failure, started_at = self._request_id(scope), None, time.perf_counter()
        sender = ResponseSender(self.checks, scope, send, request_id)
        if has_long_body(scope):
            receive = sender.note_end_of(receive)
        with structlog.contextvars.bound_contextvars(request=request_id):
            try:
                await self._check_and_run(scope, receive, sender)
            except Exception as fault:  # noqa: BLE001 - the last handler, which logs it
                failure = fault
                if not sender.status:  # else it is too late for another response, and Uvicorn closes the connection
                    await _respond_to_fault(scope)(scope, receive, sender)
            finally:
                self._finish(scope, sender, time.perf_counter() - started_at, failure)

    def _request_id(self, scope: Scope) -> str:
        given = read_header(scope, b"x-request-id") if self.trust_proxy else ""
        return given if REQUEST_ID.fullmatch(given) else token_hex(8)

    async def _check_and_run(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self.checks.check_address(scope)
            if scope["method"] not in SAFE_METHODS:
                self.checks.origin.check(HTTPConnection(scope))
        except RealmtableError as refusal:
            await to_problem(refusal).response()(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    def _finish(self, scope: Scope, sender: ResponseSender, seconds: float, failure: Exception | None) -> None:
        """Count and log a request that was answered."""
        method, route = request_method(scope), route_template(scope)
        if self.on_response is not None:
            self.on_response(method, route, sender.status or 500, None if sender.is_stream else seconds)
        is_quiet = sender.is_stream or route.startswith(QUIET_ROUTES)
        level = logging.ERROR if failure else logging.DEBUG if is_quiet else logging.INFO
        facts = {"method": method, "route": route, "status": sender.status, "ms": round(seconds * 1000, 1)}
        table = (scope.get("path_params") or {}).get("table_id")
        if table and sender.status < HTTPStatus.BAD_REQUEST:  # an id that exists is ours, not arbitrary user input
            facts["table"] = table
        log.log(level, "stream" if sender.is_stream else "request", **facts, exc_info=failure)


def _respond_to_fault(scope: Scope) -> Response:
    """Return the response to a fault; as JSON if even the page that says so fails."""
    problem = internal_problem()
    try:
        return respond(Request(scope), problem)
    except Exception:
        log.exception("error page failed")
        return problem.response()


class ResponseSender:
    """Sends a response after completing its headers, and remembers its status and whether it is an event stream."""

    def __init__(self, checks: RequestChecks, scope: Scope, send: Send, request_id: str) -> None:
        self.status = 0
        self.is_stream = False
        self._checks, self._scope, self._send, self._request_id = checks, scope, send, request_id
        self._lacks_long_body = False

    def note_end_of(self, receive: Receive) -> Receive:
        """Tell the client that the connection ends, unless its long body has been read before the response begins."""
        self._lacks_long_body = True

        async def receive_and_note() -> Message:
            message = await receive()
            self._lacks_long_body = message.get("more_body", False)
            return message

        return receive_and_note

    async def __call__(self, message: Message) -> None:
        """Send one message of the response."""
        if message["type"] == "http.response.start":
            self.status = int(message["status"])
            message = self._checks.complete(message, self._scope)
            message["headers"].append((b"x-request-id", self._request_id.encode()))
            if self._lacks_long_body:
                message["headers"].append((b"connection", b"close"))
            content_type = Headers(raw=message["headers"]).get("content-type", "")
            self.is_stream = content_type.startswith("text/event-stream")
        await self._send(message)


class OriginCheck:
    """Refuses changes requested by pages of other sites.

    A request that changes something must come from our own origin, if the browser names one. With a session cookie it
    must also carry that session's CSRF token. Requests with a bearer token are exempt: pages of other sites cannot send
    one, and the cookie is ignored.
    """

    def __init__(self, public_url: str) -> None:
        self._public_url = public_url
        self._ours = _own_origins(public_url)
        self._foreign_message = f"This request came from another site; open {public_url} instead."

    def check(self, connection: HTTPConnection) -> None:
        """Raise NotAllowed if a page of another site may have sent a request that changes something."""
        if bearer_token(connection.scope) is not None:
            return
        if not self._is_same_origin(connection.scope):
            raise NotAllowed(self._foreign_message)
        if not self._has_csrf_token(connection):
            raise NotAllowed("This page is out of date; reload it.")

    def check_socket(self, connection: HTTPConnection) -> None:
        """Raise NotAllowed unless a page of ours, or a program with a token, opens a socket.

        Browsers send the cookie with sockets that pages of other sites open, but no page can send a CSRF token.
        """
        if bearer_token(connection.scope) is not None:
            return
        if find_header(connection.scope, b"origin") is None or not self._is_same_origin(connection.scope):
            raise NotAllowed(self._foreign_message)

    def _is_same_origin(self, scope: Scope) -> bool:
        if find_header(scope, b"sec-fetch-site") not in {None, "same-origin", "none"}:
            return False
        origin = find_header(scope, b"origin")
        return origin is None or _origin(origin) in self._ours

    def _has_csrf_token(self, connection: HTTPConnection) -> bool:
        session = session_cookie(connection, self._public_url)
        given = read_header(connection.scope, CSRF_KEY)
        # As bytes: compare_digest rejects strings that are not ASCII.
        return session is None or hmac.compare_digest(csrf_token(session).encode(), given.encode())


def _own_origins(public_url: str) -> Collection[Origin]:
    """Return our origin; a loopback host counts under each of its names."""
    origin = _origin(public_url)
    if origin is None:
        raise ValueError(f"not an origin: {public_url}")
    scheme, host, port = origin
    hosts = LOOPBACK if host in LOOPBACK else {host}
    return {(scheme, name, port) for name in hosts}


def _origin(text: str) -> Origin | None:
    try:
        parts = urlsplit(text)
        port = parts.port or DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname else None
