"""Train a network on records of games: targets, errors, and steps of Adam.

Points are in hundreds. The target for a game's end is half the actual result and half the network's own prediction at
the same player's next turn, which has more information.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from realmtable.games.fantasy_realms.bots import network as net
from realmtable.games.fantasy_realms.cards import HAND_SIZE
from studies.fantasy_bots.selfplay import (
    BEFORE,
    DECK,
    HAND,
    KNOWN,
    LAST,
    LEAD,
    LEAD_SCALE,
    LYING,
    NEXT,
    OTHERS,
    OUTPUTS,
    POINTS,
    SEATS,
    WORTH,
    Floats,
    Records,
    Weights,
)

HIDDEN: Final = (192, 32)
FIRST_SPREAD: Final = 0.1  # of the initial weights
BOOTSTRAP_WEIGHT: Final = 0.5  # of the prediction at the next turn
LOW_QUANTILE, HIGH_QUANTILE = 0.1, 0.9  # shares of games that end below the ends of the range
RANGE_WEIGHT: Final = 0.2
CARDS_WEIGHT: Final = 0.5

HALF_BATCH: Final = 1024  # records after a turn, and as many before one
EPOCHS: Final = 3  # over all records, on average
FEWEST_STEPS, MOST_STEPS = 200, 3000
FINAL_RATE_SHARE: Final = 0.1  # share of the rate at the last step
AVERAGED_STEPS: Final = 100  # final steps whose errors are reported

BETA_1, BETA_2 = 0.9, 0.999  # decay of Adam's moment estimates
EPSILON: Final = 1e-8


class BadNetwork(ValueError):
    """A file does not contain a network for Fantasy Realms."""


class Errors(NamedTuple):
    """A network's mean errors."""

    points: float  # squared hundreds, like the next two
    others: float
    deck: float
    ends: float  # of the range: pinball loss in hundreds
    cards: float  # cross-entropy per card

    def total(self) -> float:
        """Return the loss that training minimises."""
        return self.points + self.others + self.deck + RANGE_WEIGHT * self.ends + CARDS_WEIGHT * self.cards


class Targets(NamedTuple):
    """The targets for moments after a turn, and for others before one."""

    points: Floats
    others: Floats
    final: Floats  # the actual points, for the range
    cards: Floats  # a column for each card: 1 if it was in the final hand
    deck: Floats


class Layers(NamedTuple):
    """The activations of all layers for rows of inputs."""

    inputs: Floats
    first: Floats
    second: Floats
    outputs: Floats


# ---- a network


def new_weights(rng: np.random.Generator, hidden: tuple[int, int] = HIDDEN) -> Weights:
    """Return an untrained network: it predicts each hand's present worth and an average score for the others."""
    first, second = hidden
    arrays = (
        rng.standard_normal((net.INPUTS, first)) * FIRST_SPREAD,
        np.zeros(first),
        rng.standard_normal((first, second)) / np.sqrt(first),
        np.zeros(second),
        np.zeros((second, OUTPUTS + 1)),
        np.zeros(OUTPUTS + 1),
    )
    return Weights(*(array.astype(np.float32) for array in arrays))


def forward(weights: Weights, inputs: Floats) -> Layers:
    """Compute all layers for the inputs."""
    first = np.maximum(inputs @ weights.w1 + weights.b1, 0)
    second = np.maximum(first @ weights.w2 + weights.b2, 0)
    return Layers(inputs, first, second, second @ weights.w3 + weights.b3)


def backward(weights: Weights, layers: Layers, slopes: Floats) -> Weights:
    """Return the gradients of the weights, given those of the outputs."""
    second = slopes @ weights.w3.T * (layers.second > 0)
    first = second @ weights.w2.T * (layers.first > 0)
    return Weights(
        layers.inputs.T @ first,
        first.sum(axis=0),
        layers.first.T @ second,
        second.sum(axis=0),
        layers.second.T @ slopes,
        slopes.sum(axis=0),
    )


class Adam:
    """The Adam optimiser."""

    def __init__(self, weights: Weights) -> None:
        self.means = [np.zeros_like(array) for array in weights]
        self.squares = [np.zeros_like(array) for array in weights]
        self.steps = 0

    def step(self, weights: Weights, slopes: Weights, rate: float) -> None:
        """Update the weights."""
        self.steps += 1
        scale = rate * np.sqrt(1 - BETA_2**self.steps) / (1 - BETA_1**self.steps)
        for array, slope, mean, square in zip(weights, slopes, self.means, self.squares, strict=True):
            mean[...] += (1 - BETA_1) * (slope - mean)
            square[...] += (1 - BETA_2) * (slope * slope - square)
            array[...] -= scale * mean / (np.sqrt(square) + EPSILON)


# ---- records


def mask_to_rows(masks: Records) -> Floats:
    """Convert sets of cards to rows with a column for each card."""
    found: Floats = (masks[:, None] >> np.arange(net.CARD_COUNT) & 1).astype(np.float32)
    return found


def network_inputs(records: Records) -> Floats:
    """Convert records to network inputs, like `network.network_inputs` but many at a time."""
    rows = np.zeros((len(records), net.INPUTS), np.float32)
    for start, column in ((0, HAND), (net.DISCARD, LYING), (net.KNOWN, KNOWN)):
        rows[:, start : start + net.CARD_COUNT] = mask_to_rows(records[:, column])
    at = np.arange(len(records))
    lying = rows[:, net.DISCARD : net.KNOWN].sum(axis=1).astype(np.int64)
    rows[at, net.DISCARD_COUNT + np.minimum(lying, net.MAX_DISCARDS)] = 1
    rows[at, net.SEATS - net.MIN_SEATS + records[:, SEATS]] = 1
    rows[:, net.MISSING] = (HAND_SIZE - rows[:, : net.DISCARD].sum(axis=1)) / HAND_SIZE
    rows[:, net.WORTH] = records[:, WORTH] / net.POINTS_SCALE
    return rows


def compute_targets(weights: Weights, after: Records, later: Records, before: Records) -> Targets:
    """Return the targets; `later` holds the next records of the same players, or the same records."""
    worth, others = after[:, WORTH] / net.POINTS_SCALE, (after[:, OTHERS] - net.USUAL_BEST_OTHER) / net.POINTS_SCALE
    final = after[:, POINTS] / net.POINTS_SCALE - worth
    guess = forward(weights, network_inputs(later)).outputs
    trust = BOOTSTRAP_WEIGHT * (after[:, NEXT] > 0)
    points = final + trust * (guess[:, net.POINTS] + later[:, WORTH] / net.POINTS_SCALE - worth - final)
    deck = (before[:, LEAD] / LEAD_SCALE + net.USUAL_BEST_OTHER - before[:, WORTH]) / net.POINTS_SCALE
    found = (points, others + trust * (guess[:, net.OTHERS] - others), final, mask_to_rows(after[:, LAST]), deck)
    return Targets(*(array.astype(np.float32) for array in found))


# ---- errors


def mean_squared_error(predicted: Floats, target: Floats) -> tuple[float, Floats]:
    """Return the mean squared error and its gradients."""
    difference = predicted - target
    return float((difference * difference).mean()), 2 * difference / len(difference)


def pinball_loss(predicted: Floats, actual: Floats, share: float) -> tuple[float, Floats]:
    """Return the pinball loss, minimal at the quantile `share`, and its gradients."""
    difference = actual - predicted
    slope = np.where(difference > 0, share, share - 1).astype(predicted.dtype)
    return float((slope * difference).mean()), -slope / len(difference)


def cross_entropy(predicted: Floats, held: Floats) -> tuple[float, Floats]:
    """Return the cross-entropy of predicted cards (as logits) and the cards held, and its gradients."""
    entropy = np.maximum(predicted, 0) - predicted * held + np.log1p(np.exp(-np.abs(predicted)))
    return float(entropy.mean()), ((1 + np.tanh(predicted / 2)) / 2 - held) / predicted.size


def compute_errors(outputs: Floats, aim: Targets) -> tuple[Errors, Floats]:
    """Return the errors of outputs, those after turns first, and the gradients of their total."""
    slopes, many = np.zeros_like(outputs), len(aim.points)
    after, rising = outputs[:many], slopes[:many]
    points, rising[:, net.POINTS] = mean_squared_error(after[:, net.POINTS], aim.points)
    others, rising[:, net.OTHERS] = mean_squared_error(after[:, net.OTHERS], aim.others)
    low, low_slopes = pinball_loss(after[:, net.LOW], aim.final, LOW_QUANTILE)
    high, high_slopes = pinball_loss(after[:, net.HIGH], aim.final, HIGH_QUANTILE)
    rising[:, net.LOW], rising[:, net.HIGH] = RANGE_WEIGHT * low_slopes, RANGE_WEIGHT * high_slopes
    cards, card_slopes = cross_entropy(after[:, net.LAST_HAND : OUTPUTS], aim.cards)
    rising[:, net.LAST_HAND : OUTPUTS] = CARDS_WEIGHT * card_slopes
    deck, slopes[many:, DECK] = mean_squared_error(outputs[many:, DECK], aim.deck)
    return Errors(points, others, deck, low + high, cards), slopes


# ---- training


def train_step(weights: Weights, adam: Adam, parts: tuple[Records, Records, Records], rate: float) -> Errors:
    """Take one training step on records after turns, later ones and those before turns; return the errors."""
    after, later, before = parts
    aim = compute_targets(weights, after, later, before)
    layers = forward(weights, network_inputs(np.concatenate([after, before])))
    found, slopes = compute_errors(layers.outputs, aim)
    adam.step(weights, backward(weights, layers, slopes), rate)
    return found


def batches(records: Records, steps: int, rng: np.random.Generator) -> Iterator[tuple[Records, Records, Records]]:
    """Yield random records for `steps` steps: after turns, the next ones, and before turns."""
    after, before = (np.flatnonzero(records[:, BEFORE] == kind) for kind in (0, 1))
    for _ in range(steps):
        rows, others = rng.choice(after, HALF_BATCH), rng.choice(before, HALF_BATCH)
        yield records[rows], records[rows + records[rows, NEXT]], records[others]


def train(weights: Weights, adam: Adam, records: Records, rate: float, rng: np.random.Generator) -> Errors:
    """Train a network on the records, and return its errors at the end."""
    steps = min(MOST_STEPS, max(FEWEST_STEPS, EPOCHS * len(records) // (2 * HALF_BATCH)))
    seen = []
    for step, parts in enumerate(batches(records, steps, rng)):
        slower = 1 - (1 - FINAL_RATE_SHARE) * step / steps
        seen.append(train_step(weights, adam, parts, rate * slower))
    return Errors(*np.mean(seen[-AVERAGED_STEPS:], axis=0).tolist())


# ---- files


def save(path: Path, weights: Weights) -> None:
    """Save a network atomically in the game's format, with the extra weights that only training needs."""
    kept = weights._replace(w3=weights.w3[:, :OUTPUTS], b3=weights.b3[:OUTPUTS])._asdict()
    deck = {"deck_w": weights.w3[:, DECK:], "deck_b": weights.b3[DECK:]}
    fresh = path.with_name(path.name + ".new")
    with fresh.open("wb") as file:
        np.savez_compressed(file, **{name: array.astype(np.float16) for name, array in {**kept, **deck}.items()})
    fresh.replace(path)


def load(path: Path) -> tuple[Weights, bool]:
    """Load a network, and whether it can value a blind draw; raise `BadNetwork` if the file is invalid."""
    try:
        with np.load(path) as file:
            found = {name: file[name].astype(np.float32, order="C") for name in file.files}
    except (OSError, ValueError, TypeError, EOFError, BadZipFile) as error:
        raise BadNetwork(f"{path.name} is not a file of weights.") from error
    if missing := {*Weights._fields} - {*found}:
        raise BadNetwork(f"{path.name} lacks {', '.join(sorted(missing))}.")
    weights, knows = Weights(*(found[name] for name in Weights._fields)), "deck_w" in found
    second = len(weights.b2)
    deck = (found["deck_w"], found["deck_b"]) if knows else (np.zeros((second, 1)), np.zeros(1))
    if not has_right_shapes(weights, deck):
        raise BadNetwork(f"{path.name} contains a network whose inputs or outputs do not match the game.")
    wider, longer = np.hstack([weights.w3, deck[0]]), np.concatenate([weights.b3, deck[1]])
    return weights._replace(w3=wider.astype(np.float32), b3=longer.astype(np.float32)), knows


def has_right_shapes(weights: Weights, deck: tuple[NDArray[np.floating], NDArray[np.floating]]) -> bool:
    """Whether the layers match each other, the inputs and the outputs."""
    first, second = len(weights.b1), len(weights.b2)
    sizes = [net.INPUTS, first], [first], [first, second], [second], [second, OUTPUTS], [OUTPUTS], [second, 1], [1]
    return all([*array.shape] == size for array, size in zip([*weights, *deck], sizes, strict=True))
