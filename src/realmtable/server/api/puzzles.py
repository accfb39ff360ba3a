"""The API of puzzles: lists, puzzles of the day, answers and solutions."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import Path as PathParameter
from pydantic import Field
from starlette.responses import Response

from realmtable.analysis.puzzles import load_puzzles
from realmtable.engine import registry
from realmtable.server.accounts.authentication import AnyVisitor
from realmtable.server.api import models
from realmtable.server.api.dependencies import RequesterDep, ServicesDep, make_router
from realmtable.server.api.responses import json_response
from realmtable.server.request_bounds import KIB, declare_bounds
from realmtable.server.study import puzzles as study

router = make_router("puzzles", "/api/puzzles")


class PuzzleAnswerRequest(models.RequestBody):
    """Your steps from the puzzle's position in the game's notation, without the opponent's replies."""

    moves: list[models.MoveText] = Field(default_factory=list, max_length=study.MAX_STEPS)


class PuzzleFacts(models.DocumentedResponse):
    """A puzzle without its solution."""

    id: str
    game: str
    seat: int
    goal: int = Field(description="The points to reach in the turn; 0 if it has to win.")
    theme: str
    difficulty: int = Field(description="From 1 (very easy) to 5 (very hard).")
    turns: int = Field(description="The number of your turns in the solution.")
    url: str


class Verdict(models.DocumentedResponse):
    """The verdict on an answer."""

    verdict: str = Field(description='"open", "right", "solved", "wins" (another winning turn) or "wrong".')
    words: str
    moment: dict[str, Any]
    reply: dict[str, Any] | None


class Solution(models.DocumentedResponse):
    """The solution turn by turn, with the result of the check."""

    turns: list[dict[str, Any]]
    value: float
    second: float = Field(description="The value of the best other turn.")
    proven: bool
    nodes: int


@router.get("/daily", response_model=list[PuzzleFacts])
@declare_bounds(2)
async def daily(services: ServicesDep) -> Response:
    """List the puzzle of the day of every game that has puzzles. A day starts at midnight UTC."""
    day = study.day_number(services.puzzle_service.now())
    chosen = [study.daily_puzzle(game, day) for game in study.games_with_puzzles()]
    return json_response([study.public_facts(puzzle) for puzzle in chosen if puzzle is not None])


@router.get("/{game}", response_model=list[PuzzleFacts])
@declare_bounds(2)
async def list_puzzles(game: str, services: ServicesDep, visitor: AnyVisitor) -> Response:
    """List the puzzles of a game, easiest first, and whether you have solved them."""
    puzzles = load_puzzles(registry.info(game).id)
    solved = await services.puzzle_service.find_solved(visitor.player.id if visitor.player else None)
    all_facts = await asyncio.to_thread(lambda: [study.public_facts(puzzle) for puzzle in puzzles.values()])
    return json_response([{**facts, "solved": facts["id"] in solved} for facts in all_facts])


@router.get("/{game}/{puzzle_id}", response_model=PuzzleFacts)
@declare_bounds(10, runs_in="worker")
async def puzzle(game: str, puzzle_id: str, services: ServicesDep, requester: RequesterDep) -> Response:
    """Return a puzzle with its position."""
    return json_response(
        await services.replay_pool.run(requester, 1, study.puzzle_with_board, study.find_puzzle(game, puzzle_id))
    )


@router.post("/{game}/{puzzle_id}/answers", response_model=Verdict)
@declare_bounds(20, body=16 * KIB, runs_in="worker")
async def answer(
    game: str, puzzle_id: str, body: PuzzleAnswerRequest, services: ServicesDep, requester: RequesterDep
) -> Response:
    """Submit your steps so far and get a verdict. Solved puzzles are saved to your account, if you have one."""
    return json_response(
        await services.puzzle_service.try_answer(study.find_puzzle(game, puzzle_id), body.moves, requester)
    )


@router.get("/{game}/{puzzle_id}/solution", response_model=Solution)
@declare_bounds(10, runs_in="worker")
async def solution(game: str, puzzle_id: str, services: ServicesDep, requester: RequesterDep) -> Response:
    """Return the solution."""
    found = study.find_puzzle(game, puzzle_id)
    return json_response(await services.replay_pool.run(requester, len(found.line), study.solution, found))


@router.get("/{game}/{puzzle_id}/solution/{step}", response_model=models.MomentResponse)
@declare_bounds(10, runs_in="worker")
async def solution_step(
    game: str, puzzle_id: str, step: Annotated[int, PathParameter(ge=0)], services: ServicesDep, requester: RequesterDep
) -> Response:
    """Return the position after so many steps of the solution."""
    found = study.find_puzzle(game, puzzle_id)
    return json_response(await services.replay_pool.run(requester, 2, study.solution_moment, found, step))
