"""The choices made when a hand is scored (S2 to S5, S8)."""

from __future__ import annotations

from typing import NamedTuple

from realmtable.games.fantasy_realms.cards import CARDS, CardId
from realmtable.games.fantasy_realms.scoring.hand_text import FixedChoice, choice_kind


class Choices(NamedTuple):
    """The choices made when a hand is scored."""

    eighth: CardId | None = None  # the card the Necromancer takes (S8)
    copies: tuple[tuple[CardId, CardId], ...] = ()  # a Wild card and what it becomes (S2, S3)
    book: tuple[CardId, str] | None = None  # the card the Book of Changes changes, and its new suit (S4)
    island: CardId | None = None  # the card Island clears (S5)

    def of(self, chooser: CardId) -> FixedChoice:
        """Return what a card has chosen."""
        kind = choice_kind(CARDS[chooser])
        if kind == "copy":
            return dict(self.copies).get(chooser)
        return {"change": self.book, "clear_one": self.island, "eighth": self.eighth}[kind]
