"""The pages of puzzles and of opening studies; they know no game."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from realmtable.engine import registry
from realmtable.search.puzzles import HARDEST, Puzzle, puzzles
from realmtable.server.accounts.sessions import Visitor
from realmtable.server.api.shared import Here, reader_of
from realmtable.server.errors import NotFound
from realmtable.server.site.pages import Theme, shelf, svg_answer, theme_named
from realmtable.server.site.templates import page
from realmtable.server.site.visitor import Who
from realmtable.server.study import openings
from realmtable.server.study import puzzles as study

NO_PUZZLES: Final = "There are no puzzles here yet."

router = APIRouter(include_in_schema=False)


def _id(who: Visitor) -> str | None:
    return who.player.id if who.player else None


# ---- puzzles


@router.get("/puzzles")
async def puzzle_games(request: Request, realm: Here, who: Who) -> Response:
    """The puzzles of the day, and the games that have more."""
    room, day = realm.puzzle_room, study.today(realm.puzzle_room.now())
    solved = await room.solved(_id(who))
    with_puzzles = set(study.games_with_puzzles())
    games = [info for info in shelf() if info.id in with_puzzles]
    cards = [
        {"game": info, "daily": _facts(study.daily(info.id, day)), "ids": list(puzzles(info.id))} for info in games
    ]
    context: dict[str, Any] = {"cards": cards, "solved": solved, "streak": await room.streak(_id(who)), "day": day}
    return page(request, who, "puzzles.html", **context)


def _facts(puzzle: Puzzle | None) -> dict[str, Any]:
    assert puzzle is not None  # noqa: S101 - the game has puzzles
    return study.facts(puzzle)


@router.get("/puzzles/daily")
async def daily_of_the_first(realm: Here) -> Response:
    """The puzzle of the day of the first game."""
    with_puzzles = set(study.games_with_puzzles())
    first = next((info.id for info in shelf() if info.id in with_puzzles), None)
    return _to_daily(realm, first)


@router.get("/puzzles/{game}/daily")
async def daily_of_a_game(realm: Here, game: str) -> Response:
    """A game's puzzle of the day."""
    return _to_daily(realm, registry.info(game).id)


def _to_daily(realm: Here, game: str | None) -> Response:
    puzzle = None if game is None else study.daily(game, study.today(realm.puzzle_room.now()))
    if puzzle is None:
        raise NotFound(NO_PUZZLES)
    response = RedirectResponse(f"/puzzles/{puzzle.game}/{puzzle.id}", 303)
    response.headers["cache-control"] = "no-cache"  # tomorrow it is another
    return response


@router.get("/puzzles/{game}")
async def puzzle_list(request: Request, realm: Here, who: Who, game: str) -> Response:
    """The puzzles of a game by difficulty."""
    info = registry.info(game)
    found = await asyncio.to_thread(lambda: [study.facts(puzzle) for puzzle in puzzles(game).values()])
    if not found:
        raise NotFound(NO_PUZZLES)
    groups = [
        (study.DIFFICULTIES[level], [facts for facts in found if facts["difficulty"] == level])
        for level in range(1, HARDEST + 1)
    ]
    day = study.today(realm.puzzle_room.now())
    context: dict[str, Any] = {
        "game": info,
        "games": [other for other in shelf() if puzzles(other.id)],
        "groups": [(words, listed) for words, listed in groups if listed],
        "count": len(found),
        "daily": _facts(study.daily(game, day)),
        "solved": await realm.puzzle_room.solved(_id(who)),
    }
    return page(request, who, "puzzle_list.html", **context)


@router.get("/puzzles/{game}/{puzzle_id}.svg")
async def puzzle_picture(
    request: Request, realm: Here, who: Who, game: str, puzzle_id: str, theme: Theme = "auto"
) -> Response:
    """The position of a puzzle."""
    puzzle, asker = study.found(game, puzzle_id), await reader_of(realm, request, who)
    drawn = await realm.replay_pool.run(asker, 1, _drawn, puzzle.game, puzzle.position, theme_named(theme))
    return svg_answer(request, drawn)


def _drawn(game_id: str, position: str, theme: str) -> str:
    game = registry.game(game_id)
    return game.draw(game.view(game.decode(position), None), theme)


@router.get("/puzzles/{game}/{puzzle_id}")
async def puzzle_page(request: Request, realm: Here, who: Who, game: str, puzzle_id: str) -> Response:
    """A puzzle to be solved."""
    puzzle = study.found(game, puzzle_id)
    solved = await realm.puzzle_room.solved(_id(who))
    shown = await realm.replay_pool.run(await reader_of(realm, request, who), 1, study.shown, puzzle)
    day = study.today(realm.puzzle_room.now())
    context: dict[str, Any] = {
        "game": registry.info(game),
        "puzzle": shown,
        "count": len(puzzles(game)),
        "is_daily": study.daily(game, day) == puzzle,
        "is_solved": puzzle.id in solved,
        "next_url": study.next_of(puzzle, solved),
    }
    return page(request, who, "puzzle.html", **context)


# ---- openings


@router.get("/openings")
async def openings_index() -> Response:
    """The first game that has an opening study."""
    first = next((info.id for info in shelf() if openings.has_study(info.id)), None)
    if first is None:
        raise NotFound("There is no opening study yet.")
    return RedirectResponse(f"/openings/{first}", 303)


@router.get("/openings/{game}")
async def openings_page(request: Request, who: Who, game: str) -> Response:
    """What strong self-play says about the openings of a game."""
    info = registry.info(game)
    data = await asyncio.to_thread(openings.study, info.id)
    best, worst = openings.listed(data)
    helpers: dict[str, Any] = {"bar": openings.bar, "shade": openings.shade, "unbroken": openings.unbroken}
    context: dict[str, Any] = {"game": info, "data": data, "best": best, "worst": worst, "few": openings.few(data)}
    return page(request, who, "openings.html", **context, **helpers)


@router.get("/openings/{game}/{name}.svg")
async def openings_picture(request: Request, game: str, name: str, theme: Theme = "auto") -> Response:
    """A board of the study."""
    drawn = await asyncio.to_thread(openings.picture, registry.info(game).id, name, theme_named(theme))
    return svg_answer(request, drawn)
