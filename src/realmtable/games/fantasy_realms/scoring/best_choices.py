"""The best choices of a hand, all together (S2 to S5), in compiled code.

Every joint choice is tried, but of those that cannot differ only one. What a card's name and suit do to a score is told
by its `signature`, the selectors in the hand that mean it, for nothing else is asked of them; only Collector looks at
names and suits themselves, and World Tree at suits. So of two candidates with equal signatures one is enough. Where the
Book may change the suit afterwards, their signatures under every suit must agree. Collector asks whether names differ:
a name that nobody in the hand bears is as good as another, for Mirage and Shapeshifter choose from different suits.
"""

from __future__ import annotations

from typing import Final

from realmtable.games.fantasy_realms.effects import CLEAR_ONE, DIFFER, NO_SUIT, SETS
from realmtable.games.fantasy_realms.scoring.card_arrays import (
    BOOK_SUITS,
    CHANGES_SUIT,
    COPIES_GAME,
    COPIES_HAND,
    IS_PENALTY,
    NOBODY,
    OF,
    POWER_OF,
    PRINTED_BREAKS_TIES,
    SUIT_OF,
    SWITCH,
    TAKEN_BY,
    VERB,
    Numbers,
)
from realmtable.games.fantasy_realms.scoring.total import total_of
from realmtable.games.fantasy_realms.scoring.workspace import (
    BEST,
    CANDIDATE,
    CHOICE,
    CLEARED,
    COPIER,
    COUNT,
    LIVING,
    MARK,
    MASK,
    MOST_CANDIDATES,
    MOST_COPIERS,
    MOST_MARKS,
    NAME,
    OWNER,
    PICK,
    ROW,
    ROWS,
    STRENGTH,
    SUIT,
    TRIED,
    WIDTH,
    Hand,
    Mask,
    Place,
    Signature,
    identify,
    lay_out,
    signature,
)
from realmtable.kit.compile import kernel

# Entries of a choice; -1 where it is not made. BOOK and DOUBLE are places of cards that choose.
TOTAL, TIE_BREAK, USED, DOUBLE, MODEL, BOOK, TARGET, NEW_SUIT, ISLAND = range(9)
COPIES: Final = 9  # by place: what a card has become
WORST: Final = -(10**9)


@kernel
def best_total(tables: Numbers, hand: Hand, desk: Numbers) -> int:
    """The worth of a hand with its best choices, which are left on the desk at `BEST`."""
    for entry in range(CHOICE):
        desk[TRIED + entry] = desk[BEST + entry] = -1
    desk[BEST + TOTAL] = WORST
    double = desk[TRIED + DOUBLE] = place_of(tables, hand, COPIES_HAND)
    desk[TRIED + BOOK] = place_of(tables, hand, CHANGES_SUIT)
    for model in range(-1, len(hand) if double >= 0 else 0):
        if model < 0 or model != double:
            desk[TRIED + MODEL] = model
            lay_out(tables, desk, hand, double if model >= 0 else -1, model)
            try_copies(tables, hand, desk)
    return desk[BEST + TOTAL]


@kernel
def best_totals(tables: Numbers, hands: Hand, size: int, desk: Numbers, out: Numbers) -> None:
    """The worth of many hands of a size, one behind the other."""
    for number in range(len(out)):
        out[number] = best_total(tables, hands[number * size : (number + 1) * size], desk)


@kernel
def place_of(tables: Numbers, hand: Hand, power: int) -> Place:
    """The place of the card with a power, or -1."""
    for place in range(len(hand)):
        if tables[POWER_OF + hand[place]] == power:
            return place
    return -1


@kernel
def says(desk: Numbers, verb: int) -> bool:
    """Whether a line with a verb is in the hand."""
    for row in range(ROW, ROW + WIDTH * desk[ROWS], WIDTH):
        if desk[row + VERB] == verb:
            return True
    return False


# ---- whom Mirage and Shapeshifter become


@kernel
def try_copies(tables: Numbers, hand: Hand, desk: Numbers) -> None:
    """Try every combination of candidates of the cards that may become others of the game."""
    copiers = find_candidates(tables, hand, desk)
    for number in range(copiers):
        desk[PICK + number] = 0
        become(tables, hand, desk, number)
    while True:
        try_book(tables, hand, desk)
        number = 0
        while number < copiers:
            more = desk[PICK + number] + 1 < desk[COUNT + number]
            desk[PICK + number] = desk[PICK + number] + 1 if more else 0
            become(tables, hand, desk, number)
            if more:
                break
            number += 1
        if number == copiers:
            return


@kernel
def become(tables: Numbers, hand: Hand, desk: Numbers, number: int) -> None:
    """Let a copier be its present candidate."""
    place = desk[COPIER + number]
    name = desk[CANDIDATE + number * MOST_CANDIDATES + desk[PICK + number]]
    desk[TRIED + COPIES + place] = name
    card = name if name >= 0 else hand[place]
    identify(tables, desk, place, card, tables[SUIT_OF + card])


@kernel
def find_candidates(tables: Numbers, hand: Hand, desk: Numbers) -> int:
    """Note for every copier whom it may become, alike ones once; tell how many copiers there are."""
    copiers = 0
    for place in range(len(hand)):
        if tables[POWER_OF + hand[place]] == COPIES_GAME and copiers < MOST_COPIERS:
            desk[COPIER + copiers] = place
            desk[CANDIDATE + copiers * MOST_CANDIDATES] = -1
            desk[COUNT + copiers] = 1
            for name in range(NOBODY):
                if tables[TAKEN_BY + hand[place]] >> tables[SUIT_OF + name] & 1:
                    add_candidate(tables, hand, desk, copiers, name)
            copiers += 1
    return copiers


@kernel
def add_candidate(tables: Numbers, hand: Hand, desk: Numbers, copier: int, name: int) -> None:
    """Add a candidate, unless it does what another does."""
    count, place = desk[COUNT + copier], desk[COPIER + copier]
    mark = MARK + MOST_MARKS * count
    desk[CANDIDATE + copier * MOST_CANDIDATES + count] = name
    desk[mark + NO_SUIT] = signature(tables, desk, place, name, tables[SUIT_OF + name])
    if desk[TRIED + BOOK] >= 0:
        for suit in range(NO_SUIT):
            desk[mark + suit] = signature(tables, desk, place, name, suit)
    for number in range(1, count):
        if are_alike(tables, hand, desk, copier, number, count):
            return
    desk[COUNT + copier] = min(count + 1, MOST_CANDIDATES - 1)


@kernel
def are_alike(tables: Numbers, hand: Hand, desk: Numbers, copier: int, one: int, two: int) -> bool:
    """Whether it makes no difference which of two candidates a copier becomes."""
    for suit in range(0 if desk[TRIED + BOOK] >= 0 else NO_SUIT, NO_SUIT + 1):
        if desk[MARK + MOST_MARKS * one + suit] != desk[MARK + MOST_MARKS * two + suit]:
            return False
    first = desk[CANDIDATE + copier * MOST_CANDIDATES + one]
    second = desk[CANDIDATE + copier * MOST_CANDIDATES + two]
    if tables[SUIT_OF + first] != tables[SUIT_OF + second]:
        return not says(desk, SETS) and not says(desk, DIFFER)
    return not says(desk, SETS) or not (is_held(hand, first) or is_held(hand, second))


@kernel
def is_held(hand: Hand, name: int) -> bool:
    """Whether a card is held."""
    for card in hand:
        if card == name:
            return True
    return False


# ---- whose suit the Book changes


@kernel
def try_book(tables: Numbers, hand: Hand, desk: Numbers) -> None:
    """Try the hand as it is, and with each card's suit changed."""
    desk[TRIED + TARGET] = desk[TRIED + NEW_SUIT] = -1
    try_island(tables, len(hand), desk)
    if desk[TRIED + BOOK] >= 0:
        for place in range(len(hand)):
            if place != desk[TRIED + BOOK]:
                desk[TRIED + TARGET] = place
                try_suits(tables, len(hand), desk, place)


@kernel
def try_suits(tables: Numbers, size: int, desk: Numbers, place: Place) -> None:
    """Try other suits for the card at a place, alike ones once."""
    name, before = desk[NAME + place], desk[SUIT + place]
    all_differ = says(desk, SETS) or says(desk, DIFFER)
    desk[MARK] = signature(tables, desk, place, name, before)
    count = 1
    for suit in range(NO_SUIT + 1):
        if suit == before or not tables[SWITCH + BOOK_SUITS] >> suit & 1:
            continue
        mark = signature(tables, desk, place, name, suit)
        if all_differ or not is_marked(desk, count, mark):
            desk[MARK + count] = mark
            count += 1
            desk[TRIED + NEW_SUIT] = suit
            identify(tables, desk, place, name, suit)
            try_island(tables, size, desk)
    identify(tables, desk, place, name, before)


@kernel
def is_marked(desk: Numbers, count: int, mark: Signature) -> bool:
    """Whether a signature is one of the first few noted."""
    for number in range(count):
        if desk[MARK + number] == mark:
            return True
    return False


# ---- whose penalty Island clears


@kernel
def try_island(tables: Numbers, size: int, desk: Numbers) -> None:
    """Try to clear nobody and each card that one may be, and keep the best choice so far."""
    keep(tables, desk, total_of(tables, desk, size, -1), -1)
    may = clearable(desk)
    if may:
        may &= penalised(desk) & ~desk[CLEARED]
        for place in range(size):
            if may >> place & 1:
                keep(tables, desk, total_of(tables, desk, size, place), place)


@kernel
def clearable(desk: Numbers) -> Mask:
    """The places that a card may clear one of."""
    for row in range(ROW, ROW + WIDTH * desk[ROWS], WIDTH):
        if desk[row + VERB] == CLEAR_ONE:
            return desk[MASK + desk[row + OF]]
    return 0


@kernel
def penalised(desk: Numbers) -> Mask:
    """The places with a penalty."""
    found = 0
    for row in range(ROW, ROW + WIDTH * desk[ROWS], WIDTH):
        if desk[row + IS_PENALTY]:
            found |= 1 << desk[row + OWNER]
    return found


@kernel
def keep(tables: Numbers, desk: Numbers, total: int, island: Place) -> None:
    """Keep what was tried if it is worth more than the best so far, then if it wins ties, then if it changes less."""
    if total < desk[BEST + TOTAL]:
        return
    strength = tie_break(tables, desk)
    used = (desk[TRIED + MODEL] >= 0) + (desk[TRIED + TARGET] >= 0) + (island >= 0)
    for entry in range(COPIES, CHOICE):
        used += desk[TRIED + entry] >= 0
    if total == desk[BEST + TOTAL] and (
        strength > desk[BEST + TIE_BREAK] or (strength == desk[BEST + TIE_BREAK] and used >= desk[BEST + USED])
    ):
        return
    for entry in range(CHOICE):
        desk[BEST + entry] = desk[TRIED + entry]
    desk[BEST + TOTAL] = total
    desk[BEST + TIE_BREAK] = strength
    desk[BEST + USED] = used
    desk[BEST + ISLAND] = island


@kernel
def tie_break(tables: Numbers, desk: Numbers) -> int:
    """The sum of strengths that is compared between equal realms (P6); 0 where choices cannot change it."""
    if tables[SWITCH + PRINTED_BREAKS_TIES]:
        return 0
    found, left, place = 0, desk[LIVING], 0
    while left:
        if left & 1:
            found += desk[STRENGTH + place]
        left >>= 1
        place += 1
    return found
