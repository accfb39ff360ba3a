"""The slow twin against what is known: the worked cases of the rulings and 300 hands with their best scores."""

from __future__ import annotations

import json
import tomllib
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.fantasy_realms.twin_cards import (
    ALIASES,
    BOOK,
    CARDS,
    DOPPELGANGER,
    ISLAND,
    MIRAGE,
    NECROMANCER,
    SHAPESHIFTER,
    SUITS,
    WILD,
)
from tests.fantasy_realms.twin_scoring import (
    NOTHING,
    SCORING_OPTIONS,
    Choices,
    all_choices,
    best,
    choosers,
    eighths,
    quick_bests,
    score,
)

DATA = Path(__file__).parent / "data"
CASES: list[dict[str, Any]] = tomllib.loads((DATA / "cases.toml").read_text(encoding="utf-8"))["case"]
HANDS: list[dict[str, Any]] = json.loads((DATA / "hands.json").read_text(encoding="utf-8"))
LAST_RULING = 48  # the number of the last case that is of the rulings; those after it are ours
# Every other reading of the rulings, one at a time.
OTHER_READINGS: dict[str, bool | str] = {
    "self_counts": False,
    "ring": "together",
    "multi_runs": False,
    "multi_sets": False,
    "dirigible_army_word": False,
    "book_to_wild": True,
    "wild_is_suit": False,
    "wildfire_blanks_wild": False,
    "forest_once_per_card": False,
    "tie_break": "printed",
}


def case_choices(case: dict[str, Any]) -> Choices:
    chosen = dict(case.get("choices", {}))
    if "book" in chosen:
        chosen["book"] = tuple(chosen["book"])
    return Choices(**chosen)


def hand_choices(known: dict[str, Any]) -> Choices:
    chosen = known["choices"]
    book = tuple(chosen[BOOK]) if BOOK in chosen else None
    wilds = Choices(chosen.get(DOPPELGANGER), chosen.get(MIRAGE), chosen.get(SHAPESHIFTER))
    return wilds._replace(book=book, island=chosen.get(ISLAND))


def is_quick_to_score(known: dict[str, Any]) -> bool:
    """Whether all choices are tried in a moment: two cards that have many make thousands."""
    return choosers(known["hand"]) < 2


def check_hand(known: dict[str, Any]) -> None:
    hand = known["hand"]
    assert best(hand) == known["best_score"], hand
    for reading, value in known.get("variant_scores", {}).items():
        name, _, text = reading.partition("=")
        assert text == str(OTHER_READINGS[name])
        assert best(hand, None, {**SCORING_OPTIONS, name: OTHER_READINGS[name]}) == value, (hand, reading)
    if "discard" in known:
        assert best(hand, known["discard"]) == known["best_score_with_necromancer"], hand


def test_there_are_five_cards_of_each_suit_and_three_wilds() -> None:
    held = [card.suit for card in CARDS.values()]
    assert {suit: held.count(suit) for suit in (*SUITS, WILD)} == {**dict.fromkeys(SUITS, 5), WILD: 3}
    assert set(ALIASES.values()) <= set(CARDS)
    assert not set(ALIASES) & set(CARDS)


def test_every_word_on_a_card_is_a_suit_or_a_card() -> None:
    words: set[str] = set()
    for card in CARDS.values():
        penalty = card.penalty
        lines = [*card.bonus, *(penalty.lines if penalty else ())]
        words |= {word for line in lines for group in (line.each, line.others, *line.needs) for word in group}
        words |= {line.lacks for line in lines} | set(card.clears) | set(card.strikes)
        if penalty:
            words |= {word for pair in penalty.blanks for word in pair} | {penalty.unless, penalty.if_held}
            words |= {*penalty.blanks_others, *penalty.blanks_all_but}
    assert words - {""} <= {*SUITS, WILD, *CARDS}


def test_there_are_35_cases_of_the_rulings_and_300_hands() -> None:
    assert len(CASES) == len({case["number"] for case in CASES})
    assert sum(case["number"] <= LAST_RULING for case in CASES) == 35
    assert len(HANDS) == len({frozenset(known["hand"]) for known in HANDS}) == 300
    assert sum("variant_scores" in known for known in HANDS) == 5
    assert sum("discard" in known for known in HANDS) == 40


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["number"]))
def test_a_worked_case_gets_its_score(case: dict[str, Any]) -> None:
    choices, options = case_choices(case), SCORING_OPTIONS | case.get("options", {})
    assert choices in all_choices(case["hand"], options)
    assert score(case["hand"], choices, options).total == case["score"], case["why"]
    without = score(case["hand"], choices, options | {"self_counts": False}).total
    assert without == case.get("score_without_self_counts", case["score"])


def test_each_known_hand_gets_its_points_per_card_under_the_known_choices() -> None:
    for known in HANDS:
        scored = score(known["hand"], hand_choices(known))
        assert (scored.total, scored.per_card) == (known["best_score"], known["per_card"])


def test_the_known_choices_are_among_all_choices() -> None:
    for known in filter(is_quick_to_score, HANDS):
        assert hand_choices(known) in all_choices(known["hand"]), known["hand"]


def test_the_best_choice_for_a_known_hand_gives_its_score() -> None:
    quick = [known for known in HANDS if is_quick_to_score(known) or "variant_scores" in known]
    assert len(quick) > 250
    for known in quick:
        check_hand(known)


@pytest.mark.slow
def test_the_best_choice_for_a_known_hand_with_many_choices_gives_its_score() -> None:
    for known in HANDS:
        if not is_quick_to_score(known):
            check_hand(known)


@pytest.mark.slow
@pytest.mark.parametrize("name", OTHER_READINGS)
def test_another_reading_changes_no_known_hand_but_those_that_say_so(name: str) -> None:
    options = {**SCORING_OPTIONS, name: OTHER_READINGS[name]}
    for known in filter(is_quick_to_score, HANDS):
        expected = known.get("variant_scores", {}).get(f"{name}={OTHER_READINGS[name]}", known["best_score"])
        assert best(known["hand"], None, options) == expected, known["hand"]


def test_the_order_of_the_cards_does_not_matter() -> None:
    rng = Random(6)
    for known in HANDS[:100]:
        shuffled = rng.sample(known["hand"], k=7)
        assert score(shuffled, hand_choices(known)).per_card == known["per_card"]


def test_all_choices_are_as_many_as_the_cards_allow() -> None:
    rest = ["King", "Queen", "Princess"]
    assert list(all_choices(rest)) == [NOTHING]
    assert len(list(all_choices([DOPPELGANGER, *rest]))) == 1 + 3
    assert len(list(all_choices([MIRAGE, SHAPESHIFTER, *rest]))) == 26 * 26
    assert len(list(all_choices([BOOK, *rest]))) == 1 + 3 * 9
    assert len(list(all_choices([BOOK, MIRAGE]))) == (1 + 10) + 25 * (1 + 9)
    assert len(list(all_choices([BOOK, MIRAGE], SCORING_OPTIONS | {"book_to_wild": True}))) == (1 + 10) + 25 * (1 + 10)
    assert len(list(all_choices([ISLAND, "Candle", *rest]))) == 1 + 2


def test_all_choices_are_different() -> None:
    for hand in combinations([DOPPELGANGER, MIRAGE, BOOK, ISLAND, "Candle"], 4):
        found = list(all_choices(hand))
        assert len(found) == len(set(found))


def test_many_hands_are_quickly_compared_without_those_of_many_choosers() -> None:
    hands = [["King", "Queen"], [MIRAGE, BOOK], [MIRAGE, SHAPESHIFTER, BOOK]]
    assert [choosers(hand) for hand in hands] == [0, 2, 3]
    assert list(quick_bests(hands)) == [(hand, best(hand)) for hand in hands[:2]]
    assert list(quick_bests(hands, 0)) == [(hands[0], 14)]


def test_the_necromancer_adds_only_armies_leaders_wizards_and_beasts() -> None:
    discard = ["Knights", "King", "Collector", "Hydra", "Candle", "Forest", MIRAGE, BOOK]
    assert eighths([NECROMANCER], discard) == [None, "Knights", "King", "Collector", "Hydra"]
    assert eighths([NECROMANCER], None) == eighths(["King"], discard) == [None]


def points_of(card: str, hand: list[str], choices: Choices = NOTHING, **options: bool | str) -> int:
    return score(hand, choices, {**SCORING_OPTIONS, **options}).per_card[card]


def total_of(hand: list[str], choices: Choices = NOTHING, **options: bool | str) -> int:
    return score(hand, choices, {**SCORING_OPTIONS, **options}).total


def test_a_ring_blanks_others_only_when_it_acts_together() -> None:
    hand = ["Basilisk", DOPPELGANGER, "King"]
    assert total_of(hand, Choices("Basilisk")) == 8
    assert total_of(hand, Choices("Basilisk"), ring="together") == 0


def test_a_card_is_decided_before_the_ring_that_it_would_be_in() -> None:
    for ring in ("inert", "together"):
        for case in CASES:
            if case["number"] > LAST_RULING:
                options = {**case.get("options", {}), "ring": ring}
                assert total_of(case["hand"], case_choices(case), **options) == case["score"], (case["why"], ring)


def test_a_card_that_threatens_itself_is_a_ring_alone_when_nothing_else_decides_it() -> None:
    hand = ["Great Flood", "Knights", BOOK]
    choices = Choices(book=("Great Flood", "Flame"))
    assert total_of(hand, choices) == 12 + 3
    assert total_of(hand, choices, ring="together") == 3
    assert score(hand, choices, SCORING_OPTIONS | {"self_counts": False}).blanked == {"Knights"}


def test_cards_that_only_their_conditions_bind_to_each_other_are_a_ring_too() -> None:
    hand = ["Smoke", "War Dirigible", "Knights", BOOK]
    choices = Choices(book=("War Dirigible", "Flame"))
    assert score(hand, choices).blanked == {"Smoke", "War Dirigible"}


def test_a_ring_that_awaits_another_is_blanked_after_it() -> None:
    # Blizzard and Great Flood are a ring that awaits the ring of the two Basilisks, for Blizzard is an Army.
    hand = ["Basilisk", DOPPELGANGER, "Great Flood", "Blizzard", BOOK]
    choices = Choices("Basilisk", book=("Blizzard", "Army"))
    assert total_of(hand, choices) == 3
    assert total_of(hand, choices, ring="together") == 32 + 3


def test_several_runs_count_or_the_best_one() -> None:
    hand = ["Gem of Order", "Shield of Keth", "Necromancer", "Warhorse", "Mountain", "Elven Archers", "Lightning"]
    assert points_of("Gem of Order", hand) == 5 + 30 + 10
    assert points_of("Gem of Order", hand, multi_runs=False) == 5 + 30


def test_several_suits_count_or_the_best_one() -> None:
    hand = ["Collector", "Beastmaster", "Enchantress", "Unicorn", "Warhorse", "Dragon", "Hydra"]
    assert points_of("Collector", hand) == 7 + 10 + 40
    assert points_of("Collector", hand, multi_sets=False) == 7 + 40


def test_rangers_lift_the_need_of_an_army_unless_the_option_is_off() -> None:
    hand = ["War Dirigible", "Rangers", "Wildfire"]
    assert points_of("War Dirigible", hand) == 35
    assert points_of("War Dirigible", hand, dirigible_army_word=False) == 0


def test_unused_wilds_share_a_suit_unless_the_option_is_off() -> None:
    hand = ["World Tree", "Collector", MIRAGE, SHAPESHIFTER, DOPPELGANGER]
    assert (points_of("World Tree", hand), points_of("Collector", hand)) == (2, 17)
    assert points_of("World Tree", hand, wild_is_suit=False) == 52
    assert points_of("Collector", hand, wild_is_suit=False) == 7


def test_wildfire_blanks_unused_wilds_unless_the_option_is_off() -> None:
    hand = ["Wildfire", MIRAGE, "Gem of Order", "Magic Wand"]
    assert score(hand).blanked == {MIRAGE}
    assert not score(hand, NOTHING, SCORING_OPTIONS | {"wildfire_blanks_wild": False}).blanked


def test_archers_that_are_a_beast_count_once_for_forest_unless_the_option_is_off() -> None:
    hand = ["Forest", "Elven Archers", BOOK]
    choices = Choices(book=("Elven Archers", "Beast"))
    assert points_of("Forest", hand, choices) == 19
    assert points_of("Forest", hand, choices, forest_once_per_card=False) == 31


def test_a_card_spared_by_name_is_spared_only_in_the_suit_that_is_named() -> None:
    hand = ["Great Flood", "Lightning", BOOK]
    assert not score(hand).blanked
    assert score(hand, Choices(book=("Lightning", "Land"))).blanked == {"Lightning"}


def test_a_card_made_what_it_asks_for_meets_its_own_condition_if_cards_count_themselves() -> None:
    for card, suit, lives in (
        ("Smoke", "Flame", True),
        ("Warship", "Flood", True),
        ("War Dirigible", "Weather", False),
    ):
        hand = [card, BOOK, "Rangers"]
        choices = Choices(book=(card, suit))
        assert (card not in score(hand, choices).blanked) is lives
        off = score(hand, choices, SCORING_OPTIONS | {"self_counts": False})
        assert (card not in off.blanked) is not lives
