"""Explain in a sentence or two why a choice is good: what it gives now, and which cards it works with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from realmtable.games.fantasy_realms.cards import HAND_SIZE, CardId, card_name, names_of
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.scoring.score import best_worth
from realmtable.games.fantasy_realms.state import Cards, Step
from realmtable.kit.wording import format_count, join_words

MAX_PARTNERS: Final = 2  # cards named as working together


@dataclass(frozen=True)
class Reasons:
    """The facts behind a choice: the hand and the discard area now, and the hand the player is heading for."""

    hand: Cards
    discard: Cards
    heading: Cards
    options: FantasyOptions
    richest: Step  # the step that promises most points; may help others more than the best step does

    def worth(self, hand: Cards) -> int:
        """Return what a hand would score now, with the best choices."""
        return best_worth(hand, tuple(card for card in self.discard if card not in hand), self.options)

    def sentence(self, step: Step, second: Step | None) -> str:
        """Say why a step is best and, where it helps, why the second is not."""
        if step.verb == "deck":
            return self._deck_reason()
        return self._take_reason(step.card) if step.verb == "take" else self._drop_reason(step.card, second)

    # ---- drawing

    def _deck_reason(self) -> str:
        if not self.discard:
            return "The discard area is still empty."
        best = max(self.discard, key=lambda card: self.gain(card)[0])
        gain, discarded = self.gain(best)
        if gain <= 0:
            return "Nothing in the discard area helps your hand now; a new card may."
        goes = "" if discarded is None else f" if you discard {card_name(discarded)}"
        more = "; a new card promises more" if self.richest.verb == "deck" else ""
        return f"In the discard area, {card_name(best)} helps most now, by {gain}{goes}{more}."

    def _take_reason(self, card: CardId) -> str:
        gain, discarded = self.gain(card)
        goes = "" if discarded is None else f" if you discard {card_name(discarded)}"
        now = f"adds {format_count(gain, 'point')} now{goes}" if gain > 0 else "adds nothing now"
        later = self._describe_future(card)
        joined = "" if not later else f", and {later}" if gain > 0 else f", but {later}"
        return f"{card_name(card)} {now}{joined}."

    def gain(self, card: CardId) -> tuple[int, CardId | None]:
        """Return what a card adds now and, if the hand is full, which card to discard for it."""
        more = (*self.hand, card)
        if len(self.hand) < HAND_SIZE:
            return self.worth(more) - self.worth(self.hand), None
        discarded = max(self.hand, key=lambda other: self.worth(_without(more, other)))
        return self.worth(_without(more, discarded)) - self.worth(self.hand), discarded

    # ---- discarding

    def _drop_reason(self, card: CardId, second: Step | None) -> str:
        left = {other: self.worth(_without(self.hand, other)) for other in self.hand}
        tempting = max(self.hand, key=lambda other: (left[other], other == card))
        if left[card] == left[tempting]:
            first = f"Without {card_name(card)}, your hand is worth the most now: {left[card]}."
            return " ".join([first, *self._keep_reason(second.card if second else None)])
        saved = format_count(left[tempting] - left[card], "point")
        less = f"Discarding {card_name(tempting)} costs {saved} less today"
        if tempting == self.richest.card:
            return f"{less}."
        fits = f"{less}, but {card_name(card)} has less future."
        return " ".join([fits, *self._keep_reason(tempting)])

    def _keep_reason(self, card: CardId | None) -> list[str]:
        """Say why a card is worth keeping for the hand the player is heading for, if it is."""
        later = "" if card is None else self._describe_future(card)
        return [f"Keep {card_name(card)}: it adds {later}."] if card is not None and later else []

    # ---- the hand the player is heading for

    def _describe_future(self, card: CardId) -> str:
        """Say what a card gives in the hand the player is heading for; return "" if it is not in it."""
        adds, partners = self.future_of(card)
        with_them = f", with {join_words(names_of(partners))}" if partners else ""
        return f"{adds} to the hand you are heading for{with_them}" if adds > 0 else ""

    def future_of(self, card: CardId) -> tuple[int, Cards]:
        """Return what a card adds to the hand the player is heading for, and the cards it does so with."""
        if card not in self.heading:
            return 0, ()
        return self._own_worth(self.heading) - self._own_worth(_without(self.heading, card)), self._partners(card)

    def _partners(self, card: CardId) -> Cards:
        """Return the cards of that hand that gain most from this one, strongest first."""
        whole, less = self._own_worth(self.heading), self._own_worth(_without(self.heading, card))

        def synergy(other: CardId) -> int:
            """Points the two cards give together beyond what each gives alone."""
            neither = _without(_without(self.heading, card), other)
            return whole - less - self._own_worth(_without(self.heading, other)) + self._own_worth(neither)

        synergies = {other: synergy(other) for other in self.heading if other != card}
        best = sorted((other for other in synergies if synergies[other] > 0), key=lambda other: -synergies[other])
        return tuple(best[:MAX_PARTNERS])

    def _own_worth(self, hand: Cards) -> int:
        """Return what a hand scores without the discard area."""
        return best_worth(hand, (), self.options) if hand else 0


def _without(cards: Sequence[CardId], card: CardId) -> Cards:
    return tuple(other for other in cards if other != card)
