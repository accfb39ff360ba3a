"""Score a hand with bounded work, for views and pictures, which are made for every viewer after every step.

The best choices of a hand need a search, which takes seconds for the worst hands, because tables interpret the kernels.
A search consists of trials: scorings of the hand with all choices made. Almost every hand has at most two cards with a
choice and needs few trials; it is searched completely. For the others, one choice after the other is improved until
none can be. That usually finds the best score, and never one above it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from realmtable.games.fantasy_realms.cards import CARDS, HAND_SIZE, CardId
from realmtable.games.fantasy_realms.effect_parser import ALL_SUITS, card_power
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.scoring.fixed_choices import best_score_with_fixed_choices
from realmtable.games.fantasy_realms.scoring.hand_text import FixedChoice, Question, choice_kind
from realmtable.games.fantasy_realms.scoring.score import Score, best_score, eighth_candidates

MAX_TRIALS: Final = 600  # of a complete search
CACHE_SIZE: Final = 4096

_COPY_TRIALS: Final = 8  # cards of different effect that Mirage or Shapeshifter may become, roughly
_CLEAR_TRIALS: Final = 2
_BOOK_TRIALS: Final = (HAND_SIZE - 1) * (len(ALL_SUITS) - 1)


def count_trials(hand: Sequence[CardId], discard: Sequence[CardId] = ()) -> int:
    """Return roughly how many trials a complete search of a hand needs."""
    trials = 1 + sum(1 for _ in eighth_candidates(hand, discard))
    for card in hand:
        trials *= _trials_of(card)
    return trials


@lru_cache(len(CARDS))
def _trials_of(card: CardId) -> int:
    kind, of_hand = choice_kind(CARDS[card]), card_power(CARDS[card], "copy") == "hand"
    copies = HAND_SIZE if of_hand else _COPY_TRIALS
    return {"copy": copies, "change": _BOOK_TRIALS, "clear_one": _CLEAR_TRIALS}.get(kind, 1)


def quick_score(hand: Sequence[CardId], discard: Sequence[CardId], options: FantasyOptions) -> tuple[Score, bool]:
    """Return a hand's score, and whether it is certainly the best one; if not, a better one is unlikely."""
    if count_trials(hand, discard) <= MAX_TRIALS:
        return best_score(hand, discard, options), True
    eligible = tuple(sorted(eighth_candidates(hand, discard)))
    return _improve_choices(tuple(hand), eligible, options), False


@lru_cache(CACHE_SIZE)
def _improve_choices(hand: tuple[CardId, ...], eligible: tuple[CardId, ...], options: FantasyOptions) -> Score:
    """Improve one choice after the other while the others stay as they are, starting with those of fewest trials."""
    choosers = sorted((card for card in hand if choice_kind(CARDS[card])), key=_trials_of)
    fixed: dict[CardId, FixedChoice] = dict.fromkeys(choosers)
    best = best_score_with_fixed_choices(Question(hand, eligible, tuple(fixed.items()), options))
    before = None
    while best is not before:  # two or three rounds
        before = best
        for chooser in choosers:
            others = tuple((card, choice) for card, choice in fixed.items() if card != chooser)
            found = best_score_with_fixed_choices(Question(hand, eligible, others, options))
            if found.total > best.total:
                best, fixed[chooser] = found, found.choices.of(chooser)
    return best
