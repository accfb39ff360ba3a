"""Describe steps in words, and label handles for buttons."""

from __future__ import annotations

from typing import Final

from realmtable.games.fantasy_realms import INFO
from realmtable.games.fantasy_realms.cards import CARDS
from realmtable.games.fantasy_realms.state import State, Step

STEP_SENTENCES: Final = {
    "take": "Take {card}",
    "drop": "Discard {card}",
    "keep": "Keep {card}",
    "draw": "{card}",
    "offer": "Offer {card}",
    "withdraw": "Withdraw {card}",
    "bid": "Bid {card} for {other}",
    "cancel": "Cancel your bid of {card} for {other}",
    "accept": "Accept {card} for {other}",
    "refuse": "Refuse {card} for {other}",
    "ready": "Ready: no more trades",
    "active": "Trade again",
    "leave": "Stay at seven cards",
    "time": "Time is up",
}
LABELS: Final = {
    "deck": "Draw from the deck",
    "bids": "More bids for your cards",
    "your_bids": "More of your bids",
    "ready": "Ready",
    "active": "Trade again",
    "leave": "Stay at seven cards",
    "time": "Time is up",
}
HANDLE_LABELS: Final = {
    "hand": "{0}, in your hand",
    "discard": "{0}, in the discard area",
    "offer": "{0}, on offer",
    "bid": "{0}, bid for {1}",
    "accept": "Accept {0} for {1}",
    "refuse": "Refuse {0} for {1}",
    "card": "The card {0}",
    "first": "Seat {0} begins",
}


def describe_step(state: State, step: Step) -> str:
    """Describe a legal step in a short sentence."""
    if step.verb == "first":
        return f"{INFO.seat_names[step.card]} begins"
    if step.verb == "deck":
        return f"Draw {describe_deck_draw(state)} from the deck"
    return STEP_SENTENCES[step.verb].format(card=CARDS[step.card].name, other=CARDS[step.other].name)


def describe_deck_draw(state: State) -> str:
    """How many cards the deck gives now, in words."""
    if state.phase == "necromancer":
        return "three cards"
    return "two cards" if state.in_setup else "a card"


def label(handle: str) -> str:
    """Return the button text for a handle; return unknown texts unchanged."""
    place, *cards = handle.split(":")
    if handle in LABELS:
        return LABELS[handle]
    fits = len(cards) == (2 if place in ("bid", "accept", "refuse") else 1)
    return HANDLE_LABELS[place].format(*cards) if fits and place in HANDLE_LABELS else handle
