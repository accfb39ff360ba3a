"""Describe steps in words and, as news, as each viewer may know them; label handles for buttons."""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import CHANCE, CLOCK, Seat
from realmtable.games.fantasy_realms import INFO
from realmtable.games.fantasy_realms.cards import CARDS, card_name
from realmtable.games.fantasy_realms.secrecy import drawing_seat, text_for_viewer
from realmtable.games.fantasy_realms.state import State, Step
from realmtable.kit.wording import join_words

DEAL_TEXT: Final = "Each player is dealt seven cards"
# Follows a name, or "You" without the s.
STEP_PHRASES: Final = {
    "take": "take{s} {card}",
    "drop": "discard{s} {card}",
    "keep": "keep{s} {card}",
    "offer": "offer{s} {card}",
    "withdraw": "withdraw{s} {card}",
    "bid": "bid{s} {card} for {other}",
    "cancel": "cancel{s} the bid of {card} for {other}",
    "accept": "accept{s} {card} for {other}",
    "refuse": "refuse{s} {card} for {other}",
    "ready": "want{s} no more trades",
    "active": "trade{s} again",
    "leave": "stay{s} at seven cards",
}
STEP_SENTENCES: Final = {verb: phrase.replace("{s}", "").capitalize() for verb, phrase in STEP_PHRASES.items()} | {
    "draw": "{card}",
    "cancel": "Cancel your bid of {card} for {other}",
    "ready": "Ready: no more trades",
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


# ---- news


def news(state: State, seat: Seat, step: Step, viewer: Seat | None) -> str:
    """Describe a step for a viewer; return "" if they learn nothing, as when others draw."""
    if seat == CLOCK:
        return "Time is up"
    if seat == CHANCE:
        return _chance_news(state, step, viewer)
    name, s = ("You", "") if seat == viewer else (INFO.seat_names[seat], "s")
    if step.verb == "deck":
        # A viewer's own draw is reported when the cards arrive.
        return "" if seat == viewer else f"{name} draws {describe_deck_draw(state)}"
    if text_for_viewer(state, seat, step, viewer) != text_for_viewer(state, seat, step, seat):
        secret = _describe_secret_step(state, step, name)
        return secret and secret + _describe_ended_bids(state, seat, step, viewer)
    card = card_name(step.card)
    if step.verb == "refuse" and seat != viewer:
        card = f"your bid of {card}"
    phrase = STEP_PHRASES[step.verb].format(s=s, card=card, other=card_name(step.other))
    return f"{name} {phrase}{_describe_ended_bids(state, seat, step, viewer)}"


def _describe_secret_step(state: State, step: Step, name: str) -> str:
    """Describe a step whose card is secret: only that a card was kept or accepted."""
    if step.verb == "keep":
        return f"{name} keeps a card"
    if step.verb != "accept":
        return ""
    bidder = state.holder(step.card)
    assert bidder is not None  # noqa: S101 - a bid card is in a hand
    return f"{name} accepts a card from {INFO.seat_names[bidder]} for {card_name(step.other)}"


def _describe_ended_bids(state: State, seat: Seat, step: Step, viewer: Seat | None) -> str:
    """Say which of the viewer's bids end because their card is no longer on offer (X2, X3)."""
    if viewer is None or step.verb not in ("withdraw", "accept"):
        return ""
    traders = (seat, state.holder(step.card))
    gone = (step.card,) if step.verb == "withdraw" else (step.card, step.other)
    own = state.hands[viewer]
    ended = [] if viewer in traders else [bid.offer for bid in state.bids if bid.offer in gone and bid.card in own]
    names = [card_name(offer) for offer in dict.fromkeys(ended)]
    return f", which ends your bid for {join_words(names)}" if names else ""


def _chance_news(state: State, step: Step, viewer: Seat | None) -> str:
    if step.verb == "first":
        return "You begin" if step.card == viewer else f"{INFO.seat_names[step.card]} begins"
    if state.phase == "deal" or viewer is None or viewer != drawing_seat(state):
        return ""
    return f"You draw {card_name(step.card)}"


def deal_line(state: State, step: Step) -> str:
    """Return who begins, or the same line for each card of the deal; return "" for later draws."""
    if step.verb == "first":
        return f"{INFO.seat_names[step.card]} begins"
    return DEAL_TEXT if state.phase == "deal" else ""


# ---- handles


def label(handle: str) -> str:
    """Return the button text for a handle; return unknown texts unchanged."""
    place, *cards = handle.split(":")
    if handle in LABELS:
        return LABELS[handle]
    fits = len(cards) == (2 if place in ("bid", "accept", "refuse") else 1)
    return HANDLE_LABELS[place].format(*cards) if fits and place in HANDLE_LABELS else handle
