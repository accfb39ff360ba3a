"""How much room a text takes: a picture cannot reflow, so lines are broken before anybody knows the reader's fonts.

Widths are those of common sans-serif letters, made wider by a factor for each font, so that the widest of the fonts
that a reader is likely to have still fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

SANS: Final = 1.09
SANS_BOLD: Final = 1.2
SERIF_BOLD: Final = 1.36

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
    """How wide a text is at most, in units of the picture.

    >>> round(text_width("Queen", 18)), round(text_width("Wild", 18, SERIF_BOLD))
    (59, 47)
    """
    return sum(_WIDTHS.get(letter, _DEFAULT_WIDTH) for letter in text) * size * font / 100


@lru_cache(maxsize=2048)
def wrap_text(text: str, size: float, room: float, font: float = SANS) -> tuple[str, ...]:
    """The text in lines of at most so much room, broken at spaces; a word that is too long has a line of its own.

    >>> wrap_text("+15 with a Wizard.", 18, 110)
    ('+15 with a', 'Wizard.')
    """
    broken: list[str] = []
    for word in text.split():
        longer = f"{broken[-1]} {word}" if broken else word
        if broken and text_width(longer, size, font) <= room:
            broken[-1] = longer
        else:
            broken.append(word)
    return tuple(broken)


def fit_text(
    text: str, sizes: Sequence[int], room: float, most: int, font: float = SANS
) -> tuple[int, tuple[str, ...]]:
    """The largest of the sizes at which a text fits into at most so many lines, and these; else the last of them."""
    for size in sizes:
        broken = wrap_text(text, size, room, font)
        if len(broken) <= most and all(text_width(line, size, font) <= room for line in broken):
            return size, broken
    return sizes[-1], wrap_text(text, sizes[-1], room, font)


def truncate_text(text: str, size: float, room: float, most: int = 1, font: float = SANS) -> tuple[str, ...]:
    """The text in at most so many lines; where it would go on, the last one ends with an ellipsis.

    >>> truncate_text("one two three four", 18, 80), truncate_text("one", 18, 80)
    (('one tw…',), ('one',))
    >>> truncate_text("one two three four", 18, 80, 2)
    ('one two', 'three f…')
    """
    broken = wrap_text(text, size, room, font)
    last = " ".join(broken[most - 1 :])
    if text_width(last, size, font) <= room:
        return broken
    while last and text_width(last + "…", size, font) > room:
        last = last[:-1]
    return (*broken[: most - 1], last.rstrip(" ,;:.") + "…")
