"""How bots trade in Chaos Realms (X2 to X6): they know what every swap would be worth to them, and nothing else.

A bot remembers nothing between two steps: what it has tried stands on the table. A bid that stands need not be made
again, and a card of its own that everybody knows has been on offer before. So it comes to an end: while no trade is
made its bids only get more, and an offer is taken back only for a card that nobody has seen yet; and a trade is made
only where both gain. It does not refuse bids, for the bidder would not remember that: it takes the card back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

from realmtable.engine.protocol import View
from realmtable.games.fantasy_realms.bots.hand_values import Cards, mask_of
from realmtable.games.fantasy_realms.cards import BY_NAME, CardId
from realmtable.games.fantasy_realms.state import NECROMANCER, Bid, Step

MARGIN: Final = 1  # points that a trade must bring
SLOTS: Final = 3  # cards on offer at a time: as many as others can follow
MOST_BIDS: Final = 8  # that stand at a time
CHOICES: Final = 2  # cards bid for one and the same, for its owner to choose from
HOPE: Final = 0.4  # how far a bid counts: it may not be accepted
DANGER: Final = 0.6  # how far a bid counts that has become a bad one
APPEAL: Final = 0.2  # how far a point counts that a bid may be worth to who gets it
EIGHTH: Final = 30  # what the Necromancer's choice after trading brings (X7)


class Judge(Protocol):
    """Who knows what hands are worth."""

    def worth(self, hand: Cards) -> int:
        """What a hand is worth."""


class Valued(NamedTuple):
    """A step, and how much it seems to bring."""

    value: float
    step: Step


def haggled(view: View, judge: Judge) -> Step | None:
    """The next step of who sees a view while all trade; None if he is through, and nothing calls him back.

    What brings points is done first. Then other cards are shown; when all that can be was tried he is ready (X5).
    """
    trader = Trader.of(view, judge)
    deal = max(trader.deals(), default=None)
    if view["ready"][view["viewer"]]:
        return None if deal is None else Step("active")
    return deal.step if deal is not None else trader.shown() or Step("ready")


@dataclass(frozen=True)
class Trader:
    """A player's view of the market in numbers."""

    judge: Judge
    hand: tuple[CardId, ...]
    laid: tuple[CardId, ...]  # his cards on offer, the oldest first
    shown_before: frozenset[CardId]  # his cards that everybody knows
    others: tuple[tuple[CardId, Cards], ...]  # cards on offer by others, with what is known of their owners' hands
    mine: frozenset[Bid]
    got: tuple[Bid, ...]  # bids for his cards

    @classmethod
    def of(cls, view: View, judge: Judge) -> Trader:
        """The market as the viewer, who must have a seat, sees it."""
        viewer, known = view["viewer"], [_ids(cards) for cards in view["known"]]
        offers = [(BY_NAME[entry["card"]].id, entry["seat"]) for entry in view["offers"]]
        return cls(
            judge,
            _ids(view["hand"]),
            tuple(card for card, seat in offers if seat == viewer),
            frozenset(known[viewer]),
            tuple((card, mask_of(known[seat])) for card, seat in offers if seat != viewer),
            frozenset(_bid(entry) for entry in view["bids"] if entry["seat"] == viewer),
            tuple(_bid(entry) for entry in view["bids"] if entry["seat"] != viewer),
        )

    def worth(self, hand: Cards) -> int:
        """What a hand is worth, with what may still come to it."""
        return self.judge.worth(hand) + EIGHTH * (hand >> NECROMANCER & 1)

    def gain(self, give: CardId, get: CardId) -> int:
        """What a swap would bring."""
        held = mask_of(self.hand)
        return self.worth(held ^ 1 << give ^ 1 << get) - self.worth(held)

    # ---- what brings points

    def deals(self) -> Iterator[Valued]:
        """Bids to accept, bids of his that have become bad ones, and bids to make."""
        for bid in self.got:
            if (points := self.gain(bid.offer, bid.card)) >= MARGIN:
                yield Valued(points, Step("accept", *bid))
        for bid in self.mine:
            if (points := self.gain(bid.card, bid.offer)) < MARGIN:
                yield Valued(DANGER * (MARGIN - points), Step("cancel", *bid))
        if len(self.mine) < MOST_BIDS:
            yield from self.bids()

    def bids(self) -> Iterator[Valued]:
        """Bids that would bring points, with how much they may please who gets them."""
        for offer, known in self.others:
            standing = sum(bid.offer == offer for bid in self.mine)
            for card in self.hand if standing < CHOICES else ():
                points = self.gain(card, offer)
                if points >= MARGIN and Bid(card, offer) not in self.mine:
                    pleases = self.judge.worth(known | 1 << card) - self.judge.worth(known)
                    yield Valued(HOPE * points + APPEAL * pleases, Step("bid", card, offer))

    # ---- what is shown to the others

    def shown(self) -> Step | None:
        """Another card on offer, those first that are missed least and were not seen before; None if all is tried."""
        hidden = [card for card in self.missed_least() if card not in self.shown_before]
        if len(self.laid) < SLOTS:
            free = [*hidden, *(card for card in self.missed_least() if card not in self.laid)]
            return Step("offer", free[0])
        return Step("withdraw", self.laid[0]) if hidden else None

    def missed_least(self) -> list[CardId]:
        """His cards, the one first whose loss would cost least."""
        held = mask_of(self.hand)
        return sorted(self.hand, key=lambda card: (-self.worth(held ^ 1 << card), card))


def _ids(names: Sequence[str]) -> tuple[CardId, ...]:
    return tuple(BY_NAME[name].id for name in names)


def _bid(entry: dict[str, Any]) -> Bid:
    return Bid(BY_NAME[entry["card"]].id, BY_NAME[entry["for"]].id)
