"""The API that scores hands, for games played with real cards and for programs."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from pydantic import ConfigDict, Field, StrictBool, StrictInt, StringConstraints
from starlette.responses import Response

from realmtable.kit.calculators import Question, first_game_with_hands
from realmtable.server.api import models
from realmtable.server.api.dependencies import RequesterDep, Services, ServicesDep, make_router
from realmtable.server.api.responses import json_response
from realmtable.server.fair_queue import Requester
from realmtable.server.request_bounds import declare_bounds
from realmtable.server.study import hand_scores
from realmtable.server.study.hand_scores import Round
from realmtable.server.study.hints import Advice, without_pictures

router = make_router("scores")

EXAMPLE_GAME = first_game_with_hands()  # the cards in the examples are its own
Name = Annotated[str, StringConstraints(max_length=60)]
Cards = Annotated[str, StringConstraints(max_length=2000)] | Annotated[list[Name], Field(max_length=60)]


class AdviceRequest(models.RequestBody):
    """A request for advice on the next draw or discard."""

    seats: StrictInt = Field(default=4, ge=2, le=6, description="The number of players.")
    taken: Cards = Field(default="", description="Cards that others are known to hold.")


class HandRequest(models.RequestBody):
    """A hand to score. Spelling of names is lenient; a list can also be a string with commas."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"game": EXAMPLE_GAME, "hand": ["Whirlwind", "Mirage", "Blizzard"]},
                {"game": EXAMPLE_GAME, "hand": "Whirlwind, Mirage, Blizzard", "choose": {"Mirage": "none"}},
                {
                    "game": EXAMPLE_GAME,
                    "hand": "King, Queen, Knights, Rangers, Candle, Bell Tower, Forest",
                    "discard": "Warlord, Smoke",
                    "advise": {"seats": 4},
                },
            ]
        }
    )

    game: models.GameId
    hand: Cards
    discard: Cards = Field(
        default="", description="The discard area, from which some cards can take a card at the end."
    )
    choose: dict[Name, Annotated[str, StringConstraints(max_length=130)]] = Field(
        default_factory=dict,
        max_length=20,
        description='Choices to fix, including "none"; all others are optimised.',
    )
    options: dict[Name, StrictBool | StrictInt | Name] = Field(
        default_factory=dict, max_length=30, description="Rule options that differ from the defaults."
    )

    advise: AdviceRequest | None = Field(default=None, description="Request advice on what to draw or discard next.")

    def option_pairs(self) -> list[str]:
        """Return the options in the form NAME=VALUE."""
        switch = {True: "on", False: "off"}
        return [f"{key}={switch[value] if isinstance(value, bool) else value}" for key, value in self.options.items()]


class SheetResponse(models.DocumentedResponse):
    """A scored hand. See docs/play/fantasy-scoring.md for every field."""

    total: int
    best: int = Field(description="The total with the best choices; more than `total` if fixed choices cost points.")
    strength: int
    eighth: str | None
    cards: list[dict[str, Any]]
    choices: list[dict[str, Any]]
    note: str
    advice: dict[str, Any] | None = Field(
        default=None, description="The expected result of every choice, if requested."
    )


@router.post("/score", response_model=SheetResponse)
@declare_bounds(10, runs_in="worker")
async def score(body: HandRequest, services: ServicesDep, requester: RequesterDep) -> Response:
    """Score a hand: points and a reason for each card, the choices made and their alternatives."""
    choose = [f"{card}={choice}" for card, choice in body.choose.items()]
    question = await asyncio.to_thread(
        hand_scores.scorer(body.game).read, body.hand, body.discard, choose, body.option_pairs()
    )
    sheet = await score_for(services, requester, body.game, question)
    if body.advise is None:
        return json_response(sheet)
    others = Round(body.advise.seats, body.advise.taken)
    advice = await advise(services, requester, body.game, question, others)
    return json_response({**sheet, "advice": without_pictures(advice)})


async def score_for(services: Services, requester: Requester, game: str, question: Question) -> hand_scores.ScoreSheet:
    """Score a hand. Those that need a long search count as engine requests."""
    if hand_scores.scorer(game).effort(question) > hand_scores.MAX_THREAD_EFFORT:
        await services.limits.check("think", requester.key)
    return await hand_scores.score_hand(services.search_queue, game, question, requester)


async def advise(services: Services, requester: Requester, game: str, question: Question, others: Round) -> Advice:
    """Advise on a hand, within the requester's rate limit and unless they are playing a rated game of this kind."""
    await services.engine_help_rules.refuse_during_rated_game(requester.person, requester.address, game)
    await services.limits.check("think", requester.key)
    return await hand_scores.advise_on_hand(services.search_queue, game, question, others, requester)
