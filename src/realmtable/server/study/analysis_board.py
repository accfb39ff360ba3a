"""The analysis board: setting up any position, and the engine's evaluation of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final, NamedTuple

from realmtable.analysis.game_analysis import check_has_board
from realmtable.analysis.variation import build_variation
from realmtable.engine import registry
from realmtable.engine.errors import BadInput, BadPosition, GameOver
from realmtable.engine.pictures import draw_whole
from realmtable.engine.protocol import AnyGame, HasPalette, Seat, State
from realmtable.search.search_result import SearchLine, SearchResult
from realmtable.server.fair_queue import Requester
from realmtable.server.workers.search_queue import BOARD, IsGone, SearchQueue

MAX_LINES: Final = 3
MIN_SHARE: Final = 0.1  # of the visits of the most visited line


class PositionChange(NamedTuple):
    """A change to a position: remove all pieces, set the seat to move, place or remove a piece."""

    clear: bool = False
    seat: Seat | None = None
    handle: str | None = None
    piece: str | None = None  # None removes the piece


async def think_about(
    search_queue: SearchQueue, game_id: str, position: str | None, requester: Requester, gone: IsGone | None = None
) -> dict[str, Any]:
    """Return the chances in a position (default: the game's initial one) and the best lines."""
    check_has_board(registry.info(game_id))
    game = registry.game(game_id)
    state = game.initial(game.info.seats[0]) if position is None else await asyncio.to_thread(game.decode, position)
    if not game.to_move(state):
        raise GameOver("The game is over in this position; there is nothing to analyse.")
    result = await search_queue.think(game, state, urgency=BOARD, requester=requester, lines=MAX_LINES, gone=gone)
    data = await asyncio.to_thread(_board_data, game, state, result)
    return {**data, "warming": search_queue.is_warming(game_id)}


def _board_data(game: AnyGame, state: State, result: SearchResult) -> dict[str, Any]:
    sign = 1 - 2 * game.to_move(state)[0]  # 1 if the first seat acts, -1 if the second does
    variations = [
        build_variation(game, state, line.moves, line.value, line.proven) for line in _best_first(result.lines)
    ]
    return {
        "seat_names": list(game.info.seat_names),
        "chance": variations[0].chance if sign > 0 else 1 - variations[0].chance,
        "proven": variations[0].proven,
        "nodes": result.nodes,
        "seconds": result.seconds,
        "lines": [
            {
                "chance": variation.chance if sign > 0 else 1 - variation.chance,
                "proven": variation.proven,
                "turns": [asdict(turn) for turn in variation.turns],
            }
            for variation in variations
        ],
    }


def _best_first(lines: Sequence[SearchLine]) -> list[SearchLine]:
    """Return the lines, best first, without those that were hardly searched, whose values are unreliable."""
    min_visits = MIN_SHARE * max(line.visits for line in lines)
    return sorted((line for line in lines if line.proven or line.visits >= min_visits), key=lambda line: -line.value)


# ---- editing a position


def edit_position(game_id: str, position: str | None, change: PositionChange) -> dict[str, Any]:
    """Return a position after a change, with its picture; `fault` says why it is not playable, if so."""
    game = registry.game(game_id)
    if not isinstance(game, HasPalette):
        raise BadInput(f"Positions of {game.info.title} cannot be set up piece by piece; paste one instead.")
    text = game.encode(game.initial(game.info.seats[0])) if position is None else position
    if change.clear:
        text = game.without_pieces(text)
    if change.seat is not None:
        text = game.with_turn(text, change.seat)
    if change.handle is not None:
        text = game.with_piece(text, change.handle, change.piece)
    return {
        "position": text,
        "picture": draw_whole(game, game.view(game.draft(text), None)),
        "fault": _find_fault(game, text),
    }


def _find_fault(game: AnyGame, text: str) -> str | None:
    try:
        game.decode(text)
    except BadPosition as error:
        return str(error)
    return None
