"""The analysis board: setting any position up, and what the engine thinks of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from realmtable.engine import registry
from realmtable.engine.errors import BadInput, BadPosition, GameOver
from realmtable.engine.protocol import AnyGame, HasPalette, Seat
from realmtable.search.result import SearchLine, SearchResult
from realmtable.search.variation import VariationTurn, build_variation
from realmtable.server.fair_queue import Owner
from realmtable.server.workers.analysis_queue import BOARD, AnalysisQueue, IsGone

MAX_LINES: Final = 3
MIN_SHARE: Final = 0.1  # of what was searched for the most searched line


class PositionChange(NamedTuple):
    """What somebody changes in a position: all pieces away, another seat to move, a piece put or taken away."""

    clear: bool = False
    seat: Seat | None = None
    handle: str | None = None
    piece: str | None = None  # none: the place is emptied


async def think_about(
    analysis_queue: AnalysisQueue, game_id: str, position: str | None, owner: Owner, gone: IsGone | None = None
) -> dict[str, Any]:
    """The chances in a position, by default the game's first, and the best lines from it."""
    game = registry.game(game_id)
    state = game.initial(game.info.seats[0]) if position is None else await asyncio.to_thread(game.decode, position)
    if not game.to_move(state):
        raise GameOver("The game is over in this position; there is nothing left to think about.")
    thought = await analysis_queue.think(game, state, urgency=BOARD, owner=owner, lines=MAX_LINES, gone=gone)
    told = await asyncio.to_thread(_board_data, game, state, thought)
    return {**told, "warming": analysis_queue.is_warming(game_id)}


def _board_data(game: AnyGame, state: Any, thought: SearchResult) -> dict[str, Any]:  # noqa: ANN401 - the game's own
    first = 1 - 2 * game.to_move(state)[0]  # 1 where the first seat acts, -1 where the other does
    ways = [build_variation(game, state, line.moves, line.value, line.proven) for line in _best_first(thought.lines)]
    return {
        "seat_names": list(game.info.seat_names),
        "chance": ways[0].chance if first > 0 else 1 - ways[0].chance,
        "proven": ways[0].proven,
        "nodes": thought.nodes,
        "seconds": thought.seconds,
        "lines": [
            {
                "chance": way.chance if first > 0 else 1 - way.chance,
                "proven": way.proven,
                "turns": [_turn_data(turn) for turn in way.turns],
            }
            for way in ways
        ],
    }


def _best_first(lines: Sequence[SearchLine]) -> list[SearchLine]:
    """The lines by their value; without those that were hardly looked at, whose value is a guess."""
    least = MIN_SHARE * max(line.visits for line in lines)
    return sorted((line for line in lines if line.proven or line.visits >= least), key=lambda line: -line.value)


def _turn_data(turn: VariationTurn) -> dict[str, Any]:
    return {"number": turn.number, "seat": turn.seat, "text": turn.text, "moves": list(turn.moves)}


# ---- setting a position up


def edit_position(game_id: str, position: str | None, change: PositionChange) -> dict[str, Any]:
    """A position after a change, with its picture; `fault` says why it cannot be played, where it cannot."""
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
    return {"position": text, "picture": game.draw(game.view(game.draft(text), None)), "fault": _find_fault(game, text)}


def _find_fault(game: AnyGame, text: str) -> str | None:
    try:
        game.decode(text)
    except BadPosition as error:
        return str(error)
    return None
