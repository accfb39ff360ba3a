"""The page on which a hand from a real table is scored; it works without scripts, by links and one form.

All that was chosen stands in the address, so every sheet can be shared. With scripts the page asks for the sheet
alone and puts it in place.
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
from realmtable.engine.hand_scoring import AnyHandScorer
from realmtable.server.accounts.sessions import Visitor
from realmtable.server.api.scores import advise_visitor, score_for_visitor
from realmtable.server.api.shared import Services, ServicesDep
from realmtable.server.site.static_files import make_response
from realmtable.server.site.templates import HTML, fragment, page
from realmtable.server.site.visitor import PageVisitor
from realmtable.server.study import hand_scores
from realmtable.server.study.hand_scores import Round

router = APIRouter(include_in_schema=False)

Text = Annotated[str, Query(max_length=2000)]
Texts = Annotated[list[Annotated[str, Query(max_length=200)]], Query(max_length=30)]
Target = Literal["hand", "discard"]
Seats = Annotated[int, Query(ge=2, le=6)]
DEFAULT_SEATS = 4  # how many play, where nobody says


class SheetQuery(NamedTuple):
    """What an address asks for, as it was written."""

    hand: str
    discard: str
    choose: list[str]
    option: list[str]
    to: Target  # where a tapped card goes
    advise: bool = False  # whether it asks what to do next
    seats: int = DEFAULT_SEATS
    taken: str = ""  # cards that others are known to hold

    def address(self, game: str) -> str:
        """The address of this sheet, without what is empty."""
        pairs = [("hand", self.hand), ("discard", self.discard), *(("choose", text) for text in self.choose)]
        pairs += [("option", text) for text in self.option] + [("to", "discard" if self.to == "discard" else "")]
        pairs += [("advise", "on"), ("seats", str(self.seats)), ("taken", self.taken)] if self.advise else []
        query = "&".join(f"{key}={quote(text, safe=',=:')}" for key, text in pairs if text)
        return f"/score/{game}" + (f"?{query}" if query else "")


async def read_query(  # noqa: PLR0913 - one for each part of the address
    *,
    hand: Text = "",
    discard: Text = "",
    choose: Texts = [],  # noqa: B006 - FastAPI copies it
    option: Texts = [],  # noqa: B006 - as above
    to: Target = "hand",
    advise: Literal["on", ""] = "",
    seats: Seats = DEFAULT_SEATS,
    taken: Text = "",
) -> SheetQuery:
    """Dependency: what an address asks for."""
    chosen, options = [text for text in choose if text], [text for text in option if text]
    return SheetQuery(hand, discard, chosen, options, to, bool(advise), seats, taken)


SheetQueryDep = Annotated[SheetQuery, Depends(read_query)]


@router.get("/score")
async def first_page(request: Request) -> Response:
    """The page of the first game that has hands to score."""
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"/score/{hand_scores.first_game()}{query}", 303)


@router.get("/score/{game}")
async def score_page(
    request: Request, services: ServicesDep, who: PageVisitor, game: str, asked: SheetQueryDep, toggle: Text = ""
) -> Response:
    """All cards to choose from, and the sheet of those that are chosen."""
    scorer = hand_scores.scorer(game)
    if toggle:
        return RedirectResponse(toggle_card(scorer, asked, toggle).address(game), 303)
    shown = await sheet_context(services, request, who, game, asked)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if shown["error"] else HTTPStatus.OK
    shown |= {"game": registry.info(game), "tiles": scorer.tiles(), "rulings": ruling_choices(scorer, asked)}
    return page(request, who, "score.html", status, **shown)


@router.get("/score/{game}/sheet")
async def sheet_fragment(
    request: Request, services: ServicesDep, who: PageVisitor, game: str, asked: SheetQueryDep
) -> Response:
    """The sheet without the page around it, for the page's script."""
    shown = await sheet_context(services, request, who, game, asked)
    html = fragment("score_sheet.html", game=registry.info(game), tiles=hand_scores.scorer(game).tiles(), **shown)
    response = make_response(request, html.encode(), HTML)
    response.headers["cache-control"] = "no-store"
    return response


def ruling_choices(scorer: AnyHandScorer, asked: SheetQuery) -> list[dict[str, Any]]:
    """The rule options with what can be chosen, as the address has it: nothing for the usual value."""
    found = []
    for option in scorer.rulings():
        values = ("on", "off") if option.type == "switch" else option.choices
        usual = ("off", "on")[option.default] if isinstance(option.default, bool) else option.default
        pairs = [("" if value == usual else f"{option.name}={value}", value) for value in values]
        chosen = next((pair for pair, _ in pairs if pair in asked.option), "")
        found.append({**option._asdict(), "ways": pairs, "chosen": chosen})
    return found


def toggle_card(scorer: AnyHandScorer, asked: SheetQuery, name: str) -> SheetQuery:
    """What is wanted after a card was tapped: taken away, or put where cards go; all choices are open again."""
    hand, discard = scorer.readable(asked.hand), scorer.readable(asked.discard)
    card = next(iter(scorer.readable(name)), "")
    if card in hand or card in discard:
        hand, discard = ([each for each in cards if each != card] for cards in (hand, discard))
    elif card:
        (discard if asked.to == "discard" else hand).append(card)
    return asked._replace(hand=",".join(hand), discard=",".join(discard), choose=[], advise=False)


async def sheet_context(
    services: Services, request: Request, who: Visitor, game: str, asked: SheetQuery
) -> dict[str, Any]:
    """What the sheet's template shows: the scored hand, or what is wrong with it."""
    scorer = hand_scores.scorer(game)
    common: dict[str, Any] = {"asked": asked, "sheet": None, "error": "", "address": asked.address(game)}
    common |= {"advice": None, "silence": ""}
    common |= {"hand": scorer.readable(asked.hand), "discard": scorer.readable(asked.discard)}
    if not asked.hand.strip(" ,;\r\n\t"):
        return common
    try:
        question = await asyncio.to_thread(scorer.read, asked.hand, asked.discard, asked.choose, asked.option)
        found = await score_for_visitor(services, request, who, game, question)
    except BadInput as error:
        return common | {"error": str(error)}
    texts = asked._replace(
        hand=",".join(found["hand"]),
        discard=",".join(found["discard"]),
        choose=found["choose"],
        option=found["options"],
        to="hand",
        taken=",".join(scorer.readable(asked.taken)),
    )
    return common | {
        "sheet": found,
        "hand": found["hand"],
        "discard": found["discard"],
        "address": texts.address(game),
        **(await advice_context(services, request, who, game, question, asked) if asked.advise else {}),
    }


async def advice_context(
    services: Services,
    request: Request,
    who: Visitor,
    game: str,
    question: Any,  # noqa: ANN401 - the game's own
    asked: SheetQuery,
) -> dict[str, Any]:
    """Advice for the sheet, or why there is none; the score stands in any case."""
    try:
        return {"advice": await advise_visitor(services, request, who, game, question, Round(asked.seats, asked.taken))}
    except RealmtableError as error:
        return {"silence": str(error)}
