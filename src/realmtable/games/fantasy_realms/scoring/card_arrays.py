"""Encode the cards as arrays for the kernels of `total.py`, one for each set of scoring rules (S3 to S7)."""

from __future__ import annotations

from collections.abc import Iterable, MutableSequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Final

import numpy as np

from realmtable.games.fantasy_realms.cards import BY_NAME, CARDS, SUITS, WILD, Card
from realmtable.games.fantasy_realms.effect_parser import (
    ADD,
    ALL_SUITS,
    BLANKED_UNLESS,
    NO_SUIT,
    EffectLine,
    Selector,
    bonus_lines,
    card_power,
    penalty_lines,
)
from realmtable.kit.compile import is_compiling

NO_NAME: Final = len(CARDS)  # a name that no card has
NONE: Final = -1  # no selector, no card
MIN_REWARDED: Final = 3  # the smallest run or set that is rewarded

# Columns of a line.
VERB, POINTS, OF, STRUCK, TWICE, LACKING, REQUIRED, REWARDS, IS_PENALTY = 0, 1, 2, 3, 4, 5, 6, 9, 10
COLUMNS: Final = 11
MAX_REQUIRED: Final = REWARDS - REQUIRED
SELECTOR_COLUMNS: Final = (OF, STRUCK, TWICE, LACKING, REQUIRED, REQUIRED + 1, REQUIRED + 2)
LINE_GONE: Final = -2  # in STRUCK: striking the word removes the line

# Powers of a card.
NO_POWER, COPIES_HAND, COPIES_GAME, CHANGES_SUIT, TAKES_EIGHTH = range(5)

# Switches, in the order of `_Layout.switches`.
SEVERAL_RUNS, SEVERAL_SETS, RINGS_BLANK_OTHERS, BOOK_SUITS, PRINTED_BREAKS_TIES = range(5)


@dataclass(frozen=True)
class ScoringRules:
    """How to score where the rulebook leaves it open; the fields are named after the options (RULES.md)."""

    self_counts: bool = True
    ring: str = "inert"
    multi_runs: bool = True
    multi_sets: bool = True
    dirigible_army_word: bool = True
    book_to_wild: bool = False
    wild_is_suit: bool = True
    wildfire_blanks_wild: bool = True
    forest_once_per_card: bool = True
    tie_break: str = "counted"


SCORING_OPTIONS: Final = {field.name for field in fields(ScoringRules)}  # those that affect a score

# Offsets in the array. Names are card ids, and NO_NAME; suits are indices into ALL_SUITS, and NO_SUIT.
MAX_LINES: Final = 2 * len(CARDS)
MAX_SELECTORS: Final = 2 * len(CARDS)
MAX_REWARD_TABLES: Final = 4
NAME_COUNT: Final = len(CARDS) + 1
ANY_SUIT: Final = (1 << NO_SUIT + 1) - 1  # as bits
SUIT_OF: Final = 0  # by card, as printed
STRENGTH_OF: Final = SUIT_OF + NAME_COUNT
POWER_OF: Final = STRENGTH_OF + NAME_COUNT
SUITS_TAKEN: Final = POWER_OF + NAME_COUNT  # by card: the suits COPIES_GAME or TAKES_EIGHTH may take, as bits
LINES_OF: Final = SUITS_TAKEN + NAME_COUNT  # by card: its first line, bonus before penalty, up to the next card's first
PENALTY_OF: Final = LINES_OF + NAME_COUNT  # by card: the first line of its penalty
SWITCHES: Final = PENALTY_OF + NAME_COUNT
REWARD: Final = SWITCHES + 5  # NAME_COUNT entries per table, by count
LINE: Final = REWARD + MAX_REWARD_TABLES * NAME_COUNT  # COLUMNS entries per line
MATCHES: Final = LINE + MAX_LINES * COLUMNS  # NAME_COUNT entries per selector: the suits in which it matches a name
SELF_MATCHES: Final = MATCHES + MAX_SELECTORS * NAME_COUNT  # the same, for the card that has the selector
TABLE_SIZE: Final = SELF_MATCHES + MAX_SELECTORS * NAME_COUNT

IntArray = MutableSequence[int]  # an array for compiled kernels; a list is much faster when interpreted


COMPILED: Final = is_compiling()  # fixed when the kernels are defined


def to_kernel_array(values: Iterable[int]) -> IntArray:
    """Return numbers in the form the kernels take."""
    return np.array(list(values), dtype=np.int64) if COMPILED else list(values)  # type: ignore[return-value]


def card_arrays(scoring_rules: ScoringRules | None = None) -> IntArray:
    """Return everything the kernels know about the cards under some rules. Do not modify it."""
    return _card_arrays(scoring_rules or ScoringRules())


@cache
def _card_arrays(scoring_rules: ScoringRules) -> IntArray:
    return to_kernel_array(_Layout(scoring_rules).entries())


def suit_number(suit: str, scoring_rules: ScoringRules) -> int:
    """Return the number of a suit; an empty text stands for none."""
    if not suit or (suit == WILD and not scoring_rules.wild_is_suit):
        return NO_SUIT
    return ALL_SUITS.index(suit)


class _Layout:
    """Numbers selectors and lines, and lays out the array."""

    def __init__(self, scoring_rules: ScoringRules) -> None:
        self.scoring_rules = scoring_rules
        self.words = {entry["strike"] for card in CARDS for entry in card.bonus if "strike" in entry}
        self.selectors: list[tuple[Selector, bool]] = []  # with whether only cards that match by name and suit count
        self.rewards: list[list[int]] = [[0] * (len(CARDS) + 1)]

    def entries(self) -> list[int]:
        first, first_penalty, rows = [0], [], []
        for card in CARDS:
            rows += [self.encode_line(found, is_penalty=False) for found in bonus_lines(card)]
            first_penalty.append(len(rows))
            rows += [self.encode_line(found, is_penalty=True) for found in penalty_lines(card)]
            first.append(len(rows))
        taken = [card_power(card, "suits") or card_power(card, "eighth") or () for card in CARDS]
        scoring_rules = self.scoring_rules
        found = [0] * TABLE_SIZE
        for at, values in (
            (SUIT_OF, [suit_number(card.suit, scoring_rules) for card in CARDS]),
            (STRENGTH_OF, [card.strength for card in CARDS]),
            (POWER_OF, [_power_number(card) for card in CARDS]),
            (SUITS_TAKEN, [_suit_mask(suits) for suits in taken]),
            (LINES_OF, first),
            (PENALTY_OF, first_penalty),
            (SWITCHES, self.switches()),
            (REWARD, [points for rewards in self.rewards for points in rewards]),
            (LINE, [entry for row in rows for entry in row]),
            (MATCHES, self.match_table(of_itself=False)),
            (SELF_MATCHES, self.match_table(of_itself=True)),
        ):
            found[at : at + len(values)] = map(int, values)
        assert len(found) == TABLE_SIZE  # noqa: S101 - new cards may need more room
        return found

    def switches(self) -> list[int]:
        """Return the rules that the kernels check directly."""
        scoring_rules = self.scoring_rules
        together, printed = scoring_rules.ring == "together", scoring_rules.tie_break == "printed"
        return [scoring_rules.multi_runs, scoring_rules.multi_sets, together, self.book_suits(), printed]

    def book_suits(self) -> int:
        """Return the suits the Book may give, as bits (S4)."""
        wild = 1 << suit_number(WILD, self.scoring_rules)
        return _suit_mask(SUITS) | (wild if self.scoring_rules.book_to_wild else 0)

    def encode_line(self, found: EffectLine, *, is_penalty: bool) -> list[int]:
        held = [self.add_selector(chosen) for chosen in found.held]
        row = [NONE] * COLUMNS
        row[VERB], row[POINTS], row[IS_PENALTY] = found.verb, found.points, int(is_penalty)
        row[OF] = row[STRUCK] = self.add_selector(found.of)
        row[LACKING] = self.add_selector(found.lacking)
        row[REQUIRED : REQUIRED + len(held)] = held
        row[REWARDS] = self.add_rewards(found.rewards)
        if is_penalty and found.of is not None:
            row[STRUCK] = self.add_struck_selector(found)
        counts_names = found.verb == ADD and found.of is not None and bool(found.of.names)
        if counts_names and not self.scoring_rules.forest_once_per_card:
            row[TWICE] = self.add_selector(found.of, both=True)
        return row

    def add_selector(self, chosen: Selector | None, *, both: bool = False) -> int:
        if chosen is None:
            return NONE
        self.selectors.append((chosen, both))
        return len(self.selectors) - 1

    def add_struck_selector(self, found: EffectLine) -> int:
        """Add the selector of a penalty with the word struck out and return its number (S5)."""
        assert found.of is not None  # noqa: S101 - checked by the caller
        left = found.of
        for word in self.words:
            left = left.without_suit(word)
        if found.verb == BLANKED_UNLESS and not self.scoring_rules.dirigible_army_word:
            left = found.of
        return LINE_GONE if left.is_empty() else self.add_selector(left)

    def add_rewards(self, given: tuple[int, ...]) -> int:
        """Add a table of rewards and return its number: 0 for fewer than three, the last one beyond its end."""
        if not given:
            return 0
        counts = range(len(CARDS) + 1)
        self.rewards.append([0 if n < MIN_REWARDED else given[min(n - MIN_REWARDED, len(given) - 1)] for n in counts])
        return len(self.rewards) - 1

    def match_table(self, *, of_itself: bool) -> list[int]:
        """Return the matching suits of every selector and name, as bits; `of_itself`: for the selector's own card."""
        if of_itself and not self.scoring_rules.self_counts:
            return [0] * (len(self.selectors) * NAME_COUNT)
        return [suits for chosen, both in self.selectors for suits in self.selector_matches(chosen, both, of_itself)]

    def selector_matches(self, chosen: Selector, both: bool, of_itself: bool) -> list[int]:
        """Return the matching suits of every name for one selector; only the names it mentions differ from the rest."""
        found = [0 if both else self.matching_suits(chosen, "", of_itself)] * NAME_COUNT
        for name in chosen.names | chosen.spared.keys():
            by_suit = self.matching_suits(chosen, name, of_itself)
            by_name = ANY_SUIT if name in chosen.names else 0
            found[BY_NAME[name].id] = by_suit & by_name if both else by_suit | by_name
        return found

    def matching_suits(self, chosen: Selector, name: str, of_itself: bool) -> int:
        """Return the suits in which a selector matches this name, as bits; "other" never matches the card itself."""
        fewer = chosen.spared and not self.scoring_rules.wildfire_blanks_wild
        suits: tuple[str | None, ...] = SUITS if fewer else (*ALL_SUITS, None)
        return sum(
            1 << number
            for number, suit in enumerate(suits)
            if chosen.matches_suit(name, suit) and (not of_itself or suit is None or suit in chosen.suits)
        )


def _power_number(card: Card) -> int:
    copies = card_power(card, "copy")
    if copies:
        return COPIES_HAND if copies == "hand" else COPIES_GAME
    if card_power(card, "change"):
        return CHANGES_SUIT
    return TAKES_EIGHTH if card_power(card, "eighth") else NO_POWER


def _suit_mask(suits: tuple[str, ...]) -> int:
    return sum(1 << ALL_SUITS.index(suit) for suit in suits)
