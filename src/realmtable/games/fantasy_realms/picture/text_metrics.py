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

_USUAL: Final = 56
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


def width(text: str, size: float, font: float = SANS) -> float:
    """How wide a text is at most, in units of the picture.

    >>> round(width("Queen", 18)), round(width("Wild", 18, SERIF_BOLD))
    (59, 47)
    """
    return sum(_WIDTHS.get(letter, _USUAL) for letter in text) * size * font / 100


@lru_cache(maxsize=2048)
def lines(text: str, size: float, room: float, font: float = SANS) -> tuple[str, ...]:
    """The text in lines of at most so much room, broken at spaces; a word that is too long has a line of its own.

    >>> lines("+15 with a Wizard.", 18, 110)
    ('+15 with a', 'Wizard.')
    """
    broken: list[str] = []
    for word in text.split():
        longer = f"{broken[-1]} {word}" if broken else word
        if broken and width(longer, size, font) <= room:
            broken[-1] = longer
        else:
            broken.append(word)
    return tuple(broken)


def largest(text: str, sizes: Sequence[int], room: float, most: int, font: float = SANS) -> tuple[int, tuple[str, ...]]:
    """The largest of the sizes at which a text fits into at most so many lines, and these; else the last of them."""
    for size in sizes:
        broken = lines(text, size, room, font)
        if len(broken) <= most and all(width(line, size, font) <= room for line in broken):
            return size, broken
    return sizes[-1], lines(text, sizes[-1], room, font)


def cut(text: str, size: float, room: float, most: int = 1, font: float = SANS) -> tuple[str, ...]:
    """The text in at most so many lines; where it would go on, the last one ends with an ellipsis.

    >>> cut("one two three four", 18, 80), cut("one two three four", 18, 80, 2), cut("one", 18, 80)
    (('one tw…',), ('one two', 'three f…'), ('one',))
    """
    broken = lines(text, size, room, font)
    last = " ".join(broken[most - 1 :])
    if width(last, size, font) <= room:
        return broken
    while last and width(last + "…", size, font) > room:
        last = last[:-1]
    return (*broken[: most - 1], last.rstrip(" ,;:.") + "…")
