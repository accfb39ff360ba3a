"""The scorer against worked examples, published hands, invariants, and its slow twin (S1 to S8)."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from realmtable.engine.errors import BadInput
from realmtable.games.fantasy_realms.cards import BY_NAME, CARDS, SUITS, names_of
from realmtable.games.fantasy_realms.effect_parser import card_power
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.scoring.best_choices import best_totals
from realmtable.games.fantasy_realms.scoring.card_arrays import (
    COLUMNS,
    LINE,
    LINES_OF,
    NAME_COUNT,
    SELECTOR_COLUMNS,
    card_arrays,
    to_kernel_array,
)
from realmtable.games.fantasy_realms.scoring.hand_text import Choices
from realmtable.games.fantasy_realms.scoring.score import (
    Score,
    best_score,
    best_worth,
    score_to_json,
    score_with_choices,
)
from realmtable.games.fantasy_realms.scoring.workspace import MAX_SLOTS, new_workspace
from tests.conformance.random_games import limit_examples
from tests.fantasy_realms import twin_scoring as twin
from tests.fantasy_realms.helpers import choices_from_json, ids

DATA = Path(__file__).with_name("data")
HANDS = json.loads((DATA / "hands.json").read_text(encoding="utf-8"))
CASES = tomllib.loads((DATA / "cases.toml").read_text(encoding="utf-8"))["case"]
ALL = range(len(CARDS))
CHOOSERS = {"Doppelgänger", "Mirage", "Shapeshifter", "Book of Changes"}
LAST_RULING = 48  # the number of the last case that is of the rulings; those after it are ours


def points_of(found: Score) -> dict[str, int]:
    return {CARDS[card.card].name: card.points for card in found.cards}


def choices_of(chosen: twin.Choices) -> Choices:
    wilds = {"Doppelgänger": chosen.doppelganger, "Mirage": chosen.mirage, "Shapeshifter": chosen.shapeshifter}
    return Choices(
        copies=tuple((BY_NAME[wild].id, BY_NAME[name].id) for wild, name in wilds.items() if name is not None),
        book=None if chosen.book is None else (BY_NAME[chosen.book[0]].id, chosen.book[1]),
        island=None if chosen.island is None else BY_NAME[chosen.island].id,
    )


# ---- published cases and hands
@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["number"]))
def test_s1_worked_cases_of_the_rulings(case: dict[str, Any]) -> None:
    """S1, S2, S3, S4, S5, S6, S7: each case is worth what the rulings say, its choices as written."""
    chosen = case.get("choices", {})
    choices = choices_of(twin.Choices(**{**chosen, **({"book": tuple(chosen["book"])} if "book" in chosen else {})}))
    hand, options = ids(*case["hand"]), FantasyOptions(**case.get("options", {}))
    assert score_with_choices(hand, choices, options).total == case["score"]
    alone = score_with_choices(hand, choices, replace(options, self_counts=False)).total
    assert alone == case.get("score_without_self_counts", case["score"])
    if case["number"] > LAST_RULING:  # nothing in these hands is decided by a ring
        for ring in ("inert", "together"):
            assert score_with_choices(hand, choices, replace(options, ring=ring)).total == case["score"]


@pytest.mark.parametrize("hand", HANDS, ids=lambda hand: hand["hand"][0])
def test_published_hands(hand: dict[str, Any]) -> None:
    """S1 to S8: the best total, the points of every card under the published choices, and the other readings."""
    held, discard = ids(*hand["hand"]), ids(*hand.get("discard", ()))
    assert best_worth(held) == best_score(held).total == hand["best_score"]
    assert points_of(score_with_choices(held, choices_from_json(hand["choices"]))) == hand["per_card"]
    if discard:
        found = best_score(held, discard)
        assert found.total == best_worth(held, discard) == hand["best_score_with_necromancer"]
    for switch, worth in hand.get("variant_scores", {}).items():
        name, _, value = switch.partition("=")
        assert best_score(held, options=FantasyOptions(**{name: value == "True"})).total == worth


def test_the_best_known_hand_is_worth_397() -> None:
    """S8: the published maximum, with the Necromancer's eighth card."""
    hand = ["Bell Tower", "Candle", "Necromancer", "Sword of Keth", "Shield of Keth", "Gem of Order", "Book of Changes"]
    found = best_score(ids(*hand), ids("Warhorse", "King", "Smoke"))
    assert found.total == 397
    assert score_to_json(found)["eighth"] == "Warhorse"


# ---- the twin


def random_options(rng: Random) -> dict[str, Any]:
    changed = {name: not value for name, value in twin.SCORING_OPTIONS.items() if isinstance(value, bool)}
    some = rng.sample(sorted(changed), rng.randrange(3))
    words = {"ring": rng.choice(["inert", "inert", "together"]), "tie_break": rng.choice(["counted", "printed"])}
    return {**{name: changed[name] for name in some}, **words}


def random_hand(rng: Random, choosers: int = 4) -> list[str]:
    while True:
        hand = [CARDS[card].name for card in rng.sample(ALL, rng.choice([3, 7, 7, 7, 8]))]
        if len(CHOOSERS & set(hand)) <= choosers:
            return hand


def random_choices(rng: Random, hand: list[str]) -> twin.Choices:
    """Any choices of a hand, without listing them all."""
    others = [name for name in hand if name != "Doppelgänger"]
    suits = {name: card_power(BY_NAME[name], "suits") for name in ("Mirage", "Shapeshifter")}
    named = {
        name.lower(): rng.choice([card.name for card in CARDS if card.suit in suits[name]])
        for name in suits
        if name in hand and rng.random() < 0.8
    }
    double = rng.choice(others) if "Doppelgänger" in hand and others and rng.random() < 0.8 else None
    book = None
    changeable = [name for name in hand if name != "Book of Changes"]
    if "Book of Changes" in hand and changeable and rng.random() < 0.9:
        book = (rng.choice(changeable), rng.choice(SUITS))
    return twin.Choices(doppelganger=double, book=book, **named)


def compare_fixed(rng: Random) -> None:
    hand, changes = random_hand(rng), random_options(rng)
    if rng.random() < 0.5 and "Book of Changes" not in hand:
        hand[0] = "Book of Changes"
    chosen = random_choices(rng, hand)
    theirs = twin.score(hand, chosen, {**twin.SCORING_OPTIONS, **changes})
    ours = score_with_choices(ids(*hand), choices_of(chosen), FantasyOptions(**changes))
    assert (ours.total, points_of(ours)) == (theirs.total, theirs.per_card), (hand, chosen, changes)
    assert ours.strength == theirs.strength, (hand, chosen, changes)
    assert {CARDS[card.card].name for card in ours.cards if card.blanked} == theirs.blanked, (hand, chosen, changes)


def compare_best(rng: Random, choosers: int) -> None:
    hand, changes = random_hand(rng, choosers), random_options(rng)
    options = FantasyOptions(**changes)
    discard = names_of(rng.sample([card for card in ALL if CARDS[card].name not in hand], 3))
    theirs = twin.best_realm(hand, discard, {**twin.SCORING_OPTIONS, **changes})
    ours = best_score(ids(*hand), ids(*discard), options)
    assert (ours.total, ours.strength) == theirs, (hand, discard, changes)


def test_fixed_choices_against_the_twin() -> None:
    """S1 to S7: any hand with any choices under any reading is worth the same to both."""
    rng = Random("fixed")
    for _ in range(250):
        compare_fixed(rng)


def test_best_choices_against_the_twin() -> None:
    """S2 to S5, S8: nothing that could be better is left out."""
    rng = Random("best")
    for _ in range(120):
        compare_best(rng, 1)
    for _ in range(3):
        compare_best(rng, 2)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_many_hands_against_the_twin(part: int) -> None:
    """S1 to S8: 20,000 random hands of seven, those with three choosers or more now and then."""
    rng = Random(f"many {part}")
    for _ in range(2000):
        hand = names_of(rng.sample(ALL, 7))
        if len(CHOOSERS & set(hand)) > 2 and rng.random() < 0.9:
            continue
        assert best_worth(ids(*hand)) == twin.best(hand, [], twin.SCORING_OPTIONS), hand


@pytest.mark.slow
def test_fixed_choices_of_many_hands_against_the_twin() -> None:
    """S1 to S7, at length."""
    rng = Random("many fixed")
    for _ in range(20_000):
        compare_fixed(rng)


# ---- laws

hands = st.lists(st.sampled_from(ALL), min_size=1, max_size=8, unique=True)


@limit_examples(60)
@given(hands, st.randoms(use_true_random=False))
def test_the_order_of_cards_does_not_matter(hand: list[int], rng: Random) -> None:
    """S7: shuffled, a hand is worth as much."""
    shuffled = rng.sample(hand, len(hand))
    assert best_worth(shuffled) == best_worth(hand)


@limit_examples(60)
@given(hands)
def test_s5_protection_rune_never_hurts_a_hand_of_penalties(hand: list[int]) -> None:
    """S5: where all cards have penalties only, the Rune adds at least its own strength."""
    rune = BY_NAME["Protection Rune"].id
    plain = [card for card in hand if CARDS[card].penalty and not CARDS[card].bonus]
    assert best_worth([*plain, rune]) > best_worth(plain) or not plain


@limit_examples(40)
@given(hands)
def test_the_best_choice_is_no_worse_than_none(hand: list[int]) -> None:
    """Scoring: every choice is optional."""
    found = best_score(hand)
    assert found.total >= score_with_choices(hand).total
    assert score_with_choices(hand, found.choices).total == found.total == sum(card.points for card in found.cards)


@limit_examples(40)
@given(hands, st.lists(st.sampled_from(ALL), max_size=10, unique=True))
def test_an_eighth_card_is_taken_only_if_it_helps(hand: list[int], discard: list[int]) -> None:
    """S8: more cards to take from are never worse, and what is taken fits."""
    discard = [card for card in discard if card not in hand]
    found = best_score(hand, discard)
    assert found.total >= best_worth(hand)
    if found.choices.eighth is not None:
        assert found.total > best_worth(hand)
        assert CARDS[found.choices.eighth].suit in {"Army", "Leader", "Wizard", "Beast"}


@pytest.mark.long
def test_every_sentence_of_a_card_says_something() -> None:
    """Every card is explained: its points, and the cards that blanked or cleared it."""
    rng = Random("sentences")
    for _ in range(100):
        found = best_score(rng.sample(ALL, 8))
        for card in found.cards:
            assert card.sentence.endswith(".")
            assert card.blanked == ("blanked" in card.sentence.lower()), card
            assert all(CARDS[other].name in card.sentence for other in card.cleared_by), card
            if len(card.blanked_by) and card.blanked_by != (card.card,):
                assert all(CARDS[other].name in card.sentence for other in card.blanked_by), card


def test_cards_that_depend_on_each_other_are_explained() -> None:
    """S6: Smoke needs the Flame that War Dirigible has become, which must not meet Smoke."""
    hand = ids("Smoke, War Dirigible, Knights, Book of Changes")
    found = score_with_choices(hand, Choices(book=(BY_NAME["War Dirigible"].id, "Flame")))
    assert found.total == 12 + 3
    assert found.cards[1].sentence.endswith("blanked in a ring of cards that wait for each other.")


def test_many_hands_are_scored_at_once() -> None:
    rng = Random("at once")
    many = [rng.sample(ALL, 7) for _ in range(5)]
    out = to_kernel_array([0] * 5)
    best_totals(card_arrays(), to_kernel_array([card for hand in many for card in hand]), 7, new_workspace(), out)
    assert list(out) == [best_worth(hand) for hand in many]


def test_any_nine_cards_have_room_in_a_signature() -> None:
    """A signature has a bit for each selector; no hand of nine cards has more."""
    table = card_arrays()
    lines = [
        sum(
            table[LINE + line * COLUMNS + column] >= 0
            for line in range(*table[LINES_OF + card : LINES_OF + card + 2])
            for column in SELECTOR_COLUMNS
        )
        for card in ALL
    ]
    assert len(CARDS) < NAME_COUNT
    assert sum(sorted(lines)[-9:]) + max(lines) <= MAX_SLOTS


# ---- what cannot be chosen


@pytest.mark.parametrize(
    ("hand", "choices", "word"),
    [
        (["Mirage", "King"], {"King": "Queen"}, "cannot become another"),
        (["Mirage", "King"], {"Shapeshifter": "Queen"}, "not in the hand"),
        (["Book of Changes", "King"], {"Book of Changes": ["Book of Changes", "Army"]}, "another card"),
        (["Smoke", "King"], {"Book of Changes": ["King", "Army"]}, "another card"),
    ],
)
def test_choices_that_no_text_can_name_are_refused(hand: list[str], choices: dict[str, Any], word: str) -> None:
    with pytest.raises(BadInput, match=word):
        score_with_choices(ids(*hand), choices_from_json(choices))
