"""Lists and numbers in words, for sentences of every game and of the server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

END_TURN_LABEL: Final = "End turn"  # of the button that ends a turn, in every game that has one


def join_words(words: Sequence[str], conjunction: str = "and") -> str:
    """Join words with commas and a conjunction before the last.

    >>> join_words(["one", "two", "three"]), join_words(["King", "Queen"], "or"), join_words(["King"])
    ('one, two and three', 'King or Queen', 'King')
    """
    return f" {conjunction} ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def end_sentence(text: str) -> str:
    """Return a text that comes from elsewhere with a full stop at its end, unless it ends a sentence already.

    >>> end_sentence("White won"), end_sentence("White won."), end_sentence("Ready?"), end_sentence("Thinking…")
    ('White won.', 'White won.', 'Ready?', 'Thinking…')
    """
    return text if text.endswith((".", "!", "?", "…")) else text + "."


def format_count(number: int, noun: str, plural: str = "") -> str:
    """Format a number and a noun; pass the plural if it does not just add an s.

    >>> format_count(1, "Base"), format_count(0, "Base"), format_count(2, "Ally", "Allies")
    ('1 Base', '0 Bases', '2 Allies')
    """
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def format_signed(points: int, plus: str = "+") -> str:
    """Format points with their sign, using a true minus sign.

    >>> format_signed(50), format_signed(-8), format_signed(7, plus="")
    ('+50', '−8', '7')
    """
    return f"{plus}{points}" if points >= 0 else f"−{-points}"
