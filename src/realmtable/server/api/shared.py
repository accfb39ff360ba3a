"""Shared by the routers: the services dependency and common kinds of responses."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from functools import lru_cache
from http import HTTPStatus
from types import MappingProxyType
from typing import Annotated, Any, Final, NamedTuple

import orjson
from fastapi import Depends, Query
from starlette.requests import Request
from starlette.responses import Response

from realmtable.server.accounts.accounts import Player
from realmtable.server.accounts.authentication import Visitor
from realmtable.server.accounts.rate_limits import client_address
from realmtable.server.api.models import MAX_KNOWN_LAYERS, LayerKey
from realmtable.server.fair_queue import Requester
from realmtable.server.services import Services

__all__ = [
    "JSON_TYPE",
    "SVG_POLICY",
    "KnownLayers",
    "Reply",
    "Services",
    "ServicesDep",
    "admit_reader",
    "get_services",
    "json_response",
    "layer_response",
    "raw_json_response",
    "requester_of",
    "svg_response",
    "text_file_response",
]

JSON_TYPE: Final = "application/json"
# A standalone picture may contain styles and nothing else.
SVG_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


async def get_services(request: Request) -> Services:  # async: plain functions would wait for a thread
    """Dependency: the services of the running server."""
    services: Services = request.app.state.services
    return services


KnownLayers = Annotated[
    list[LayerKey],
    Query(max_length=MAX_KNOWN_LAYERS, default_factory=list, description="Keys of layers to name without their SVG."),
]
ServicesDep = Annotated[Services, Depends(get_services)]


def requester_of(services: Services, request: Request, player: Player | None) -> Requester:
    """Return the person and address behind a request, for fair queues and rate limits."""
    address = client_address(request, trust_proxy=services.settings.trust_proxy)
    return Requester(address, player.id if player else None)


async def admit_reader(services: Services, request: Request, visitor: Visitor) -> Requester:
    """Check the rate limit for viewing positions; return the requester."""
    requester = requester_of(services, request, visitor.player)
    await services.limits.check("moment", requester.key)
    return requester


class Reply(NamedTuple):
    """An encoded reply to a request; `response` turns it into Starlette's form."""

    body: bytes
    status: int = HTTPStatus.OK
    headers: Mapping[str, str] = MappingProxyType({})

    def response(self) -> Response:
        """Return the reply as a response."""
        return Response(self.body, self.status, dict(self.headers), JSON_TYPE)


def json_response(data: Any) -> Response:  # noqa: ANN401 - any plain data
    """Return a JSON response without validating the data."""
    return Response(orjson.dumps(data), media_type=JSON_TYPE)


def raw_json_response(data: bytes) -> Response:
    """Return a response with encoded JSON."""
    return Response(data, media_type=JSON_TYPE)


def svg_response(picture: str) -> Response:
    """Return a response with a standalone picture."""
    return Response(picture, media_type="image/svg+xml", headers={"Content-Security-Policy": SVG_POLICY})


@lru_cache(maxsize=64)
def _compress(data: bytes) -> bytes:
    return gzip.compress(data, 6, mtime=0)


def layer_response(request: Request, svg: str, *, private: bool) -> Response:
    """Return a response with a layer of a picture, which browsers cache forever, because its key names its content."""
    data, headers = svg.encode(), {"Content-Security-Policy": SVG_POLICY, "Vary": "Accept-Encoding"}
    headers["Cache-Control"] = f"{'private' if private else 'public'}, max-age=31536000, immutable"
    if "gzip" in request.headers.get("accept-encoding", ""):
        data = _compress(data)
        headers["Content-Encoding"] = "gzip"
    return Response(data, media_type="image/svg+xml", headers=headers)


def text_file_response(text: str, name: str) -> Response:
    """Return a response that downloads a text file."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="text/plain; charset=utf-8", headers=headers)
