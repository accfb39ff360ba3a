"""Security middleware, written as plain ASGI so that streams are not buffered."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Collection, Iterable, Mapping
from urllib.parse import urlsplit

from fastapi import FastAPI
from starlette.datastructures import Headers, MutableHeaders
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
from realmtable.server.error_responses import CatchFaults, error_response
from realmtable.server.errors import NotAllowed, TooLarge
from realmtable.server.logs import read_header
from realmtable.server.settings import Settings

KIB = 1024
LARGER_LIMITS: Mapping[str, int] = {"/api/records": 2_000_000, "/api/tables": 2_000_000}
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
DEFAULT_PORTS = {"http": 80, "https": 443}

# One JSON escape: a surrogate pair, a bad one (a lone surrogate or NUL), or any other.
ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<bad>u0000|u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)

Origin = tuple[str, str, int | None]  # scheme, host, port


def install_middleware(app: FastAPI, settings: Settings, style_hashes: Iterable[str] = ()) -> None:
    """Add every middleware of this module in the right order. Call this once, after all routes were added."""
    app.add_middleware(CatchFaults)  # the first one added is the innermost
    app.add_middleware(SessionCookie, public_url=settings.public_url, session_days=settings.session_days)
    app.add_middleware(OriginCheck, public_url=settings.public_url)
    app.add_middleware(BodyLimit)
    app.add_middleware(RelativeRedirects)
    app.add_middleware(SecurityHeaders, style_hashes=style_hashes, secure=is_secure(settings.public_url))


def style_hash(style: str) -> str:
    """Return the content security policy hash of a <style> element's text.

    >>> style_hash("")
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
    """
    return f"sha256-{base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()}"


class BodyLimit:
    """Refuses bodies that are too large or contain text that no database can store.

    The whole body is read before the app runs. JSON allows lone surrogates and the NUL character, which UTF-8 and
    PostgreSQL do not; they are refused here for every route.
    """

    def __init__(self, app: ASGIApp, default: int = 64 * KIB, larger: Mapping[str, int] = LARGER_LIMITS) -> None:
        self.app = app
        self._default, self._larger = default, larger

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        limit = self._larger.get(scope["path"], self._default)
        length = read_header(scope, b"content-length")
        too_large = length.isascii() and length.isdecimal() and int(length[:20]) > limit
        body = None if too_large else await _read_body(receive, limit)
        if body is None:
            message = f"The body is too large; the limit is {limit:,} bytes."
            await _refuse(TooLarge(message), scope, receive, send)
        elif not _is_text(b"".join(part.get("body", b"") for part in body)) or _has_nul(scope):
            message = "Text must be valid UTF-8 without the NUL character."
            await _refuse(BadInput(message), scope, receive, send)
        else:
            await self.app(scope, replay_messages(body, receive), send)


async def _read_body(receive: Receive, limit: int) -> list[Message] | None:
    """Return the messages of the whole body, or until the client disconnects; None if it is over the limit."""
    messages: list[Message] = []
    size, more = 0, True
    while more:
        message = await receive()
        size += len(message.get("body", b""))
        if size > limit:
            return None
        messages.append(message)
        more = bool(message.get("more_body"))
    return messages


def _is_text(body: bytes) -> bool:
    """Whether a body is valid UTF-8 without NUL, also after its JSON escapes are decoded."""
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in body and not (b"\\" in body and any(found["bad"] for found in ESCAPE.finditer(body)))


def _has_nul(scope: Scope) -> bool:
    return "\0" in scope["path"] or b"%00" in scope.get("query_string", b"")


def replay_messages(messages: list[Message], receive: Receive) -> Receive:
    """Return a receive channel that starts with messages already received."""
    received = iter(messages)

    async def replay() -> Message:
        message = next(received, None)
        return await receive() if message is None else message

    return replay


class SecurityHeaders:
    """Restricts pages to our own scripts and styles, and forbids framing and content sniffing.

    A response that sets one of these headers itself, such as a standalone picture, keeps its value.
    """

    def __init__(self, app: ASGIApp, style_hashes: Iterable[str] = (), *, secure: bool = False) -> None:
        self.app = app
        headers = {
            "Content-Security-Policy": content_security_policy(style_hashes),
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Referrer-Policy": "same-origin",
            "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
            "Cross-Origin-Opener-Policy": "same-origin",
        } | ({"Strict-Transport-Security": "max-age=31536000"} if secure else {})
        self._headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        fallback = b"no-store" if scope["path"].startswith("/api/") else b"private, no-cache"

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = list(message.get("headers", ()))
                names = {name.lower() for name, _ in given}
                ours = (*self._headers, (b"cache-control", fallback))
                message = {**message, "headers": given + [pair for pair in ours if pair[0] not in names]}
            await send(message)

        await self.app(scope, receive, with_headers)


class RelativeRedirects:
    """Removes the scheme and host from redirects, because behind a proxy neither is known for certain.

    All our redirects stay on this site. One built from the request's own URL could lead from https to http, or to the
    host of a forged Host header.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""

        async def with_own_path(message: Message) -> None:
            if message["type"] == "http.response.start" and any(name == b"location" for name, _ in message["headers"]):
                headers = MutableHeaders(scope=message)
                headers["location"] = own_path(headers["location"])
            await send(message)

        await self.app(scope, receive, with_own_path)


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

    def __init__(self, app: ASGIApp, public_url: str) -> None:
        self.app = app
        self._public_url = public_url
        self._ours = _own_origins(public_url)
        self._foreign_message = f"This request came from another site; open {public_url} instead."

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        if scope["type"] != "http" or scope["method"] in SAFE_METHODS:
            await self.app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        if bearer_token(connection.headers) is None:
            if not self._is_same_origin(connection.headers):
                await _refuse(NotAllowed(self._foreign_message), scope, receive, send)
                return
            if not self._has_csrf_token(connection):
                await _refuse(NotAllowed("This page is out of date; reload it."), scope, receive, send)
                return
        await self.app(scope, receive, send)

    def _is_same_origin(self, headers: Headers) -> bool:
        if headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
            return False
        origin = headers.get("origin")
        return origin is None or _origin(origin) in self._ours

    def _has_csrf_token(self, connection: HTTPConnection) -> bool:
        session = session_cookie(connection, self._public_url)
        given = connection.headers.get(CSRF_HEADER, "")
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


async def _refuse(error: RealmtableError, scope: Scope, receive: Receive, send: Send) -> None:
    await error_response(error)(scope, receive, send)
