"""Shapes: a sign for each colour, Etherium and seat, and an emblem for each power. All are centred on 0,0."""

from __future__ import annotations

from functools import cache, lru_cache
from math import cos, pi, sin
from typing import Final

from realmtable.games.realms_of_etherium.picture.style import translate
from realmtable.kit.svg import Element, element, format_number


def _star(points: int, outer: float, inner: float) -> str:
    """Return the path of a star that points upwards."""
    steps = [(outer, inner)[step % 2] for step in range(2 * points)]
    corners = [(r * sin(pi * step / points), -r * cos(pi * step / points)) for step, r in enumerate(steps)]
    return "M" + "L".join(f"{format_number(x)} {format_number(y)}" for x, y in corners) + "z"


def _disc(across: float, down: float, radius: float) -> str:
    return f"M{across - radius} {down}a{radius} {radius} 0 1 0 {2 * radius} 0a{radius} {radius} 0 1 0 {-2 * radius} 0z"


def _hex(across: float, down: float, radius: float) -> str:
    half, high = radius / 2, format_number(radius * 0.866)
    return f"M{across - radius} {down}l{half}-{high}h{radius}l{half} {high}-{half} {high}h{-radius}z"


# Signs of colours, 24 units high.
COLOUR_SIGNS: Final = {
    "red": "M1-12C2-6 9-4 9 3.5A9 8.5 0 0 1-9 3.5C-9-1-6-4-5-7-3-5-2-4-1.5-2 1-5 2-8 1-12z",
    "blue": "M-12-5c4-5.5 8-5.5 12 0s8 5.5 12 0v6c-4 5.5-8 5.5-12 0s-8-5.5-12 0z"
    "M-12 6c4-4 8-4 12 0s8 4 12 0v4c-4 4-8 4-12 0s-8-4-12 0z",
    "green": "M-11 11C-14-4-4-12 11-11 12 4 4 13-7 9zM-6 6L4-5-3 6z",
    "purple": f"M-13 0C-7-9 7-9 13 0 7 9-7 9-13 0z{_disc(0, 0, 4.5)}",
    "orange": "M4-13L-8 2H-1L-4 13 9-3H1z",
    "yellow": _star(5, 13, 5.6),
    "portal": _disc(0, 0, 12) + _disc(0, 0, 8) + _disc(0, 0, 4),
    "disruption": "M-11-7L-7-11 0-4 7-11 11-7 4 0 11 7 7 11 0 4-7 11-11 7-4 0z",
}
# Emblems of powers, 48 units high, by verb.
EMBLEMS: Final = {
    "portal": _disc(0, 0, 23) + _disc(0, 0, 18) + _disc(-2, 2, 14) + _disc(-2, 2, 9) + _disc(-3, 3, 5),
    "disrupt": "M6-24L-16 4H-3L-8 24 17-6H3z",
    "gain": "M-17-16H17C17 2 9 8 4 9V16H12V21H-12V16H-4V9C-9 8-17 2-17-16zM-3-11V-6H-8V-1H-3V4H3V-1H8V-6H3V-11z",
    "conjure": "M-23 18C-10 22 10 22 23 18L14 12C11 2 10-8 2-23-5-12-11 2-14 12z"
    "M-9 8C-3 11 5 11 10 8L11 12C5 15-5 15-10 12z",
    "convert": "M-21-15H4V-22L21-11 4 0V-7H-21zM21 15H-4V22L-21 11-4 0V7H21z",
    "push": f"M0-24L9-13H-9zM0 24L9 13H-9zM-24 0L-13-9V9zM24 0L13-9V9z{_disc(0, 0, 7)}",
    "protect": "M0-23L19-16V0C19 12 8 19 0 24-8 19-19 12-19 0V-16zM0-16V16C7 12 13 7 13-1V-11z",
    "extra_move": "M-22-18H-12L4 0-12 18H-22L-6 0zM-4-18H6L22 0 6 18H-4L12 0z",
    "transfer": f"M-19 20C-24-6-6-19 6-16V-24L23-9 6 5V-4C-4-6-12 4-11 20z{_disc(10, 15, 7)}",
    "exhaust": "M5-22A22 22 0 1 0 22 10 18 18 0 0 1 5-22zM6-4H18V-1L11 6H18V10H6V7L13 0H6z",
    "shift": f"{_hex(-9, 0, 15)}M8-4H13V-11L24 0 13 11V4H8z",
    "swap": f"{_hex(-11, -9, 13)}{_hex(11, 9, 13)}M4-20C14-22 20-17 20-9H24L17-1 10-9H14C14-13 11-15 5-14z"
    "M-4 20C-14 22-20 17-20 9H-24L-17 1-10 9H-14C-14 13-11 15-5 14z",
    "tribute": f"{_disc(0, -14, 9)}M-23 4H-10C-6 8 6 8 10 4H23C21 17 11 22 0 22S-21 17-23 4z",
    "react": _star(8, 24, 11) + _disc(0, 0, 6),
    "lessen": f"{_disc(0, 0, 22)}M-13-4.5H13V4.5H-13z",
    "streamline": "M-17-23H-11V-20C-3-26 7-14 21-20V2C7 8-3-4-11 2V24H-17zM-5-13V-8H14V-13z",
    "score_adjacent": _star(5, 15, 6.5)
    + "".join(_disc(round(20 * sin(pi * k / 3), 1), round(-20 * cos(pi * k / 3), 1), 3.5) for k in range(6)),
    "score_pairs": f"{_disc(-10, 0, 13)}{_disc(-10, 0, 7.5)}{_disc(12, 0, 12)}{_disc(12, 0, 7)}",
    "score_connected": f"{_hex(-13, -9, 11)}{_hex(3, 0, 11)}{_hex(-13, 9, 11)}M12-6L21-12 24-8 15-2z",
    "score_controlled": "M-21 9L-24-15-11-4 0-21 11-4 24-15 21 9zM-21 13H21V19H-21z",
    "score_types": "M0-23L20-11.5V11.5L0 23-20 11.5V-11.5zM0-17L-2-3-13-9zM15-9L2-3 0-17z"
    "M-15-6L-2 0-15 6zM15 6L2 0 15-6zM0 17L-2 3-13 9zM13 9L2 3 0 17z",
}
# Signs of seats, 16 units high: shapes, where those of colours are things.
SEAT_SIGNS: Final = (
    "M0-8L8 6H-8z",
    _disc(0, 0, 7),
    "M-6.5-6.5H6.5V6.5H-6.5z",
    "M0-9L7.5 0 0 9-7.5 0z",
    "M-3-8H3V-3H8V3H3V8H-3V3H-8V-3H-3z",
    "M-7-8H7L2 0 7 8H-7L-2 0z",
)
MAGE_SHAPE: Final = (
    "M0-30C4-24 7-16 9-11L16-8C14-3 10-1 7-1 8 4 15 9 15 17H-15C-15 9-8 4-7-1-10-1-14-3-16-8L-9-11C-7-16-4-24 0-30z"
)
STAR: Final = _star(5, 12, 5.2)
_FLAG: Final = "M-8-12H-5V12H-8zM-3.5-11C1-14 5-7 10-10V1C5 4 1-3-3.5 0z"
# Things that powers are about, 24 units high.
THINGS: Final = {
    "arrow": "M-11-1.8H3.500V-7.500L11.500 0 3.500 7.500V1.800H-11z",
    "mage": "M0-12C2-9.500 3-6.500 3.800-4.500L6.800-3.200C6-1.200 4.200 0 3 0 3.300 2 6.500 4.500 6.500 9H-6.500"
    "C-6.500 4.500-3.300 2-3 0-4.200 0-6-1.200-6.800-3.200L-3.800-4.500C-3-6.500-2-9.500 0-12z",
    "flag": _FLAG,
    "rival": f"{_FLAG}M-11 9L11-13 13-11-9 11z",
    "linked": f"{_hex(-6.5, -5, 6)}{_hex(-6.5, 6, 6)}{_hex(4, 0.5, 6)}",
}


@lru_cache(maxsize=512)
def draw_sign(colour: str, across: float, down: float, high: float, kind: str = "et-sign") -> Element:
    """Draw the sign of a colour; without "et-on" in its class it has that colour too."""
    return _place_shape(COLOUR_SIGNS[colour], across, down, high / 24, f"et-{colour} {kind}")


def draw_emblem(verb: str, across: float, down: float, high: float, kind: str) -> Element:
    """Draw the emblem of a power."""
    return _place_shape(EMBLEMS[verb], across, down, high / 48, kind)


def draw_thing(name: str, across: float, down: float, high: float, kind: str) -> Element:
    """Draw a thing that powers are about."""
    return _place_shape(THINGS[name], across, down, high / 24, kind)


@lru_cache(maxsize=256)
def draw_etherium(colour: str, across: float, down: float, high: float) -> Element:
    """Draw one Etherium: a white lozenge, or a black disc with a gleam."""
    if colour == "white":
        return _place_shape("M0-12L9 0 0 12-9 0z", across, down, high / 24, "et-white")
    gleam = element("path", class_="et-shine", d="M-5-2A5 5 0 0 1-1-6")
    disc = element("circle", class_="et-black", r=10)
    return element("g", disc, gleam, transform=f"{translate(across, down)} scale({format_number(high / 24)})")


@lru_cache(maxsize=64)
def draw_star(across: float, down: float, high: float) -> Element:
    """Draw a victory point."""
    return _place_shape(STAR, across, down, high / 24, "et-star")


@lru_cache(maxsize=64)
def draw_seat_sign(seat: int, across: float, down: float, size: float) -> Element:
    """Draw the sign of a seat on a disc of its colour."""
    return element(
        "g",
        element("circle", class_="et-cloth", r=12),
        element("path", class_="et-mark", d=SEAT_SIGNS[seat], transform="scale(.78)"),
        class_=f"et-seat{seat}",
        transform=f"{translate(across, down)} scale({format_number(size / 24)})",
    )


@cache
def mage_figure(seat: int, *, is_lying: bool) -> Element:
    """Return the figure of a Mage, 47 units high; Exhausted ones lie down."""
    return element(
        "g",
        element("path", class_="et-rim", d=MAGE_SHAPE),
        element("path", class_="et-body", d=MAGE_SHAPE),
        element("path", class_="et-mark", d=SEAT_SIGNS[seat], transform="translate(0 8.5) scale(.85)"),
        transform="translate(0 -1) scale(.86) rotate(-82 0 -6)" if is_lying else None,
    )


def _place_shape(shape: str, across: float, down: float, scale: float, kind: str) -> Element:
    where = f"{translate(across, down)} scale({format_number(scale)})"
    return element("path", class_=kind, d=shape, transform=where)
