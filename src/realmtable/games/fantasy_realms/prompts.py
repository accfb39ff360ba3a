"""What a player is asked to do, and what a discard would do to their score. Everything follows from the view."""

from __future__ import annotations

from realmtable.engine.language import translate
from realmtable.engine.protocol import View
from realmtable.games.fantasy_realms.cards import HAND_SIZE
from realmtable.games.fantasy_realms.scoring.choice_values import worth_without


def prompt_text(view: View) -> str:
    """Return an imperative sentence for a viewer with a legal step."""
    phase = view["phase"]
    if phase == "trade":
        return _ask_for_trade(view)
    if phase == "necromancer":
        return "Draw three cards and keep one as your eighth, or stay at seven cards."
    if phase == "keep":
        return "Keep one of the three cards you drew."
    return _ask_for_card(view) if phase == "draw" else _ask_for_discard(view)


def _ask_for_card(view: View) -> str:
    in_setup = len(view["hand"]) < HAND_SIZE  # W1
    if view["last_turns"] and not in_setup:
        return "Draw a card or take one from the discard area: this may be your last turn."
    cards = "two cards" if in_setup else "a card"
    return f"Draw {cards} from the deck{', or take one from the discard area' if view['discard'] else ''}."


def _ask_for_discard(view: View) -> str:
    all_full = sum(view["counts"]) - 1 == HAND_SIZE * view["seats"]
    if all_full and len(view["discard"]) + 1 >= view["limit"]:
        return "Discard a card; the game then ends."  # P4, W3
    drew_two = len(view["drawn"]) > 1
    if drew_two and len(view["moves"]["drop"]) == len(view["drawn"]):
        return "Discard one of the two cards you drew."  # W1
    return "Discard a card."


def _ask_for_trade(view: View) -> str:
    moves = view["moves"]
    if "active" in moves:
        return "Wait for the others, or press Trade again."
    if "accept" in moves:
        return "Answer a bid, offer a card, or press Ready."
    return "Offer a card, bid for one, or press Ready." if "bid" in moves else "Offer a card, or press Ready."


# ---- notes, while a player points at something


def describe_choice(view: View, handle: str) -> str:
    """Say what the viewer's own cards would be worth without one that may be discarded; otherwise nothing.

    What to draw or to bid is advice, which everyone sees being asked for.
    """
    place, _, card = handle.partition(":")
    after = worth_without(view, card) if place == "hand" else None
    if after is None:
        return ""
    before = view["worth"]["total"]
    if after == before:
        return translate("Your realm without it: still {points}.", points=after)
    return translate("Your realm without it: {before} → {after}.", before=before, after=after)
