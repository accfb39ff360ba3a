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
from realmtable.server.services import Services
from realmtable.server.workers.replay_pool import Asker

__all__ = [
    "SVG_POLICY",
    "Services",
    "ServicesDep",
    "admit_reader",
    "asker_of",
    "get_services",
    "json_response",
    "raw_json_response",
    "svg_response",
    "text_file_response",
]

# A picture that stands alone may style itself, and nothing else.
SVG_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


async def get_services(request: Request) -> Services:  # not a plain function: those wait for a thread
    """The running server's parts."""
    services: Services = request.app.state.services
    return services


ServicesDep = Annotated[Services, Depends(get_services)]


def asker_of(services: Services, request: Request, player: Player | None) -> Asker:
    """Who has work done, for the bounds of each person and address."""
    address = client_address(request, trust_proxy=services.settings.trust_proxy)
    return Asker(player.id if player else None, address)


async def admit_reader(services: Services, request: Request, who: Visitor) -> Asker:
    """Who looks at a position or leafs through a game, if not too fast."""
    asker = asker_of(services, request, who.player)
    await services.limits.check("moment", asker.key)
    return asker


def json_response(data: Any) -> Response:  # noqa: ANN401 - any plain data
    """Plain data as an answer, without being checked again."""
    return Response(orjson.dumps(data), media_type="application/json")


def raw_json_response(data: bytes) -> Response:
    """JSON that was written elsewhere as an answer."""
    return Response(data, media_type="application/json")


def svg_response(picture: str) -> Response:
    """A picture that stands alone."""
    return Response(picture, media_type="image/svg+xml", headers={"Content-Security-Policy": SVG_POLICY})


def text_file_response(text: str, name: str) -> Response:
    """A file to keep."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="text/plain; charset=utf-8", headers=headers)
