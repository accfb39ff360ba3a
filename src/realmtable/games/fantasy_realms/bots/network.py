"""What a small network expects of a hand; games against itself have taught it (`bench/fantasy_learning.py`).

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

from realmtable.games.fantasy_realms.bots.hand_values import FULL, Cards
from realmtable.games.fantasy_realms.cards import CARDS

Floats = NDArray[np.float32]

MANY: Final = len(CARDS)
FEWEST_SEATS: Final = 2
MOST_SEATS: Final = 6
MOST_LYING: Final = 12
# Where the inputs begin: a place for each card in the hand, in the discard area, and known in the hands of others.
LYING: Final = MANY
KNOWN: Final = 2 * MANY
COUNT: Final = 3 * MANY  # a place for each number of cards in the discard area
SEATS: Final = COUNT + MOST_LYING + 1
MISSING: Final = SEATS + MOST_SEATS - FEWEST_SEATS + 1  # the part of seven cards that the hand still lacks
WORTH: Final = MISSING + 1
INPUTS: Final = WORTH + 1
# Where the outputs begin; points are told in hundreds.
POINTS, OTHERS, LOW, HIGH, LAST_HAND = range(5)
HUNDRED: Final = 100.0
USUAL: Final = 200.0  # points that the best other is told above


class Moment(NamedTuple):
    """What a player knows after his turn, and the present worth of his hand."""

    hand: Cards
    lying: Cards  # the discard area
    known: Cards  # cards of others that everybody knows of
    seats: int
    worth: int


class Expected(NamedTuple):
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
def network() -> Network:
    """The network that is shipped."""
    with (
        files("realmtable.games.fantasy_realms").joinpath("data/expectations.npz").open("rb") as file,
        np.load(file) as found,
    ):
        layers = [(found[f"w{number}"], found[f"b{number}"]) for number in (1, 2, 3)]
    return Network(tuple((weights.astype(np.float32), bias.astype(np.float32)) for weights, bias in layers))


def inputs(moments: Sequence[Moment]) -> Floats:
    """Moments as the network is told them, a row for each."""
    rows = np.zeros((len(moments), INPUTS), np.float32)
    for start, masks in enumerate(list(zip(*moments, strict=True))[:3]):
        rows[:, start * MANY : (start + 1) * MANY] = np.array(masks)[:, None] >> np.arange(MANY) & 1
    at = np.arange(len(moments))
    lying = rows[:, LYING:KNOWN].sum(axis=1).astype(int)
    rows[at, COUNT + np.minimum(lying, MOST_LYING)] = 1
    rows[at, SEATS - FEWEST_SEATS + np.array([moment.seats for moment in moments])] = 1
    rows[:, MISSING] = (FULL - rows[:, :LYING].sum(axis=1)) / FULL
    rows[:, WORTH] = np.array([moment.worth for moment in moments]) / HUNDRED
    return rows


def expected(moments: Sequence[Moment]) -> Expected:
    """What may come of some moments."""
    answers = network().outputs(inputs(moments))
    worth = np.array([moment.worth for moment in moments], np.float32)
    points = worth + HUNDRED * answers[:, POINTS]
    low, high = worth + HUNDRED * answers[:, LOW], worth + HUNDRED * answers[:, HIGH]
    others = USUAL + HUNDRED * answers[:, OTHERS]
    cards = (1 / (1 + np.exp(-answers[:, LAST_HAND:]))).astype(np.float32)
    return Expected(points, others, np.minimum(low, points), np.maximum(high, points), cards)
