"""Where an empty hex is, in words: nobody can find coordinates on the map.

The words stay true however a page turns the map: they go round a Realm clockwise, from another one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from realmtable.engine.language import translate
from realmtable.games.realms_of_etherium.kernels.layout import is_inside

SIDES: Final = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))  # W1
CLOCKWISE: Final = ((0, -1), *reversed(SIDES[:2]), *reversed(SIDES[3:]))  # as the map is drawn, from the top
_ORDINALS: Final = ("1st", "2nd", "3rd", "4th", "5th", "6th")


@lru_cache(maxsize=4096)
def coordinates_of(hex_: str) -> tuple[int, int]:
    """Return the coordinates of a hex such as ``1,-2``."""
    q, r = hex_.split(",")
    return int(q), int(r)


@lru_cache(maxsize=4096)
def hexes_around(hex_: str) -> tuple[str, ...]:
    """Return the six hexes around a hex clockwise, from the one above it, whether they can hold a Realm or not."""
    q, r = coordinates_of(hex_)
    return tuple(f"{q + dq},{r + dr}" for dq, dr in CLOCKWISE)


@lru_cache(maxsize=4096)
def neighbours_of(hex_: str) -> tuple[str, ...]:
    """Return the hexes around a hex that can hold a Realm (W2)."""
    return tuple(other for other in hexes_around(hex_) if is_inside(*coordinates_of(other)))


def describe_empty_hex(hex_: str, names: Mapping[str, str]) -> str:
    """Return where an empty hex is among Realms, whose names are given by hex.

    >>> describe_empty_hex("1,0", {"0,0": "Portal", "1,-1": "Draw"})
    'next to Portal, clockwise of Draw'
    >>> describe_empty_hex("1,0", {"0,0": "Portal"})
    'next to Portal, 3rd hex clockwise'
    """
    found: tuple[int, str, str] | None = None
    for tile in (other for other in hexes_around(hex_) if other in names):
        around = hexes_around(tile)
        at = around.index(hex_)
        steps = next((steps for steps in range(1, 6) if around[at - steps] in names), None)
        if steps is not None and (found is None or steps < found[0]):
            found = (steps, tile, around[at - steps])
        elif found is None and len(names) == 1:
            return translate("next to {tile}, {nth} hex clockwise", tile=names[tile], nth=_ORDINALS[at])
    if found is None:
        return translate("away from all Realms")
    steps, tile, other = found
    if steps == 1:
        return translate("next to {tile}, clockwise of {other}", tile=names[tile], other=names[other])
    return translate(
        "next to {tile}, {nth} hex clockwise of {other}", tile=names[tile], nth=_ORDINALS[steps - 1], other=names[other]
    )
