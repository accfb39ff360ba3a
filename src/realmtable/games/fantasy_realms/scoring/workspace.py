"""The workspace of scoring kernels: what each card of a hand counts as, and which cards its lines select.

Names and suits are evaluated only once, when a card gets its identity: for every selector in the hand, a mask then
holds the cards it selects, one bit per place. Scoring uses only these masks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from realmtable.games.fantasy_realms.effect_parser import NO_SUIT
from realmtable.games.fantasy_realms.scoring.card_arrays import (
    COLUMNS,
    LACKING,
    LINE,
    LINE_GONE,
    LINES_OF,
    MATCHES,
    NAME_COUNT,
    OF,
    PENALTY_OF,
    REQUIRED,
    SELF_MATCHES,
    STRENGTH_OF,
    STRUCK,
    SUIT_OF,
    TWICE,
    IntArray,
    to_kernel_array,
)
from realmtable.kit.compile import kernel

Hand = Sequence[int]  # card ids, by place
HandPlace = int  # index of a card in the hand
Mask = int  # one bit per place
Signature = int  # one bit per slot: the selectors that match a card

MAX_CARDS: Final = 12  # room for this many
MAX_ROWS: Final = 4 * MAX_CARDS
MAX_SLOTS: Final = 62  # bits of a signature
MAX_COPIERS: Final = 4
MAX_CANDIDATES: Final = 64
SIGNATURE_WIDTH: Final = NO_SUIT + 2

# Offsets in the workspace.
ROW_COUNT: Final = 0
SLOT_COUNT: Final = 1
CLEARED: Final = 2  # the places whose penalties are cleared
WORD_STRUCK: Final = 3  # the places whose penalties have a word struck
UNBLANKED: Final = 4  # the places that are not blanked
NAME: Final = 5  # by place: what each card counts as
SUIT: Final = NAME + MAX_CARDS
STRENGTH: Final = SUIT + MAX_CARDS
BLANKERS: Final = STRENGTH + MAX_CARDS  # by place: the places that would blank it
AWAITED: Final = BLANKERS + MAX_CARDS  # by place: the places it waits for before it is decided
BONUS: Final = AWAITED + MAX_CARDS  # by place: points
PENALTY: Final = BONUS + MAX_CARDS
SELECTOR: Final = PENALTY + MAX_CARDS  # by slot: the selectors in use
SLOT_OWNER: Final = SELECTOR + MAX_SLOTS  # by slot: the place of the card that has it
MASK: Final = SLOT_OWNER + MAX_SLOTS  # by slot: the places it selects
COPIER: Final = MASK + MAX_SLOTS  # places of the cards that may become any card in the game
CANDIDATE_COUNT: Final = COPIER + MAX_COPIERS  # by copier: the number of candidates
CURRENT_CANDIDATE: Final = CANDIDATE_COUNT + MAX_COPIERS  # by copier: the index of the current one
CANDIDATE: Final = CURRENT_CANDIDATE + MAX_COPIERS  # by copier, MAX_CANDIDATES each: what it may become; -1: itself
SIGNATURES: Final = CANDIDATE + MAX_COPIERS * MAX_CANDIDATES  # by candidate, SIGNATURE_WIDTH each
ROW: Final = SIGNATURES + MAX_CANDIDATES * SIGNATURE_WIDTH  # the lines of the hand; selectors are given as slots
OWNER: Final = COLUMNS  # the column after those of the line
ROW_WIDTH: Final = COLUMNS + 1
TRIAL: Final = ROW + MAX_ROWS * ROW_WIDTH  # the choice being tried; BEST is the best so far (see `best_choices.py`)
CHOICE_SIZE: Final = 9 + MAX_CARDS
BEST: Final = TRIAL + CHOICE_SIZE
WORKSPACE_SIZE: Final = BEST + CHOICE_SIZE


def new_workspace() -> IntArray:
    """Return an empty workspace."""
    return to_kernel_array([0] * WORKSPACE_SIZE)


@kernel
def lay_out_hand(tables: IntArray, workspace: IntArray, hand: Hand, copier: HandPlace, model: HandPlace) -> None:
    """Lay out a hand as printed, with the card at `copier`, if any, as a copy of the one at `model` (S2)."""
    workspace[ROW_COUNT] = workspace[SLOT_COUNT] = 0
    for place in range(len(hand)):
        card = hand[place]
        add_rows(tables, workspace, place, tables[LINES_OF + card], tables[LINES_OF + card + 1])
        if place == copier:
            card = hand[model]
            add_rows(tables, workspace, place, tables[PENALTY_OF + card], tables[LINES_OF + card + 1])
        workspace[STRENGTH + place] = tables[STRENGTH_OF + card]
    for place in range(len(hand)):
        card = hand[model] if place == copier else hand[place]
        set_identity(tables, workspace, place, card, tables[SUIT_OF + card])


@kernel
def add_rows(tables: IntArray, workspace: IntArray, place: HandPlace, first: int, end: int) -> None:
    """Add lines of the card at a place."""
    for number in range(first, end):
        row, line = ROW + ROW_WIDTH * workspace[ROW_COUNT], LINE + COLUMNS * number
        for column in range(COLUMNS):
            workspace[row + column] = tables[line + column]
        workspace[row + OWNER] = place
        for column in (OF, TWICE, LACKING, REQUIRED, REQUIRED + 1, REQUIRED + 2):
            workspace[row + column] = add_slot(workspace, place, tables[line + column])
        if tables[line + STRUCK] == tables[line + OF]:
            workspace[row + STRUCK] = workspace[row + OF]
        elif tables[line + STRUCK] != LINE_GONE:
            workspace[row + STRUCK] = add_slot(workspace, place, tables[line + STRUCK])
        workspace[ROW_COUNT] += 1


@kernel
def add_slot(workspace: IntArray, place: HandPlace, selector: int) -> int:
    """Add an empty slot for a card's selector and return it; -1 if there is no selector."""
    if selector < 0:
        return -1
    slot = workspace[SLOT_COUNT]
    workspace[SELECTOR + slot] = selector
    workspace[SLOT_OWNER + slot] = place
    workspace[MASK + slot] = 0
    workspace[SLOT_COUNT] += 1
    return slot


@kernel
def signature(tables: IntArray, workspace: IntArray, place: HandPlace, name: int, suit: int) -> Signature:
    """Return the selectors that would match the card at a place if it had this name and suit."""
    found = 0
    for slot in range(workspace[SLOT_COUNT]):
        table = SELF_MATCHES if workspace[SLOT_OWNER + slot] == place else MATCHES
        if tables[table + workspace[SELECTOR + slot] * NAME_COUNT + name] >> suit & 1:
            found |= 1 << slot
    return found


@kernel
def set_identity(tables: IntArray, workspace: IntArray, place: HandPlace, name: int, suit: int) -> None:
    """Give the card at a place a name and a suit."""
    workspace[NAME + place] = name
    workspace[SUIT + place] = suit
    found = signature(tables, workspace, place, name, suit)
    for slot in range(workspace[SLOT_COUNT]):
        if found >> slot & 1:
            workspace[MASK + slot] |= 1 << place
        else:
            workspace[MASK + slot] &= ~(1 << place)
