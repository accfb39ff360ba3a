"""Elo ratings of several bots from all their games at once, with the Bradley-Terry model."""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from realmtable.lab.match_statistics import Interval, Z

ELO_PER_LOGIT = 400 / log(10)  # Elo per unit of the model
MAX_ITERATIONS = 100
TOLERANCE = 1e-10
Vector = NDArray[np.float64]


class Meeting(NamedTuple):
    """The games of two bots against each other."""

    one: int
    other: int
    points: float  # of the first bot; a draw counts half
    games: int
    weight: float  # the effective number of independent games


class Rating(NamedTuple):
    """A bot's Elo relative to the average, with its 95% interval."""

    elo: float
    interval: Interval


def bradley_terry(meetings: Sequence[Meeting], bots: int) -> list[Rating]:
    """Return the maximum-likelihood ratings for the results of all meetings.

    One drawn game is added to every meeting, so that a bot that lost every game still gets a finite rating.
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
    """Return the information matrix; its inverse is the variance of the strengths."""
    found = np.zeros((len(strengths), len(strengths)))
    for meeting in meetings:
        chance = _win_probability(strengths, meeting)
        number = (meeting.weight if weighted else meeting.games) + 1
        part = number * chance * (1 - chance)
        pair = [meeting.one, meeting.other]
        found[np.ix_(pair, pair)] += part * np.array([[1, -1], [-1, 1]])
    return found
