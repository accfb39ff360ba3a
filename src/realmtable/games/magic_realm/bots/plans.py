"""Plans of a day: hide, move, search and rest in every combination that the phases allow, each with its value.

A plan is worth what it finds today and where it ends, less the danger there. Hiding comes first, because a hidden
character stays hidden all day and is not blocked on the way (D13, L2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from realmtable.games.magic_realm.bots.danger import Danger
from realmtable.games.magic_realm.bots.goals import Goals
from realmtable.games.magic_realm.bots.perception import Perception, read_place
from realmtable.games.magic_realm.bots.targets import Outlook, Targets
from realmtable.games.magic_realm.bots.written_days import HIDE, REST, SEARCH, fits, ride, write_moves
from realmtable.games.magic_realm.catalog.ids import Place
from realmtable.games.magic_realm.catalog.roads import NO_ROAD, Way
from realmtable.games.magic_realm.catalog.tiles import OPEN

MAX_HIDES: Final = 3
IMPATIENCE: Final = 0.7  # points that a day without progress costs
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

    def __init__(self, known: Perception) -> None:
        self.known = known
        self.goals = Goals(known)
        self.danger = Danger(known, self.goals.holdings)
        self.targets = Targets(known, self.goals)
        self._searches: dict[Place, float] = {}
        self._values: dict[Place, float] = {}

    @cached_property
    def outlook(self) -> Outlook:
        """What it is worth to be in each clearing."""
        return Outlook(self.known, self.danger, self.targets.all)

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
        if self._is_on_road:  # only a Move to one of its ends is possible (A7); or to stay, where no monster comes
            later = self.outlook.value_before(start)
            yield DayPlan((), start, 0, 0, 0, later, 0.0, 0.0)
            moves = 2 if self.known.graph.clearings[start].kind == "mountain" else 1
            first = [Way(start, moves, OPEN, NO_ROAD, NO_ROAD)]
        ways = {way_places(way): way for way in self._list_ways(start)}
        for way in ways.values():
            for hides in range(MAX_HIDES + 1):
                moving = [*write_moves(first), *[HIDE] * hides, *write_moves(way)]
                if not self._fits(moving):
                    break
                yield from self._list_endings(start, way, moving, hides)

    def _list_ways(self, start: Place) -> Iterator[tuple[Way, ...]]:
        """Yield the empty way, and the first part of the ways to the best targets from here and from each neighbour."""
        yield ()
        neighbours = [(way,) for way in self.known.graph.ways[start] if self.known.is_open(way)]
        for first in ((), *neighbours):
            path = (*first, *self.outlook.path(first[0].to if first else start))
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
        stop = next((place for place in (start, *way_places(way)) if place in self.known.monster_clearings), None)
        hidden = self.hide_chance(start, hides)
        gain = searches * self.search_gain(end)
        rest = self.danger.rest_gain(rests)
        if stop is None:
            fear = (1 - hidden) * self.danger.cost(end)
            value = gain + rest + self.value_at(end) - fear
        else:
            fear = (1 - hidden) * self.danger.cost(stop)
            gain, rest = hidden * gain, hidden * rest
            value = gain + rest + hidden * self.value_at(end) + (1 - hidden) * self.value_at(stop) - fear
        if not gain and not rest and self.value_at(end) <= self.value_at(start):
            value -= IMPATIENCE  # whatever holds the character back today will do so tomorrow
        full = ride(self.known, [*self.prefix, *steps])[len(self.prefix) :]
        return DayPlan(tuple(full), end, hides, searches, rests, value, gain, fear)

    def hide_chance(self, start: Place, hides: int) -> float:
        """Return how likely the character is hidden before it is blocked: with monsters around, it has one try (L1)."""
        if self._is_hidden:
            return 1.0
        if start not in self.known.monster_clearings:
            return self.danger.hide_chance(start, hides)
        return 0.0 if self._is_on_road else self.danger.hide_chance(start, min(hides, 1))

    @cached_property
    def _is_on_road(self) -> bool:
        return len(self.starts) > 1

    @cached_property
    def _is_hidden(self) -> bool:
        """Whether the character has hidden in this turn: in the morning it does not count (D2)."""
        return self.known.view["part"] == "daylight" and self.known.player["hidden"]

    def value_at(self, place: Place) -> float:
        """Return the value of beginning tomorrow in a clearing."""
        if place not in self._values:
            self._values[place] = self.outlook.value(place)
        return self._values[place]

    def search_gain(self, place: Place) -> float:
        """Return what one Search in a clearing adds."""
        if place not in self._searches:
            here = [target.search_gain for target in self.targets.all if target.place == place]
            self._searches[place] = max([*here, self.outlook.road_gain(place)[0]])
        return self._searches[place]


def way_places(way: Sequence[Way]) -> tuple[Place, ...]:
    """Return the clearings of a way."""
    return tuple(one.to for one in way)
