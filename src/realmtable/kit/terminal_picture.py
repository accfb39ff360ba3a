"""Terminal pictures as lines of styled spans, so that games do not depend on a terminal library.

A style is one or more of the words below, separated by spaces; later words override earlier ones. A picture must be
readable without its styles: pipes, logs and screen readers get `plain_text`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

STYLE_WORDS: Final = {
    "plain": "text in the terminal's own colours",
    "title": "a name or a heading",
    "label": "coordinates and small print",
    "faint": "on the board but out of play",
    "active": "the seat to act",
    "seat0": "a piece or a word of seat 0",
    "seat1": "a piece or a word of seat 1",
    "line": "lines between parts of a board",
    "light": "ground of a board",
    "dark": "the other ground, where neighbouring parts differ",
    "held0": "ground that seat 0 controls",
    "held1": "ground that seat 1 controls",
    "center": "a special space of the board",
    "last": "a space of the latest step",
}


class Span(NamedTuple):
    """A run of text in one style."""

    text: str
    style: str = "plain"


Sketch = list[list[Span]]


def plain_text(sketch: Sketch) -> str:
    """Return the picture without its styles.

    >>> print(plain_text([[Span("a "), Span("b", "seat0")], [Span("c")]]))
    a b
    c
    """
    return "\n".join("".join(span.text for span in line) for line in sketch)


def width(line: list[Span]) -> int:
    """Return the number of characters in a line."""
    return sum(len(span.text) for span in line)


def pad_line(line: list[Span], columns: int) -> list[Span]:
    """Pad a line with spaces to a number of columns; longer lines are returned unchanged."""
    gap = columns - width(line)
    return [*line, Span(" " * gap)] if gap > 0 else line


def place_spans(spans: Mapping[int, Span]) -> list[Span]:
    """Return a line with spans at given columns.

    >>> plain_text([place_spans({6: Span("b"), 2: Span("a")})])
    '  a   b'
    """
    line: list[Span] = []
    column = 0
    for at in sorted(spans):
        line += [Span(" " * (at - column)), spans[at]]
        column = at + len(spans[at].text)
    return line


def join_side_by_side(left: Sketch, right: Sketch, gap: int = 2) -> Sketch:
    """Place two pictures side by side, aligned at the top; all lines of the result have the same width."""
    wide, narrow = (max(map(width, part), default=0) for part in (left, right))
    lines: Sketch = []
    for row in range(max(len(left), len(right))):
        first = pad_line(left[row] if row < len(left) else [], wide + gap)
        lines.append(pad_line([*first, *(right[row] if row < len(right) else [])], wide + gap + narrow))
    return lines
