"""Draw the map from the view alone: the tiles as a layer that rarely changes, and above it everything that moves."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from realmtable.engine.language import translate as translate_words
from realmtable.engine.protocol import PictureLayer, Seat, View
from realmtable.games.realms_of_etherium import INFO
from realmtable.games.realms_of_etherium.counting import find_counted
from realmtable.games.realms_of_etherium.picture.emblems import SEAT_SIGNS, draw_star
from realmtable.games.realms_of_etherium.picture.geometry import (
    PORTAL,
    box_around,
    center_of,
    empty_hexes,
    place_center,
    portals_of,
    reading_order,
    turn_right,
)
from realmtable.games.realms_of_etherium.picture.mages import (
    NOBODY,
    describe_visitors,
    draw_mages,
    draw_portal_counts,
)
from realmtable.games.realms_of_etherium.picture.style import (
    DETAILS,
    READABLE,
    STYLE,
    STYLE_NAME,
    UPRIGHT,
    hexagon,
    text_element,
    translate,
)
from realmtable.games.realms_of_etherium.picture.terminal import sketch
from realmtable.games.realms_of_etherium.picture.tile import FACE, draw_tile, foot_points
from realmtable.games.realms_of_etherium.places import describe_empty_hex, hexes_around, neighbours_of
from realmtable.games.realms_of_etherium.tiles.manifest import Tile
from realmtable.games.realms_of_etherium.tiles.tile_facts import tile_of, type_of
from realmtable.games.realms_of_etherium.wording import headline
from realmtable.kit.map_picture import Box, MapStyle
from realmtable.kit.svg import Element, clickable, element, parted_group
from realmtable.kit.wording import format_count

__all__ = ["draw", "layers", "sketch"]

LAYER: Final = "realms"
TILE_PHASES: Final = ("enter", "put", "with")  # in which a single Portal can be chosen, not all of them together
_TURNS: Final = 3  # a fourth one would have the same outline as none
_FOCUS: Final = 600  # the size of the part that a phone shows first
_MAP_STYLE: Final = MapStyle(STYLE_NAME, element("style", STYLE))
PLACES: Final = {"class_": "et-places"}
PLACES_TO_PUT: Final = {"class_": "et-places et-puts"}
_PLUS: Final = "M0-32V4M-18-14H18"
_SIDE_STAR: Final = element("circle", class_="et-side-star", r=11)


def draw(view: View, theme: str = "auto") -> str:
    """Return what moves on the map as a complete SVG document; `theme` is one of `picture_style.THEMES`."""
    marked = {handle for path in view.get("last") or () for handle in path}
    return _MAP_STYLE.make_document(
        _view_box(view),
        theme,
        {
            "title": element("title", f"{INFO.title}: {headline(view)}"),
            # Always the same groups, so that a page that updates the picture recognises the Mages and can move them.
            "empty": parted_group(
                "empty", _draw_empty_hexes(view), PLACES_TO_PUT if view["phase"] == "put" else PLACES
            ),
            "realms": parted_group("realms", _draw_realms(view, marked), PLACES),
            "portals": element("g", *draw_portal_counts(view), **PLACES),
            "mages": parted_group("mages", draw_mages(view), {"role": "group", "aria_label": "Mages"}),
        },
        {
            "role": "group",
            "aria_label": f"Map of {format_count(len(view['realms']), 'Realm')}",
            "data_pans": "",
            "data_noun": "Realm",
            "data_focus": _focus(view).text(),
            "data_turns": _boxes_of_turns([*(realm["at"] for realm in view["realms"]), *empty_hexes(view)]),
            "data_opens": _boxes_of_turns([realm["at"] for realm in view["realms"]]),
            "data_levels": " ".join(map(str, DETAILS)),
            "data_readable": str(READABLE),
        },
    )


def layers(view: View, theme: str = "auto") -> list[PictureLayer]:
    """Return the ground and the tiles under the picture."""
    is_over = view["phase"] == "over"
    realms = tuple((realm["at"], realm["kind"], is_over and realm["seat"] is None) for realm in view["realms"])
    changes = json.dumps(view["changes"]) if view["changes"] else ""
    return [PictureLayer(LAYER, _draw_tiles(realms, changes, empty_hexes(view), theme))]


def _view_box(view: View) -> Box:
    return box_around([*(realm["at"] for realm in view["realms"]), *empty_hexes(view)])


def _boxes_of_turns(hexes: Sequence[str]) -> str:
    """Return the box around hexes as the map is, and turned by one and by two sixths to the right."""
    boxes = []
    for _ in range(_TURNS):
        boxes.append(box_around(hexes).text())
        hexes = [turn_right(hex_) for hex_ in hexes]
    return ";".join(boxes)


def _focus(view: View) -> Box:
    """Return the part around the active Mage, or around the Mages of the acting seat, or around all of them."""
    acting = [*view["to_move"], view["turn"]["seat"]][0]
    mages = (
        [mage for mage in view["mages"] if mage["mage"] == view["active_mage"]]
        or [mage for mage in view["mages"] if mage["seat"] == acting and not mage["exhausted"]]
        or view["mages"]
    )
    x, y = place_center(view, mages[0]["at"])
    return Box(x, y, 0, 0).widen(_FOCUS, _FOCUS)


# ---- the layer


@lru_cache(maxsize=96)
def _draw_tiles(
    realms: tuple[tuple[str, str, bool], ...], changes: str, empty: tuple[str, ...], theme: str
) -> Element:  # fmt: skip
    facts = {"changes": json.loads(changes) if changes else {}}
    taken = {at for at, *_ in realms}
    box = box_around([*taken, *empty])
    far = box.surroundings()
    ground = element("rect", class_="et-ground", x=far.left, y=far.top, width=far.wide, height=far.high)
    around = {other for at in taken for other in neighbours_of(at)} - taken
    grid = [
        element("polygon", class_="et-grid", points=hexagon(FACE), transform=translate(*center_of(hex_)))
        for hex_ in sorted(around, key=reading_order)
    ]
    tiles = [
        element(
            "g",
            element("g", draw_tile(tile_of(facts, kind), has_sentence=True, is_faded=is_faded), class_=UPRIGHT),
            transform=translate(*center_of(at)),
        )
        for at, kind, is_faded in sorted(realms, key=lambda realm: reading_order(realm[0]))
    ]
    whole = {"tiles": element("g", ground, *grid, *tiles)}
    return _MAP_STYLE.make_document(box, theme, whole, {"height": "100%"})


# ---- what can be chosen


def _draw_empty_hexes(view: View) -> list[Element]:
    names = {realm["at"]: realm["kind"] for realm in view["realms"]}
    return [_draw_empty_hex(at, describe_empty_hex(at, names), at == view["hex"]) for at in empty_hexes(view)]


@lru_cache(maxsize=2048)
def _draw_empty_hex(hex_: str, where: str, is_declared: bool) -> Element:
    return element(
        "g",
        *([element("polygon", class_="et-declared", points=hexagon(FACE))] if is_declared else []),
        element("polygon", class_="et-area", points=hexagon(FACE - 4)),
        element("g", _invitation(), class_="et-invitation"),
        class_="et-hex et-empty",
        transform=translate(*center_of(hex_)),
        **clickable(f"hex:{hex_}"),
        aria_label=translate_words("Empty hex {where}", where=where),
    )


def _invitation() -> Element:
    """Return what an empty hex that can be chosen says."""
    words = text_element(translate_words("Summon"), 0, 34, 22, "et-bold et-mid")
    return element("g", element("path", class_="et-plus", d=_PLUS), words, class_=UPRIGHT)


def _draw_realms(view: View, marked: set[str]) -> list[Element]:
    """Draw the place of each Realm; all Portals are one place, unless a single one can be chosen."""
    is_one_place = view["phase"] not in TILE_PHASES
    realms = sorted(view["realms"], key=lambda realm: reading_order(realm["at"]))
    portals = [_draw_portals(view, marked)] if is_one_place else []
    visitors = describe_visitors(view)
    active = next((mage["at"] for mage in view["mages"] if mage["mage"] == view["active_mage"]), None)
    drawn = []
    for realm in realms:
        at, tile = realm["at"], tile_of(view, realm["kind"])
        if not (is_one_place and realm["kind"] == "Portal"):
            here = visitors.get(PORTAL if realm["kind"] == "Portal" else at, NOBODY)
            status = describe_status(realm, here, can_be_controlled=tile.control is not None)
            sides = _list_counted_sides(view, realm) if at == active else ()
            drawn.append(_draw_realm(tile, at, status, realm["seat"], realm["points"], sides, f"hex:{at}" in marked))
    return [*portals, *drawn]


@lru_cache(maxsize=2048)
def _draw_realm(  # noqa: PLR0913, PLR0917 - what a Realm shows
    tile: Tile, at: str, status: str, seat: Seat | None, points: int | None, counted: tuple[int, ...], is_marked: bool
) -> Element:  # fmt: skip
    place = element(
        "g",
        element("polygon", class_="et-area", points=hexagon(FACE - 4)),
        class_="et-hex",
        **clickable(f"hex:{at}"),
        data_card=tile.name,
        data_now=status,
        aria_label=f"{tile.name} ({type_of(tile).capitalize()}). {tile.sentence()} {status}",
    )
    return element(
        "g",
        *([element("polygon", class_="et-last", points=hexagon(FACE - 8))] if is_marked else []),
        *_draw_control(seat, points),
        place,
        *_draw_stars(counted),
        role="group",
        transform=translate(*center_of(at)),
    )


def describe_status(realm: Mapping[str, Any], visitors: str, *, can_be_controlled: bool) -> str:
    """Say who Controls a Realm, what it is worth, which Mages are there, and whether it can be moved."""
    points = realm["points"]
    free = "No one Controls it." if can_be_controlled else ""
    sentences = [
        f"Controlled by {INFO.seat_names[realm['seat']]}." if realm["seat"] is not None else free,
        f"Worth {format_count(points, 'point')} now." if points is not None else "",
        visitors,
        "Constrained: it cannot be Dispelled or Shifted." if realm["constrained"] else "",
        "It was Shifted or Swapped in the turn before." if realm["moved"] else "",
    ]
    return " ".join(filter(None, sentences))


def _draw_control(seat: Seat | None, points: int | None) -> list[Element]:
    """Draw the marker of Control over the price, with the points of a Victory Realm."""
    if seat is None:
        return []
    sign_at = -24 if points is not None else 0
    worth = (
        [] if points is None else [text_element(str(points), 4, 8, 22, "et-bold et-mid et-on"), draw_star(26, 0, 22)]
    )
    marker = element("path", class_="et-foot-sign", d=SEAT_SIGNS[seat], transform=f"{translate(sign_at, 0)} scale(1.2)")
    foot = element(
        "g",
        element("polygon", class_="et-foot", points=foot_points(FACE - 2)),
        element("g", element("g", marker, *worth, class_="et-grows"), transform=translate(0, 62)),
        class_=f"{UPRIGHT} et-seat{seat}",
    )
    return [foot, element("polygon", class_=f"et-owned et-seat{seat}", points=hexagon(FACE - 4))]


def _list_counted_sides(view: View, realm: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the sides of a Victory Realm that touch what it counts; none for another Realm."""
    if tile_of(view, realm["kind"]).tile_class != "victory":
        return ()
    counted = find_counted(view, realm)
    return tuple(side for side, other in enumerate(hexes_around(realm["at"])) if other in counted)


@lru_cache(maxsize=64)
def _draw_stars(sides: tuple[int, ...]) -> tuple[Element, ...]:
    """Draw a star on each of some sides of a Realm."""
    stars = []
    for side in sides:
        x, y = center_of(hexes_around("0,0")[side])
        star = element("g", _SIDE_STAR, draw_star(0, 0, 17), class_=UPRIGHT)
        stars.append(element("g", star, class_="et-stars", transform=translate(x / 2, y / 2)))
    return tuple(stars)


def _draw_portals(view: View, marked: set[str]) -> Element:
    portals = [center_of(hex_) for hex_ in portals_of(view)]
    places = [
        element("polygon", class_="et-area", points=hexagon(FACE - 4), transform=translate(*at)) for at in portals
    ]  # fmt: skip
    last = [element("polygon", class_="et-last", points=hexagon(FACE - 8), transform=translate(*at)) for at in portals]
    across, down = [x for x, _ in portals], [y for _, y in portals]
    is_wide = max(across) - min(across) + 20 > max(down) - min(down)  # otherwise a page would enlarge it as it is
    words = "Portal" if len(portals) == 1 else f"{len(portals)} Portals, one place"
    place = element(
        "g",
        *places,
        class_="et-hex",
        **clickable("portal"),
        data_card="Portal" if is_wide else None,
        data_now=describe_visitors(view).get(PORTAL, NOBODY),
        aria_label=f"{words}. {tile_of(view, 'Portal').sentence()}",
    )
    return element("g", *(last if "portal" in marked else ()), place, role="group")
