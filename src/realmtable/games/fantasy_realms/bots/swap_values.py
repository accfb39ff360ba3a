"""What trades would do to the viewer's own hand, and which bids that puts first: all of it follows from his view.

Pictures are made for everybody after every step, so only what is quickly found is told: nothing for hands with several
cards that may become others, whose best choice is a search.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from realmtable.engine.options import make, parse_pairs
from realmtable.games.fantasy_realms.cards import BY_NAME, CARDS
from realmtable.games.fantasy_realms.effects import power
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.picture.captions import View
from realmtable.games.fantasy_realms.scoring.api import best_worth

KEPT: Final = 4096
MOST_CHOOSERS: Final = 1  # cards with a choice in a hand that is looked at
CHOOSERS: Final = frozenset(card.name for card in CARDS if power(card, "copy") or power(card, "change"))

MOST_SHOWN: Final = 4  # bids for the viewer's cards, and of his, that are shown at a time
MOST_WEIGHED: Final = 12  # of those for his cards, the latest, that are weighed for it

Names = tuple[str, ...]
Bid = Mapping[str, Any]


class Swap(NamedTuple):
    """A card to give, and what the swap would do to one's score."""

    give: str
    points: int


def best_swap(view: View, card: str) -> Swap | None:
    """The best that the viewer could give for a card; None where that takes long to find, or he holds nothing."""
    if not view["hand"] or not _is_quick((*view["hand"], card)):
        return None
    return _best_swap(_sorted(view["hand"]), card, tuple(view["options"]))


def points(view: View, give: str, get: str) -> int | None:
    """What the viewer's score would gain if he gave a card for another; None where that takes long to find."""
    if not view["hand"] or not _is_quick((*view["hand"], get)):
        return None
    return _points(_sorted(view["hand"]), give, get, tuple(view["options"]))


def gain(view: View, bid: Bid) -> int | None:
    """What a bid for the viewer's card, or of his, would bring him; None where that takes long to find."""
    mine = bid["seat"] == view["viewer"]
    return points(view, bid["card"], bid["for"]) if mine else points(view, bid["for"], bid["card"])


def shown_bids(view: View, *, mine: bool) -> list[Bid]:
    """The viewer's latest bids; or of the latest for his cards those that bring him most, in the order they came."""
    kept = _shown(view)
    return [
        bid for bid in view["bids"] if (bid["seat"] == view["viewer"]) == mine and (bid["card"], bid["for"]) in kept
    ]


def is_shown(view: View, card: str, offer: str) -> bool:
    """Whether a bid has a place of its own in the picture; while bids are few every one has."""
    return len(view["bids"]) <= MOST_SHOWN or (card, offer) in _shown(view)


def _shown(view: View) -> frozenset[tuple[str, str]]:
    bids = tuple((bid["card"], bid["for"], bid["seat"] == view["viewer"]) for bid in view["bids"])
    return _best_bids(_sorted(view["hand"] or ()), bids, tuple(view["options"]))


@lru_cache(KEPT)
def _best_bids(hand: Names, bids: tuple[tuple[str, str, bool], ...], options: Names) -> frozenset[tuple[str, str]]:
    made = [(card, offer) for card, offer, mine in bids if mine][-MOST_SHOWN:]
    got = [(card, offer) for card, offer, mine in bids if not mine][-MOST_WEIGHED:]
    if len(got) > MOST_SHOWN:
        quick = {bid: _points(hand, bid[1], bid[0], options) for bid in got if _is_quick((*hand, bid[0]))}
        got = sorted(got, key=lambda bid: -quick.get(bid, 0))[:MOST_SHOWN]
    return frozenset([*made, *got])


def _is_quick(cards: Names) -> bool:
    return sum(card in CHOOSERS for card in cards) <= MOST_CHOOSERS


def _sorted(hand: Sequence[str]) -> Names:
    return tuple(sorted(hand))


@lru_cache(KEPT)
def _best_swap(hand: Names, card: str, options: Names) -> Swap:
    swaps = [Swap(give, _points(hand, give, card, options)) for give in hand]
    return max(swaps, key=lambda swap: swap.points)


@lru_cache(KEPT)
def _points(hand: Names, give: str, get: str, options: Names) -> int:
    after = _sorted([get, *(card for card in hand if card != give)])
    return _worth(after, options) - _worth(hand, options)


def _worth(hand: Names, options: Names) -> int:
    return best_worth([BY_NAME[card].id for card in hand], options=_options(options))


@lru_cache(64)
def _options(pairs: Names) -> FantasyOptions:
    return make(FantasyOptions, {}, None, parse_pairs(FantasyOptions, list(pairs)))
