"""Colours and styles of cards and table. All pictures share them, so that several can be on one page."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from realmtable.games.fantasy_realms.cards import SUITS, WILD
from realmtable.kit.picture_style import style
from realmtable.kit.svg import Element, element, path

STYLE_NAME: Final = "fantasy_realms"
FONT_SIZES: Final = range(12, 35)  # each has a class, because pages forbid inline styles

# Dark colours under pale text by day, pale colours under dark text by night: a contrast of at least 4.5 in both.
_SUIT_COLOURS: Final = {
    "Army": ("#8a2f45", "#e397a8"),
    "Artifact": ("#855a00", "#e2bd5e"),
    "Beast": ("#2e6a3a", "#8ecb97"),
    "Flame": ("#b3391b", "#f2946f"),
    "Flood": ("#1d5d8c", "#83bbe6"),
    "Land": ("#70512f", "#cda67c"),
    "Leader": ("#743d8c", "#cfa0e6"),
    "Weapon": ("#4c545f", "#b3bcc9"),
    "Weather": ("#2d6c76", "#84c8cf"),
    "Wizard": ("#3f4299", "#a9adf2"),
    "Wild": ("#2c261d", "#efe8d8"),
}  # by day and by night
_LIGHT: Final = (
    "--rt-paper:#f4f3ec;--rt-ink:var(--card-ink,#1b222c);--fr-card:var(--card-face,#fffdf8);"
    "--fr-cloth:var(--card-cloth,#cfe0d3);--fr-on:#fffcf3;--fr-good:#1f6b34;--fr-bad:#a3281a;--fr-tint:.13;"
    "--fr-ghost:.09;--fr-back:#5b4a35;--fr-back-line:#e6d8b8;--rt-soft:#4f5a56;--rt-hair:#c9c6b8;--rt-rim:#c3ccc4;--rt-pick:var(--mark-pick,#5b21b6)"
)
# The marks of a board theme suit light boards, and these pictures are dark on dark pages.
_DARK: Final = (
    "--rt-paper:#18211f;--rt-ink:var(--card-ink,#e9edf2);--fr-card:var(--card-face,#262d33);"
    "--fr-cloth:var(--card-cloth,#163a2e);--fr-on:#15171b;--fr-good:#8fdba0;--fr-bad:#ff9a85;--fr-tint:.16;"
    "--fr-ghost:.1;--fr-back:#4a4132;--fr-back-line:#c9b88f;--rt-soft:#b3bdb8;--rt-hair:#454f55;--rt-rim:#3a4a45;--rt-pick:#e2cdff;--rt-mark:#ffa591"
)

_SEAT_COLOURS: Final = (
    "#c8412f",
    "#3d87c9",
    "#dd9a22",
    "#3f9a63",
    "#8e5bb5",
    "#b9bfc7",
    "#33363d",
)  # in the order of the seat names

_RULES: Final = {
    ".fr-bold": "font-weight:700",
    ".fr-italic": "font-style:italic",
    ".fr-mid": "text-anchor:middle",
    ".fr-far": "text-anchor:end",
    ".fr-soft": "fill:var(--rt-soft)",
    ".fr-on": "fill:var(--fr-on)",
    ".fr-tone": "fill:var(--fr-suit)",
    ".fr-good": "fill:var(--fr-good)",
    ".fr-bad": "fill:var(--fr-bad)",
    ".fr-struck": "text-decoration:line-through;fill:var(--rt-soft)",
    ".fr-cloth": "fill:var(--fr-cloth)",
    ".fr-face": "fill:var(--fr-card);stroke:var(--fr-edge,var(--rt-hair));stroke-width:1.4",
    ".fr-head": "fill:var(--fr-suit);fill-opacity:var(--fr-tint)",
    ".fr-emblem": "fill:currentColor;fill-rule:evenodd;color:var(--fr-suit)",
    ".fr-emblem.fr-on": "color:var(--fr-on);fill:currentColor",
    ".fr-mark": "fill:var(--fr-suit);fill-rule:evenodd;fill-opacity:var(--fr-ghost)",
    ".fr-bar": "stroke:var(--fr-good);stroke-width:1.4",
    ".fr-bar.fr-bad": "stroke:var(--fr-bad)",
    ".fr-bar.fr-idle": "fill:none;stroke-opacity:.6",
    ".fr-line": "fill:none;stroke:var(--rt-hair);stroke-width:1.2",
    ".fr-sum": "fill:var(--fr-card);stroke:var(--rt-ink);stroke-width:1.4",
    ".fr-cross": "fill:none;stroke:var(--fr-bad);stroke-width:3;stroke-opacity:.5;stroke-linecap:round",
    ".fr-off :is(.fr-soft,.fr-struck)": "fill:var(--rt-ink)",
    ".fr-off": "opacity:.85;filter:grayscale(1)",
    ".fr-place": "fill:none;stroke:var(--rt-rule);stroke-width:1.3;stroke-opacity:.55;stroke-dasharray:5 4",
    ".fr-new": "fill:var(--rt-amber)",
    ".fr-quiet": "opacity:.75",
    ".fr-quiet .fr-face": "stroke-dasharray:3 4",
    ".fr-back": "fill:var(--fr-back);stroke:var(--fr-back-line);stroke-width:1.4",
    ".fr-back-line": "fill:none;stroke:var(--fr-back-line);stroke-width:1.2",
    ".fr-on-back": "fill:#fff8e6",
    ".fr-back-emblem": "fill:var(--fr-back-line);fill-rule:evenodd",
    ".fr-plate": "fill:var(--fr-card);stroke:var(--rt-rim);stroke-width:1.4",
    ".fr-plate.fr-turn": "stroke:var(--rt-amber);stroke-width:3.5",
    ".fr-turn-sign": "fill:var(--rt-amber);stroke:var(--rt-ink);stroke-width:1",
    ".fr-last": "fill:none;stroke:var(--rt-mark);stroke-width:2.4",
    ".fr-won": "fill:var(--rt-amber);fill-opacity:.22;stroke:var(--rt-amber);stroke-width:2",
    ".fr-shield": "stroke:var(--rt-ink);stroke-width:1.2",
    **{f".fr-shield{seat}": f"fill:{colour}" for seat, colour in enumerate(_SEAT_COLOURS)},
    ".fr-tick": "fill:none;stroke:var(--fr-good);stroke-width:3.4;stroke-linecap:round;stroke-linejoin:round",
    ".fr-clear": "fill:none;stroke:var(--fr-on);stroke-width:3;stroke-linecap:round;stroke-linejoin:round",
    ".fr-ring": "display:none;fill:none;stroke:var(--rt-pick);stroke-width:3;pointer-events:none",
    ".lit>.fr-ring": "display:inline;stroke-dasharray:8 4",
    ".target>.fr-ring": "display:inline;stroke-width:3.6",
    ".chosen>.fr-ring": "display:inline;stroke-width:5;fill:var(--rt-pick);fill-opacity:.16",
    ".hover:is(.lit,.target)>.fr-ring": "stroke:var(--rt-ink);stroke-width:4.5;stroke-dasharray:none",
    ":focus-visible>.fr-ring": "display:inline;stroke:var(--rt-ink);stroke-width:4.5;stroke-dasharray:none",
}


def suit_class(suit: str) -> str:
    """Return the class that sets a suit's colour for everything inside."""
    return f"fr-{suit.lower()}"


def _suit_variables(at: int) -> str:
    return "".join(f";--{suit_class(suit)}:{_SUIT_COLOURS[suit][at]}" for suit in (*SUITS, WILD))


# Pages use the same seat colours as the picture.
_PAGE_STYLE: Final = ":root{" + ";".join(f"--seat-{seat}:{colour}" for seat, colour in enumerate(_SEAT_COLOURS)) + "}"

STYLE: Final = _PAGE_STYLE + style(
    STYLE_NAME,
    {
        **{f".fr-t{size}": f"font-size:{size}px" for size in FONT_SIZES},
        **{f".{suit_class(suit)}": f"--fr-suit:var(--{suit_class(suit)})" for suit in (*SUITS, WILD)},
        **_RULES,
    },
    _LIGHT + _suit_variables(0),
    _DARK + _suit_variables(1),
)


def text_element(words: str, across: float, down: float, size: int, kind: str = "") -> Element:
    """Return a line of text in one of `FONT_SIZES`."""
    return element("text", words, class_=f"fr-t{size} {kind}".strip(), x=across, y=down)


@lru_cache(maxsize=1024)
def round_rectangle(wide: float, high: float, radius: float, across: float = 0, down: float = 0) -> str:
    """Return the path of a rectangle with rounded corners."""
    arc = ("a", radius, radius, 0, 0, 1)
    side, rise = wide - 2 * radius, high - 2 * radius
    return path(
        *("M", across + radius, down, "h", side, *arc, radius, radius, "v", rise, *arc, -radius, radius),
        *("h", -side, *arc, -radius, -radius, "v", -rise, *arc, radius, -radius, "z"),
    )


@lru_cache(maxsize=64)
def selection_ring(wide: float, high: float, radius: float) -> Element:
    """Return the outline of a selectable card; pages show it through the classes of the enclosing handle."""
    return element("path", class_="fr-ring", d=round_rectangle(wide, high, radius))


def translate(across: float, down: float) -> str:
    """Return the transform that moves 0,0 to a point."""
    return f"translate({across:g} {down:g})"
