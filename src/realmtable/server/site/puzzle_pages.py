"""The pages of puzzles and of opening studies."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any, Final

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from realmtable.analysis.puzzles import MAX_DIFFICULTY, Puzzle, load_puzzles
from realmtable.engine import registry
from realmtable.engine.pictures import draw_whole
from realmtable.engine.protocol import GameInfo
from realmtable.server.api.dependencies import ServicesDep
from realmtable.server.errors import NotFound
from realmtable.server.request_bounds import BoundedRoute, declare_bounds
from realmtable.server.site.pages import Theme, cacheable_svg, games_in_order
from realmtable.server.site.templates import Visit, VisitDep
from realmtable.server.study import openings
from realmtable.server.study import puzzles as study

NO_PUZZLES: Final = "There are no puzzles yet."

router = APIRouter(route_class=BoundedRoute, include_in_schema=False)


def _player_id(visit: Visit) -> str | None:
    return visit.player.id if visit.player else None


def _games_with_puzzles() -> list[GameInfo]:
    return [info for info in games_in_order() if load_puzzles(info.id)]


@router.get("/puzzles")
@declare_bounds(5)
async def puzzle_games(visit: VisitDep) -> Response:
    """Show the puzzles of the day, and the games that have more."""
    service, day = visit.services.puzzle_service, study.day_number(visit.services.puzzle_service.now())
    solved = await service.find_solved(_player_id(visit))
    cards = [
        {"game": info, "daily": _puzzle_facts(study.daily_puzzle(info.id, day)), "ids": list(load_puzzles(info.id))}
        for info in _games_with_puzzles()
    ]
    streak = await service.streak(_player_id(visit))
    return visit.page("daily_puzzles.html", cards=cards, solved=solved, streak=streak, day=day)


def _puzzle_facts(puzzle: Puzzle | None) -> dict[str, Any]:
    assert puzzle is not None  # noqa: S101 - the game has puzzles
    return study.public_facts(puzzle)


@router.get("/puzzles/daily")
@declare_bounds(1)
async def first_daily_puzzle(services: ServicesDep) -> Response:
    """Redirect to the puzzle of the day of the first game."""
    return _redirect_to_daily(services, next((info.id for info in _games_with_puzzles()), None))


@router.get("/puzzles/{game}/daily")
@declare_bounds(1)
async def game_daily_puzzle(services: ServicesDep, game: str) -> Response:
    """Redirect to a game's puzzle of the day."""
    return _redirect_to_daily(services, registry.info(game).id)


def _redirect_to_daily(services: ServicesDep, game: str | None) -> Response:
    puzzle = None if game is None else study.daily_puzzle(game, study.day_number(services.puzzle_service.now()))
    if puzzle is None:
        raise NotFound(NO_PUZZLES)
    response = RedirectResponse(f"/puzzles/{puzzle.game}/{puzzle.id}", 303)
    response.headers["cache-control"] = "no-cache"  # it changes every day
    return response


@router.get("/puzzles/{game}")
@declare_bounds(5)
async def puzzle_list(visit: VisitDep, game: str) -> Response:
    """List the puzzles of a game by difficulty."""
    info = registry.info(game)
    puzzles = await asyncio.to_thread(lambda: [study.public_facts(puzzle) for puzzle in load_puzzles(game).values()])
    if not puzzles:
        raise NotFound(NO_PUZZLES)
    groups = [
        (study.DIFFICULTIES[level], [facts for facts in puzzles if facts["difficulty"] == level])
        for level in range(1, MAX_DIFFICULTY + 1)
    ]
    day = study.day_number(visit.services.puzzle_service.now())
    context: dict[str, Any] = {
        "game": info,
        "games": _games_with_puzzles(),
        "groups": [(words, listed) for words, listed in groups if listed],
        "count": len(puzzles),
        "daily": _puzzle_facts(study.daily_puzzle(game, day)),
        "solved": await visit.services.puzzle_service.find_solved(_player_id(visit)),
    }
    return visit.page("game_puzzles.html", **context)


@router.get("/puzzles/{game}/{puzzle_id}.svg")
@declare_bounds(10, runs_in="worker")
async def puzzle_picture(visit: VisitDep, game: str, puzzle_id: str, theme: Theme = "auto") -> Response:
    """Return the picture of a puzzle's position."""
    puzzle = study.find_puzzle(game, puzzle_id)
    pool = visit.services.replay_pool
    drawn = await pool.run(visit.requester, 1, _draw_position, puzzle.game, puzzle.position, theme)
    return cacheable_svg(visit.request, drawn)


def _draw_position(game_id: str, position: str, theme: str) -> str:
    game = registry.game(game_id)
    return draw_whole(game, game.view(game.decode(position), None), theme)


@router.get("/puzzles/{game}/{puzzle_id}")
@declare_bounds(10, runs_in="worker")
async def puzzle_page(visit: VisitDep, game: str, puzzle_id: str) -> Response:
    """Show a puzzle to solve."""
    puzzle = study.find_puzzle(game, puzzle_id)
    solved = await visit.services.puzzle_service.find_solved(_player_id(visit))
    facts = await visit.services.replay_pool.run(visit.requester, 1, study.puzzle_with_board, puzzle)
    day = study.day_number(visit.services.puzzle_service.now())
    context: dict[str, Any] = {
        "game": registry.info(game),
        "puzzle": facts,
        "count": len(load_puzzles(game)),
        "is_daily": study.daily_puzzle(game, day) == puzzle,
        "is_solved": puzzle.id in solved,
        "next_url": study.next_puzzle_url(puzzle, solved),
    }
    return visit.page("puzzle.html", **context)


@router.get("/openings")
@declare_bounds(1)
async def openings_index() -> Response:
    """Redirect to the first game that has an opening study."""
    first = next((info.id for info in games_in_order() if openings.has_study(info.id)), None)
    if first is None:
        raise NotFound("There is no opening study yet.")
    return RedirectResponse(f"/openings/{first}", 303)


@router.get("/openings/{game}")
@declare_bounds(5)
async def openings_page(visit: VisitDep, game: str) -> Response:
    """Show the openings of a game and how they score in self-play."""
    return await visit.shared_page("openings.html", (game,), partial(_describe_openings, registry.info(game)))


def _describe_openings(info: GameInfo) -> dict[str, Any]:
    data = openings.load_study(info.id)
    best, worst = openings.best_and_worst(data)
    return {
        "game": info,
        "data": data,
        "best": best,
        "worst": worst,
        "few": openings.small_sample_note(data),
        "bar": openings.bar,
        "shade": openings.shade,
        "unbroken": openings.join_units,
    }


@router.get("/openings/{game}/{name}.svg")
@declare_bounds(5, runs_in="thread")
async def openings_picture(request: Request, game: str, name: str, theme: Theme = "auto") -> Response:
    """Return the picture of a board in the study."""
    drawn = await asyncio.to_thread(openings.board_picture, registry.info(game).id, name, theme)
    return cacheable_svg(request, drawn)
