"""Score hands in compiled code, with a cache.

Hands are bit masks here, one bit per card. Lookahead scores the same hands again and again, so the cache pays off.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from realmtable.games.fantasy_realms.cards import BY_NAME, CARDS, CardId
from realmtable.games.fantasy_realms.effect_parser import card_power
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.scoring.best_choices import best_total
from realmtable.games.fantasy_realms.scoring.card_arrays import (
    NO_NAME,
    POWER_OF,
    TAKES_EIGHTH,
    IntArray,
    card_arrays,
    to_kernel_array,
)
from realmtable.games.fantasy_realms.scoring.score import scoring_rules_of
from realmtable.games.fantasy_realms.scoring.workspace import MAX_CARDS, WORKSPACE_SIZE, new_workspace
from realmtable.kit.compile import kernel

Cards = int  # one bit per card

CACHE_SIZE: Final = 1 << 16  # cached hands
SEEN_SCALE: Final = 10  # of what a hand seems to be worth, so that a little sight is not rounded away
PROBES: Final = 8
# After the scoring workspace come the hand being scored, then the keys and the values of cached hands.
HAND_START: Final = WORKSPACE_SIZE
CACHE_KEYS: Final = HAND_START + MAX_CARDS
CACHE_VALUES: Final = CACHE_KEYS + CACHE_SIZE
CACHED_WORKSPACE_SIZE: Final = CACHE_VALUES + CACHE_SIZE


def new_cached_workspace() -> IntArray:
    """Return a scoring workspace with an empty cache; use it with a single set of scoring rules."""
    return to_kernel_array([*new_workspace(), *[0] * (CACHED_WORKSPACE_SIZE - WORKSPACE_SIZE)])


def mask_of(cards: Iterable[CardId]) -> Cards:
    """Return cards as a bit mask."""
    return sum(1 << card for card in cards)


def cards_of(mask: Cards) -> list[CardId]:
    """Return the cards in a bit mask, ascending."""
    return [card.id for card in CARDS if mask >> card.id & 1]


EIGHTH_CANDIDATES: Final = mask_of(
    card.id for card in CARDS if card.suit in card_power(BY_NAME["Necromancer"], "eighth")
)


@kernel
def lookup_worth(tables: IntArray, room: IntArray, hand: Cards) -> int:
    """Return what a hand is worth with its best choices, from the cache if possible."""
    at = (hand ^ hand >> 19 ^ hand >> 37) % CACHE_SIZE
    for probe in range(PROBES):
        slot = (at + probe) % CACHE_SIZE
        if room[CACHE_KEYS + slot] == hand:
            return room[CACHE_VALUES + slot]
        if room[CACHE_KEYS + slot] == 0:
            at = slot
            break
    found = compute_worth(tables, room, hand)
    room[CACHE_KEYS + at] = hand
    room[CACHE_VALUES + at] = found
    return found


@kernel
def compute_worth(tables: IntArray, room: IntArray, hand: Cards) -> int:
    """Score a hand without the cache."""
    size = 0
    card = 0
    while hand >> card:
        if hand >> card & 1:
            room[HAND_START + size] = card
            size += 1
        card += 1
    return best_total(tables, room[HAND_START : HAND_START + size], room)


@kernel
def final_worth(tables: IntArray, room: IntArray, hand: Cards, eligible: Cards) -> int:
    """Return what a hand is worth if its Necromancer may take one of the eligible cards (S8)."""
    found = lookup_worth(tables, room, hand)
    for taker in range(NO_NAME):
        if hand >> taker & 1 and tables[POWER_OF + taker] == TAKES_EIGHTH:
            for card in range(NO_NAME):
                if eligible & ~hand & 1 << card:
                    found = max(found, lookup_worth(tables, room, hand | 1 << card))
    return found


@dataclass
class HandValues:
    """Scores hands under some options and caches the results."""

    options: FantasyOptions
    workspace: IntArray = field(default_factory=new_cached_workspace)

    def __post_init__(self) -> None:
        """Build the card arrays."""
        self.tables = card_arrays(scoring_rules_of(self.options))

    def worth(self, hand: Cards) -> int:
        """Return what a hand is worth."""
        return int(lookup_worth(self.tables, self.workspace, hand))

    def final_worth(self, hand: Cards, discard: Cards) -> int:
        """Return what a hand is worth if the game ends with this discard area."""
        return int(final_worth(self.tables, self.workspace, hand, discard & EIGHTH_CANDIDATES))


@dataclass(frozen=True)
class SeenHandValues:
    """Values hands as a player does who sees the strengths, but only a part of what cards do to each other."""

    true_values: HandValues
    sight: float  # the part

    def worth(self, hand: Cards) -> int:
        """Return what a hand seems to be worth."""
        return self._as_seen(hand, self.true_values.worth(hand))

    def final_worth(self, hand: Cards, discard: Cards) -> int:
        """Return what a hand seems to be worth if the game ends with this discard area."""
        return self._as_seen(hand, self.true_values.final_worth(hand, discard))

    def _as_seen(self, hand: Cards, worth: int) -> int:
        strengths = sum(CARDS[card].strength for card in cards_of(hand))
        return round(SEEN_SCALE * (strengths + self.sight * (worth - strengths)))


@cache
def hand_values_for(options: FantasyOptions) -> HandValues:
    """Return the `HandValues` of some options, shared so that its cache is."""
    return HandValues(options)
