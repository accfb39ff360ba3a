"""Draw the Mages: where each one stands, its owner, whether it is Exhausted, and which one is active."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from realmtable.engine.protocol import Seat, View
from realmtable.games.realms_of_etherium import INFO
from realmtable.games.realms_of_etherium.picture.emblems import draw_seat_sign, mage_figure
from realmtable.games.realms_of_etherium.picture.geometry import PORTAL, Point, center_of, place_center, portals_of
from realmtable.games.realms_of_etherium.picture.style import text_element, translate
from realmtable.kit.svg import Element, clickable, element, format_number
from realmtable.kit.wording import join_words

MageData = Mapping[str, Any]
_ROWS: Final = ((4, 4, 0.92), (10, 5, 0.72), (18, 6, 0.62), (30, 8, 0.5))  # up to so many Mages: in a row, their scale
_STEP: Final = 38  # from a Mage to the next one in a row, at scale 1
_ROW_HEIGHT: Final = 50
NOBODY: Final = "No Mage is here."
_MIDDLES: Final = (42, 38, 26, 14)  # of one row or more, below the middle of the hex: one leaves text and price free


# The active Mage: in a crowd, others hide what lies at its feet.
_HALO: Final = element("ellipse", class_="et-active", cy=14, rx=21, ry=9)
_ARROW: Final = element("path", class_="et-pointer", d="M-9-50h18l-9 14z")


class _Spot(NamedTuple):
    """Where a Mage is drawn, and how many equal ones stand right of it."""

    at: Point
    scale: float
    followers: int
    leads: bool


def draw_mages(view: View) -> list[Element]:
    """Draw all Mages, always in the same order, so that a page can move them."""
    spots = {mage["mage"]: spot for place in _places(view) for mage, spot in _arrange(view, place)}
    return [
        _draw_mage(
            mage["mage"], mage["seat"], spots[mage["mage"]], mage["mage"] == view["active_mage"], mage["exhausted"]
        )
        for mage in view["mages"]
    ]


def _places(view: View) -> list[str]:
    return list(dict.fromkeys(mage["at"] for mage in view["mages"]))


def _arrange(view: View, place: str) -> list[tuple[MageData, _Spot]]:
    """Return the spots of the Mages in a place: in rows, equal ones (N4) next to each other."""
    active = view["active_mage"]
    mages = [mage for mage in view["mages"] if mage["at"] == place]
    mages.sort(key=lambda mage: (mage["seat"], _group_of(mage, active), mage["mage"]))
    groups = [_group_of(mage, active) for mage in mages]
    x, y = place_center(view, place)
    spots = _slots(len(mages))
    found = []
    for index, mage in enumerate(mages):
        across, down, scale, row = spots[index]
        leads = index == 0 or groups[index - 1] != groups[index]
        ends = (later for later in range(index, len(mages)) if groups[later] != groups[index] or spots[later][3] != row)
        followers = next(ends, len(mages)) - index - 1 if leads else 0
        found.append((mage, _Spot((x + across, y + down), scale, followers, leads)))
    return found


def _group_of(mage: MageData, active: str | None) -> tuple[Any, ...]:
    """Return what equal Mages have in common."""
    return mage["seat"], mage["mage"] != active, mage["exhausted"], mage["protected"]


@lru_cache(maxsize=64)
def _slots(count: int) -> Sequence[tuple[float, float, float, int]]:
    """Return the places of Mages relative to the middle of a hex, their scale and their row."""
    _, in_row, scale = next(row for row in _ROWS if count <= row[0])
    rows = -(-count // in_row)
    slots = []
    for index in range(count):
        row, column = divmod(index, in_row)
        length = min(in_row, count - row * in_row)
        across = (column - (length - 1) / 2) * _STEP * scale
        down = _MIDDLES[rows - 1] + (row - (rows - 1) / 2) * _ROW_HEIGHT * scale
        slots.append((across, down, scale, row))
    return slots


@lru_cache(maxsize=4096)
def _draw_mage(name: str, seat: Seat, spot: _Spot, is_active: bool, is_exhausted: bool) -> Element:
    kind = f"et-mage et-seat{seat}" + " et-down" * is_exhausted + " et-follow" * (not spot.leads)
    where = f"{translate(*spot.at)} scale({format_number(spot.scale)})"
    figure = mage_figure(seat, is_lying=is_exhausted)
    halo = [_HALO, _ARROW] if is_active else []
    if not spot.leads:
        return element("g", *halo, figure, class_=kind, transform=where, aria_hidden="true")
    wide = 36 + spot.followers * _STEP
    area = {"x": -18, "y": -32, "width": wide, "height": 52, "rx": 9}
    owner = INFO.seat_names[seat]
    words = f"{spot.followers + 1} Mages of {owner}" if spot.followers else f"{owner}'s Mage {name.partition('.')[2]}"
    return element(
        "g",
        element("rect", class_="et-hit", **area),
        *halo,
        figure,
        element("rect", class_="et-ring", **area),
        class_=kind,
        transform=where,
        **clickable(f"mage:{name}"),
        aria_label=words + ", active" * is_active + ", Exhausted" * is_exhausted,
    )


def draw_portal_counts(view: View) -> list[Element]:
    """Draw on each further Portal who is in it: all Portals are one place (W5)."""
    counts: dict[int, int] = {}
    for mage in view["mages"]:
        if mage["at"] == PORTAL:
            counts[mage["seat"]] = counts.get(mage["seat"], 0) + 1
    parts = []
    for portal in portals_of(view)[1:] if counts else ():
        x, y = center_of(portal)
        left = x - (len(counts) - 1) * 15
        for index, (seat, count) in enumerate(counts.items()):
            parts.append(draw_seat_sign(seat, left + index * 30, y + 30, 22))
            parts.append(text_element(f"×{count}", left + index * 30, y + 58, 15, "et-mid et-bold"))
    return parts


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
