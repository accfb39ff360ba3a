"""Guests with different addresses. The server must be started with `trust_proxy` on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import orjson

from bench.server.http_client import ConnectionPool, RequestFailed, Response, Stream, open_stream
from bench.server.session import Session

ATTACKER = "192.0.2.1"  # documentation addresses, sent in X-Forwarded-For
BYSTANDER = "198.51.100.7"


@dataclass(eq=False)
class Guest(Session):
    """A guest's browser at an address."""

    address: str = BYSTANDER

    @classmethod
    def at(cls, url: str, address: str) -> Guest:
        """Create a guest of the server at this URL."""
        return cls(ConnectionPool(*host_and_port(url)), address=address)

    def headers(self) -> dict[str, str]:
        """Return the headers that a proxy would send."""
        return {**super().headers(), "x-forwarded-for": self.address}

    async def send(self, method: str, path: str, body: Any = None) -> Response:  # noqa: ANN401 - plain data
        """Send a request and return the response, even if it is a refusal."""
        data = b"" if body is None else orjson.dumps(body)
        answer = await self.pool.send(method, path, self.headers(), data)
        self.store_session(answer)
        return answer

    async def request_json(self, method: str, path: str, body: Any = None) -> Any:  # noqa: ANN401 - plain data
        """Send a request and return its JSON; raise `RequestFailed` if it is refused."""
        answer = await self.send(method, path, body)
        if answer.status >= 300:
            raise RequestFailed(f"{method} {path} was refused with {answer.status}: {answer.body[:200]!r}")
        return orjson.loads(answer.body)

    async def watch(self, path: str) -> Stream:
        """Open a stream; raise `RequestFailed` if it is refused."""
        headers = {**self.headers(), "connection": "close"}  # so that the end of the stream is seen
        return await open_stream(self.pool, path, headers, lambda *_: None, lambda _: None)


def host_and_port(url: str) -> tuple[str, int]:
    """Return a local server's host and port."""
    parts = urlsplit(url)
    if parts.hostname not in ("127.0.0.1", "localhost", "::1"):
        raise RequestFailed("attacks are limited to servers on this machine")
    return parts.hostname, parts.port or 80
