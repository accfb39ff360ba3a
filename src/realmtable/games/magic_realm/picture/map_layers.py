"""Draw the picture of the map from the data of the view: a layer that rarely changes, and what moves above it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final, NamedTuple, TypeVar

from realmtable.engine.protocol import PictureLayer
from realmtable.games.magic_realm.catalog import load_catalog, map_graph
from realmtable.games.magic_realm.catalog.ids import ENCHANTED, SIDES, Place, RoadId, place_of, tile_of
from realmtable.games.magic_realm.catalog.map_graph import NO_ROAD
from realmtable.games.magic_realm.catalog.placement import Placement
from realmtable.games.magic_realm.catalog.tiles import Point
from realmtable.games.magic_realm.picture.clearing_labels import (
    Wish,
    draw_label,
    find_heroes,
    lay_out,
    place_labels,
)
from realmtable.games.magic_realm.picture.counters import (
    SHIELD,
    Contents,
    DrawnCharacter,
    DrawnChit,
    DrawnDenizens,
    Ghost,
    chit_of,
    draw_shield,
    draw_tray,
    group_denizens,
    measure_tray,
    seat_style,
)
from realmtable.games.magic_realm.picture.geometry import Curve, hexagon, mix, translate
from realmtable.games.magic_realm.picture.labels import label_clearing, label_tile
from realmtable.games.magic_realm.picture.map_ground import (
    PlacedTile,
    centre_of,
    draw_map,
    map_box,
    place_tiles,
    plan_of,
)
from realmtable.games.magic_realm.picture.roads import draw_known_roads, draw_route
from realmtable.games.magic_realm.picture.style import MAP_STYLE, text_element
from realmtable.games.magic_realm.picture.terrain import ground_of
from realmtable.games.magic_realm.text.wording import format_place
from realmtable.games.magic_realm.view_parts.map_schema import DenizenData, HeroData, MapData
from realmtable.kit.map_picture import Box
from realmtable.kit.svg import Element, element, name_parts, parted_group
from realmtable.kit.text_metrics import SANS_BOLD, text_width

CounterT = TypeVar("CounterT", HeroData, DenizenData)

PLACES: Final = {"class_": "mr-places"}
LAYER: Final = "map"
EMPTY: Final = Contents("", (), (), 0, ())
_PHASE_SIZE: Final = 10
AREA_RADIUS: Final = 19  # clearings are at least 38 apart
_READABLE: Final = 1.6  # pixels per unit at which everything on the map can be read: wide pages open with that
_HERO_STEP: Final = 16  # between the heroes on a roadway
_FOCUS: Final = 300  # the side of the part that a phone shows first: each clearing has more than 40 pixels there


class Plan(NamedTuple):
    """What the viewer plans: the numbers of the phases by their clearings, and what awaits them at the end."""

    phases: Mapping[str, str] = {}
    end: str = ""  # the clearing where the hero will be, or nothing if it stays where it is
    ghost: Ghost | None = None
    tonight: str = ""  # the clearing for which `coming` holds
    coming: tuple[DrawnDenizens, ...] = ()


NO_PLAN: Final = Plan()


def layers(data: MapData, theme: str = "auto", box: Box | None = None) -> list[PictureLayer]:
    """Return the map under the picture, which has a certain view box if it shows more than the map."""
    return [PictureLayer(LAYER, draw_map(place_tiles(data["tiles"]), theme, box))]


def draw(
    data: MapData,
    theme: str = "auto",
    title: str = "Map",
    marked: Collection[str] = (),
    building: tuple[Box, Sequence[Element]] | None = None,
    plan: Plan = NO_PLAN,
) -> Element:
    """Return what can change on the map as a complete SVG document; `theme` is one of `picture_style.THEMES`.

    The clearings in `marked` are those of the latest steps. A map that is being built has another view box and more
    elements.
    """
    box, others = building or (None, ())
    table = _Table(data, plan)
    return MAP_STYLE.make_document(
        box or map_box(table.tiles),
        theme,
        {
            "title": element("title", title),
            "roads": element("g", *table.draw_known_roads(), *draw_route(table.find_route()), class_="mr-roads"),
            # Always the same groups in the same order, so that a page that updates the picture recognises the heroes.
            "tiles": parted_group("tiles", table.draw_tiles(), PLACES),
            "clearings": parted_group("clearings", table.draw_clearings(marked), PLACES),
            **name_parts(table.draw_phases(), "phase"),
            "heroes": parted_group("heroes", table.draw_heroes(), {"role": "group", "aria_label": "Characters"}),
            **name_parts(others, "other"),
        },
        {
            "role": "group",
            "aria_label": title,
            "data_pans": "",
            "data_noun": "clearing",
            "data_focus": table.find_focus(),
            "data_readable": str(_READABLE),
        },
    )


def label_places(data: MapData) -> dict[str, str]:
    """Return the labels of the clearings in which something lies or stands, by their names."""
    table = _Table(data)
    found = {}
    for placed in table.tiles:
        for clearing in plan_of(placed).side.clearings:
            name = table.names.by_number("clearing")[clearing.place]
            contents = table.find_contents(name)
            if any(contents):
                found[name] = label_clearing(plan_of(placed).tile, clearing, contents)
    return found


def label_chits(data: MapData) -> dict[str, str]:
    """Return the labels of the tiles with chits that the viewer knows, by their codes."""
    table = _Table(data)
    tiles = {plan_of(placed).tile.code: placed for placed in table.tiles}
    return {
        code: label_tile(plan_of(tiles[code]).tile, SIDES[tiles[code][4]], tray)
        for code, tray in table.trays.items()
        if any(slip.name for slip in tray)
    }


class _Table:
    """The data, sorted by tile and clearing."""

    def __init__(self, data: MapData, plan: Plan = NO_PLAN) -> None:
        self.data = data
        self.plan = plan
        self.names = load_catalog().names
        self.tiles = place_tiles(data["tiles"])
        self.placed = {placed[0]: placed for placed in self.tiles}
        self.dwellings = {dwelling["at"]: dwelling["name"] for dwelling in data["dwellings"]}
        self.piles = {pile["at"]: pile["count"] for pile in data["piles"]}
        self.characters = {hero["seat"]: hero["character"] for hero in data["heroes"]}
        self.heroes = _sort_by_place(data["heroes"])
        self.denizens = _sort_by_place(data["denizens"])
        self.trays, self.slips = self._sort_chits()

    @cached_property
    def contents(self) -> Mapping[str, Contents]:
        """What lies and stands in the clearings that are not empty."""
        names = {
            *self.dwellings,
            *self.heroes,
            *self.denizens,
            *self.piles,
            *self.slips,
            self.plan.end,
            self.plan.tonight,
        }
        clearings = self.names.by_name("clearing")
        found = {name: self.find_contents(name) for name in sorted(names & {*clearings}, key=clearings.__getitem__)}
        return {name: contents for name, contents in found.items() if any(contents)}

    @cached_property
    def labels(self) -> Mapping[str, Point]:
        """Where the labels of these clearings are, from their middles."""
        wishes = []
        for name, contents in self.contents.items():
            layout = lay_out(contents)
            wishes.append(Wish(name, self.point_of(self.find_place(name)), layout.wide, layout.high))
        trays = tuple((code, measure_tray(tuple(tray))) for code, tray in self.trays.items())
        return place_labels(self.tiles, trays, tuple(wishes))

    def _sort_chits(self) -> tuple[dict[str, list[DrawnChit]], dict[str, list[DrawnChit]]]:
        """Return the chits that lie in a tile, by its code, and those that belong to a clearing."""
        trays: dict[str, list[DrawnChit]] = {}
        slips: dict[str, list[DrawnChit]] = {}
        for data in self.data["chits"]:
            slip = DrawnChit(data["back"], data["name"], data["face_up"])
            chit = chit_of(slip)
            if chit is not None and chit.clearing:
                slips.setdefault(f"{data['tile']}{chit.clearing}", []).append(slip)
            else:
                trays.setdefault(data["tile"], []).append(slip)
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
        return [road for pair in pairwise(self.data["route"]) for road in self._find_roads(*pair)]

    def _find_roads(self, start: str, end: str) -> list[Curve]:
        """Return the one or two roads that join clearings."""
        layout = tuple(Placement(*placed[:4]) for placed in self.tiles)
        enchanted = sum(1 << placed[0] for placed in self.tiles if placed[4] == ENCHANTED)
        ways = map_graph(layout, enchanted).ways_between(self.find_place(start), self.find_place(end))
        return [self._find_road(road) for way in ways[:1] for road in (way.road, way.far_road) if road != NO_ROAD]

    def _find_road(self, road: RoadId) -> Curve:
        placed = self.placed[load_catalog().roads[road].tile]
        curve = next(other.curve for other in plan_of(placed).roads if other.road.id == road)
        return Curve(*(_add(point, centre_of(placed)) for point in curve))

    # ---- places

    def draw_tiles(self) -> list[Element]:
        """Draw the handle and the chits of each tile."""
        return [_draw_tile(placed, tuple(self.trays.get(plan_of(placed).tile.code, ()))) for placed in self.tiles]

    def draw_clearings(self, marked: Collection[str]) -> list[Element]:
        """Draw the handle and the counters of each clearing, except heroes."""
        names = self.names.by_number("clearing")
        drawn = []
        for placed in self.tiles:
            for clearing in plan_of(placed).side.clearings:
                name = names[clearing.place]
                contents = self.contents.get(name, EMPTY)
                flags = tuple(self.characters.items()) if any(group.is_native for group in contents.groups) else ()
                spot = self.labels.get(name)
                drawn.append(_draw_clearing(placed, clearing.number, contents, flags, name in marked, spot))
        return drawn

    def find_contents(self, name: str) -> Contents:
        """Return what lies and stands in a clearing."""
        return Contents(
            self.dwellings.get(name, ""),
            tuple([DrawnCharacter(hero["character"], hero["hidden"]) for hero in self.heroes.get(name, ())]),
            group_denizens(self.denizens[name]) if name in self.denizens else (),
            self.piles.get(name, 0),
            tuple(self.slips.get(name, ())),
            self.plan.ghost if name == self.plan.end else None,
            self.plan.coming if name == self.plan.tonight else (),
        )

    def draw_phases(self) -> list[Element]:
        """Draw the numbers of the planned phases at their clearings."""
        return [_draw_phases(self.point_of(self.find_place(at)), text) for at, text in self.plan.phases.items()]

    def draw_heroes(self) -> list[Element]:
        """Draw all heroes, always in the order of the data, so that a page can move them."""
        spots: dict[str, Point] = {}
        for at, heroes in self.heroes.items():
            middle = self._find_middle(at)
            stands = find_heroes(self.contents[at], self.labels[at]) if at in self.labels else _spread(len(heroes))
            for hero, spot in zip(heroes, stands, strict=True):
                across, down = _add(middle, spot)
                spots[hero["character"]] = round(across), round(down)
        return [
            _draw_hero(hero["character"], hero["seat"], hero["at"], hero["hidden"], spots[hero["character"]])
            for hero in self.data["heroes"]
        ]

    def _find_middle(self, at: str) -> Point:
        """Return the middle of a clearing, or of a roadway such as "BV2-BV5"."""
        start, _, end = at.partition("-")
        if not end:
            return self.point_of(self.find_place(at))
        roads = self._find_roads(start, end)
        if len(roads) == 1:
            return roads[0].at(0.5)
        return mix(self.point_of(self.find_place(start)), self.point_of(self.find_place(end)), 0.5)

    def find_focus(self) -> str | None:
        """Return the box around the tile that matters now, or None for the whole map."""
        if not self.data["focus"]:
            return None
        named = self.names.find(self.data["focus"], "tile", "clearing")
        x, y = centre_of(self.placed[named.id if named.kind == "tile" else tile_of(named.id)])
        return Box(x, y, 0, 0).widen(_FOCUS, _FOCUS).text()


def _sort_by_place(counters: Iterable[CounterT]) -> Mapping[str, Sequence[CounterT]]:
    places: dict[str, list[CounterT]] = {}
    for counter in counters:
        places.setdefault(counter["at"], []).append(counter)
    return places


def _spread(count: int) -> list[Point]:
    """Return where heroes stand on a roadway, from its middle."""
    return [(_HERO_STEP * (index - (count - 1) / 2), 0.0) for index in range(count)]


def _add(first: Point, second: Point) -> Point:
    return first[0] + second[0], first[1] + second[1]


@lru_cache(maxsize=1024)
def _draw_tile(placed: PlacedTile, tray: tuple[DrawnChit, ...]) -> Element:
    plan = plan_of(placed)
    return element(
        "g",
        element("path", class_="mr-area", d=f"M0 0{hexagon(96)}"),
        *draw_tray(tray, plan.label.chits, plan.label.rises),
        transform=translate(centre_of(placed)),
        role="button",
        tabindex=-1,
        data_handle=f"tile:{plan.tile.code}",  # some codes are steps, too
        aria_label=label_tile(plan.tile, SIDES[placed[4]], tray),
    )


def _draw_phases(middle: Point, text: str) -> Element:
    """Draw the numbers of phases at the upper left of a clearing."""
    wide = text_width(text, _PHASE_SIZE, SANS_BOLD) + 8
    box = element("rect", class_="mr-phase", x=-wide / 2, y=-8, width=wide, height=16, rx=8)
    spot = translate(_add(middle, (-13 - wide / 2 + 6, -15)))
    return element("g", box, text_element(text, 0, 3.6, _PHASE_SIZE, "mr-bold"), transform=spot)


@lru_cache(maxsize=4096)
def _draw_clearing(
    placed: PlacedTile,
    number: int,
    contents: Contents,
    flags: tuple[tuple[int, str], ...],
    is_marked: bool,
    spot: Point | None,
) -> Element:
    plan = plan_of(placed)
    clearing = next(found for found in plan.side.clearings if found.number == number)
    drawn = [] if spot is None else draw_label(contents, spot, dict(flags))
    return element(
        "g",
        *([element("circle", class_="mr-last", r=AREA_RADIUS)] if is_marked else []),
        element("circle", class_="mr-area", r=AREA_RADIUS),
        *drawn,
        transform=translate(_add(centre_of(placed), plan.clearings[number])),
        role="button",
        tabindex=-1,
        data_handle=f"{plan.tile.code}{number}",
        data_details="" if drawn else None,
        aria_label=label_clearing(plan.tile, clearing, contents),
    )


@lru_cache(maxsize=1024)
def _draw_hero(character: str, seat: int, at: str, is_hidden: bool, spot: Point) -> Element:
    place = f"{'on' if '-' in at else 'in'} {format_place(at)}"
    return element(
        "g",
        *draw_shield(character, is_hidden),
        element("path", class_="mr-area", d=SHIELD),
        class_=f"mr-hero {seat_style(seat)}" + " mr-hides" * is_hidden,
        transform=translate(spot),
        role="button",
        tabindex=-1,
        data_handle=character,
        aria_label=f"{character}, {place}" + ", hidden" * is_hidden,
    )
