"""Where hexes lie in the picture, and which empty ones can be chosen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from realmtable.engine.protocol import View
from realmtable.games.realms_of_etherium.picture.style import HALF, RADIUS
from realmtable.games.realms_of_etherium.places import coordinates_of, neighbours_of
from realmtable.kit.map_picture import Box

Point = tuple[float, float]
PORTAL: Final = "portal"
_MARGIN: Final = 14
_MIN_WIDTH: Final = 800  # of the picture, so that a small world is not drawn huge
_MIN_HEIGHT: Final = 640


@lru_cache(maxsize=4096)
def center_of(hex_: str) -> Point:
    """Return the middle of a hex in the picture."""
    q, r = coordinates_of(hex_)
    return 1.5 * RADIUS * q, round(2 * HALF * (r + q / 2), 1)


def turn_right(hex_: str) -> str:
    """Return where a hex is once the map has been turned by a sixth to the right around 0,0."""
    q, r = coordinates_of(hex_)
    return f"{-r},{q + r}"


def empty_hexes(view: View) -> tuple[str, ...]:
    """Return the empty hexes that touch two Realms, or one while all Realms are Portals (M2), from top to bottom."""
    is_first = all(realm["kind"] == "Portal" for realm in view["realms"])
    return _empty_hexes(tuple(realm["at"] for realm in view["realms"]), 1 if is_first else 2)


@lru_cache(maxsize=256)
def _empty_hexes(taken: Sequence[str], needed: int) -> tuple[str, ...]:
    touched: dict[str, int] = {}
    for hex_ in taken:
        for other in neighbours_of(hex_):
            touched[other] = touched.get(other, 0) + 1
    free = [hex_ for hex_, count in touched.items() if count >= needed and hex_ not in taken]
    return tuple(sorted(free, key=reading_order))


def reading_order(hex_: str) -> tuple[float, float]:
    """Return a key that sorts hexes from top to bottom, then from left to right."""
    x, y = center_of(hex_)
    return y, x


def box_around(hexes: Iterable[str], margin: float = _MARGIN) -> Box:
    """Return the box that holds some hexes, at least as large as the smallest picture."""
    centers = [center_of(hex_) for hex_ in hexes]
    across, down = [x for x, _ in centers], [y for _, y in centers]
    wide = max(across) - min(across) + 2 * (RADIUS + margin)
    high = max(down) - min(down) + 2 * (HALF + margin)
    box = Box(min(across) - RADIUS - margin, min(down) - HALF - margin, wide, high)
    return box.widen(_MIN_WIDTH, _MIN_HEIGHT)


def portals_of(view: View) -> list[str]:
    """Return the hexes of the Portals, the one where Mages are drawn first."""
    return [realm["at"] for realm in view["realms"] if realm["kind"] == "Portal"]


def place_center(view: View, place: str) -> Point:
    """Return where the Mages of a place are drawn."""
    return center_of(portals_of(view)[0] if place == PORTAL else place)
