"""A guest's browser, as far as requests are concerned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import orjson

from bench.server.http_client import ConnectionPool, RequestFailed, Response


@dataclass(eq=False)
class Session:
    """A guest's browser: its connections, its cookie, and the CSRF token that goes with it."""

    pool: ConnectionPool
    cookie: str = ""
    csrf: str = ""

    def headers(self) -> dict[str, str]:
        """Return the headers that a browser sends with every request."""
        known = {"cookie": self.cookie, "x-csrf-token": self.csrf} if self.cookie else {}
        return {"origin": self.pool.origin, "content-type": "application/json", **known}

    def store_session(self, answer: Response) -> None:
        """Store the session if a response opened one."""
        if "set-cookie" in answer.headers:
            self.cookie = answer.headers["set-cookie"].partition(";")[0]
            self.csrf = answer.headers["x-csrf-token"]

    async def post(self, path: str, body: Any) -> Response:  # noqa: ANN401 - plain data
        """Send a POST and return the response; raise `RequestFailed` if it is refused."""
        answer = await self.pool.send("POST", path, self.headers(), orjson.dumps(body))
        self.store_session(answer)
        if answer.status not in (200, 201):
            code = "?" if answer.headers.get("content-type") != "application/json" else _error_code(answer.body)
            raise RequestFailed(f"refused with {answer.status}, {code}")
        return answer


def _error_code(body: bytes) -> str:
    return str(orjson.loads(body).get("error", {}).get("code", "?"))
