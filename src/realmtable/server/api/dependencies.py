"""Dependencies of several routers: the services, who sent a request, and which layers they know."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query
from starlette.requests import HTTPConnection, Request

from realmtable.server.accounts.accounts import Player
from realmtable.server.accounts.rate_limits import client_address
from realmtable.server.api.models import MAX_KNOWN_LAYERS, LayerKey
from realmtable.server.fair_queue import Requester
from realmtable.server.services import Services

__all__ = [
    "KnownLayers",
    "Services",
    "ServicesDep",
    "get_services",
    "requester_of",
]


async def get_services(request: Request) -> Services:  # async: plain functions would wait for a thread
    """Dependency: the services of the running server."""
    services: Services = request.app.state.services
    return services


KnownLayers = Annotated[
    list[LayerKey],
    Query(max_length=MAX_KNOWN_LAYERS, default_factory=list, description="Keys of layers to name without their SVG."),
]
ServicesDep = Annotated[Services, Depends(get_services)]


def requester_of(services: Services, request: HTTPConnection, player: Player | None) -> Requester:
    """Return the person and address behind a request, for fair queues and rate limits."""
    address = client_address(request, trust_proxy=services.settings.trust_proxy)
    return Requester(address, player.id if player else None)
