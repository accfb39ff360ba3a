"""Draw a tile: its colour, sign and name, what it does in signs, and the price of Control.

It has three levels of detail, of which the style shows one: from afar the emblem of the power alone, ordinarily name,
signs and price, and from nearby the whole sentence instead of the signs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from math import sqrt
from typing import Final

from realmtable.games.realms_of_etherium.picture.emblems import (
    EMBLEMS,
    THINGS,
    draw_emblem,
    draw_etherium,
    draw_sign,
    draw_star,
    draw_thing,
)
from realmtable.games.realms_of_etherium.picture.power_signs import power_lines, price_text
from realmtable.games.realms_of_etherium.picture.style import HALF, RADIUS, hexagon, text_element
from realmtable.games.realms_of_etherium.tiles.manifest import Tile
from realmtable.games.realms_of_etherium.tiles.tile_facts import type_of
from realmtable.kit.svg import Element, element, format_number
from realmtable.kit.text_metrics import SANS_BOLD, text_width, wrap_text

FACE: Final = 95  # the radius of a tile; the rest of the hex is a gap
DEPTH: Final = 9  # how far its side is visible
BAND: Final = -36  # where the band with the name ends
FOOT: Final = 43  # where the price, or the marker of Control, begins
MIDDLE: Final = 47  # half of the width that signs and sentences have between the Mages
_TOP: Final = FACE * HALF / RADIUS
_NAME_SIZES: Final = (22, 21, 20)
_NAME_WIDTH: Final = 122
_SIGN_SIZES: Final = (25, 24, 23, 22, 21, 20)
_TWO_LINES: Final = 23  # the largest size of two lines
SMALL_RADIUS: Final = 33  # of a tile that shows its signs alone
_SMALL_SIZES: Final = (16, 15, 14, 13, 12)
_SENTENCE: Final = 12
_SENTENCE_STEP: Final = 13.2
_BESIDE_MAGES: Final = (-6, 34)  # the base lines that lie between Mages
_ROOMS: Final = (102, 140)  # for a line between Mages, and above or below them
_PRICE: Final = 20
_PRICE_DOWN: Final = 71
_BOLD: Final = 1.03  # narrow gaps look better than safe ones
_ALONE: Final = {"portal": (0, 12, 74), "disrupt": (0, 10, 66)}  # emblems without signs: across, down and high
_SIGN: Final = re.compile(r"\{(\w+)\}")


@lru_cache(maxsize=512)
def draw_tile(tile: Tile, *, has_sentence: bool = False, is_faded: bool = False) -> Element:
    """Draw a tile around 0,0; with the sentence that the style shows from nearby, if it is to have one."""
    sentence = [_draw_sentence(tile)] if has_sentence and tile.power.verb != "portal" else []
    return element("g", *_body(), *_face(tile), *sentence, class_=f"et-{type_of(tile)}" + " et-faded" * is_faded)


def _body() -> tuple[Element, ...]:
    points = hexagon(FACE)
    return (
        element("polygon", class_="et-cast", points=points, transform=f"translate(3 {DEPTH + 6})"),
        element("polygon", class_="et-side", points=points, transform=f"translate(0 {DEPTH})"),
        element("polygon", class_="et-shade", points=points, transform=f"translate(0 {DEPTH})"),
        element("polygon", class_="et-face", points=points),
        element("polygon", class_="et-tint", points=points),
    )


def foot_points(radius: float) -> str:
    """Return the corners of the lower part of a face, where the price or the marker of Control is."""
    wide, high = radius - FOOT / sqrt(3), radius * HALF / RADIUS
    corners = ((-wide, FOOT), (wide, FOOT), (radius / 2, high), (-radius / 2, high))
    return " ".join(f"{format_number(x)},{format_number(y)}" for x, y in corners)


def _face(tile: Tile) -> tuple[Element, ...]:
    wide = FACE + BAND / sqrt(3)  # half the width of the face where the band ends
    points = [(-FACE / 2, -_TOP), (FACE / 2, -_TOP), (wide, BAND), (-wide, BAND)]
    corners = " ".join(f"{format_number(x)},{format_number(y)}" for x, y in points)
    size = next((size for size in _NAME_SIZES if text_width(tile.name, size, _BOLD) <= _NAME_WIDTH), _NAME_SIZES[-1])
    width = min(text_width(tile.name, size, _BOLD), _NAME_WIDTH)
    gleam = f"M{-FACE + 4} 0L{-FACE / 2 + 1} {format_number(3 - _TOP)}H{FACE / 2 - 1}"
    return (
        element("polygon", class_="et-band", points=corners),
        element("polygon", class_="et-edge", points=hexagon(FACE - 1)),
        element("path", class_="et-gleam", d=gleam),
        draw_sign(type_of(tile), 0, -70, 15, "et-art et-on"),
        text_element(tile.name, 0, -46, size, "et-name et-bold et-mid et-on", width),
        *_power(tile),
        *_price(tile),
    )


def _power(tile: Tile) -> tuple[Element, ...]:
    verb = tile.power.verb
    if verb in _ALONE:
        return (draw_emblem(verb, *_ALONE[verb], "et-ghost"),)
    signs = element("g", *draw_signs(power_lines(tile), 4, _SIGN_SIZES, 2 * MIDDLE), class_="et-signs")
    return draw_emblem(verb, 0, 6, 62, "et-art et-emblem"), signs


def draw_small_tile(tile: Tile) -> Element:
    """Draw a tile with its signs alone, around 0,0."""
    lines = power_lines(tile)
    signs = draw_signs(lines, 1, _SMALL_SIZES, 50) if lines else [draw_emblem(tile.power.verb, 0, 0, 34, "et-art")]
    return element(
        "g",
        element("polygon", class_="et-face", points=hexagon(SMALL_RADIUS)),
        element("polygon", class_="et-tint", points=hexagon(SMALL_RADIUS)),
        element("polygon", class_="et-edge", points=hexagon(SMALL_RADIUS - 1)),
        *signs,
        class_=f"et-{type_of(tile)}",
    )


def draw_signs(lines: Sequence[str], middle: float, sizes: Sequence[int], room: float) -> list[Element]:
    """Draw one or two lines of signs around 0 and `middle`, as large as fits."""
    fitting = [size for size in sizes if all(line_width(line, size, _BOLD) <= room for line in lines)]
    size = min([*fitting[:1], _TWO_LINES] if lines[1:] else fitting[:1], default=sizes[-1])
    first = size * (0.36 - 0.6 * (len(lines) - 1))
    return [
        part
        for row, line in enumerate(lines)
        for part in draw_line(
            line, -line_width(line, size, _BOLD) / 2, middle + first + row * size * 1.2, size, "et-bold", _BOLD
        )
    ]


def _draw_sentence(tile: Tile) -> Element:
    lines = next(filter(None, (_fit_sentence(tile.sentence(), count) for count in range(1, 9))), [])
    text = [text_element(line, 0, down, _SENTENCE, "et-mid") for line, down in lines]
    return element("g", *text, class_="et-sentence")


def _fit_sentence(sentence: str, count: int) -> list[tuple[str, float]]:
    """Return a sentence in so many lines, each with its base line; nothing if they are too few."""
    first = (BAND + FOOT) / 2 + _SENTENCE * 0.36 - (count - 1) * _SENTENCE_STEP / 2
    words, lines = sentence.split(), []
    for row in range(count):
        down = round(first + row * _SENTENCE_STEP, 1)
        room = _ROOMS[0] if _BESIDE_MAGES[0] - _SENTENCE < down < _BESIDE_MAGES[1] else _ROOMS[1]
        line = wrap_text(" ".join(words), _SENTENCE, room, 1.0)[:1]
        lines += [(text, down) for text in line]
        words = words[len(" ".join(line).split()) :]
    return [] if words else lines


def _price(tile: Tile) -> list[Element]:
    if tile.control is None:
        return []
    words = price_text(tile.control)
    wide = line_width(words, _PRICE, _BOLD)
    left = -(wide + 26) / 2
    flag = element(
        "g", draw_thing("flag", 9, -7, 17, "et-sign"), transform=f"translate({format_number(left)} {_PRICE_DOWN})"
    )
    price = draw_line(words, left + 26, _PRICE_DOWN, _PRICE, "et-bold", _BOLD)
    return [element("g", flag, *price, class_="et-price")]


# ---- lines of numbers and signs


def line_width(line: str, size: float, font: float = SANS_BOLD) -> float:
    """Return the width of a line with signs."""
    return sum(_part_width(part, size, font) for part in _split(line))


def _split(line: str) -> list[str]:
    return [part for part in re.split(r"(\{\w+\})", line) if part]


def _part_width(part: str, size: float, font: float) -> float:
    found = _SIGN.fullmatch(part)
    if found is None:
        return text_width(part, size, font)
    return size * (1.25 if found[1] in EMBLEMS else 1.12)


def draw_line(line: str, left: float, down: float, size: int, kind: str = "", font: float = SANS_BOLD) -> list[Element]:
    """Draw a line of numbers and signs from its left end; it is as wide in any font."""
    parts: list[Element] = []
    for part in _split(line):
        wide = _part_width(part, size, font)
        found = _SIGN.fullmatch(part)
        if found:
            parts.append(_draw_sign(found[1], round(left + wide / 2, 1), round(down - size * 0.36, 1), size))
        elif part.strip():
            gap = text_width(" ", size, font) if part.startswith(" ") else 0
            words = part.strip()
            length = round(text_width(words, size, font), 1)
            parts.append(text_element(words, round(left + gap, 1), round(down, 1), size, kind, length))
        left += wide
    return parts


def _draw_sign(name: str, across: float, down: float, size: int) -> Element:
    if name == "star":
        return draw_star(across, down, size * 1.15)
    if name in ("white", "black"):
        return draw_etherium(name, across, down, size)
    if name in THINGS:
        return draw_thing(name, across, down, size, "et-art")
    if name in EMBLEMS:
        return draw_emblem(name, across, down, size * 1.15, "et-art")
    return draw_sign(name, across, down, size * 1.05)
