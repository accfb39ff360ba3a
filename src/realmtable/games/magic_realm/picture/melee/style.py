"""Styles of the melee sheet. Pages allow only the style that all pictures of the game share, so it has them."""

from __future__ import annotations

from typing import Final

BEATS: Final = 5  # strikes of a melee that appear one after the other; further ones appear with the last of them
_BEAT_SECONDS: Final = 0.6
APPEAR: Final = "mr-appear"

MELEE_RULES: Final = {
    ".mr-left": "text-anchor:start",
    ".mr-right": "text-anchor:end",
    ".mr-column": "fill:var(--mr-slip);stroke:var(--mr-shore);stroke-width:1.6",
    ".mr-place": "fill:none;stroke:var(--mr-dim);stroke-opacity:.6;stroke-width:1.4;stroke-dasharray:4 3.5",
    ".mr-sign": "fill:var(--rt-ink);fill-rule:evenodd",
    ".mr-faint": "fill:var(--mr-dim);fill-opacity:.55;fill-rule:evenodd",
    ".mr-step": "fill:none;stroke:var(--mr-shore);stroke-width:1.3",
    ".mr-step.mr-now": "fill:var(--rt-ink);stroke:var(--rt-ink)",
    ".mr-step.mr-now+text": "fill:var(--rt-paper)",
    ".mr-part": "stroke-dasharray:5 2.5",
    ".mr-used": "opacity:.45",
    ".mr-spent": "fill:none;stroke:var(--mr-dim);stroke-width:1.1",
    ".mr-hit": "fill:#a3271c;stroke:#fff;stroke-width:1;stroke-linejoin:round",
    ".mr-miss": "fill:none;stroke:var(--rt-ink);stroke-width:2;stroke-linecap:round",
    ".mr-void": "fill:none;stroke:var(--mr-dim);stroke-width:2;stroke-dasharray:3 2.4",
    f".{APPEAR}": f"animation:{APPEAR} .45s ease-out backwards",
    **{f".mr-beat{beat}": f"animation-delay:{beat * _BEAT_SECONDS:g}s" for beat in range(1, BEATS)},
}
KEYFRAMES: Final = f"@keyframes {APPEAR}{{from{{opacity:0;transform:translateX(-10px)}}}}"
