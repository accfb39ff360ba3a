"""Draw a tile: its colour and sign, its name, the emblem of its power, what it does, and the price of Control."""

from __future__ import annotations

import re
from functools import lru_cache
from math import sqrt
from typing import Final

from realmtable.games.realms_of_etherium.picture.emblems import draw_emblem, draw_etherium, draw_sign, draw_star
from realmtable.games.realms_of_etherium.picture.short_text import price_text, short_lines
from realmtable.games.realms_of_etherium.picture.style import HALF, RADIUS, hexagon, text_element
from realmtable.games.realms_of_etherium.tiles.manifest import NO_COLOUR, Tile
from realmtable.kit.svg import Element, element, format_number
from realmtable.kit.text_metrics import SANS_BOLD, text_width

FACE: Final = 95  # the radius of a tile; the rest of the hex is a gap
DEPTH: Final = 9  # how far its side is visible
BAND: Final = -39  # where the band with the name ends
_NAME_SIZES: Final = (22, 21, 20, 19, 18, 17, 16)
_FONT: Final = 1.0  # lines with signs are short, and narrow gaps look better than safe ones
_BOLD: Final = 1.03
_GHOSTS: Final = {"portal": (0, 21, 104)}  # an emblem alone, where many Mages stand: across, down and high
_SIGN: Final = re.compile(r"\{(\w+)\}")


def type_of(tile: Tile) -> str:
    """Return the type of a tile (W6), which names its colours and sign."""
    if tile.colour != NO_COLOUR:
        return tile.colour
    return "portal" if tile.power.verb == "portal" else "disruption"


@lru_cache(maxsize=256)
def draw_tile(tile: Tile) -> Element:
    """Draw a tile around 0,0, as it lies on the map."""
    return element("g", *_body(), *_face(tile), class_=f"et-{type_of(tile)}")


def _body() -> tuple[Element, ...]:
    points = hexagon(FACE)
    return (
        element("polygon", class_="et-cast", points=points, transform=f"translate(3 {DEPTH + 6})"),
        element("polygon", class_="et-side", points=points, transform=f"translate(0 {DEPTH})"),
        element("polygon", class_="et-shade", points=points, transform=f"translate(0 {DEPTH})"),
        element("polygon", class_="et-face", points=points),
        element("polygon", class_="et-tint", points=points),
    )


def _face(tile: Tile) -> tuple[Element, ...]:
    verb = tile.power.verb
    top = FACE * HALF / RADIUS
    wide = FACE + BAND / sqrt(3)  # half the width of the face where the band ends
    points = [(-FACE / 2, -top), (FACE / 2, -top), (wide, BAND), (-wide, BAND)]
    corners = " ".join(f"{format_number(x)},{format_number(y)}" for x, y in points)
    size = next((size for size in _NAME_SIZES if text_width(tile.name, size, SANS_BOLD) <= 128), _NAME_SIZES[-1])  # noqa: PLR2004
    return (
        draw_emblem(verb, *_GHOSTS.get(verb, (30, 36, 64)), "et-ghost"),
        element("polygon", class_="et-band", points=corners),
        element("polygon", class_="et-edge", points=hexagon(FACE - 1)),
        element("path", class_="et-gleam", d=f"M{-FACE + 4} 0L{-FACE / 2 + 1} {format_number(3 - top)}H{FACE / 2 - 1}"),
        draw_sign(type_of(tile), 0, -71, 16, "et-art et-on"),
        text_element(tile.name, 0, -45, size, "et-bold et-mid et-on", text_width(tile.name, size, _BOLD)),
        *([draw_emblem(verb, -58, -9, 38, "et-art"), *_lines(tile)] if verb not in _GHOSTS else []),
        *_price(tile),
    )


def _lines(tile: Tile) -> list[Element]:
    parts: list[Element] = []
    lines = short_lines(tile)
    for row, line in enumerate(lines):
        parts += draw_line(line, -34, -14 + 21 * row, 17, fits_any_font=True)
    return parts


def _price(tile: Tile) -> list[Element]:
    if tile.control is None:
        return []
    words = price_text(tile.control)
    wide = line_width(words, 17, _BOLD)
    flag = element("path", class_="et-sign", d="M0-14H3V2H0zM4-13C8-16 11-10 16-13V-4C11-1 8-7 4-4z")
    left = -(wide + 22) / 2
    return [
        element("g", flag, transform=f"translate({format_number(left)} 74)"),
        *draw_line(words, left + 22, 74, 17, "et-bold", _BOLD, fits_any_font=True),
    ]


# ---- lines of words and signs


def line_width(line: str, size: int, font: float = _FONT) -> float:
    """Return the width of a line with signs."""
    return sum(_part_width(part, size, font) for part in _split(line))


def _split(line: str) -> list[str]:
    return [part for part in re.split(r"(\{\w+\})", line) if part]


def _part_width(part: str, size: int, font: float) -> float:
    return size * 1.08 if _SIGN.fullmatch(part) else text_width(part, size, font)


def draw_line(  # noqa: PLR0913 - how it looks
    line: str, left: float, down: float, size: int, kind: str = "", font: float = _FONT, *, fits_any_font: bool = False
) -> list[Element]:
    """Draw a line of words and signs from its left end."""
    parts: list[Element] = []
    for part in _split(line):
        wide = _part_width(part, size, font)
        found = _SIGN.fullmatch(part)
        if found:
            parts.append(_draw_sign(found[1], left + wide / 2, down - size * 0.34, size))
        elif part.strip():
            gap = text_width(" ", size, font) if part.startswith(" ") else 0
            words = part.strip()
            length = text_width(words, size, font) if fits_any_font else None
            parts.append(text_element(words, left + gap, down, size, kind, length))
        left += wide
    return parts


def _draw_sign(name: str, across: float, down: float, size: int) -> Element:
    if name == "star":
        return draw_star(across, down, size * 1.15)
    if name in ("white", "black"):
        return draw_etherium(name, across, down, size)
    return draw_sign(name, across, down, size * 1.1)
