"""Static evaluation of the positions of a game with `Rules`.

A position is evaluated by a few counted features, each White's amount minus Black's, weighted and summed. So
weights can be fitted to played games, and an evaluation can be put into words.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np

from realmtable.engine.protocol import Seat, State
from realmtable.kit.rules import NO_WINNER, Feature, Position, Rules

WIN = 1000.0


def measure_features(rules: Rules, position: Position) -> tuple[float, ...]:
    """Return the measures of a position that is not over."""
    measures = np.empty(len(rules.features))
    rules.measure(position, measures)
    return tuple(measures.tolist())


def evaluate_position(rules: Rules, position: Position, seat: Seat) -> float:
    """Return how good a position looks to a seat: the weighted sum of its features, or a win or loss once it is over.

    Callers that look no further should take risks, so the bold weights apply where a game has some.
    """
    side = 1.0 - 2.0 * seat
    if rules.is_over(position):
        winner = rules.winner_of(position)
        return 0.0 if winner == NO_WINNER else WIN if winner == seat else -WIN
    weights = rules.bold_weights or tuple(feature.weight for feature in rules.features)
    amounts = measure_features(rules, position)
    return side * sum((weight * amount for weight, amount in zip(weights, amounts, strict=True)), 0.0)


def expected_shares(rules: Rules, position: Position) -> tuple[float, ...]:
    """Return each seat's expected share of the win in a game for several seats: the actual one once it is over."""
    assert rules.seats_entry is not None  # noqa: S101 - the game is for several seats
    assert rules.share_of is not None  # noqa: S101
    seats = range(position.item(rules.seats_entry))
    if rules.is_over(position):
        return tuple(float(rules.share_of(position, seat)) for seat in seats)
    measures = np.empty(len(seats) * len(rules.features))
    rules.measure(position, measures)
    worths = measures.reshape(len(seats), -1) @ np.array([feature.weight for feature in rules.features])
    chances = np.exp(worths - worths.max())
    return tuple((chances / chances.sum()).tolist())


@runtime_checkable
class HasFeatures(Protocol):
    """A game that can evaluate a state without a search, and say why."""

    def features(self) -> tuple[Feature, ...]:
        """Return what its positions are evaluated by."""

    def measures(self, state: State) -> tuple[float, ...]:
        """Return seat 0's amount minus seat 1's of each feature, in a state that is not over."""

    def evaluate(self, state: State, seat: Seat) -> float:
        """Return how good a state is for a seat."""
