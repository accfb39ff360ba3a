"""Where treasures may be: sites to loot or to discover, tiles to explore and piles, and what going there is worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from math import inf
from typing import Final

from realmtable.games.magic_realm.bots.danger import Danger
from realmtable.games.magic_realm.bots.goals import Goals
from realmtable.games.magic_realm.bots.perception import Perception, chance_of
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import Place, TileId, clearing_of
from realmtable.games.magic_realm.catalog.roads import Way
from realmtable.games.magic_realm.view_parts.schema import GoodsData

DAY: Final = 1.3  # points that a day is worth to a hunter, and so the cost of a delay
LOCATES: Final = (1, 4)  # the results of Locate that discover the site of a clearing
FINDS_ROADS: Final = (1, 2, 3)  # the results of Peer that find hidden paths, and of Locate that find passages
TABLES: Final = {"hidden": "peer", "secret": "locate"}
DIE: Final = 6
SECRET_COST: Final = 5  # phases that it takes to find a hidden path or secret passage, on average
STACK: Final = 5  # the chits of the Lost City and the Lost Castle
LOOT, DISCOVER, EXPLORE, PILE = "loot", "discover", "explore", "pile"
HIDE_SHARE: Final = 1  # phases of a day that are spent hiding at a site
MARCH: Final = 3.5  # phases of a day in which a traveller makes progress
PHASES_PER_POINT: Final = MARCH / DAY


@dataclass(frozen=True)
class Target:
    """A clearing to go to, why, and what it is worth to be there."""

    place: Place
    kind: str
    name: str  # of the site, or empty
    value: float
    search_gain: float  # what each Search phase there adds


class Targets:
    """The places where the viewer's character may find treasures."""

    def __init__(self, known: Perception, goals: Goals) -> None:
        self.known = known
        self.goals = goals
        self._streams: dict[tuple[str, int, float], float] = {}

    @cached_property
    def all(self) -> list[Target]:
        """All targets, the most valuable first."""
        found = [*self._list_sites(), *self._list_piles()]
        found += [*self._list_tiles_to_explore()]
        return sorted((one for one in found if one.value > 0), key=lambda one: (-one.value, one.place, one.name))

    # ---- sites

    def _list_sites(self) -> Iterator[Target]:
        for name, place in self.known.sites.items():
            discovered = name in self.known.own["sites"]
            stream, gain = self.loot_value(name, place), self.loot_gain(name, place)
            if discovered:
                yield Target(place, LOOT, name, stream, gain)
            else:
                chance = chance_of(LOCATES, self.known.dice("locate", place))
                delay = 1 / (chance * self._searches(place))
                value = max(0.0, stream - DAY * delay) if delay < self.known.days_left else 0.0
                yield Target(place, DISCOVER, name, value, chance * (stream - value))

    def loot_gain(self, name: str, place: Place) -> float:
        """Return what one roll on the Loot table at a site gives on average."""
        cost = self._cost(name)
        if cost is None:
            return 0.0
        return max(0.0, expected_loot(self.goals, self.known.box(name), self.known.dice("loot", place)) - cost)

    def _cost(self, name: str) -> float | None:
        """Return what a roll costs in points, None if the site cannot be looted now (D19)."""
        chit = next(chit for chit in load_catalog().map_chits if chit.name == name)
        if chit.loot_cost == "open":
            return 0.0 if self.known.is_opened(name) or self.known.can_open_doors else None
        if chit.loot_cost:
            return 0.3 if any(chit.stars for chit in self.known.active_chits()) else None
        return 0.0

    def loot_value(self, name: str, place: Place) -> float:
        """Return what the pieces of a site are worth that can be taken before the game ends."""
        key = name, self.known.dice("loot", place), self._searches(place)
        if key not in self._streams:
            self._streams[key] = 0.0 if self._cost(name) is None else self._stream(self.known.box(name), place)
        return self._streams[key]

    def _stream(self, slots: Sequence[GoodsData], place: Place) -> float:
        """Return what looting a box or pile day after day brings beyond what the days are worth elsewhere."""
        values = [self.goals.value_of_slot(slot) for slot in slots]
        values = [value for value in values if value > 0]
        average, total, day = sum(values) / max(1, len(values)), 0.0, 0.0
        dice, searches = self.known.dice("loot", place), self._searches(place)
        for left in range(len(values), 0, -1):
            days = 1 / (searches * chance_of(range(1, min(left, DIE) + 1), dice))
            day += days
            if day > self.known.days_left or average < DAY * days:
                break
            total += average - DAY * days
        return total

    def _searches(self, place: Place) -> float:
        """Return how many searches a day has in a clearing, with time to hide."""
        own = self.known.own
        numbers = load_catalog().numbers
        phases = numbers.basic_phases + own["extra"].count("search")
        if not self.known.is_cave(place) and not self.known.never_has_sunlight:
            phases += numbers.sunlight_phases
        return max(1, phases - (HIDE_SHARE if "hide" not in own["extra"] else 0))

    def _list_piles(self) -> Iterator[Target]:
        for place, slots in self.known.piles.items():
            gain = expected_loot(self.goals, slots, self.known.dice("loot", place))
            yield Target(place, PILE, "", self._stream(slots, place), gain)

    # ---- tiles with unknown chits

    def _list_tiles_to_explore(self) -> Iterator[Target]:
        """Yield each clearing of the tiles with unknown sounds and sites: all are turned up when a day ends there."""
        pool = self.known.unknown_chits
        hidden = [chit for chit in pool if chit.kind == "site"]
        if not hidden:
            return
        for tile in load_catalog().tiles:
            expected = self._expect_sites(tile.id) * len(hidden) / len(pool)
            for clearing in tile.sides[0].clearings if expected else ():
                place = clearing.place
                worth = [self._value_if_found(chit.name, place) for chit in hidden]
                value = expected * sum(worth) / len(worth)
                yield Target(place, EXPLORE, "", value, self._clue_gain(place, value))

    def _expect_sites(self, tile: TileId) -> float:
        """Return how many unknown sounds and sites are expected in a tile."""
        lying = self.known.chits[tile]
        if lying.red and not lying.others and not lying.unknown:
            return float(STACK)
        if lying.red or not lying.unknown:
            return float(lying.unknown)
        letter = load_catalog().tiles[tile].letter
        rivals = [one.id for one in load_catalog().tiles if one.letter == letter]
        if any(self.known.chits[rival].red for rival in rivals):
            return 1.0
        unknown = sum(bool(self.known.chits[rival].unknown) for rival in rivals)
        return 1 + (STACK - 1) / unknown

    def _value_if_found(self, name: str, place: Place) -> float:
        """Return the value of a site, if it is found in some clearing of a tile and has to be discovered."""
        chance = chance_of(LOCATES, self.known.dice("locate", place))
        delay = 1 / (chance * self._searches(place)) + 1
        return max(0.0, self.loot_value(name, place) - DAY * delay) if delay < self.known.days_left else 0.0

    def _clue_gain(self, place: Place, value: float) -> float:
        """Return what a Search adds where nothing is known: it may discover a site that lies in this very clearing."""
        here = sum(chit.clearing == clearing_of(place) for chit in self.known.unknown_chits if chit.kind == "site")
        return (
            chance_of(LOCATES, self.known.dice("locate", place)) * value * here / max(1, len(self.known.unknown_chits))
        )


def expected_loot(goals: Goals, slots: Sequence[GoodsData], dice: int) -> float:
    """Return what one roll on the Loot table gives on average."""
    return sum(chance_of((number,), dice) * goals.value_of_slot(slot) for number, slot in enumerate(slots[:DIE], 1))


class Outlook:
    """What it is worth to be in each clearing: the best of the targets, less the way to it.

    A target that is worth less counts like a longer way, so that one search finds the best target of every clearing.
    """

    def __init__(self, known: Perception, danger: Danger, targets: Sequence[Target]) -> None:
        self.known = known
        self.danger = danger
        self.most = max((target.value for target in targets), default=0.0)
        self._lengths: dict[Place, float] = {}
        self._onward: dict[Place, Way] = {}
        self._targets: dict[Place, Target] = {}
        self._travel: dict[Place, float] = {}
        self._measure(targets)

    def _measure(self, targets: Sequence[Target]) -> None:
        heap: list[tuple[float, Place]] = []
        for target in targets:
            length = (self.most - target.value) * PHASES_PER_POINT
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
                in_time = self._travel[place] + cost < MARCH * self.known.days_left
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
        """Return how many phases it costs to enter a clearing, including the trouble that monsters there cause."""
        # Caves and mountains are seldom passed in one day.
        nights = 1 if self.known.graph.clearings[place].kind == "woods" else 2
        return self.known.entry_cost(place) + PHASES_PER_POINT * nights * self.trouble(place)

    def trouble(self, place: Place) -> float:
        """Return what monsters in a clearing cost those who pass through it or wake up there, in points."""
        if place not in self.known.monster_clearings:
            return 0.0
        return (1 - self.danger.hide_chance(place, 1)) * self.danger.cost(place)

    def value_before(self, place: Place) -> float:
        """Return what it is worth to begin a day on a roadway to a clearing."""
        return self._value_at(self._lengths.get(place, inf) + self.entry_cost(place))

    def value(self, place: Place) -> float:
        """Return what it is worth to begin a day in a clearing."""
        return self._value_at(self._lengths.get(place, inf)) - self.trouble(place)

    def _value_at(self, length: float) -> float:
        return max(0.0, self.most - length / PHASES_PER_POINT)

    def target_from(self, place: Place) -> Target | None:
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
