"""A picture made of rows of cells and lines of text, for browsers and for the terminal: enough for a small game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from realmtable.kit.picture_style import SPACE, check_theme, style
from realmtable.kit.svg import Element, PartedElement, document, element
from realmtable.kit.terminal_picture import Sketch, Span

LINE_HEIGHT: Final = 24
MARGIN: Final = 8
CHARACTER: Final = 8  # the width of a character of a line, at most
STYLE: Final = style(
    "cells",
    {
        ".rt-cell": "fill:var(--rt-field);stroke:var(--rt-rule);stroke-width:1",
        ".rt-cell-text": "font-size:20px;font-weight:600;text-anchor:middle;dominant-baseline:central",
    },
    "",
    "",
)


class Cell(NamedTuple):
    """A cell of a board: what is in it, and the handle of a click on it, if it can be clicked."""

    text: str = ""
    handle: str = ""


Row = str | Sequence[Cell]  # a line of text, or cells next to each other


def draw_rows(rows: Sequence[Row], title: str, theme: str = "auto") -> PartedElement:
    """Return rows as a complete SVG document; `theme` is one of `picture_style.THEMES`."""
    check_theme(theme)
    parts: dict[str, Element] = {}
    width, top = _width(rows), MARGIN
    for number, row in enumerate(rows):
        if isinstance(row, str):
            parts[f"row {number}"] = element("text", row, x=MARGIN, y=top + LINE_HEIGHT * 2 / 3)
            top += LINE_HEIGHT
            continue
        left = (width - len(row) * SPACE) / 2
        for column, cell in enumerate(row):
            parts[f"cell {number} {column}"] = _draw_cell(cell, left + column * SPACE, top)
        top += SPACE
    paper = element("rect", class_="rt-paper", width=width, height=top + MARGIN)
    return document(
        width,
        top + MARGIN,
        {"paper": paper, **parts},
        title=title,
        description=plain_rows(rows),
        style=STYLE,
        class_=f"rt-board rt-cells rt-{theme}",
        data_noun="cell",
        role="group",
    )


def _draw_cell(cell: Cell, x: float, y: float) -> Element:
    ground = element("rect", class_="rt-cell", width=SPACE, height=SPACE)
    text = element("text", cell.text, class_="rt-cell-text", x=SPACE / 2, y=SPACE / 2)
    parts = [ground, text]
    if cell.handle:
        words = f"{cell.handle}: {cell.text or 'empty'}"
        place = [element("rect"), element("circle", cx=SPACE / 2)]
        parts.append(
            element(
                "g", *place, class_="rt-space", role="button", tabindex=-1, data_handle=cell.handle, aria_label=words
            )
        )
    return element("g", *parts, transform=f"translate({x:g} {y:g})")


def _width(rows: Sequence[Row]) -> float:
    widths = [len(row) * (CHARACTER if isinstance(row, str) else SPACE) for row in rows]
    return max(widths, default=0) + 2 * MARGIN


def sketch_rows(rows: Sequence[Row]) -> Sketch:
    """Return rows for a terminal, as wide as their longest texts need; a point stands for an empty cell."""
    widest = max((len(cell.text) for row in rows if not isinstance(row, str) for cell in row), default=1)
    return [
        [Span(row)] if isinstance(row, str) else [Span(f"{cell.text or '.':^{widest}} ") for cell in row]
        for row in rows
    ]


def plain_rows(rows: Sequence[Row]) -> str:
    """Return rows as one text, for screen readers."""
    return "; ".join(row if isinstance(row, str) else " ".join(cell.text or "-" for cell in row) for row in rows)
