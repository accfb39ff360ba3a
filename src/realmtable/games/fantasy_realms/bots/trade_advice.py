"""Advice in Chaos Realms: what each trade would bring now, which cards one misses least, which eighth card to keep."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import comb
from typing import Any, Final

from realmtable.engine.protocol import View
from realmtable.games.fantasy_realms.bots.advice_data import Row, certain, chart
from realmtable.games.fantasy_realms.bots.knowledge import knowledge
from realmtable.games.fantasy_realms.cards import BY_NAME, CARDS, CardId
from realmtable.games.fantasy_realms.notation import format_move
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.picture.captions import SEATS, counted
from realmtable.games.fantasy_realms.picture.card_status import signed
from realmtable.games.fantasy_realms.scoring.api import best_worth
from realmtable.games.fantasy_realms.state import EXTRA, HAND, Step

FEW: Final = 2  # cards of one's own that one may do without
SHOWN: Final = 8  # trades, of those that bring most
NOTE: Final = "What your hand would gain or lose at once."


def trade_advice(view: View, options: FantasyOptions) -> dict[str, Any]:
    """What each card on offer and each bid would bring now, and which cards of one's own are missed least."""
    trader = _Trader(view, options)
    trades, losses = trader.trades(), trader.losses()
    best = trader.best(trades, losses)
    charts = [chart("Which cards do you miss least?", losses, note=NOTE, zero=True, best=best)]
    if trades:
        first = chart("What would trades bring?", trades, note=NOTE, zero=True, best=best)
        charts.insert(0, first)
    return {**_step(trader.step(best)), "reason": trader.reason(best, trades), "charts": charts, "heading": None}


def _step(step: Step) -> dict[str, Any]:
    """A step as text and in words."""
    words = {"ready": "Get ready: no more trades", "active": "Trade again", "leave": "Leave it: no eighth card"}
    return {"move": format_move(step), "words": words.get(step.verb) or _words(step)}


def _words(step: Step) -> str:
    card, other = CARDS[step.card].name, CARDS[step.other].name
    return {
        "accept": f"Accept {card} for your {other}",
        "bid": f"Bid {card} for {other}",
        "offer": f"Offer {card}",
        "deck": "Draw three cards",
        "keep": f"Keep {card}",
    }[step.verb]


def _points(now: int, gain: int) -> str:
    return f"{signed(gain)}: {counted(now + gain, 'point')} instead of {now}"


class _Trader:
    """A trader's view in numbers."""

    def __init__(self, view: View, options: FantasyOptions) -> None:
        self.view = view
        self.options = options
        self.hand = tuple(BY_NAME[name].id for name in view["hand"])
        self.now = self.worth(self.hand)
        self.active = "ready" in view["moves"]  # who is ready can only come back
        self.offered = {BY_NAME[entry["card"]].id for entry in view["offers"]}

    def worth(self, hand: tuple[CardId, ...]) -> int:
        return best_worth(hand, (), self.options) if hand else 0

    def after(self, given: CardId, got: CardId) -> int:
        """What a trade would bring."""
        return self.worth((*(card for card in self.hand if card != given), got)) - self.now

    # ---- rows, the best first

    def trades(self) -> list[Row]:
        """What bids for cards of one's own and cards on offer by others would bring; of many the best."""
        bids = [bid for bid in self.view["bids"] if bid["seat"] != self.view["viewer"]]
        rows = [self._accepting(BY_NAME[bid["card"]].id, BY_NAME[bid["for"]].id) for bid in bids]
        theirs = [entry for entry in self.view["offers"] if entry["seat"] != self.view["viewer"]]
        rows += [self._bidding(BY_NAME[entry["card"]].id, SEATS[entry["seat"]]) for entry in theirs]
        return sorted(rows, key=lambda row: (-row.value, row.words))[:SHOWN]

    def _accepting(self, got: CardId, given: CardId) -> Row:
        step = Step("accept", got, given)
        return self._row(_words(step), self.after(given, got), step)

    def _bidding(self, got: CardId, owner: str) -> Row:
        """A card on offer, for the card of one's own for which it brings most."""
        given = max(self.hand, key=lambda card: self.after(card, got))
        mine, wanted = CARDS[given].name, CARDS[got].name
        made = any(bid["card"] == mine and bid["for"] == wanted for bid in self.view["bids"])
        words = f"{wanted} ({owner}) for {mine}{', as you bid' if made else ''}"
        return self._row(words, self.after(given, got), None if made else Step("bid", given, got))

    def _row(self, words: str, gain: int, step: Step | None) -> Row:
        return certain(words, gain, _points(self.now, gain), step if self.active else None)

    def losses(self) -> list[Row]:
        """What one's hand would lose without each of its cards."""
        lost = {card: self.now - self.worth(tuple(each for each in self.hand if each != card)) for card in self.hand}
        return [self._loss(card, lost[card]) for card in sorted(lost, key=lambda card: (lost[card], card))]

    def _loss(self, card: CardId, lost: int) -> Row:
        text = f"gives {counted(lost, 'point')}" if lost > 0 else "gives nothing" if lost == 0 else f"costs {-lost}"
        free = self.active and card not in self.offered
        on_offer = ", on offer" if card in self.offered else ""
        return certain(f"{CARDS[card].name}{on_offer}", -lost, text, Step("offer", card) if free else None)

    # ---- what to do

    def best(self, trades: list[Row], losses: list[Row]) -> Row | None:
        """The row to follow: a trade that gains, else a card to lay on offer, one of the few that are missed least."""
        gains = [row for row in trades if row.value > 0]
        return next((row for row in (*gains, *losses[:FEW]) if row.step is not None), None)

    def step(self, best: Row | None) -> Step:
        """What to do: the row's step; without a row to get ready, or to come back."""
        if best is not None and best.step is not None:
            return best.step
        return Step("ready" if self.active else "active")

    def reason(self, best: Row | None, trades: list[Row]) -> str:
        """Why, in a sentence or two."""
        if not self.active:
            return "You are ready; to trade again, become active first."
        if best is None:
            return "What helps you is bid or on offer already: wait for the others, or get ready."
        if best.step is not None and best.step.verb == "offer":
            more = "other " if any(row.value > 0 for row in trades) else ""
            return f"No {more}trade that is open helps your hand now; {best.words} {best.text} and may tempt others."
        return f"Your hand would be worth {self.now + round(best.value)} instead of {self.now}."


# ---- the Necromancer's eighth card (X7)


def eighth_advice(view: View, options: FantasyOptions) -> dict[str, Any]:
    """Whether to draw three cards for the Necromancer, or which of them to keep."""
    return _drawing(view, options) if view["phase"] == "necromancer" else _keeping(view, options)


def _keeping(view: View, options: FantasyOptions) -> dict[str, Any]:
    hand = tuple(BY_NAME[name].id for name in view["hand"])[:HAND]
    now = best_worth(hand, (), options)
    gains = {name: best_worth((*hand, BY_NAME[name].id), (), options) - now for name in view["moves"]["keep"]}
    ranked = sorted(gains, key=lambda name: (-gains[name], name))
    steps = {name: Step("keep", BY_NAME[name].id) for name in ranked}
    rows = [certain(_words(steps[name]), gains[name], _points(now, gains[name]), steps[name]) for name in ranked]
    reason = f"With {ranked[0]} your hand is worth {now + gains[ranked[0]]}."
    charts = [chart("Which to keep?", rows, note=NOTE, zero=True, best=rows[0])]
    return {**_step(steps[ranked[0]]), "reason": reason, "charts": charts, "heading": None}


def _drawing(view: View, options: FantasyOptions) -> dict[str, Any]:
    known = knowledge(view)
    now = best_worth(known.hand, (), options)
    gains = sorted(best_worth((*known.hand, card), (), options) - now for card in known.unseen)
    value, low, high = best_of_drawn(gains)
    text = f"about {signed(round(value))}, most often {signed(round(low))} to {signed(round(high))}"
    draw, leave = Step("deck"), Step("leave")
    rows = [Row(_words(draw), value, low, high, text, draw), certain("Leave it", 0, "the hand as it is", leave)]
    rows.sort(key=lambda row: -row.value)
    best = draw if value >= 0 else leave
    reason = f"The best of three cards brings about {signed(round(value))}; one of them must be kept, even if it harms."
    charts = [chart("An eighth card?", rows, note=NOTE, zero=True, best=rows[0])]
    return {**_step(best), "reason": reason, "charts": charts, "heading": None}


def best_of_drawn(gains: Sequence[int]) -> tuple[float, int, int]:
    """The mean of the greatest of three among rising numbers, and what it is below and above in one case of ten.

    >>> best_of_drawn([0, 1, 2, 9])
    (7.25, 2, 9)
    """
    ways = [comb(place, EXTRA - 1) for place in range(len(gains))]  # in which the number at a place is the greatest
    whole = comb(len(gains), EXTRA)
    mean = sum(gain * count for gain, count in zip(gains, ways, strict=True)) / whole
    up_to = list(accumulate(ways))
    low, high = (next(place for place, count in enumerate(up_to) if count >= whole * part) for part in (0.1, 0.9))
    return mean, gains[low], gains[high]
