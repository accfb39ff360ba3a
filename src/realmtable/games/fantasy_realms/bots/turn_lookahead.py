"""Look ahead to the end of the turn and let the network value what each step may lead to.

A step leads to equally likely cases: a card from the deck may be any unseen card. In each case the player chooses how
to end the turn, by which card they discard.
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
    SeenHandValues,
    cards_of,
    hand_values_for,
    mask_of,
)
from realmtable.games.fantasy_realms.bots.knowledge import Knowledge
from realmtable.games.fantasy_realms.bots.network import Floats, Forecast, TurnEnd, forecast
from realmtable.games.fantasy_realms.cards import HAND_SIZE, CardId
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.state import Step

ALL_UNSEEN: Final = 99  # samples: more than there are cards, so all unseen ones
PAIRS_PER_CARD: Final = 2  # pairs sampled per unseen card (W1)
MIN_CHANCE: Final = 0.02  # less likely cards of the final hand are not listed
DECILE_DEVIATIONS: Final = 1.2816  # standard deviations from the mean to the first and last decile


class Prospect(NamedTuple):
    """What a step leads to at the end of the game, averaged over its cases."""

    step: Step
    value: float  # points
    lead: float  # points ahead of the best other player
    low: float  # one game in ten ends with less
    high: float  # one game in ten ends with more
    heading: tuple[tuple[CardId, float], ...]  # cards of the final hand with their likelihood, likeliest first


def evaluate_steps(
    known: Knowledge, steps: Sequence[Step], options: FantasyOptions, rng: Random, samples: int = ALL_UNSEEN
) -> list[Prospect]:
    """Evaluate steps of drawing, taking or discarding a card; return them by expected lead, best first.

    `samples` limits how many unseen cards are considered for a draw from the deck; `rng` chooses them.
    """
    turn = TurnLookahead(known, hand_values_for(options), rng, samples)
    cases = [list(turn.cases(step)) for step in steps]
    turn_ends = [end for each in cases for case in each for end in case]
    expected = apply_final_scores(known, turn_ends, forecast(turn_ends))
    prospects, start = [], 0
    for step, each in zip(steps, cases, strict=True):
        chosen = []
        for case in each:
            chosen.append(start + int(np.argmax((expected.points - expected.others)[start : start + len(case)])))
            start += len(case)
        prospects.append(_make_prospect(step, expected, chosen))
    return sorted(prospects, key=lambda prospect: (-prospect.lead, prospect.step))


@dataclass
class TurnLookahead:
    """A turn as the acting player sees it."""

    known: Knowledge
    hand_values: HandValues | SeenHandValues
    rng: Random
    samples: int

    def __post_init__(self) -> None:
        """Convert the cards to bit masks."""
        self.hand, self.discard = mask_of(self.known.hand), mask_of(self.known.discard)

    def cases(self, step: Step) -> Iterator[list[TurnEnd]]:
        """Yield the cases a step may lead to, each as the ends of the turn to choose from."""
        hand, discard = self.hand, self.discard
        if step.verb == "drop":
            yield [self.turn_end(hand ^ 1 << step.card, discard | 1 << step.card)]
        elif step.verb == "take":
            yield self.ends_after_drop(hand | 1 << step.card, discard ^ 1 << step.card, step.card)
        elif self.known.needed:
            for one, two in self.sample_pairs():  # W1: keep one of two
                splits = [(one, two), (two, one)]
                yield [self.turn_end(hand | 1 << card, discard | 1 << other) for card, other in splits]
        else:
            for card in self.rng.sample(self.known.unseen, min(self.samples, len(self.known.unseen))):
                yield self.ends_after_drop(hand | 1 << card, discard)

    def sample_pairs(self) -> Iterator[Sequence[CardId]]:
        """Yield pairs of cards that may come from the deck."""
        for _ in range(PAIRS_PER_CARD * min(self.samples, len(self.known.unseen))):
            yield self.rng.sample(self.known.unseen, 2)

    def ends_after_drop(self, hand: Cards, discard: Cards, taken: CardId | None = None) -> list[TurnEnd]:
        """Return the ends of the turn after a discard, if one is due; a card just taken is not discarded again."""
        if self.known.needed:
            return [self.turn_end(hand, discard)]
        return [self.turn_end(hand ^ 1 << card, discard | 1 << card) for card in cards_of(hand) if card != taken]

    def turn_end(self, hand: Cards, discard: Cards) -> TurnEnd:
        """Return the end of a turn with this hand and discard area."""
        worth = self.hand_values.final_worth(hand, discard)
        return TurnEnd(hand, discard, self.known.opponents_cards, self.known.seats, worth)


def apply_final_scores(known: Knowledge, turn_ends: Sequence[TurnEnd], expected: Forecast) -> Forecast:
    """Replace the forecast by the actual score where the turn ends the game (P4, W3)."""
    over = np.array([end.discard.bit_count() >= known.limit and end.hand.bit_count() == HAND_SIZE for end in turn_ends])
    worth = np.array([end.worth for end in turn_ends], np.float32)
    hands = np.array([end.hand for end in turn_ends])[:, None] >> np.arange(expected.cards.shape[1]) & 1
    points, low, high = (np.where(over, worth, values) for values in (expected.points, expected.low, expected.high))
    return Forecast(points, expected.others, low, high, np.where(over[:, None], hands, expected.cards))


def _make_prospect(step: Step, expected: Forecast, chosen: Sequence[int]) -> Prospect:
    """Average the forecast over the chosen end of each case."""
    points, cards = expected.points[chosen], expected.cards[chosen].mean(axis=0)
    value = float(points.mean())
    between = float(points.var()) * DECILE_DEVIATIONS**2
    low = value - _spread(points - expected.low[chosen], between)
    high = value + _spread(points - expected.high[chosen], between)
    heading = [(card, float(cards[card])) for card in np.argsort(-cards, kind="stable") if cards[card] >= MIN_CHANCE]
    lead = value - float(expected.others[chosen].mean())
    return Prospect(step, value, lead, low, high, tuple((int(card), chance) for card, chance in heading))


def _spread(within: Floats, between: float) -> float:
    """Return the distance from the mean to one end of the range: the spread within cases and between them."""
    return float(np.sqrt((within**2).mean() + between))
