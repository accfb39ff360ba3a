"""A line of play as people read it: its steps grouped into turns, each in notation, with the states they lead to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from realmtable.engine.match import LogEntry, group_into_turns
from realmtable.engine.protocol import AnyGame, Seat
from realmtable.search.result import SearchResult


@dataclass(frozen=True)
class VariationTurn:
    """A turn of a line: its text, and the text of each step so that it can be tried out step by step."""

    number: int
    seat: Seat
    text: str
    moves: tuple[str, ...]


@dataclass(frozen=True)
class Variation:
    """A turn of a seat and what follows it at best, with what that is worth to the seat."""

    turns: tuple[VariationTurn, ...]  # complete ones; of a first turn that was not searched to its end what there is
    states: tuple[Any, ...]  # the state after each of them
    chance: float  # the seat's expected score: 1 a win, ½ a draw, 0 a loss
    proven: bool

    @property
    def text(self) -> str:
        """Its first turn in notation."""
        return self.turns[0].text


def estimate_score(game: AnyGame, state: Any, thought: SearchResult | None, seat: Seat) -> float:  # noqa: ANN401 - the game's own
    """A seat's expected score in a state: as thought about, or as the game ended."""
    if thought is None:
        return _final_score(game, state, seat)
    return thought.value if game.to_move(state)[0] == seat else 1 - thought.value


def _final_score(game: AnyGame, state: Any, seat: Seat) -> float:  # noqa: ANN401 - the game's own
    outcome = game.outcome(state)
    assert outcome is not None  # noqa: S101 - nobody acts any more
    if outcome.ranking[seat] > 1:
        return 0.0
    return 1.0 if outcome.winner == seat else 0.5


def build_variation(game: AnyGame, state: Any, moves: Sequence[Any], chance: float, proven: bool) -> Variation:  # noqa: ANN401
    """The way that some steps go from a state; a last turn that is not complete is left out, unless it is the first."""
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


def _variation_turn(game: AnyGame, state: Any, seat: Seat, moves: Sequence[Any]) -> VariationTurn:  # noqa: ANN401 - the game's own
    number, text = game.turn(state).number, game.format_turn(state, moves)
    texts = []
    for move in moves:
        texts.append(game.format_move(state, move))
        state = game.play(state, seat, move)
    return VariationTurn(number, seat, text, tuple(texts))


def best_variation(game: AnyGame, state: Any, thought: SearchResult) -> Variation:  # noqa: ANN401 - the game's own
    """The best line of a thought about a state."""
    line = thought.lines[0]
    return build_variation(game, state, line.moves, line.value, line.proven)


def is_complete(game: AnyGame, state: Any, way: Variation) -> bool:  # noqa: ANN401 - the game's own
    """Whether the first turn of a way from a state was searched to its end."""
    after = way.states[0]
    return not game.to_move(after) or game.turn(after) != game.turn(state)


def continue_turn(
    game: AnyGame,
    turn: VariationTurn,
    after: Any,  # noqa: ANN401
    thought: SearchResult | None,
    seat: Seat,
) -> Variation:
    """The way of a turn that was taken, gone on with the best line of a thought about the state it led to."""
    chance = estimate_score(game, after, thought, seat)
    if thought is None or not thought.lines:
        return Variation((turn,), (after,), chance, proven=thought is None or thought.proven)
    rest = best_variation(game, after, thought)
    if rest.turns and is_complete(game, after, rest):
        return Variation((turn, *rest.turns), (after, *rest.states), chance, thought.proven)
    return Variation((turn,), (after,), chance, thought.proven)


def first_turn_only(way: Variation) -> Variation:
    """A way cut after its first turn."""
    return replace(way, turns=way.turns[:1], states=way.states[:1])
