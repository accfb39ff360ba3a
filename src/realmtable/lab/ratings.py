"""Elo of several bots from all their games at once: the model of Bradley and Terry."""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from realmtable.lab.statistics import Interval, Z

ELO_PER_LOGIT = 400 / log(10)  # Elo in one unit of the model
MAX_ITERATIONS = 100
TOLERANCE = 1e-10
Vector = NDArray[np.float64]


class Meeting(NamedTuple):
    """What two bots have played against each other."""

    one: int
    other: int
    points: float  # of the first, a draw being half
    games: int
    weight: float  # how many independent games without draws would tell as much


class Rating(NamedTuple):
    """A bot's Elo above the average of all, with its 95 % interval."""

    elo: float
    interval: Interval


def bradley_terry(meetings: Sequence[Meeting], bots: int) -> list[Rating]:
    """The ratings that make the results of all meetings likeliest.

    One drawn game is added to every meeting, so that a bot which has lost everything still has a rating.
    """
    strengths = np.zeros(bots)
    for _ in range(MAX_ITERATIONS):
        step = np.linalg.pinv(_information(meetings, strengths, weighted=False)) @ _gradient(meetings, strengths)
        strengths += np.clip(step, -2, 2)
        if np.abs(step).max() < TOLERANCE:
            break
    strengths -= strengths.mean()
    spread = np.linalg.pinv(_information(meetings, strengths, weighted=True))
    return [_rating(strengths[bot], spread[bot, bot]) for bot in range(bots)]


def _rating(strength: float, variance: float) -> Rating:
    elo, reach = float(strength) * ELO_PER_LOGIT, Z * sqrt(max(0.0, variance)) * ELO_PER_LOGIT
    return Rating(elo, Interval(elo - reach, elo + reach))


def _win_probability(strengths: Vector, meeting: Meeting) -> float:
    return float(1 / (1 + np.exp(strengths[meeting.other] - strengths[meeting.one])))


def _gradient(meetings: Sequence[Meeting], strengths: Vector) -> Vector:
    slope = np.zeros(len(strengths))
    for meeting in meetings:
        surplus = meeting.points + 0.5 - (meeting.games + 1) * _win_probability(strengths, meeting)
        slope[meeting.one] += surplus
        slope[meeting.other] -= surplus
    return slope


def _information(meetings: Sequence[Meeting], strengths: Vector, *, weighted: bool) -> NDArray[Any]:
    """How sharply the likelihood falls off around the strengths; its inverse is their variance."""
    found = np.zeros((len(strengths), len(strengths)))
    for meeting in meetings:
        chance = _win_probability(strengths, meeting)
        number = (meeting.weight if weighted else meeting.games) + 1
        part = number * chance * (1 - chance)
        pair = [meeting.one, meeting.other]
        found[np.ix_(pair, pair)] += part * np.array([[1, -1], [-1, 1]])
    return found
