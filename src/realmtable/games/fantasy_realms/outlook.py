"""What a hand may become: the game played out under a guess of the cards that come, in compiled code.

Hands and pools are masks here, a bit for each card. Worths are remembered by hand, for the same hands come up in every
sample.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from realmtable.games.fantasy_realms.cards import CardId
from realmtable.games.fantasy_realms.choosing import best_total
from realmtable.games.fantasy_realms.desk import DESK, MOST_CARDS, new_desk
from realmtable.games.fantasy_realms.tables import NOBODY, POWER_OF, TAKES_EIGHTH, Numbers, numbers
from realmtable.kit.bits import count_bits
from realmtable.kit.kernel import kernel

Cards = int  # a bit for each card

MEMO: Final = 1 << 16  # hands that are remembered
PROBES: Final = 8
# Behind the desk lie the hand that is scored, then the keys and the worths of remembered hands.
HAND: Final = DESK
KEYS: Final = HAND + MOST_CARDS
WORTHS: Final = KEYS + MEMO
SEATS: Final = WORTHS + MEMO  # how many play
LIMIT: Final = SEATS + 1  # discards that end the game
ELIGIBLE: Final = SEATS + 2  # the cards that the Necromancer may take
ROOM: Final = SEATS + 3
WORST: Final = 10**9
FULL: Final = 7  # cards in a hand
TENTHS: Final = 10
DRAWN_TENTHS: Final = 6  # of ten turns of others, those that begin at the deck


def new_room() -> Numbers:
    """Room to think in: a desk, and a memory of hands. It is good for one way to read the rules."""
    return numbers([*new_desk(), *[0] * (ROOM - DESK)])


def mask_of(cards: Iterable[CardId]) -> Cards:
    """Cards as bits."""
    return sum(1 << card for card in cards)


@kernel
def worth(tables: Numbers, room: Numbers, hand: Cards) -> int:
    """What a hand is worth with its best choices, remembered."""
    at = (hand ^ hand >> 19 ^ hand >> 37) % MEMO
    for probe in range(PROBES):
        slot = (at + probe) % MEMO
        if room[KEYS + slot] == hand:
            return room[WORTHS + slot]
        if room[KEYS + slot] == 0:
            at = slot
            break
    found = score_mask(tables, room, hand)
    room[KEYS + at] = hand
    room[WORTHS + at] = found
    return found


@kernel
def score_mask(tables: Numbers, room: Numbers, hand: Cards) -> int:
    """What a hand is worth, scored anew."""
    size = 0
    card = 0
    while hand >> card:
        if hand >> card & 1:
            room[HAND + size] = card
            size += 1
        card += 1
    return best_total(tables, room[HAND : HAND + size], room)


@kernel
def final_worth(tables: Numbers, room: Numbers, hand: Cards, eligible: Cards) -> int:
    """What a hand is worth when its Necromancer may take one of some cards (S8)."""
    found = worth(tables, room, hand)
    for taker in range(NOBODY):
        if hand >> taker & 1 and tables[POWER_OF + taker] == TAKES_EIGHTH:
            for card in range(NOBODY):
                if eligible & ~hand & 1 << card:
                    found = max(found, worth(tables, room, hand | 1 << card))
    return found


@kernel
def best_drop(tables: Numbers, room: Numbers, hand: Cards) -> Cards:
    """The hand without the card that it misses least."""
    best, better = -WORST, hand
    for card in range(NOBODY):
        if hand >> card & 1:
            value = worth(tables, room, hand ^ 1 << card)
            if value > best:
                best, better = value, hand ^ 1 << card
    return better


@kernel
def best_take(tables: Numbers, room: Numbers, hand: Cards, lying: Cards, size: int) -> Cards:
    """The hand after the card of the discard area is taken that helps most; as it is, if none does."""
    best, better = worth(tables, room, hand), hand
    for card in range(NOBODY):
        if lying >> card & 1:
            tried = hand | 1 << card
            if size == FULL:
                tried = best_drop(tables, room, tried)
            value = worth(tables, room, tried)
            if value > best:
                best, better = value, tried
    return better


@kernel
def others_turn(lying: Cards, card: int, chance: int) -> Cards:
    """The discard area after another's turn, in which a card comes to lie there: he has drawn, or taken one."""
    if chance % TENTHS < DRAWN_TENTHS or lying == 0:
        return lying | 1 << card
    skipped = chance // TENTHS % count_bits(lying)
    left = lying
    for _ in range(skipped):
        left &= left - 1
    return lying ^ (left & -left) | 1 << card


@kernel
def own_turn(tables: Numbers, room: Numbers, hand: Cards, lying: Cards, first: int, second: int) -> Cards:
    """The hand after one's own turn, played for what is best at once; `first` and `second` are next in the deck."""
    size = count_bits(hand)
    taken = best_take(tables, room, hand, lying, size)
    if size == FULL:
        return taken if taken != hand else best_drop(tables, room, hand | 1 << first)
    one, two = hand | 1 << first, hand | 1 << second
    drawn = one if worth(tables, room, one) >= worth(tables, room, two) else two
    better = taken != hand and worth(tables, room, taken) >= worth(tables, room, drawn)
    return taken if better else drawn


@kernel
def is_over(room: Numbers, hand: Cards, lying: Cards) -> bool:
    """Whether the game ends: enough lies there, and the hand is full (P4, W3)."""
    return count_bits(lying) >= room[LIMIT] and count_bits(hand) >= FULL


@kernel
def played_out(tables: Numbers, room: Numbers, hand: Cards, lying: Cards, guess: Numbers) -> int:
    """What a hand is worth at the end of one guess of how the game goes on, after one's turn.

    A guess is the unseen cards in the order in which they turn up, and a number for each that tells what its turn is
    like. A turn of one's own uses two of the cards, for in the set-up for two players both are seen.
    """
    at, count = 0, len(guess) // 2
    while at + room[SEATS] + 1 < count and not is_over(room, hand, lying):
        for _ in range(room[SEATS] - 1):
            if not is_over(room, hand, lying):
                lying = others_turn(lying, guess[at], guess[count + at])
                at += 1
        if not is_over(room, hand, lying):
            after = own_turn(tables, room, hand, lying, guess[at], guess[at + 1])
            seen = hand | lying
            if after & ~seen:
                seen |= 1 << guess[at]
                at += 1
                if count_bits(hand) < FULL:
                    seen |= 1 << guess[at]
                    at += 1
            lying = seen & ~after
            hand = after
    return final_worth(tables, room, hand, lying & room[ELIGIBLE])
