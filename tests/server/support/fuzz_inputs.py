"""Malformed requests (bodies, headers and texts), and a way to send them straight into the app."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any, Final

from hypothesis import strategies as st
from starlette.types import ASGIApp, Message


@dataclass(frozen=True)
class RawRequest:
    """A request as the app gets it, whatever a client may send."""

    method: str
    path: str
    query: bytes = b""
    headers: tuple[tuple[bytes, bytes], ...] = ()
    body: bytes = b""


async def send_raw(app: ASGIApp, request: RawRequest) -> tuple[int, bytes]:
    """Send a request and return the status and body of the answer; of a stream, only the beginning."""
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": "http",
        "path": request.path,
        "raw_path": request.path.encode("utf-8", "replace"),
        "query_string": request.query,
        "root_path": "",
        "headers": list(request.headers),
        "server": ("127.0.0.1", 80),
        "client": ("127.0.0.1", 1),
        "state": {},
    }
    status, body, endless, gone = 0, b"", False, asyncio.Event()
    messages = [{"type": "http.request", "body": request.body, "more_body": False}]

    async def receive() -> Message:
        if messages:
            return messages.pop()
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        nonlocal status, body, endless
        status = message.get("status", status)
        body += message.get("body", b"")
        endless |= any(value.startswith(b"text/event-stream") for _, value in message.get("headers", ()))
        if endless and body:
            gone.set()

    await app(scope, receive, send)
    return status, body


ODD_TEXTS: Final = (
    "",
    "\x00",
    "a\x00b",
    "\ud800",
    "\udfff\ud800",
    "\u202e\u0000\uffff",
    "🂡" * 400,
    "a" * 70_000,
    "../../../etc/passwd",
    "..%2f..%2fetc",
    "%00%ff%zz",
    "'; DROP TABLE events; --",
    "{{7*7}}${7*7}",
    "-1",
    "0",
    "4",
    "1e400",
    "NaN",
    "٣",
    "²",
    "9" * 4_299,
    "9" * 5_000,
    "None",
    "null",
    "true",
)
odd_text = st.sampled_from(ODD_TEXTS) | st.text(max_size=20)
odd_value: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.integers(-(10**400), 10**400) | st.floats() | odd_text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(odd_text, inner, max_size=3),
    max_leaves=5,
)
RAW_BODIES: Final = (
    b"",
    b"null",
    b"[]",
    b"{}",
    b'""',
    b"\xff\xfe\x00",
    b"\xef\xbb\xbf{}",
    b"[" * 60_000,
    b'{"a":' * 10_000,
    b"9" * 60_000,
    b"1e99999",
    b"-Infinity",
    b'{"move": "\\ud800", "version": 1}',
    b'{"version": 1, "version": 2, "move": "a"}',
    b'{"text": "\x00"}',
    "{}".encode("utf-16"),
    "{}".encode("utf-32"),
    b"{" + b"\x00" * 100 + b"}",
    b"a" * 65_537,
)
# What bodies of ours hold, so that some go deep; odd values take the place of any.
FIELDS: Final[dict[str, tuple[Any, ...]]] = {
    "version": (1, 4, 6, 10, 2**31 - 1),
    "move": ("1", "roll", "Bh11", "hold", "Ba1,Bb2", "1,x", "-", "=", "()"),
    "key": ("k", "k:1"),
    "seat": (0, 1, 15),
    "what": ("draw", "takeback", "win"),
    "accept": (True, False),
    "text": ("hello", "Game: realm\n\n1. Bh11", "Game: classic_realm\n\n"),
    "game": ("realm", "classic_realm", "secret_cards", "dice_duel", "chess"),
    "seats": (["me", "open"], ["me", "bot:random"], ["me"] * 16, ["open", "open"]),
    "preset": ("original", "standard"),
    "options": ({}, {"bases": 3}, {"bases": 10**30}, {"hand": 2}),
    "position": ("W:Bh11 B:Bh2 move=W", "1::123//0+456//0:", "1-0-0-0-0-0:0-0::"),
    "record": ("Game: realm\n\n1. Bh11", "Game: x"),
    "after": (0, 1, 99_999),
    "clock": (
        {"kind": "move", "seconds": 90},
        {"kind": "game", "seconds": 50, "increment_s": 1e-300},
        {"kind": "days"},
    ),
    "rated": (True, False),
    "moves": ([], ["Bh11"], ["x"] * 400, ["x"] * 401),
    "name": ("Ada", "Bo", "a" * 24),
    "password": ("long enough to pass", "short"),
    "token": ("rt_none", "x" * 300),
    "label": ("my bot",),
}


@st.composite
def bodies(draw: st.DrawFn, wanted: tuple[str, ...]) -> bytes:
    """Draw a body: nonsense, or the wanted fields with odd values among them."""
    if draw(st.integers(0, 3)) == 0:
        return draw(st.sampled_from(RAW_BODIES) | st.binary(max_size=60))
    known = {name: draw(st.sampled_from(FIELDS[name])) for name in wanted if name in FIELDS and draw(st.integers(0, 4))}
    odd = {name: draw(odd_value) for name in wanted if draw(st.integers(0, 3)) == 0}
    return json.dumps(known | odd).encode()


JSON_TYPE: Final = (b"content-type", b"application/json")
ODD_HEADERS: Final = (
    JSON_TYPE,
    (b"content-type", b"application/json; charset=utf-16"),
    (b"content-type", b"application/x-www-form-urlencoded"),
    (b"content-type", b"multipart/form-data"),
    (b"content-type", b"multipart/form-data; boundary=\xff"),
    (b"content-type", b"text/plain"),
    (b"content-type", b"\xff/\x80; ==;"),
    (b"content-length", b"-5"),
    (b"content-length", b"9" * 5_000),
    (b"content-length", b"\xb2"),
    (b"last-event-id", b"9" * 5_000),
    (b"last-event-id", b"-1"),
    (b"last-event-id", b"\xb2\xff"),
    (b"last-event-id", b"4"),
    (b"accept", b"text/html"),
    (b"accept", b"\xff" * 200),
    (b"accept-encoding", b"gzip;q=0, br, \xff"),
    (b"accept-encoding", b"gzip"),
    (b"origin", b"null"),
    (b"origin", b"http://[::1"),
    (b"origin", b"http://127.0.0.1:99999999"),
    (b"origin", b"http://\xff\xfe"),
    (b"origin", b"http://127.0.0.1"),
    (b"sec-fetch-site", b"\xff"),
    (b"host", b"["),
    (b"host", b"[::1]:x"),
    (b"host", b"a b\xff"),
    (b"host", b"x" * 70_000),
    (b"host", b""),
    (b"cookie", b"realmtable_session=\xff\xfe"),
    (b"cookie", b"realmtable_session=" + b"x" * 50_000),
    (b"cookie", b"realmtable_session; ;=;==;\x80"),
    (b"cookie", b"realmtable_session=a; realmtable_session=b"),
    (b"cookie", b"realmtable_theme=\xff; realmtable_theme"),
    (b"x-csrf-token", b"\xff\xfe"),
    (b"authorization", b"Bearer"),
    (b"authorization", b"Bearer \xff\xfe"),
    (b"authorization", b"Bearer " + b"x" * 60_000),
    (b"authorization", b"Basic \xff"),
    (b"x-forwarded-for", b"\xff, 1.2.3"),
    (b"x-request-id", b"\xff" * 100),
    (b"x-odd", b"x" * 100_000),
    (b"if-none-match", b'"\xff'),
    (b"range", b"bytes=9-1"),
    (b"expect", b"100-continue"),
    (b"transfer-encoding", b"chunked"),
)
