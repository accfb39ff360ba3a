"""Parts that the sections of the melee sheet share: its width, stacked sections, headings and plates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from realmtable.games.magic_realm.picture.action_chits import STAR
from realmtable.games.magic_realm.picture.geometry import translate
from realmtable.games.magic_realm.picture.style import text_element
from realmtable.kit.svg import Element, element

WIDTH: Final = 364  # about as many units as a small phone has pixels, so that texts are as large as they say
EDGE: Final = 6
ROOM: Final = WIDTH - 2 * EDGE
HEADING: Final = 20  # its height
LINE: Final = 16


class Section(NamedTuple):
    """A part of the sheet over its whole width."""

    parts: Sequence[Element]
    height: float


def stack(sections: Sequence[Section]) -> Section:
    """Return sections one below the other."""
    drawn, top = [], 0.0
    for section in sections:
        drawn.append(element("g", *section.parts, transform=translate((0, top))))
        top += section.height
    return Section(drawn, top)


def draw_heading(words: str, down: float = 14, left: float = EDGE) -> Element:
    """Draw the heading of a section."""
    return text_element(words, left, down, 13, "mr-left mr-bold")


def draw_lines(lines: Sequence[str], top: float, left: float, kind: str = "") -> list[Element]:
    """Draw short lines of text, the first one just below `top`."""
    return [
        text_element(line, left, top + 12 + LINE * row, 13, f"mr-left {kind}".strip()) for row, line in enumerate(lines)
    ]


def draw_stars(left: float, down: float, free: int, limit: int) -> list[Element]:
    """Draw the stars that can still be played, and hollow ones for those that cannot."""
    return [
        element(
            "path",
            class_="mr-star" if star < free else "mr-spent",
            d=STAR,
            transform=f"translate({left + 15 * star:g} {down:g}) scale(1.2)",
        )
        for star in range(limit)
    ]
