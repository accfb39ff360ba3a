"""Emblems of the characters and of the monsters, and pictures of the dwellings. All are drawn for this game.

Emblems fit into a square from -10 to 10 around 0,0. Holes are cut by the even-odd rule.
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final

from realmtable.kit.svg import Element, element, format_number


def star_path(points: int, outer: float, inner: float) -> str:
    """Return the path of a star that points upwards."""
    radii = [(outer, inner)[step % 2] for step in range(2 * points)]
    corners = [(r * sin(pi * step / points), -r * cos(pi * step / points)) for step, r in enumerate(radii)]
    return "M" + "L".join(f"{format_number(round(x, 1))} {format_number(round(y, 1))}" for x, y in corners) + "z"


def _disc(across: float, down: float, radius: float) -> str:
    wide = 2 * radius
    return (
        f"M{across - radius:g} {down:g}a{radius:g} {radius:g} 0 1 0 {wide:g} 0a{radius:g} {radius:g} 0 1 0-{wide:g} 0z"
    )


CHARACTER_EMBLEMS: Final = {
    # a spear before a crescent shield
    "Amazon": "M0-10L2.5-5 1-4V10H-1V-4L-2.5-5zM-9-4C-8 5-3 7-2.2 7.2V3C-5 1-6-1-5-4z"
    "M9-4C8 5 3 7 2.2 7.2V3C5 1 6-1 5-4z",
    # a great axe
    "Berserker": "M-1-10H1V10H-1zM2-8C6-8 9-6 9-2 9 1 7 3 5 3 6 0 4-2 2-2zM-2-8C-6-8-9-6-9-2-9 1-7 3-5 3-6 0-4-2-2-2z",
    # a closed helmet
    "Black Knight": "M0-10C6-10 8-6 8-1V9H2.5V2H-2.5V9H-8V-1C-8-6-6-10 0-10zM-6-3V0H-1V-3zM1-3V0H6V-3z"
    "M-.8 4H.8V10H-.8z",
    # three chevrons
    "Captain": "M0-10L9-3V1L0-6-9 1V-3zM0-3L9 4V8L0 1-9 8V4zM0 5L5 9V10H-5V9z",
    # an oak leaf
    "Druid": "M0-10C4-9 4-6 3-5 7-6 9-3 6-1 9 0 8 4 4 4 4 6 2 7 .8 7V10H-.8V7C-2 7-4 6-4 4-8 4-9 "
    "0-6-1-9-3-7-6-3-5-4-6-4-9 0-10z"
    "M-.4-5H.4V5H-.4z",
    # a hammer
    "Dwarf": "M-8-9H5L9-6 5-3H-8zM-3-2H0V10H-3z",
    # a bow with an arrow
    "Elf": "M-4-10C8-7 8 7-4 10V7.5C3 4 3-4-4-7.5zM-4.6-9H-3.6V9H-4.6zM-9-.8H5V-3L10 0 5 3V.8H-9z",
    # a wand with a star
    "Magician": "M-9.5 8L-1-.5 .5 1-8 9.5zM3-10L4.8-4.9 10-4.7 5.9-1.5 7.3 3.7 3 .7 2 1.4-1.4-1.9-4-4.7 1.2-4.9z",
    # a scallop shell
    "Pilgrim": "M0-9C5-10 9-6 9-2 9 2 5 6 3 7V10H-3V7C-5 6-9 2-9-2-9-6-5-10 0-9zM-.5-6H.5V5H-.5z"
    "M-5.5-4L-1.8 5H-2.8L-6.5-3zM5.5-4L1.8 5H2.8L6.5-3z",
    # a moon and a star
    "Sorceror": "M3-10A10 10 0 1 0 9 5 8 8 0 0 1 3-10zM6-7L7.2-4.2 10-4 7.8-2 8.5 1 6-.6 3.5 1 4.2-2 2-4 4.8-4.2z",
    # two crossed swords
    "Swordsman": "M-10-10L-6.5-9 4 1.5 1.5 4-9-6.5zM7 1.5L8.2 2.7 2.7 8.2 1.5 7zM5 6.2L6.2 5 10 8.8 8.8 10z"
    "M10-10L6.5-9 .6-3.1 3.1-.6 9-6.5zM-.6 3.1L-3.1 .6-4 1.5-1.5 4z"
    "M-7 1.5L-8.2 2.7-2.7 8.2-1.5 7zM-5 6.2L-6.2 5-10 8.8-8.8 10z",
    # a cross with broad ends
    "White Knight": "M-4-10H4L1.8-1.8 10-4V4L1.8 1.8 4 10H-4L-1.8 1.8-10 4V-4L-1.8-1.8z",
    # a pointed hat
    "Witch": "M2-10C1-7 4-4 5 4 8 4.5 10 6 10 7 6 10-6 10-10 7-10 6-8 4.5-5 4-4-2-2-8 2-10z"
    "M-4.8 1.5V4C-2 5 2 5 4.7 4L4.5 1.5C2 2.5-2 2.5-4.8 1.5z",
    # a crown
    "Witch King": "M-9 6L-10-6-5-1 0-9 5-1 10-6 9 6zM-9 7.5H9V10H-9z",
    # a flame over a staff
    "Wizard": "M0-10C1-7 5-5 5-1A5 5 0 0 1-5-1C-5-4-2-4-3-7-1-7 0-8.5 0-10zM0-3C-2-1-2 1 0 2 2 1 2-1 0-3z"
    "M-1 5H1V10H-1z",
    # a fir
    "Woods Girl": "M0-10L4-5H2L6 0H3.5L8 6H1.2V10H-1.2V6H-8L-3.5 0H-6L-2-5H-4z",
}  # fmt: skip

# Monsters by the last word of their kind.
MONSTER_EMBLEMS: Final = {
    # a head with horns and a row of teeth
    "Dragon": "M-9 2C-9-3-6-5-4-6L-6-10-1-7 1-10 3-6C7-5 9-3 10 0L9 2 6 1.5 5 3 3 1.5 2 3 0 1.5C-1 4 3 5 7 "
    "5 4 9-3 10-6 8-8 6-9 4-9 2zM1-4A1 1 0 1 0 3-4 1 1 0 1 0 1-4z",
    "Giant": "M-3-6A3 3 0 1 0 3-6 3 3 0 1 0-3-6zM-6-2H4L6-4V-10H10V-2L6 2V10H1V5H-1V10H-6V2L-9 5V1z",
    "Demon": "M-5-4L-9-10C-10-5-9-2-7 0-7 6-3 10 0 10S7 6 7 0C9-2 10-5 9-10L5-4C2-6-2-6-5-4zM-5-1L-1 1.5-4 3z"
    "M5-1L1 1.5 4 3zM-3 6H3L0 8z",
    "Troll": "M-7-2C-8-8-3-10 0-10S8-8 7-2L9 0 7 3C6 8 3 10 0 10S-6 8-7 3L-9 0zM-5-3V-1H-1.5V-3z"
    "M1.5-3V-1H5V-3zM-4 4V6.5H-3L-2.5 4.5H2.5L3 6.5H4V4z",
    "Octopus": "M0-10C6-10 7-4 5 0 9 0 10 4 8 8 7 5 6 4 4 4 5 7 4 9 2 10 2 7 2 5 0 4-2 5-2 7-2 10-4 9-5 7-4 "
    "4-6 4-7 5-8 8-10 4-9 0-5 0-7-4-6-10 0-10zM-3.5-4V-2H-1.5V-4zM1.5-4V-2H3.5V-4z",
    "Serpent": "M-7 10C-10 4-2 3 1 1 4-1 1-3-2-3-6-3-7-6-5-8-2-11 6-10 8-7L10-7 8-5C6-5 4-7 1-7-1-7-1-6 0-6 "
    "6-5 8-1 4 3 1 5-3 6-3 8-3 9-1 8 3 7 7 6 9 7 9 10z",
    "Spider": f"{_disc(0, 2, 4)}{_disc(0, -4.5, 2.6)}M-3-1L-7-4V-9H-8V-3.5L-4 0zM3-1L7-4V-9H8V-3.5L4 0z"
    "M-4 1L-10 0V1L-4 2.5zM4 1L10 0V1L4 2.5zM-4 4L-9 6V10H-8V6.8L-3 5zM4 4L9 6V10H8V6.8L3 5z",
    "Bat": "M0-2L2-5V-2.5C5-5 8-5 10-6 9-3 9 1 8 4 7 2 5 2 4 4 3 3 1 4 0 7-1 4-3 3-4 4-5 2-7 2-8 4-9 "
    "1-9-3-10-6-8-5-5-5-2-2.5V-5z",
    "Imp": "M-3-5L-5-10-1-7.5H1L5-10 3-5C4-3 3-1 2 0L7-3 9 1 4 4V7L6 10H1V7H-1V10H-6L-4 7V4L-9 1-7-3-2 0C-3-1-4-3-3-5z",
    "Viper": "M-9 9C-9 3 2 5 2 1 2-2-4-2-4-6-4-9 0-10 3-9L9-6 10-4 7-4 3-5C2-5 1-5 2-4 6-2 8 1 5 4 2 7-3 6-4 9z",
    "Ghost": "M0-10C5-10 7-6 7-2V10L4.5 7.5 2.3 10 0 7.5-2.3 10-4.5 7.5-7 10V-2C-7-6-5-10 0-10z"
    "M-4-5V-2H-1V-5zM1-5V-2H4V-5zM-1.5 1H1.5V4H-1.5z",
    "Ogre": "M-8-4C-8-8-4-10 0-10S8-8 8-4L7 4C6 8 3 10 0 10S-6 8-7 4zM-5-4V-1H-2V-4zM2-4V-1H5V-4z"
    "M-5 3L-4 6-3 4H3L4 6 5 3z",
    "Goblin": "M-4-6C-2-9 2-9 4-6L10-8C10-4 8-1 5-1 5 5 2 9 0 10-2 9-5 5-5-1-8-1-10-4-10-8z"
    "M-3.5-3L-1-1.5-3-.8zM3.5-3L1-1.5 3-.8zM-2 4H2V5H-2z",
    "Wolf": "M-6-10L-2-6H2L6-10 7-3 9 1 5 3 2 9H-2L-5 3-9 1-7-3zM-4-2L-1-.5-3.5 .5zM4-2L1-.5 3.5 .5zM-1 6H1L0 7.5z",
}  # fmt: skip

# Treasures by their kind.
TREASURE_EMBLEMS: Final = {
    # a cut stone
    "item": "M-6-8H6L10-2 0 10-10-2zM-5.5-6L-7-3H-3.5L-2-6zM1-6L2.5-3H7L5.5-6z",
    "boots": "M-6-10H2V2L8 4Q10 5 10 10H-6zM-4-8V-6H0V-8z",
    "gloves": "M-5 10V2L-9-3-7-5-4-2V-8H-1.5V-3H-.5V-10H2V-3H3V-9H5.5V-2H6.5V-6H9V4L6 10zM-3.5 7V8.5H5V7z",
    # a flask
    "potion": "M-3-10H3V-8H2V-3L8 6Q8 10 5 10H-5Q-8 10-8 6L-2-3V-8H-3zM-3.2 1L-5 4H5L3.2 1z",
    # an hourglass
    "single use": "M-7-10H7V-8L2 0 7 8V10H-7V8L-2 0-7-8zM-4-8L0-2 4-8zM-4 8H4L0 5z",
    "artifact": star_path(8, 10, 6) + _disc(0, 0, 3.5),
    "book": "M-9.5-8Q-4-10 0-7 4-10 9.5-8V8Q4 6 0 9-4 6-9.5 8zM-.7-5V6.5H.7V-5z",
    # a breastplate
    "armor": "M-7-9L-3-7Q0-4 3-7L7-9 10-4 7-2V9Q0 11-7 9V-2L-10-4zM-.7-2V8H.7V-2z",
    # a chest
    "exchange": "M-9.5-1.5Q-9.5-8-4-8H4Q9.5-8 9.5-1.5zM-9.5 0H-2V3.5H2V0H9.5V8.5H-9.5z",
    # a gate
    "site": "M-9 10V-2A9 8 0 0 1 9-2V10H4V-1A4 4 0 0 0-4-1V10zM-2 10V2H2V10z",
}

# Dwellings stand on the line at 0, about 22 wide. Each part: style and path.
DWELLINGS: Final = {
    "Inn": (
        ("mr-wall", "M-10-9H8V0H-10z"),
        ("mr-roof", "M-13-8L-8-16H6L11-8z"),
        ("mr-wall", "M3-16V-20H6V-14z"),
        ("mr-door", "M-4 0V-6H0V0zM3-6.5H6V-3.5H3zM-8-6.5H-6V-3.5H-8z"),
        ("mr-flame", "M10-12H15V-7H10z"),
    ),
    "House": (
        ("mr-wall", "M-8-9H8V0H-8z"),
        ("mr-roof", "M-11-8L0-18 11-8z"),
        ("mr-door", "M-2 0V-6H2V0zM4-6.5H6.5V-3.5H4zM-6.5-6.5H-4V-3.5H-6.5z"),
    ),
    "Chapel": (
        ("mr-wall", "M-2-8H11V0H-2z"),
        ("mr-roof", "M-3-7L0-13H9L12-7z"),
        ("mr-wall", "M-10-13H-2V0H-10z"),
        ("mr-roof", "M-11.5-12L-6-21-.5-12z"),
        (
            "mr-door",
            ("M-7.5 0V-5A1.5 1.5 0 0 1-4.5-5V0zM3-5.5H4.5V-2H3zM7-5.5H8.5V-2H7z"
            "M-6.6-26H-5.4V-24.5H-4V-23.3H-5.4V-20H-6.6V-23.3H-8V-24.5H-6.6z"),
        ),
    ),
    "Guardhouse": (
        ("mr-wall", "M-8 0V-14H-10V-20H-6.5V-17.5H-3.5V-20H3.5V-17.5H6.5V-20H10V-14H8V0z"),
        ("mr-door", "M-2.5 0V-5A2.5 2.5 0 0 1 2.5-5V0zM-5-11.5H-3.5V-8H-5zM3.5-11.5H5V-8H3.5z"),
    ),
    "Large Campfire": (
        ("mr-flame", "M0-19C1-14 8-11 8-5 8-1 4 0 0 0S-8-1-8-5C-8-9-4-10-4-14-2-13-1-15 0-19z"),
        ("mr-glow", "M0-10C1-7 4-6 4-3 4-1 2-.5 0-.5S-4-1-4-3C-4-6-1-7 0-10z"),
        ("mr-door", "M-11 0L9-4 10-2-10 2.5zM11 0L-9-4-10-2 10 2.5z"),
    ),
    "Small Campfire": (
        ("mr-flame", "M0-13C1-10 5-8 5-4 5-1 3 0 0 0S-5-1-5-4C-5-7-2-7-3-10-1-10-.5-11 0-13z"),
        ("mr-door", "M-7 0L6-3 6.6-1.5-6.5 1.8zM7 0L-6-3-6.6-1.5 6.5 1.8z"),
    ),
}  # fmt: skip


def draw_emblem(data: str, across: float, down: float, size: float, kind: str) -> Element:
    """Draw an emblem with a size, which is half of its side."""
    scale = format_number(size / 10)
    return element("path", class_=kind, d=data, transform=f"translate({across:g} {down:g}) scale({scale})")


def monster_emblem(kind: str) -> str:
    """Return the emblem of a kind of monster."""
    return MONSTER_EMBLEMS[kind.rpartition(" ")[2]]
