"""The turns that a search offers in a position, and whether one class of them stands out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from realmtable.analysis.puzzles import FAILING_SCORE, WINNING_SCORE, is_same_turn
from realmtable.engine.protocol import AnyGame
from realmtable.kit.realm_board.position_classes import ClassKey, position_class
from realmtable.search.search_result import SearchLine, SearchResult

State = Any


class CandidateTurn(NamedTuple):
    """A complete turn, the state it leads to, and its value for the seat that plays it."""

    moves: tuple[Any, ...]
    state: State
    class_key: ClassKey
    value: float
    proven: bool


def candidate_turns(game: AnyGame, state: State, result: SearchResult) -> list[CandidateTurn]:
    """Return the first turn of each line, best first; incomplete turns are left out."""
    turns = [_candidate_turn(game, state, line) for line in result.lines]
    return [turn for turn in turns if not is_same_turn(game, state, turn.state)]


def _candidate_turn(game: AnyGame, state: State, line: SearchLine) -> CandidateTurn:
    moves = first_turn(game, state, line.moves)
    after = state_after(game, state, moves)
    return CandidateTurn(moves, after, position_class(game, after), line.value, line.proven)


def first_turn(game: AnyGame, state: State, moves: Sequence[Any]) -> tuple[Any, ...]:
    """Return the leading steps that belong to the turn in progress."""
    now = state
    for count, move in enumerate(moves, 1):
        now = game.play(now, game.to_move(now)[0], move)
        if not is_same_turn(game, state, now):
            return tuple(moves[:count])
    return tuple(moves)


def state_after(game: AnyGame, state: State, moves: Sequence[Any]) -> State:
    """Play steps of the acting seats and return the state."""
    for move in moves:
        state = game.play(state, game.to_move(state)[0], move)
    return state


def drop_duplicates(turns: Sequence[CandidateTurn]) -> list[CandidateTurn]:
    """Drop turns that lead to the same state as an earlier one."""
    distinct: list[CandidateTurn] = []
    for turn in turns:
        if all(turn.state != other.state for other in distinct):
            distinct.append(turn)
    return distinct


def stands_out(turns: Sequence[CandidateTurn], wins: float = WINNING_SCORE, fails: float = FAILING_SCORE) -> bool:
    """Whether the best class of turns wins and all others fail; there must be at least one other."""
    if not turns or turns[0].value < wins:
        return False
    others = [turn.value for turn in turns if turn.class_key != turns[0].class_key]
    return bool(others) and max(others) <= fails
