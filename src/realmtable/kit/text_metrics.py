"""Estimate the width of text: a picture cannot reflow, so lines are broken without knowing the reader's fonts.

Widths are those of common sans-serif letters, multiplied by a factor so that every word fits in Figtree, the font of
our pages, and in most of the fonts that replace it where a picture is shown alone. Serif letters are the reader's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

SANS: Final = 1.09
SANS_BOLD: Final = 1.12
SERIF_BOLD: Final = 1.37
LEADING: Final = 1.16  # from line to line, as a multiple of the font size

_DEFAULT_WIDTH: Final = 56
_WIDTHS: Final = {
    letter: width
    for width, letters in {
        20: "'",
        22: "ijl",
        28: " !,./:;Ift·",
        33: "()-r",
        50: "Jcksvxyz",
        58: "+=−×",
        61: "FTZ",
        67: "ABEKPSVXY",
        72: "CDHNRUw",
        78: "GOQ",
        83: "Mm",
        94: "W",
        100: "…→",
    }.items()
    for letter in letters
}


def text_width(text: str, size: float, font: float = SANS) -> float:
    """Return the greatest width a text is likely to have, in picture units.

    >>> round(text_width("Queen", 18)), round(text_width("Wild", 18, SANS_BOLD))
    (59, 39)
    """
    return _add_widths(text) * size * font / 100


@lru_cache(maxsize=2048)
def _add_widths(text: str) -> float:
    return sum([_WIDTHS.get(letter, _DEFAULT_WIDTH) for letter in text])


@lru_cache(maxsize=2048)
def wrap_text(text: str, size: float, room: float, font: float = SANS) -> tuple[str, ...]:
    """Break a text at spaces into lines no wider than `room`; a word that is too long gets a separate line.

    >>> wrap_text("+15 with a Wizard.", 18, 110)
    ('+15 with a', 'Wizard.')
    """
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size, font) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(lines)


def fit_text(
    text: str, sizes: Sequence[int], room: float, max_lines: int, font: float = SANS
) -> tuple[int, tuple[str, ...]]:
    """Return the largest size at which a text fits into `max_lines`, or else the last size, and the lines."""
    for size in sizes:
        lines = wrap_text(text, size, room, font)
        if len(lines) <= max_lines and all(text_width(line, size, font) <= room for line in lines):
            return size, lines
    return sizes[-1], wrap_text(text, sizes[-1], room, font)


def truncate_text(text: str, size: float, room: float, max_lines: int = 1, font: float = SANS) -> tuple[str, ...]:
    """Break a text into at most `max_lines`; if it is cut short, the last line ends with an ellipsis.

    >>> truncate_text("one two three four", 18, 80), truncate_text("one", 18, 80)
    (('one tw…',), ('one',))
    >>> truncate_text("one two three four", 18, 80, 2)
    ('one two', 'three f…')
    """
    lines = wrap_text(text, size, room, font)
    last = " ".join(lines[max_lines - 1 :])
    if text_width(last, size, font) <= room:
        return lines
    while last and text_width(last + "…", size, font) > room:
        last = last[:-1]
    return (*lines[: max_lines - 1], last.rstrip(" ,;:.") + "…")
