"""Heads of requests that a connection has sent before, so that they need not be parsed and checked again.

A browser sends the same lines with every move at a table; only the length of the body differs. What follows from the
lines alone, such as the route, the origin and the session token, is then known. Whether the session is still valid
is not, and must be checked for each request.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from starlette.types import ASGIApp, Scope

MAX_BYTES: Final = 8 * 1024  # of a request whose head is cached
MAX_HEADS: Final = 8  # per connection; a proxy sends those of several clients
MAX_DIGITS: Final = 4  # of the length of a body; every route accepts that much
LENGTH: Final = re.compile(rb"\r\ncontent-length: ?([0-9]{1,4})(?=\r\n)", re.IGNORECASE)
# With these, requests with equal heads may differ in more than their bodies, or in how a body is read.
# A proxy that numbers requests sends a different head each time.
UNUSUAL_HEADERS: Final = frozenset({b"expect", b"transfer-encoding", b"upgrade", b"trailer", b"te", b"x-request-id"})
FACTS: Final = ("type", "asgi", "http_version", "server", "client", "scheme", "root_path", "method", "path", "raw_path")
WHOLE_BODY: Final = "realmtable.whole_body"  # in the scope of a request with a cached head: its body


class CachedRequestHead(NamedTuple):
    """A head, split where the length of the body is written."""

    before: bytes
    after: bytes  # up to the body
    facts: dict[str, Any]  # of the scope, apart from the headers and the state
    headers: list[tuple[bytes, bytes]]  # without the length of the body
    app: ASGIApp  # handles requests with this head

    def body_in(self, data: bytes) -> bytes | None:
        """Return the body if `data` is one whole request with this head."""
        if not data.startswith(self.before):
            return None
        start = len(self.before)
        end = data.find(b"\r\n", start, start + MAX_DIGITS + 2)
        if end < 0 or not data.startswith(self.after, end):
            return None
        body, length = data[end + len(self.after) :], data[start:end]
        return body if length.isdigit() and int(length) == len(body) else None

    def make_scope(self, body: bytes, state: dict[str, Any]) -> Scope:
        """Return the scope of a request with this head."""
        headers = [*self.headers, (b"content-length", b"%d" % len(body))]
        return {**self.facts, "headers": headers, "state": state, WHOLE_BODY: body}


def read_cacheable_head(data: bytes, scope: Scope, app: ASGIApp) -> CachedRequestHead | None:
    """Return the head of the request `data`, which was parsed to `scope`; None if it cannot be recognised later."""
    end = data.find(b"\r\n\r\n")
    lengths = list(LENGTH.finditer(data, 0, max(0, end) + 2))
    names = [name for name, _ in scope["headers"]]
    if end < 0 or len(lengths) != 1 or names.count(b"content-length") != 1 or not UNUSUAL_HEADERS.isdisjoint(names):
        return None
    start, stop = lengths[0].span(1)
    facts = {name: scope[name] for name in (*FACTS, "query_string")}
    headers = [(name, value) for name, value in scope["headers"] if name != b"content-length"]
    found = CachedRequestHead(data[:start], data[stop : end + 4], facts, headers, app)
    return found if found.body_in(data) is not None else None  # else it is not one whole request


def cache_head(heads: list[CachedRequestHead], head: CachedRequestHead) -> None:
    """Put a head in front of the cached ones of a connection, and forget the oldest if there are too many."""
    others = [cached for cached in heads if cached[:2] != head[:2]]
    heads[:] = [head, *others[: MAX_HEADS - 1]]
