"""How bots trade in Chaos Realms (X2 to X6): they know what every swap would be worth to them, and nothing else.

A bot remembers nothing between two steps: what it has tried stands on the table. A bid that stands need not be made
again, and a card of its own that everybody knows has been on offer before. So it comes to an end: while no trade is
made its bids only get more, and an offer is taken back only for a card that nobody has seen yet; and a trade is made
only where both gain. It does not refuse bids, for the bidder would not remember that: it takes the card back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

from realmtable.engine.protocol import View
from realmtable.games.fantasy_realms.bots.hand_values import Cards, mask_of
from realmtable.games.fantasy_realms.cards import BY_NAME, CardId, ids_of
from realmtable.games.fantasy_realms.state import NECROMANCER, Bid, Step

MIN_GAIN: Final = 1  # points that a trade must bring
MAX_OFFERS: Final = 3  # cards on offer at a time: as many as others can follow
MAX_BIDS: Final = 8  # that stand at a time
MAX_BIDS_PER_CARD: Final = 2  # cards bid for one and the same, for its owner to choose from
BID_WEIGHT: Final = 0.4  # how far a bid counts: it may not be accepted
BAD_BID_WEIGHT: Final = 0.6  # how far a bid counts that has become a bad one
APPEAL_WEIGHT: Final = 0.2  # how far a point counts that a bid may be worth to who gets it
NECROMANCER_POINTS: Final = 30  # what the Necromancer's choice after trading brings (X7)


class HandValuer(Protocol):
    """Who knows what hands are worth."""

    def worth(self, hand: Cards) -> int:
        """What a hand is worth."""


class ValuedStep(NamedTuple):
    """A step, and how much it seems to bring."""

    value: float
    step: Step


def choose_trade_step(view: View, judge: HandValuer) -> Step | None:
    """The next step of who sees a view while all trade; None if he is through, and nothing calls him back.

    What brings points is done first. Then other cards are shown; when all that can be was tried he is ready (X5).
    """
    trader = Trader.from_view(view, judge)
    deal = max(trader.valuable_steps(), default=None)
    if view["ready"][view["viewer"]]:
        return None if deal is None else Step("active")
    return deal.step if deal is not None else trader.next_offer_step() or Step("ready")


@dataclass(frozen=True)
class Trader:
    """A player's view of the market in numbers."""

    valuer: HandValuer
    hand: tuple[CardId, ...]
    own_offers: tuple[CardId, ...]  # his cards on offer, the oldest first
    publicly_known: frozenset[CardId]  # his cards that everybody knows
    other_offers: tuple[
        tuple[CardId, Cards], ...
    ]  # cards on offer by others, with what is known of their owners' hands
    own_bids: frozenset[Bid]
    bids_received: tuple[Bid, ...]  # bids for his cards

    @classmethod
    def from_view(cls, view: View, judge: HandValuer) -> Trader:
        """The market as the viewer, who must have a seat, sees it."""
        viewer, known = view["viewer"], [ids_of(cards) for cards in view["known"]]
        offers = [(BY_NAME[entry["card"]].id, entry["seat"]) for entry in view["offers"]]
        return cls(
            judge,
            ids_of(view["hand"]),
            tuple(card for card, seat in offers if seat == viewer),
            frozenset(known[viewer]),
            tuple((card, mask_of(known[seat])) for card, seat in offers if seat != viewer),
            frozenset(_bid_from_data(entry) for entry in view["bids"] if entry["seat"] == viewer),
            tuple(_bid_from_data(entry) for entry in view["bids"] if entry["seat"] != viewer),
        )

    def worth(self, hand: Cards) -> int:
        """What a hand is worth, with what may still come to it."""
        return self.valuer.worth(hand) + NECROMANCER_POINTS * (hand >> NECROMANCER & 1)

    def gain(self, give: CardId, get: CardId) -> int:
        """What a swap would bring."""
        held = mask_of(self.hand)
        return self.worth(held ^ 1 << give ^ 1 << get) - self.worth(held)

    # ---- what brings points

    def valuable_steps(self) -> Iterator[ValuedStep]:
        """Bids to accept, bids of his that have become bad ones, and bids to make."""
        for bid in self.bids_received:
            if (points := self.gain(bid.offer, bid.card)) >= MIN_GAIN:
                yield ValuedStep(points, Step("accept", *bid))
        for bid in self.own_bids:
            if (points := self.gain(bid.card, bid.offer)) < MIN_GAIN:
                yield ValuedStep(BAD_BID_WEIGHT * (MIN_GAIN - points), Step("cancel", *bid))
        if len(self.own_bids) < MAX_BIDS:
            yield from self.bids_to_make()

    def bids_to_make(self) -> Iterator[ValuedStep]:
        """Bids that would bring points, with how much they may please who gets them."""
        for offer, known in self.other_offers:
            standing = sum(bid.offer == offer for bid in self.own_bids)
            for card in self.hand if standing < MAX_BIDS_PER_CARD else ():
                points = self.gain(card, offer)
                if points >= MIN_GAIN and Bid(card, offer) not in self.own_bids:
                    pleases = self.valuer.worth(known | 1 << card) - self.valuer.worth(known)
                    yield ValuedStep(BID_WEIGHT * points + APPEAL_WEIGHT * pleases, Step("bid", card, offer))

    # ---- what is shown to the others

    def next_offer_step(self) -> Step | None:
        """Another card on offer, those first that are missed least and were not seen before; None if all is tried."""
        hidden = [card for card in self.cards_by_loss() if card not in self.publicly_known]
        if len(self.own_offers) < MAX_OFFERS:
            free = [*hidden, *(card for card in self.cards_by_loss() if card not in self.own_offers)]
            return Step("offer", free[0])
        return Step("withdraw", self.own_offers[0]) if hidden else None

    def cards_by_loss(self) -> list[CardId]:
        """His cards, the one first whose loss would cost least."""
        held = mask_of(self.hand)
        return sorted(self.hand, key=lambda card: (-self.worth(held ^ 1 << card), card))


def _bid_from_data(entry: dict[str, Any]) -> Bid:
    return Bid(BY_NAME[entry["card"]].id, BY_NAME[entry["for"]].id)
