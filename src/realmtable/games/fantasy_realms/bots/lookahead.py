"""What each step of a turn may come to: the moments it may lead to, valued by the network, the best of them chosen.

A step leads to cases that are equally likely: a card from the deck may be any that is not seen. In each case the
player chooses between moments, by which card he drops.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

import numpy as np

from realmtable.games.fantasy_realms.bots.hand_values import (
    Cards,
    HandValues,
    cards_of,
    hand_values_for,
    mask_of,
)
from realmtable.games.fantasy_realms.bots.knowledge import Knowledge
from realmtable.games.fantasy_realms.bots.network import Floats, Forecast, TurnEnd, forecast
from realmtable.games.fantasy_realms.cards import HAND_SIZE, CardId
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.state import Step

ALL_UNSEEN: Final = 99  # unseen cards that are looked at: all
PAIRS_PER_CARD: Final = 2  # pairs of cards that are looked at for each unseen card (W1)
MIN_CHANCE: Final = 0.02  # below this a card of the last hand is not worth a word
DECILE_DEVIATIONS: Final = 1.2816  # standard deviations from the middle to where one in ten lies beyond


class Prospect(NamedTuple):
    """What a step may come to at the end of the game, on average over what may happen."""

    step: Step
    value: float  # points
    lead: float  # points more than the best other player
    low: float  # one game in ten ends with less
    high: float  # one game in ten ends with more
    heading: tuple[tuple[CardId, float], ...]  # cards of the last hand and how likely each is, the likeliest first


def evaluate_steps(
    known: Knowledge, steps: Sequence[Step], options: FantasyOptions, rng: Random, looks: int = ALL_UNSEEN
) -> list[Prospect]:
    """What each of some steps may come to, the best lead first; for who draws, takes or drops a card.

    Of the deck so many unseen cards are looked at, chosen by `rng` if not all.
    """
    turn = TurnLookahead(known, hand_values_for(options), rng, looks)
    cases = [list(turn.cases(step)) for step in steps]
    moments = [moment for each in cases for case in each for moment in case]
    told = apply_final_scores(known, moments, forecast(moments))
    found, start = [], 0
    for step, each in zip(steps, cases, strict=True):
        chosen = []
        for case in each:
            chosen.append(start + int(np.argmax((told.points - told.others)[start : start + len(case)])))
            start += len(case)
        found.append(_make_prospect(step, told, chosen))
    return sorted(found, key=lambda prospect: (-prospect.lead, prospect.step))


@dataclass
class TurnLookahead:
    """A player's turn as he sees it."""

    known: Knowledge
    hand_values: HandValues
    rng: Random
    samples: int

    def __post_init__(self) -> None:
        """Write the cards as bits."""
        self.hand, self.discard = mask_of(self.known.hand), mask_of(self.known.discard)

    def cases(self, step: Step) -> Iterator[list[TurnEnd]]:
        """The cases to which a step may lead, each with the moments to choose from."""
        hand, lying = self.hand, self.discard
        if step.verb == "drop":
            yield [self.turn_end(hand ^ 1 << step.card, lying | 1 << step.card)]
        elif step.verb == "take":
            yield self.ends_after_drop(hand | 1 << step.card, lying ^ 1 << step.card, step.card)
        elif self.known.needed:
            for one, two in self.sample_pairs():  # W1: one of two is kept
                kept = [(one, two), (two, one)]
                yield [self.turn_end(hand | 1 << card, lying | 1 << other) for card, other in kept]
        else:
            for card in self.rng.sample(self.known.unseen, min(self.samples, len(self.known.unseen))):
                yield self.ends_after_drop(hand | 1 << card, lying)

    def sample_pairs(self) -> Iterator[Sequence[CardId]]:
        """Pairs of cards that may come from the deck."""
        for _ in range(PAIRS_PER_CARD * min(self.samples, len(self.known.unseen))):
            yield self.rng.sample(self.known.unseen, 2)

    def ends_after_drop(self, hand: Cards, lying: Cards, taken: CardId | None = None) -> list[TurnEnd]:
        """The moments after a card is dropped, if the hand is too large; what was taken is not dropped again."""
        if self.known.needed:
            return [self.turn_end(hand, lying)]
        return [self.turn_end(hand ^ 1 << card, lying | 1 << card) for card in cards_of(hand) if card != taken]

    def turn_end(self, hand: Cards, lying: Cards) -> TurnEnd:
        """A moment after the turn."""
        worth = self.hand_values.final_worth(hand, lying)
        return TurnEnd(hand, lying, self.known.opponents_cards, self.known.seats, worth)


def apply_final_scores(known: Knowledge, moments: Sequence[TurnEnd], told: Forecast) -> Forecast:
    """What is expected, and where the game is over (P4, W3) what is."""
    over = np.array([_is_over(known, moment) for moment in moments])
    worth = np.array([moment.worth for moment in moments], np.float32)
    hands = np.array([moment.hand for moment in moments])[:, None] >> np.arange(told.cards.shape[1]) & 1
    points, low, high = (np.where(over, worth, values) for values in (told.points, told.low, told.high))
    return Forecast(points, told.others, low, high, np.where(over[:, None], hands, told.cards))


def _is_over(known: Knowledge, moment: TurnEnd) -> bool:
    return moment.discard.bit_count() >= known.limit and moment.hand.bit_count() == HAND_SIZE


def _make_prospect(step: Step, told: Forecast, chosen: Sequence[int]) -> Prospect:
    """The average over the moments that are chosen, one in each case."""
    points, cards = told.points[chosen], told.cards[chosen].mean(axis=0)
    value = float(points.mean())
    apart = float(points.var()) * DECILE_DEVIATIONS**2
    low = value - _spread(points - told.low[chosen], apart)
    high = value + _spread(points - told.high[chosen], apart)
    heading = [(card, float(cards[card])) for card in np.argsort(-cards, kind="stable") if cards[card] >= MIN_CHANCE]
    lead = value - float(told.others[chosen].mean())
    return Prospect(step, value, lead, low, high, tuple((int(card), chance) for card, chance in heading))


def _spread(within: Floats, apart: float) -> float:
    """How far one end lies from the middle, by how far it does within the cases and how far these are apart."""
    return float(np.sqrt((within**2).mean() + apart))
