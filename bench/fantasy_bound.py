"""The most a hand can be worth, told quickly: for looking through all hands of the game.

`most_worth` is never below the best total, however the rules are read. Why, with S2 to S5 taken as *changes*, each of
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
    HELD,
    LINE,
    LINES_OF,
    MEANT,
    MEANT_SELF,
    MOST_HELD,
    NAMES,
    OF,
    PENALTY_OF,
    POINTS,
    POWER_OF,
    REWARD,
    REWARDS,
    STRENGTH_OF,
    SUIT_OF,
    SWITCH,
    TAKEN_BY,
    TWICE,
    VERB,
    Numbers,
    Reading,
    numbers,
    tables,
)
from realmtable.games.fantasy_realms.scoring.total import reward_of_runs
from realmtable.games.fantasy_realms.scoring.workspace import Hand
from realmtable.kit.bits import count_bits
from realmtable.kit.compile import kernel

Cards = int  # a bit for each card
Limit = int  # where a line's entries begin

# Entries of a line; of a choice of cards: who is meant as printed, whose copy would be, and whose change can add one.
GIVES, TIMES, TABLE = 0, 1, 2
MIGHTIEST = 3  # the greatest strength of those meant in the whole game
COUNTED, AGAIN, ASKED = 4, 7, 10  # like OF, TWICE and HELD of the tables
COPIED, CHANGED = 1, 2  # behind who is meant
CHOICE_WIDTH: Final = 3
WIDTH: Final = ASKED + CHOICE_WIDTH * MOST_HELD

# Where things lie.
FIRST: Final = 0  # by card: its first line; the next card's ends them
DOUBLES: Final = NAMES  # the cards that copy one of the hand
BOOKS: Final = NAMES + 1  # the cards that change a suit
MOVERS: Final = NAMES + 2  # the cards that bring one to another suit
STRENGTH: Final = NAMES + 3  # the greatest of the game
LIMITS: Final = NAMES + 4

FULL_SET: Final = 5  # more cards of a suit are not rewarded

GIVING: Final = (ADD, STRENGTHS, STRONGEST, RUNS, SETS, DIFFER)


# ---- the limits of every line, laid out once


@cache
def limits(reading: Reading | None = None) -> Numbers:
    """What `most_worth` knows of the cards, for a way to read the rules. Not to be changed."""
    table = tables(reading)
    first, rows = [0], []
    for card in range(len(CARDS)):
        lines = range(int(table[LINES_OF + card]), int(table[PENALTY_OF + card]))
        rows += [_row(table, card, LINE + COLUMNS * line) for line in lines if table[LINE + COLUMNS * line] in GIVING]
        first.append(len(rows))
    doubles, books, games = (_bits(_able(table, kind)) for kind in (COPIES_HAND, CHANGES_SUIT, COPIES_GAME))
    strength = max(card.strength for card in CARDS)
    return numbers([*first, doubles, books, books | games, strength, *(entry for row in rows for entry in row)])


def _able(table: Numbers, power: int) -> list[int]:
    """The cards with a power."""
    return [card for card in range(len(CARDS)) if table[POWER_OF + card] == power]


def _row(table: Numbers, card: int, line: int) -> list[int]:
    row = [int(table[line + column]) for column in (VERB, POINTS, REWARDS)]
    meant = _choice(table, card, int(table[line + OF]))[COPIED]
    row.append(max(other.strength for other in CARDS if meant >> other.id & 1))
    for column in (OF, TWICE, *range(HELD, HELD + MOST_HELD)):
        row += _choice(table, card, int(table[line + column]))
    return row


def _choice(table: Numbers, speaker: int, selector: int) -> list[int]:
    """Who is meant as printed, whose copy would be, and whose change can make one more; -1 for no selector."""
    if selector < 0:
        return [-1] * CHOICE_WIDTH
    every = range(len(CARDS))
    copied = [card for card in every if _means(table, MEANT, selector, card, table[SUIT_OF + card])]
    meant = {*copied} - {speaker}
    if _means(table, MEANT_SELF, selector, speaker, table[SUIT_OF + speaker]):
        meant.add(speaker)
    games = [card for card in _able(table, COPIES_GAME) if _takes(table, card, copied)]
    books = _able(table, CHANGES_SUIT) if _moves(table, selector, meant) else []
    return [_bits(meant), _bits(copied), _bits([*games, *books])]


def _means(table: Numbers, kind: int, selector: int, name: int, suit: int) -> bool:
    return bool(int(table[kind + selector * NAMES + name]) >> int(suit) & 1)


def _takes(table: Numbers, card: int, names: Iterable[int]) -> bool:
    """Whether a card may become one of these."""
    return any(table[TAKEN_BY + card] >> table[SUIT_OF + name] & 1 for name in names)


def _moves(table: Numbers, selector: int, meant: Iterable[int]) -> bool:
    """Whether the Book can make a card meant that is not as printed."""
    suits = [suit for suit in range(NO_SUIT + 1) if table[SWITCH + BOOK_SUITS] >> suit & 1]
    others = set(range(len(CARDS))).difference(meant)
    return any(_means(table, MEANT, selector, name, suit) for name in others for suit in suits)


def _bits(cards: Iterable[int]) -> Cards:
    return sum(1 << card for card in cards)


# ---- the bound


@kernel
def most_worth(tables: Numbers, limits: Numbers, hand: Hand, joining: int) -> int:
    """A number that the cards of a hand cannot give more than, whatever is chosen and which cards ever join them."""
    held = 0
    for card in hand:
        held |= 1 << card
    found = 0
    for card in hand:
        found += tables[STRENGTH_OF + card]
        best = 0
        for number in range(limits[FIRST + card], limits[FIRST + card + 1]):
            line = LIMITS + WIDTH * number
            if limits[line + GIVES] == ADD:
                best = max(best, most_added(limits, held, len(hand), joining, line))
            elif joining:
                best = max(best, most_joined(tables, limits, hand, joining, line))
            else:
                best = max(best, most_of(tables, limits, hand, held, line))
        found += best
    if held & limits[DOUBLES]:
        found += limits[STRENGTH] if joining else strongest_of(tables, hand, held)
    return found


@kernel
def most_added(limits: Numbers, held: Cards, size: int, joining: int, line: Limit) -> int:
    """The most points, once or for each card, if what is asked for can be there."""
    more = joining
    if joining and not held & limits[BOOKS]:
        more += 1  # if the Book joins it brings a second card
    able, missing = 0, -more
    for choice in range(line + ASKED, line + WIDTH, CHOICE_WIDTH):
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
        count = min(most_meant(limits, held, joining, line + COUNTED) + more, size + joining)
        if limits[line + AGAIN] >= 0:
            count += min(most_meant(limits, held, joining, line + AGAIN) + more, size + joining)
    return count * limits[line + TIMES]


@kernel
def changers_of(limits: Numbers, held: Cards, joining: int, choice: Limit) -> Cards:
    """The cards held whose change can make one more card meant."""
    found = held & limits[choice + CHANGED]
    if joining or held & limits[choice + COPIED]:
        found |= held & limits[DOUBLES]
    return found


@kernel
def most_meant(limits: Numbers, held: Cards, joining: int, choice: Limit) -> int:
    """The most cards that can be meant."""
    return count_bits(held & limits[choice]) + count_bits(changers_of(limits, held, joining, choice))


# ---- what other lines give a whole hand


@kernel
def most_of(tables: Numbers, limits: Numbers, hand: Hand, held: Cards, line: Limit) -> int:
    """The most that a line can give in a hand that nobody joins."""
    verb = limits[line + GIVES]
    if verb == STRENGTHS:
        return most_strength(tables, limits, hand, held, line)
    if verb == STRONGEST:
        return most_strongest(tables, limits, hand, held, line)
    rewards = REWARD + NAMES * limits[line + TABLE]
    if verb == RUNS:
        return most_runs(tables, limits, hand, rewards)
    if verb == SETS:
        return most_sets(tables, hand, count_bits(held & limits[MOVERS]), rewards)
    return limits[line + TIMES]


@kernel
def strongest_of(tables: Numbers, hand: Hand, among: Cards) -> int:
    """The greatest strength of some cards held."""
    found = 0
    for card in hand:
        if among >> card & 1:
            found = max(found, tables[STRENGTH_OF + card])
    return found


@kernel
def most_strength(tables: Numbers, limits: Numbers, hand: Hand, held: Cards, line: Limit) -> int:
    """The most that strengths of the cards meant can sum up to."""
    choice, found = line + COUNTED, 0
    for card in hand:
        if limits[choice] >> card & 1:
            found += tables[STRENGTH_OF + card]
    if held & limits[DOUBLES]:
        found += strongest_of(tables, hand, limits[choice + COPIED])
    if held & limits[choice + CHANGED] & limits[BOOKS]:
        found += strongest_of(tables, hand, ~limits[choice])
    return found


@kernel
def most_strongest(tables: Numbers, limits: Numbers, hand: Hand, held: Cards, line: Limit) -> int:
    """The greatest strength that a card meant can have."""
    choice = line + COUNTED
    if held & limits[choice + CHANGED] & limits[BOOKS]:
        return strongest_of(tables, hand, held)
    return strongest_of(tables, hand, limits[choice + COPIED] if held & limits[DOUBLES] else limits[choice])


@kernel
def most_runs(tables: Numbers, limits: Numbers, hand: Hand, rewards: int) -> int:
    """What the runs of printed strengths give, Doppelgänger being whatever card of the hand is best."""
    found = 0
    for model in hand:
        once = twice = thrice = 0  # more cards of a strength cannot add a run: three runs of three are nine cards
        has_double = False
        for card in hand:
            is_double = limits[DOUBLES] >> card & 1 != 0
            has_double = has_double or is_double
            strength = 1 << tables[STRENGTH_OF + (model if is_double else card)]
            thrice |= twice & strength
            twice |= once & strength
            once |= strength
        runs = reward_of_runs(tables, once, rewards) + reward_of_runs(tables, twice, rewards)
        found = max(found, runs + reward_of_runs(tables, thrice, rewards))
        if not has_double:
            break
    return found


@kernel
def most_sets(tables: Numbers, hand: Hand, extra: int, rewards: int) -> int:
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
def most_joined(tables: Numbers, limits: Numbers, hand: Hand, joining: int, line: Limit) -> int:
    """The most that a line can give when cards join: coarse, for there are few such lines."""
    verb = limits[line + GIVES]
    if verb == STRENGTHS:
        return most_strength_joined(tables, limits, hand, joining, line)
    if verb == STRONGEST:
        return limits[STRENGTH]
    rewards = REWARD + NAMES * limits[line + TABLE]
    if verb == RUNS:
        return most_runs_joined(tables, hand, joining, rewards)
    if verb == SETS:
        size = len(hand) + joining
        return size // FULL_SET * tables[rewards + FULL_SET] + tables[rewards + size % FULL_SET]
    return limits[line + TIMES]


@kernel
def most_strength_joined(tables: Numbers, limits: Numbers, hand: Hand, joining: int, line: Limit) -> int:
    """Those meant, the mightiest for who joins and for Doppelgänger, and any card moved by a Book."""
    found = (joining + 1) * limits[line + MIGHTIEST] + limits[STRENGTH]
    for card in hand:
        if limits[line + COUNTED] >> card & 1:
            found += tables[STRENGTH_OF + card]
    return found


@kernel
def most_runs_joined(tables: Numbers, hand: Hand, joining: int, rewards: int) -> int:
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
