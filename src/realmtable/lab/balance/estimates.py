"""Means and shares with their 95% intervals, and the test of whether all seats win equally often."""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, exp, pi, sqrt
from statistics import fmean, stdev
from typing import Final, NamedTuple

from realmtable.lab.match_statistics import Z, wilson

COIN_TOSS: Final = 2  # seats


class Estimate(NamedTuple):
    """A mean with its 95% interval, and the number of games that it rests on."""

    mean: float
    low: float
    high: float
    games: int

    @property
    def all_agree(self) -> bool:
        """Whether all games had the same value, so that the interval of their mean has no width."""
        return self.low == self.high

    @property
    def most_others(self) -> float:
        """The share of all games that can differ if none of these did: its upper bound at 95%.

        It is the one-sided bound of Clopper and Pearson for no success, about 3 / games (the rule of three).

        >>> round(Estimate(0.0, 0.0, 0.0, 40).most_others, 3)
        0.072
        """
        return float(1 - 0.05 ** (1 / self.games))

    @property
    def half_width(self) -> float:
        return (self.high - self.low) / 2

    def as_dict(self) -> dict[str, float]:
        return {
            "mean": round(self.mean, 6),
            "low": round(self.low, 6),
            "high": round(self.high, 6),
            "games": self.games,
        }


def estimate_share(values: Sequence[float]) -> Estimate | None:
    """Return a share with Wilson's interval; values may lie between 0 and 1, as in shared wins. None without games.

    Draws vary less than wins and losses, so such values count as more games. One virtual game of the widest spread
    keeps small samples from looking too certain.

    >>> [round(number, 3) for number in estimate_share([1.0] * 60 + [0.0] * 40)]
    [0.6, 0.502, 0.691, 100]
    """
    if not values:
        return None
    number, mean = len(values), fmean(values)
    coin = mean * (1 - mean)  # the largest possible variance
    if coin > 0:
        spread = sum((value - mean) ** 2 for value in values)
        number_like = number / min(1.0, (spread + coin) / ((number + 1) * coin))
    else:
        number_like = float(number)
    return Estimate(mean, *wilson(mean, number_like), number)


def estimate_mean(values: Sequence[float]) -> Estimate | None:
    """Return a mean with Student's interval; None for fewer than two games.

    >>> [round(number, 2) for number in estimate_mean([1, 2, 3, 4])]
    [2.5, 0.46, 4.54, 4]
    """
    number = len(values)
    if number < 2:  # noqa: PLR2004 - one value has no spread
        return None
    mean = fmean(values)
    reach = student_quantile(number - 1) * stdev(values) / sqrt(number)
    return Estimate(mean, mean - reach, mean + reach, number)


def student_quantile(freedom: int) -> float:
    """Return the 97.5% quantile of Student's distribution, exact for 1 and 2 and within 1% elsewhere.

    The expansion is that of Abramowitz and Stegun, 26.7.5.

    >>> [round(student_quantile(freedom), 2) for freedom in (1, 2, 3, 10, 100)]
    [12.71, 4.3, 3.16, 2.23, 1.98]
    """
    if freedom == 1:
        return 12.7062
    if freedom == 2:  # noqa: PLR2004 - the expansion is too rough for it
        return 4.3027
    terms = (
        (Z**3 + Z) / 4,
        (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96,
        (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384,
    )
    return Z + sum(term / float(freedom**power) for power, term in enumerate(terms, 1))


def evenness_p_value(shares: Sequence[Sequence[float]]) -> float | None:
    """Return the probability of wins at least this uneven if all seats win equally often; None without games or seats.

    It is Pearson's chi-squared test. Shared wins make it cautious: they vary less than it assumes.
    """
    if not shares or len(shares[0]) < COIN_TOSS:
        return None
    totals = [sum(game[seat] for game in shares) for seat in range(len(shares[0]))]
    expected = sum(totals) / len(totals)
    statistic = sum((total - expected) ** 2 / expected for total in totals)
    return chi_squared_tail(statistic, len(totals) - 1)


def chi_squared_tail(statistic: float, freedom: int) -> float:
    """Return the probability that a chi-squared variable exceeds the statistic.

    >>> [round(chi_squared_tail(*case), 4) for case in [(3.8415, 1), (5.9915, 2), (7.8147, 3), (11.0705, 5)]]
    [0.05, 0.05, 0.05, 0.05]
    """
    half = statistic / 2
    if freedom % 2:
        total, term = erfc(sqrt(half)), 2 * sqrt(half / pi) * exp(-half)
        steps = [(2 * step + 3) / 2 for step in range((freedom - 1) // 2)]
    else:
        total, term = 0.0, exp(-half)
        steps = [step + 1.0 for step in range(freedom // 2)]
    for step in steps:
        total += term
        term *= half / step
    return min(1.0, total)
