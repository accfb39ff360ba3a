"""Colours and styles of the map, the counters and the action chits. All pictures share them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from realmtable.games.magic_realm.picture.melee.style import APPEAR, KEYFRAMES, MELEE_RULES
from realmtable.kit.map_picture import MapStyle
from realmtable.kit.picture_style import style
from realmtable.kit.svg import Element, element

STYLE_NAME: Final = "magic_realm"
# Each has a class, because pages forbid inline styles.
FONT_SIZES: Final = (7, 9, 10, 11, 12, 13, 14, 15, 18, 24, 28)
SEAT_COLOURS: Final = ("#b3362a", "#2568a8", "#9c6200", "#2f7d4c", "#7d49a8", "#5c6672", "#0f7f86", "#a8447a")

# Each pair: light and dark theme.
COLOURS: Final = {
    "rt-paper": ("#efe4c8", "#14120d"),
    "rt-ink": ("#2b2116", "#f1e8d4"),
    # The marks of a board theme suit light boards, and these pictures are dark on dark pages.
    "rt-pick": ("var(--mark-pick,#5b21b6)", "#e2cdff"),
    "rt-mark": ("var(--mark-last,#a3140a)", "#ffb8a6"),
    "mr-sea": ("#dfcfa6", "#14120d"),
    "mr-coast": ("#c9b27f", "#262014"),
    "mr-shore": ("#b0935c", "#3a3120"),
    "mr-V": ("#dfdf9f", "#4a5030"),
    "mr-W": ("#bccb8d", "#344528"),
    "mr-D": ("#9fb67e", "#283823"),
    "mr-C": ("#c5b8a5", "#403a34"),
    "mr-M": ("#d9c8a0", "#4b4231"),
    "mr-line": ("#6d5433", "#0d0a06"),
    "mr-wash": ("#6d5433", "#000"),
    "mr-road": ("#f7e9c3", "#cdb886"),
    "mr-kerb": ("#644622", "#171009"),
    "mr-dark": ("#39302a", "#0b0907"),
    "mr-dim": ("#575146", "#bdb7a8"),
    "mr-path": ("#8a2408", "#ffb894"),
    "mr-leaf": ("#6f9150", "#587a41"),
    "mr-needle": ("#4c7550", "#3c6046"),
    "mr-stem": ("#3d4a22", "#11180b"),
    "mr-grass": ("#8fa04f", "#7d8c4c"),
    "mr-bloom": ("#c2503c", "#d9806c"),
    "mr-rock": ("#a3968a", "#6f665c"),
    "mr-lamp": ("#fff3d0", "#e8cf94"),
    "mr-snow": ("#fbf7ec", "#cfcabd"),
    "mr-glade": ("#f6efc9", "#66683f"),
    "mr-wood": ("#e6e6b4", "#4d5a36"),
    "mr-scree": ("#efe6d3", "#6b6151"),
    "mr-halo": ("#f5ecd2", "#1a160f"),
    "mr-slip": ("#fffaf0", "#2c261b"),
    "mr-wall": ("#f4e6c6", "#d8c8a2"),
    "mr-roof": ("#a8472f", "#b8583d"),
    "mr-token": ("#fdf3dc", "#efe2c4"),
    "mr-night": ("#4a4038", "#2c2620"),
    "mr-magic": ("#7a3fb0", "#c9a0f0"),
}
# The board theme for high contrast: black on white on every page, with pale decorations.
CONTRAST: Final = {
    "rt-pick": "var(--mark-pick)",
    "rt-mark": "var(--mark-last)",
    **dict.fromkeys(
        ("rt-paper", "mr-sea", "mr-V", "mr-road", "mr-glade", "mr-wood", "mr-scree", "mr-halo", "mr-slip", "mr-token"),
        "#fff",
    ),
    **dict.fromkeys(("rt-ink", "mr-line", "mr-kerb"), "#000"),
    **dict.fromkeys(("mr-shore", "mr-dim"), "#333"),
    **dict.fromkeys(("mr-coast", "mr-W", "mr-M"), "#eee"),
    **dict.fromkeys(("mr-D", "mr-C"), "#ddd"),
    **dict.fromkeys(("mr-leaf", "mr-needle", "mr-grass", "mr-rock"), "#ccc"),
    "mr-stem": "#888",
    "mr-path": "#b00000",
    "mr-magic": "#6a1f8f",
}  # fmt: skip
GROUNDS: Final = ("V", "W", "D", "C", "M")
VEIL_PERCENT: Final = 22  # of the colour of magic on an enchanted tile
# White, grey, gold, purple and black magic, the same in both themes.
MAGIC_COLOURS: Final = {"white": "#fff", "grey": "#9aa0a6", "gold": "#d9a520", "purple": "#8e4ec0", "black": "#1c1a19"}

_SERIF: Final = "'Iowan Old Style','Palatino Linotype',Palatino,'Book Antiqua','URW Palladio L',P052,Georgia,serif"
# Shapes that are defined once and used often stand in a tree of their own, where only plain selectors reach them.
_SHAPE_RULES: Final = {
    ".mr-tree": "fill:var(--mr-leaf);stroke:var(--mr-stem);stroke-width:1;stroke-linejoin:round",
    ".mr-pine": "fill:var(--mr-needle);stroke:var(--mr-stem);stroke-width:1;stroke-linejoin:round",
    ".mr-dusk": "fill:#000;fill-opacity:.2",
    ".mr-grass": "fill:none;stroke:var(--mr-grass);stroke-width:1.3;stroke-linecap:round",
    ".mr-bloom": "fill:var(--mr-bloom)",
    ".mr-rock": "fill:var(--mr-rock);stroke:var(--mr-line);stroke-width:1;stroke-linejoin:round",
    ".mr-snow": "fill:var(--mr-snow)",
    ".mr-spark": "fill:var(--mr-magic);fill-opacity:.75",
    ".mr-rim": "stroke:var(--mr-kerb);stroke-width:2",
    ".mr-glade": "fill:var(--mr-glade)",
    ".mr-wood": "fill:var(--mr-wood)",
    ".mr-scree": "fill:var(--mr-scree)",
    ".mr-cave": "fill:var(--mr-dark);stroke:var(--mr-lamp);stroke-width:2.2",
    ".mr-etching": "fill:none;stroke:var(--mr-shore);stroke-width:1.4;stroke-linejoin:round",
    ".mr-ripple": "fill:none;stroke:var(--mr-shore);stroke-width:1.2;stroke-opacity:.7",
    ".mr-needles": "fill:var(--mr-shore)",
}
_RULES: Final = {
    **{f".mr-t{size}": f"font-size:{size}px" for size in FONT_SIZES},
    **{f".mr-{ground}": f"--mr-soil:var(--mr-{ground});--mr-ground:var(--mr-soil)" for ground in GROUNDS},
    ".mr-veiled": f"--mr-ground:color-mix(in srgb,var(--mr-veil) {VEIL_PERCENT}%,var(--mr-soil))",
    **{f".mr-seat{seat}": f"--mr-seat:{code}" for seat, code in enumerate(SEAT_COLOURS)},
    **{f".mr-{colour}": f"--mr-veil:{code}" for colour, code in MAGIC_COLOURS.items()},
    "text": "fill:var(--rt-ink);text-anchor:middle",
    ".mr-bold": "font-weight:700",
    ".mr-on": "fill:#fff",
    ".mr-ink": "fill:#2b2116",
    # the ground
    ".mr-sea": "fill:var(--mr-sea)",
    ".mr-coast": "fill:var(--mr-coast);stroke:var(--mr-coast);stroke-width:34;stroke-linejoin:round",
    ".mr-shore": "fill:var(--mr-shore);stroke:var(--mr-shore);stroke-width:12;stroke-linejoin:round",
    ".mr-ground": "fill:var(--mr-ground);stroke:var(--mr-line);stroke-width:1.2;stroke-opacity:.55",
    ".mr-wash": "fill:none;stroke:var(--mr-wash);stroke-width:9;stroke-opacity:.1",
    # roads
    ".mr-roads path": "fill:none",
    ".mr-roads .mr-gap": "stroke:var(--mr-ground);stroke-width:17",
    ".mr-roads .mr-kerb": "stroke:var(--mr-kerb);stroke-width:8.4",
    ".mr-roads .mr-road": "stroke:var(--mr-road);stroke-width:5.8",
    ".mr-roads .mr-rail": "stroke:var(--mr-kerb);stroke-width:12.5",
    ".mr-roads .mr-plank": "stroke:var(--mr-road);stroke-width:9;stroke-dasharray:2.4 .7",
    ".mr-roads .mr-bore": "stroke:var(--mr-dark);stroke-width:9",
    ".mr-roads .mr-sleeper": "stroke:var(--mr-road);stroke-width:3;stroke-dasharray:5 4",
    ".mr-roads .mr-hidden": "stroke:var(--mr-dim);stroke-width:3.6;stroke-dasharray:.1 6.6;stroke-linecap:round",
    ".mr-roads .mr-secret": "stroke:var(--mr-dim);stroke-width:7.5;stroke-dasharray:1.8 3.6",
    ".mr-roads .mr-known": "stroke:var(--mr-path)",
    ".mr-roads .mr-hidden.mr-known": "stroke-width:5.2",
    ".mr-roads .mr-secret.mr-known": "stroke-width:10;stroke-dasharray:2.6 2.8",
    ".mr-roads .mr-trail": "stroke:var(--mr-halo);stroke-opacity:.85;stroke-width:13",
    ".mr-roads .mr-route": "stroke:var(--rt-pick);stroke-width:4;stroke-dasharray:9 5",
    # words on the map
    ":is(.mr-number,.mr-name,.mr-letter)": f"font-family:{_SERIF}",
    ".mr-number": "font-size:15px;font-weight:700",
    ".mr-number.mr-on": "fill:#f6ecd6",
    ".mr-name": "font-style:italic;font-weight:700;fill:var(--rt-ink);"
    "paint-order:stroke;stroke:var(--mr-ground);stroke-width:4;stroke-linejoin:round",
    ".mr-orb": "fill:var(--mr-veil);stroke:#1c1a19;stroke-width:1.2;stroke-linejoin:round",
    # counters
    ".mr-phase": "fill:var(--mr-slip);stroke:var(--rt-pick);stroke-width:2",
    ".mr-coming .mr-token": "stroke-width:2;stroke-dasharray:3.5 2",
    ".mr-slip": "fill:var(--mr-slip);stroke:var(--mr-line);stroke-width:1.2",
    ".mr-back": "fill:var(--mr-night);stroke:var(--mr-road);stroke-width:1.2",
    ".mr-peek": "stroke-dasharray:3 1.6",
    ".mr-eye": "fill:none;stroke:var(--rt-ink);stroke-width:1.1",
    ".mr-red": "fill:#a3271c;stroke:#fff",
    ".mr-wall": "fill:var(--mr-wall);stroke:#3a2a18;stroke-width:1.2;stroke-linejoin:round",
    ".mr-roof": "fill:var(--mr-roof);stroke:#3a2a18;stroke-width:1.2;stroke-linejoin:round",
    ".mr-door": "fill:#3a2a18",
    ".mr-flame": "fill:#f0962a;stroke:#7a2a0a;stroke-width:1;stroke-linejoin:round",
    ".mr-glow": "fill:#ffe08a",
    ".mr-sack": "fill:#b98a4a;stroke:#3a2a18;stroke-width:1.2;stroke-linejoin:round",
    ".mr-token": "fill:var(--mr-token);stroke:#2b2116;stroke-width:1.3",
    ".mr-token.mr-turned": "fill:#5b4a3c;stroke:#fff",
    ".mr-token.mr-deadly": "fill:#a3271c;stroke:#fff",
    ".mr-beast": "fill-rule:evenodd",
    ".mr-fold": "fill:#fff;fill-opacity:.9",
    ".mr-badge": "fill:#2b2116;stroke:#fff;stroke-width:.9",
    ".mr-flag": "fill:var(--mr-seat);stroke:#fff;stroke-width:.8",
    ".mr-shield": "fill:var(--mr-seat);stroke:#f0d9a8;stroke-width:2.2;stroke-linejoin:round",
    ".mr-outline": "fill:none;stroke:#20170d;stroke-width:4.4;stroke-linejoin:round",
    ".mr-emblem": "fill:#fff;fill-rule:evenodd",
    ".mr-hides .mr-shield": "stroke:#8fd06a;stroke-dasharray:4.2 2.2",
    ".mr-hides .mr-emblem": "fill-opacity:.8",
    ".mr-cover": "fill:#3f7d2c;stroke:#e9f7d8;stroke-width:1;stroke-linejoin:round",
    ".mr-hero": "transition:transform .35s ease-in-out;pointer-events:none",
    ".mr-hero:is(.lit,.target,.chosen)": "pointer-events:auto",
    # what can be chosen
    ".mr-last": "fill:var(--rt-mark);fill-opacity:.16;stroke:var(--rt-mark);stroke-width:2.4;stroke-dasharray:1 4;"
    "stroke-linecap:round",
    ".mr-area": "fill:none;stroke:none;pointer-events:all",
    ".lit>.mr-area": "stroke:var(--rt-pick);stroke-width:3;stroke-dasharray:6 3.5",
    ".target>.mr-area": "stroke:var(--rt-pick);stroke-width:3.6;fill:var(--rt-pick);fill-opacity:.1",
    ".chosen>.mr-area": "stroke:var(--rt-pick);stroke-width:5;fill:var(--rt-pick);fill-opacity:.28",
    ".hover:is(.lit,.target)>.mr-area": "stroke:var(--rt-ink);stroke-width:4.5;stroke-dasharray:none",
    ":focus-visible>.mr-area": "stroke:var(--rt-ink);stroke-width:4.5;stroke-dasharray:none",
    # maps that are being built, and characters that are being chosen
    ".mr-slot": "fill:var(--mr-halo);fill-opacity:.35;stroke:var(--mr-line);stroke-width:2;stroke-dasharray:7 6",
    ".mr-turning": "fill:none;stroke:var(--rt-pick);stroke-width:7;stroke-dasharray:none",
    ".mr-plus": "fill:none;stroke:var(--mr-line);stroke-width:5;stroke-linecap:round",
    ".mr-free": "--mr-seat:#6b5436",
    ".mr-taken": "fill-opacity:.45;stroke-dasharray:6 5",
    ".mr-gem": "fill:#3f8aa8;fill-rule:evenodd;stroke:#1f3d4d;stroke-width:.5;stroke-linejoin:round",
    ".mr-soft": "fill:var(--mr-dim)",
    # action chits
    ".mr-plate": "fill:var(--mr-slip);stroke:var(--mr-shore);stroke-width:1.4",
    ".mr-move": "--mr-kind:#cfe0b8",
    ".mr-fight": "--mr-kind:#f0cdb0",
    ".mr-magic": "--mr-kind:#dcc8ee",
    ".mr-duck": "--mr-kind:#bfdcdf",
    ".mr-berserk": "--mr-kind:#edb3a5",
    ".mr-chit": "fill:var(--mr-kind);stroke:#2b2116;stroke-width:1.5",
    ".mr-tired": "fill:color-mix(in srgb,var(--mr-kind) 35%,#bdb39e);stroke-dasharray:5 2.5",
    ".mr-hurt": "fill:color-mix(in srgb,var(--mr-kind) 35%,#d9c3bb);stroke:#7a1f14;stroke-width:2.2",
    ".mr-cut": "fill:none;stroke:#7a1f14;stroke-width:1.6;stroke-linecap:round",
    ".mr-star": "fill:#b4700a;stroke:#4a2d00;stroke-width:.8;stroke-linejoin:round",
    **MELEE_RULES,
}  # fmt: skip


def _theme(index: int) -> str:
    return _declare({name: pair[index] for name, pair in COLOURS.items()})


def _declare(colours: Mapping[str, str]) -> str:
    return ";".join(f"--{name}:{colour}" for name, colour in colours.items())


# Pages use the same seat colours as the picture.
_PAGE_STYLE: Final = ":root{" + ";".join(f"--seat-{seat}:{colour}" for seat, colour in enumerate(SEAT_COLOURS)) + "}"

STYLE: Final = (
    _PAGE_STYLE
    + style(STYLE_NAME, _RULES, _theme(0), _theme(1))
    + "".join(f"{selector}{{{declarations}}}" for selector, declarations in _SHAPE_RULES.items())
    # The ground reaches beyond the view box, so that it fills the frame.
    + f".rt-board.rt-{STYLE_NAME}[data-pans],[data-layer] .rt-board.rt-{STYLE_NAME}{{overflow:visible}}"
    + f":root[data-board=contrast] .rt-board.rt-{STYLE_NAME}{{{_declare(CONTRAST)}}}"
    + KEYFRAMES
    + f"@media(prefers-reduced-motion:reduce){{.rt-board.rt-{STYLE_NAME} .mr-hero{{transition:none}}"
    + f".rt-board.rt-{STYLE_NAME} .{APPEAR}{{animation:none}}}}"
)
MAP_STYLE: Final = MapStyle(STYLE_NAME, element("style", STYLE))


def text_element(words: str, across: float, down: float, size: int, kind: str = "") -> Element:
    """Return a line of text in one of `FONT_SIZES`, centred unless `kind` says otherwise."""
    return element("text", words, class_=f"mr-t{size} {kind}".strip(), x=across, y=down)
