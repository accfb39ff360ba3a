"""A search for tests that sees exactly one turn ahead: fast, and easy to verify."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from realmtable.analysis.puzzles import is_same_turn
from realmtable.engine import registry
from realmtable.engine.bots import non_proposal_moves
from realmtable.engine.protocol import AnyGame, State
from realmtable.search.search_result import SearchLimits, SearchLine, SearchResult

UNDECIDED_VALUE = 0.3  # what a turn is worth that does not end the game
MAX_TURNS = 4_000  # turns looked at


def distinct_turns(game: AnyGame, state: State) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield each turn that leads to a new state, with that state; at most `MAX_TURNS`."""
    seen: set[Any] = {state}
    open_ways: list[tuple[tuple[Any, ...], Any]] = [((), state)]
    while open_ways and len(seen) < MAX_TURNS:
        moves, now = open_ways.pop()
        seat = game.to_move(now)[0]
        for move in non_proposal_moves(game, now, seat):
            after = game.play(now, seat, move)
            if after in seen:
                continue
            seen.add(after)
            if is_same_turn(game, state, after):
                open_ways.append(((*moves, move), after))
            else:
                yield (*moves, move), after


def think_one_turn(game: AnyGame, state: State, limits: SearchLimits, *, lines: int = 1, seed: int = 1) -> SearchResult:
    """Search one turn ahead: a turn that ends the game gets its score, every other one `UNDECIDED_VALUE`."""
    assert limits.nodes is not None
    assert seed >= 0
    found = _lines(game.info.id, state)
    return SearchResult(found[0].value, found[0].proven, limits.nodes, 0.0, tuple(found[:lines]))


@cache
def _lines(game_id: str, state: State) -> list[SearchLine]:
    game = registry.game(game_id)
    seat = game.to_move(state)[0]
    found = [SearchLine(moves, *_worth(game, after, seat)) for moves, after in distinct_turns(game, state)]
    return sorted(found, key=lambda line: -line.value)


def _worth(game: AnyGame, state: State, seat: int) -> tuple[float, int, bool]:
    outcome = game.outcome(state)
    if outcome is None:
        return UNDECIDED_VALUE, 1, False
    return (0.5 if outcome.winner is None else float(outcome.winner == seat)), 1, True
