"""Colours and styles of the Realm boards, identical in every picture so that several can share a page.

A game adds variables and rules. The classes that a page toggles on elements with a ``data-handle`` (``lit``,
``target``, ``chosen``, ``hover``) differ in shape, not only in colour, and nothing moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

THEMES: Final = ("auto", "light", "dark")
SPACE: Final = 40  # the side of a space

_LIGHT: Final = (
    "--rt-paper:#f5efe2;--rt-rim:#d8ccb2;--rt-field:#fbf7ed;--rt-other:#f1e9d8;--rt-hair:#cdbf9f;--rt-rule:#5d5140;"
    "--rt-ink:#2c261d;--rt-soft:#6b5f4c;--rt-amber:#cf8a10;--rt-teal:#12788c;--rt-wash:.17;--rt-mark:#b3311f;--rt-pick:#2a7a3b;"
    "--rt-ivory:#fffcf3;--rt-ivory-edge:#2c261d;--rt-black:#1d222b;--rt-black-edge:#fdf9ef;"
    "--rt-ivory-down:#ddd5c3;--rt-black-down:#666b75"
)
_DARK: Final = (
    "--rt-paper:#191b20;--rt-rim:#33363e;--rt-field:#262a31;--rt-other:#2d3139;--rt-hair:#434853;--rt-rule:#a1977f;"
    "--rt-ink:#efe8d8;--rt-soft:#b3ab9a;--rt-amber:#e0a23a;--rt-teal:#45b3c8;--rt-wash:.17;--rt-mark:#ff8468;--rt-pick:#7fd58d;"
    "--rt-ivory:#f5eddb;--rt-ivory-edge:#14120e;--rt-black:#0b0d11;--rt-black-edge:#d9d2c2;"
    "--rt-ivory-down:#aea797;--rt-black-down:#31353d"
)


def _themes(scope: str, light: str, dark: str) -> str:
    return (
        f"{scope}{{{light}}}"
        f"@media(prefers-color-scheme:dark){{{scope}.rt-auto{{{dark}}}}}"
        f"[data-theme=light] {scope}.rt-auto{{{light}}}"
        f"{scope}.rt-dark,[data-theme=dark] {scope}.rt-auto{{{dark}}}"
    )


_PLAIN_RULES: Final = {
    "text": "fill:var(--rt-ink);font-size:15px",
    ".rt-paper": "fill:var(--rt-paper);stroke:var(--rt-rim)",
    ".rt-field": "fill:var(--rt-field)",
    ".rt-other": "fill:var(--rt-other)",
    ".rt-lines": "fill:none;stroke:var(--rt-hair);stroke-width:.8",
    ".rt-rules": "fill:none;stroke:var(--rt-rule);stroke-width:1.8",
    ".rt-frame": "fill:none;stroke:var(--rt-rule);stroke-width:.8",
    ".rt-coordinates text": "fill:var(--rt-soft);text-anchor:middle;dominant-baseline:central",
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
    ".rt-space.lit>rect": "fill:var(--rt-pick);fill-opacity:.13;stroke:none",
    ".rt-space.lit>circle": "display:inline;stroke-width:2.2;stroke-dasharray:5 2.7",
    ".rt-space.target>rect": "fill:var(--rt-pick);fill-opacity:.07;stroke:none",
    ".rt-space.target>circle": "display:inline;r:6.5px;stroke:var(--rt-field);stroke-width:1",
    ".rt-space.target>g~circle": "r:18px;stroke:var(--rt-pick);stroke-width:3.8;stroke-dasharray:none",
    ".rt-space.chosen>rect": "fill:var(--rt-pick);fill-opacity:.32;stroke:var(--rt-pick);stroke-width:2.6",
    ".rt-edge>rect": "fill:none;stroke:none;pointer-events:all",
    ".rt-edge>path": "display:none;fill:none;stroke:var(--rt-pick);stroke-width:1.8;pointer-events:none",
    ".rt-edge:is(.lit,.target,.chosen)>path": "display:inline",
    ".rt-edge>.rt-strip": "fill:var(--rt-pick);fill-opacity:.16;stroke-dasharray:5 3",
    ".rt-edge>.rt-out": "stroke-width:3;stroke-linecap:round;stroke-linejoin:round",
    "[data-handle]:focus": "outline:none",
    ".rt-center": "fill:var(--rt-field);stroke:var(--rt-rule);stroke-width:1.1",
    ".rt-body": "fill:var(--rt-body);stroke:var(--rt-edge);stroke-width:1.5;stroke-linejoin:round",
    ".rt-core": "fill:none;stroke:var(--rt-accent);stroke-width:1.7;stroke-linejoin:round",
    ".rt-down": (
        "fill:var(--rt-down);stroke:var(--rt-ink);stroke-width:1.2;stroke-linejoin:round;stroke-dasharray:3.5 2"
    ),
    ".rt-cross": "fill:none;stroke:var(--rt-edge);stroke-width:2.8;stroke-linecap:round",
    ".rt-tiny": "fill:var(--rt-body);stroke:var(--rt-edge);stroke-linejoin:round",
    ".rt-none": "opacity:.35",
    ".rt-last": "fill:none;stroke:var(--rt-mark);stroke-width:2.2",
    ".rt-trail": "fill:none;stroke:var(--rt-mark);stroke-width:2;stroke-opacity:.75;stroke-linecap:round",
    ".rt-leap": "fill:none;stroke:var(--rt-mark);stroke-width:1.5;stroke-opacity:.6;stroke-linecap:round",
    ".rt-open": "fill:none;stroke:var(--rt-accent);stroke-width:3.6",
    ".rt-under": "stroke:var(--rt-field);stroke-width:4.6",
    ".rt-origin": "stroke-dasharray:9.5 6",
    ".rt-turn": "fill:var(--rt-accent)",
    ".rt-name": "font-size:17px;font-weight:700",
    ".rt-words": "font-style:italic",
    ".rt-small": "fill:var(--rt-soft);font-size:14px",
    ".rt-end": "text-anchor:end",
    ".rt-next": "fill:none;stroke:var(--rt-mark);stroke-width:2.5",
}


# These rules come last: the element under the pointer or with the focus. A page may also set the class `hover`.
_POINTED: Final = "display:inline;stroke:var(--rt-ink);stroke-width:3;stroke-dasharray:none"
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
    "font-family:'Iowan Old Style','Palatino Linotype',Palatino,'Book Antiqua','Noto Serif','DejaVu Serif',serif;"
    "font-variant-numeric:lining-nums}" + _rules(".rt-board", _PLAIN_RULES) + _FOCUS
)


def style(name: str, rules: Mapping[str, str], light: str, dark: str) -> str:
    """Combine the common style with a game's rules, keyed by selector, and its variables for both themes."""
    # Two classes outrank the common rules even if another board repeats those later in the page.
    scope = f".rt-board.rt-{name}"
    own = _themes(scope, light, dark) if light or dark else ""
    return _COMMON + own + _rules(scope, rules)
