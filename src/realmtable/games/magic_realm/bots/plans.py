"""Plans of a day: hide, go somewhere, search and rest, in every mixture that the phases allow, each with its value.

A plan is worth what it finds today and where it ends, less the danger there. Hiding comes first, because a hidden
character stays hidden all day and is not blocked on the way (D13, L2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from realmtable.games.magic_realm.bots.clearing_values import ClearingValues
from realmtable.games.magic_realm.bots.danger import Danger
from realmtable.games.magic_realm.bots.destinations import Destinations
from realmtable.games.magic_realm.bots.goals import Goals
from realmtable.games.magic_realm.bots.known_world import KnownWorld, read_place
from realmtable.games.magic_realm.bots.match_ups import CombatDanger
from realmtable.games.magic_realm.bots.written_days import HIDE, REST, SEARCH, fits, ride, write_moves
from realmtable.games.magic_realm.catalog.ids import Place, tile_of
from realmtable.games.magic_realm.catalog.map_graph import NO_ROAD, Way
from realmtable.games.magic_realm.catalog.tiles import OPEN

MAX_HIDES: Final = 3
IMPATIENCE: Final = 0.7  # points that a day without progress costs
BLOCK_RISK: Final = 0.25  # how likely another character in the tile brings monsters before the next turn
MAX_STAYS: Final = 4  # phases in one place that are considered


@dataclass(frozen=True)
class DayPlan:
    """A plan of a day and what it promises."""

    steps: tuple[str, ...]  # as they are written
    end: Place
    hides: int
    searches: int
    rests: int
    value: float
    gain: float  # what the searches find, in points
    danger: float  # what the monsters cost, in points


class Planner:
    """Plans the day of the viewer's character."""

    def __init__(self, known: KnownWorld) -> None:
        self.known = known
        self.goals = Goals(known)
        kind = CombatDanger if known.has_combat else Danger
        self.danger = kind(known, self.goals.holdings)
        self.targets = Destinations(known, self.goals, self.danger)
        self._searches: dict[Place, float] = {}
        self._values: dict[Place, float] = {}

    @cached_property
    def clearing_values(self) -> ClearingValues:
        """What it is worth to be in each clearing."""
        return ClearingValues(self.known, self.danger, self.targets.all, self.targets.day_worth)

    @cached_property
    def prefix(self) -> list[str]:
        """What is written already; phases that have been done count as used."""
        return self.known.own["plan"]

    @cached_property
    def starts(self) -> tuple[Place, ...]:
        """Where the plan goes on: where the Moves that are written lead, else where the character is."""
        own = self.known.own
        moves = [step.split(" ")[1] for step in self.prefix[own["phase"] :] if step.startswith("M ")]
        return (read_place(moves[-1]),) if moves else self.known.starts

    @cached_property
    def plans(self) -> list[DayPlan]:
        """All plans, the best first."""
        found = {plan.steps: plan for start in self.starts for plan in self._list_plans(start)}
        return sorted(found.values(), key=lambda plan: (-plan.value, len(plan.steps), plan.steps))

    @property
    def best(self) -> DayPlan:
        """The best plan."""
        return self.plans[0]

    # ---- all plans

    def _list_plans(self, start: Place) -> Iterator[DayPlan]:
        first: list[Way] = []
        if self._is_on_road:  # only a Move to one of its ends is possible (D30); or to stay, where no monster comes
            later = self.clearing_values.value_before(start) - IMPATIENCE - self.targets.day_worth
            yield DayPlan((), start, 0, 0, 0, later, 0.0, 0.0)
            moves = 2 if self.known.graph.clearings[start].kind == "mountain" else 1
            first = [Way(start, moves, OPEN, NO_ROAD, NO_ROAD)]
        ways = {way_places(way): way for way in self._list_ways(start)}
        for way in ways.values():
            for hides in range(MAX_HIDES + 1):
                before = self._moves_before_hiding(start, way)
                moving = [*write_moves([*first, *way[:before]]), *[HIDE] * hides, *write_moves(way[before:])]
                if not self._fits(moving):
                    break
                yield from self._list_endings(start, way, moving, hides)

    def _moves_before_hiding(self, start: Place, way: Sequence[Way]) -> int:
        """Return 1 if the character can walk away from monsters before it hides, else 0.

        Monsters block it only in their clearing, at the end of a phase (L1).
        """
        if start not in self.known.monster_clearings or self._is_on_road or not way:
            return 0
        return int(way[0].moves == 1 and way[0].to not in self.known.monster_clearings)

    def _list_ways(self, start: Place) -> Iterator[tuple[Way, ...]]:
        """Yield no way, and the beginnings of the ways to the best targets, from here and from each neighbour."""
        yield ()
        neighbours = [(way,) for way in self.known.graph.ways[start] if self.known.is_open(way)]
        for first in ((), *neighbours):
            path = (*first, *self.clearing_values.path(first[0].to if first else start))
            for length in range(1, len(path) + 1):
                way = path[:length]
                if not self._fits(write_moves(way)):
                    break
                yield way

    def _fits(self, steps: Sequence[str]) -> bool:
        return fits(self.known, ride(self.known, [*self.prefix, *steps]))

    def _list_endings(self, start: Place, way: Sequence[Way], moving: list[str], hides: int) -> Iterator[DayPlan]:
        rests = MAX_STAYS if self.can_rest else 0
        for searches in range(MAX_STAYS + 1):
            for rest in range(rests + 1):
                steps = [*moving, *[SEARCH] * searches, *[REST] * rest]
                if not self._fits(steps):
                    break
                yield self._judge(start, way, steps, hides, searches, rest)

    @cached_property
    def can_rest(self) -> bool:
        """Whether a chit is wounded or fatigued."""
        return self.known.count_chits("active") < len(self.known.player["chits"])

    # ---- what a plan is worth

    def _judge(
        self, start: Place, way: Sequence[Way], steps: list[str], hides: int, searches: int, rests: int
    ) -> DayPlan:
        end = way[-1].to if way else start
        walks_off = self._moves_before_hiding(start, way)
        met = (start, *way_places(way))[walks_off:]
        stop = next((place for place in met if place in self.known.monster_clearings), None)
        hidden = self.hide_chance(met[0], hides)
        gain = searches * self.search_gain(end)
        rest = self.danger.rest_gain(rests)
        if stop is None:
            fear = (1 - hidden) * (self.danger.cost(end) + self.delay_risk(end))
            value = gain + rest + self.value_at(end) - fear
        else:
            fear = (1 - hidden) * (self.danger.cost(stop) + self.delay_risk(stop))
            gain, rest = hidden * gain, hidden * rest
            value = gain + rest + hidden * self.value_at(end) + (1 - hidden) * self.value_at(stop) - fear
        if not gain and not rest and self.value_at(end) <= self.value_at(start):
            value -= IMPATIENCE  # what holds the character back today will do so tomorrow
        full = ride(self.known, [*self.prefix, *steps])[len(self.prefix) :]
        return DayPlan(tuple(full), end, hides, searches, rests, value, gain, fear)

    def hide_chance(self, start: Place, hides: int) -> float:
        """Return how likely the character is hidden before it is blocked: with monsters around, it has one try (L1)."""
        if self._is_hidden:
            return 1.0
        if start not in self.known.monster_clearings:
            return self.danger.hide_chance(start, hides)
        return 0.0 if self._is_on_road else self.danger.hide_chance(start, min(hides, 1))

    def delay_risk(self, place: Place) -> float:
        """Return what it costs to end a day unhidden where others end theirs.

        Monsters that come to them before the character's next turn block everyone who is not hidden (L4).
        """
        near = sum(tile_of(other) == tile_of(place) for other in self.known.others.values())
        return self.targets.day_worth * BLOCK_RISK * near

    @cached_property
    def _is_on_road(self) -> bool:
        return len(self.starts) > 1

    @cached_property
    def _is_hidden(self) -> bool:
        """Whether the character has hidden in this turn: in the morning it does not count (D2)."""
        return self.known.view["part"] == "daylight" and self.known.player["hidden"]

    def value_at(self, place: Place) -> float:
        """Return what it is worth to begin tomorrow in a clearing."""
        if place not in self._values:
            self._values[place] = self.clearing_values.value(place)
        return self._values[place]

    def search_gain(self, place: Place) -> float:
        """Return what one Search in a clearing adds."""
        if place not in self._searches:
            here = [target.search_gain for target in self.targets.all if target.place == place]
            self._searches[place] = max([*here, self.clearing_values.road_gain(place)[0]])
        return self._searches[place]


def way_places(way: Sequence[Way]) -> tuple[Place, ...]:
    """Return the clearings of a way."""
    return tuple(one.to for one in way)
