"""Guests who come from addresses of their own: the server must be started with `trust_proxy` on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import orjson

from bench.load_http import Answer, Failed, Lines, Stream, open_stream
from bench.load_play import Session

ATTACKER = "192.0.2.1"  # addresses for documentation, written into X-Forwarded-For
OTHER = "198.51.100.7"


@dataclass(eq=False)
class Guest(Session):
    """A guest's browser at an address."""

    address: str = OTHER

    @classmethod
    def at(cls, url: str, address: str) -> Guest:
        """A guest of the server at this URL."""
        return cls(Lines(*host_and_port(url)), address=address)

    def headers(self) -> dict[str, str]:
        """What a proxy passes on."""
        return {**super().headers(), "x-forwarded-for": self.address}

    async def send(self, method: str, path: str, body: Any = None) -> Answer:  # noqa: ANN401 - plain data
        """The answer to a request, a refusal too."""
        data = b"" if body is None else orjson.dumps(body)
        answer = await self.lines.send(method, path, self.headers(), data)
        self.learn(answer)
        return answer

    async def ask(self, method: str, path: str, body: Any = None) -> Any:  # noqa: ANN401 - plain data
        """The JSON of an answer; Failed if it is a refusal."""
        answer = await self.send(method, path, body)
        if answer.status >= 300:
            raise Failed(f"{method} {path} was refused with {answer.status}: {answer.body[:200]!r}")
        return orjson.loads(answer.body)

    async def watch(self, path: str) -> Stream:
        """An open stream; Failed if it is refused."""
        headers = {**self.headers(), "connection": "close"}  # so that the end of the stream is seen
        return await open_stream(self.lines, path, headers, lambda *_: None, lambda _: None)


def host_and_port(url: str) -> tuple[str, int]:
    """Where a server listens."""
    parts = urlsplit(url)
    if parts.hostname not in ("127.0.0.1", "localhost", "::1"):
        raise Failed("attacks are for servers on this machine")
    return parts.hostname, parts.port or 80
