"""What hands are worth, in compiled code, remembered.

Hands and pools are masks here, a bit for each card. Whoever thinks ahead asks for the same hands again and again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from realmtable.games.fantasy_realms.cards import BY_NAME, CARDS, CardId
from realmtable.games.fantasy_realms.effects import power
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.scoring.api import reading_of
from realmtable.games.fantasy_realms.scoring.best_choices import best_total
from realmtable.games.fantasy_realms.scoring.card_arrays import NOBODY, POWER_OF, TAKES_EIGHTH, Numbers, numbers, tables
from realmtable.games.fantasy_realms.scoring.workspace import DESK, MOST_CARDS, new_desk
from realmtable.kit.compile import kernel

Cards = int  # a bit for each card

MEMO: Final = 1 << 16  # hands that are remembered
PROBES: Final = 8
# Behind the desk lie the hand that is scored, then the keys and the worths of remembered hands.
HAND: Final = DESK
KEYS: Final = HAND + MOST_CARDS
WORTHS: Final = KEYS + MEMO
ROOM: Final = WORTHS + MEMO
FULL: Final = 7  # cards in a hand


def new_room() -> Numbers:
    """Room to think in: a desk, and a memory of hands. It is good for one way to read the rules."""
    return numbers([*new_desk(), *[0] * (ROOM - DESK)])


def mask_of(cards: Iterable[CardId]) -> Cards:
    """Cards as bits."""
    return sum(1 << card for card in cards)


def cards_of(mask: Cards) -> list[CardId]:
    """The cards of some bits, rising."""
    return [card.id for card in CARDS if mask >> card.id & 1]


EIGHTHS: Final = mask_of(card.id for card in CARDS if card.suit in power(BY_NAME["Necromancer"], "eighth"))


@kernel
def worth(tables: Numbers, room: Numbers, hand: Cards) -> int:
    """What a hand is worth with its best choices, remembered."""
    at = (hand ^ hand >> 19 ^ hand >> 37) % MEMO
    for probe in range(PROBES):
        slot = (at + probe) % MEMO
        if room[KEYS + slot] == hand:
            return room[WORTHS + slot]
        if room[KEYS + slot] == 0:
            at = slot
            break
    found = score_mask(tables, room, hand)
    room[KEYS + at] = hand
    room[WORTHS + at] = found
    return found


@kernel
def score_mask(tables: Numbers, room: Numbers, hand: Cards) -> int:
    """What a hand is worth, scored anew."""
    size = 0
    card = 0
    while hand >> card:
        if hand >> card & 1:
            room[HAND + size] = card
            size += 1
        card += 1
    return best_total(tables, room[HAND : HAND + size], room)


@kernel
def final_worth(tables: Numbers, room: Numbers, hand: Cards, eligible: Cards) -> int:
    """What a hand is worth when its Necromancer may take one of some cards (S8)."""
    found = worth(tables, room, hand)
    for taker in range(NOBODY):
        if hand >> taker & 1 and tables[POWER_OF + taker] == TAKES_EIGHTH:
            for card in range(NOBODY):
                if eligible & ~hand & 1 << card:
                    found = max(found, worth(tables, room, hand | 1 << card))
    return found


@dataclass
class Thinker:
    """What one is thinking with: tables of a reading, and room that remembers hands."""

    options: FantasyOptions
    room: Numbers = field(default_factory=new_room)

    def __post_init__(self) -> None:
        """Lay out the tables."""
        self.tables = tables(reading_of(self.options))

    def worth(self, hand: Cards) -> int:
        """What a hand is worth."""
        return int(worth(self.tables, self.room, hand))

    def final_worth(self, hand: Cards, lying: Cards) -> int:
        """What a hand is worth if the game ends with these cards in the discard area."""
        return int(final_worth(self.tables, self.room, hand, lying & EIGHTHS))


@cache
def thinker(options: FantasyOptions) -> Thinker:
    """The one who thinks under some options; there is one, for it remembers hands."""
    return Thinker(options)
