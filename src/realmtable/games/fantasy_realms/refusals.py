"""Why a step is refused: the first clause of RULES.md it breaks, in a sentence. Only for steps that are not legal.

What is said rests on what the seat may know: nobody finds out by trying what others hold.
"""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import CHANCE, CLOCK, Seat
from realmtable.games.fantasy_realms.cards import CARDS, CardId
from realmtable.games.fantasy_realms.state import State, Step

Reason = tuple[str, str]  # clause and sentence

TRADING_VERBS: Final = ("offer", "withdraw", "bid", "cancel", "accept", "refuse", "ready", "active")

READY_REASON: Final[Reason] = ("X5", "You are ready; become active again before you trade.")


def refusal_reason(state: State, seat: Seat, step: Step) -> Reason:
    """Clause and sentence for a step that is not legal, of a seat that may act."""
    if seat == CHANCE:
        return "N2", "Chance names the starting seat, then cards of the deck."
    if seat == CLOCK:
        return "X6", "The clock only says that time is up."
    if step.verb in ("first", "draw"):
        return "N2", "What is drawn is chance's to say; you write deck."
    if step.verb == "time":
        return "X6", "When time is up is the clock's to say."
    if state.phase == "trade":
        return _why_no_trade(state, seat, step) if not state.ready[seat] else READY_REASON
    if step.verb in TRADING_VERBS:
        return _why_not_now(state)
    return _why_not_in_turn(state, seat, step)


def _why_not_now(state: State) -> Reason:
    if state.variant == "chaos":
        return "X6", "Trading is over."
    return "X2", "Cards are traded in Chaos Realms only."


def _why_not_in_turn(state: State, seat: Seat, step: Step) -> Reason:
    if state.phase in ("necromancer", "keep"):
        return _why_no_choice(state, step)
    if step.verb in ("keep", "leave"):
        return "X7", "The Necromancer draws cards in Chaos Realms only; here he takes one when scores are counted."
    if state.phase == "draw":
        if step.verb == "drop":
            return "P2", "A turn begins with a card: deck, or take one of the discard area."
        return "P2", f"{_card_name(step.card)} does not lie in the discard area."
    if step.verb in ("deck", "take"):
        return "P3", "You have your card for this turn; end it with a drop."
    if step.card in state.hands[seat]:
        return "W1", "While you gather seven cards you put away one of the two that you have just drawn."
    return "P3", f"You do not hold {_card_name(step.card)}."


def _why_no_choice(state: State, step: Step) -> Reason:
    if step.verb in ("take", "drop"):
        return "X1", "In Chaos Realms nobody takes or drops cards."
    if state.phase == "necromancer":
        return "X7", "Draw three cards first (deck), or leave it."
    return "X7", "You have drawn three cards: keep one of them."


def _why_no_trade(state: State, seat: Seat, step: Step) -> Reason:
    if step.verb in ("deck", "take", "drop"):
        return "X1", "In Chaos Realms nobody draws or drops cards."
    if step.verb in ("keep", "leave"):
        return "X7", "The Necromancer waits until trading is over."
    if step.verb == "active":
        return "X5", "You are active already."
    if step.verb in ("offer", "bid") and step.card not in state.hands[seat]:
        return "X2", f"You do not hold {_card_name(step.card)}."
    if step.verb == "offer":
        return "X4", f"{_card_name(step.card)} is on offer already."
    if step.verb == "withdraw":
        return "X2", f"You have no {_card_name(step.card)} on offer."
    return _why_no_bid(state, seat, step)


def _why_no_bid(state: State, seat: Seat, step: Step) -> Reason:
    if step.verb != "bid":
        place = "You have bid no" if step.verb == "cancel" else "Nobody bids you"
        return "X2", f"{place} {_card_name(step.card)} for {_card_name(step.other)}."
    if step.other in state.hands[seat]:
        return "X2", f"{_card_name(step.other)} is your own; bid for a card of another player."
    if step.other not in state.offers:
        return "X2", f"{_card_name(step.other)} is not on offer."
    return "X4", "You have made this bid already."


def _card_name(card: CardId) -> str:
    return CARDS[card].name if 0 <= card < len(CARDS) else "no card"
