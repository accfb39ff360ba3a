"""The game's icons, in boxes of 24 by 24 units."""

from __future__ import annotations

from functools import cache
from typing import Final

from realmtable.games.realms_of_etherium.picture.emblems import COLOUR_SIGNS, EMBLEMS, SEAT_SIGNS, STAR, THINGS
from realmtable.games.realms_of_etherium.picture.style import SEAT_FEET
from realmtable.kit.svg import Element, element

_SHAPES: Final = {
    "move": "M7 3h6v9l6 3v5H6v-5l1.500-2z",
    "summon": "M10.300 3h3.400v7.300H21v3.400h-7.300V21h-3.400v-7.300H3v-3.400h7.300z",
    "end": "M3 10.300h8V5l7 7-7 7v-5.300H3zM19 4h2.500v16H19z",
    "take": "M5 3h14v18H5zM7.500 5.500v13h9v-13z",
    "skip": "M4 6 6 4 12 10 18 4 20 6 14 12 20 18 18 20 12 14 6 20 4 18 10 12z",
    "round": "M12 2a10 10 0 1 0 10 10h-3a7 7 0 1 1-2.100-5L14 10h8V2l-3 3A10 10 0 0 0 12 2z",
}
_POWERS: Final = (
    "conjure", "convert", "push", "protect", "extra_move", "transfer", "exhaust", "shift", "swap", "tribute", "react",
)  # fmt: skip


@cache
def icons() -> dict[str, str]:
    """Return the icons by name: a seat's is `seat0` and so on, a power's is its verb, a type's its name."""
    shapes = {name: _draw_shape(shape) for name, shape in _SHAPES.items()}
    powers = {verb: _draw_shape(EMBLEMS[verb], "translate(12 12) scale(.46)") for verb in _POWERS}
    things = {name: _draw_shape(THINGS[name], "translate(12 12) scale(.92)") for name in ("mage", "flag")}
    types = {name: _draw_shape(shape, "translate(12 12) scale(.9)") for name, shape in COLOUR_SIGNS.items()}
    seats = {f"seat{seat}": _draw_seat(seat) for seat in range(len(SEAT_SIGNS))}
    return {**shapes, **powers, **things, **types, **seats, **_draw_etherium()}


def _draw_shape(shape: str, transform: str | None = None) -> Element:
    return element("path", d=shape, fill="currentColor", fill_rule="evenodd", transform=transform)


def _draw_etherium() -> dict[str, Element]:
    ink: Final = "#1b222c"
    white = element("path", d="M12 2 20 12 12 22 4 12z", fill="#fff", stroke=ink, stroke_width=1.8)
    black = element("circle", cx=12, cy=12, r=9, fill=ink, stroke="#fff", stroke_width=1.6)
    star = element(
        "path", d=STAR, fill="#f0b429", stroke="#5c4300", stroke_width=1.2, transform="translate(12 12.5) scale(.95)"
    )
    return {"white": white, "black": black, "star": star}


def _draw_seat(seat: int) -> Element:
    disc = element("circle", cx=12, cy=12, r=11, fill=SEAT_FEET[seat])
    return element("g", disc, element("path", d=SEAT_SIGNS[seat], fill="#fff", transform="translate(12 12) scale(.75)"))
