"""A small network that predicts what a hand will lead to, trained by self-play (`studies/fantasy_bots/training.py`).

Its inputs are everything a player may know after their turn, and the current worth of their hand. It predicts the
player's final points, a range for them, the points of the best other player, and how likely each card is to be in the
final hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from realmtable.games.fantasy_realms.bots.hand_values import Cards
from realmtable.games.fantasy_realms.cards import CARDS, HAND_SIZE

Floats = NDArray[np.float32]

CARD_COUNT: Final = len(CARDS)
MIN_SEATS: Final = 2
MAX_SEATS: Final = 6
MAX_DISCARDS: Final = 12
# Offsets of the inputs. First one entry per card: in the hand, in the discard area, known in other hands.
DISCARD: Final = CARD_COUNT
KNOWN: Final = 2 * CARD_COUNT
DISCARD_COUNT: Final = 3 * CARD_COUNT  # one entry per size of the discard area
SEATS: Final = DISCARD_COUNT + MAX_DISCARDS + 1
MISSING: Final = SEATS + MAX_SEATS - MIN_SEATS + 1  # the fraction of seven cards the hand still lacks
WORTH: Final = MISSING + 1
INPUTS: Final = WORTH + 1
# Offsets of the outputs; points are in hundreds.
POINTS, OTHERS, LOW, HIGH, LAST_HAND = range(5)
POINTS_SCALE: Final = 100.0
USUAL_BEST_OTHER: Final = 200.0  # the best other player's points are predicted relative to this


class TurnEnd(NamedTuple):
    """What a player knows after their turn, and the current worth of their hand."""

    hand: Cards
    discard: Cards  # the discard area
    known: Cards  # cards everyone knows other players hold
    seats: int
    worth: int


class Forecast(NamedTuple):
    """Predictions for turn ends, one entry or row each."""

    points: Floats
    others: Floats  # points of the best other player
    low: Floats  # one game in ten ends with less
    high: Floats  # one game in ten ends with more
    cards: Floats  # one column per card: its likelihood in the final hand


@dataclass(frozen=True)
class Network:
    """Three layers of weights."""

    layers: tuple[tuple[Floats, Floats], ...]

    def outputs(self, inputs: Floats) -> Floats:
        """Return the outputs for rows of inputs."""
        values = inputs
        for weights, bias in self.layers[:-1]:
            values = np.maximum(values @ weights + bias, 0)
        weights, bias = self.layers[-1]
        answers: Floats = values @ weights + bias
        return answers


@cache
def load_network() -> Network:
    """Load the network shipped with the game."""
    with (
        files("realmtable.games.fantasy_realms").joinpath("data/expectations.npz").open("rb") as file,
        np.load(file) as arrays,
    ):
        layers = [(arrays[f"w{number}"], arrays[f"b{number}"]) for number in (1, 2, 3)]
    return Network(tuple((weights.astype(np.float32), bias.astype(np.float32)) for weights, bias in layers))


def network_inputs(turn_ends: Sequence[TurnEnd]) -> Floats:
    """Encode turn ends as network inputs, one row each."""
    rows = np.zeros((len(turn_ends), INPUTS), np.float32)
    for start, masks in enumerate(list(zip(*turn_ends, strict=True))[:3]):
        rows[:, start * CARD_COUNT : (start + 1) * CARD_COUNT] = np.array(masks)[:, None] >> np.arange(CARD_COUNT) & 1
    at = np.arange(len(turn_ends))
    discards = rows[:, DISCARD:KNOWN].sum(axis=1).astype(int)
    rows[at, DISCARD_COUNT + np.minimum(discards, MAX_DISCARDS)] = 1
    rows[at, SEATS - MIN_SEATS + np.array([end.seats for end in turn_ends])] = 1
    rows[:, MISSING] = (HAND_SIZE - rows[:, :DISCARD].sum(axis=1)) / HAND_SIZE
    rows[:, WORTH] = np.array([end.worth for end in turn_ends]) / POINTS_SCALE
    return rows


def forecast(turn_ends: Sequence[TurnEnd]) -> Forecast:
    """Predict what turn ends will lead to."""
    answers = load_network().outputs(network_inputs(turn_ends))
    worth = np.array([end.worth for end in turn_ends], np.float32)
    points = worth + POINTS_SCALE * answers[:, POINTS]
    low, high = worth + POINTS_SCALE * answers[:, LOW], worth + POINTS_SCALE * answers[:, HIGH]
    others = USUAL_BEST_OTHER + POINTS_SCALE * answers[:, OTHERS]
    cards = (1 / (1 + np.exp(-answers[:, LAST_HAND:]))).astype(np.float32)
    return Forecast(points, others, np.minimum(low, points), np.maximum(high, points), cards)
