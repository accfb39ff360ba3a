"""Draw the Mages: where each one stands, its owner, whether it is Exhausted, and which one is active.

They stand in the left and right corners of a tile, beside its text. Equal ones (N4) are one figure with a number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import sqrt
from typing import Any, Final, NamedTuple

from realmtable.engine.protocol import Seat, View
from realmtable.games.realms_of_etherium import INFO
from realmtable.games.realms_of_etherium.picture.emblems import draw_seat_sign, mage_figure
from realmtable.games.realms_of_etherium.picture.geometry import PORTAL, Point, center_of, place_center, portals_of
from realmtable.games.realms_of_etherium.picture.style import UPRIGHT, text_element, translate
from realmtable.games.realms_of_etherium.picture.tile import FACE
from realmtable.kit.svg import Element, clickable, element, format_number
from realmtable.kit.wording import join_words

MageData = Mapping[str, Any]
NOBODY: Final = "No Mage is here."
MAGE_WIDTH: Final = 32  # of a figure at scale 1
MAGE_HEIGHT: Final = 47
_DOWN: Final = 4  # from the middle of a tile to the middle of its Mages
_LARGEST: Final = 0.8  # the scale of a figure that has a corner for itself
_CORNER: Final = 72  # the height that a corner has for Mages
_IN_CORNERS: Final = 4  # groups; in a Portal, more stand in rows, because it has no text
_ROWS: Final = ((6, 3, 0.66), (12, 4, 0.5), (18, 6, 0.4))  # up to so many groups: in a row, their scale
_ROW_WIDTH: Final = 156
_ROW_HEIGHT: Final = 50
_NUMBER: Final = 20

_AREA: Final = {"x": -18, "y": -32, "width": 36, "height": 52, "rx": 9}
_HALO: Final = element("circle", class_="et-active", cy=-6, r=27)


class _Spot(NamedTuple):
    """Where a Mage is drawn, and how many equal ones it stands for: none if another one stands for it."""

    at: Point  # the middle of the place
    across: float
    down: float
    scale: float
    number: int
    number_at: Point


def draw_mages(view: View) -> list[Element]:
    """Draw all Mages, always in the same order, so that a page can move them."""
    spots = {mage: spot for place in _places(view) for mage, spot in _arrange(view, place)}
    return [
        _draw_mage(
            mage["mage"], mage["seat"], spots[mage["mage"]], mage["mage"] == view["active_mage"], mage["exhausted"]
        )
        for mage in view["mages"]
    ]


def _places(view: View) -> list[str]:
    return list(dict.fromkeys(mage["at"] for mage in view["mages"]))


def _arrange(view: View, place: str) -> list[tuple[str, _Spot]]:
    """Return the spots of the Mages in a place: equal ones share theirs."""
    groups: dict[tuple[Any, ...], list[str]] = {}
    for mage in (mage for mage in view["mages"] if mage["at"] == place):
        groups.setdefault(_group_of(mage, view["active_mage"]), []).append(mage["mage"])
    center, found = place_center(view, place), []
    slots = _list_slots(len(groups), in_rows=place == PORTAL and len(groups) > _IN_CORNERS)
    for slot, key in zip(slots, sorted(groups), strict=True):
        for index, name in enumerate(groups[key]):
            across, down, scale, number_at = slot
            found.append((name, _Spot(center, across, down, scale, 0 if index else len(groups[key]), number_at)))
    return found


def _group_of(mage: MageData, active: str | None) -> tuple[Any, ...]:
    """Return what equal Mages have in common."""
    return mage["seat"], mage["mage"] != active, mage["exhausted"], mage["protected"]


_Slot = tuple[float, float, float, Point]


@lru_cache(maxsize=64)
def _list_slots(count: int, *, in_rows: bool) -> Sequence[_Slot]:
    """Return where groups of Mages stand, relative to the middle of a hex, their scale, and where a number is."""
    return [_slot_in_row(index, count) if in_rows else _slot_in_corner(index, count) for index in range(count)]


def _slot_in_corner(index: int, count: int) -> _Slot:
    """Return a slot in the left or the right corner: there one below the other."""
    rows = -(-count // 2)
    scale = min(_LARGEST, _CORNER / (rows * (MAGE_HEIGHT + 12)))
    row, is_right = divmod(index, 2)
    down = _DOWN + (row - (rows - 1) / 2) * _CORNER / rows
    # The hex becomes narrower up and down; a figure has its middle a little above its foot.
    across = FACE - 3 - MAGE_WIDTH * scale / 2 - (abs(down - _DOWN) + MAGE_HEIGHT * scale / 2) / sqrt(3)
    side = 1 if is_right else -1
    number_at = (0, 34 * scale + 8) if rows == 1 else (-side * 19, 12 * scale)
    return round(side * across, 1), round(down + 6 * scale, 1), round(scale, 2), number_at


def _slot_in_row(index: int, count: int) -> _Slot:
    _, in_row, scale = next((row for row in _ROWS if count <= row[0]), _ROWS[-1])
    rows = -(-count // in_row)
    row, column = divmod(index, in_row)
    length = min(in_row, count - row * in_row)
    across = (column - (length - 1) / 2) * _ROW_WIDTH / in_row - 4
    down = _DOWN + 2 + (row - (rows - 1) / 2) * _ROW_HEIGHT * scale
    return round(across, 1), round(down + 6 * scale, 1), scale, (MAGE_WIDTH * scale / 2 + 5, 12 * scale)


@lru_cache(maxsize=4096)
def _draw_mage(name: str, seat: Seat, spot: _Spot, is_active: bool, is_exhausted: bool) -> Element:
    kind = f"et-mage et-seat{seat}" + " et-down" * is_exhausted + " et-follow" * (not spot.number)
    where = f"{translate(spot.across, spot.down)} scale({format_number(spot.scale)})"
    figure = [*([_HALO] if is_active else []), mage_figure(seat, is_lying=is_exhausted)]
    if not spot.number:
        inside = element("g", element("g", *figure, class_="et-spot", transform=where), class_=UPRIGHT)
        return element("g", inside, class_=kind, transform=translate(*spot.at), aria_hidden="true")
    owner = INFO.seat_names[seat]
    words = f"{spot.number} Mages of {owner}" if spot.number > 1 else f"{owner}'s Mage {name.partition('.')[2]}"
    drawn = element(
        "g",
        element("rect", class_="et-hit", **_AREA),
        *figure,
        element("rect", class_="et-ring", **_AREA),
        class_="et-spot",
        transform=where,
    )
    across, down = spot.across + spot.number_at[0], spot.down + spot.number_at[1]
    number = [text_element(str(spot.number), across, round(down, 1), _NUMBER, "et-bold et-mid et-number")]
    return element(
        "g",
        element("g", drawn, *(number if spot.number > 1 else ()), class_=UPRIGHT),
        class_=kind,
        transform=translate(*spot.at),
        **clickable(f"mage:{name}"),
        aria_label=words + ", active" * is_active + ", Exhausted" * is_exhausted,
    )


def draw_portal_counts(view: View) -> list[Element]:
    """Draw on each further Portal who is in it: all Portals are one place (W5)."""
    counts: dict[int, int] = {}
    for mage in view["mages"]:
        if mage["at"] == PORTAL:
            counts[mage["seat"]] = counts.get(mage["seat"], 0) + 1
    shown = []
    for index, (seat, count) in enumerate(counts.items()):
        row, column = divmod(index, 3)
        in_row = min(3, len(counts) - 3 * row)
        across, down = (column - (in_row - 1) / 2) * 48, 4 + (row - (len(counts) > 3) / 2) * 34  # noqa: PLR2004
        shown.append(draw_seat_sign(seat, across - 8, down, 24))
        shown.append(text_element(str(count), across + 14, down + 7, _NUMBER, "et-mid et-bold"))
    inside = element("g", *shown, class_=UPRIGHT)
    return [
        element("g", inside, transform=translate(*center_of(portal)))
        for portal in (portals_of(view)[1:] if counts else ())
    ]


def describe_visitors(view: View) -> dict[str, str]:
    """Say whose Mages are in each place that has any."""
    seats: dict[str, list[int]] = {}
    for mage in view["mages"]:  # by seat
        here = seats.setdefault(mage["at"], [])
        if mage["seat"] not in here:
            here.append(mage["seat"])
    return {place: _name_visitors(here) for place, here in seats.items()}


def _name_visitors(seats: Sequence[int]) -> str:
    names = [INFO.seat_names[seat] for seat in seats]
    return f"Mages of {join_words(names)} are here." if names[1:] else f"{names[0]} is here."
