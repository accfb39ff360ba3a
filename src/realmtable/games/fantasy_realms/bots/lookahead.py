"""What each step of a turn may come to: the moments it may lead to, valued by the network, the best of them chosen.

A step leads to cases that are equally likely: a card from the deck may be any that is not seen. In each case the
player chooses between moments, by which card he drops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

import numpy as np

from realmtable.games.fantasy_realms.bots.hand_values import FULL, Cards, Thinker, cards_of, mask_of, thinker
from realmtable.games.fantasy_realms.bots.knowledge import Knowledge
from realmtable.games.fantasy_realms.bots.network import Expected, Floats, Moment, expected
from realmtable.games.fantasy_realms.cards import CardId
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.state import Step

EVERY: Final = 99  # unseen cards that are looked at: all
PAIRS: Final = 2  # pairs of cards that are looked at for each unseen card (W1)
LIKELY: Final = 0.02  # below this a card of the last hand is not worth a word
TENTH: Final = 1.2816  # standard deviations from the middle to where one in ten lies beyond

Judge = Callable[[Sequence[Moment]], Sequence[float]]  # the more, the better a moment is to be in


class Prospect(NamedTuple):
    """What a step may come to at the end of the game, on average over what may happen."""

    step: Step
    value: float  # points
    lead: float  # points more than the best other player
    low: float  # one game in ten ends with less
    high: float  # one game in ten ends with more
    heading: tuple[tuple[CardId, float], ...]  # cards of the last hand and how likely each is, the likeliest first


def prospects(
    known: Knowledge, steps: Sequence[Step], options: FantasyOptions, rng: Random, looks: int = EVERY
) -> list[Prospect]:
    """What each of some steps may come to, the best lead first; for who draws, takes or drops a card.

    Of the deck so many unseen cards are looked at, chosen by `rng` if not all.
    """
    turn = Turn(known, thinker(options), rng, looks)
    cases = [list(turn.cases(step)) for step in steps]
    moments = [moment for each in cases for case in each for moment in case]
    told = settled(known, moments, expected(moments))
    found, start = [], 0
    for step, each in zip(steps, cases, strict=True):
        chosen = []
        for case in each:
            chosen.append(start + int(np.argmax((told.points - told.others)[start : start + len(case)])))
            start += len(case)
        found.append(_prospect(step, told, chosen))
    return sorted(found, key=lambda prospect: (-prospect.lead, prospect.step))


@dataclass
class Turn:
    """A player's turn as he sees it."""

    known: Knowledge
    thinker: Thinker
    rng: Random
    looks: int

    def __post_init__(self) -> None:
        """Write the cards as bits."""
        self.hand, self.lying = mask_of(self.known.hand), mask_of(self.known.discard)

    def cases(self, step: Step) -> Iterator[list[Moment]]:
        """The cases to which a step may lead, each with the moments to choose from."""
        hand, lying = self.hand, self.lying
        if step.verb == "drop":
            yield [self.moment(hand ^ 1 << step.card, lying | 1 << step.card)]
        elif step.verb == "take":
            yield self.drops(hand | 1 << step.card, lying ^ 1 << step.card, step.card)
        elif self.known.needed:
            for one, two in self.pairs():  # W1: one of two is kept
                kept = [(one, two), (two, one)]
                yield [self.moment(hand | 1 << card, lying | 1 << other) for card, other in kept]
        else:
            for card in self.rng.sample(self.known.unseen, min(self.looks, len(self.known.unseen))):
                yield self.drops(hand | 1 << card, lying)

    def pairs(self) -> Iterator[Sequence[CardId]]:
        """Pairs of cards that may come from the deck."""
        for _ in range(PAIRS * min(self.looks, len(self.known.unseen))):
            yield self.rng.sample(self.known.unseen, 2)

    def drops(self, hand: Cards, lying: Cards, taken: CardId | None = None) -> list[Moment]:
        """The moments after a card is dropped, if the hand is too large; what was taken is not dropped again."""
        if self.known.needed:
            return [self.moment(hand, lying)]
        return [self.moment(hand ^ 1 << card, lying | 1 << card) for card in cards_of(hand) if card != taken]

    def moment(self, hand: Cards, lying: Cards) -> Moment:
        """A moment after the turn."""
        worth = self.thinker.final_worth(hand, lying)
        return Moment(hand, lying, self.known.theirs, self.known.seats, worth)


def settled(known: Knowledge, moments: Sequence[Moment], told: Expected) -> Expected:
    """What is expected, and where the game is over (P4, W3) what is."""
    over = np.array([_is_over(known, moment) for moment in moments])
    worth = np.array([moment.worth for moment in moments], np.float32)
    hands = np.array([moment.hand for moment in moments])[:, None] >> np.arange(told.cards.shape[1]) & 1
    points, low, high = (np.where(over, worth, values) for values in (told.points, told.low, told.high))
    return Expected(points, told.others, low, high, np.where(over[:, None], hands, told.cards))


def _is_over(known: Knowledge, moment: Moment) -> bool:
    return moment.lying.bit_count() >= known.limit and moment.hand.bit_count() == FULL


def _prospect(step: Step, told: Expected, chosen: Sequence[int]) -> Prospect:
    """The average over the moments that are chosen, one in each case."""
    points, cards = told.points[chosen], told.cards[chosen].mean(axis=0)
    value = float(points.mean())
    apart = float(points.var()) * TENTH**2
    low = value - _spread(points - told.low[chosen], apart)
    high = value + _spread(points - told.high[chosen], apart)
    heading = [(card, float(cards[card])) for card in np.argsort(-cards, kind="stable") if cards[card] >= LIKELY]
    lead = value - float(told.others[chosen].mean())
    return Prospect(step, value, lead, low, high, tuple((int(card), chance) for card, chance in heading))


def _spread(within: Floats, apart: float) -> float:
    """How far one end lies from the middle, by how far it does within the cases and how far these are apart."""
    return float(np.sqrt((within**2).mean() + apart))
