"""Find the jointly best choices of a hand (S2 to S5), in compiled code.

The search tries every combination, but only one of those that must score the same. A card's name and suit affect the
score only through its `signature`, the set of selectors in the hand that match it; the exceptions are Collector, which
compares names and suits, and World Tree, which compares suits. So one of two candidates with equal signatures is
enough. If the Book may change the suit afterwards, their signatures must agree under every suit. Collector only needs
names to differ: all names that are not in the hand are equivalent, because Mirage and Shapeshifter choose from
different suits.
"""

from __future__ import annotations

from typing import Final

from realmtable.games.fantasy_realms.effect_parser import CLEAR_ONE, DIFFER, NO_SUIT, SETS
from realmtable.games.fantasy_realms.scoring.card_arrays import (
    BOOK_SUITS,
    CHANGES_SUIT,
    COPIES_GAME,
    COPIES_HAND,
    IS_PENALTY,
    NO_NAME,
    OF,
    POWER_OF,
    PRINTED_BREAKS_TIES,
    SUIT_OF,
    SUITS_TAKEN,
    SWITCHES,
    VERB,
    IntArray,
)
from realmtable.games.fantasy_realms.scoring.total import compute_total
from realmtable.games.fantasy_realms.scoring.workspace import (
    BEST,
    CANDIDATE,
    CANDIDATE_COUNT,
    CHOICE_SIZE,
    CLEARED,
    COPIER,
    CURRENT_CANDIDATE,
    MASK,
    MAX_CANDIDATES,
    MAX_COPIERS,
    NAME,
    OWNER,
    ROW,
    ROW_COUNT,
    ROW_WIDTH,
    SIGNATURE_WIDTH,
    SIGNATURES,
    STRENGTH,
    SUIT,
    TRIAL,
    UNBLANKED,
    Hand,
    HandPlace,
    Mask,
    Signature,
    lay_out_hand,
    set_identity,
    signature,
)
from realmtable.kit.compile import kernel

# Entries of a choice; -1 if it is not made. BOOK and DOPPELGANGER are the places of the choosing cards.
TOTAL, TIE_BREAK, CHANGE_COUNT, DOPPELGANGER, MODEL, BOOK, TARGET, NEW_SUIT, ISLAND = range(9)
COPIES: Final = 9  # by place: the card it became
WORST: Final = -(10**9)


@kernel
def best_total(tables: IntArray, hand: Hand, workspace: IntArray) -> int:
    """Return the worth of a hand with its best choices, and write these to `workspace` at `BEST`."""
    for entry in range(CHOICE_SIZE):
        workspace[TRIAL + entry] = workspace[BEST + entry] = -1
    workspace[BEST + TOTAL] = WORST
    double = workspace[TRIAL + DOPPELGANGER] = place_with_power(tables, hand, COPIES_HAND)
    workspace[TRIAL + BOOK] = place_with_power(tables, hand, CHANGES_SUIT)
    for model in range(-1, len(hand) if double >= 0 else 0):
        if model < 0 or model != double:
            workspace[TRIAL + MODEL] = model
            lay_out_hand(tables, workspace, hand, double if model >= 0 else -1, model)
            try_copies(tables, hand, workspace)
    return workspace[BEST + TOTAL]


@kernel
def best_totals(tables: IntArray, hands: Hand, size: int, workspace: IntArray, out: IntArray) -> None:
    """Write the worth of many hands of the same size, stored one after the other, to `out`."""
    for number in range(len(out)):
        out[number] = best_total(tables, hands[number * size : (number + 1) * size], workspace)


@kernel
def place_with_power(tables: IntArray, hand: Hand, power: int) -> HandPlace:
    """Return the place of the card with a power, or -1."""
    for place in range(len(hand)):
        if tables[POWER_OF + hand[place]] == power:
            return place
    return -1


@kernel
def has_line(workspace: IntArray, verb: int) -> bool:
    """Whether the hand has a line with this verb."""
    for row in range(ROW, ROW + ROW_WIDTH * workspace[ROW_COUNT], ROW_WIDTH):
        if workspace[row + VERB] == verb:
            return True
    return False


# ---- what Mirage and Shapeshifter become


@kernel
def try_copies(tables: IntArray, hand: Hand, workspace: IntArray) -> None:
    """Try every combination of candidates for the cards that may become any card in the game."""
    copiers = find_candidates(tables, hand, workspace)
    for number in range(copiers):
        workspace[CURRENT_CANDIDATE + number] = 0
        apply_candidate(tables, hand, workspace, number)
    while True:
        try_book(tables, hand, workspace)
        number = 0
        while number < copiers:
            more = workspace[CURRENT_CANDIDATE + number] + 1 < workspace[CANDIDATE_COUNT + number]
            workspace[CURRENT_CANDIDATE + number] = workspace[CURRENT_CANDIDATE + number] + 1 if more else 0
            apply_candidate(tables, hand, workspace, number)
            if more:
                break
            number += 1
        if number == copiers:
            return


@kernel
def apply_candidate(tables: IntArray, hand: Hand, workspace: IntArray, number: int) -> None:
    """Give a copier the identity of its current candidate."""
    place = workspace[COPIER + number]
    name = workspace[CANDIDATE + number * MAX_CANDIDATES + workspace[CURRENT_CANDIDATE + number]]
    workspace[TRIAL + COPIES + place] = name
    card = name if name >= 0 else hand[place]
    set_identity(tables, workspace, place, card, tables[SUIT_OF + card])


@kernel
def find_candidates(tables: IntArray, hand: Hand, workspace: IntArray) -> int:
    """List the candidates of every copier, equivalent ones once, and return the number of copiers."""
    copiers = 0
    for place in range(len(hand)):
        if tables[POWER_OF + hand[place]] == COPIES_GAME and copiers < MAX_COPIERS:
            workspace[COPIER + copiers] = place
            workspace[CANDIDATE + copiers * MAX_CANDIDATES] = -1
            workspace[CANDIDATE_COUNT + copiers] = 1
            for name in range(NO_NAME):
                if tables[SUITS_TAKEN + hand[place]] >> tables[SUIT_OF + name] & 1:
                    add_candidate(tables, hand, workspace, copiers, name)
            copiers += 1
    return copiers


@kernel
def add_candidate(tables: IntArray, hand: Hand, workspace: IntArray, copier: int, name: int) -> None:
    """Add a candidate unless an equivalent one is listed."""
    count, place = workspace[CANDIDATE_COUNT + copier], workspace[COPIER + copier]
    mark = SIGNATURES + SIGNATURE_WIDTH * count
    workspace[CANDIDATE + copier * MAX_CANDIDATES + count] = name
    workspace[mark + NO_SUIT] = signature(tables, workspace, place, name, tables[SUIT_OF + name])
    if workspace[TRIAL + BOOK] >= 0:
        for suit in range(NO_SUIT):
            workspace[mark + suit] = signature(tables, workspace, place, name, suit)
    for number in range(1, count):
        if are_alike(tables, hand, workspace, copier, number, count):
            return
    workspace[CANDIDATE_COUNT + copier] = min(count + 1, MAX_CANDIDATES - 1)


@kernel
def are_alike(tables: IntArray, hand: Hand, workspace: IntArray, copier: int, one: int, two: int) -> bool:
    """Whether two candidates of a copier must score the same."""
    for suit in range(0 if workspace[TRIAL + BOOK] >= 0 else NO_SUIT, NO_SUIT + 1):
        if workspace[SIGNATURES + SIGNATURE_WIDTH * one + suit] != workspace[SIGNATURES + SIGNATURE_WIDTH * two + suit]:
            return False
    first = workspace[CANDIDATE + copier * MAX_CANDIDATES + one]
    second = workspace[CANDIDATE + copier * MAX_CANDIDATES + two]
    if tables[SUIT_OF + first] != tables[SUIT_OF + second]:
        return not has_line(workspace, SETS) and not has_line(workspace, DIFFER)
    return not has_line(workspace, SETS) or not (is_held(hand, first) or is_held(hand, second))


@kernel
def is_held(hand: Hand, name: int) -> bool:
    """Whether a card is in the hand."""
    for card in hand:
        if card == name:
            return True
    return False


# ---- which suit the Book changes


@kernel
def try_book(tables: IntArray, hand: Hand, workspace: IntArray) -> None:
    """Try the hand unchanged, and with the suit of each card changed."""
    workspace[TRIAL + TARGET] = workspace[TRIAL + NEW_SUIT] = -1
    try_island(tables, len(hand), workspace)
    if workspace[TRIAL + BOOK] >= 0:
        for place in range(len(hand)):
            if place != workspace[TRIAL + BOOK]:
                workspace[TRIAL + TARGET] = place
                try_suits(tables, len(hand), workspace, place)


@kernel
def try_suits(tables: IntArray, size: int, workspace: IntArray, place: HandPlace) -> None:
    """Try other suits for the card at a place, equivalent ones once."""
    name, before = workspace[NAME + place], workspace[SUIT + place]
    all_differ = has_line(workspace, SETS) or has_line(workspace, DIFFER)
    workspace[SIGNATURES] = signature(tables, workspace, place, name, before)
    count = 1
    for suit in range(NO_SUIT + 1):
        if suit == before or not tables[SWITCHES + BOOK_SUITS] >> suit & 1:
            continue
        mark = signature(tables, workspace, place, name, suit)
        if all_differ or not is_signature_known(workspace, count, mark):
            workspace[SIGNATURES + count] = mark
            count += 1
            workspace[TRIAL + NEW_SUIT] = suit
            set_identity(tables, workspace, place, name, suit)
            try_island(tables, size, workspace)
    set_identity(tables, workspace, place, name, before)


@kernel
def is_signature_known(workspace: IntArray, count: int, mark: Signature) -> bool:
    """Whether a signature is among the first `count` listed."""
    for number in range(count):
        if workspace[SIGNATURES + number] == mark:
            return True
    return False


# ---- which penalty Island clears


@kernel
def try_island(tables: IntArray, size: int, workspace: IntArray) -> None:
    """Try clearing no card and each card Island may clear, and keep the best choice so far."""
    keep_if_better(tables, workspace, compute_total(tables, workspace, size, -1), -1)
    may = clearable_places(workspace)
    if may:
        may &= places_with_penalty(workspace) & ~workspace[CLEARED]
        for place in range(size):
            if may >> place & 1:
                keep_if_better(tables, workspace, compute_total(tables, workspace, size, place), place)


@kernel
def clearable_places(workspace: IntArray) -> Mask:
    """Return the places of which one may be cleared."""
    for row in range(ROW, ROW + ROW_WIDTH * workspace[ROW_COUNT], ROW_WIDTH):
        if workspace[row + VERB] == CLEAR_ONE:
            return workspace[MASK + workspace[row + OF]]
    return 0


@kernel
def places_with_penalty(workspace: IntArray) -> Mask:
    """Return the places with a penalty."""
    found = 0
    for row in range(ROW, ROW + ROW_WIDTH * workspace[ROW_COUNT], ROW_WIDTH):
        if workspace[row + IS_PENALTY]:
            found |= 1 << workspace[row + OWNER]
    return found


@kernel
def keep_if_better(tables: IntArray, workspace: IntArray, total: int, island: HandPlace) -> None:
    """Keep the trial if it beats the best so far: by total, then by tie-break, then by fewer changes."""
    if total < workspace[BEST + TOTAL]:
        return
    strength = tie_break_strength(tables, workspace)
    used = (workspace[TRIAL + MODEL] >= 0) + (workspace[TRIAL + TARGET] >= 0) + (island >= 0)
    for entry in range(COPIES, CHOICE_SIZE):
        used += workspace[TRIAL + entry] >= 0
    if total == workspace[BEST + TOTAL] and (
        strength > workspace[BEST + TIE_BREAK]
        or (strength == workspace[BEST + TIE_BREAK] and used >= workspace[BEST + CHANGE_COUNT])
    ):
        return
    for entry in range(CHOICE_SIZE):
        workspace[BEST + entry] = workspace[TRIAL + entry]
    workspace[BEST + TOTAL] = total
    workspace[BEST + TIE_BREAK] = strength
    workspace[BEST + CHANGE_COUNT] = used
    workspace[BEST + ISLAND] = island


@kernel
def tie_break_strength(tables: IntArray, workspace: IntArray) -> int:
    """Return the sum of strengths that breaks ties (P6); 0 if choices cannot change it."""
    if tables[SWITCHES + PRINTED_BREAKS_TIES]:
        return 0
    found, left, place = 0, workspace[UNBLANKED], 0
    while left:
        if left & 1:
            found += workspace[STRENGTH + place]
        left >>= 1
        place += 1
    return found
