"""The choices that a player makes when a hand is scored (S2 to S5, S8)."""

from __future__ import annotations

from typing import NamedTuple

from realmtable.games.fantasy_realms.cards import CardId


class Choices(NamedTuple):
    """What a player chooses at the scoring."""

    eighth: CardId | None = None  # the card the Necromancer takes (S8)
    copies: tuple[tuple[CardId, CardId], ...] = ()  # a Wild, and what it became (S2, S3)
    book: tuple[CardId, str] | None = None  # the card that the Book of Changes changes, and its suit (S4)
    island: CardId | None = None  # the card that Island clears (S5)
