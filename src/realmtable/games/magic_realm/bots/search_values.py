"""What searching a box or pile brings in the long run, computed exactly from the tables (D16, D19).

A search for a site is worth what can be looted afterwards, and looting slows down as a box empties: with two dice, six
pieces or more are never missed, and a single one is found in one roll of 36.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from realmtable.games.magic_realm.bots.known_world import DIE, chance_of

MAX_SEARCHES: Final = 60  # nobody searches longer in one place


@lru_cache(maxsize=256)
def expected_finds(pieces: int, dice: int) -> tuple[float, ...]:
    """Return how many of some pieces are found on average, by the number of Loot rolls.

    >>> [round(number, 2) for number in expected_finds(7, 2)[:4]]
    [0.0, 1.0, 2.0, 2.69]
    """
    chances = [1.0 if left == pieces else 0.0 for left in range(pieces + 1)]
    found = [0.0]
    for _ in range(MAX_SEARCHES):
        for left in range(1, pieces + 1):
            taken = chances[left] * chance_of(range(1, min(left, DIE) + 1), dice)
            chances[left] -= taken
            chances[left - 1] += taken
        found.append(sum((pieces - left) * chance for left, chance in enumerate(chances)))
    return tuple(found)


@lru_cache(maxsize=512)
def expected_finds_after_discovery(pieces: int, dice: int, chance: float) -> tuple[float, ...]:
    """Return the same for a site that has to be discovered first, with a chance per Search."""
    finds = expected_finds(pieces, dice)
    return tuple(
        sum(chance * (1 - chance) ** (last - 1) * finds[rolls - last] for last in range(1, rolls + 1))
        for rolls in range(MAX_SEARCHES + 1)
    )


@lru_cache(maxsize=4096)
def list_stopping_points(finds: tuple[float, ...], last: int) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Return the numbers of searches, up to the last, that can be the best ones to stop after.

    With them come the finds per search between each of them and the one before, as negative numbers in ascending order.

    >>> list_stopping_points((0.0, 0.0, 1.0, 1.5), 3)
    ((-0.5,), (0, 3))
    """
    counts, slopes = [0], []
    while counts[-1] < last:
        here = counts[-1]
        slope, count = max(((finds[to] - finds[here]) / (to - here), to) for to in range(here + 1, last + 1))
        counts.append(count)
        slopes.append(-slope)
    return tuple(slopes), tuple(counts)


@dataclass(frozen=True)
class SearchValue:
    """A place where searching pays: what each piece is worth, how many are found, and how fast."""

    worth: float  # of a piece on average, in points
    finds: tuple[float, ...]  # by the number of searches
    searches: float  # per day
    toll: float = 0.0  # what the monsters there cost each day, in points

    def plan_stay(self, days: float, day_worth: float) -> tuple[float, float]:
        """Return the best stay here: what it brings beyond what its days are worth elsewhere, and how many days."""
        price = (day_worth + self.toll) / self.searches
        if self.worth <= 0:
            return 0.0, 0.0
        slopes, counts = list_stopping_points(self.finds, self._last(days))
        count = counts[bisect_left(slopes, -price / self.worth)]
        return self.worth * self.finds[count] - price * count, count / self.searches

    def value(self, days: float, day_worth: float) -> float:
        """Return what some days here bring beyond what they are worth elsewhere; one may leave earlier."""
        return self.plan_stay(days, day_worth)[0]

    def gain(self, days: float, day_worth: float) -> float:
        """Return what a Search of the first of some days adds: the time that it saves, or more if time is short.

        Where searching does not pay, it adds only what it finds.
        """
        if days <= 0:
            return 0.0
        later = self.value(days - 1, day_worth)
        saved = (self.value(days, day_worth) - later + day_worth + self.toll) / self.searches
        slopes = list_stopping_points(self.finds, self._last(days))[0]
        return min(saved, -self.worth * slopes[0] if slopes else 0.0)

    def _last(self, days: float) -> int:
        return max(0, min(MAX_SEARCHES, round(days * self.searches)))
