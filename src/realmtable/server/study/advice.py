"""Advice computed by the game itself, in a worker process that gets only the player's view, never the state."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from realmtable.engine import registry
from realmtable.engine.protocol import AnyGame, HasAdvice, Seat, State
from realmtable.server.fair_queue import Requester
from realmtable.server.workers.search_queue import HINT, SearchQueue

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
