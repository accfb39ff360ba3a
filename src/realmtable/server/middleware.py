"""Security middleware, written as plain ASGI so that streams are not buffered."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Collection, Iterable
from http import HTTPStatus
from urllib.parse import urlsplit

from fastapi import FastAPI
from starlette.datastructures import MutableHeaders
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
from realmtable.server.settings import Settings

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
DEFAULT_PORTS = {"http": 80, "https": 443}
CSRF_KEY = CSRF_HEADER.lower().encode()
DOCUMENT_HEADERS = frozenset({b"permissions-policy", b"cross-origin-opener-policy"})  # they mean nothing elsewhere

Origin = tuple[str, str, int | None]  # scheme, host, port


def install_middleware(app: FastAPI, settings: Settings, style_hashes: Iterable[str] = ()) -> SiteChecks:
    """Add the middleware of this module, and return its checks. Call this once, after all routes were added."""
    checks = SiteChecks(settings, style_hashes)
    app.add_middleware(SiteMiddleware, checks=checks)
    return checks


class SiteChecks:
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


class SiteMiddleware:
    """Checks every request, and completes the headers of every response.

    One middleware does all of it, because each layer would cost several calls for every message.
    """

    def __init__(self, app: ASGIApp, checks: SiteChecks) -> None:
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

    def __init__(self, checks: SiteChecks, scope: Scope, send: Send) -> None:
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


def style_hash(style: str) -> str:
    """Return the content security policy hash of a <style> element's text.

    >>> style_hash("")
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
    """
    return f"sha256-{base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()}"


class SecurityHeaders:
    """Restricts pages to our own scripts and styles, and forbids framing and content sniffing.

    A response that sets one of these headers itself, such as a standalone picture, keeps its value.
    """

    def __init__(self, style_hashes: Iterable[str] = (), *, secure: bool = False) -> None:
        headers = {
            "Content-Security-Policy": content_security_policy(style_hashes),
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Referrer-Policy": "same-origin",
            "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
            "Cross-Origin-Opener-Policy": "same-origin",
        } | ({"Strict-Transport-Security": "max-age=31536000"} if secure else {})
        self._headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()]
        self._file_headers = [(name, value) for name, value in self._headers if name not in DOCUMENT_HEADERS]

    def complete(self, start: Message, path: str) -> Message:
        """Return the start message of a response to a request for `path` with the headers that it lacks."""
        given = list(start.get("headers", ()))
        names = {name.lower() for name, _ in given}
        is_file = path.startswith("/static/") and start["status"] == HTTPStatus.OK
        headers = self._file_headers if is_file else self._headers
        ours = (*headers, (b"cache-control", b"no-store" if path.startswith("/api/") else b"private, no-cache"))
        return {**start, "headers": given + [pair for pair in ours if pair[0] not in names]}


def make_redirect_relative(start: Message) -> None:
    """Remove the scheme and host from a redirect, because behind a proxy neither is known for certain.

    All our redirects stay on this site. One built from the request's own URL could lead from https to http, or to the
    host of a forged Host header.
    """
    for name, _ in start.get("headers", ()):
        if name == b"location":
            headers = MutableHeaders(scope=start)
            headers["location"] = own_path(headers["location"])
            return


def own_path(address: str) -> str:
    r"""Return the path and query of an address in a form that no browser mistakes for another host.

    >>> own_path("http://example.org/rules?a=1"), own_path("/tour"), own_path("http://here//evil.example")
    ('/rules?a=1', '/tour', '/evil.example')
    """
    parts = urlsplit(address)
    path = "/" + parts.path.lstrip("/\\")
    return f"{path}?{parts.query}" if parts.query else path


def content_security_policy(style_hashes: Iterable[str] = ()) -> str:
    """Return the policy: only our own content, and no inline code except the pictures' styles, by hash."""
    styles = " ".join(["'self'", *sorted(f"'{digest}'" for digest in set(style_hashes))])
    rules = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": styles,
        "img-src": "'self' data:",
        "font-src": "'self'",
        "connect-src": "'self'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
        "base-uri": "'none'",
        "manifest-src": "'self'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


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
