"""The choices made when a hand is scored (S2 to S5, S8)."""

from __future__ import annotations

from typing import NamedTuple

from realmtable.games.fantasy_realms.cards import CardId


class Choices(NamedTuple):
    """The choices made when a hand is scored."""

    eighth: CardId | None = None  # the card the Necromancer takes (S8)
    copies: tuple[tuple[CardId, CardId], ...] = ()  # a Wild card and what it becomes (S2, S3)
    book: tuple[CardId, str] | None = None  # the card the Book of Changes changes, and its new suit (S4)
    island: CardId | None = None  # the card Island clears (S5)
