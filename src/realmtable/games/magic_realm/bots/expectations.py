"""What bots expect of a game when they choose a character and assign its points (M9, M10).

The strongest levels expect about what they reach. The others hope for more than they find, as beginners do.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations_with_replacement
from math import exp, factorial
from random import Random
from typing import Final, NamedTuple

from realmtable.games.magic_realm.bots.goals import score
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.world.entities import GOALS

DAYS_BEFORE_FIRST: Final = 4  # days that pass before the first treasure or kill
MAX_TREASURES: Final = 30
CONSIDERED: Final = 2  # a bot takes one of so many of the best that are free
START_GOLD: Final = 10.0  # nobody trades in parts 1 and 2, so it is the gold at the end too


class Expectation(NamedTuple):
    """What a bot expects of a month."""

    preferred: tuple[str, ...]  # characters, the best first
    treasures_per_week: float  # once it has begun
    fame_per_week: float = 0.0  # by kills
    notoriety_per_week: float = 0.0

    def choose_character(self, names: Sequence[str], rng: Random) -> str:
        """Choose one of the characters that suit best."""
        return rng.choice(sorted(names, key=self.preferred.index)[:CONSIDERED])

    def choose_points(self, points: int, days: int, worth: int) -> list[str]:
        """Return the goals to which a character assigns its points, with so many days before it."""
        return [*_best_points(self, points, days, worth)]


# By how many treasures they found in games without combat, and how seldom they died.
HUNTERS: Final = (
    "Druid", "Elf", "Woods Girl", "White Knight", "Swordsman", "Pilgrim", "Berserker", "Amazon", "Wizard",
    "Black Knight", "Captain", "Sorceror", "Magician", "Witch", "Dwarf", "Witch King",
)  # fmt: skip
# The same in games with combat, where the bots hunt less.
FIGHTERS: Final = (
    "Elf", "Druid", "Magician", "Swordsman", "Woods Girl", "Witch", "Berserker", "Sorceror", "Captain", "Pilgrim",
    "White Knight", "Amazon", "Wizard", "Black Knight", "Dwarf", "Witch King",
)  # fmt: skip
BEGINNER: Final = Expectation(HUNTERS, 2.2)
HUNTER: Final = Expectation(HUNTERS, 1.4)  # fewer than measured: goals within reach lose to nobody who plays at random
# The treasures as measured; the fame and the notoriety of kills set by hand, so that of all ways to assign the points
# the one chosen scores best in hindsight, in a few months on the maps 0 to 2.
FIGHTER: Final = Expectation(FIGHTERS, 1.1, 1.0, 2.0)


def find_expectation(*, has_combat: bool, is_seasoned: bool) -> Expectation:
    """Return what a bot expects of a game."""
    if not is_seasoned:
        return BEGINNER
    return FIGHTER if has_combat else HUNTER


@lru_cache(maxsize=256)
def _best_points(expectation: Expectation, points: int, days: int, worth: int) -> tuple[str, ...]:
    splits = combinations_with_replacement(GOALS, points)
    return max(splits, key=lambda split: _expected_score(expectation, split, days, worth))


def _expected_score(expectation: Expectation, split: Sequence[str], days: int, worth: int) -> float:
    """Return the expected score of a split, if the number of treasures has a Poisson distribution."""
    weeks = max(1, days - DAYS_BEFORE_FIRST) / 7
    mean = expectation.treasures_per_week * weeks
    great, fame, notoriety = _average_treasure()
    total = 0.0
    for count in range(MAX_TREASURES):
        chance = exp(-mean) * mean**count / factorial(count)
        has = {
            "treasures": count * great,
            "fame": count * fame + weeks * expectation.fame_per_week,
            "notoriety": count * notoriety + weeks * expectation.notoriety_per_week,
            "gold": START_GOLD,
        }
        total += chance * score(has, {goal: split.count(goal) for goal in GOALS}, worth)
    return total


@cache
def _average_treasure() -> tuple[float, float, float]:
    """Return the average of the great treasures, the fame and the notoriety of a card that can be kept."""
    cards = [card for card in load_catalog().treasures if card.size != "within"]
    return (
        sum(card.is_great for card in cards) / len(cards),
        sum(card.fame for card in cards) / len(cards),
        sum(card.notoriety for card in cards) / len(cards),
    )
