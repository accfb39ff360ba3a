"""How bots trade in Chaos Realms (X2 to X6): they know only what each swap would be worth to them.

A bot remembers nothing between steps; the table shows what it has tried. It answers every bid: it accepts one that
gains points and refuses any other, even when it was ready. It does not repeat a bid that is open or was refused, and a
card of its own that everyone knows has been on offer before. Trading therefore terminates: between trades its bids only
grow in number, it withdraws an offer only for a card no one has seen yet, and both sides gain from every trade.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

from realmtable.engine.protocol import View
from realmtable.games.fantasy_realms.bots.hand_values import Cards, mask_of
from realmtable.games.fantasy_realms.cards import BY_NAME, CardId, ids_of
from realmtable.games.fantasy_realms.state import NECROMANCER, Bid, Step

MIN_GAIN: Final = 1  # points a trade must gain
MAX_OFFERS: Final = 3  # cards on offer at a time, few enough for others to follow
MAX_BIDS: Final = 8  # open or refused at a time
MAX_BIDS_PER_CARD: Final = 2  # alternatives bid for one card on offer, refused ones included
BID_WEIGHT: Final = 0.4  # weight of a bid's gain, since it may not be accepted
BAD_BID_WEIGHT: Final = 0.6  # weight of cancelling a bid that has turned bad
APPEAL_WEIGHT: Final = 0.2  # weight of what a bid is worth to the card's owner
NECROMANCER_POINTS: Final = 30  # value of the Necromancer's choice after trading (X7)


class HandValuer(Protocol):
    """Knows what hands are worth."""

    def worth(self, hand: Cards) -> int:
        """Return what a hand is worth."""


class ValuedStep(NamedTuple):
    """A step and its estimated value."""

    value: float
    step: Step


def choose_trade_step(view: View, valuer: HandValuer) -> Step | None:
    """Choose the viewer's next trading step; return None for a ready viewer with nothing more to gain.

    Trades come first, then refusals, because people wait for an answer; then other steps that gain points, then offers
    of further cards. Once everything is tried, it is ready (X5). A ready trader does not become active only to refuse a
    bid: everyone would see that a secret bid was made.
    """
    trader = Trader.from_view(view, valuer)
    best = max(trader.valuable_steps(), default=None)
    refusal = trader.next_refusal()
    if view["ready"][view["viewer"]]:
        return None if best is None else Step("active")
    if refusal is not None and (best is None or best.step.verb != "accept"):
        return refusal
    return best.step if best is not None else trader.next_offer_step() or Step("ready")


@dataclass(frozen=True)
class Trader:
    """A trader's view of the market as numbers."""

    valuer: HandValuer
    hand: tuple[CardId, ...]
    own_offers: tuple[CardId, ...]  # oldest first
    publicly_known: frozenset[CardId]  # own cards whose holder everyone knows
    other_offers: tuple[tuple[CardId, Cards], ...]  # cards others offer, with the known cards of their owners
    own_bids: frozenset[Bid]
    refused_bids: frozenset[Bid]  # own bids that were refused
    bids_received: tuple[Bid, ...]  # bids for own cards

    @classmethod
    def from_view(cls, view: View, valuer: HandValuer) -> Trader:
        """Read the market from a view; the viewer must have a seat."""
        viewer, known = view["viewer"], [ids_of(cards) for cards in view["known"]]
        offers = [(BY_NAME[entry["card"]].id, entry["seat"]) for entry in view["offers"]]
        return cls(
            valuer,
            ids_of(view["hand"]),
            tuple(card for card, seat in offers if seat == viewer),
            frozenset(known[viewer]),
            tuple((card, mask_of(known[seat])) for card, seat in offers if seat != viewer),
            frozenset(_bid_from_data(entry) for entry in view["bids"] if entry["seat"] == viewer),
            frozenset(_bid_from_data(entry) for entry in view["refused"] if entry["seat"] == viewer),
            tuple(_bid_from_data(entry) for entry in view["bids"] if entry["seat"] != viewer),
        )

    def worth(self, hand: Cards) -> int:
        """Return what a hand is worth, including the Necromancer's later choice."""
        return self.valuer.worth(hand) + NECROMANCER_POINTS * (hand >> NECROMANCER & 1)

    def gain(self, give: CardId, get: CardId) -> int:
        """Return what a swap would gain."""
        held = mask_of(self.hand)
        return self.worth(held ^ 1 << give ^ 1 << get) - self.worth(held)

    # ---- steps that gain points

    def valuable_steps(self) -> Iterator[ValuedStep]:
        """Yield bids to accept, own bids to cancel because they turned bad, and bids to make."""
        for bid in self.bids_received:
            if (points := self.gain(bid.offer, bid.card)) >= MIN_GAIN:
                yield ValuedStep(points, Step("accept", *bid))
        for bid in self.own_bids:
            if (points := self.gain(bid.card, bid.offer)) < MIN_GAIN:
                yield ValuedStep(BAD_BID_WEIGHT * (MIN_GAIN - points), Step("cancel", *bid))
        if len(self.own_bids | self.refused_bids) < MAX_BIDS:
            yield from self.bids_to_make()

    def bids_to_make(self) -> Iterator[ValuedStep]:
        """Yield bids that would gain points, weighted by how much the card's owner may like them."""
        tried = self.own_bids | self.refused_bids
        for offer, known in self.other_offers:
            bid_count = sum(bid.offer == offer for bid in tried)
            for card in self.hand if bid_count < MAX_BIDS_PER_CARD else ():
                points = self.gain(card, offer)
                if points >= MIN_GAIN and Bid(card, offer) not in tried:
                    appeal = self.valuer.worth(known | 1 << card) - self.valuer.worth(known)
                    yield ValuedStep(BID_WEIGHT * points + APPEAL_WEIGHT * appeal, Step("bid", card, offer))

    # ---- answers and offers

    def next_refusal(self) -> Step | None:
        """Refuse the oldest bid that gains nothing; return None if there is none."""
        losing = (bid for bid in self.bids_received if self.gain(bid.offer, bid.card) < MIN_GAIN)
        return next((Step("refuse", *bid) for bid in losing), None)

    def next_offer_step(self) -> Step | None:
        """Offer another card, unseen and least missed first; return None once all are tried."""
        hidden = [card for card in self.cards_by_loss() if card not in self.publicly_known]
        if len(self.own_offers) < MAX_OFFERS:
            free = [*hidden, *(card for card in self.cards_by_loss() if card not in self.own_offers)]
            return Step("offer", free[0])
        return Step("withdraw", self.own_offers[0]) if hidden else None

    def cards_by_loss(self) -> list[CardId]:
        """Return the cards of the hand, least missed first."""
        held = mask_of(self.hand)
        return sorted(self.hand, key=lambda card: (-self.worth(held ^ 1 << card), card))


def _bid_from_data(entry: dict[str, Any]) -> Bid:
    return Bid(BY_NAME[entry["card"]].id, BY_NAME[entry["for"]].id)
