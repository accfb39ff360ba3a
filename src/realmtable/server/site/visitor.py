"""Who looks at a page: settled for every page in the same way."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from realmtable.server.accounts.sessions import Visitor, visitor


async def page_visitor(request: Request) -> Visitor:
    """Dependency: who looks at a page; kept with the request so that an error page greets the same person."""
    found = await visitor(request)
    request.state.visitor = found
    return found


PageVisitor = Annotated[Visitor, Depends(page_visitor)]
