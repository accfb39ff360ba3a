"""How far away clearings are, in phases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from heapq import heappop, heappush
from math import inf
from typing import Final

from realmtable.games.magic_realm.bots.perception import Perception
from realmtable.games.magic_realm.catalog.ids import Place
from realmtable.games.magic_realm.catalog.tiles import OPEN

MARCH: Final = 3.5  # phases of a day that bring a traveller on
SECRET_COST: Final = 5  # phases that it takes to find a hidden path or secret passage, on average


def measure_ways(known: Perception, starts: Iterable[Place]) -> Mapping[Place, float]:
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
