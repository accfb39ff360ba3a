"""Hands scored over HTTP, for real tables and for programs."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import ConfigDict, Field, StrictBool, StrictInt, StringConstraints
from starlette.responses import Response

from realmtable.server.accounts.rate_limits import client_address
from realmtable.server.accounts.sessions import AnyVisitor, Visitor
from realmtable.server.api import models
from realmtable.server.api.shared import Services, ServicesDep, asker_of, json_response
from realmtable.server.error_responses import RESPONSES
from realmtable.server.study import hand_scores
from realmtable.server.study.advice import Advice, without_pictures
from realmtable.server.study.hand_scores import Round

router = APIRouter(prefix="/api", tags=["scores"], responses=RESPONSES)

Name = Annotated[str, StringConstraints(max_length=60)]
Cards = Annotated[str, StringConstraints(max_length=2000)] | Annotated[list[Name], Field(max_length=60)]


class Advise(models.RequestBody):
    """That one wants to know what to do next."""

    seats: StrictInt = Field(default=4, ge=2, le=6, description="how many play")
    taken: Cards = Field(default="", description="cards that others are known to hold")


class Hand(models.RequestBody):
    """A hand to score. Names are read forgivingly; a list may also be one text with commas."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"game": "fantasy_realms", "hand": ["Whirlwind", "Mirage", "Blizzard"]},
                {"game": "fantasy_realms", "hand": "Whirlwind, Mirage, Blizzard", "choose": {"Mirage": "none"}},
                {
                    "game": "fantasy_realms",
                    "hand": "King, Queen, Knights, Rangers, Candle, Bell Tower, Forest",
                    "discard": "Warlord, Smoke",
                    "advise": {"seats": 4},
                },
            ]
        }
    )

    game: models.GameId
    hand: Cards
    discard: Cards = Field(default="", description="the discard area, where a card may be taken from at the end")
    choose: dict[Name, Annotated[str, StringConstraints(max_length=130)]] = Field(
        default_factory=dict, max_length=20, description='choices fixed by hand; "none" is one. All others are the best'
    )
    options: dict[Name, StrictBool | StrictInt | Name] = Field(
        default_factory=dict, max_length=30, description="rule options that differ from the usual ones"
    )

    advise: Advise | None = Field(default=None, description="asks what to draw or drop next")

    def option_pairs(self) -> list[str]:
        """The options as texts."""
        words = {True: "on", False: "off"}
        return [f"{key}={words[value] if isinstance(value, bool) else value}" for key, value in self.options.items()]


class SheetBody(models.DocumentedBody):
    """A scored hand; docs/fantasy-scoring.md describes every field."""

    total: int
    best: int = Field(description="what the best choices give; more than `total` where some were fixed by hand")
    strength: int
    eighth: str | None
    cards: list[dict[str, Any]]
    choices: list[dict[str, Any]]
    note: str
    advice: dict[str, Any] | None = Field(default=None, description="what every choice may come to, if asked for")


@router.post("/score", response_model=SheetBody)
async def score(body: Hand, request: Request, services: ServicesDep, who: AnyVisitor) -> Response:
    """What a hand is worth: points and a reason for each card, the choices made and what else could be chosen."""
    choose = [f"{card}={choice}" for card, choice in body.choose.items()]
    question = await asyncio.to_thread(
        hand_scores.scorer(body.game).read, body.hand, body.discard, choose, body.option_pairs()
    )
    found = await score_for_visitor(services, request, who, body.game, question)
    if body.advise is None:
        return json_response(found)
    advice = await advise_visitor(
        services, request, who, body.game, question, Round(body.advise.seats, body.advise.taken)
    )
    return json_response({**found, "advice": without_pictures(advice)})


async def score_for_visitor(
    services: Services,
    request: Request,
    who: Visitor,
    game: str,
    question: Any,  # noqa: ANN401 - the game's own
) -> hand_scores.ScoreSheet:
    """A sheet for whoever asks, if not too often: the more there is to look through, the less often."""
    heavy = hand_scores.scorer(game).effort(question) > hand_scores.MAX_THREAD_EFFORT
    await services.limits.check("think" if heavy else "explore", rate_limit_key(services, request, who))
    return await hand_scores.score_hand(
        services.analysis_queue, game, question, asker_of(services, request, who.player).owner
    )


async def advise_visitor(
    services: Services,
    request: Request,
    who: Visitor,
    game: str,
    question: Any,  # noqa: ANN401 - as above
    others: Round,
) -> Advice:
    """What to do next with a hand, for whoever plays no rated game of the kind and does not ask too often."""
    address = client_address(request, trust_proxy=services.settings.trust_proxy)
    await services.fair_play.refuse_during_rated_game(who.player.id if who.player else None, address, game)
    await services.limits.check("think", rate_limit_key(services, request, who))
    return await hand_scores.advise_on_hand(
        services.analysis_queue, game, question, others, asker_of(services, request, who.player).owner
    )


def rate_limit_key(services: Services, request: Request, who: Visitor) -> str:
    """Whose questions are counted: a player's, or those of an address."""
    return who.player.id if who.player else client_address(request, trust_proxy=services.settings.trust_proxy)
