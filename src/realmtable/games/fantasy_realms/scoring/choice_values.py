"""What discarding a card or accepting a bid would do to the viewer's score, and which bids to show.

This is arithmetic on the viewer's own cards. What to choose is advice, which players have to ask for. Everything
follows from the view. Pictures are drawn for every viewer after every step, so the work for each is bounded: hands that
are slow to score get no values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from realmtable.engine.options import make_options, parse_pairs
from realmtable.engine.protocol import View
from realmtable.games.fantasy_realms.cards import CARDS, ids_of
from realmtable.games.fantasy_realms.effect_parser import card_power
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.scoring.quick_score import count_trials
from realmtable.games.fantasy_realms.scoring.score import best_worth

CACHE_SIZE: Final = 4096
MAX_TRIALS: Final = 480  # scorings for all choices of a turn, and for the offers or the bids of one picture
MAX_CHOOSERS: Final = 1  # cards with a choice in a hand that is quick to score
CHOOSERS: Final = frozenset(card.name for card in CARDS if card_power(card, "copy") or card_power(card, "change"))

MAX_SHOWN_BIDS: Final = 4  # bids received, and bids made, shown at a time

Names = tuple[str, ...]
BidData = Mapping[str, Any]


@lru_cache(CACHE_SIZE)
def _hand_worth(hand: Names, open_cards: Names, options: Names) -> int:
    return best_worth(ids_of(hand), ids_of(open_cards), _parse_options(options))


@lru_cache(64)
def _parse_options(pairs: Names) -> FantasyOptions:
    return make_options(FantasyOptions, {}, None, parse_pairs(FantasyOptions, list(pairs)))


# ---- discarding


def worth_without(view: View, card: str) -> int | None:
    """Return what the hand is worth after discarding a card; None if that is not possible now or slow to find."""
    if card not in view["moves"].get("drop", ()) or not _is_known(view):
        return None
    hand, others = tuple(view["hand"]), tuple(entry["card"] for entry in view["discard"])
    if count_trials(ids_of(hand), ids_of(others)) * len(hand) > MAX_TRIALS:
        return None
    left = tuple(held for held in hand if held != card)
    return _hand_worth(left, (*others, card), tuple(view["options"]))


def _is_known(view: View) -> bool:
    return view["worth"] is not None and view["worth"]["exact"]


# ---- trading


def swap_gain(view: View, give: str, get: str) -> int | None:
    """Return what the viewer would gain by giving one card for another; None if that is slow to find."""
    cards = (*(view["hand"] or ()), get)
    if not view["hand"] or not _is_quick_to_score(cards) or _count_trials(cards) * _scored_bids(view) > MAX_TRIALS:
        return None
    return _compute_swap_gain(_sort_names(view["hand"]), give, get, tuple(view["options"]))


def _count_trials(hand: Names) -> int:
    return count_trials(ids_of(hand), ())


def _scored_bids(view: View) -> int:
    made: list[bool] = [bid["seat"] == view["viewer"] for bid in view["bids"]]
    return min(made.count(False), MAX_SHOWN_BIDS) + min(made.count(True), MAX_SHOWN_BIDS)


def bid_gain(view: View, bid: BidData) -> int | None:
    """Return what a bid, received or made, would gain the viewer; None if that is slow to find."""
    mine = bid["seat"] == view["viewer"]
    return swap_gain(view, bid["card"], bid["for"]) if mine else swap_gain(view, bid["for"], bid["card"])


def bids_to_show(view: View, *, mine: bool) -> list[BidData]:
    """Return the latest bids that the viewer made or received, in order of arrival."""
    return [bid for bid in view["bids"] if (bid["seat"] == view["viewer"]) == mine][-MAX_SHOWN_BIDS:]


def is_bid_shown(view: View, card: str, offer: str) -> bool:
    """Whether the picture shows a bid."""
    shown = [bid for mine in (True, False) for bid in bids_to_show(view, mine=mine)]
    return any((bid["card"], bid["for"]) == (card, offer) for bid in shown)


def _is_quick_to_score(cards: Names) -> bool:
    return sum(card in CHOOSERS for card in cards) <= MAX_CHOOSERS


def _sort_names(hand: Sequence[str]) -> Names:
    return tuple(sorted(hand))


@lru_cache(CACHE_SIZE)
def _compute_swap_gain(hand: Names, give: str, get: str, options: Names) -> int:
    after = _sort_names([get, *(card for card in hand if card != give)])
    return _hand_worth(after, (), options) - _hand_worth(hand, (), options)
