"""What taking, discarding and trading cards would do to the viewer's score, and which bids to show first.

Everything follows from the view. Pictures are drawn for every viewer after every step, so the work for each is bounded:
hands that are slow to score get no values. Trades get none if several cards of the hand may become others, otherwise
only as many as `MAX_TRIALS` allows; the newest offers come first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from realmtable.engine.options import make_options, parse_pairs
from realmtable.engine.protocol import View
from realmtable.games.fantasy_realms.cards import CARDS, HAND_SIZE, ids_of
from realmtable.games.fantasy_realms.effect_parser import card_power
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.scoring.quick_score import count_trials
from realmtable.games.fantasy_realms.scoring.score import best_worth

CACHE_SIZE: Final = 4096
MAX_TRIALS: Final = 480  # scorings for all choices of a turn, and for the offers or the bids of one picture
MAX_CHOOSERS: Final = 1  # cards with a choice in a hand that is quick to score
CHOOSERS: Final = frozenset(card.name for card in CARDS if card_power(card, "copy") or card_power(card, "change"))

MAX_SHOWN_BIDS: Final = 4  # bids received, and bids made, shown at a time
MAX_WEIGHED_BIDS: Final = 12  # latest bids received that are considered for it

Names = tuple[str, ...]
BidData = Mapping[str, Any]


@lru_cache(CACHE_SIZE)
def _hand_worth(hand: Names, open_cards: Names, options: Names) -> int:
    return best_worth(ids_of(hand), ids_of(open_cards), _parse_options(options))


@lru_cache(64)
def _parse_options(pairs: Names) -> FantasyOptions:
    return make_options(FantasyOptions, {}, None, parse_pairs(FantasyOptions, list(pairs)))


# ---- taking and discarding


class ChoiceValue(NamedTuple):
    """What the hand is worth after a choice, and the card to discard after it; empty if the choice ends the turn."""

    worth: int
    discard: str = ""


def value_of_taking(view: View, card: str) -> ChoiceValue | None:
    """Return what the hand is worth after taking a discard and then discarding best; None if that is slow to find."""
    if card not in view["moves"].get("take", ()) or not _is_known(view):
        return None
    hand, others = tuple(view["hand"]), _open_cards(view, without=card)
    if len(hand) < HAND_SIZE:  # W1: the card is kept
        return ChoiceValue(_hand_worth((*hand, card), others, tuple(view["options"])))
    if not _is_quick((*hand, card), others, len(view["moves"]["take"]) * len(hand)):
        return None
    return _find_best_discard((*hand, card), others, tuple(view["options"]))


def value_of_discarding(view: View, card: str) -> ChoiceValue | None:
    """Return what the hand is worth after discarding a card; None if that is slow to find."""
    if card not in view["moves"].get("drop", ()) or not _is_known(view):
        return None
    hand, others = tuple(view["hand"]), _open_cards(view)
    if not _is_quick(hand, others, len(hand)):
        return None
    return ChoiceValue(_worth_without(hand, card, others, tuple(view["options"])))


def _is_known(view: View) -> bool:
    return view["worth"] is not None and view["worth"]["exact"]


def _open_cards(view: View, without: str = "") -> Names:
    return tuple(entry["card"] for entry in view["discard"] if entry["card"] != without)


def _is_quick(hand: Names, others: Names, choices: int) -> bool:
    return _count_trials(hand, others) * choices <= MAX_TRIALS


@lru_cache(CACHE_SIZE)
def _find_best_discard(hand: Names, others: Names, options: Names) -> ChoiceValue:
    values = [ChoiceValue(_worth_without(hand, card, others, options), card) for card in hand]
    return max(values, key=lambda value: value.worth)


def _worth_without(hand: Names, card: str, others: Names, options: Names) -> int:
    return _hand_worth(tuple(held for held in hand if held != card), (*others, card), options)


# ---- trading


class Swap(NamedTuple):
    """A card to give, and what the swap would do to the score."""

    give: str
    points: int


def best_swap(view: View, card: str) -> Swap | None:
    """Return the viewer's best card to give for a card; None if that is slow to find or the hand is empty."""
    if not view["hand"] or card not in _cards_to_value(view):
        return None
    return _find_best_swap(_sort_names(view["hand"]), card, tuple(view["options"]))


def _cards_to_value(view: View) -> frozenset[str]:
    offers = tuple(entry["card"] for entry in view["offers"] if entry["seat"] != view["viewer"])
    return _select_offers(_sort_names(view["hand"]), offers)


@lru_cache(CACHE_SIZE)
def _select_offers(hand: Names, offers: Names) -> frozenset[str]:
    """Return the newest offers that can be valued within the limit: each hand with the card, less one, is scored."""
    chosen, trials = set(), 0
    for card in reversed(offers):
        if not _is_quick_to_score((*hand, card)):
            continue
        trials += len(hand) * _count_trials((*hand, card))
        if trials > MAX_TRIALS:
            break
        chosen.add(card)
    return frozenset(chosen)


def _count_trials(hand: Names, open_cards: Names = ()) -> int:
    return count_trials(ids_of(hand), ids_of(open_cards))


def swap_gain(view: View, give: str, get: str) -> int | None:
    """Return what the viewer would gain by giving one card for another; None if that is slow to find."""
    cards = (*(view["hand"] or ()), get)
    if not view["hand"] or not _is_quick_to_score(cards) or _count_trials(cards) * _scored_bids(view) > MAX_TRIALS:
        return None
    return _compute_swap_gain(_sort_names(view["hand"]), give, get, tuple(view["options"]))


def _scored_bids(view: View) -> int:
    made: list[bool] = [bid["seat"] == view["viewer"] for bid in view["bids"]]
    return min(made.count(False), MAX_WEIGHED_BIDS) + min(made.count(True), MAX_SHOWN_BIDS)


def bid_gain(view: View, bid: BidData) -> int | None:
    """Return what a bid, received or made, would gain the viewer; None if that is slow to find."""
    mine = bid["seat"] == view["viewer"]
    return swap_gain(view, bid["card"], bid["for"]) if mine else swap_gain(view, bid["for"], bid["card"])


def bids_to_show(view: View, *, mine: bool) -> list[BidData]:
    """Return the viewer's latest bids, or the most valuable of the latest bids received, in order of arrival."""
    keys = _bid_keys_to_show(view)
    return [
        bid for bid in view["bids"] if (bid["seat"] == view["viewer"]) == mine and (bid["card"], bid["for"]) in keys
    ]


def is_bid_shown(view: View, card: str, offer: str) -> bool:
    """Whether the picture shows a bid; while there are few, it shows all of them."""
    return len(view["bids"]) <= MAX_SHOWN_BIDS or (card, offer) in _bid_keys_to_show(view)


def _bid_keys_to_show(view: View) -> frozenset[tuple[str, str]]:
    bids = tuple((bid["card"], bid["for"], bid["seat"] == view["viewer"]) for bid in view["bids"])
    return _select_bids(_sort_names(view["hand"] or ()), bids, tuple(view["options"]))


@lru_cache(CACHE_SIZE)
def _select_bids(hand: Names, bids: tuple[tuple[str, str, bool], ...], options: Names) -> frozenset[tuple[str, str]]:
    made = [(card, offer) for card, offer, mine in bids if mine][-MAX_SHOWN_BIDS:]
    received = [(card, offer) for card, offer, mine in bids if not mine][-MAX_WEIGHED_BIDS:]
    if len(received) > MAX_SHOWN_BIDS:
        gains = {
            bid: _compute_swap_gain(hand, bid[1], bid[0], options)
            for bid in received
            if _is_quick_to_score((*hand, bid[0])) and _count_trials((*hand, bid[0])) * len(received) <= MAX_TRIALS
        }
        received = sorted(received, key=lambda bid: -gains.get(bid, 0))[:MAX_SHOWN_BIDS]
    return frozenset([*made, *received])


def _is_quick_to_score(cards: Names) -> bool:
    return sum(card in CHOOSERS for card in cards) <= MAX_CHOOSERS


def _sort_names(hand: Sequence[str]) -> Names:
    return tuple(sorted(hand))


@lru_cache(CACHE_SIZE)
def _find_best_swap(hand: Names, card: str, options: Names) -> Swap:
    swaps = [Swap(give, _compute_swap_gain(hand, give, card, options)) for give in hand]
    return max(swaps, key=lambda swap: swap.points)


@lru_cache(CACHE_SIZE)
def _compute_swap_gain(hand: Names, give: str, get: str, options: Names) -> int:
    after = _sort_names([get, *(card for card in hand if card != give)])
    return _hand_worth(after, (), options) - _hand_worth(hand, (), options)
