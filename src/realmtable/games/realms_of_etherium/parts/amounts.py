"""Prices and what is missing of them, in a few words."""

from __future__ import annotations

from realmtable.engine.language import translate
from realmtable.games.realms_of_etherium.tiles.manifest import Cost


def price_words(cost: Cost) -> str:
    """Return a price; empty for nothing.

    >>> price_words(Cost(1, 3)), price_words(Cost(0, 2)), price_words(Cost(0, 0))
    ('1 White, 3 Black', '2 Black', '')
    """
    if cost.white and cost.black:
        return translate("{white} White, {black} Black", white=cost.white, black=cost.black)
    if cost.white:
        return translate("{white} White", white=cost.white)
    return translate("{black} Black", black=cost.black) if cost.black else ""


def missing_words(cost: Cost, has: Cost) -> str:
    """Return what is missing of a price; empty if nothing is.

    >>> missing_words(Cost(1, 3), Cost(0, 1)), missing_words(Cost(1, 0), Cost(2, 0))
    ('1 White and 2 Black short', '')
    """
    white, black = max(0, cost.white - has.white), max(0, cost.black - has.black)
    if white and black:
        return translate("{white} White and {black} Black short", white=white, black=black)
    if white:
        return translate("{white} White short", white=white)
    return translate("{black} Black short", black=black) if black else ""
