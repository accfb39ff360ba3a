"""The API of lessons: plays a reader's moves in a step of a game's lesson."""

from __future__ import annotations

from typing import Any

import orjson
from pydantic import ConfigDict, Field
from starlette.responses import Response

from realmtable.server.api import models
from realmtable.server.api.dependencies import RequesterDep, ServicesDep, make_router
from realmtable.server.api.responses import json_response
from realmtable.server.request_bounds import KIB, declare_bounds
from realmtable.server.study import lessons

router = make_router("lessons", "/api/lessons")

MAX_MOVES = 40  # in one step of a lesson


class PracticeRequest(models.RequestBody):
    """The reader's moves from the beginning of a step, without those of the other players."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"moves": []}]})

    lesson: int = Field(default=lessons.FIRST, description="Which of the game's lessons, from 1.")
    moves: list[models.MoveText] = Field(default_factory=list, max_length=MAX_MOVES)
    known_layers: models.KnownLayerKeys


class PracticeResponse(models.DocumentedResponse):
    """How far the moves lead."""

    moment: dict[str, Any] = Field(description="The position after the moves and the others' replies.")
    done: bool = Field(description="Whether the step is done.")
    other: bool = Field(description="Whether the last move is legal, but not the one asked for; it was not played.")
    asked: str | None = Field(description="The next move asked for, in which * stands for any text.")


@router.post("/{game}/{step}", response_model=PracticeResponse)
@declare_bounds(10, body=16 * KIB, runs_in="worker")
async def practise(
    game: str, step: int, body: PracticeRequest, services: ServicesDep, requester: RequesterDep
) -> Response:
    """Play moves from the beginning of a step of one of a game's lessons. Nothing is stored."""
    work = (practise_json, game, body.lesson, step, body.moves, body.known_layers)
    return json_response(await services.replay_pool.run(requester, 1 + len(body.moves), *work))


def practise_json(game_id: str, lesson: int, number: int, moves: list[str], known_layers: list[str]) -> bytes:
    """Return how far a reader's moves lead as JSON; see `lessons.practise`."""
    return orjson.dumps(lessons.practise(game_id, number, moves, known_layers, lesson=lesson))
