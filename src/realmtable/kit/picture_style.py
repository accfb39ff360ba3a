"""Colours and styles that the pictures of all games share, so that several can be on one page.

A game adds variables and rules. The classes that a page toggles on elements with a ``data-handle`` (``lit``,
``target``, ``chosen``, ``hover``) differ in shape, not only in colour, and nothing moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

THEMES: Final = ("auto", "light", "dark")
SPACE: Final = 40  # the side of a space

Accents = tuple[tuple[str, str], tuple[str, str]]
# The colours of the emblems and Realms of both seats, each on light and on dark pages.
ACCENTS: Final[Accents] = (("#c47a08", "#e09a25"), ("#2aa0b4", "#4fc3d6"))


def accent_variables(accents: Accents, theme: int) -> str:
    """Declare the accents for pictures: in the light theme (0) or the dark one (1)."""
    first, second = (colours[theme] for colours in accents)
    return f"--rt-amber:var(--piece-1-mark,{first});--rt-teal:var(--piece-2-mark,{second});"


def page_accents(accents: Accents) -> str:
    """Declare the accents for the page around a picture, so that its words mark the seats in the same colours."""
    colours = (f"--accent-{seat}:light-dark({light},{dark})" for seat, (light, dark) in enumerate(accents))
    return f":root{{{';'.join(colours)}}}"


# A page may override the colours of boards and pieces: see web/static/palette.css.
_LIGHT: Final = (
    "--rt-paper:#fff;--rt-field:var(--board-light,#ecdcb8);--rt-other:var(--board-dark,#dcc697);"
    "--rt-hair:var(--board-line,#c4a973);--rt-rule:var(--board-rule,#6b4f2b);--rt-center:var(--board-center,#f5e9cd);"
    "--rt-frame:var(--board-edge,#5a3f25);--rt-frame-ink:var(--board-edge-ink,#f3e5c8);"
    f"--rt-ink:#1b222c;--rt-line:var(--board-ink,#1b222c);--rt-soft:#535e6b;{accent_variables(ACCENTS, 0)}"
    "--rt-wash:.24;--rt-mark:var(--mark-last,#c2281a);--rt-pick:var(--mark-pick,#5b21b6);"
    "--rt-ivory:var(--piece-1,#fffaf0);--rt-ivory-edge:var(--piece-1-edge,#2c2117);"
    "--rt-black:var(--piece-2,#20252e);--rt-black-edge:var(--piece-2-edge,#f7efdf);"
    "--rt-ivory-down:#d8cdb8;--rt-black-down:#6a6f78"
)
_DARK: Final = (
    "--rt-paper:#1d232b;--rt-field:var(--board-light,#75603f);--rt-other:var(--board-dark,#655135);"
    "--rt-hair:var(--board-line,#4d3d27);--rt-rule:var(--board-rule,#2c2115);--rt-center:var(--board-center,#846d4a);"
    "--rt-frame:var(--board-edge,#2a1e13);--rt-frame-ink:var(--board-edge-ink,#d8c7a6);"
    f"--rt-ink:#e9edf2;--rt-line:var(--board-ink,#e9edf2);--rt-soft:#a9b3bf;{accent_variables(ACCENTS, 1)}"
    "--rt-wash:.26;--rt-mark:var(--mark-last,#ffa591);--rt-pick:var(--mark-pick,#e2cdff);"
    "--rt-ivory:var(--piece-1,#f6ecd8);--rt-ivory-edge:var(--piece-1-edge,#1c150d);"
    "--rt-black:var(--piece-2,#14181e);--rt-black-edge:var(--piece-2-edge,#e3d8c2);"
    "--rt-ivory-down:#b3a88f;--rt-black-down:#3d434c"
)


def check_theme(theme: str) -> None:
    """Raise ValueError unless a theme is one of `THEMES`."""
    if theme not in THEMES:
        raise ValueError(f"Unknown theme {theme!r}: choose one of {', '.join(THEMES)}.")


def _themes(scope: str, light: str, dark: str) -> str:
    return (
        f"{scope}{{{light}}}"
        f"@media(prefers-color-scheme:dark){{{scope}.rt-auto{{{dark}}}}}"
        f"[data-theme=light] {scope}.rt-auto{{{light}}}"
        f"{scope}.rt-dark,[data-theme=dark] {scope}.rt-auto{{{dark}}}"
    )


_PLAIN_RULES: Final = {
    "text": "fill:var(--rt-ink);font-size:14px",
    ".rt-paper": "fill:var(--rt-paper)",
    ".rt-field": "fill:var(--rt-field)",
    ".rt-other": "fill:var(--rt-other)",
    ".rt-lines": "fill:none;stroke:var(--rt-hair);stroke-width:.8",
    ".rt-rules": "fill:none;stroke:var(--rt-rule);stroke-width:1.8",
    ".rt-decor": "opacity:var(--board-decor,1)",
    ".rt-shine": "fill:none;stroke:#fff;stroke-width:1;stroke-opacity:.4;opacity:var(--board-light-fall,1)",
    ".rt-dark-side": "fill:none;stroke:#000;stroke-width:1;stroke-opacity:.13;opacity:var(--board-light-fall,1)",
    ".rt-edge-band": "fill:var(--rt-frame)",
    ".rt-gleam": "fill:none;stroke:#fff;stroke-width:1.2;stroke-opacity:.3;opacity:var(--board-light-fall,1)",
    ".rt-cast": "fill:#000;fill-opacity:.2;stroke:#000;stroke-opacity:.2;stroke-width:2.4;stroke-linejoin:round",
    ".rt-coordinates text": (
        "fill:var(--rt-frame-ink);font-size:9.5px;font-weight:600;text-anchor:middle;dominant-baseline:central;"
        "transform-box:fill-box;transform-origin:center"
    ),
    ".rt-turns": "transform-origin:50% 50%",
    ".rt-seat0": (
        "--rt-accent:var(--rt-amber);--rt-body:var(--rt-ivory);--rt-edge:var(--rt-ivory-edge);"
        "--rt-down:var(--rt-ivory-down)"
    ),
    ".rt-seat1": (
        "--rt-accent:var(--rt-teal);--rt-body:var(--rt-black);--rt-edge:var(--rt-black-edge);"
        "--rt-down:var(--rt-black-down)"
    ),
    ".rt-wash": "fill:var(--rt-accent);fill-opacity:var(--rt-wash)",
    ".rt-hold": "fill:none;stroke:var(--rt-accent);stroke-width:1.4",
    ".rt-hatch": "fill:none;stroke:var(--rt-accent);stroke-width:.8;stroke-opacity:.42",
    ".rt-space>rect": f"fill:none;pointer-events:all;width:{SPACE}px;height:{SPACE}px",
    ".rt-space>circle": f"display:none;pointer-events:none;fill:var(--rt-pick);cy:{SPACE / 2:g}px;r:4px",
    ".rt-space>g~circle": "fill:none;stroke:var(--rt-pick);r:18.6px",
    ".rt-space.lit>rect": "fill:var(--rt-pick);fill-opacity:.2;stroke:none",
    ".rt-space.lit>circle": "display:inline;stroke-width:2.2;stroke-dasharray:5 2.7",
    # A halo keeps the dashes visible on dark pieces.
    ".rt-space.lit>g~circle": "filter:drop-shadow(0 0 .7px var(--rt-field)) drop-shadow(0 0 .7px var(--rt-field))",
    ".rt-space.target>rect": "fill:var(--rt-pick);fill-opacity:.08;stroke:none",
    ".rt-space.target>circle": "display:inline;r:5.6px;stroke:var(--rt-field);stroke-width:1",
    ".rt-space.target>g~circle": "r:18px;stroke:var(--rt-pick);stroke-width:3.8;stroke-dasharray:none",
    ".rt-space.chosen>rect": "fill:var(--rt-pick);fill-opacity:.32;stroke:var(--rt-pick);stroke-width:2.6",
    ".rt-edge>rect": "fill:none;stroke:none;pointer-events:all",
    ".rt-edge>path": "display:none;fill:none;stroke:var(--rt-pick);stroke-width:1.8;pointer-events:none",
    ".rt-edge:is(.lit,.target,.chosen)>path": "display:inline",
    ".rt-edge>.rt-strip": "fill:var(--rt-pick);fill-opacity:.16;stroke-dasharray:5 3",
    ".rt-edge>.rt-out": "stroke-width:3;stroke-linecap:round;stroke-linejoin:round",
    "[data-handle]:focus": "outline:none",
    ".rt-center": "fill:var(--rt-center);stroke:var(--rt-rule);stroke-width:1.1",
    ".rt-body": (
        "fill:var(--rt-body);stroke:var(--rt-edge);stroke-width:calc(1.4px*var(--piece-edge-width,1));"
        "stroke-linejoin:round"
    ),
    ".rt-core": "fill:none;stroke:var(--rt-accent);stroke-width:2.2;stroke-linejoin:round",
    ".rt-down": (
        "fill:var(--rt-down);stroke:var(--rt-line);stroke-width:1.2;stroke-linejoin:round;stroke-dasharray:3.5 2"
    ),
    ".rt-cross": "fill:none;stroke:var(--rt-edge);stroke-width:2.8;stroke-linecap:round",
    ".rt-tiny": "fill:var(--rt-body);stroke:var(--rt-ink);stroke-linejoin:round",
    ".rt-none": "opacity:.7",
    ".rt-last": "fill:none;stroke:var(--rt-mark);stroke-width:2.2",
    ".rt-trail": "fill:none;stroke:var(--rt-mark);stroke-width:2;stroke-opacity:.75;stroke-linecap:round",
    ".rt-leap": "fill:none;stroke:var(--rt-mark);stroke-width:1.5;stroke-opacity:.6;stroke-linecap:round",
    ".rt-open": "fill:none;stroke:var(--rt-accent);stroke-width:3.6",
    ".rt-under": "stroke:var(--rt-field);stroke-width:4.6",
    ".rt-origin": "stroke-dasharray:9.5 6",
    ".rt-turn": "fill:var(--rt-accent)",
    ".rt-name": "font-weight:700",
    ".rt-words": "fill:var(--rt-soft)",
    ".rt-end": "text-anchor:end",
    ".rt-next": "fill:none;stroke:var(--rt-mark);stroke-width:2.5",
}


# These rules come last: the element under the pointer or with the focus. A page may also set the class `hover`.
_POINTED: Final = "display:inline;stroke:var(--rt-line);stroke-width:3;stroke-dasharray:none"
_HOVERED: Final = ".rt-board .rt-space:is(.lit,.target){0}>rect,.rt-board .rt-edge:is(.lit,.target){0}>.rt-strip"
_FOCUS: Final = (
    f"{_HOVERED.format('.hover')}{{{_POINTED}}}@media(hover:hover){{{_HOVERED.format(':hover')}{{{_POINTED}}}}}"
    f".rt-board .rt-space:focus-visible>rect,.rt-board .rt-edge:focus-visible>.rt-strip{{{_POINTED}}}"
)


def _rules(scope: str, rules: Mapping[str, str]) -> str:
    return "".join(f"{scope} {selector}{{{declarations}}}" for selector, declarations in rules.items())


# Identical on every board of every game, so several boards can be inlined in one page.
_COMMON: Final = (
    _themes(".rt-board", _LIGHT, _DARK)
    + ".rt-board{display:block;margin:auto;max-width:90rem;max-height:100vh;forced-color-adjust:none;"
    "font-family:Figtree,'Figtree Fallback',-apple-system,'Segoe UI',Roboto,'Noto Sans','Liberation Sans',sans-serif;"
    "font-variant-numeric:tabular-nums}" + _rules(".rt-board", _PLAIN_RULES) + _FOCUS
)


def style(name: str, rules: Mapping[str, str], light: str, dark: str) -> str:
    """Combine the common style with a game's rules, keyed by selector, and its variables for both themes."""
    # Two classes outrank the common rules even if another board repeats those later in the page.
    scope = f".rt-board.rt-{name}"
    own = _themes(scope, light, dark) if light or dark else ""
    return _COMMON + own + _rules(scope, rules)
