"""Scores for views and pictures: bounded work, exact for nearly every hand, and never too high."""

from __future__ import annotations

from random import Random

import pytest

from realmtable.conformance.call_counts import count_calls
from realmtable.games.fantasy_realms.cards import CARDS, HAND_SIZE
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.picture.captions import worth_text
from realmtable.games.fantasy_realms.scoring.choice_values import bid_gain
from realmtable.games.fantasy_realms.scoring.hand_text import choice_kind
from realmtable.games.fantasy_realms.scoring.quick_score import MAX_TRIALS, count_trials, quick_score
from realmtable.games.fantasy_realms.scoring.score import best_score
from tests.fantasy_realms.example_views import TRADING
from tests.fantasy_realms.helpers import ids

OPTIONS = FantasyOptions()
CHOOSERS = [card.id for card in CARDS if choice_kind(card)]
OTHERS = [card.id for card in CARDS if not choice_kind(card)]
WORST_CALLS = 60_000


def hand_with(rng: Random, choosers: int) -> list[int]:
    hand = [*rng.sample(CHOOSERS, choosers), *rng.sample(OTHERS, HAND_SIZE - choosers)]
    rng.shuffle(hand)
    return hand


def test_trials_are_counted_roughly() -> None:
    plain = ids("King", "Queen", "Forge", "Candle", "Mountain", "Cavern")
    assert count_trials(plain) == 1
    assert count_trials([*plain, *ids("Island")]) == 2
    assert count_trials([*plain, *ids("Doppelgänger")]) == HAND_SIZE
    assert count_trials([*plain, *ids("Necromancer")], ids("Empress", "Warhorse", "Swamp")) == 3  # or none of two
    assert count_trials([*plain[:4], *ids("Mirage", "Shapeshifter", "Book of Changes")]) > MAX_TRIALS


@pytest.mark.parametrize("choosers", [0, 1, 2])
def test_hands_with_few_choices_are_scored_exactly(choosers: int) -> None:
    rng = Random(choosers)
    for _ in range(12):
        hand = hand_with(rng, choosers)
        if count_trials(hand) <= MAX_TRIALS:
            assert quick_score(hand, (), OPTIONS) == (best_score(hand, (), OPTIONS), True)


@pytest.mark.long
def test_hands_with_many_choices_are_scored_with_little_work_and_never_too_high() -> None:
    rng, found = Random(4), 0
    while found < 4:
        hand, discard = hand_with(rng, 3), rng.sample(OTHERS, 5)
        discard = [card for card in discard if card not in hand]
        if count_trials(hand, discard) <= MAX_TRIALS:
            continue
        found += 1
        (score, exact), calls = count_calls(lambda: quick_score(hand, discard, OPTIONS))  # noqa: B023 - called at once
        assert not exact
        assert calls < WORST_CALLS
        assert score.total <= best_score(hand, discard, OPTIONS).total
        assert {each.card for each in score.cards} >= {*hand}


def test_every_kind_of_choice_is_improved() -> None:
    hand = ids("Book of Changes", "Shapeshifter", "Necromancer", "Island", "Wildfire", "King", "Smoke")
    discard = ids("Empress", "Warhorse", "Swamp", "Elven Archers", "Warlock Lord")
    score, exact = quick_score(hand, discard, OPTIONS)
    plain = best_score([card for card in hand if card in OTHERS], (), OPTIONS)
    assert (exact, score.total > plain.total) == (False, True)
    assert score.choices.eighth in discard


def test_an_inexact_worth_says_so() -> None:
    assert worth_text({"total": 5, "exact": False}) == "worth 5 or more"


def test_bids_for_a_hand_with_several_cards_that_become_others_have_no_values() -> None:
    names = ["Mirage", "King", "Queen", "Forge", "Candle", "Mountain", "Cavern"]
    bids = [{"card": "Knights", "seat": 1, "for": "King"}]
    assert bid_gain({**TRADING, "viewer": 0, "hand": names, "bids": bids}, bids[0]) is not None
    assert bid_gain({**TRADING, "viewer": 0, "hand": [*names[:6], "Shapeshifter"], "bids": bids}, bids[0]) is None
