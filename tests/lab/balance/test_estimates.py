"""Intervals cover the true value as often as they promise, even when a rule decides when to stop."""

from __future__ import annotations

from random import Random

import pytest

from realmtable.engine.errors import BadInput
from realmtable.lab.balance.estimates import (
    chi_squared_tail,
    estimate_mean,
    estimate_share,
    evenness_p_value,
    student_quantile,
)
from realmtable.lab.balance.game_facts import GameFacts
from realmtable.lab.balance.measures import find_measure, first_gain_measure, list_measures, shares_in_order
from realmtable.lab.balance.stop_rule import StopRule
from tests.lab.balance.helpers import make_facts


def test_nothing_can_be_estimated_from_nothing() -> None:
    assert estimate_share([]) is None
    assert estimate_mean([3.0]) is None
    assert evenness_p_value([]) is None
    assert evenness_p_value([(1.0,)]) is None


def test_shared_wins_vary_less() -> None:
    draws, wins = estimate_share([0.5] * 100), estimate_share([1.0, 0.0] * 50)
    assert draws is not None
    assert wins is not None
    assert draws.mean == wins.mean == 0.5
    assert draws.half_width < wins.half_width / 5
    sure = estimate_share([1.0] * 50)
    assert sure is not None
    assert (sure.mean, sure.high) == (1, 1)
    assert sure.low < 0.95


@pytest.mark.parametrize("chance", [0.1, 0.5, 0.8])
def test_the_interval_of_a_share_covers_the_truth(chance: float) -> None:
    rng = Random(f"{chance}")
    covered = 0
    for _ in range(1000):
        estimate = estimate_share([float(rng.random() < chance) for _ in range(60)])
        assert estimate is not None
        covered += estimate.low <= chance <= estimate.high
    assert covered >= 930


def test_the_interval_of_a_mean_covers_the_truth() -> None:
    rng = Random(5)
    covered = 0
    for _ in range(1000):
        estimate = estimate_mean([rng.gauss(3, 2) for _ in range(6)])
        assert estimate is not None
        covered += estimate.low <= 3 <= estimate.high
    assert 930 <= covered <= 970


@pytest.mark.parametrize("chance", [0.5, 0.62])
def test_stopping_by_width_keeps_the_coverage(chance: float) -> None:
    rng, rule, covered, sizes = Random(f"{chance} stop"), StopRule(half_width=0.06), 0, set()
    won, lost = make_facts(1.0), make_facts(0.0)
    for _ in range(150):
        games: list[GameFacts] = []
        for look in rule.looks():
            games += [won if rng.random() < chance else lost for _ in range(look - len(games))]
            if rule.is_met([games]):
                break
        estimate = find_measure("first_player").estimate(games)
        assert estimate is not None
        assert estimate.half_width <= 0.06
        covered += estimate.low <= chance <= estimate.high
        sizes.add(len(games))
    assert sizes <= {200, 400}
    assert covered >= 138


def test_evenness_is_rejected_as_often_as_it_should_be() -> None:
    rng = Random(3)
    unlikely = 0
    for _ in range(1000):
        games = []
        for _ in range(50):
            winner = rng.randrange(3)
            games.append(tuple(float(seat == winner) for seat in range(3)))
        probability = evenness_p_value(games)
        assert probability is not None
        unlikely += probability < 0.05
    assert 30 <= unlikely <= 70
    uneven = evenness_p_value([(1.0, 0.0)] * 40)
    assert uneven is not None
    assert uneven < 1e-6


def test_tails_and_quantiles() -> None:
    assert chi_squared_tail(0, 1) == chi_squared_tail(0, 4) == 1
    assert chi_squared_tail(18.3070, 10) == pytest.approx(0.05, abs=1e-5)
    assert [student_quantile(freedom) for freedom in (5, 30)] == pytest.approx([2.571, 2.042], abs=0.01)


# ---- measures and rules


def test_measures_follow_from_the_facts() -> None:
    facts = make_facts(0.0, first=1, scores=(2.0, 9.0))
    values = {measure.name: measure.value(facts) for measure in list_measures([facts])}
    assert values == {
        "first_player": 1.0,
        "decided": 1.0,
        "turns": 10.0,
        "steps": 12.0,
        "margin": 7.0,
        "drama": 0.25,
        "comeback": 0.0,
        "lead_changes": 2.0,
        "settled": 0.5,
        "first_capture": 0.0,
        "first_lead": 1.0,
    }
    assert shares_in_order(facts) == (1.0, 0.0)


def test_games_without_a_lead_have_fewer_measures() -> None:
    facts = make_facts(0.5, lead=None, firsts={}, scores=(3.0,))
    assert [measure.name for measure in list_measures([facts])] == ["first_player", "decided", "turns", "steps"]
    assert first_gain_measure("capture").value(facts) is None
    assert find_measure("decided").value(facts) == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"games": 0}, "Play 1 to 1,000,000 games per setting, not 0."),
        ({"half_width": 0.0}, "Half the width of an interval must be above 0, not 0."),
        ({"half_width": float("nan")}, "Half the width of an interval must be above 0, not nan."),
        ({"measure": "fun"}, "There is no measure fun; choose one of first_player, decided, turns"),
    ],
    ids=str,
)
def test_bad_rules_are_refused(arguments: dict[str, float], sentence: str) -> None:
    with pytest.raises(BadInput) as refusal:
        StopRule(**arguments)  # type: ignore[arg-type] # each case is wrong in its own way
    assert str(refusal.value).startswith(sentence)


def test_a_rule_looks_at_doubling_numbers() -> None:
    assert [*StopRule(30).looks()] == [30]
    looks = [*StopRule(half_width=0.01).looks()]
    assert looks[:3] == [100, 200, 400]
    assert looks[-1] == 204_800
    assert not StopRule(half_width=0.01).is_met([[make_facts()]])
