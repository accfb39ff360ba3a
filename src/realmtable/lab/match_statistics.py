"""Match statistics: confidence intervals of a score, Elo, and the sequential probability ratio test.

The unit is the pair, two games from one opening with the seats swapped: the games of a pair are not independent, but
the pairs are. docs/study/strength.md explains these choices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import inf, log, log10, sqrt
from statistics import NormalDist
from typing import NamedTuple

from realmtable.engine.errors import BadInput

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # the possible scores of a pair, as a share of its two points
Z = NormalDist().inv_cdf(0.975)  # for 95%
MIN_COUNT = 1e-3  # used for pair results not seen yet, so that no probability becomes 0
BISECTIONS = 40
MAX_ELO = 2000.0

PairCounts = Sequence[int]  # the number of pairs with each of PAIR_SCORES


class Interval(NamedTuple):
    """A 95% confidence interval."""

    low: float
    high: float


def mean_score(counts: PairCounts) -> float:
    """Return the mean score of the pairs: 1 if every game was won."""
    return sum(count * score for count, score in zip(counts, PAIR_SCORES, strict=True)) / sum(counts)


def wilson(share: float, number: float, z: float = Z) -> Interval:
    """Return Wilson's interval of a share observed in `number` independent trials; `z` is that of 95% by default.

    >>> [round(end, 4) for end in wilson(0.9, 100)]
    [0.8256, 0.9448]
    """
    shrink = 1 + z * z / number
    middle = (share + z * z / (2 * number)) / shrink
    reach = z * sqrt(share * (1 - share) / number + z * z / (4 * number * number)) / shrink
    return Interval(max(0.0, middle - reach), min(1.0, middle + reach))


def effective_games(counts: PairCounts) -> float:
    """Return the number of independent games without draws that would carry as much information as these pairs.

    A pair counts about 2 if its games are independent and never drawn, more with draws or one-sided openings, and 1 if
    both games always have the same result. One virtual pair of the last kind keeps small samples from looking too
    certain.
    """
    pairs = sum(counts)
    mean = mean_score(counts)
    coin = mean * (1 - mean)  # the variance of a game without draws, and the maximum for a pair
    if pairs == 1 or coin == 0:
        return float(pairs)
    squares = sum(count * (score - mean) ** 2 for count, score in zip(counts, PAIR_SCORES, strict=True))
    spread = squares * pairs / (pairs - 1)
    return pairs / min(1.0, (spread + coin) / ((pairs + 1) * coin))


def score_interval(counts: PairCounts) -> Interval:
    """Return the 95% interval of the score: Wilson's, with the spread observed in the pairs.

    >>> [round(end, 3) for end in score_interval([0, 0, 0, 0, 50])]
    [0.929, 1.0]
    """
    return wilson(mean_score(counts), effective_games(counts))


def elo(score: float) -> float:
    """Return the Elo difference that corresponds to a score; infinite for 0 and 1.

    >>> round(elo(0.75), 1)
    190.8
    """
    if score <= 0 or score >= 1:
        return inf if score > 0 else -inf
    return 400 * log10(score / (1 - score))


def score_from_elo(difference: float) -> float:
    """Return the expected score for an Elo difference.

    >>> round(score_from_elo(100), 3)
    0.64
    """
    return 1 / (1 + 10 ** (-difference / 400))


class SprtVerdict(StrEnum):
    """The decision of a sequential test so far."""

    ACCEPTED = "accepted"  # the higher Elo difference fits better than the lower
    REJECTED = "rejected"  # the lower difference fits better
    OPEN = "open"


@dataclass(frozen=True)
class Sprt:
    """A sequential test: is the first bot stronger by `elo1` rather than by `elo0`?

    It stops as soon as the log-likelihood ratio leaves the bounds; either decision is wrong with a probability of
    about `error`.
    """

    elo0: float
    elo1: float
    error: float = 0.05

    def __post_init__(self) -> None:
        if not -MAX_ELO <= self.elo0 < self.elo1 <= MAX_ELO:
            raise BadInput(
                "A sequential test needs a lower and a higher Elo difference within "
                f"±{MAX_ELO:.0f}, such as 0:50, not {self.elo0:g}:{self.elo1:g}."
            )

    @classmethod
    def parse(cls, text: str) -> Sprt:
        """Parse a text such as ``0:50``."""
        parts = text.split(":")
        try:
            lower, higher = (float(part) for part in parts)
        except ValueError:
            raise BadInput(f"Write a sequential test as two Elo differences such as 0:50, not {text[:40]!r}.") from None
        return cls(lower, higher)

    @property
    def bound(self) -> float:
        """The test ends when the ratio reaches plus or minus this bound."""
        return log((1 - self.error) / self.error)

    def ratio(self, counts: PairCounts) -> float:
        """Return the generalised log-likelihood ratio of `elo1` against `elo0`."""
        seen = [max(float(count), MIN_COUNT) for count in counts]
        lower, higher = (_fit_probabilities(seen, score_from_elo(difference)) for difference in (self.elo0, self.elo1))
        return sum(count * log(high / low) for count, low, high in zip(seen, lower, higher, strict=True))

    def verdict(self, counts: PairCounts) -> SprtVerdict:
        """Return the decision after these pairs."""
        ratio = self.ratio(counts)
        if abs(ratio) < self.bound:
            return SprtVerdict.OPEN
        return SprtVerdict.ACCEPTED if ratio > 0 else SprtVerdict.REJECTED


def count_pair_scores(pair_scores: Sequence[float]) -> tuple[int, ...]:
    """Count the pairs with each of `PAIR_SCORES`."""
    return tuple(sum(score == possible for score in pair_scores) for possible in PAIR_SCORES)


def _fit_probabilities(seen: Sequence[float], mean: float) -> list[float]:
    """Return the maximum-likelihood probabilities of the pair results for a given mean.

    They are the observed shares, each divided by 1 + tilt · (score - mean); the tilt is found by bisection.
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
