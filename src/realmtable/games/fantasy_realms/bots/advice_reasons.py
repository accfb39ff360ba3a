"""Why a choice is good, in a sentence or two: what it gives now by the scorer, and with which cards it works."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from realmtable.games.fantasy_realms.cards import CARDS, HAND_SIZE, CardId, names_of
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.phrases import format_count, join_with_and
from realmtable.games.fantasy_realms.scoring.api import best_worth
from realmtable.games.fantasy_realms.state import Step

MAX_PARTNERS: Final = 2  # that are named


Cards = tuple[CardId, ...]


@dataclass(frozen=True)
class Reasons:
    """What can be said of choices: the hand and the discard area now, and the hand that one is heading for."""

    hand: Cards
    discard: Cards
    heading: Cards
    options: FantasyOptions
    richest: Step  # what promises most points, if others gain more by it than by the best step

    def worth(self, hand: Cards) -> int:
        """What a hand would score now, by the best choices."""
        return best_worth(hand, tuple(card for card in self.discard if card not in hand), self.options)

    def sentence(self, step: Step, second: Step | None) -> str:
        """Why a step is the best, and perhaps what speaks against the second."""
        if step.verb == "deck":
            return self._deck_reason()
        return self._take_reason(step.card) if step.verb == "take" else self._drop_reason(step.card, second)

    # ---- drawing

    def _deck_reason(self) -> str:
        if not self.discard:
            return "Nothing lies in the discard area yet."
        best = max(self.discard, key=lambda card: self._gain(card)[0])
        gain, dropped = self._gain(best)
        if gain <= 0:
            return "None of the cards that lie there helps your hand now; a new one may."
        goes = "" if dropped is None else f" if {_card_name(dropped)} goes"
        more = "; a new card promises more" if self.richest.verb == "deck" else ""
        return f"Of the cards that lie there {_card_name(best)} helps most now, by {gain}{goes}{more}."

    def _take_reason(self, card: CardId) -> str:
        gain, dropped = self._gain(card)
        goes = "" if dropped is None else f" if {_card_name(dropped)} goes"
        now = f"adds {format_count(gain, 'point')} now{goes}" if gain > 0 else "adds nothing now"
        later = self._describe_future(card)
        joined = "" if not later else f", and {later}" if gain > 0 else f", but {later}"
        return f"{_card_name(card)} {now}{joined}."

    def _gain(self, card: CardId) -> tuple[int, CardId | None]:
        """What a card adds now, and which one goes for it: the one that is missed least, if the hand was full."""
        more = (*self.hand, card)
        if len(self.hand) < HAND_SIZE:
            return self.worth(more) - self.worth(self.hand), None
        dropped = max(self.hand, key=lambda other: self.worth(_without(more, other)))
        return self.worth(_without(more, dropped)) - self.worth(self.hand), dropped

    # ---- dropping

    def _drop_reason(self, card: CardId, second: Step | None) -> str:
        left = {other: self.worth(_without(self.hand, other)) for other in self.hand}
        tempting = max(self.hand, key=lambda other: (left[other], other == card))
        if left[card] == left[tempting]:
            first = f"Without {_card_name(card)} your hand is worth most now: {left[card]}."
            return " ".join([first, *self._keep_reason(second.card if second else None)])
        less = (
            f"Now you would miss {_card_name(tempting)} less, by {format_count(left[tempting] - left[card], 'point')}"
        )
        if tempting == self.richest.card:
            return f"{less}."
        fits = f"{less}, but {_card_name(card)} fits less into what may come."
        return " ".join([fits, *self._keep_reason(tempting)])

    def _keep_reason(self, card: CardId | None) -> list[str]:
        """Why a card is kept, where the hand to come tells."""
        later = "" if card is None else self._describe_future(card)
        return [f"{_card_name(card)} stays: it adds {later}."] if card is not None and later else []

    # ---- the hand to come

    def _describe_future(self, card: CardId) -> str:
        """What a card gives in the hand that one is heading for; nothing where it is not in it."""
        if card not in self.heading:
            return ""
        adds = self._own_worth(self.heading) - self._own_worth(_without(self.heading, card))
        partners = names_of(self._partners(card))
        with_them = f", with {join_with_and(partners)}" if partners else ""
        return f"{adds} to the hand you are heading for{with_them}" if adds > 0 else ""

    def _partners(self, card: CardId) -> Cards:
        """The cards of the hand to come that are worth more with this one, the most so first."""
        whole, less = self._own_worth(self.heading), self._own_worth(_without(self.heading, card))

        def synergy(other: CardId) -> int:
            """What the two give beyond what each gives without the other."""
            neither = _without(_without(self.heading, card), other)
            return whole - less - self._own_worth(_without(self.heading, other)) + self._own_worth(neither)

        found = {other: synergy(other) for other in self.heading if other != card}
        best = sorted((other for other in found if found[other] > 0), key=lambda other: -found[other])
        return tuple(best[:MAX_PARTNERS])

    def _own_worth(self, hand: Cards) -> int:
        """What a hand scores by its own cards alone."""
        return best_worth(hand, (), self.options) if hand else 0


def _without(cards: Sequence[CardId], card: CardId) -> Cards:
    return tuple(other for other in cards if other != card)


def _card_name(card: CardId) -> str:
    return CARDS[card].name
