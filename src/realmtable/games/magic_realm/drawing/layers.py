"""Draw the picture of the map from the data of the view: a layer that rarely changes, and what moves above it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final, TypeVar

from realmtable.engine.protocol import PictureLayer
from realmtable.games.magic_realm.catalog import load_catalog, map_graph
from realmtable.games.magic_realm.catalog.ids import ENCHANTED, SIDES, Place, place_of, tile_of
from realmtable.games.magic_realm.catalog.placement import Placement
from realmtable.games.magic_realm.catalog.roads import NO_ROAD
from realmtable.games.magic_realm.catalog.tiles import Clearing, Point
from realmtable.games.magic_realm.drawing.counters import (
    SHIELD,
    Contents,
    chit_of,
    draw_contents,
    draw_shield,
    draw_tray,
    group_denizens,
    place_heroes,
    seat_style,
)
from realmtable.games.magic_realm.drawing.data import ChitData, DenizenData, HeroData, MapData
from realmtable.games.magic_realm.drawing.geometry import Box, Curve, hexagon, translate
from realmtable.games.magic_realm.drawing.labels import label_clearing, label_tile
from realmtable.games.magic_realm.drawing.map import (
    PlacedTile,
    centre_of,
    draw_map,
    make_document,
    map_box,
    place_tiles,
    plan_of,
)
from realmtable.games.magic_realm.drawing.roads import draw_known_roads, draw_route
from realmtable.games.magic_realm.drawing.terrain import ground_of
from realmtable.games.magic_realm.drawing.tile import TilePlan
from realmtable.kit.svg import Element, element

CounterT = TypeVar("CounterT", HeroData, DenizenData)

LAYER: Final = "map"
AREA_RADIUS: Final = 19  # clearings are at least 38 apart
_SLIP_REACH: Final = 32  # half the width of a chit and of a clearing together
_FOCUS: Final = 300  # the side of the part that a phone shows first: each clearing has more than 40 pixels there


def layers(data: MapData, theme: str = "auto") -> list[PictureLayer]:
    """Return the map under the picture."""
    return [PictureLayer(LAYER, draw_map(place_tiles(data["tiles"]), theme))]


def draw(data: MapData, theme: str = "auto", title: str = "Map") -> Element:
    """Return what can change on the map as a complete SVG document; `theme` is one of `realm_style.THEMES`."""
    table = _Table(data)
    return make_document(
        map_box(table.tiles),
        theme,
        [
            element("title", title),
            element("g", *table.draw_known_roads(), *draw_route(table.find_route()), class_="mr-roads"),
            # Always the same groups in the same order, so that a page that updates the picture recognises the heroes.
            element("g", *table.draw_tiles(), class_="mr-places"),
            element("g", *table.draw_clearings(), class_="mr-places"),
            element("g", *table.draw_heroes(), role="group", aria_label="Characters"),
        ],
        {
            "role": "group",
            "aria_label": title,
            "data_pans": "",
            "data_noun": "clearing",
            "data_focus": table.find_focus(),
        },
    )


class _Table:
    """The data, sorted by tile and clearing."""

    def __init__(self, data: MapData) -> None:
        self.data = data
        self.names = load_catalog().names
        self.tiles = place_tiles(data["tiles"])
        self.placed = {placed[0]: placed for placed in self.tiles}
        self.dwellings = {dwelling["at"]: dwelling["name"] for dwelling in data["dwellings"]}
        self.piles = {pile["at"]: pile["count"] for pile in data["piles"]}
        self.characters = {hero["seat"]: hero["character"] for hero in data["heroes"]}
        self.heroes = _sort_by_place(data["heroes"])
        self.denizens = _sort_by_place(data["denizens"])
        self.trays, self.slips = self._sort_chits()

    def _sort_chits(self) -> tuple[dict[str, list[ChitData]], dict[str, list[ChitData]]]:
        """Return the chits that lie in a tile, by its code, and those that belong to a clearing."""
        trays: dict[str, list[ChitData]] = {}
        slips: dict[str, list[ChitData]] = {}
        for data in self.data["chits"]:
            chit = chit_of(data)
            if chit is not None and chit.clearing:
                slips.setdefault(f"{data['tile']}{chit.clearing}", []).append(data)
            else:
                trays.setdefault(data["tile"], []).append(data)
        return trays, slips

    def point_of(self, place: Place) -> Point:
        """Return where a clearing lies."""
        placed = self.placed[tile_of(place)]
        return _add(centre_of(placed), plan_of(placed).clearings[place - place_of(placed[0], 0)])

    def find_place(self, name: str) -> Place:
        """Return the place of a clearing such as "BV4"."""
        return self.names.find(name, "clearing").id

    # ---- roads

    def draw_known_roads(self) -> list[Element]:
        """Draw the secret roads that the viewer has discovered."""
        known = frozenset(self.data["known_roads"])
        groups = []
        for placed in self.tiles:
            roads = draw_known_roads(plan_of(placed), known)
            if roads:
                kind = ground_of(plan_of(placed))
                groups.append(element("g", *roads, class_=kind, transform=translate(centre_of(placed))))
        return groups

    def find_route(self) -> list[Curve]:
        """Return the roads of the planned route."""
        layout = tuple(Placement(*placed[:4]) for placed in self.tiles)
        enchanted = sum(1 << placed[0] for placed in self.tiles if placed[4] == ENCHANTED)
        roads = {
            other.road.id: Curve(*(_add(point, centre_of(placed)) for point in other.curve))
            for placed in (self.tiles if self.data["route"] else ())
            for other in plan_of(placed).roads
        }
        found = []
        for start, end in pairwise(map(self.find_place, self.data["route"])):
            for way in map_graph(layout, enchanted).ways_between(start, end)[:1]:
                found += [roads[road] for road in (way.road, way.far_road) if road != NO_ROAD]
        return found

    # ---- places

    def draw_tiles(self) -> list[Element]:
        """Draw the handle and the chits of each tile."""
        return [self._draw_tile(placed) for placed in self.tiles]

    def _draw_tile(self, placed: PlacedTile) -> Element:
        plan = plan_of(placed)
        code = plan.tile.code
        tray = self.trays.get(code, [])
        chits = (
            [element("g", *draw_tray(tray, plan.label.rises), transform=translate(plan.label.chits))] if tray else []
        )
        return element(
            "g",
            element("path", class_="mr-area", d=f"M0 0{hexagon(96)}"),
            *chits,
            class_="mr-tile",
            transform=translate(centre_of(placed)),
            role="button",
            tabindex=-1,
            data_handle=code,
            aria_label=label_tile(plan.tile, SIDES[placed[4]], tray),
        )

    def draw_clearings(self) -> list[Element]:
        """Draw the handle and the counters of each clearing, except heroes."""
        return [self._draw_clearing(placed, one) for placed in self.tiles for one in plan_of(placed).side.clearings]

    def _draw_clearing(self, placed: PlacedTile, clearing: Clearing) -> Element:
        plan = plan_of(placed)
        name = self.names.name("clearing", clearing.place)
        contents = Contents(
            self.dwellings.get(name, ""),
            self.heroes.get(name, ()),
            group_denizens(self.denizens.get(name, ())),
            self.piles.get(name, 0),
            self.slips.get(name, ()),
        )
        is_free_above = not contents.heroes and not contents.dwelling
        drawn = draw_contents(contents, is_free_above and _has_clearing_below(plan, clearing.number), self.characters)
        return element(
            "g",
            element("circle", class_="mr-area", r=AREA_RADIUS),
            *drawn,
            class_="mr-clearing",
            transform=translate(self.point_of(clearing.place)),
            role="button",
            tabindex=-1,
            data_handle=name,
            data_details="" if drawn else None,
            aria_label=label_clearing(plan.tile, clearing, contents),
        )

    def draw_heroes(self) -> list[Element]:
        """Draw all heroes, always in the order of the data, so that a page can move them."""
        spots: dict[str, Point] = {}
        for at, heroes in self.heroes.items():
            middle = self.point_of(self.find_place(at))
            for hero, spot in zip(heroes, place_heroes(len(heroes), at in self.dwellings), strict=True):
                spots[hero["character"]] = _add(middle, spot)
        return [_draw_hero(hero, spots[hero["character"]]) for hero in self.data["heroes"]]

    def find_focus(self) -> str | None:
        """Return the box around the tile that matters now, or None for the whole map."""
        if not self.data["focus"]:
            return None
        named = self.names.find(self.data["focus"], "tile", "clearing")
        x, y = centre_of(self.placed[named.id if named.kind == "tile" else tile_of(named.id)])
        return Box(x - _FOCUS / 2, y - _FOCUS / 2, _FOCUS, _FOCUS).text()


def _sort_by_place(counters: Iterable[CounterT]) -> Mapping[str, Sequence[CounterT]]:
    places: dict[str, list[CounterT]] = {}
    for counter in counters:
        places.setdefault(counter["at"], []).append(counter)
    return places


def _has_clearing_below(plan: TilePlan, number: int) -> bool:
    """Return whether a chit below a clearing would cover another one."""
    x, y = plan.clearings[number]
    return any(
        abs(other[0] - x) < _SLIP_REACH and 0 < other[1] - y < 2 * _SLIP_REACH for other in plan.clearings.values()
    )


def _add(first: Point, second: Point) -> Point:
    return first[0] + second[0], first[1] + second[1]


def _draw_hero(hero: HeroData, at: Point) -> Element:
    hidden = hero["hidden"]
    return element(
        "g",
        *draw_shield(hero["character"], hidden),
        element("path", class_="mr-area", d=SHIELD),
        class_=f"mr-hero {seat_style(hero['seat'])}" + " mr-hides" * hidden,
        transform=translate(at),
        role="button",
        tabindex=-1,
        data_handle=hero["character"],
        aria_label=f"{hero['character']}, in {hero['at']}" + ", hidden" * hidden,
    )
