"""What a small network expects of a hand; games against itself have taught it (`bench/fantasy_training.py`).

It is told everything a player may know after his turn, and what his hand is worth at present. Of the future it tells
his points, those of the best other, a range, and how likely each card is to be in his last hand.
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
# Where the inputs begin: a place for each card in the hand, in the discard area, and known in the hands of others.
DISCARD: Final = CARD_COUNT
KNOWN: Final = 2 * CARD_COUNT
DISCARD_COUNT: Final = 3 * CARD_COUNT  # a place for each number of cards in the discard area
SEATS: Final = DISCARD_COUNT + MAX_DISCARDS + 1
MISSING: Final = SEATS + MAX_SEATS - MIN_SEATS + 1  # the part of seven cards that the hand still lacks
WORTH: Final = MISSING + 1
INPUTS: Final = WORTH + 1
# Where the outputs begin; points are told in hundreds.
POINTS, OTHERS, LOW, HIGH, LAST_HAND = range(5)
POINTS_SCALE: Final = 100.0
USUAL_BEST_OTHER: Final = 200.0  # points that the best other is told above


class TurnEnd(NamedTuple):
    """What a player knows after his turn, and the present worth of his hand."""

    hand: Cards
    discard: Cards  # the discard area
    known: Cards  # cards of others that everybody knows of
    seats: int
    worth: int


class Forecast(NamedTuple):
    """What may come of some moments, an entry or a row for each."""

    points: Floats
    others: Floats  # points of the best other player
    low: Floats  # one game in ten ends with less
    high: Floats  # one game in ten ends with more
    cards: Floats  # a column for each card: how likely it is in the last hand


@dataclass(frozen=True)
class Network:
    """Three layers of weights."""

    layers: tuple[tuple[Floats, Floats], ...]

    def outputs(self, inputs: Floats) -> Floats:
        """What it answers to rows of inputs."""
        values = inputs
        for weights, bias in self.layers[:-1]:
            values = np.maximum(values @ weights + bias, 0)
        weights, bias = self.layers[-1]
        answers: Floats = values @ weights + bias
        return answers


@cache
def load_network() -> Network:
    """The network that is shipped."""
    with (
        files("realmtable.games.fantasy_realms").joinpath("data/expectations.npz").open("rb") as file,
        np.load(file) as found,
    ):
        layers = [(found[f"w{number}"], found[f"b{number}"]) for number in (1, 2, 3)]
    return Network(tuple((weights.astype(np.float32), bias.astype(np.float32)) for weights, bias in layers))


def network_inputs(moments: Sequence[TurnEnd]) -> Floats:
    """Moments as the network is told them, a row for each."""
    rows = np.zeros((len(moments), INPUTS), np.float32)
    for start, masks in enumerate(list(zip(*moments, strict=True))[:3]):
        rows[:, start * CARD_COUNT : (start + 1) * CARD_COUNT] = np.array(masks)[:, None] >> np.arange(CARD_COUNT) & 1
    at = np.arange(len(moments))
    lying = rows[:, DISCARD:KNOWN].sum(axis=1).astype(int)
    rows[at, DISCARD_COUNT + np.minimum(lying, MAX_DISCARDS)] = 1
    rows[at, SEATS - MIN_SEATS + np.array([moment.seats for moment in moments])] = 1
    rows[:, MISSING] = (HAND_SIZE - rows[:, :DISCARD].sum(axis=1)) / HAND_SIZE
    rows[:, WORTH] = np.array([moment.worth for moment in moments]) / POINTS_SCALE
    return rows


def forecast(moments: Sequence[TurnEnd]) -> Forecast:
    """What may come of some moments."""
    answers = load_network().outputs(network_inputs(moments))
    worth = np.array([moment.worth for moment in moments], np.float32)
    points = worth + POINTS_SCALE * answers[:, POINTS]
    low, high = worth + POINTS_SCALE * answers[:, LOW], worth + POINTS_SCALE * answers[:, HIGH]
    others = USUAL_BEST_OTHER + POINTS_SCALE * answers[:, OTHERS]
    cards = (1 / (1 + np.exp(-answers[:, LAST_HAND:]))).astype(np.float32)
    return Forecast(points, others, np.minimum(low, points), np.maximum(high, points), cards)
