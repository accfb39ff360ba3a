"""Checks every request, and completes the headers of every response; plain ASGI, so that streams are not buffered."""

from __future__ import annotations

import hmac
from collections.abc import Collection, Iterable
from urllib.parse import urlsplit

from fastapi import FastAPI
from starlette.requests import HTTPConnection
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
from realmtable.server.error_responses import error_response, fault_response
from realmtable.server.errors import NotAllowed
from realmtable.server.http_protocol import has_long_body
from realmtable.server.logs import find_header, read_header
from realmtable.server.security_headers import SecurityHeaders, make_redirect_relative
from realmtable.server.settings import Settings

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
DEFAULT_PORTS = {"http": 80, "https": 443}
CSRF_KEY = CSRF_HEADER.lower().encode()

Origin = tuple[str, str, int | None]  # scheme, host, port


def install_middleware(app: FastAPI, settings: Settings, style_hashes: Iterable[str] = ()) -> RequestChecks:
    """Add the middleware of this module, and return its checks. Call this once, after all routes were added."""
    checks = RequestChecks(settings, style_hashes)
    app.add_middleware(RequestMiddleware, checks=checks)
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
    """Checks every request, and completes the headers of every response.

    One middleware does all of it, because each layer would cost several calls for every message.
    """

    def __init__(self, app: ASGIApp, checks: RequestChecks) -> None:
        self.app = app
        self.checks = checks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        sender = CompleteSender(self.checks, scope, send)
        if has_long_body(scope):
            receive = sender.note_end_of(receive)
        try:
            self.checks.check_address(scope)
            if scope["method"] not in SAFE_METHODS:
                self.checks.origin.check(HTTPConnection(scope))
        except RealmtableError as refusal:
            await error_response(refusal)(scope, receive, sender)
            return
        try:
            await self.app(scope, receive, sender)
        except Exception as fault:
            if sender.started:  # too late for another response: close the connection
                raise
            await fault_response(scope, fault)(scope, receive, sender)


class CompleteSender:
    """Sends a response after completing its headers."""

    def __init__(self, checks: RequestChecks, scope: Scope, send: Send) -> None:
        self.started = False
        self._checks, self._scope, self._send = checks, scope, send
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
            self.started = True
            message = self._checks.complete(message, self._scope)
            if self._lacks_long_body:
                message["headers"].append((b"connection", b"close"))
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
