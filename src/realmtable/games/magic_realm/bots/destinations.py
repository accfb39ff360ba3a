"""Where treasures may be found: sites, piles and tiles that nobody has explored, and what each is worth in points.

Time decides: a target is worth what it brings beyond what the same days would bring elsewhere, so it counts for less
the longer it takes to get there, to discover it and to loot it. When little is left to find, days are worth little.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Final

from realmtable.games.magic_realm.bots.danger import Danger
from realmtable.games.magic_realm.bots.goals import Goals
from realmtable.games.magic_realm.bots.known_world import DIE, KnownWorld, chance_of
from realmtable.games.magic_realm.bots.search_values import SearchValue, expected_finds, expected_finds_after_discovery
from realmtable.games.magic_realm.bots.travel import count_marches, measure_ways
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import Place, TileId, clearing_of, place_of, tile_of
from realmtable.games.magic_realm.view_parts.schema import GoodsData

LEAST_DAY_WORTH: Final = 0.2
MOST_DAY_WORTH: Final = 12.0
STEPS: Final = 7  # in which the worth of a day is approached
HOP: Final = 1.5  # days from one target to the next, if this one is not nearer
LOCATES: Final = (1, 4)  # the results of Locate that discover the site of a clearing
STACK: Final = 5  # the chits of the Lost City and the Lost Castle
FURTHER_SITE: Final = 0.5  # what a second site in a tile adds, as a share of the first
LOOT, DISCOVER, EXPLORE, PILE = "loot", "discover", "explore", "pile"
STAR_COST: Final = 0.1  # points that it costs to fatigue a chit
RIVAL: Final = 0.7  # how much each character who is nearer to a site takes away, as a share of what is left
EASE: Final = 0.5  # how often one is hidden, or has nothing to fear, where there are no monsters yet
FAR: Final = 999.0  # phases to a clearing that cannot be reached, or days without an end
SPARE: Final = 0.3  # phases of a day that are lost even at a site without monsters


@dataclass(frozen=True)
class Destination:
    """A clearing to go to, why, and what it is worth to be there."""

    place: Place
    kind: str
    name: str  # of the site, or empty
    value: float
    search_gain: float  # what each Search phase there adds


@dataclass(frozen=True)
class _Candidate:
    """A possible destination before its value is known; `searches` lists what may be there, each equally likely."""

    place: Place
    kind: str
    name: str
    searches: Sequence[SearchValue]
    number: float  # of such searches that are expected
    days: float  # before the first search
    clue: float  # the chance that a Search here discovers one of them


class Destinations:
    """The places where the viewer's character may find treasures."""

    def __init__(self, known: KnownWorld, goals: Goals, danger: Danger) -> None:
        self.known = known
        self.goals = goals
        self.danger = danger

    @cached_property
    def all(self) -> list[Destination]:
        """All targets, the most valuable first."""
        found = [self._judge(candidate) for candidate in self._candidates]
        return sorted(found, key=lambda one: (-one.value, one.place, one.name))

    @cached_property
    def day_worth(self) -> float:
        """What a day is worth to the hunter in points, and so what a delay costs.

        If days were worth more, the targets that are worth their time would not fill the days that are left.
        """
        low, high = LEAST_DAY_WORTH, MOST_DAY_WORTH
        for _ in range(STEPS):
            middle = sqrt(low * high)
            low, high = (middle, high) if self._count_filled_days(middle) > self.known.days_left else (low, middle)
        return sqrt(low * high)

    @cached_property
    def stops(self) -> list[_Candidate]:
        """The candidates, and of each tile to explore only the nearest clearing."""
        found: dict[object, _Candidate] = {}
        for one in sorted(self._candidates, key=lambda one: one.days):
            found.setdefault(tile_of(one.place) if one.kind == EXPLORE else (one.place, one.name), one)
        return [*found.values()]

    def _count_filled_days(self, day_worth: float) -> float:
        """Return how many days the targets fill that are worth their time, given the worth of a day."""
        filled = 0.0
        for candidate in self.stops:
            days, share = min(candidate.days, HOP), min(1.0, candidate.number) / len(candidate.searches)
            stays = [one.plan_stay(FAR, day_worth) for one in candidate.searches]
            if share * sum(value for value, _ in stays) > days * day_worth:
                filled += days + share * sum(length for _, length in stays)
        return filled

    @cached_property
    def _candidates(self) -> list[_Candidate]:
        found = [*self._list_sites(), *self._list_piles(), *self._list_tiles_to_explore()]
        return [candidate for candidate in found if self._pays(candidate)]

    def _pays(self, candidate: _Candidate) -> bool:
        """Whether a candidate brings anything in the days that are left."""
        days = self.known.days_left - candidate.days
        return any(one.value(days, 0.0) > 0 for one in candidate.searches)

    @cached_property
    def _travel(self) -> Mapping[Place, float]:
        return measure_ways(self.known, self.known.starts)

    @cached_property
    def _marches(self) -> float:
        return count_marches(self.known)

    def _days_to(self, place: Place) -> float:
        return self._travel.get(place, FAR) / self._marches

    def _judge(self, candidate: _Candidate) -> Destination:
        days = self.known.days_left - candidate.days
        delay = candidate.days - self._days_to(candidate.place)
        values = [one.value(days, self.day_worth) for one in candidate.searches]
        number = min(candidate.number, 1 + FURTHER_SITE * (candidate.number - 1))
        value = number * sum(values) / len(values) - delay * self.day_worth
        gains = [one.gain(days, self.day_worth) for one in candidate.searches]
        gain = candidate.clue * sum(gains) / len(gains)
        return Destination(candidate.place, candidate.kind, candidate.name, value, gain)

    # ---- sites

    def _list_sites(self) -> Iterator[_Candidate]:
        for name, place in self.known.sites.items():
            discovered = name in self.known.own["sites"]
            searches = self._site_searches(name, place, self._toll(place), discovered=discovered)
            yield _Candidate(place, LOOT if discovered else DISCOVER, name, searches, 1.0, self._days_to(place), 1.0)

    def _site_searches(self, name: str, place: Place, toll: float, *, discovered: bool) -> list[SearchValue]:
        """Return what a site promises, nothing if it cannot be looted."""
        cost, slots = self._cost(name), self.known.box(name)
        if cost is None or not slots:
            return []
        worth = sum(map(self.goals.value_of_slot, slots)) / len(slots) - cost
        worth /= 1 + RIVAL * self._count_rivals(place)
        dice = self.known.dice("loot", place)
        chance = chance_of(LOCATES, self.known.dice("locate", place))
        finds = (
            expected_finds(len(slots), dice) if discovered else expected_finds_after_discovery(len(slots), dice, chance)
        )
        return [SearchValue(worth, finds, self._searches_per_day(place), toll)]

    def _count_rivals(self, place: Place) -> int:
        """Return how many other characters are nearer to a clearing; of those as near, the first seats count."""
        own = self._travel.get(place, FAR), self.known.view["viewer"] or 0
        return sum((ways.get(place, FAR), seat) < own for seat, ways in self._rivals.items())

    @cached_property
    def _rivals(self) -> Mapping[int, Mapping[Place, float]]:
        """How far away each clearing is for the other characters, by seats."""
        return {seat: measure_ways(self.known, [place]) for seat, place in self.known.others.items()}

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
            return STAR_COST if any(chit.stars for chit in self.known.active_chits()) else None
        return 0.0

    def _searches_per_day(self, place: Place) -> float:
        """Return how many searches a day has in a clearing; among monsters, the character has to hide first (L1)."""
        own = self.known.own
        numbers = load_catalog().numbers
        phases = numbers.basic_phases + own["extra"].count("search")
        if not self.known.is_cave(place) and not self.known.never_has_sunlight:
            phases += numbers.sunlight_phases
        if place not in self.known.monster_clearings:
            return phases - SPARE
        return self.danger.hide_chance(place, 1) * (phases - ("hide" not in own["extra"]))

    def _toll(self, place: Place) -> float:
        """Return what monsters cost those who search in a clearing every day, in points."""
        chance = self.danger.hide_chance(place, 1) if place in self.known.monster_clearings else EASE
        return (1 - chance) * max(0.0, self.danger.cost(place))

    def _list_piles(self) -> Iterator[_Candidate]:
        for place, slots in self.known.piles.items():
            worth = sum(map(self.goals.value_of_slot, slots)) / len(slots)
            finds = expected_finds(len(slots), self.known.dice("loot", place))
            search = SearchValue(worth, finds, self._searches_per_day(place), self._toll(place))
            yield _Candidate(place, PILE, "", [search], 1.0, self._days_to(place), 1.0)

    # ---- tiles with unknown chits

    def _list_tiles_to_explore(self) -> Iterator[_Candidate]:
        """Yield each clearing of the tiles with unknown sounds and sites: all are turned up when a day ends there."""
        pool = self.known.unknown_chits
        hidden = [chit for chit in pool if chit.kind == "site"]
        if not hidden:
            return
        for tile in load_catalog().tiles:
            expected = self._expect_sites(tile.id) * len(hidden) / len(pool)
            if not expected:
                continue
            toll = self._toll(tile.sides[0].clearings[0].place)  # warnings threaten all clearings of a tile alike
            sites = [(chit.name, place_of(tile.id, chit.clearing)) for chit in hidden]
            searches = [one for name, at in sites for one in self._site_searches(name, at, toll, discovered=False)]
            for clearing in tile.sides[0].clearings:
                place = clearing.place
                here = sum(chit.clearing == clearing_of(place) for chit in hidden) / len(hidden)
                number = expected / (1 + RIVAL * self._count_rivals(place))
                chance = chance_of(LOCATES, self.known.dice("locate", place))
                yield _Candidate(
                    place, EXPLORE, "", searches, number, self._days_to(place) + 1, chance * min(1.0, expected) * here
                )

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


def expected_loot(goals: Goals, slots: Sequence[GoodsData], dice: int) -> float:
    """Return what one roll on the Loot table gives on average."""
    return sum(chance_of((number,), dice) * goals.value_of_slot(slot) for number, slot in enumerate(slots[:DIE], 1))
