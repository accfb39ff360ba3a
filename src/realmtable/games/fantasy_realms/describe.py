"""What a step of Fantasy Realms does, in words, and the labels of what the picture may not show."""

from __future__ import annotations

from typing import Final

from realmtable.games.fantasy_realms import INFO
from realmtable.games.fantasy_realms.cards import CARDS
from realmtable.games.fantasy_realms.state import State, Step

STEP_SENTENCES: Final = {
    "take": "Take {card}",
    "drop": "Drop {card}",
    "keep": "Keep {card}",
    "draw": "{card}",
    "offer": "Lay {card} on offer",
    "withdraw": "Take {card} back from the offers",
    "bid": "Bid {card} for {other}",
    "cancel": "Call back {card}, bid for {other}",
    "accept": "Accept {card} for {other}",
    "refuse": "Refuse {card} for {other}",
    "ready": "Ready: no more trades",
    "active": "Trade again",
    "leave": "Leave it: no eighth card",
    "time": "Time is up",
}
LABELS: Final = {
    "deck": "Draw from the deck",
    "offer": "Lay on offer",
    "bids": "More bids for your cards",
    "your_bids": "More of your bids",
    "ready": "Ready",
    "active": "Trade again",
    "leave": "Leave it",
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
    """A legal step as a short sentence."""
    if step.verb == "first":
        return f"{INFO.seat_names[step.card]} begins"
    if step.verb == "deck":
        return f"Draw {describe_deck_draw(state)} from the deck"
    return STEP_SENTENCES[step.verb].format(card=CARDS[step.card].name, other=CARDS[step.other].name)


def describe_deck_draw(state: State) -> str:
    """What the deck gives who draws from it now."""
    if state.phase == "necromancer":
        return "three cards"
    return "two cards" if state.in_setup else "a card"


def label(handle: str) -> str:
    """What to write on a button for a handle; a text that is none is handed back."""
    place, *cards = handle.split(":")
    if handle in LABELS:
        return LABELS[handle]
    fits = len(cards) == (2 if place in ("bid", "accept", "refuse") else 1)
    return HANDLE_LABELS[place].format(*cards) if fits and place in HANDLE_LABELS else handle
