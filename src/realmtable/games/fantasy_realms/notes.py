"""What choosing a card would do to the viewer's score, in one sentence. Everything follows from the view."""

from __future__ import annotations

from realmtable.engine.protocol import View
from realmtable.games.fantasy_realms.scoring.choice_values import best_swap, value_of_discarding, value_of_taking


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
