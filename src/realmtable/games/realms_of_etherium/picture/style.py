"""Colours, styles and small shapes of the map. All pictures share them, so that several can be on one page."""

from __future__ import annotations

from functools import cache
from math import sqrt
from typing import Final

from realmtable.kit.picture_style import style
from realmtable.kit.svg import Element, element, format_number

STYLE_NAME: Final = "realms_of_etherium"
RADIUS: Final = 100  # of a hex, from its middle to a corner; its upper and lower sides are level
HALF: Final = RADIUS * sqrt(3) / 2  # from the middle to a side
FONT_SIZES: Final = (*range(12, 31), 34)  # each has a class, because pages forbid inline styles

UPRIGHT: Final = "et-up"  # the class of what stays upright where a page turns the map
DETAILS: Final = (0.45, 1.1)  # pixels per unit from which a tile shows its name and signs, and its sentence
READABLE: Final = 0.65  # pixels per unit at which the smallest letters of names, signs and prices have 13 pixels

# Strong enough for white text in both themes.
COLOUR_CODES: Final = {
    "red": "#a3302c",
    "blue": "#1d5c9b",
    "green": "#2b6b3c",
    "purple": "#6a3d93",
    "orange": "#ad4f08",
    "yellow": "#856000",
    "portal": "#34446b",
    "disruption": "#54504c",
}
# Brighter ones for small signs without text on dark ground.
_BRIGHT_CODES: Final = {
    "red": "#f08a80",
    "blue": "#7fb6ef",
    "green": "#84cc92",
    "purple": "#c69bee",
    "orange": "#f5a160",
    "yellow": "#ecc65a",
    "portal": "#9fb0dc",
    "disruption": "#b8b2ac",
}
SEAT_COLOURS: Final = ("#c8412f", "#3d87c9", "#dd9a22", "#3f9a63", "#8e5bb5", "#b9bfc7")  # in the order of the seats
# Under white text, in both themes.
SEAT_FEET: Final = ("#b93524", "#2a6fae", "#8f5e00", "#2c7c4b", "#7b46a4", "#5b636d")
# For lines on the ground of the page, with a contrast of at least 3.
_SEAT_LINES: Final = ("#b93524", "#2a6fae", "#a96f05", "#2c7c4b", "#7b46a4", "#6b737d")
_SEAT_LINES_DARK: Final = ("#f07a69", "#6fb0ea", "#eab04a", "#69c58d", "#bd8de0", "#c6ccd3")

_LIGHT: Final = (
    "--rt-paper:#e3e9ec;--rt-ink:var(--card-ink,#1b222c);--et-face:var(--card-face,#fffdf7);--et-tint:.11;"
    "--et-ghost:.13;--et-side:#1b222c;--et-grid:#8596a3;--et-ground:var(--card-cloth,#d5e0e4);--et-deep:#c3d1d7;"
    "--rt-soft:#4d5965;--rt-hair:#c3cbd2;--rt-pick:var(--mark-pick,#5b21b6);--et-card:#fff;--et-halo:#fff"
)
# The marks of a board theme suit light boards, and these pictures are dark on dark pages.
_DARK: Final = (
    "--rt-paper:#12181f;--rt-ink:var(--card-ink,#eef1f5);--et-face:var(--card-face,#222a33);--et-tint:.3;"
    "--et-ghost:.3;--et-side:#05080b;--et-grid:#5a6a78;--et-ground:var(--card-cloth,#141c24);--et-deep:#0e141a;"
    "--rt-soft:#b2bcc7;--rt-hair:#3a4551;--rt-pick:#e2cdff;--rt-mark:#ffa591;--et-card:#1d242c;--et-halo:#0d1217"
)


def _theme_variables(others: str, signs: dict[str, str], lines: tuple[str, ...]) -> str:
    names = "".join(f";--et-{colour}:{code}" for colour, code in signs.items())
    return others + names + "".join(f";--et-line{seat}:{code}" for seat, code in enumerate(lines))


_MOTION: Final = "transition:transform .35s ease-in-out"
_RULES: Final = {
    **{f".et-t{size}": f"font-size:{size}px" for size in FONT_SIZES},
    **{f".et-{colour}": f"--et-tone:{code};--et-sign:var(--et-{colour})" for colour, code in COLOUR_CODES.items()},
    **{
        f".et-seat{seat}": f"--et-seat:{code};--et-foot:{SEAT_FEET[seat]};--et-line:var(--et-line{seat})"
        for seat, code in enumerate(SEAT_COLOURS)
    },
    ".et-bold": "font-weight:700",
    ".et-mid": "text-anchor:middle",
    ".et-far": "text-anchor:end",
    ".et-soft": "fill:var(--rt-soft)",
    ".et-on": "fill:#fff",
    ".et-ground": "fill:var(--et-ground)",
    ".et-grid": "fill:var(--et-deep);fill-opacity:.35;stroke:var(--et-grid);stroke-width:1.6;stroke-opacity:.4",
    ".et-cast": "fill:var(--et-side);fill-opacity:.22",
    ".et-side": "fill:var(--et-tone);stroke:var(--et-side);stroke-width:1.5;stroke-opacity:.6",
    ".et-shade": "fill:#000;fill-opacity:.34",
    ".et-face": "fill:var(--et-face)",
    ".et-tint": "fill:var(--et-tone);fill-opacity:var(--et-tint)",
    ".et-band": "fill:var(--et-tone)",
    ".et-gleam": "fill:none;stroke:#fff;stroke-width:2;stroke-opacity:.45;opacity:var(--board-light-fall,1)",
    ".et-edge": "fill:none;stroke:var(--et-tone);stroke-width:2.5",
    ".et-ghost": "fill:var(--et-tone);fill-opacity:var(--et-ghost);fill-rule:evenodd",
    ".et-faded": "opacity:.4",
    ".et-sentence,.et-emblem": "display:none",
    ".et-art": "fill:var(--et-sign);fill-rule:evenodd",
    ".et-art.et-on": "fill:#fff",
    ".et-sign": "fill:var(--et-sign);fill-rule:evenodd",
    ".et-white": "fill:#fff;stroke:#1b222c;stroke-width:2;stroke-linejoin:round",
    ".et-black": "fill:#1b222c;stroke:#fff;stroke-width:1.6",
    ".et-shine": "fill:none;stroke:#fff;stroke-width:1.6;stroke-linecap:round",
    ".et-star": "fill:#f0b429;stroke:#5c4300;stroke-width:1.4;stroke-linejoin:round",
    ".et-pole": "fill:none;stroke:var(--rt-ink);stroke-width:3;stroke-linecap:round",
    ".et-cloth": "fill:var(--et-seat);stroke:var(--et-halo);stroke-width:2;stroke-linejoin:round",
    ".et-owned": "fill:none;stroke:var(--et-line);stroke-width:6;stroke-linejoin:round",
    ".et-foot": "fill:var(--et-foot)",
    ".et-foot-sign": "fill:#fff",
    ".et-stars": "pointer-events:none",
    ".et-side-star": "fill:var(--et-card);stroke:var(--et-yellow);stroke-width:2",
    ".et-plate": "fill:var(--et-card);stroke:var(--rt-hair);stroke-width:1.4",
    ".et-mage": f"--et-body:var(--et-seat);{_MOTION}",
    ".et-spot": _MOTION,
    ".et-number": "paint-order:stroke;stroke:var(--et-halo);stroke-width:5;stroke-linejoin:round",
    ".et-hit": "fill:none;stroke:none;pointer-events:all",
    ".et-follow": "visibility:hidden;pointer-events:none",
    ".et-body": "fill:var(--et-body);stroke:#10151b;stroke-width:2;stroke-linejoin:round",
    ".et-rim": "fill:none;stroke:var(--et-halo);stroke-width:5;stroke-linejoin:round",
    ".et-mark": "fill:#fff;stroke:#10151b;stroke-width:1.1;stroke-linejoin:round",
    ".et-down .et-body": "fill:var(--et-seat);fill-opacity:.4;stroke:var(--et-line);stroke-width:2.6",
    ".et-down .et-mark": "fill:#fff;stroke:none",
    ".et-active": "fill:#f0b429;fill-opacity:.4;stroke:#b87700;stroke-width:4;pointer-events:none",
    ".et-ring": "display:none;fill:none;stroke:var(--rt-pick);stroke-width:3;pointer-events:none",
    ".et-hex>.et-area": "fill:none;pointer-events:all;stroke:none",
    ".et-last": "fill:none;stroke:var(--rt-mark);stroke-width:4;stroke-dasharray:2 9;stroke-linecap:round",
    ".et-declared": "fill:var(--rt-amber);fill-opacity:.25;stroke:var(--rt-amber);stroke-width:4;stroke-dasharray:10 6",
    ".et-hex.lit>.et-area": "stroke:var(--rt-pick);stroke-width:6;stroke-dasharray:16 8",
    ".et-hex.target>.et-area": "stroke:var(--rt-pick);stroke-width:5;fill:var(--rt-pick);fill-opacity:.08",
    ".et-hex.chosen>.et-area": "stroke:var(--rt-pick);stroke-width:10;fill:var(--rt-pick);fill-opacity:.24",
    ".et-empty>.et-invitation": "display:none;fill:var(--rt-pick);pointer-events:none",
    ".et-empty:is(.lit,.target)>.et-invitation": "display:inline",
    ".et-invitation text": "fill:var(--rt-pick)",
    ".et-plus": "fill:none;stroke:var(--rt-pick);stroke-width:6;stroke-linecap:round",
    ".et-hex.et-empty:is(.lit,.target)>.et-area": "stroke-dasharray:16 8;fill:var(--rt-pick);fill-opacity:.16",
    ".et-puts .et-invitation text": "display:none",
    ".lit .et-ring": "display:inline;stroke-dasharray:7 4",
    ".target .et-ring": "display:inline;stroke-width:3.4",
    ".chosen .et-ring": "display:inline;stroke-width:5;fill:var(--rt-pick);fill-opacity:.2",
    ".hover:is(.lit,.target) :is(.et-area,.et-ring)": "stroke:var(--rt-ink);stroke-width:8;stroke-dasharray:none",
    ":focus-visible :is(.et-area,.et-ring)": "display:inline;stroke:var(--rt-ink);stroke-width:8;stroke-dasharray:none",
}  # fmt: skip

# Pages use the same seat colours as the picture.
_PAGE_STYLE: Final = ":root{" + ";".join(f"--seat-{seat}:{colour}" for seat, colour in enumerate(SEAT_COLOURS)) + "}"

# What a page shows at another level of detail, and turned by so many sixths.
_DETAIL_RULES: Final = "".join(
    f"{where} .rt-{STYLE_NAME} {rule}"
    for where, rule in (
        ("[data-detail='0']", ":is(.et-name,.et-signs,.et-price){display:none}"),
        ("[data-detail='0']", ".et-emblem{display:inline}"),
        ("[data-detail='0']", ".et-grows{transform:scale(1.6) translateY(-7px)}"),
        ("[data-detail='2']", ".et-signs{display:none}"),
        ("[data-detail='2']", ".et-sentence{display:inline}"),
        ("[data-turn='1']", f".{UPRIGHT}{{transform:rotate(-60deg)}}"),
        ("[data-turn='2']", f".{UPRIGHT}{{transform:rotate(-120deg)}}"),
    )
)

STYLE: Final = (
    _PAGE_STYLE
    + style(
        STYLE_NAME,
        _RULES,
        _theme_variables(_LIGHT, COLOUR_CODES, _SEAT_LINES),
        _theme_variables(_DARK, _BRIGHT_CODES, _SEAT_LINES_DARK),
    )
    # The ground reaches beyond the view box, so that it fills the frame.
    + f".rt-board.rt-{STYLE_NAME}[data-pans],[data-layer] .rt-board.rt-{STYLE_NAME}{{overflow:visible;box-shadow:none}}"
    + f"@media(prefers-reduced-motion:reduce){{.rt-board.rt-{STYLE_NAME} :is(.et-mage,.et-spot){{transition:none}}}}"
    + _DETAIL_RULES
)


def text_element(
    words: str, across: float, down: float, size: int, kind: str = "", length: float | None = None
) -> Element:  # fmt: skip
    """Return a line of text in one of `FONT_SIZES`.

    With a length, it is as long in any font: a picture that is shown alone has no font of ours.
    """
    fitted: dict[str, str | float] = (
        {} if length is None else {"textLength": length, "lengthAdjust": "spacingAndGlyphs"}
    )
    return element("text", words, class_=f"et-t{size} {kind}".strip(), x=across, y=down, **fitted)


def translate(across: float, down: float) -> str:
    """Return the transform that moves 0,0 to a point."""
    return f"translate({format_number(across)} {format_number(down)})"


@cache
def hexagon(radius: float) -> str:
    """Return the corners of a hexagon around 0,0."""
    half, high = radius / 2, radius * sqrt(3) / 2
    corners = ((radius, 0), (half, high), (-half, high), (-radius, 0), (-half, -high), (half, -high))
    return " ".join(f"{format_number(x)},{format_number(y)}" for x, y in corners)
