"""The most a hand can be worth, told quickly: for looking through all hands of the game.

`upper_bound` is never below the best total, however the rules are read. Why, with S2 to S5 taken as *changes*, each of
one card (the copies of Doppelgänger, Mirage and Shapeshifter, and the suit that the Book gives):

- Penalties only take points away or blank cards, so they are left out, and clearing and striking with them. A blanked
  card is no longer counted, which gives nobody points but where a line asks that cards are *not* there (*without*,
  World Tree): such a line is taken as met.
- *For each*: a change makes at most one more card one that is meant, and only if it can: Mirage and Shapeshifter if a
  card they may become is meant, Doppelgänger if a card held is, the Book if a card is meant in another suit.
- *With*: a change meets at most one more of the things asked for, so there must be as many able ones as are missing.
- Strengths: Mirage and Shapeshifter have none. Doppelgänger adds that of a card held, and to a sum of strengths that
  of a card meant; the Book adds to it that of a card that is not.
- Runs: only Doppelgänger changes a strength, to that of a card held. Blanking a card makes no run that was not there
  before, and a longer run gives at least what its parts would.
- Sets: Mirage, Shapeshifter and the Book bring at most one card each to one suit. Doppelgänger brings none: the name it
  bears is counted in that suit already, and where the Book parts the two that was the Book's card.

It is told for a part of a hand, too, whatever cards may join it. Each is then taken as meant by every line and as
meeting one thing asked for, and one of them as a Book, which brings a second card.

What this rests on in the cards (no line gives less than nothing, no card meets two things asked for by one line, how
runs and sets are rewarded) is checked in the tests.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final

from realmtable.games.fantasy_realms.cards import CARDS
from realmtable.games.fantasy_realms.effects import (
    ADD,
    DIFFER,
    NO_SUIT,
    RUNS,
    SETS,
    STRENGTHS,
    STRONGEST,
)
from realmtable.games.fantasy_realms.scoring.card_arrays import (
    BOOK_SUITS,
    CHANGES_SUIT,
    COLUMNS,
    COPIES_GAME,
    COPIES_HAND,
    LINE,
    LINES_OF,
    MATCHES,
    MAX_REQUIRED,
    NAME_COUNT,
    OF,
    PENALTY_OF,
    POINTS,
    POWER_OF,
    REQUIRED,
    REWARD,
    REWARDS,
    SELF_MATCHES,
    STRENGTH_OF,
    SUIT_OF,
    SUITS_TAKEN,
    SWITCHES,
    TWICE,
    VERB,
    IntArray,
    ScoringRules,
    card_arrays,
    to_kernel_array,
)
from realmtable.games.fantasy_realms.scoring.total import longest_run_points
from realmtable.games.fantasy_realms.scoring.workspace import Hand
from realmtable.kit.bits import count_bits
from realmtable.kit.compile import kernel

Cards = int  # a bit for each card
BoundOffset = int  # where a line's entries begin

# Entries of a line; of a choice of cards: who is meant as printed, whose copy would be, and whose change can add one.
LINE_VERB, LINE_POINTS, REWARD_TABLE = 0, 1, 2
GREATEST_STRENGTH = 3  # the greatest strength of those meant in the whole game
COUNTED, COUNTED_TWICE, REQUIRED_CARDS = 4, 7, 10  # like OF, TWICE and HELD of the tables
COPIED, CHANGED = 1, 2  # behind who is meant
CHOICE_WIDTH: Final = 3
LINE_WIDTH: Final = REQUIRED_CARDS + CHOICE_WIDTH * MAX_REQUIRED

# Where things lie.
FIRST_LINE: Final = 0  # by card: its first line; the next card's ends them
HAND_COPIERS: Final = NAME_COUNT  # the cards that copy one of the hand
SUIT_CHANGERS: Final = NAME_COUNT + 1  # the cards that change a suit
SUIT_MOVERS: Final = NAME_COUNT + 2  # the cards that bring one to another suit
TOP_STRENGTH: Final = NAME_COUNT + 3  # the greatest of the game
LINE_BOUNDS: Final = NAME_COUNT + 4

FULL_SET: Final = 5  # more cards of a suit are not rewarded

POINT_VERBS: Final = (ADD, STRENGTHS, STRONGEST, RUNS, SETS, DIFFER)


# ---- the limits of every line, laid out once


@cache
def line_bound_table(reading: ScoringRules | None = None) -> IntArray:
    """What `upper_bound` knows of the cards, for a way to read the rules. Not to be changed."""
    table = card_arrays(reading)
    first, rows = [0], []
    for card in range(len(CARDS)):
        lines = range(int(table[LINES_OF + card]), int(table[PENALTY_OF + card]))
        rows += [
            _line_entries(table, card, LINE + COLUMNS * line)
            for line in lines
            if table[LINE + COLUMNS * line] in POINT_VERBS
        ]
        first.append(len(rows))
    doubles, books, games = (
        _to_mask(_cards_with_power(table, kind)) for kind in (COPIES_HAND, CHANGES_SUIT, COPIES_GAME)
    )
    strength = max(card.strength for card in CARDS)
    return to_kernel_array([*first, doubles, books, books | games, strength, *(entry for row in rows for entry in row)])


def _cards_with_power(table: IntArray, power: int) -> list[int]:
    """The cards with a power."""
    return [card for card in range(len(CARDS)) if table[POWER_OF + card] == power]


def _line_entries(table: IntArray, card: int, line: int) -> list[int]:
    row = [int(table[line + column]) for column in (VERB, POINTS, REWARDS)]
    meant = _selector_masks(table, card, int(table[line + OF]))[COPIED]
    row.append(max(other.strength for other in CARDS if meant >> other.id & 1))
    for column in (OF, TWICE, *range(REQUIRED, REQUIRED + MAX_REQUIRED)):
        row += _selector_masks(table, card, int(table[line + column]))
    return row


def _selector_masks(table: IntArray, speaker: int, selector: int) -> list[int]:
    """Who is meant as printed, whose copy would be, and whose change can make one more; -1 for no selector."""
    if selector < 0:
        return [-1] * CHOICE_WIDTH
    every = range(len(CARDS))
    copied = [card for card in every if _matches(table, MATCHES, selector, card, table[SUIT_OF + card])]
    meant = {*copied} - {speaker}
    if _matches(table, SELF_MATCHES, selector, speaker, table[SUIT_OF + speaker]):
        meant.add(speaker)
    games = [card for card in _cards_with_power(table, COPIES_GAME) if _can_become(table, card, copied)]
    books = _cards_with_power(table, CHANGES_SUIT) if _book_can_add(table, selector, meant) else []
    return [_to_mask(meant), _to_mask(copied), _to_mask([*games, *books])]


def _matches(table: IntArray, kind: int, selector: int, name: int, suit: int) -> bool:
    return bool(int(table[kind + selector * NAME_COUNT + name]) >> int(suit) & 1)


def _can_become(table: IntArray, card: int, names: Iterable[int]) -> bool:
    """Whether a card may become one of these."""
    return any(table[SUITS_TAKEN + card] >> table[SUIT_OF + name] & 1 for name in names)


def _book_can_add(table: IntArray, selector: int, meant: Iterable[int]) -> bool:
    """Whether the Book can make a card meant that is not as printed."""
    suits = [suit for suit in range(NO_SUIT + 1) if table[SWITCHES + BOOK_SUITS] >> suit & 1]
    others = set(range(len(CARDS))).difference(meant)
    return any(_matches(table, MATCHES, selector, name, suit) for name in others for suit in suits)


def _to_mask(cards: Iterable[int]) -> Cards:
    return sum(1 << card for card in cards)


# ---- the bound


@kernel
def upper_bound(tables: IntArray, limits: IntArray, hand: Hand, joining: int) -> int:
    """A number that the cards of a hand cannot give more than, whatever is chosen and which cards ever join them."""
    held = 0
    for card in hand:
        held |= 1 << card
    found = 0
    for card in hand:
        found += tables[STRENGTH_OF + card]
        best = 0
        for number in range(limits[FIRST_LINE + card], limits[FIRST_LINE + card + 1]):
            line = LINE_BOUNDS + LINE_WIDTH * number
            if limits[line + LINE_VERB] == ADD:
                best = max(best, max_add_points(limits, held, len(hand), joining, line))
            elif joining:
                best = max(best, max_partial_line(tables, limits, hand, joining, line))
            else:
                best = max(best, max_line_points(tables, limits, hand, held, line))
        found += best
    if held & limits[HAND_COPIERS]:
        found += limits[TOP_STRENGTH] if joining else greatest_strength(tables, hand, held)
    return found


@kernel
def max_add_points(limits: IntArray, held: Cards, size: int, joining: int, line: BoundOffset) -> int:
    """The most points, once or for each card, if what is asked for can be there."""
    more = joining
    if joining and not held & limits[SUIT_CHANGERS]:
        more += 1  # if the Book joins it brings a second card
    able, missing = 0, -more
    for choice in range(line + REQUIRED_CARDS, line + LINE_WIDTH, CHOICE_WIDTH):
        if not held & limits[choice]:
            changers = changers_of(limits, held, joining, choice)
            if not changers and not more:
                return 0
            able |= changers
            missing += 1
    if missing > count_bits(able):
        return 0
    count = 1
    if limits[line + COUNTED] >= 0:
        count = min(max_matches(limits, held, joining, line + COUNTED) + more, size + joining)
        if limits[line + COUNTED_TWICE] >= 0:
            count += min(max_matches(limits, held, joining, line + COUNTED_TWICE) + more, size + joining)
    return count * limits[line + LINE_POINTS]


@kernel
def changers_of(limits: IntArray, held: Cards, joining: int, choice: BoundOffset) -> Cards:
    """The cards held whose change can make one more card meant."""
    found = held & limits[choice + CHANGED]
    if joining or held & limits[choice + COPIED]:
        found |= held & limits[HAND_COPIERS]
    return found


@kernel
def max_matches(limits: IntArray, held: Cards, joining: int, choice: BoundOffset) -> int:
    """The most cards that can be meant."""
    return count_bits(held & limits[choice]) + count_bits(changers_of(limits, held, joining, choice))


# ---- what other lines give a whole hand


@kernel
def max_line_points(tables: IntArray, limits: IntArray, hand: Hand, held: Cards, line: BoundOffset) -> int:
    """The most that a line can give in a hand that nobody joins."""
    verb = limits[line + LINE_VERB]
    if verb == STRENGTHS:
        return max_strengths(tables, limits, hand, held, line)
    if verb == STRONGEST:
        return max_strongest(tables, limits, hand, held, line)
    rewards = REWARD + NAME_COUNT * limits[line + REWARD_TABLE]
    if verb == RUNS:
        return max_runs(tables, limits, hand, rewards)
    if verb == SETS:
        return max_sets(tables, hand, count_bits(held & limits[SUIT_MOVERS]), rewards)
    return limits[line + LINE_POINTS]


@kernel
def greatest_strength(tables: IntArray, hand: Hand, among: Cards) -> int:
    """The greatest strength of some cards held."""
    found = 0
    for card in hand:
        if among >> card & 1:
            found = max(found, tables[STRENGTH_OF + card])
    return found


@kernel
def max_strengths(tables: IntArray, limits: IntArray, hand: Hand, held: Cards, line: BoundOffset) -> int:
    """The most that strengths of the cards meant can sum up to."""
    choice, found = line + COUNTED, 0
    for card in hand:
        if limits[choice] >> card & 1:
            found += tables[STRENGTH_OF + card]
    if held & limits[HAND_COPIERS]:
        found += greatest_strength(tables, hand, limits[choice + COPIED])
    if held & limits[choice + CHANGED] & limits[SUIT_CHANGERS]:
        found += greatest_strength(tables, hand, ~limits[choice])
    return found


@kernel
def max_strongest(tables: IntArray, limits: IntArray, hand: Hand, held: Cards, line: BoundOffset) -> int:
    """The greatest strength that a card meant can have."""
    choice = line + COUNTED
    if held & limits[choice + CHANGED] & limits[SUIT_CHANGERS]:
        return greatest_strength(tables, hand, held)
    return greatest_strength(tables, hand, limits[choice + COPIED] if held & limits[HAND_COPIERS] else limits[choice])


@kernel
def max_runs(tables: IntArray, limits: IntArray, hand: Hand, rewards: int) -> int:
    """What the runs of printed strengths give, Doppelgänger being whatever card of the hand is best."""
    found = 0
    for model in hand:
        once = twice = thrice = 0  # more cards of a strength cannot add a run: three runs of three are nine cards
        has_double = False
        for card in hand:
            is_double = limits[HAND_COPIERS] >> card & 1 != 0
            has_double = has_double or is_double
            strength = 1 << tables[STRENGTH_OF + (model if is_double else card)]
            thrice |= twice & strength
            twice |= once & strength
            once |= strength
        runs = longest_run_points(tables, once, rewards) + longest_run_points(tables, twice, rewards)
        found = max(found, runs + longest_run_points(tables, thrice, rewards))
        if not has_double:
            break
    return found


@kernel
def max_sets(tables: IntArray, hand: Hand, extra: int, rewards: int) -> int:
    """What sets of a suit can give: those printed, and what up to three more cards can bring to some suits."""
    counts = found = one = two = three = 0
    for card in hand:
        counts += 1 << 4 * tables[SUIT_OF + card]
    for suit in range(NO_SUIT):
        count = counts >> 4 * suit & 15
        now = tables[rewards + count]
        found += now
        one = max(one, tables[rewards + count + 1] - now)
        two = max(two, tables[rewards + count + 2] - now)
        three = max(three, tables[rewards + count + 3] - now)
    two = max(two, 2 * one)
    three = max(three, one + two)
    return found + (0, one, two, three)[extra]


# ---- and a part of one


@kernel
def max_partial_line(tables: IntArray, limits: IntArray, hand: Hand, joining: int, line: BoundOffset) -> int:
    """The most that a line can give when cards join: coarse, for there are few such lines."""
    verb = limits[line + LINE_VERB]
    if verb == STRENGTHS:
        return max_partial_strengths(tables, limits, hand, joining, line)
    if verb == STRONGEST:
        return limits[TOP_STRENGTH]
    rewards = REWARD + NAME_COUNT * limits[line + REWARD_TABLE]
    if verb == RUNS:
        return max_partial_runs(tables, hand, joining, rewards)
    if verb == SETS:
        size = len(hand) + joining
        return size // FULL_SET * tables[rewards + FULL_SET] + tables[rewards + size % FULL_SET]
    return limits[line + LINE_POINTS]


@kernel
def max_partial_strengths(tables: IntArray, limits: IntArray, hand: Hand, joining: int, line: BoundOffset) -> int:
    """Those meant, the mightiest for who joins and for Doppelgänger, and any card moved by a Book."""
    found = (joining + 1) * limits[line + GREATEST_STRENGTH] + limits[TOP_STRENGTH]
    for card in hand:
        if limits[line + COUNTED] >> card & 1:
            found += tables[STRENGTH_OF + card]
    return found


@kernel
def max_partial_runs(tables: IntArray, hand: Hand, joining: int, rewards: int) -> int:
    """The longest run that strengths which join can make of those held, and the second of the cards that are left."""
    present = 0
    for card in hand:
        present |= 1 << tables[STRENGTH_OF + card]
    different = count_bits(present) + joining
    longest = 0
    while present:
        length = 1
        while length < different and length + 1 - count_bits(present & ((2 << length) - 1)) <= joining:
            length += 1
        longest = max(longest, length)
        present >>= 1
    return tables[rewards + longest] + tables[rewards + len(hand) + joining - longest]
