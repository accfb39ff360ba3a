"""An emblem for each suit: a silhouette, so that suits can be told apart without colour.

Emblems are centred on 0,0 in a square of 24 units. The even-odd rule cuts their holes, so a single fill is enough.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from realmtable.kit.svg import Element, element

EMBLEM_SIDE: Final = 24

EMBLEM_PATHS: Final[Mapping[str, str]] = {
    # A pennant on a spear
    "Army": (
        "M-8-11.8-6.8-9V11.8H-9.2V-9z"
        "M-5.8-9C-2-11 1.6-7.6 5.4-8.6Q8.4-9.4 11.4-8.8L7-3.6 11.4 1.6Q8 1.2 5 2C1.6 3-2-.2-5.8 1.8z"
    ),
    # A cut gem
    "Artifact": (
        "M-6.2-9.5H6.2L11.5-3.2 0 11.2-11.5-3.2zM-5.2-7.3-8.3-3.8H-4.6zM-2.6-7.6-1.9-3.8H1.9L2.6-7.6z"
        "M5.2-7.3 4.6-3.8H8.3zM-7.4-2 -2.4 4.4-4.2-2zM-2-2 0 6.6 2-2zM7.4-2 2.4 4.4 4.2-2z"
    ),
    # A paw
    "Beast": (
        "M0 .2C4.4.2 8 5 8 8 8 10.6 6 11.2 4 10.6 1.4 9.8-1.4 9.8-4 10.6-6 11.2-8 10.6-8 8-8 5-4.4.2 0"
        " .2zM-8.9-3.9A2.6 3.4-18 1 1-8.6 2.6 2.6 3.4-18 1 1-8.9-3.9z"
        "M8.9-3.9A2.6 3.4 18 1 0 8.6 2.6 2.6 3.4 18 1 0 8.9-3.9z"
        "M-3.6-10.6A2.7 3.9-6 1 1-3.5-2.8 2.7 3.9-6 1 1-3.6-10.6z"
        "M3.6-10.6A2.7 3.9 6 1 0 3.5-2.8 2.7 3.9 6 1 0 3.6-10.6z"
    ),
    # A tongue of fire
    "Flame": (
        "M1.6-11.8C2.4-7.6 8.6-4.6 8.6 3 8.6 8.4 4.6 11.6 0 11.6S-8.6 8.4-8.6 3.4C-8.6-.4-6.2-2.6-5.2"
        "-5.8-3.4-4.8-2.6-3.4-2.4-1.8 0-4.4 1.6-7.6 1.6-11.8z"
        "M.4 2.2C.2 4.4-3 5.2-3 7.6-3 9.2-1.6 10 0 10S3.2 9 3.2 7.2C3.2 5 1.2 4.4.4 2.2z"
    ),
    # Three waves
    "Flood": (
        "M-11.6-7q2.9-4.6 5.8 0t5.8 0 5.8 0 5.8 0v3.6q-2.9 4.6-5.8 0t-5.8 0-5.8 0-5.8 0z"
        "M-11.6.2q2.9-4.6 5.8 0t5.8 0 5.8 0 5.8 0v3.6q-2.9 4.6-5.8 0t-5.8 0-5.8 0-5.8 0z"
        "M-11.6 7.4q2.9-4.6 5.8 0t5.8 0 5.8 0 5.8 0v3.6q-2.9 4.6-5.8 0t-5.8 0-5.8 0-5.8 0z"
    ),
    # Two peaks with snow
    "Land": "M-11.8 9.8-3.4-9.8 1.8 1.8 4.6-3.6 11.8 9.8zM-3.4-6.4-5.9-.7-4.4-1.5-3.2.3-2-1.5-.9-.7z",
    # A crown
    "Leader": "M-9 9.8H9V6.4H-9zM-9.2 4.4-11.4-6.2-5.4-1.4 0-10 5.4-1.4 11.4-6.2 9.2 4.4z",
    # Crossed swords
    "Weapon": (
        "M-11.4-11.4-7.6-11 4.9 1.5 7.1-.7 8.9 1.1 6.8 3.2 11.2 7.6 7.6 11.2 3.2 6.8 1.9 8.1.1 6.3 1.5"
        " 4.9-11-7.6zM11.4-11.4 11-7.6 5-1.6 1.6-5 7.6-11z"
        "M-4.9 1.5-7.1-.7-8.9 1.1-6.8 3.2-11.2 7.6-7.6 11.2-3.2 6.8-1.9 8.1-.1 6.3-1.5 4.9z"
    ),
    # A cloud and its rain
    "Weather": (
        "M-6.6 2.6A4.6 4.6 0 0 1-7-6.6 6.4 6.4 0 0 1 5-8.2 5.4 5.4 0 0 1 6.6 2.6zM-6.4 5H-3.6L-5.6 10.6H-8.4z"
        "M-.2 5H2.6L.6 11.6H-2.2zM6 5H8.8L6.8 10.6H4z"
    ),
    # A pointed hat
    "Wizard": (
        "M1.8-11.6 4.6-8.6 3.4-7.8 6.6 4.2C9.6 4.8 11.6 5.8 11.6 7.2 11.6 9.6 6.4 11 0 11S-11.6 9.6-11.6"
        " 7.2C-11.6 5.8-9.6 4.8-6.6 4.2z"
        "M-.1-3.4-1.1-.9-3.7-.7-1.7 1-2.3 3.6-.1 2.2 2.1 3.6 1.5 1 3.5-.7.9-.9z"
    ),
    # A mask
    "Wild": (
        "M0-4.6C3.4-8.2 8.6-8 11.8-7.2 11.8 1.4 9 7.4 4.8 7.4 2.2 7.4 1.4 4.6 0 4.6S-2.2 7.4-4.8 7.4C-9"
        " 7.4-11.8 1.4-11.8-7.2-8.6-8-3.4-8.2 0-4.6zM-8.2-2.4C-7.6.6-4.6 1.6-2.2.6-2.8-2-5.6-3.4-8.2-2.4z"
        "M8.2-2.4C5.6-3.4 2.8-2 2.2.6 4.6 1.6 7.6.6 8.2-2.4z"
    ),
}


@lru_cache(maxsize=1024)
def draw_emblem(suit: str, across: float, down: float, side: float, words: str = "fr-emblem") -> Element:
    """Draw the emblem of a suit (or Wild) centred on a point, in a square with this side."""
    place = f"translate({across:g} {down:g})" + (f" scale({side / EMBLEM_SIDE:.3g})" if side != EMBLEM_SIDE else "")
    return element("path", class_=words, d=EMBLEM_PATHS[suit], transform=place)
