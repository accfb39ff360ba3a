"""What the routers share: where the parts of the running server are found, and a few kinds of answers."""

from __future__ import annotations

from typing import Annotated, Any, Final

import orjson
from fastapi import Depends
from starlette.requests import Request
from starlette.responses import Response

from realmtable.server.accounts.accounts import Player
from realmtable.server.accounts.rate_limits import client_address
from realmtable.server.accounts.sessions import Visitor
from realmtable.server.services import Realm
from realmtable.server.workers.replay_pool import Asker

__all__ = [
    "JSON",
    "SVG_POLICY",
    "Here",
    "Realm",
    "asker_of",
    "plain_text",
    "reader_of",
    "ready_json",
    "realm_of",
    "svg",
]

# A picture that stands alone may style itself, and nothing else.
SVG_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


async def realm_of(request: Request) -> Realm:  # not a plain function: those wait for a thread
    """The running server's parts."""
    realm: Realm = request.app.state.realm
    return realm


Here = Annotated[Realm, Depends(realm_of)]


def asker_of(realm: Realm, request: Request, player: Player | None) -> Asker:
    """Who has work done, for the bounds of each person and address."""
    address = client_address(request, trust_proxy=realm.settings.trust_proxy)
    return Asker(player.id if player else None, address)


async def reader_of(realm: Realm, request: Request, who: Visitor) -> Asker:
    """Who looks at a position or leafs through a game, if not too fast."""
    asker = asker_of(realm, request, who.player)
    await realm.limits.check("moment", asker.key)
    return asker


def JSON(data: Any) -> Response:  # noqa: ANN401, N802 - any plain data; reads like the response class it makes
    """Plain data as an answer, without being checked again."""
    return Response(orjson.dumps(data), media_type="application/json")


def ready_json(data: bytes) -> Response:
    """JSON that was written elsewhere as an answer."""
    return Response(data, media_type="application/json")


def svg(picture: str) -> Response:
    """A picture that stands alone."""
    return Response(picture, media_type="image/svg+xml", headers={"Content-Security-Policy": SVG_POLICY})


def plain_text(text: str, name: str) -> Response:
    """A file to keep."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="text/plain; charset=utf-8", headers=headers)
