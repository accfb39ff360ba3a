"""How a game whose rules are kernels tells a search what a position is worth.

A position is judged by a few counted features, each White's amount minus Black's, weighed and added up; so weights can
be learned from played games, and a judgement can be told in words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from realmtable.engine.protocol import Seat
from realmtable.kit.array_state import Position, Steps

Measures = NDArray[np.float64]  # one for each feature: seat 0's amount minus seat 1's
WIN = 1000.0
NO_WINNER = 2  # what `Evaluation.winner_of` says of a drawn game


class Feature(NamedTuple):
    """Something that a position is judged by."""

    name: str
    words: str  # for people, in the plural: "Realms"
    weight: float  # what one is worth; in a position worth x the expected score is (1 + tanh x) / 2


class Evaluation(NamedTuple):
    """What stands behind a compiled search of one game: its kernels, and where they keep what every game has."""

    game_id: str
    legal_steps: Callable[[Position, Steps], int]  # lists the legal steps that propose nothing
    apply_step: Callable[[Position, int], None]  # carries out a legal step, in place
    key: Callable[[Position], int]  # equal for equal states
    is_over: Callable[[Position], bool]
    winner_of: Callable[[Position], int]  # of a finished game: a seat, or NO_WINNER
    is_path_independent: Callable[[Position], bool]  # whether a finished game would have ended so whatever came before
    measure: Callable[[Position, Measures], None]  # writes the measures of an unfinished position
    features: tuple[Feature, ...]
    seat_entry: int  # where a position keeps who acts
    turns_entry: int  # where it keeps how many turns are complete
    step_capacity: int  # what a list of steps needs
    bold_weights: tuple[float, ...] | None = (
        None  # other weights for opponents who should risk something, not hold a draw
    )


def measure_features(judgement: Evaluation, position: Position) -> tuple[float, ...]:
    """The measures of a position that is not over."""
    measures = np.empty(len(judgement.features))
    judgement.measure(position, measures)
    return tuple(measures.tolist())


def evaluate_position(judgement: Evaluation, position: Position, seat: Seat) -> float:
    """How good a position looks to a seat at a glance: what its features add up to, far more or less once it is over.

    Who looks no further should risk something, so the bold weights count where there are some.
    """
    side = 1.0 - 2.0 * seat
    if judgement.is_over(position):
        winner = judgement.winner_of(position)
        return 0.0 if winner == NO_WINNER else WIN if winner == seat else -WIN
    weights = judgement.bold_weights or tuple(feature.weight for feature in judgement.features)
    amounts = measure_features(judgement, position)
    return side * sum((weight * amount for weight, amount in zip(weights, amounts, strict=True)), 0.0)


@runtime_checkable
class HasKernels(Protocol):
    """A game that can be searched inside compiled code."""

    def evaluation(self) -> Evaluation:
        """Its kernels and what it is judged by."""


@runtime_checkable
class HasFeatures(Protocol):
    """A game that can say at a glance how good a state is, and why."""

    def features(self) -> tuple[Feature, ...]:
        """What its positions are judged by."""

    def measures(self, state: Any) -> tuple[float, ...]:  # noqa: ANN401 - the game's own
        """For each feature seat 0's amount minus seat 1's, in a state that is not over."""

    def evaluate(self, state: Any, seat: Seat) -> float:  # noqa: ANN401 - the game's own
        """How good a state is for a seat."""
