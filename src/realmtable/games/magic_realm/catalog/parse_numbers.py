"""Whole numbers in texts: steps, positions and maps read them here."""

from __future__ import annotations

from typing import Final

SHORT: Final = 2  # digits


def parse_number(text: str, most_digits: int) -> int | None:
    """Return the whole number that a text stands for; nothing if it stands for none or has too many digits.

    >>> parse_number("-012", 3)
    -12
    """
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= most_digits else None


def parse_short_number(text: str) -> int | None:
    """Return a number from -99 to 99, which has only one spelling; nothing for other texts."""
    number = parse_number(text, SHORT)
    return number if str(number) == text else None
