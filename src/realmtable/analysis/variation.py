"""Lines of play for people: steps grouped into turns in notation, with the states they lead to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from realmtable.engine.match import LogEntry, group_into_turns
from realmtable.engine.protocol import AnyGame, Seat, State
from realmtable.search.search_result import SearchResult


@dataclass(frozen=True)
class VariationTurn:
    """A turn of a line: its text, and the text of each step so that it can be replayed step by step."""

    number: int
    seat: Seat
    text: str
    moves: tuple[str, ...]


@dataclass(frozen=True)
class Variation:
    """A seat's turn, the best continuation after it, and the seat's expected score."""

    turns: tuple[VariationTurn, ...]  # complete turns, except that a first turn may end where the search did
    states: tuple[Any, ...]  # the state after each turn
    chance: float  # the seat's expected score: 1 a win, ½ a draw, 0 a loss
    proven: bool
    shares: tuple[float, ...] = ()  # in games for several seats: every seat's expected score

    @property
    def text(self) -> str:
        """The first turn in notation."""
        return self.turns[0].text


def estimate_score(game: AnyGame, state: State, result: SearchResult | None, seat: Seat) -> float:
    """Return a seat's expected score: from the search result, or from the outcome if the game is over."""
    if result is None:
        return _final_score(game, state, seat)
    if result.shares:
        return result.shares[seat]
    return result.value if game.to_move(state)[0] == seat else 1 - result.value


def _final_score(game: AnyGame, state: State, seat: Seat) -> float:
    outcome = game.outcome(state)
    assert outcome is not None  # noqa: S101 - no seat is to act
    return 0.0 if outcome.ranking[seat] > 1 else 1 / outcome.ranking.count(1)


def build_variation(game: AnyGame, state: State, moves: Sequence[Any], chance: float, proven: bool) -> Variation:
    """Build the line that steps take from a state; an incomplete last turn is dropped unless it is the only one."""
    entries = []
    for move in moves:
        seat = game.to_move(state)[0]
        entries.append(LogEntry(seat, move, state, game.turn(state)))
        state = game.play(state, seat, move)
    runs = list(group_into_turns(entries))
    states = [run.before for run in runs[1:]] + [state]
    if len(runs) > 1 and game.to_move(state) and game.turn(state) == runs[-1].turn:
        runs, states = runs[:-1], states[:-1]
    turns = tuple(_variation_turn(game, run.before, run.seat, run.moves) for run in runs)
    return Variation(turns, tuple(states), chance, proven)


def _variation_turn(game: AnyGame, state: State, seat: Seat, moves: Sequence[Any]) -> VariationTurn:
    texts = tuple(game.format_move(before, move) for before, move in steps_of(game, state, seat, moves))
    return VariationTurn(game.turn(state).number, seat, game.format_turn(state, moves), texts)


def steps_of(game: AnyGame, state: State, seat: Seat, moves: Iterable[Any]) -> Iterator[tuple[State, Any]]:
    """Yield the moves of a seat that begin at a state, each with the state before it."""
    for move in moves:
        yield state, move
        state = game.play(state, seat, move)


def best_variation(game: AnyGame, state: State, result: SearchResult) -> Variation:
    """Return the best line of a search result."""
    line = result.lines[0]
    return replace(build_variation(game, state, line.moves, line.value, line.proven), shares=result.shares)


def is_complete(game: AnyGame, state: State, variation: Variation) -> bool:
    """Whether the first turn of a line from `state` is complete, or waits for chance or another seat."""
    after = variation.states[0]
    return game.to_move(after) != game.to_move(state) or game.turn(after) != game.turn(state)


def continue_turn(
    game: AnyGame, turn: VariationTurn, after: State, result: SearchResult | None, seat: Seat
) -> Variation:
    """Return the line of a turn, continued with the best line found from the state it led to."""
    chance = estimate_score(game, after, result, seat)
    if result is None:
        return Variation((turn,), (after,), chance, proven=True)
    line = Variation((turn,), (after,), chance, result.proven, result.shares)
    rest = best_variation(game, after, result) if result.lines else None
    if rest is None or not rest.turns or not is_complete(game, after, rest):
        return line
    return replace(line, turns=(turn, *rest.turns), states=(after, *rest.states))
