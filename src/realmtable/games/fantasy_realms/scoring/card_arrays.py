"""The cards laid out in arrays for the kernels of `total.py`, once for each way to read the rules (S3 to S7)."""

from __future__ import annotations

from collections.abc import Iterable, MutableSequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from realmtable.games.fantasy_realms.cards import BY_NAME, CARDS, SUITS, WILD, Card
from realmtable.games.fantasy_realms.effects import (
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

NO_NAME: Final = len(CARDS)  # a name that no card mentions
NONE: Final = -1  # no selector, no card
MIN_REWARDED: Final = 3  # of the runs and sets that are rewarded

# Columns of a line.
VERB, POINTS, OF, STRUCK, TWICE, LACKING, REQUIRED, REWARDS, IS_PENALTY = 0, 1, 2, 3, 4, 5, 6, 9, 10
COLUMNS: Final = 11
MAX_REQUIRED: Final = REWARDS - REQUIRED
SELECTOR_COLUMNS: Final = (OF, STRUCK, TWICE, LACKING, REQUIRED, REQUIRED + 1, REQUIRED + 2)
LINE_GONE: Final = -2  # in STRUCK: with the word struck out the line is gone

# Powers of a card.
NO_POWER, COPIES_HAND, COPIES_GAME, CHANGES_SUIT, TAKES_EIGHTH = range(5)

# Switches, in the order of `_Layout.switches`.
SEVERAL_RUNS, SEVERAL_SETS, RINGS_BLANK_OTHERS, BOOK_SUITS, PRINTED_BREAKS_TIES = range(5)


@dataclass(frozen=True)
class ScoringRules:
    """How the points are read that the rulebook leaves open; the names are those of the options (RULES.md)."""

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


# Where things lie in the tables. Names are card ids, and NOBODY; suits are places in ALL_SUITS, and NO_SUIT.
MAX_LINES: Final = 2 * len(CARDS)
MAX_SELECTORS: Final = 2 * len(CARDS)
MAX_REWARD_TABLES: Final = 4
NAME_COUNT: Final = len(CARDS) + 1
ANY_SUIT: Final = (1 << NO_SUIT + 1) - 1  # as bits
SUIT_OF: Final = 0  # by card, as printed
STRENGTH_OF: Final = SUIT_OF + NAME_COUNT
POWER_OF: Final = STRENGTH_OF + NAME_COUNT
SUITS_TAKEN: Final = POWER_OF + NAME_COUNT  # by card: the suits that COPIES_GAME or TAKES_EIGHTH may take, as bits
LINES_OF: Final = (
    SUITS_TAKEN + NAME_COUNT
)  # by card: its first line, the bonus before the penalty; the next card's ends them
PENALTY_OF: Final = LINES_OF + NAME_COUNT  # by card: the first line of its penalty
SWITCHES: Final = PENALTY_OF + NAME_COUNT
REWARD: Final = SWITCHES + 5  # NAMES entries a table, by count
LINE: Final = REWARD + MAX_REWARD_TABLES * NAME_COUNT  # COLUMNS entries a line
MATCHES: Final = LINE + MAX_LINES * COLUMNS  # NAMES entries a selector: the suits in which it means a name, as bits
SELF_MATCHES: Final = MATCHES + MAX_SELECTORS * NAME_COUNT  # the same, where it is the card that says so
TABLE_SIZE: Final = SELF_MATCHES + MAX_SELECTORS * NAME_COUNT

IntArray = MutableSequence[int]  # an array where kernels are compiled; interpreted, a list is much quicker


COMPILED: Final = is_compiling()  # as the kernels were made


def to_kernel_array(values: Iterable[int]) -> IntArray:
    """Numbers as kernels take them."""
    return np.array(list(values), dtype=np.int64) if COMPILED else list(values)  # type: ignore[return-value]


def card_arrays(reading: ScoringRules | None = None) -> IntArray:
    """All that the kernels know of the cards, for a way to read the rules. Not to be changed."""
    return _card_arrays(reading or ScoringRules())


@cache
def _card_arrays(reading: ScoringRules) -> IntArray:
    return to_kernel_array(_Layout(reading).entries())


def suit_number(card: Card, reading: ScoringRules) -> int:
    """A card's printed suit."""
    if card.suit == WILD and not reading.wild_is_suit:
        return NO_SUIT
    return ALL_SUITS.index(card.suit)


class _Layout:
    """Selectors and lines as they are numbered."""

    def __init__(self, reading: ScoringRules) -> None:
        self.reading = reading
        self.words = {entry["strike"] for card in CARDS for entry in card.bonus if "strike" in entry}
        self.selectors: list[tuple[Selector, bool]] = []  # and whether only what fits in both ways is meant
        self.rewards: list[list[int]] = [[0] * (len(CARDS) + 1)]

    def entries(self) -> list[int]:
        first, first_penalty, rows = [0], [], []
        for card in CARDS:
            rows += [self.encode_line(found, is_penalty=False) for found in bonus_lines(card)]
            first_penalty.append(len(rows))
            rows += [self.encode_line(found, is_penalty=True) for found in penalty_lines(card)]
            first.append(len(rows))
        reading = self.reading
        found = [0] * TABLE_SIZE
        for at, values in (
            (SUIT_OF, [suit_number(card, reading) for card in CARDS]),
            (STRENGTH_OF, [card.strength for card in CARDS]),
            (POWER_OF, [_power_number(card) for card in CARDS]),
            (
                SUITS_TAKEN,
                [_suit_mask(card_power(card, "suits") or card_power(card, "eighth") or ()) for card in CARDS],
            ),
            (LINES_OF, first),
            (PENALTY_OF, first_penalty),
            (SWITCHES, self.switches()),
            (REWARD, [points for rewards in self.rewards for points in rewards]),
            (LINE, [entry for row in rows for entry in row]),
            (MATCHES, self.match_table(of_itself=False)),
            (SELF_MATCHES, self.match_table(of_itself=True)),
        ):
            found[at : at + len(values)] = map(int, values)
        assert len(found) == TABLE_SIZE  # noqa: S101 - a new card may need more room
        return found

    def switches(self) -> list[int]:
        """What the kernels ask of the reading itself."""
        reading = self.reading
        together, printed = reading.ring == "together", reading.tie_break == "printed"
        return [reading.multi_runs, reading.multi_sets, together, self.book_suits(), printed]

    def book_suits(self) -> int:
        """The suits that the Book may give, as bits (S4)."""
        wild = 1 << (ALL_SUITS.index(WILD) if self.reading.wild_is_suit else NO_SUIT)
        return _suit_mask(SUITS) | (wild if self.reading.book_to_wild else 0)

    def encode_line(self, found: EffectLine, *, is_penalty: bool) -> list[int]:
        """A line as numbers."""
        held = [self.add_selector(chosen) for chosen in found.held]
        row = [NONE] * COLUMNS
        row[VERB], row[POINTS], row[IS_PENALTY] = found.verb, found.points, int(is_penalty)
        row[OF] = row[STRUCK] = self.add_selector(found.of)
        row[LACKING] = self.add_selector(found.lacking)
        row[REQUIRED : REQUIRED + len(held)] = held
        row[REWARDS] = self.add_rewards(found.rewards)
        if is_penalty and found.of is not None:
            row[STRUCK] = self.add_struck_selector(found)
        if found.verb == ADD and found.of is not None and found.of.names and not self.reading.forest_once_per_card:
            row[TWICE] = self.add_selector(found.of, both=True)
        return row

    def add_selector(self, chosen: Selector | None, *, both: bool = False) -> int:
        """The number of a selector."""
        if chosen is None:
            return NONE
        self.selectors.append((chosen, both))
        return len(self.selectors) - 1

    def add_struck_selector(self, found: EffectLine) -> int:
        """The selector of a penalty with the word struck out (S5)."""
        assert found.of is not None  # noqa: S101 - the caller has looked
        left = found.of
        for word in self.words:
            left = left.without_suit(word)
        if found.verb == BLANKED_UNLESS and not self.reading.dirigible_army_word:
            left = found.of
        return LINE_GONE if left.is_empty() else self.add_selector(left)

    def add_rewards(self, given: tuple[int, ...]) -> int:
        """The number of a table of rewards: nothing for fewer than three, the last for more than it has."""
        if not given:
            return 0
        counts = range(len(CARDS) + 1)
        self.rewards.append([0 if n < MIN_REWARDED else given[min(n - MIN_REWARDED, len(given) - 1)] for n in counts])
        return len(self.rewards) - 1

    def match_table(self, *, of_itself: bool) -> list[int]:
        """For every selector and name the suits in which it is meant, as bits; `of_itself`: by itself."""
        if of_itself and not self.reading.self_counts:
            return [0] * (len(self.selectors) * NAME_COUNT)
        return [suits for chosen, both in self.selectors for suits in self.selector_matches(chosen, both, of_itself)]

    def selector_matches(self, chosen: Selector, both: bool, of_itself: bool) -> list[int]:
        """The same for one selector; only names that it mentions are meant otherwise than the rest."""
        found = [0 if both else self.matching_suits(chosen, "", of_itself)] * NAME_COUNT
        for name in chosen.names | chosen.spared.keys():
            by_suit = self.matching_suits(chosen, name, of_itself)
            by_name = ANY_SUIT if name in chosen.names else 0
            found[BY_NAME[name].id] = by_suit & by_name if both else by_suit | by_name
        return found

    def matching_suits(self, chosen: Selector, name: str, of_itself: bool) -> int:
        """The suits for which a selector means a card of this name, as bits; "other" is never the card itself."""
        fewer = chosen.spared and not self.reading.wildfire_blanks_wild
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
