"""Search all hands of Fantasy Realms in compiled code for those worth most.

A hand is scored only if `upper_bound` says that it may be worth enough, and hands with the same first cards are skipped
together if none of them can be.
"""

from __future__ import annotations

from math import comb
from random import Random
from typing import Final, NamedTuple

from realmtable.games.fantasy_realms.cards import BY_NAME, CARDS, CardId
from realmtable.games.fantasy_realms.effect_parser import card_power
from realmtable.games.fantasy_realms.scoring.best_choices import best_total
from realmtable.games.fantasy_realms.scoring.card_arrays import IntArray, card_arrays, to_kernel_array
from realmtable.games.fantasy_realms.scoring.workspace import MAX_CARDS, Hand, new_workspace
from realmtable.kit.compile import kernel
from studies.fantasy_hands.bound import line_bound_table, upper_bound

# Entries of a job.
STEPS, LEAST, WANTED, CHANGED, OVER, FIXED, PICKED, FREE = range(8)
PICK: Final = 8  # by number: the deck position of a picked card, ascending
DECK: Final = PICK + MAX_CARDS  # the cards to pick from, sorted by the most they can score
MOST: Final = DECK + len(CARDS)  # the most each of them can score

MAX_FOUND: Final = 1000  # hands that one slice may find
FOUND_WIDTH: Final = MAX_CARDS + 1  # the total, then the cards

CHECKED_HANDS: Final = 10_000  # before a search

NECROMANCER: Final = BY_NAME["Necromancer"].id


class HandSet(NamedTuple):
    """A set of hands to search."""

    name: str
    size: int = 7
    fixed: tuple[CardId, ...] = ()  # in every hand
    wanted: tuple[CardId, ...] = ()  # at least one of these, if any, must be in a hand
    least: int = 300  # hands worth less are ignored
    deck: tuple[CardId, ...] = tuple(range(len(CARDS)))

    def free_cards(self) -> list[CardId]:
        """Return the cards to pick from."""
        return [card for card in self.deck if card not in self.fixed]

    def count_hands(self) -> int:
        """Count the hands to search."""
        return comb(len(self.free_cards()), self.size - len(self.fixed))


def eighth_cards() -> tuple[CardId, ...]:
    """Return the cards that the Necromancer may take (S8)."""
    suits = card_power(CARDS[NECROMANCER], "eighth")
    return tuple(card.id for card in CARDS if card.suit in suits and card.id != NECROMANCER)


SEVEN: Final = HandSet("seven")
EIGHT: Final = HandSet("eight", 8, (NECROMANCER,), eighth_cards())


# ---- in compiled code


@kernel
def search_slice(
    tables: IntArray, limits: IntArray, workspace: IntArray, job: IntArray, hand: IntArray, found: IntArray
) -> int:
    """Take the next steps, write the hands worth enough to `found`, and return their number."""
    count = 0
    for _ in range(job[STEPS]):
        if job[OVER] or count == MAX_FOUND:
            break
        length = prunable_length(tables, limits, job, hand)
        if length == job[PICKED] and has_wanted_card(job, hand) and upper_bound(tables, limits, hand, 0) >= job[LEAST]:
            total = best_total(tables, hand, workspace)
            if total >= job[LEAST]:
                found[FOUND_WIDTH * count] = total
                for place in range(len(hand)):
                    found[FOUND_WIDTH * count + 1 + place] = hand[place]
                count += 1
        advance(job, hand, length - 1)
    return count


@kernel
def prunable_length(tables: IntArray, limits: IntArray, job: IntArray, hand: Hand) -> int:
    """Return how many picked cards suffice to rule out all hands that start with them; all of them if none do."""
    for length in range(job[CHANGED] + 1, job[PICKED]):
        left = job[PICKED] - length
        most = upper_bound(tables, limits, hand[: job[FIXED] + length], left)
        after = job[PICK + length - 1] + 1
        for place in range(after, after + left):
            most += job[MOST + place]
        if most < job[LEAST]:
            return length
    return job[PICKED]


@kernel
def has_wanted_card(job: IntArray, hand: Hand) -> bool:
    """Whether a required card is in the hand."""
    held = 0
    for card in hand:
        held |= 1 << card
    return job[WANTED] == 0 or held & job[WANTED] != 0


@kernel
def advance(job: IntArray, hand: IntArray, number: int) -> None:
    """Advance to the next hand, in deck order, that picks another card at a number."""
    picked, free = job[PICKED], job[FREE]
    while number >= 0 and job[PICK + number] == free - picked + number:
        number -= 1
    if number < 0:
        job[OVER] = 1
        return
    job[CHANGED] = number
    job[PICK + number] += 1
    for later in range(number + 1, picked):
        job[PICK + later] = job[PICK + later - 1] + 1
    fill_hand(job, hand)


@kernel
def fill_hand(job: IntArray, hand: IntArray) -> None:
    """Write the picked cards into the hand after the fixed ones."""
    for number in range(job[PICKED]):
        hand[job[FIXED] + number] = job[DECK + job[PICK + number]]


# ---- the search from Python


def check_bound(hands: int) -> None:
    """Raise `ValueError` if the bound is below the best total of one of some random hands, known whole or in part."""
    tables, limits, workspace, rng = card_arrays(), line_bound_table(), new_workspace(), Random("bound")
    for _ in range(hands):
        hand = rng.sample(range(len(CARDS)), rng.choice((SEVEN.size, EIGHT.size)))
        total = best_total(tables, to_kernel_array(hand), workspace)
        for known in (len(hand), rng.randrange(1, len(hand))):
            most = int(upper_bound(tables, limits, to_kernel_array(hand[:known]), len(hand) - known))
            for card in hand[known:]:
                most += int(upper_bound(tables, limits, to_kernel_array([card]), len(hand) - 1))
            if most < total:
                raise ValueError(f"The bound of {hand}, of which {known} cards are known, is {most}, not {total}.")


class HandSearch:
    """A search over all hands of a set."""

    def __init__(self, part: HandSet) -> None:
        self.part = part
        self.best: list[tuple[int, tuple[CardId, ...]]] = []  # hands found: total and cards
        free, picked = part.free_cards(), part.size - len(part.fixed)
        most = [
            int(upper_bound(card_arrays(), line_bound_table(), to_kernel_array([card]), part.size - 1)) for card in free
        ]
        order = sorted(range(len(free)), key=lambda place: -most[place])
        wanted, spare = sum(1 << card for card in part.wanted), [0] * (len(CARDS) - len(free))
        head = [0, part.least, wanted, 0, 0, len(part.fixed), picked, len(free)]
        deck = [free[place] for place in order] + spare
        self.job = to_kernel_array(
            [*head, *range(picked), *[0] * (MAX_CARDS - picked), *deck, *(most[at] for at in order)]
        )
        self.hand = to_kernel_array([*part.fixed, *[0] * picked])
        self.result_buffer = to_kernel_array([0] * (MAX_FOUND * FOUND_WIDTH))
        self.workspace = new_workspace()
        fill_hand(self.job, self.hand)

    @property
    def hands_done(self) -> int:
        """The number of hands scored or skipped."""
        if self.is_over:
            return self.part.count_hands()
        free, picked = (int(self.job[entry]) for entry in (FREE, PICKED))
        places = [int(self.job[PICK + number]) for number in range(picked)]
        return comb(free, picked) - sum(comb(free - place - 1, picked - at) for at, place in enumerate(places)) - 1

    @property
    def is_over(self) -> bool:
        """Whether the search is complete."""
        return bool(self.job[OVER])

    def run_steps(self, steps: int) -> None:
        """Take `steps` more steps, or fewer if many hands are found or few are left."""
        self.job[STEPS] = steps
        count = search_slice(card_arrays(), line_bound_table(), self.workspace, self.job, self.hand, self.result_buffer)
        for at in range(0, FOUND_WIDTH * int(count), FOUND_WIDTH):
            cards = self.result_buffer[at + 1 : at + 1 + self.part.size]
            self.best.append((int(self.result_buffer[at]), tuple(sorted(int(card) for card in cards))))

    def ranking(self) -> list[tuple[int, tuple[CardId, ...]]]:
        """Return the hands found, best first."""
        return sorted(self.best, key=lambda entry: (-entry[0], entry[1]))
