"""What it is worth to be somewhere: the best of the targets, less the way to it."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from math import inf
from typing import Final

from realmtable.games.magic_realm.bots.danger import Danger
from realmtable.games.magic_realm.bots.destinations import Destination
from realmtable.games.magic_realm.bots.known_world import KnownWorld, chance_of
from realmtable.games.magic_realm.bots.travel import SECRET_COST, count_marches
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import Place
from realmtable.games.magic_realm.catalog.map_graph import Way

FINDS_ROADS: Final = (1, 2, 3)  # the results of Peer that find hidden paths, and of Locate that find passages
TABLES: Final = {"hidden": "peer", "secret": "locate"}


class ClearingValues:
    """What it is worth to be in each clearing.

    A target that is worth less counts like a longer way, so that one search finds the best target of every clearing.
    """

    def __init__(self, known: KnownWorld, danger: Danger, targets: Sequence[Destination], day_worth: float) -> None:
        self.known = known
        self.danger = danger
        self.marches = count_marches(known)
        self.phases_per_point = self.marches / day_worth
        self.most = max((target.value for target in targets), default=0.0)
        self._lengths: dict[Place, float] = {}
        self._onward: dict[Place, Way] = {}
        self._targets: dict[Place, Destination] = {}
        self._travel: dict[Place, float] = {}
        self._measure(targets)

    def _measure(self, targets: Sequence[Destination]) -> None:
        heap: list[tuple[float, Place]] = []
        for target in targets:
            length = (self.most - target.value) * self.phases_per_point
            if length < self._lengths.get(target.place, inf):
                self._lengths[target.place], self._targets[target.place] = length, target
                self._travel[target.place] = 0.0
                heappush(heap, (length, target.place))
        while heap:
            length, place = heappop(heap)
            if length > self._lengths[place]:
                continue
            for way in self.known.graph.ways[place]:
                if self._is_trapped(way.to, place):
                    continue
                cost = self.entry_cost(place) + (0 if self.known.is_open(way) else SECRET_COST)
                in_time = self._travel[place] + cost < self.marches * self.known.days_left
                if in_time and length + cost < self._lengths.get(way.to, inf):
                    self._lengths[way.to], self._targets[way.to] = length + cost, self._targets[place]
                    self._travel[way.to] = self._travel[place] + cost
                    self._onward[way.to] = self.known.reverse(way, place)
                    heappush(heap, (length + cost, way.to))

    def _is_trapped(self, origin: Place, place: Place) -> bool:
        """Whether monsters keep the character from a Move: it has no time to hide before a climb out of a cave."""
        if origin not in self.known.monster_clearings or not self.known.is_cave(origin):
            return False
        is_climb = self.known.graph.clearings[place].kind == "mountain"
        return is_climb and not {"move", "hide", "any"} & {*self.known.own["extra"]}

    def entry_cost(self, place: Place) -> float:
        """Return how many phases it costs to enter a clearing, with the trouble that monsters there make."""
        nights = 1 if self.known.graph.clearings[place].kind == "woods" else 2  # others are seldom passed in one day
        return self.known.entry_cost(place) + self.phases_per_point * nights * self.trouble(place)

    def trouble(self, place: Place) -> float:
        """Return what monsters in a clearing cost those who pass through it or wake up there, in points."""
        if place not in self.known.monster_clearings:
            return 0.0
        return (1 - self.danger.hide_chance(place, 1)) * max(0.0, self.danger.cost(place))  # ways are never gains

    def value_before(self, place: Place) -> float:
        """Return what it is worth to begin a day on a roadway to a clearing."""
        return self._value_at(self._lengths.get(place, inf) + self.entry_cost(place))

    def value(self, place: Place) -> float:
        """Return what it is worth to begin a day in a clearing; those who can walk off fear no monsters there (L1)."""
        onward = self._onward.get(place)
        is_free = onward is not None and onward.moves == 1 and onward.to not in self.known.monster_clearings
        return self._value_at(self._lengths.get(place, inf)) - (0.0 if is_free else self.trouble(place))

    def _value_at(self, length: float) -> float:
        return self.most - min(length, self._longest) / self.phases_per_point

    @property
    def _longest(self) -> float:
        """As far away as what cannot be reached in time."""
        return self.most * self.phases_per_point + self.marches * self.known.days_left

    def target_from(self, place: Place) -> Destination | None:
        """Return the best target from a clearing."""
        return self._targets.get(place)

    def path(self, start: Place) -> list[Way]:
        """Return the way from a clearing to its best target, up to the first road that has to be found."""
        found: list[Way] = []
        while (way := self._onward.get(start)) is not None and self.known.is_open(way):
            found.append(way)
            start = way.to
        return found

    def road_gain(self, place: Place) -> tuple[float, str]:
        """Return what a Search for a secret road from a clearing adds, and the kind of that road."""
        best = (0.0, "")
        for way in self.known.graph.ways[place]:
            if self.known.is_open(way):
                continue
            kind = load_catalog().roads[way.road].kind
            after = self.value_before(way.to)
            chance = chance_of(FINDS_ROADS, self.known.dice(TABLES[kind], place))
            best = max(best, (chance * (after - self.value(place)), kind))
        return best
