"""Identifies the visitor of a page."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from realmtable.server.accounts.authentication import Visitor, visitor


async def page_visitor(request: Request) -> Visitor:
    """Dependency: the visitor of a page, stored in the request so that error pages show the same name."""
    found = await visitor(request)
    request.state.visitor = found
    return found


PageVisitor = Annotated[Visitor, Depends(page_visitor)]
