"""Small text helpers shared by scoring, bots and pictures."""

from __future__ import annotations

from collections.abc import Sequence


def join_with_and(words: Sequence[str]) -> str:
    """Join words with commas and a final "and".

    >>> join_with_and(["King"]), join_with_and(["King", "Queen", "Knights"])
    ('King', 'King, Queen and Knights')
    """
    return _join(words, "and")


def join_with_or(words: Sequence[str]) -> str:
    """Join words with commas and a final "or".

    >>> join_with_or(["King", "Queen"])
    'King or Queen'
    """
    return _join(words, "or")


def _join(words: Sequence[str], conjunction: str) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {conjunction} {words[-1]}"


def format_count(count: int, noun: str) -> str:
    """Format a number and its noun, in the plural where needed.

    >>> format_count(1, "card"), format_count(0, "card")
    ('1 card', '0 cards')
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"


def format_signed(points: int, plus: str = "+") -> str:
    """Format points with their sign, using a true minus sign.

    >>> format_signed(50), format_signed(-8), format_signed(7, plus="")
    ('+50', '−8', '7')
    """
    return f"{plus}{points}" if points >= 0 else f"−{-points}"
