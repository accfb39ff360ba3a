"""What the seat chips of the Realm games share: icons made of the shapes of pieces, and counts that leave out zeros."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from realmtable.engine.table_parts import SeatFact
from realmtable.kit.svg import element

_PIECE_SIDE: Final = 40  # of the box in which pieces are drawn, around its middle
_ICON_SIDE: Final = 24


def make_icons(shapes: Mapping[str, str]) -> dict[str, str]:
    """Return icons by name from paths that are drawn as pieces are."""
    turn = f"translate({_ICON_SIDE // 2} {_ICON_SIDE // 2}) scale({_ICON_SIDE / _PIECE_SIDE})"
    return {
        name: str(element("path", d=shape, transform=turn, fill="currentColor", fill_rule="evenodd"))
        for name, shape in shapes.items()
    }


def count_facts(*facts: tuple[str, int, str]) -> tuple[SeatFact, ...]:
    """Return a fact for each icon, count and label whose count is not zero."""
    return tuple(SeatFact(icon, str(count), label) for icon, count, label in facts if count)
