"""The page that scores a hand from a game played with real cards. It works without scripts, with links and one form.

The address contains all choices, so every sheet can be shared. With scripts the page loads only the sheet.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import quote

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import RedirectResponse

from realmtable.engine import registry
from realmtable.engine.errors import BadInput, RealmtableError
from realmtable.kit.calculators import AnyHandScorer, first_game_with_battles, first_game_with_hands
from realmtable.server.api.scores import advise, score_for
from realmtable.server.request_bounds import BoundedRoute, declare_bounds
from realmtable.server.site.static_files import make_response
from realmtable.server.site.templates import HTML, Visit, VisitDep, fragment
from realmtable.server.study import battle_chances, hand_scores
from realmtable.server.study.hand_scores import Round

router = APIRouter(route_class=BoundedRoute, include_in_schema=False)

Text = Annotated[str, Query(max_length=2000)]
Texts = Annotated[list[Annotated[str, Query(max_length=200)]], Query(max_length=30)]
Target = Literal["hand", "discard"]
Seats = Annotated[int, Query(ge=2, le=6)]
DEFAULT_SEATS = 4


class SheetQuery(NamedTuple):
    """The parameters of an address, as written."""

    hand: str
    discard: str
    choose: list[str]
    option: list[str]
    to: Target  # where a selected card goes
    advise: bool = False  # whether advice is requested
    seats: int = DEFAULT_SEATS
    taken: str = ""  # cards that others are known to hold

    def address(self, game: str) -> str:
        """Return the address of this sheet, without empty parameters."""
        pairs = [("hand", self.hand), ("discard", self.discard), *(("choose", text) for text in self.choose)]
        pairs += [("option", text) for text in self.option] + [("to", "discard" if self.to == "discard" else "")]
        pairs += [("advise", "on"), ("seats", str(self.seats)), ("taken", self.taken)] if self.advise else []
        query = "&".join(f"{key}={quote(text, safe=',=:')}" for key, text in pairs if text)
        return f"/score/{game}" + (f"?{query}" if query else "")


async def read_query(  # noqa: PLR0913 - one for each query parameter
    *,
    hand: Text = "",
    discard: Text = "",
    choose: Texts = [],  # noqa: B006 - FastAPI copies it
    option: Texts = [],  # noqa: B006 - FastAPI copies it
    to: Target = "hand",
    advise: Literal["on", ""] = "",
    seats: Seats = DEFAULT_SEATS,
    taken: Text = "",
) -> SheetQuery:
    """Dependency: the parsed query parameters."""
    chosen, options = [text for text in choose if text], [text for text in option if text]
    return SheetQuery(hand, discard, chosen, options, to, bool(advise), seats, taken)


SheetQueryDep = Annotated[SheetQuery, Depends(read_query)]


@router.get("/score")
@declare_bounds(1)
async def first_page(request: Request) -> Response:
    """Redirect to the page of the first game that has a scorer."""
    return _redirect(request, f"/score/{first_game_with_hands()}")


def _redirect(request: Request, path: str) -> Response:
    return RedirectResponse(f"{path}?{request.url.query}" if request.url.query else path, 303)


@router.get("/score/{game}")
@declare_bounds(20, runs_in="worker")
async def score_page(visit: VisitDep, game: str, asked: SheetQueryDep, toggle: Text = "") -> Response:
    """Show all cards, and the score sheet of the selected ones."""
    scorer = hand_scores.scorer(game)
    if toggle:
        return RedirectResponse(toggle_card(scorer, asked, toggle).address(game), 303)
    context = await sheet_context(visit, game, asked)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if context["error"] else HTTPStatus.OK
    context |= {"game": registry.info(game), "tiles": scorer.card_tiles(), "rulings": ruling_choices(scorer, asked)}
    return visit.page("score.html", status, **context)


@router.get("/score/{game}/sheet")
@declare_bounds(10, runs_in="worker")
async def sheet_fragment(visit: VisitDep, game: str, asked: SheetQueryDep) -> Response:
    """Return only the score sheet, for the page's script."""
    context = await sheet_context(visit, game, asked)
    html = fragment(
        "score_sheet.html", game=registry.info(game), tiles=hand_scores.scorer(game).card_tiles(), **context
    )
    response = make_response(visit.request, html.encode(), HTML)
    response.headers["cache-control"] = "no-store"
    return response


def ruling_choices(scorer: AnyHandScorer, asked: SheetQuery) -> list[dict[str, Any]]:
    """Return the rule options with their values as query parameters; the default value is an empty parameter."""
    rulings = []
    for option in scorer.scoring_options():
        values = ("on", "off") if option.type == "switch" else option.choices
        default = ("off", "on")[option.default] if isinstance(option.default, bool) else option.default
        pairs = [("" if value == default else f"{option.name}={value}", value) for value in values]
        chosen = next((pair for pair, _ in pairs if pair in asked.option), "")
        rulings.append({**option._asdict(), "ways": pairs, "chosen": chosen})
    return rulings


def toggle_card(scorer: AnyHandScorer, asked: SheetQuery, name: str) -> SheetQuery:
    """Return the query after a card was selected or deselected; this resets the choices."""
    hand, discard = scorer.list_known_cards(asked.hand), scorer.list_known_cards(asked.discard)
    card = next(iter(scorer.list_known_cards(name)), "")
    if card in hand or card in discard:
        hand, discard = ([each for each in cards if each != card] for cards in (hand, discard))
    elif card:
        (discard if asked.to == "discard" else hand).append(card)
    return asked._replace(hand=",".join(hand), discard=",".join(discard), choose=[], advise=False)


async def sheet_context(visit: Visit, game: str, asked: SheetQuery) -> dict[str, Any]:
    """Return the context of the sheet's template: the scored hand, or what is wrong with it."""
    scorer = hand_scores.scorer(game)
    common: dict[str, Any] = {"asked": asked, "sheet": None, "error": "", "address": asked.address(game)}
    common |= {"advice": None, "no_advice_reason": ""}
    common |= {"hand": scorer.list_known_cards(asked.hand), "discard": scorer.list_known_cards(asked.discard)}
    if not asked.hand.strip(" ,;\r\n\t"):
        return common
    try:
        question = await asyncio.to_thread(scorer.read, asked.hand, asked.discard, asked.choose, asked.option)
        sheet = await score_for(visit.services, visit.requester, game, question)
    except BadInput as error:
        return common | {"error": str(error)}
    texts = asked._replace(
        hand=",".join(sheet["hand"]),
        discard=",".join(sheet["discard"]),
        choose=sheet["choose"],
        option=sheet["options"],
        to="hand",
        taken=",".join(scorer.list_known_cards(asked.taken)),
    )
    common |= {"sheet": sheet, "hand": sheet["hand"], "discard": sheet["discard"], "address": texts.address(game)}
    if asked.advise:
        others = Round(asked.seats, asked.taken)
        try:
            common["advice"] = await advise(visit.services, visit.requester, game, question, others)
        except RealmtableError as error:  # which does not affect the score
            common["no_advice_reason"] = str(error)
    return common


BattleText = Annotated[str, Query(max_length=battle_chances.MAX_LENGTH)]


@router.get("/battle")
@declare_bounds(1)
async def first_battle_page(request: Request) -> Response:
    """Redirect to the page of the first game that has battles."""
    return _redirect(request, f"/battle/{first_game_with_battles()}")


@router.get("/battle/{game}")
@declare_bounds(20, runs_in="worker")
async def battle_page(visit: VisitDep, game: str, battle: BattleText = "") -> Response:
    """Show the form, and the chances of the battle in the address."""
    calculator = battle_chances.calculator(game)
    context: dict[str, Any] = {"game": registry.info(game), "battle": battle, "report": None, "error": ""}
    context |= {"how_to_write": calculator.how_to_write, "examples": calculator.examples}
    if battle.strip():
        await visit.services.limits.check("think", visit.requester.key)
        try:
            calculator.read(battle)  # a mistake is reported without waiting for a worker
            queue = visit.services.search_queue
            context["report"] = await battle_chances.calculate_battle(queue, game, battle, visit.requester)
        except BadInput as error:
            context["error"] = str(error)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if context["error"] else HTTPStatus.OK
    return visit.page("battle.html", status, **context)
