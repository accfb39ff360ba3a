"""Advice in Chaos Realms: what each trade gains now, which cards to spare, which eighth card to keep."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import comb
from typing import Any, Final

from realmtable.engine.protocol import View
from realmtable.games.fantasy_realms import INFO
from realmtable.games.fantasy_realms.bots.advice_data import ChartRow, certain_row, make_chart
from realmtable.games.fantasy_realms.bots.knowledge import read_knowledge
from realmtable.games.fantasy_realms.cards import BY_NAME, CARDS, HAND_SIZE, CardId
from realmtable.games.fantasy_realms.describe import STEP_SENTENCES
from realmtable.games.fantasy_realms.notation import format_move
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.scoring.score import best_worth
from realmtable.games.fantasy_realms.state import NECROMANCER_DRAW, Step
from realmtable.kit.wording import format_count, format_signed

MAX_SPARE_CARDS: Final = 2  # cards of the hand worth offering
MAX_TRADES_SHOWN: Final = 8  # the most valuable ones
CHART_NOTE: Final = "What your hand would gain or lose right away."
_SENTENCES: Final = {**STEP_SENTENCES, "accept": "Accept {card} for your {other}", "deck": "Draw three cards"}


def trade_advice(view: View, options: FantasyOptions) -> dict[str, Any]:
    """Advise on trading: what each offer and bid would gain now, and which cards of the hand to spare."""
    trader = _TradeAdviser(view, options)
    trades, losses = trader.trade_rows(), trader.loss_rows()
    best = trader.best_row(trades, losses)
    charts = [make_chart("Which cards can you spare?", losses, note=CHART_NOTE, zero=True, best=best)]
    if trades:
        first = make_chart("What would trades gain?", trades, note=CHART_NOTE, zero=True, best=best)
        charts.insert(0, first)
    return {
        **_step_data(trader.step_to_take(best)),
        "reason": trader.reason(best, trades),
        "charts": charts,
        "heading": None,
    }


def _step_data(step: Step) -> dict[str, Any]:
    return {"move": format_move(step), "words": _describe_step(step)}


def _describe_step(step: Step) -> str:
    return _SENTENCES[step.verb].format(card=CARDS[step.card].name, other=CARDS[step.other].name)


def _describe_gain(now: int, gain: int) -> str:
    return f"{format_signed(gain)}: {format_count(now + gain, 'point')} instead of {now}"


class _TradeAdviser:
    """A trader's view as numbers."""

    def __init__(self, view: View, options: FantasyOptions) -> None:
        self.view = view
        self.options = options
        self.hand = tuple(BY_NAME[name].id for name in view["hand"])
        self.now = self.worth(self.hand)
        self.active = "ready" in view["moves"]  # a ready player can only become active again
        self.offered = {BY_NAME[entry["card"]].id for entry in view["offers"]}

    def worth(self, hand: tuple[CardId, ...]) -> int:
        return best_worth(hand, (), self.options) if hand else 0

    def gain(self, given: CardId, got: CardId) -> int:
        return self.worth((*(card for card in self.hand if card != given), got)) - self.now

    # ---- rows, best first

    def trade_rows(self) -> list[ChartRow]:
        """Return rows for the bids received and the cards others offer, the most valuable ones only."""
        bids = [bid for bid in self.view["bids"] if bid["seat"] != self.view["viewer"]]
        rows = [self._accept_row(BY_NAME[bid["card"]].id, BY_NAME[bid["for"]].id) for bid in bids]
        theirs = [entry for entry in self.view["offers"] if entry["seat"] != self.view["viewer"]]
        rows += [self._bid_row(BY_NAME[entry["card"]].id, INFO.seat_names[entry["seat"]]) for entry in theirs]
        return sorted(rows, key=lambda row: (-row.value, row.words))[:MAX_TRADES_SHOWN]

    def _accept_row(self, got: CardId, given: CardId) -> ChartRow:
        step = Step("accept", got, given)
        return self._certain_row(_describe_step(step), self.gain(given, got), step)

    def _bid_row(self, got: CardId, owner: str) -> ChartRow:
        """Return a row for a card on offer, in exchange for the card that gains most."""
        given = max(self.hand, key=lambda card: self.gain(card, got))
        mine, wanted = CARDS[given].name, CARDS[got].name
        made = any(bid["card"] == mine and bid["for"] == wanted for bid in self.view["bids"])
        words = f"{wanted} ({owner}) for {mine}{', already bid' if made else ''}"
        return self._certain_row(words, self.gain(given, got), None if made else Step("bid", given, got))

    def _certain_row(self, words: str, gain: int, step: Step | None) -> ChartRow:
        return certain_row(words, gain, _describe_gain(self.now, gain), step if self.active else None)

    def loss_rows(self) -> list[ChartRow]:
        """Return a row for each card of the hand with what the hand would lose without it."""
        lost = {card: self.now - self.worth(tuple(each for each in self.hand if each != card)) for card in self.hand}
        return [self._loss_row(card, lost[card]) for card in sorted(lost, key=lambda card: (lost[card], card))]

    def _loss_row(self, card: CardId, lost: int) -> ChartRow:
        text = (
            f"gives {format_count(lost, 'point')}" if lost > 0 else "gives nothing" if lost == 0 else f"costs {-lost}"
        )
        free = self.active and card not in self.offered
        on_offer = ", on offer" if card in self.offered else ""
        return certain_row(f"{CARDS[card].name}{on_offer}", -lost, text, Step("offer", card) if free else None)

    # ---- the recommendation

    def best_row(self, trades: list[ChartRow], losses: list[ChartRow]) -> ChartRow | None:
        """Return the row to follow: a trade that gains, else one of the few cards to spare, to put on offer."""
        gains = [row for row in trades if row.value > 0]
        return next((row for row in (*gains, *losses[:MAX_SPARE_CARDS]) if row.step is not None), None)

    def step_to_take(self, best: ChartRow | None) -> Step:
        """Return the row's step; without a row, become ready or active again."""
        if best is not None and best.step is not None:
            return best.step
        return Step("ready" if self.active else "active")

    def reason(self, best: ChartRow | None, trades: list[ChartRow]) -> str:
        if not self.active:
            return "You are ready; become active to trade again."
        if best is None:
            return "Everything that helps you is already bid or on offer: wait for the others, or say you are ready."
        if best.step is not None and best.step.verb == "offer":
            more = "other " if any(row.value > 0 for row in trades) else ""
            return f"No {more}open trade helps your hand now; {best.words} {best.text} and may tempt others."
        return f"Your hand would be worth {self.now + round(best.value)} instead of {self.now}."


# ---- the Necromancer's eighth card (X7)


def eighth_advice(view: View, options: FantasyOptions) -> dict[str, Any]:
    """Advise whether to draw three cards for the Necromancer, or which of them to keep."""
    return _draw_advice(view, options) if view["phase"] == "necromancer" else _keep_advice(view, options)


def _keep_advice(view: View, options: FantasyOptions) -> dict[str, Any]:
    hand = tuple(BY_NAME[name].id for name in view["hand"])[:HAND_SIZE]
    now = best_worth(hand, (), options)
    gains = {name: best_worth((*hand, BY_NAME[name].id), (), options) - now for name in view["moves"]["keep"]}
    ranked = sorted(gains, key=lambda name: (-gains[name], name))
    steps = {name: Step("keep", BY_NAME[name].id) for name in ranked}
    rows = [
        certain_row(_describe_step(steps[name]), gains[name], _describe_gain(now, gains[name]), steps[name])
        for name in ranked
    ]
    reason = f"With {ranked[0]} your hand is worth {now + gains[ranked[0]]}."
    charts = [make_chart("Which to keep?", rows, note=CHART_NOTE, zero=True, best=rows[0])]
    return {**_step_data(steps[ranked[0]]), "reason": reason, "charts": charts, "heading": None}


def _draw_advice(view: View, options: FantasyOptions) -> dict[str, Any]:
    known = read_knowledge(view)
    now = best_worth(known.hand, (), options)
    gains = sorted(best_worth((*known.hand, card), (), options) - now for card in known.unseen)
    value, low, high = best_of_three(gains)
    text = (
        f"about {format_signed(round(value))}, most often {format_signed(round(low))} to {format_signed(round(high))}"
    )
    draw, leave = Step("deck"), Step("leave")
    rows = [
        ChartRow(_describe_step(draw), value, low, high, text, draw),
        certain_row(_describe_step(leave), 0, "the hand as it is", leave),
    ]
    rows.sort(key=lambda row: -row.value)
    best = draw if value >= 0 else leave
    gain = format_signed(round(value))
    reason = f"The best of three cards gains about {gain}; you must keep one of them, even if it hurts."
    charts = [make_chart("An eighth card?", rows, note=CHART_NOTE, zero=True, best=rows[0])]
    return {**_step_data(best), "reason": reason, "charts": charts, "heading": None}


def best_of_three(gains: Sequence[int]) -> tuple[float, int, int]:
    """Return the mean, first decile and last decile of the greatest of three draws from ascending numbers.

    >>> best_of_three([0, 1, 2, 9])
    (7.25, 2, 9)
    """
    # For each place, the number of draws in which its number is the greatest.
    ways = [comb(place, NECROMANCER_DRAW - 1) for place in range(len(gains))]
    whole = comb(len(gains), NECROMANCER_DRAW)
    mean = sum(gain * count for gain, count in zip(gains, ways, strict=True)) / whole
    up_to = list(accumulate(ways))
    low, high = (next(place for place, count in enumerate(up_to) if count >= whole * part) for part in (0.1, 0.9))
    return mean, gains[low], gains[high]
