"""Helpers that describe the steps of the Realm games in words, and the button labels that the games share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from realmtable.kit.realm_board import FACINGS

COMPASS: Final = ("north", "east", "south", "west")  # in the order of `FACINGS`
_ARROWS: Final = "▲►▼◄"  # browsers show none of these as an emoji

LABELS: Final[Mapping[str, str]] = {
    "end": "End turn",
    "pass": "Pass",
    **{f"face:{FACINGS[way]}": f"{_ARROWS[way]} facing {COMPASS[way]}" for way in range(4)},
}


def with_effects(head: str, effects: Sequence[str]) -> str:
    """Join a step and its effects into one sentence without a full stop.

    >>> with_effects("Frog from b2 to e5", ["dunking a frog", "rescuing one"])
    'Frog from b2 to e5, dunking a frog and rescuing one'
    >>> with_effects("Pass", [])
    'Pass'
    """
    if not effects:
        return head
    return f"{head}, {join_words(effects)}"


def join_words(parts: Sequence[str]) -> str:
    """Join words with commas and a final "and".

    >>> join_words(["one", "two", "three"])
    'one, two and three'
    """
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))
