"""What the routers share: how they are made, the services, who sent a request, and which layers they know."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query
from starlette.requests import HTTPConnection, Request

from realmtable.server.accounts.accounts import Player
from realmtable.server.accounts.authentication import ActingPlayer, AnyVisitor
from realmtable.server.accounts.rate_limits import client_address
from realmtable.server.api.models import MAX_KNOWN_LAYERS, LayerKey
from realmtable.server.error_responses import RESPONSES
from realmtable.server.fair_queue import Requester
from realmtable.server.request_bounds import BoundedRoute
from realmtable.server.services import Services

__all__ = [
    "ActingRequesterDep",
    "KnownLayers",
    "RequesterDep",
    "Services",
    "ServicesDep",
    "get_services",
    "make_router",
    "requester_of",
]


def make_router(tag: str | None = None, prefix: str = "/api") -> APIRouter:
    """Return a router whose routes declare their bounds and document their errors."""
    return APIRouter(route_class=BoundedRoute, prefix=prefix, tags=[tag] if tag else None, responses=RESPONSES)


async def get_services(request: Request) -> Services:  # async: plain functions would wait for a thread
    """Dependency: the services of the running server."""
    services: Services = request.app.state.services
    return services


def requester_of(services: Services, connection: HTTPConnection, player: Player | None) -> Requester:
    """Return the person and address behind a request, for fair queues and rate limits."""
    address = client_address(connection, trust_proxy=services.settings.trust_proxy)
    return Requester(address, player.id if player else None)


KnownLayers = Annotated[
    list[LayerKey],
    Query(max_length=MAX_KNOWN_LAYERS, default_factory=list, description="Keys of layers to name without their SVG."),
]
ServicesDep = Annotated[Services, Depends(get_services)]


async def find_requester(request: Request, services: ServicesDep, visitor: AnyVisitor) -> Requester:
    """Dependency: who asks for work."""
    return requester_of(services, request, visitor.player)


async def find_acting_requester(request: Request, services: ServicesDep, me: ActingPlayer) -> Requester:
    """Dependency: the same where an unknown sender becomes a guest."""
    return requester_of(services, request, me)


RequesterDep = Annotated[Requester, Depends(find_requester)]
ActingRequesterDep = Annotated[Requester, Depends(find_acting_requester)]
