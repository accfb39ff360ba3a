"""Numbers of steps, for programs that learn to play: bare steps, steps with a card, then steps with two cards."""

from __future__ import annotations

from typing import Final

from realmtable.games.fantasy_realms.cards import CARDS
from realmtable.games.fantasy_realms.state import Step

# The order is part of the numbers, so new verbs come last in their group. Chance and the clock have no actions.
BARE_VERBS: Final = ("deck", "ready", "active", "leave")
CARD_VERBS: Final = ("take", "drop", "offer", "withdraw", "keep")
BID_VERBS: Final = ("bid", "cancel", "accept", "refuse")
_CARDS: Final = len(CARDS)
_FIRST_CARD: Final = len(BARE_VERBS)
_FIRST_BID: Final = _FIRST_CARD + len(CARD_VERBS) * _CARDS
ACTION_COUNT: Final = _FIRST_BID + len(BID_VERBS) * _CARDS * _CARDS


def action_of(step: Step) -> int:
    """Return the number of a player's step.

    >>> action_of(Step("deck")), action_of(Step("take", 3)), action_of(Step("drop", 0))
    (0, 7, 57)
    """
    if step.verb in BARE_VERBS:
        return BARE_VERBS.index(step.verb)
    if step.verb in CARD_VERBS:
        return _FIRST_CARD + CARD_VERBS.index(step.verb) * _CARDS + step.card
    return _FIRST_BID + (BID_VERBS.index(step.verb) * _CARDS + step.card) * _CARDS + step.other


def move_of(action: int) -> Step:
    """Return the step with a number.

    >>> move_of(57)
    Step(verb='drop', card=0, other=-1)
    """
    if action < _FIRST_CARD:
        return Step(BARE_VERBS[action])
    if action < _FIRST_BID:
        verb, card = divmod(action - _FIRST_CARD, _CARDS)
        return Step(CARD_VERBS[verb], card)
    rest, other = divmod(action - _FIRST_BID, _CARDS)
    verb, card = divmod(rest, _CARDS)
    return Step(BID_VERBS[verb], card, other)
