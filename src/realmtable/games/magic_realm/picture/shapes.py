"""Shapes of which the ground of the map is made: trees, peaks, rocks and the clearings themselves.

The layer of the map defines each shape once and refers to it. Each shape is a row of parts: style and path.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from realmtable.games.magic_realm.picture.geometry import hexagon
from realmtable.kit.svg import Element, element

Shape = tuple[tuple[str, str], ...]

_DISC: Final = "M-12 0a12 12 0 1 0 24 0a12 12 0 1 0-24 0z"
_TREE: Final = "v-4c-4 1-6-2-4.5-4.5-1.5-3.5 2.5-6 5.5-4.5 3-1.5 7 1 5.5 4.5 1.5 2.5-.5 5.5-4.5 4.5v4z"
_PINE: Final = "v-2h-5l3.5-4.5h-2l3-4h-1.5l3-5 3 5h-1.5l3 4h-2l3.5 4.5h-5v2z"


def _grove(tree: str) -> str:
    """Return trees around a clearing, the nearest ones last."""
    return "".join(f"M{x} {y}{tree}" for x, y in ((-2, -10), (-10, -7), (6, -7), (-16, -1), (13, -1)))


# The feet of what grows are at 0,0.
_GROWTH: Final[dict[str, Shape]] = {
    "tree": (
        ("mr-tree", "M-1 0V-4C-5-3-7-6-5.5-8.5-7-12-3-14.5 0-13 3-14.5 7-12 5.5-8.5 7-6 5-3 1-4V0z"),
        ("mr-dusk", "M1-4C5-3 7-6 5.5-8.5 5-7 3-6 0-6-2-6-4-6.5-5.5-8 -7-5.5-4.5-3-1-4z"),
    ),
    "bush": (
        ("mr-tree", "M-6 0C-8-3-5.5-6-3-5-2-8.5 3-8.5 3.5-5 7-5.5 7.5-2 5.5 0z"),
        ("mr-dusk", "M-6 0C-7-1.5-7-3-6-4-4-2 4-2 6.5-3.5 7-2 6.5-1 5.5 0z"),
    ),
    "pine": (
        ("mr-pine", "M-1 0V-2H-6L-2.5-6.5H-4.5L-1.5-10.5H-3L0-15.5 3-10.5H1.5L4.5-6.5H2.5L6-2H1V0z"),
        ("mr-dusk", "M0-15.5L3-10.5H1.5L4.5-6.5H2.5L6-2H1V0H0z"),
    ),
    "grass": (("mr-grass", "M-4 0Q-4.5-3-6-4.5M-2.5 0V-5.5M-1 0Q-.5-3 1-4.5M4 1V-2.5M5.5 1Q6-1 7-2"),),
    "flower": (
        ("mr-grass", "M0 0V-4M0-1Q2-1.5 3-3"),
        ("mr-bloom", "M0-8.5L1.3-6.8 3.2-6.2 2-4.6 2.1-2.6 0-3.3-2.1-2.6-2-4.6-3.2-6.2-1.3-6.8z"),
    ),
    "peak": (
        ("mr-rock", "M-14 0L-7-9-5-8 1-20 6-11 8-12 14 0Q0 2.5-14 0z"),
        ("mr-dusk", "M1-20L6-11 8-12 14 0Q8 1.2 3 1.2L5-5 0-9 3-13z"),
        ("mr-snow", "M1-20L4.3-14 1.5-12 .5-14.5-2-12.5-3-12.5z"),
    ),
    "ridge": (
        ("mr-rock", "M-13 0L-8-8-5-5 0-13 4-7 7-10 13 0Q0 2-13 0z"),
        ("mr-dusk", "M0-13L4-7 2-3 5 1 1 1-1-6zM7-10L13 0 9 .5 7-4z"),
    ),
    "hill": (("mr-rock", "M-7 0L-3-6-1-4.5 1.5-9 7 0Q0 1.5-7 0z"), ("mr-dusk", "M1.5-9L7 0Q4 .8 1 .8L2-3z")),
    "rock": (
        ("mr-rock", "M-8 0L-7-6-2-9.5 4-7.5 8-1Q0 1.5-8 0z"),
        ("mr-dusk", "M-2-9.5L4-7.5 8-1Q4 .5 1 .5L2-4z"),
    ),
    "spire": (
        ("mr-rock", "M-7 0L-5-7-3-3-.5-13 2-5 4.5-9 7 0Q0 1.5-7 0z"),
        ("mr-dusk", "M-.5-13L2-5 1.5 .8-.5 .8zM4.5-9L7 0 4.5 .4z"),
    ),
    "pebble": (("mr-rock", "M-4 0L-2.5-3.5 1-4 4-.5Q0 .8-4 0z"),),
    "spark": (("mr-spark", "M0-10Q.7-5.7 5-5 .7-4.3 0 0-.7-4.3-5-5-.7-5.7 0-10z"),),
}
# The middles of clearings are at 0,0. Their outlines differ, so that no kind is shown by its colour alone.
_CLEARINGS: Final[dict[str, Shape]] = {
    "meadow": (("mr-rim mr-glade", _DISC),),
    "woods": (("mr-tree", _grove(_TREE)), ("mr-rim mr-wood", _DISC)),
    "pines": (("mr-pine", _grove(_PINE)), ("mr-rim mr-wood", _DISC)),
    "mountain": (
        ("mr-rock", "M-20 1L-13-13-10-11-3-24 2-16 5-20 11-10 13-12 20 1z"),
        ("mr-dusk", "M-3-24L2-16 0-9-3-10zM5-20L11-10 9-5 5-9zM13-12L20 1H14z"),
        ("mr-snow", "M-3-24L-.5-20-2-18.5-3.5-19.5-5.5-18zM5-20L7-16.5 5.5-15.5 4-17z"),
        ("mr-rim mr-scree", _DISC),
    ),
    "cave": (
        ("mr-rock", "M-18 8L-19-5-11-16 0-19 10-16 18-7 18 7 11 15H-10z"),
        ("mr-dusk", "M10-16L18-7 18 7 11 15H-10L-18 8 0 13 11 9 14-4z"),
        ("mr-cave", _DISC),
    ),
}
_COMPASS: Final[Shape] = (
    ("mr-etching", "M-34 0a34 34 0 1 0 68 0a34 34 0 1 0-68 0zM-29 0a29 29 0 1 0 58 0a29 29 0 1 0-58 0z"),
    ("mr-ripple", "M0-48L5-26M0-48L-5-26M20-20L8-4 4-8zM-20-20L-8-4-4-8zM20 20L8 4 4 8zM-20 20L-8 4-4 8z"),
    ("mr-needles", "M0-46L7-7 0 0zM46 0L7 7 0 0zM0 46L-7 7 0 0zM-46 0L-7-7 0 0z"),
    ("mr-etching", "M0-46L7-7 46 0 7 7 0 46-7 7-46 0-7-7z"),
)
SHAPES: Final = {**_GROWTH, **_CLEARINGS, "compass": _COMPASS}


@cache
def draw_shapes() -> Element:
    """Return the definitions of all shapes, which the layer of the map holds once."""
    shapes = [
        element("g", *(element("path", class_=kind, d=data) for kind, data in parts), id=f"mr-{name}")
        for name, parts in SHAPES.items()
    ]
    return element("defs", element("path", id="mr-hex", d=f"M0 0{hexagon(100)}"), *shapes)
