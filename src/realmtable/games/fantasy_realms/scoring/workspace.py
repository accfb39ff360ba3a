"""A hand laid out for scoring: who its cards count as, and whom each line of them means.

Everything about names and suits is asked once, when a card gets a name and a suit: the masks then hold for every
selector in the hand which cards it means, a bit for each place. Scoring looks at masks only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from realmtable.games.fantasy_realms.effects import NO_SUIT
from realmtable.games.fantasy_realms.scoring.card_arrays import (
    COLUMNS,
    HELD,
    LACKING,
    LINE,
    LINES_OF,
    MEANT,
    MEANT_SELF,
    NAMES,
    OF,
    PENALTY_OF,
    STRENGTH_OF,
    STRUCK,
    SUIT_OF,
    TWICE,
    VOID,
    Numbers,
    numbers,
)
from realmtable.kit.compile import kernel

Hand = Sequence[int]  # card ids, by place
Place = int  # of a card in the hand
Mask = int  # a bit for each place
Signature = int  # a bit for each slot: the selectors that mean a card

MOST_CARDS: Final = 12  # that there is room for
MOST_ROWS: Final = 4 * MOST_CARDS
MOST_SLOTS: Final = 62  # bits of a signature
MOST_COPIERS: Final = 4
MOST_CANDIDATES: Final = 64
MOST_MARKS: Final = NO_SUIT + 2

# Where things lie on the desk, and how many.
ROWS: Final = 0
SLOTS: Final = 1
CLEARED: Final = 2  # the places whose penalties are cleared
WORDLESS: Final = 3  # the places in whose penalties a word is struck
LIVING: Final = 4  # the places that are not blanked
NAME: Final = 5  # by place: what each card counts as
SUIT: Final = NAME + MOST_CARDS
STRENGTH: Final = SUIT + MOST_CARDS
THREATS: Final = STRENGTH + MOST_CARDS  # by place: who would blank it
REACH: Final = THREATS + MOST_CARDS  # by place: whom it awaits before it is decided
BONUS: Final = REACH + MOST_CARDS  # by place: points
PENALTY: Final = BONUS + MOST_CARDS
SELECTOR: Final = PENALTY + MOST_CARDS  # by slot: the selectors in use
SPEAKER: Final = SELECTOR + MOST_SLOTS  # by slot: the place of the card that says so
MASK: Final = SPEAKER + MOST_SLOTS  # by slot: the places it means
COPIER: Final = MASK + MOST_SLOTS  # places of the cards that may become others of the game
COUNT: Final = COPIER + MOST_COPIERS  # by copier: how many candidates
PICK: Final = COUNT + MOST_COPIERS  # by copier: the number of the present one
CANDIDATE: Final = PICK + MOST_COPIERS  # by copier, MOST_CANDIDATES each: whom they may become; -1 is nobody
MARK: Final = CANDIDATE + MOST_COPIERS * MOST_CANDIDATES  # by candidate, MOST_MARKS each: what tells them apart
ROW: Final = MARK + MOST_CANDIDATES * MOST_MARKS  # the lines in the hand; their selectors are slots here
OWNER: Final = COLUMNS  # the column of a row behind those of its line
WIDTH: Final = COLUMNS + 1
TRIED: Final = ROW + MOST_ROWS * WIDTH  # the choice that is looked at, and the best so far: see `best_choices.py`
CHOICE: Final = 9 + MOST_CARDS
BEST: Final = TRIED + CHOICE
DESK: Final = BEST + CHOICE


def new_desk() -> Numbers:
    """An empty desk."""
    return numbers([0] * DESK)


@kernel
def lay_out(tables: Numbers, desk: Numbers, hand: Hand, copier: Place, model: Place) -> None:
    """Lay out a hand as printed, but with the card at `copier`, if any, become the one at `model` (S2)."""
    desk[ROWS] = desk[SLOTS] = 0
    for place in range(len(hand)):
        card = hand[place]
        add_rows(tables, desk, place, tables[LINES_OF + card], tables[LINES_OF + card + 1])
        if place == copier:
            card = hand[model]
            add_rows(tables, desk, place, tables[PENALTY_OF + card], tables[LINES_OF + card + 1])
        desk[STRENGTH + place] = tables[STRENGTH_OF + card]
    for place in range(len(hand)):
        card = hand[model] if place == copier else hand[place]
        identify(tables, desk, place, card, tables[SUIT_OF + card])


@kernel
def add_rows(tables: Numbers, desk: Numbers, place: Place, first: int, end: int) -> None:
    """Add lines that a card at a place says."""
    for number in range(first, end):
        row, line = ROW + WIDTH * desk[ROWS], LINE + COLUMNS * number
        for column in range(COLUMNS):
            desk[row + column] = tables[line + column]
        desk[row + OWNER] = place
        for column in (OF, TWICE, LACKING, HELD, HELD + 1, HELD + 2):
            desk[row + column] = slot_for(desk, place, tables[line + column])
        if tables[line + STRUCK] == tables[line + OF]:
            desk[row + STRUCK] = desk[row + OF]
        elif tables[line + STRUCK] != VOID:
            desk[row + STRUCK] = slot_for(desk, place, tables[line + STRUCK])
        desk[ROWS] += 1


@kernel
def slot_for(desk: Numbers, place: Place, selector: int) -> int:
    """A slot for a selector that a card says, empty yet; -1 for none."""
    if selector < 0:
        return -1
    slot = desk[SLOTS]
    desk[SELECTOR + slot] = selector
    desk[SPEAKER + slot] = place
    desk[MASK + slot] = 0
    desk[SLOTS] += 1
    return slot


@kernel
def signature(tables: Numbers, desk: Numbers, place: Place, name: int, suit: int) -> Signature:
    """The selectors that would mean the card at a place if it had this name and suit."""
    found = 0
    for slot in range(desk[SLOTS]):
        table = MEANT_SELF if desk[SPEAKER + slot] == place else MEANT
        if tables[table + desk[SELECTOR + slot] * NAMES + name] >> suit & 1:
            found |= 1 << slot
    return found


@kernel
def identify(tables: Numbers, desk: Numbers, place: Place, name: int, suit: int) -> None:
    """Give the card at a place a name and a suit."""
    desk[NAME + place] = name
    desk[SUIT + place] = suit
    found = signature(tables, desk, place, name, suit)
    for slot in range(desk[SLOTS]):
        if found >> slot & 1:
            desk[MASK + slot] |= 1 << place
        else:
            desk[MASK + slot] &= ~(1 << place)
