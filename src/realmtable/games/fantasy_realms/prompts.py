"""What a player is asked to do, and what choosing a card would do to their score. Everything follows from the view."""

from __future__ import annotations

from realmtable.engine.protocol import View
from realmtable.games.fantasy_realms.cards import HAND_SIZE
from realmtable.games.fantasy_realms.scoring.choice_values import best_swap, value_of_discarding, value_of_taking


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
    """Say what choosing a handle would do to the viewer's score; empty if there is nothing to say."""
    place, _, card = handle.partition(":")
    if view["worth"] is None or place not in _NOTES:
        return ""
    return _NOTES[place](view, card)


def _describe_taking(view: View, card: str) -> str:
    value = value_of_taking(view, card)
    if value is None:
        return ""
    if value.discard == card or value.worth <= view["worth"]["total"]:
        return "Taking it gains nothing now."
    then = f" and discard {value.discard}" if value.discard else ""
    return f"Take it{then}. {_change_text(view, value.worth)}"


def _describe_discarding(view: View, card: str) -> str:
    value = value_of_discarding(view, card)
    return "" if value is None else _change_text(view, value.worth, " without it")


def _change_text(view: View, after: int, cause: str = "") -> str:
    """Say how the worth of the viewer's hand changes.

    >>> _change_text({"worth": {"total": 66}}, 90), _change_text({"worth": {"total": 66}}, 66, " without it")
    ('Your realm: 66 → 90.', 'Your realm without it: still 66.')
    """
    before = view["worth"]["total"]
    return f"Your realm{cause}: {before} → {after}." if after != before else f"Your realm{cause}: still {before}."


def _describe_bidding(view: View, card: str) -> str:
    swap = best_swap(view, card) if card in view["moves"].get("bid", ()) else None
    if swap is None:
        return ""
    if swap.points <= 0:
        return "Bidding for it gains nothing now."
    return f"Bid {swap.give} for it. {_change_text(view, view['worth']['total'] + swap.points)}"


_NOTES = {"discard": _describe_taking, "hand": _describe_discarding, "offer": _describe_bidding}
