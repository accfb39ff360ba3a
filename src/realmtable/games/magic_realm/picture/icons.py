"""The icons of the page beside the map: drawings in one colour, in a box of 24 by 24 units, all of this game alone."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from realmtable.games.magic_realm.picture.emblems import CHARACTER_EMBLEMS, MONSTER_EMBLEMS, TREASURE_EMBLEMS
from realmtable.kit.svg import element

# Outlines, drawn with a line of one width.
_LINES: Final = {
    "seen": "M2 12Q12 1 22 12 12 23 2 12zM12 8.5A3.5 3.5 0 1 0 12 15.5 3.5 3.5 0 1 0 12 8.5z",
    "search": "M10.5 4A6.5 6.5 0 1 0 10.5 17 6.5 6.5 0 1 0 10.5 4zM15.3 15.3L21 21",
    "peer": "M3 14L15 5 18 9.5 6 18zM15 5L18.5 3.5 21.5 8 18 9.5M10 16L7.5 21.5M12 14.7L15.5 21.5",
    "rest": "M12 3.5L2.5 20.5H21.5zM12 10.5L8 20.5M12 10.5L16 20.5M10.5 2L13.5 6",
    "blank": "M5 12H19",
    "choose": "M12 2.5A9.5 9.5 0 1 0 12 21.5 9.5 9.5 0 1 0 12 2.5zM9 9.5A3 3 0 1 1 12 12.5V14M12 17.4V17.5",
    "sunrise": "M2 18.5H22M6 18.5A6 6 0 0 1 18 18.5M12 8.5V2.5M8.8 5.5L12 2.3 15.2 5.5M4 10.5L6 12.5M20 10.5L18 12.5",
    "sunset": "M2 18.5H22M6 18.5A6 6 0 0 1 18 18.5M12 2.5V8.5M8.8 5.7L12 8.9 15.2 5.7M4 10.5L6 12.5M20 10.5L18 12.5",
    "daylight": "M12 7.5A4.5 4.5 0 1 0 12 16.5 4.5 4.5 0 1 0 12 7.5zM12 1.5V4M12 20V22.5M1.5 12H4M20 12H22.5"
    "M4.6 4.6L6.4 6.4M17.6 17.6L19.4 19.4M4.6 19.4L6.4 17.6M17.6 6.4L19.4 4.6",
    "aim": "M12 4A8 8 0 1 0 12 20 8 8 0 1 0 12 4zM12 9A3 3 0 1 0 12 15 3 3 0 1 0 12 9zM12 1V5M12 19V23M1 12H5"
    "M19 12H23",
    "blows": "M3 3L5 8.5 15.5 19 19 15.5 8.5 5zM14 20.5L20.5 14M17.5 17.5L21.5 21.5",
    "clash": "M3 3L17 17M13.5 18.5L18.5 13.5M17 17L21 21M21 3L7 17M10.5 18.5L5.5 13.5M7 17L3 21",
    "lure": "M4 13V8A8 8 0 0 1 20 8V13H15.5V8.5A3.5 3.5 0 0 0 8.5 8.5V13zM4 9.5H8.5M15.5 9.5H20M12 16V22"
    "M6.5 16.5L5 21M17.5 16.5L19 21",
    "run": "M14.5 2.5A2 2 0 1 0 14.5 6.5 2 2 0 1 0 14.5 2.5zM13 8.5L8 9.5 5.5 13M13 8.5L10.5 14.5 15 17.5 14 22.5"
    "M10.5 14.5L8 18.5 3 19M13 8.5L16 12 20.5 12.5",
    "shield": "M12 2.5L20.5 5V12C20.5 17 16.5 20.5 12 22 7.5 20.5 3.5 17 3.5 12V5zM12 2.5V22M3.5 10.5H20.5",
    "dice": "M4.5 3H19.5Q21 3 21 4.5V19.5Q21 21 19.5 21H4.5Q3 21 3 19.5V4.5Q3 3 4.5 3zM8 8H8.1M16 8H16.1"
    "M12 12H12.1M8 16H8.1M16 16H16.1",
    "back": "M9.5 4.5L4 10 9.5 15.5M4 10H14.5A5 5 0 0 1 14.5 20H10",
    "done": "M3.5 12.5L9.5 18.5 20.5 5.5",
    "go": "M4 12H20M13.5 5.5L20 12 13.5 18.5",
    "stop": "M5 5L19 19M19 5L5 19",
    "leave": "M12 3V15M6.5 9.5L12 15 17.5 9.5M3.5 20.5H20.5",
    "block": "M12 3A9 9 0 1 0 12 21 9 9 0 1 0 12 3zM5.6 5.6L18.4 18.4",
    "road": "M8 2.5C2 9 16 13 8 21.5M14 2.5C9 9 23 13 16 21.5",
    "follow": "M8 4A3 3 0 1 0 8 10 3 3 0 1 0 8 4zM2.5 20C2.5 15.5 4.5 13 8 13S13.5 15.5 13.5 20M14 8.5H21.5"
    "M18.5 5.5L21.5 8.5 18.5 11.5",
}  # fmt: skip
# Filled shapes; holes are cut by the even-odd rule.
_SHAPES: Final = {
    "hidden": "M21 3C9 3 3.5 8 3.5 14.5 3.5 16 3.8 17.3 4.4 18.4L2.5 21.5 4 22.5 5.9 19.6C7.1 20.3 8.5 20.5 10 20.5"
    " 17 20.5 21.5 13 21 3zM7.2 17.6C9 13.5 12 10.5 16.5 8.5 13 11.5 10.5 14.5 8.6 18.4z",
    "fame": "M6.5 2.5H17.5V4.5H21.5V7C21.5 10 19.5 11.7 16.8 12 16 13.5 14.8 14.5 13.3 14.8V18H16.5V21H7.5V18H10.7V14.8"
    "C9.2 14.5 8 13.5 7.2 12 4.5 11.7 2.5 10 2.5 7V4.5H6.5zM4.5 6.5V7C4.5 8.6 5.3 9.5 6.6 9.9"
    " 6.5 9.4 6.5 9 6.5 8.5V6.5zM17.5 6.5V8.5C17.5 9 17.5 9.4 17.4 9.9 18.7 9.5 19.5 8.6 19.5 7V6.5z",
    "notoriety": "M12 2C6.5 2 3 5.6 3 10.5 3 13.5 4.5 15.7 7 17V20Q7 21.5 8.5 21.5H9.5V19H11V21.5H13V19H14.5V21.5H15.5"
    "Q17 21.5 17 20V17C19.5 15.7 21 13.5 21 10.5 21 5.6 17.5 2 12 2z"
    "M8.5 8.5A2.3 2.3 0 1 1 8.5 13.1 2.3 2.3 0 1 1 8.5 8.5z"
    "M15.5 8.5A2.3 2.3 0 1 1 15.5 13.1 2.3 2.3 0 1 1 15.5 8.5zM12 13.5L13.4 16H10.6z",
    "heart": "M12 21C5 15.5 2 12 2 8.3 2 5.3 4.3 3.2 7 3.2 9.1 3.2 11 4.3 12 6.2 13 4.3 14.9 3.2 17 3.2 19.7 3.2"
    " 22 5.3 22 8.3 22 12 19 15.5 12 21z",
    "goal": "M5 2H7V3.5H19.5L16.5 8 19.5 12.5H7V22H5z",
    "move": "M7 2.5H14.5V12L19.5 14.5Q21 15.3 21 17V18.5H7zM7 20H21V22H7zM9 5V6.8H12.5V5z",
    "alert": "M12 1.5L14.5 5.5V14.5H9.5V5.5zM5.5 15.5H18.5V17.8H5.5zM10.7 18.5H13.3V22.5H10.7z",
    "pony": "M6 21.5C5 16 6 12 9.5 9L8.5 4.5 12 6C16 6 18.5 9 21 13.5"
    "L19.5 16.5 16.5 15.5 13 13.5C12.5 16.5 14.5 18.5 14.5 21.5z"
    "M14 9.2A1 1 0 1 0 14 11.2 1 1 0 1 0 14 9.2z",
    "birdsong": "M2 11.5L6 9.5C6.5 6 9 3.5 12.5 3.5 16 3.5 18 6 18.5 9"
    "L22.5 14 17.5 13.5C16.5 17.5 13.5 19.5 10 19.5L9 22.5 7.5 22"
    " 8 19.2C5.5 17.5 4.5 15 5 12.5zM10 7.5A1.2 1.2 0 1 0 10 9.9 1.2 1.2 0 1 0 10 7.5z",
    "evening": "M12 2.5L13.5 8.5 19.5 10 13.5 11.5 12 17.5 10.5 11.5 4.5 10 10.5 8.5zM18.5 14.5"
    "L19.3 17.2 22 18 19.3 18.8"
    " 18.5 21.5 17.7 18.8 15 18 17.7 17.2zM5.5 15L6.1 17.1 8.2 17.7 6.1 18.3 5.5 20.4 4.9 18.3 2.8 17.7 4.9 17.1z",
    "midnight": "M13.5 2.5A10 10 0 1 0 21.5 15 8.5 8.5 0 0 1 13.5 2.5z",
    "treasure": "M6.5 4H17.5L22 10 12 21.5 2 10zM7.4 5.8L5 9H8.8L10.5 5.8zM13.5 5.8L15.2 9H19L16.6 5.8z"
    "M5.3 10.8L10 16.2 8.6 10.8z",
    "site": "M3 21.5V10A9 8 0 0 1 21 10V21.5H16V11.5A4 4 0 0 0 8 11.5V21.5zM10 21.5V15H14V21.5z",
    "bag": "M9 2.5H15"
    "L13.8 6.5C18.5 8.5 21 12.5 21 16.5 21 20 18.5 21.5 15.5 21.5H8.5C5.5 21.5 3 20 3 16.5 3 12.5 5.5 8.5 10.2 6.5z"
    "M11.2 10V18.5H12.8V10z",
    "wear": "M8 2.5Q12 6 16 2.5L22 6 20 11 17 9.5V21.5H7V9.5L4 11 2 6z",
    "berserk": "M12.5 1.5C13 6 19.5 8.5 19.5 15 19.5 19.5 16 22.5 12 22.5S4.5 19.5 4.5 15C4.5 11 7 9.5 7.5 6 9 7"
    " 10 8.5 10 10.5 12 8.5 13 5 12.5 1.5z"
    "M12 12.5C10.5 14.5 9 15.5 9 17.5A3 3 0 0 0 15 17.5C15 15.5 13.5 14.5 12 12.5z",
    "wound": "M12 1.5C14.5 6.5 19 10.5 19 15.5A7 7 0 0 1 5 15.5C5 10.5 9.5 6.5 12 1.5z"
    "M8 14.5C7.5 17.5 9.5 19.7 12 19.7V18C10.5 18 9.3 16.8 9.5 14.5z",
    "act": "M13.5 1.5L4 14H11L9.5 22.5 20 9.5H13z",
}
_LINE_WIDTH: Final = "1.9"
_EMBLEM_SPOT: Final = "translate(12 12) scale(1.1)"  # emblems have a box of 20 units around 0,0


@cache
def icons() -> Mapping[str, str]:
    """Return all icons by name."""
    shapes = {**_SHAPES, "hide": _SHAPES["hidden"]}
    return {
        **{name: _draw_lines(data) for name, data in _LINES.items()},
        **{name: _draw_shape(data) for name, data in shapes.items()},
        **{hero_icon(name): _draw_shape(data, _EMBLEM_SPOT) for name, data in CHARACTER_EMBLEMS.items()},
        **{monster_icon(name): _draw_shape(data, _EMBLEM_SPOT) for name, data in MONSTER_EMBLEMS.items()},
        **{treasure_icon(name): _draw_shape(data, _EMBLEM_SPOT) for name, data in TREASURE_EMBLEMS.items()},
    }


def _draw_lines(data: str) -> str:
    return element(
        "path",
        d=data,
        fill="none",
        stroke="currentColor",
        stroke_width=_LINE_WIDTH,
        stroke_linecap="round",
        stroke_linejoin="round",
    )


def _draw_shape(data: str, transform: str | None = None) -> str:
    return element("path", d=data, fill="currentColor", fill_rule="evenodd", transform=transform)


def hero_icon(character: str) -> str:
    """Return the name of a character's icon; empty before one is chosen.

    >>> hero_icon("Black Knight"), hero_icon("")
    ('hero-black-knight', '')
    """
    return f"hero-{_slug(character)}" if character else ""


def monster_icon(kind: str) -> str:
    """Return the name of the icon of a kind of monster, of one of its counters, or of its head or club.

    >>> monster_icon("H Spider"), monster_icon("Spear Goblin-2"), monster_icon("Giant-1 club")
    ('monster-spider', 'monster-goblin', 'monster-giant')
    """
    words = kind.removesuffix(" head").removesuffix(" club").partition("-")[0]
    return f"monster-{_slug(words.rpartition(' ')[2])}"


def treasure_icon(kind: str) -> str:
    """Return the name of the icon of a kind of treasure."""
    return f"treasure-{_slug(kind)}"


def _slug(words: str) -> str:
    return words.lower().replace(" ", "-")
