"""How far away clearings are, in phases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from heapq import heappop, heappush
from math import inf
from typing import Final

from realmtable.games.magic_realm.bots.known_world import KnownWorld
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import Place
from realmtable.games.magic_realm.catalog.tiles import OPEN

MARCH: Final = 3.5 / 4  # the share of the phases of a day that brings a traveller on
SECRET_COST: Final = 5  # phases that it takes to find a hidden path or secret passage, on average


def count_marches(known: KnownWorld) -> float:
    """Return how many phases of travel a day has: fewer for the Dwarf, who has no sunlight phases (D7)."""
    numbers = load_catalog().numbers
    sunlight = 0 if known.never_has_sunlight else numbers.sunlight_phases
    return MARCH * (numbers.basic_phases + sunlight + known.own["extra"].count("move"))


def measure_ways(known: KnownWorld, starts: Iterable[Place]) -> Mapping[Place, float]:
    """Return how many phases away each clearing is, if no monster bars the way."""
    lengths = dict.fromkeys(starts, 0.0)
    heap = [(0.0, place) for place in lengths]
    costs: dict[Place, float] = {}  # of entering a clearing
    while heap:
        length, place = heappop(heap)
        if length > lengths[place]:
            continue
        for way in known.graph.ways[place]:
            to = way.to
            if to not in costs:
                costs[to] = known.entry_cost(to)
            further = length + costs[to] + (0 if way.secret == OPEN or known.is_open(way) else SECRET_COST)
            if further < lengths.get(to, inf):
                lengths[to] = further
                heappush(heap, (further, to))
    return lengths
