"""Identifies the visitor of a page."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from realmtable.server.accounts.authentication import Visitor, visitor
from realmtable.server.api.dependencies import ServicesDep


async def identify_visitor(request: Request) -> Visitor:
    """Return the visitor of a page, stored in the request so that error pages show the same name."""
    found = await visitor(request)
    request.state.visitor = found
    return found


async def page_visitor(request: Request, services: ServicesDep) -> Visitor:
    """Dependency: the visitor of a page; the number of games that wait for them is stored in the request."""
    found = await identify_visitor(request)
    if found.player is not None:
        request.state.waiting = await services.store.count_waiting(found.player.id)
    return found


PageVisitor = Annotated[Visitor, Depends(page_visitor)]
