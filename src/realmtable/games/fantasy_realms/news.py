"""What just happened, as each viewer may know it: one sentence a step; and the deal as one line of the list."""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import CHANCE, CLOCK, Seat
from realmtable.games.fantasy_realms import INFO
from realmtable.games.fantasy_realms.cards import CARDS
from realmtable.games.fantasy_realms.describe import describe_deck_draw
from realmtable.games.fantasy_realms.secrecy import drawing_seat, text_for_viewer
from realmtable.games.fantasy_realms.state import State, Step

DEAL_TEXT: Final = "Seven cards each are dealt"

# After a name, or after "You" without the s.
_STEP_PHRASES: Final = {
    "take": "take{s} {card}",
    "drop": "drop{s} {card}",
    "keep": "keep{s} {card}",
    "offer": "lay{s} {card} on offer",
    "withdraw": "take{s} {card} back from the offers",
    "bid": "bid{s} {card} for {other}",
    "cancel": "call{s} back {card}, bid for {other}",
    "accept": "accept{s} {card} for {other}",
    "refuse": "refuse{s} {card} for {other}",
    "ready": "want{s} no more trades",
    "active": "trade{s} again",
    "leave": "leave{s} it at seven cards",
}


def news(state: State, seat: Seat, step: Step, viewer: Seat | None) -> str:
    """A step for a viewer; nothing where there is nothing to be told, as of cards that others get."""
    if seat == CLOCK:
        return "Time is up"
    if seat == CHANCE:
        return _chance_news(state, step, viewer)
    who, s = ("You", "") if seat == viewer else (INFO.seat_names[seat], "s")
    if step.verb == "deck":
        return (
            "" if seat == viewer else f"{who} draws {describe_deck_draw(state)}"
        )  # one's own cards are told when they come
    if text_for_viewer(state, seat, step, viewer) != text_for_viewer(state, seat, step, seat):
        return _describe_secret_step(state, step, who)
    return f"{who} " + _STEP_PHRASES[step.verb].format(s=s, card=_card_name(step.card), other=_card_name(step.other))


def _describe_secret_step(state: State, step: Step, who: str) -> str:
    """A step whose card is a secret: that one was kept, or accepted."""
    if step.verb == "keep":
        return f"{who} keeps a card"
    if step.verb != "accept":
        return ""
    bidder = state.holder(step.card)
    assert bidder is not None  # noqa: S101 - what is bid is held
    return f"{who} accepts a card of {INFO.seat_names[bidder]} for {_card_name(step.other)}"


def _chance_news(state: State, step: Step, viewer: Seat | None) -> str:
    if step.verb == "first":
        return "You begin" if step.card == viewer else f"{INFO.seat_names[step.card]} begins"
    if state.phase == "deal" or viewer is None or viewer != drawing_seat(state):
        return ""
    return f"You draw {_card_name(step.card)}"


def _card_name(card: int) -> str:
    return CARDS[card].name


def deal_line(state: State, step: Step) -> str:
    """Who begins, and the line of the deal for each of its cards; nothing for what is drawn later."""
    if step.verb == "first":
        return f"{INFO.seat_names[step.card]} begins"
    return DEAL_TEXT if state.phase == "deal" else ""
