"""Bots choose characters and goals by what they expect of a game; the strongest levels by what they can reach."""

from __future__ import annotations

from random import Random

import pytest

from realmtable.games.magic_realm.bots.answers import choose_steps
from realmtable.games.magic_realm.bots.expectations import (
    BEGINNER,
    CONSIDERED,
    FIGHTER,
    HUNTER,
    Expectation,
    find_expectation,
)
from realmtable.games.magic_realm.bots.goals import score
from realmtable.games.magic_realm.world.entities import GOALS
from tests.magic_realm.helpers.bot_helpers import place, see, with_question
from tests.magic_realm.helpers.flow_helpers import CATALOG

ALL = (BEGINNER, HUNTER, FIGHTER)
NAMES = [row.name for row in CATALOG.characters]


@pytest.mark.parametrize("expectation", ALL)
def test_every_character_has_its_place(expectation: Expectation) -> None:
    assert sorted(expectation.preferred) == sorted(NAMES)


@pytest.mark.parametrize("expectation", ALL)
def test_a_bot_takes_one_of_the_best_that_are_free(expectation: Expectation) -> None:
    free = [name for name in NAMES if name != expectation.preferred[0]]
    found = {expectation.choose_character(free, Random(seed)) for seed in range(20)}
    assert found == {*expectation.preferred[1 : 1 + CONSIDERED]}


def test_beginners_and_games_without_combat_have_expectations_of_their_own() -> None:
    assert find_expectation(has_combat=True, is_seasoned=True) is FIGHTER
    assert find_expectation(has_combat=False, is_seasoned=True) is HUNTER
    assert find_expectation(has_combat=True, is_seasoned=False) is BEGINNER
    assert find_expectation(has_combat=False, is_seasoned=False) is BEGINNER


def test_beginners_aim_high_at_first() -> None:
    assert BEGINNER.choose_points(5, 27, 10) == ["treasures", "treasures", "notoriety", "notoriety", "gold"]
    assert BEGINNER.choose_points(2, 6, 10) == ["treasures", "notoriety"]


def worst_case(points: list[str]) -> float:
    """Return the score of a character who ends with what it began with."""
    has = {**dict.fromkeys(GOALS, 0.0), "gold": 10.0}
    return score(has, {goal: points.count(goal) for goal in GOALS}, 10)


@pytest.mark.parametrize("expectation", [HUNTER, FIGHTER])
@pytest.mark.parametrize("days", [27, 13, 3])
def test_seasoned_bots_spread_their_points_because_a_shortfall_counts_threefold(
    expectation: Expectation, days: int
) -> None:
    points = expectation.choose_points(5, days, 10)
    assert {*points} == {"treasures", "fame", "notoriety", "gold"}
    assert worst_case(points) == -36 > worst_case(BEGINNER.choose_points(5, 27, 10))


def test_who_expects_kills_asks_for_more_notoriety() -> None:
    peaceful, warlike = HUNTER._replace(preferred=()), HUNTER._replace(preferred=(), notoriety_per_week=9.0)
    counts = [expectation.choose_points(5, 27, 10).count("notoriety") for expectation in (peaceful, warlike)]
    assert counts[0] < counts[1]


@pytest.mark.parametrize(
    ("is_seasoned", "goals"), [(True, {*HUNTER.choose_points(5, 27, 16)}), (False, {"treasures", "notoriety", "gold"})]
)
def test_the_level_decides_which_goals_are_chosen(is_seasoned: bool, goals: set[str]) -> None:
    view = see(place())
    own = {**(view["own"] or {}), "points": {}, "points_left": 5, "start": "Inn"}
    asked = with_question(view, "secrets", "want fame", "want gold", own=own, day=1)
    steps = choose_steps(asked, Random(1), is_seasoned=is_seasoned)
    assert {step.removeprefix("want ") for step in steps} - {"ready"} == goals
