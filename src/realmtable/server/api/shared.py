"""What the routers share: where the parts of the running server are found, and a few kinds of answers."""

from __future__ import annotations

from typing import Annotated, Any, Final

import orjson
from fastapi import Depends
from starlette.requests import Request
from starlette.responses import Response

from realmtable.server.realm import Realm

__all__ = ["JSON", "SVG_POLICY", "Here", "Realm", "plain_text", "realm_of", "svg"]

# A picture that stands alone may style itself, and nothing else.
SVG_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


async def realm_of(request: Request) -> Realm:  # not a plain function: those wait for a thread
    """The running server's parts."""
    realm: Realm = request.app.state.realm
    return realm


Here = Annotated[Realm, Depends(realm_of)]


def JSON(data: Any) -> Response:  # noqa: ANN401, N802 - any plain data; reads like the response class it makes
    """Plain data as an answer, without being checked again."""
    return Response(orjson.dumps(data), media_type="application/json")


def svg(picture: str) -> Response:
    """A picture that stands alone."""
    return Response(picture, media_type="image/svg+xml", headers={"Content-Security-Policy": SVG_POLICY})


def plain_text(text: str, name: str) -> Response:
    """A file to keep."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="text/plain; charset=utf-8", headers=headers)
