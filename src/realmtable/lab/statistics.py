"""What a number of games shows, and how surely: intervals of a score, Elo, and the sequential test.

The unit is the pair, two games from one opening with the seats swapped: its games are not independent of each other,
pairs are. docs/strength.md argues the choices made here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import inf, log, log10, sqrt
from statistics import NormalDist
from typing import NamedTuple

from realmtable.engine.errors import BadInput

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # what a pair can bring, as a share of its two points
Z = NormalDist().inv_cdf(0.975)  # for 95 %
MIN_COUNT = 1e-3  # stands for a pair result that has not been seen yet, so that no chance is taken for none
BISECTIONS = 40
MAX_ELO = 2000.0

PairCounts = Sequence[int]  # how many pairs brought each of PAIR_SCORES


class Interval(NamedTuple):
    """The two ends of a 95 % interval."""

    low: float
    high: float


def mean_score(counts: PairCounts) -> float:
    """The score of the pairs: 1 if everything was won."""
    return sum(count * score for count, score in zip(counts, PAIR_SCORES, strict=True)) / sum(counts)


def wilson(share: float, number: float) -> Interval:
    """Wilson's 95 % interval of a share that was seen in so many independent trials.

    >>> [round(end, 4) for end in wilson(0.9, 100)]
    [0.8256, 0.9448]
    """
    shrink = 1 + Z * Z / number
    middle = (share + Z * Z / (2 * number)) / shrink
    reach = Z * sqrt(share * (1 - share) / number + Z * Z / (4 * number * number)) / shrink
    return Interval(max(0.0, middle - reach), min(1.0, middle + reach))


def effective_games(counts: PairCounts) -> float:
    """How many independent games without draws would tell as much as these pairs.

    Two independent games a pair without draws count about 2, draws and openings that decide for either side more,
    pairs whose games always end alike 1. One imagined pair of the last kind keeps few pairs from promising too much.
    """
    pairs = sum(counts)
    mean = mean_score(counts)
    coin = mean * (1 - mean)  # the variance of a game that is won or lost, and the most a pair can have
    if pairs == 1 or coin == 0:
        return float(pairs)
    squares = sum(count * (score - mean) ** 2 for count, score in zip(counts, PAIR_SCORES, strict=True))
    spread = squares * pairs / (pairs - 1)
    return pairs / min(1.0, (spread + coin) / ((pairs + 1) * coin))


def score_interval(counts: PairCounts) -> Interval:
    """The 95 % interval of the score of pairs: Wilson's, with the spread that the pairs show.

    >>> [round(end, 3) for end in score_interval([0, 0, 0, 0, 50])]
    [0.929, 1.0]
    """
    return wilson(mean_score(counts), effective_games(counts))


def elo(score: float) -> float:
    """The Elo difference at which a score is expected; infinite for 0 and 1.

    >>> round(elo(0.75), 1)
    190.8
    """
    if score <= 0 or score >= 1:
        return inf if score > 0 else -inf
    return 400 * log10(score / (1 - score))


def score_from_elo(difference: float) -> float:
    """The score that an Elo difference lets expect.

    >>> round(score_from_elo(100), 3)
    0.64
    """
    return 1 / (1 + 10 ** (-difference / 400))


class SprtVerdict(StrEnum):
    """What a sequential test has decided so far."""

    ACCEPTED = "accepted"  # the first bot is stronger by the higher difference rather than the lower
    REJECTED = "rejected"  # the lower rather than the higher
    OPEN = "open"


@dataclass(frozen=True)
class Sprt:
    """A sequential test: is the first bot stronger by `elo1` rather than by `elo0`?

    It stops as soon as the log-likelihood ratio of the two leaves the bounds; each answer is wrong with a probability
    of about `error`.
    """

    elo0: float
    elo1: float
    error: float = 0.05

    def __post_init__(self) -> None:
        """Refuse a test that can decide nothing."""
        if not -MAX_ELO <= self.elo0 < self.elo1 <= MAX_ELO:
            raise BadInput(
                "A sequential test is between a lower and a higher Elo difference such as 0:50, none beyond "
                f"{MAX_ELO:.0f}, not {self.elo0:g}:{self.elo1:g}."
            )

    @classmethod
    def parse(cls, text: str) -> Sprt:
        """The test of a text such as ``0:50``."""
        parts = text.split(":")
        try:
            lower, higher = (float(part) for part in parts)
        except ValueError:
            raise BadInput(f"A sequential test is two Elo differences such as 0:50, not {text[:40]!r}.") from None
        return cls(lower, higher)

    @property
    def bound(self) -> float:
        """Where the ratio ends the test, above 0 or below."""
        return log((1 - self.error) / self.error)

    def ratio(self, counts: PairCounts) -> float:
        """The generalised log-likelihood ratio of pairs for `elo1` against `elo0`."""
        seen = [max(float(count), MIN_COUNT) for count in counts]
        lower, higher = (_fit_probabilities(seen, score_from_elo(difference)) for difference in (self.elo0, self.elo1))
        return sum(count * log(high / low) for count, low, high in zip(seen, lower, higher, strict=True))

    def verdict(self, counts: PairCounts) -> SprtVerdict:
        """What the pairs decide."""
        ratio = self.ratio(counts)
        if abs(ratio) < self.bound:
            return SprtVerdict.OPEN
        return SprtVerdict.ACCEPTED if ratio > 0 else SprtVerdict.REJECTED


def count_pair_scores(pair_scores: Sequence[float]) -> tuple[int, ...]:
    """How many pairs brought each of `PAIR_SCORES`."""
    return tuple(sum(score == possible for score in pair_scores) for possible in PAIR_SCORES)


def _fit_probabilities(seen: Sequence[float], mean: float) -> list[float]:
    """The chances of the pair results that fit what was seen best among all with a given mean.

    They are the seen shares, each divided by 1 + tilt · (its score - mean); the tilt is found by halving.
    """
    total = sum(seen)
    shares = [count / total for count in seen]
    away = [score - mean for score in PAIR_SCORES]
    low, high = -1 / away[-1], -1 / away[0]
    tilt = 0.0
    for _ in range(BISECTIONS):
        rest = sum(share * by / (1 + tilt * by) for share, by in zip(shares, away, strict=True))
        low, high = (tilt, high) if rest > 0 else (low, tilt)
        tilt = (low + high) / 2
    return [share / (1 + tilt * by) for share, by in zip(shares, away, strict=True)]
