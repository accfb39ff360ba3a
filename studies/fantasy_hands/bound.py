"""A fast upper bound on the worth of a hand, for searching all hands of the game.

`upper_bound` is never below the best total, under any reading of the rules. The argument treats S2 to S5 as *changes*,
each of one card (the copies of Doppelgänger, Mirage and Shapeshifter, and the suit given by the Book). A card *matches*
a line if the line refers to it:

- Penalties only cost points or blank cards, so the bound ignores them, and with them clearing and striking. A blanked
  card no longer counts, which gains points only if a line requires the *absence* of cards (*without*, World Tree): the
  bound treats such a line as fulfilled.
- *For each*: a change adds at most one matching card, and only if it can: Mirage and Shapeshifter if a card they may
  become matches, Doppelgänger if a held card matches, the Book if a card matches in another suit.
- *With*: a change fulfils at most one more requirement, so there must be as many capable changes as missing cards.
- Strengths: Mirage and Shapeshifter have none. Doppelgänger adds the strength of a held card, and to a sum of strengths
  that of a matching card; the Book adds to the sum the strength of a card that does not match.
- Runs: only Doppelgänger changes a strength, to that of a held card. Blanking a card creates no new run, and a longer
  run scores at least as much as its parts.
- Sets: Mirage, Shapeshifter and the Book each add at most one card to one suit. Doppelgänger adds none: its name is
  already counted in that suit, and if the Book separates the two, that was the Book's card.

The bound also works for a partial hand, whatever cards may join it. Each joining card then counts as matching every
line and as fulfilling one requirement, and one of them counts as a Book, which adds a second card.

This assumes that no line scores less than nothing, that no card fulfils two requirements of one line, and that a longer
run or a larger set scores at least as much as its parts. Each search compares the bound with random hands first.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final

from realmtable.games.fantasy_realms.cards import CARDS
from realmtable.games.fantasy_realms.effect_parser import (
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

# Entries of a line; each selector of cards has three masks: cards that match as printed, as copies, or by a change.
LINE_VERB, LINE_POINTS, REWARD_TABLE = 0, 1, 2
GREATEST_STRENGTH = 3  # the greatest strength of any matching card
COUNTED, COUNTED_TWICE, REQUIRED_CARDS = 4, 7, 10  # like OF, TWICE and HELD of the card arrays
COPIED, CHANGED = 1, 2  # offsets after the printed mask
CHOICE_WIDTH: Final = 3
LINE_WIDTH: Final = REQUIRED_CARDS + CHOICE_WIDTH * MAX_REQUIRED

# Offsets in the bound table.
FIRST_LINE: Final = 0  # by card: its first line; the next card's entry ends them
HAND_COPIERS: Final = NAME_COUNT  # mask of cards that copy a card of the hand
SUIT_CHANGERS: Final = NAME_COUNT + 1  # mask of cards that change a suit
SUIT_MOVERS: Final = NAME_COUNT + 2  # mask of cards that add a card to another suit
TOP_STRENGTH: Final = NAME_COUNT + 3  # the greatest strength in the game
LINE_BOUNDS: Final = NAME_COUNT + 4

FULL_SET: Final = 5  # more cards of a suit score nothing extra

POINT_VERBS: Final = (ADD, STRENGTHS, STRONGEST, RUNS, SETS, DIFFER)


# ---- the bound table


@cache
def line_bound_table(reading: ScoringRules | None = None) -> IntArray:
    """Return the table that `upper_bound` needs, for a reading of the rules. Do not modify it."""
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
    """Return the cards with a power."""
    return [card for card in range(len(CARDS)) if table[POWER_OF + card] == power]


def _line_entries(table: IntArray, card: int, line: int) -> list[int]:
    row = [int(table[line + column]) for column in (VERB, POINTS, REWARDS)]
    meant = _selector_masks(table, card, int(table[line + OF]))[COPIED]
    row.append(max(other.strength for other in CARDS if meant >> other.id & 1))
    for column in (OF, TWICE, *range(REQUIRED, REQUIRED + MAX_REQUIRED)):
        row += _selector_masks(table, card, int(table[line + column]))
    return row


def _selector_masks(table: IntArray, speaker: int, selector: int) -> list[int]:
    """Return masks of cards that match as printed, as copies, or by a change; -1 without a selector."""
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
    """Whether a card may become one of `names`."""
    return any(table[SUITS_TAKEN + card] >> table[SUIT_OF + name] & 1 for name in names)


def _book_can_add(table: IntArray, selector: int, meant: Iterable[int]) -> bool:
    """Whether the Book can make a card match that does not match as printed."""
    suits = [suit for suit in range(NO_SUIT + 1) if table[SWITCHES + BOOK_SUITS] >> suit & 1]
    others = set(range(len(CARDS))).difference(meant)
    return any(_matches(table, MATCHES, selector, name, suit) for name in others for suit in suits)


def _to_mask(cards: Iterable[int]) -> Cards:
    return sum(1 << card for card in cards)


# ---- the bound


@kernel
def upper_bound(tables: IntArray, limits: IntArray, hand: Hand, joining: int) -> int:
    """Return a bound on what the cards of a hand can score, whatever is chosen and whichever cards join them."""
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
    """Return the most points, once or per card, if the requirements can be fulfilled."""
    more = joining
    if joining and not held & limits[SUIT_CHANGERS]:
        more += 1  # a joining Book adds a second card
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
    """Return the held cards whose change can add a matching card."""
    found = held & limits[choice + CHANGED]
    if joining or held & limits[choice + COPIED]:
        found |= held & limits[HAND_COPIERS]
    return found


@kernel
def max_matches(limits: IntArray, held: Cards, joining: int, choice: BoundOffset) -> int:
    """Return the most cards that can match."""
    return count_bits(held & limits[choice]) + count_bits(changers_of(limits, held, joining, choice))


# ---- other lines, for a whole hand


@kernel
def max_line_points(tables: IntArray, limits: IntArray, hand: Hand, held: Cards, line: BoundOffset) -> int:
    """Return the most that a line can score in a complete hand."""
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
    """Return the greatest strength of some held cards."""
    found = 0
    for card in hand:
        if among >> card & 1:
            found = max(found, tables[STRENGTH_OF + card])
    return found


@kernel
def max_strengths(tables: IntArray, limits: IntArray, hand: Hand, held: Cards, line: BoundOffset) -> int:
    """Return the greatest sum of strengths of matching cards."""
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
    """Return the greatest strength that a matching card can have."""
    choice = line + COUNTED
    if held & limits[choice + CHANGED] & limits[SUIT_CHANGERS]:
        return greatest_strength(tables, hand, held)
    return greatest_strength(tables, hand, limits[choice + COPIED] if held & limits[HAND_COPIERS] else limits[choice])


@kernel
def max_runs(tables: IntArray, limits: IntArray, hand: Hand, rewards: int) -> int:
    """Return the score of runs of printed strengths, with Doppelgänger as the best card of the hand."""
    found = 0
    for model in hand:
        once = twice = thrice = 0  # a fourth card of a strength adds no run: three runs of three are nine cards
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
    """Return the most that sets can score: as printed, plus up to three cards moved to some suits."""
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


# ---- other lines, for a partial hand


@kernel
def max_partial_line(tables: IntArray, limits: IntArray, hand: Hand, joining: int, line: BoundOffset) -> int:
    """Return the most that a line can score when cards join; coarse, because there are few such lines."""
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
    """Bound a sum of strengths: matching cards, the strongest for each joining card, and a card moved by a Book."""
    found = (joining + 1) * limits[line + GREATEST_STRENGTH] + limits[TOP_STRENGTH]
    for card in hand:
        if limits[line + COUNTED] >> card & 1:
            found += tables[STRENGTH_OF + card]
    return found


@kernel
def max_partial_runs(tables: IntArray, hand: Hand, joining: int, rewards: int) -> int:
    """Bound the runs: the longest run that joining strengths can complete, and a second of the remaining cards."""
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
