"""Intervals, Elo and the sequential test, checked against published, hand-computed and simulated figures."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import inf, log, sqrt
from random import Random

import pytest

from realmtable.engine.errors import BadInput
from realmtable.lab.match_statistics import (
    PAIR_SCORES,
    Sprt,
    SprtVerdict,
    count_pair_scores,
    effective_games,
    elo,
    mean_score,
    score_from_elo,
    score_interval,
    wilson,
)
from realmtable.lab.matches.ratings import Meeting, bradley_terry

Chances = Sequence[float]  # of the five pair results


def independent_pairs(score: float, draws: float) -> Chances:
    """Return the probabilities of the pair results if both games are independent."""
    won = score - draws / 2
    lost = 1 - won - draws
    return (lost**2, 2 * lost * draws, 2 * lost * won + draws**2, 2 * won * draws, won**2)


def opening_decides(score: float, share: float) -> Chances:
    """Return these probabilities if some openings give each bot one win and other games are independent."""
    rest = independent_pairs((score - share / 2) / (1 - share), 0)
    return tuple(chance * (1 - share) + share * (index == 2) for index, chance in enumerate(rest))


def equal_pairs(score: float) -> Chances:
    """Return these probabilities if both games of a pair always end alike."""
    return (1 - score, 0, 0, 0, score)


def draw_pairs(chances: Chances, pairs: int, rng: Random) -> tuple[int, ...]:
    return count_pair_scores(rng.choices(PAIR_SCORES, chances, k=pairs))


# ---- intervals


@pytest.mark.parametrize(  # the examples of Newcombe, Statistics in Medicine 17 (1998), table I
    ("successes", "trials", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_s_interval_is_the_published_one(successes: int, trials: int, low: float, high: float) -> None:
    assert wilson(successes / trials, trials) == pytest.approx((low, high), abs=5e-5)


def test_pairs_count_as_many_coin_games_as_their_spread_says() -> None:
    # 40 pairs, mean ½: squares 20 · ¼ = 5, spread 5 · 40/39; with the imagined pair (5.1282 + 0.25) / (41 · 0.25).
    assert effective_games((10, 0, 20, 0, 10)) == pytest.approx(40 / ((200 / 39 + 0.25) / 10.25))
    assert effective_games((20, 0, 0, 0, 20)) == pytest.approx(40)
    assert effective_games((0, 0, 40, 0, 0)) == pytest.approx(40 * 41)
    assert effective_games((0, 0, 0, 0, 40)) == 40
    assert effective_games((0, 0, 1, 0, 0)) == 1


def test_a_clean_sweep_still_leaves_doubt() -> None:
    assert score_interval((0, 0, 0, 0, 50)) == wilson(1.0, 50)
    assert score_interval((50, 0, 0, 0, 0)) == pytest.approx((0, 1 - wilson(1.0, 50).low))


@pytest.mark.parametrize("pairs", [10, 25, 100])
@pytest.mark.parametrize(
    "chances",
    [
        independent_pairs(0.5, 0), independent_pairs(0.75, 0), independent_pairs(0.95, 0), independent_pairs(0.55, 0.3),
        independent_pairs(0.8, 0.3), opening_decides(0.5, 0.6), opening_decides(0.7, 0.5), equal_pairs(0.5),
        equal_pairs(0.85),
    ],
    ids=str,
)  # fmt: skip
def test_intervals_hold_the_true_score_as_often_as_they_say(chances: Chances, pairs: int) -> None:
    rng = Random(f"{chances} {pairs}")
    truth = sum(chance * score for chance, score in zip(chances, PAIR_SCORES, strict=True))
    found = [score_interval(draw_pairs(chances, pairs, rng)) for _ in range(1000)]
    assert sum(low <= truth <= high for low, high in found) / 1000 > 0.92
    variance = sum(chance * (score - truth) ** 2 for chance, score in zip(chances, PAIR_SCORES, strict=True))
    width = sum(high - low for low, high in found) / 1000
    assert width < 2 * 1.96 * sqrt(variance / pairs) * (1 + 4 / pairs) + 0.5 / pairs, "wider than it needs to be"


# ---- Elo


def test_elo_and_score_are_two_words_for_one_thing() -> None:
    assert [round(elo(score)) for score in (0.5, 0.64, 0.75, 0.91)] == [0, 100, 191, 402]
    for difference in (-700, -3, 0, 55, 400):
        assert elo(score_from_elo(difference)) == pytest.approx(difference)
    assert (elo(1.0), elo(0.0)) == (inf, -inf)


# ---- the sequential test


def test_the_ratio_of_pairs_that_end_alike_is_that_of_a_coin() -> None:
    sprt = Sprt(0, 100)
    won, lost = 30, 17
    high, low = score_from_elo(100), 0.5
    by_hand = won * log(high / low) + lost * log((1 - high) / (1 - low))
    assert sprt.ratio((lost, 0, 0, 0, won)) == pytest.approx(by_hand, abs=0.02)


def test_the_ratio_of_close_hypotheses_is_the_normal_one() -> None:
    counts = (60, 90, 400, 180, 120)
    mean = mean_score(counts)
    pairs = sum(counts)
    variance = sum(count * (score - mean) ** 2 for count, score in zip(counts, PAIR_SCORES, strict=True)) / pairs
    low, high = score_from_elo(20), score_from_elo(30)
    normal = pairs * (high - low) * (mean - (low + high) / 2) / variance
    assert Sprt(20, 30).ratio(counts) == pytest.approx(normal, rel=0.05)


def test_the_ratio_has_a_sign_and_grows_with_evidence() -> None:
    sprt = Sprt(0, 50)
    ratios = [sprt.ratio((0, 0, 0, 0, wins)) for wins in range(0, 40, 5)]
    assert all(more > less for less, more in pairwise(ratios))
    assert sprt.ratio((0,) * 5) == pytest.approx(0, abs=0.01)
    assert sprt.bound == pytest.approx(2.944, abs=0.001)
    assert sprt.verdict((0, 0, 0, 0, 10)) is SprtVerdict.OPEN
    assert sprt.verdict((0, 0, 0, 0, 40)) is SprtVerdict.ACCEPTED
    assert sprt.verdict((40, 0, 0, 0, 0)) is SprtVerdict.REJECTED


def run_sprt(sprt: Sprt, chances: Chances, rng: Random) -> SprtVerdict:
    counts = [0] * 5
    for place in rng.choices(range(5), chances, k=1000):
        counts[place] += 1
        if (verdict := sprt.verdict(counts)) is not SprtVerdict.OPEN:
            return verdict
    return SprtVerdict.OPEN


@pytest.mark.long
@pytest.mark.parametrize("openings", [pytest.param(0.0, marks=pytest.mark.slow), 0.4])
@pytest.mark.parametrize(("truth", "right"), [(0, SprtVerdict.REJECTED), (150, SprtVerdict.ACCEPTED)])
def test_the_sequential_test_errs_as_seldom_as_it_says(truth: float, right: SprtVerdict, openings: float) -> None:
    rng = Random(f"{truth} {openings}")
    chances = opening_decides(score_from_elo(truth), openings)
    verdicts = [run_sprt(Sprt(0, 150), chances, rng) for _ in range(250)]
    assert SprtVerdict.OPEN not in verdicts
    assert 0.9 < verdicts.count(right) / 250 < 1  # 95 % within three standard errors and the last pair's overshoot


def test_a_sequential_test_is_read_from_text() -> None:
    assert Sprt.parse("0:50") == Sprt(0, 50)
    assert Sprt.parse("-20.5:-3") == Sprt(-20.5, -3)
    for wrong in ("", "5", "a:b", "1:2:3", "0:"):
        with pytest.raises(BadInput, match="two Elo differences such as 0:50"):
            Sprt.parse(wrong)
    for wrong in ("50:0", "0:0", "0:9999", "nan:1", "-inf:0"):
        with pytest.raises(BadInput, match="a lower and a higher"):
            Sprt.parse(wrong)


# ---- several bots


def test_two_bots_get_the_elo_of_their_score_with_one_draw_added() -> None:
    one, other = bradley_terry([Meeting(0, 1, 30.0, 40, 40)], 2)
    assert one.elo - other.elo == pytest.approx(elo(30.5 / 41))
    assert one.elo == -other.elo


def test_ratings_come_out_as_they_went_in() -> None:
    truth = [-150.0, -50.0, 20.0, 180.0]
    pairings = [(one, other) for one in range(4) for other in range(one)]
    meetings = [
        Meeting(one, other, 10_000 * score_from_elo(truth[one] - truth[other]), 10_000, 10_000)
        for one, other in pairings
    ]
    assert [rating.elo for rating in bradley_terry(meetings, 4)] == pytest.approx(truth, abs=0.5)


def test_a_bot_that_loses_everything_has_a_rating() -> None:
    meetings = [Meeting(0, 1, 0.0, 100, 50), Meeting(0, 2, 0.0, 100, 50), Meeting(1, 2, 50.0, 100, 100)]
    worst, *others = bradley_terry(meetings, 3)
    assert -2000 < worst.elo < -400
    assert all(rating.interval.low > worst.interval.high for rating in others)


@pytest.mark.long
def test_intervals_of_ratings_hold_the_truth_as_often_as_they_say() -> None:
    rng = Random(4)
    truth = [-120.0, -30.0, 20.0, 130.0]
    inside = 0
    for _ in range(250):
        meetings = []
        for one in range(4):
            for other in range(one):
                counts = draw_pairs(independent_pairs(score_from_elo(truth[one] - truth[other]), 0.2), 30, rng)
                meetings.append(Meeting(one, other, 60 * mean_score(counts), 60, effective_games(counts)))
        ratings = bradley_terry(meetings, 4)
        inside += sum(low <= mine <= high for (_, (low, high)), mine in zip(ratings, truth, strict=True))
    assert 0.92 < inside / 1000 < 0.98
