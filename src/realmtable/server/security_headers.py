"""The headers that restrict what browsers do with our pages, and redirects that cannot leave this site."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from http import HTTPStatus
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.types import Message

DOCUMENT_HEADERS = frozenset({b"permissions-policy", b"cross-origin-opener-policy"})  # they mean nothing elsewhere


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
    headers = MutableHeaders(scope=start)
    if "location" in headers:
        headers["location"] = own_path(headers["location"])


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
