"""Hints: a good turn for the player to move at an unrated table, and why. Everyone sees that a hint was used.

Games with advice of their own chart every choice instead, at tables and for hands from a real table.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

from realmtable.analysis.reasons import explain_good, percent
from realmtable.analysis.variation import build_variation, steps_of
from realmtable.engine import registry
from realmtable.engine.protocol import AnyGame, HasAdvice, HasDescriptions, Seat, State
from realmtable.search.search_result import SearchResult
from realmtable.server.errors import StaleVersion
from realmtable.server.fair_queue import Requester
from realmtable.server.tables import actions
from realmtable.server.tables.actions import EventDraft
from realmtable.server.tables.live.table_service import TableService
from realmtable.server.tables.table import Table
from realmtable.server.tables.viewer_knowledge import viewer_index
from realmtable.server.workers.search_queue import HINT, SearchQueue

MAX_LINES = 2


async def give_hint(
    table_service: TableService,
    search_queue: SearchQueue,
    table_id: str,
    requester: Requester,
    *,
    pictures: bool = False,
) -> dict[str, Any]:
    """Return a hint for the player to move, and note it in the table's log."""
    player_id = requester.person
    table = await table_service.table(table_id)
    seat = actions.seat_for_hint(table, table.seats_of(player_id))
    hint, still_fits = await _find_hint(search_queue, table, seat, requester, pictures=pictures)

    def note(now: Table) -> list[EventDraft]:
        if not still_fits(now):
            raise StaleVersion("The table has changed in the meantime; ask for a hint again.")
        kinds = [news.kind for news in now.news if news.is_known(viewer_index(seat))]
        already_noted = kinds[-1:] == ["hinted"]  # nothing the player may know has happened since
        return [] if already_noted else [EventDraft("hinted", actions.seat_for_hint(now, now.seats_of(player_id)))]

    noted = await table_service.act(table_id, note, player_id)
    version = noted.numbering(noted.seats_of(player_id)).visible_version(noted.version)
    return {"version": version, "advice": None, **hint, "warming": search_queue.is_warming(table.game.info.id)}


async def _find_hint(
    search_queue: SearchQueue, table: Table, seat: Seat, requester: Requester, *, pictures: bool
) -> tuple[dict[str, Any], Callable[[Table], bool]]:
    """Return a hint, from the game itself or a search, and a function that tells whether it still fits a table."""
    game, state = table.game, table.match.state
    if isinstance(game, HasAdvice):
        advice = await advice_for(search_queue, game, state, seat, requester)
        hint = as_hint(advice, game, state, seat, pictures=pictures)
        return hint, lambda now: is_still_possible(advice, game, now.match.state, seat)
    result = await search_queue.think(game, state, urgency=HINT, requester=requester, lines=MAX_LINES)
    return describe_hint(game, state, seat, result), lambda now: now.step == table.step and now.match.state == state


def describe_hint(game: AnyGame, state: State, seat: Seat, result: SearchResult) -> dict[str, Any]:
    """Return a hint for a player: the turn in notation and in words, the clicks for its steps, and the reason."""
    variations = [build_variation(game, state, line.moves, line.value, line.proven) for line in result.lines]
    best, second = variations[0], variations[1] if len(variations) > 1 else None
    moves = result.lines[0].moves[: len(best.turns[0].moves)]
    describe = game.describe_move if isinstance(game, HasDescriptions) else game.format_move
    steps = list(steps_of(game, state, seat, moves))
    return {
        "text": best.text,
        "moves": list(best.turns[0].moves),
        "words": [describe(before, move) for before, move in steps],
        "paths": [list(game.handles(game.view(before, seat), move)) for before, move in steps],
        "chance": percent(best.chance),
        "reason": explain_good(game, state, seat, best, second),
    }


Advice = dict[str, Any]


def compute_advice(game_id: str, view: dict[str, Any]) -> Advice:
    """Return a game's advice on a view, the same for every call. Runs in a worker process."""
    game = registry.game(game_id)
    assert isinstance(game, HasAdvice)  # noqa: S101 - checked by the caller
    return game.advice(view, Random(json.dumps(view, sort_keys=True)))  # noqa: S311 - a game, not a secret


async def advice_for(
    search_queue: SearchQueue, game: AnyGame, state: State, seat: Seat, requester: Requester
) -> Advice:
    """Return advice for a seat; the worker process gets only what the seat may know."""
    return await search_queue.run(compute_advice, (game.info.id, game.view(state, seat)), HINT, requester)


def as_hint(advice: Advice, game: AnyGame, state: State, seat: Seat, *, pictures: bool) -> dict[str, Any]:
    """Convert advice to a hint of one step; `pictures` includes card pictures, for pages."""
    step = game.parse_move(state, advice["move"])
    return {
        "text": advice["move"],
        "moves": [advice["move"]],
        "words": [advice["words"]],
        "paths": [list(game.handles(game.view(state, seat), step))],
        "chance": "",
        "reason": advice["reason"],
        "advice": advice if pictures else without_pictures(advice),
    }


def without_pictures(advice: Advice) -> Advice:
    """Return advice without card pictures, for the API."""
    if advice["heading"] is None:
        return advice
    cards = [{key: value for key, value in card.items() if key != "picture"} for card in advice["heading"]["cards"]]
    return {**advice, "heading": {**advice["heading"], "cards": cards}}


def is_still_possible(advice: Advice, game: AnyGame, state: State, seat: Seat) -> bool:
    """Whether every advised move is still legal; if seats act simultaneously, the table may have changed."""
    legal = {game.format_move(state, move) for move in game.legal_moves(state, seat)}
    moves = [choice["move"] for chart in advice["charts"] for choice in chart["choices"]] + [advice["move"]]
    return legal.issuperset(move for move in moves if move)
