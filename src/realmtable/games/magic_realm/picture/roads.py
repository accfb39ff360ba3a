"""Draw roads, tunnels, hidden paths and secret passages, and bridges where roads cross.

The kinds differ in shape: roads are bands, tunnels dark bands with dashes, hidden paths rows of dots, and secret
passages rows of steps. What the viewer has not discovered is thin and grey.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations
from typing import Final

from realmtable.games.magic_realm.catalog.ids import RoadId
from realmtable.games.magic_realm.catalog.tiles import OPEN
from realmtable.games.magic_realm.picture.geometry import Curve, distance, find_crossing
from realmtable.games.magic_realm.picture.tile import RoadPlan, TilePlan
from realmtable.kit.svg import Element, element

_BRIDGE: Final = 11  # half the length of a bridge
# Styles from the bottom to the top.
_STYLES: Final = {
    "road": ("mr-kerb", "mr-road"),
    "tunnel": ("mr-bore", "mr-sleeper"),
    "hidden": ("mr-hidden",),
    "secret": ("mr-secret",),
}
_RANKS: Final = {"road": 3, "hidden": 2, "secret": 1, "tunnel": 0}  # the higher one crosses over the lower one


def draw_roads(plan: TilePlan) -> list[Element]:
    """Draw all roads of a tile, undiscovered ones in grey."""
    paths = [(_STYLES[other.road.kind], other.curve.path()) for other in plan.roads]
    bands = [
        _draw(kind, [path for styles, path in paths if kind in styles]) for kinds in _STYLES.values() for kind in kinds
    ]
    return [*filter(None, bands), *_draw_bridges(plan.roads)]


def draw_known_roads(plan: TilePlan, known: Collection[RoadId]) -> list[Element]:
    """Draw the discovered roads of a tile over the grey ones."""
    roads = [other for other in plan.roads if other.road.secret_id != OPEN and other.road.id in known]
    return [element("path", class_=f"mr-{road.kind} mr-known", d=curve.path()) for road, curve in roads]


def draw_route(curves: Sequence[Curve]) -> list[Element]:
    """Draw the planned route along some roads."""
    paths = [curve.path() for curve in curves]
    return [_draw("mr-trail", paths), _draw("mr-route", paths)] if curves else []


def _draw(kind: str, paths: Sequence[str]) -> Element:
    data = "".join(paths)
    return element("path", class_=kind, d=data) if data else Element()


def _draw_bridges(roads: tuple[RoadPlan, ...]) -> list[Element]:
    """Draw the bridges; only roads cross over others, never tunnels or secret roads."""
    return [
        element("path", class_=kind, d=path)
        for path in [span.path() for _, span in find_bridges(roads)]
        for kind in ("mr-gap", "mr-rail", "mr-plank")
    ]


def find_bridges(roads: tuple[RoadPlan, ...]) -> tuple[tuple[RoadPlan, Curve], ...]:
    """Return the roads that cross over others, each with the piece that is the bridge."""
    bridges = []
    for first, second in combinations(roads, 2):
        crossing = find_crossing(first.curve, second.curve)
        if crossing is None:
            continue
        is_first = _RANKS[first.road.kind] >= _RANKS[second.road.kind]
        upper, part = (first, crossing[0]) if is_first else (second, crossing[1])
        share = _BRIDGE / distance(upper.curve.start, upper.curve.end)
        bridges.append((upper, upper.curve.cut(max(0, part - share), min(1, part + share))))
    return tuple(bridges)
