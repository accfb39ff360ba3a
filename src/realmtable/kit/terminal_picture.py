"""Pictures for a terminal as lines of styled spans, so that a game can draw one without knowing any terminal library.

A style is a few of the words below with spaces between them, the later ones laid over the earlier. A picture has to be
readable by its characters alone: `plain_text` is what a pipe, a log or a screen reader gets.
"""

from __future__ import annotations

from typing import Final, NamedTuple

STYLE_WORDS: Final = {
    "plain": "text in the terminal's own colours",
    "title": "a name or a heading",
    "label": "coordinates and small print",
    "faint": "there, but out of play",
    "active": "whose turn it is",
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
    """The picture without its styles.

    >>> print(plain_text([[Span("a "), Span("b", "seat0")], [Span("c")]]))
    a b
    c
    """
    return "\n".join("".join(span.text for span in line) for line in sketch)


def width(line: list[Span]) -> int:
    """How many characters a line has."""
    return sum(len(span.text) for span in line)


def pad_line(line: list[Span], columns: int) -> list[Span]:
    """The line filled up with spaces to so many columns; a longer one stays as it is."""
    gap = columns - width(line)
    return [*line, Span(" " * gap)] if gap > 0 else line


def join_side_by_side(left: Sketch, right: Sketch, gap: int = 2) -> Sketch:
    """Two pictures side by side, top to top, every line of the result equally wide."""
    wide, narrow = (max(map(width, part), default=0) for part in (left, right))
    lines: Sketch = []
    for row in range(max(len(left), len(right))):
        first = pad_line(left[row] if row < len(left) else [], wide + gap)
        lines.append(pad_line([*first, *(right[row] if row < len(right) else [])], wide + gap + narrow))
    return lines
