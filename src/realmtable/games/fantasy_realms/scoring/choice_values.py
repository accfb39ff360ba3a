"""What taking or discarding a card would do to the viewer's score. Everything follows from the view.

The work is bounded: hands that are slow to score get no values.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from realmtable.engine.options import make_options, parse_pairs
from realmtable.engine.protocol import View
from realmtable.games.fantasy_realms.cards import BY_NAME, HAND_SIZE
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.scoring.quick_score import count_trials
from realmtable.games.fantasy_realms.scoring.score import best_worth

CACHE_SIZE: Final = 4096
MAX_TRIALS: Final = 480  # scorings for all choices of a turn

Names = tuple[str, ...]


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
    return count_trials(_card_ids(hand), _card_ids(others)) * choices <= MAX_TRIALS


@lru_cache(CACHE_SIZE)
def _find_best_discard(hand: Names, others: Names, options: Names) -> ChoiceValue:
    values = [ChoiceValue(_worth_without(hand, card, others, options), card) for card in hand]
    return max(values, key=lambda value: value.worth)


def _worth_without(hand: Names, card: str, others: Names, options: Names) -> int:
    return _hand_worth(tuple(held for held in hand if held != card), (*others, card), options)


@lru_cache(CACHE_SIZE)
def _hand_worth(hand: Names, others: Names, options: Names) -> int:
    return best_worth(_card_ids(hand), _card_ids(others), _parse_options(options))


def _card_ids(names: Sequence[str]) -> list[int]:
    return [BY_NAME[name].id for name in names]


@lru_cache(64)
def _parse_options(pairs: Names) -> FantasyOptions:
    return make_options(FantasyOptions, {}, None, parse_pairs(FantasyOptions, list(pairs)))
