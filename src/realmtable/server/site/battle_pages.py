"""The page that calculates a battle. It works without scripts: one form, and examples to follow as links.

The address contains the battle, so every result can be shared.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse

from realmtable.engine import registry
from realmtable.engine.errors import BadInput
from realmtable.server.api.dependencies import ServicesDep, requester_of
from realmtable.server.api.scores import rate_limit_key
from realmtable.server.request_bounds import BoundedRoute, declare_bounds
from realmtable.server.site.templates import page
from realmtable.server.site.visitor import PageVisitor
from realmtable.server.study import battle_chances

router = APIRouter(route_class=BoundedRoute, include_in_schema=False)

BattleText = Annotated[str, Query(max_length=battle_chances.MAX_LENGTH)]


@router.get("/battle")
@declare_bounds(1)
async def first_page(request: Request) -> Response:
    """Redirect to the page of the first game that has battles."""
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"/battle/{battle_chances.first_game()}{query}", 303)


@router.get("/battle/{game}")
@declare_bounds(20, runs_in="worker")
async def battle_page(
    request: Request, services: ServicesDep, visitor: PageVisitor, game: str, battle: BattleText = ""
) -> Response:
    """Show the form, and the chances of the battle in the address."""
    calculator = battle_chances.calculator(game)
    context: dict[str, Any] = {"game": registry.info(game), "battle": battle, "report": None, "error": ""}
    context |= {"how_to_write": calculator.how_to_write, "examples": calculator.examples}
    if battle.strip():
        await services.limits.check("think", rate_limit_key(services, request, visitor))
        try:
            calculator.read(battle)  # a mistake is reported without waiting for a worker
            requester = requester_of(services, request, visitor.player)
            context["report"] = await battle_chances.calculate_battle(services.search_queue, game, battle, requester)
        except BadInput as error:
            context["error"] = str(error)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if context["error"] else HTTPStatus.OK
    return page(request, visitor, "battle.html", status, **context)
