"""Count in compiled code what random hands of Fantasy Realms are worth, and how each card affects them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from realmtable.games.fantasy_realms.cards import CARDS, CardId
from realmtable.games.fantasy_realms.scoring.best_choices import (
    COPIES,
    DOPPELGANGER,
    ISLAND,
    MODEL,
    NEW_SUIT,
    TARGET,
    best_total,
)
from realmtable.games.fantasy_realms.scoring.card_arrays import SUIT_OF, IntArray, card_arrays, to_kernel_array
from realmtable.games.fantasy_realms.scoring.total import find_unblanked, mark_cleared, sum_points
from realmtable.games.fantasy_realms.scoring.workspace import (
    BEST,
    BONUS,
    NAME,
    PENALTY,
    STRENGTH,
    Hand,
    Mask,
    lay_out_hand,
    new_workspace,
    set_identity,
)
from realmtable.kit.compile import kernel
from realmtable.lab.match_statistics import Z, wilson

SIZE: Final = 7
LOWEST: Final = -200  # no hand is worth less
HIGHEST: Final = 600  # nor more
BATCH: Final = 5000

# The sums for each card.
HELD, OWN, OWN_SQUARED, BLANKED, TOTAL, TOTAL_SQUARED = range(6)
SUMS: Final = 6


# ---- in compiled code


@kernel
def count_hands(tables: IntArray, hands: Hand, workspace: IntArray, totals: IntArray, sums: IntArray) -> None:
    """Count how often each total occurs in hands of seven, and add up the sums of each card."""
    for start in range(0, len(hands), SIZE):
        hand = hands[start : start + SIZE]
        total = best_total(tables, hand, workspace)
        alive = lay_out_best(tables, hand, workspace)
        totals[total - LOWEST] += 1
        for place in range(SIZE):
            at, stands = SUMS * hand[place], alive >> place & 1
            own = (workspace[STRENGTH + place] + workspace[BONUS + place] + workspace[PENALTY + place]) * stands
            sums[at + HELD] += 1
            sums[at + OWN] += own
            sums[at + OWN_SQUARED] += own * own
            sums[at + BLANKED] += 1 - stands
            sums[at + TOTAL] += total
            sums[at + TOTAL_SQUARED] += total * total


@kernel
def lay_out_best(tables: IntArray, hand: Hand, workspace: IntArray) -> Mask:
    """Lay out a hand with the best choices just found and each card's points; return the unblanked cards."""
    model = workspace[BEST + MODEL]
    lay_out_hand(tables, workspace, hand, workspace[BEST + DOPPELGANGER] if model >= 0 else -1, model)
    for place in range(len(hand)):
        name = workspace[BEST + COPIES + place]
        if name >= 0:
            set_identity(tables, workspace, place, name, tables[SUIT_OF + name])
    target = workspace[BEST + TARGET]
    if target >= 0:
        set_identity(tables, workspace, target, workspace[NAME + target], workspace[BEST + NEW_SUIT])
    mark_cleared(workspace, workspace[BEST + ISLAND])
    alive = find_unblanked(tables, workspace, len(hand))
    sum_points(tables, workspace, len(hand), alive)
    return alive


# ---- statistics in Python


class Estimate(NamedTuple):
    """A figure and half the width of its 95% interval."""

    value: float
    half_width: float


class CardFigures(NamedTuple):
    """A card's figures in random hands."""

    card: CardId
    own: Estimate  # its own points when held
    lift: Estimate  # the mean of hands with it minus the mean of all
    blanked: Estimate  # the share of hands with it in which it is blanked


@dataclass
class Sample:
    """Counts over random hands."""

    seed: int
    totals: NDArray[np.int64]  # by total - LOWEST
    sums: NDArray[np.int64]  # by card, then HELD to TOTAL_SQUARED

    @property
    def hands(self) -> int:
        """The number of hands."""
        return int(self.totals.sum())

    @property
    def possible_totals(self) -> NDArray[np.int64]:
        """All possible totals."""
        return np.arange(LOWEST, HIGHEST + 1)

    def mean(self) -> Estimate:
        """Estimate the mean total."""
        return Estimate(
            float((self.totals * self.possible_totals).sum() / self.hands), Z * self.deviation() / sqrt(self.hands)
        )

    def deviation(self) -> float:
        """Return the standard deviation of the totals."""
        mean = (self.totals * self.possible_totals).sum() / self.hands
        return sqrt(float((self.totals * (self.possible_totals - mean) ** 2).sum()) / (self.hands - 1))

    def quantile(self, share: float) -> tuple[int, int, int]:
        """Return the total that this share of hands does not exceed, and its 95% interval by ranks."""
        reach = Z * sqrt(share * (1 - share) / self.hands)
        low, middle, high = (self._quantile_at(min(1, max(0, end))) for end in (share - reach, share, share + reach))
        return middle, low, high

    def _quantile_at(self, share: float) -> int:
        rank = max(1, int(np.ceil(share * self.hands - 1e-9)))
        return int(self.possible_totals[np.searchsorted(np.cumsum(self.totals), rank)])

    def extremes(self) -> tuple[int, int]:
        """Return the lowest and the highest total seen."""
        seen = self.possible_totals[self.totals > 0]
        return int(seen[0]), int(seen[-1])

    def share_of_at_least(self, total: int) -> float:
        """Return the share of hands worth at least `total`."""
        return float(self.totals[total - LOWEST :].sum() / self.hands)

    def cards(self) -> list[CardFigures]:
        """Return the figures of every card, sorted by lift."""
        figures = [self._card_figures(card.id) for card in CARDS]
        return sorted(figures, key=lambda entry: -entry.lift.value)

    def _card_figures(self, card: CardId) -> CardFigures:
        held, own, own_squared, blanked, *_ = (float(entry) for entry in self.sums[card])
        spread = max(0.0, own_squared / held - (own / held) ** 2)
        share = wilson(blanked / held, held)
        return CardFigures(
            card,
            Estimate(own / held, Z * sqrt(spread / held)),
            self._lift(card),
            Estimate(blanked / held, (share.high - share.low) / 2),
        )

    def _lift(self, card: CardId) -> Estimate:
        """Estimate a card's lift: the share of hands without it times the difference of two independent means."""
        held, total, squared = (float(self.sums[card][entry]) for entry in (HELD, TOTAL, TOTAL_SQUARED))
        everything = float((self.totals * self.possible_totals).sum())
        squares = float((self.totals * self.possible_totals**2).sum())
        others = self.hands - held
        mean, rest = total / held, (everything - total) / others
        error = (squared / held - mean**2) / held + ((squares - squared) / others - rest**2) / others
        return Estimate((mean - rest) * others / self.hands, Z * sqrt(error) * others / self.hands)


def score_batches(hands: int, seed: int) -> Iterator[Sample]:
    """Score random hands in batches, and yield the counts so far after each."""
    rng = np.random.default_rng(seed)
    totals, sums = to_kernel_array([0] * (HIGHEST - LOWEST + 1)), to_kernel_array([0] * (SUMS * len(CARDS)))
    workspace, done = new_workspace(), 0
    while done < hands:
        batch = min(BATCH, hands - done)
        count_hands(card_arrays(), to_kernel_array(random_cards(rng, batch)), workspace, totals, sums)
        done += batch
        yield Sample(seed, np.array(totals), np.array(sums).reshape(len(CARDS), SUMS))


def random_cards(rng: np.random.Generator, hands: int) -> list[int]:
    """Draw random hands of seven, concatenated."""
    order: NDArray[Any] = rng.random((hands, len(CARDS))).argpartition(SIZE, axis=1)[:, :SIZE]
    return [int(card) for card in order.ravel()]
