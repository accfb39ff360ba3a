"""Explain why an illegal step is refused: the first clause of RULES.md it breaks, and a sentence.

Refusals use only what the seat may know, so that illegal steps cannot be used to probe other hands.
"""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import CHANCE, CLOCK, HandlePath, Seat, View
from realmtable.games.fantasy_realms.cards import CARDS, CardId
from realmtable.games.fantasy_realms.state import State, Step

Reason = tuple[str, str]  # clause and sentence

TRADING_VERBS: Final = ("offer", "withdraw", "bid", "cancel", "accept", "refuse", "ready", "active")

READY_REASON: Final[Reason] = ("X5", "You are ready; become active again before you trade.")
DRAW_FIRST: Final[Reason] = ("P2", "Begin your turn by drawing from the deck or taking a card from the discard area.")
DISCARD_NOW: Final[Reason] = ("P3", "You already have your card for this turn; discard one to end it.")
DISCARD_DRAWN: Final[Reason] = ("W1", "Until you have seven cards, discard one of the two you just drew.")
NO_TURNS: Final[Reason] = ("X1", "There is no drawing or discarding in Chaos Realms.")
BID_MADE: Final[Reason] = ("X4", "You have already made this bid.")
DRAW_OR_DECLINE: Final[Reason] = ("X7", "Draw three cards first (deck), or decline (leave).")
KEEP_ONE: Final[Reason] = ("X7", "You have drawn three cards: keep one of them.")


def refusal_reason(state: State, seat: Seat, step: Step) -> Reason:
    """Return clause and sentence for an illegal step by a seat that may act."""
    if seat == CHANCE:
        return "N2", "Chance names the starting seat, then cards from the deck."
    if seat == CLOCK:
        return "X6", "The clock can only say that time is up."
    if step.verb in ("first", "draw"):
        return "N2", "Chance draws the card; write deck."
    if step.verb == "time":
        return "X6", "Only the clock says when time is up."
    if state.phase == "trade":
        return _why_no_trade(state, seat, step) if not state.ready[seat] else READY_REASON
    if step.verb in TRADING_VERBS:
        return _why_not_now(state)
    return _why_not_in_turn(state, seat, step)


def _why_not_now(state: State) -> Reason:
    if state.variant == "chaos":
        return "X6", "Trading is over."
    return "X2", "Cards are traded only in Chaos Realms."


def _why_not_in_turn(state: State, seat: Seat, step: Step) -> Reason:
    if state.phase in ("necromancer", "keep"):
        return _why_no_choice(state, step)
    if step.verb in ("keep", "leave"):
        return "X7", "The Necromancer draws cards only in Chaos Realms; here it takes one when the game is scored."
    if state.phase == "draw":
        if step.verb == "drop":
            return DRAW_FIRST
        return "P2", f"{_card_name(step.card)} is not in the discard area."
    if step.verb in ("deck", "take"):
        return DISCARD_NOW
    if step.card in state.hands[seat]:
        return DISCARD_DRAWN
    return "P3", f"You do not hold {_card_name(step.card)}."


def _why_no_choice(state: State, step: Step) -> Reason:
    if step.verb in ("take", "drop"):
        return "X1", "There is no taking or discarding in Chaos Realms."
    if state.phase == "necromancer":
        return DRAW_OR_DECLINE
    return KEEP_ONE


def _why_no_trade(state: State, seat: Seat, step: Step) -> Reason:
    if step.verb in ("deck", "take", "drop"):
        return NO_TURNS
    if step.verb in ("keep", "leave"):
        return "X7", "The Necromancer waits until trading is over."
    if step.verb == "active":
        return "X5", "You are already active."
    if step.verb in ("offer", "bid") and step.card not in state.hands[seat]:
        return "X2", f"You do not hold {_card_name(step.card)}."
    if step.verb == "offer":
        return "X4", f"{_card_name(step.card)} is already on offer."
    if step.verb == "withdraw":
        return "X2", f"You have no {_card_name(step.card)} on offer."
    return _why_no_bid(state, seat, step)


def _why_no_bid(state: State, seat: Seat, step: Step) -> Reason:
    if step.verb != "bid":
        start = "You have not bid" if step.verb == "cancel" else "No one has bid you"
        return "X2", f"{start} {_card_name(step.card)} for {_card_name(step.other)}."
    if step.other in state.hands[seat]:
        return "X2", f"{_card_name(step.other)} is yours; bid for another player's card."
    if step.other not in state.offers:
        return "X2", f"{_card_name(step.other)} is not on offer."
    return BID_MADE


def _card_name(card: CardId) -> str:
    return CARDS[card].name if 0 <= card < len(CARDS) else "no card"


# ---- clicks


def why_not_clicked(view: View, path: HandlePath, handle: str) -> Reason | None:
    """Return why a card or the deck cannot follow the handles of `path`; None if the view has no reason."""
    phase, moves = view["phase"], view["moves"]
    place, _, card = handle.partition(":")
    if not moves or place not in ("deck", "discard", "hand", "offer"):
        return None
    if phase == "trade":
        return _why_no_click_to_trade(view, path, place, card)
    if phase == "draw":
        return DRAW_FIRST if place == "hand" else None
    if phase == "discard":
        legal = place == "hand" and card in moves["drop"]
        return None if legal else DISCARD_DRAWN if place == "hand" else DISCARD_NOW
    if phase == "necromancer":
        return None if place == "deck" else ("X7", "Draw three cards first, or decline.")
    return None if card in moves["keep"] else KEEP_ONE


def _why_no_click_to_trade(view: View, path: HandlePath, place: str, card: str) -> Reason | None:
    viewer = view["viewer"]
    if view["ready"][viewer]:
        return READY_REASON
    if place in ("deck", "discard"):
        return NO_TURNS
    if place == "offer":
        return ("X2", "To bid, choose the card on offer first, then one of your cards.") if path else None
    if {"card": card, "seat": viewer} in view["offers"] and not path:
        return "X4", f"{card} is already on offer."
    bid = {"card": card, "seat": viewer, "for": path[0].partition(":")[2] if path else ""}
    return BID_MADE if bid in view["bids"] else None
