"""The slow twin against what is known: the worked cases of the rulings and 300 hands with their best scores."""

from __future__ import annotations

import json
import tomllib
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.fantasy_realms.twin_cards import BOOK, DOPPELGANGER, ISLAND, MIRAGE, SHAPESHIFTER
from tests.fantasy_realms.twin_scoring import NOTHING, SCORING_OPTIONS, Choices, all_choices, best, score

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
    return sum(card in known["hand"] for card in (DOPPELGANGER, MIRAGE, SHAPESHIFTER, BOOK)) < 2


def check_hand(known: dict[str, Any]) -> None:
    hand = known["hand"]
    assert best(hand) == known["best_score"], hand
    for reading, value in known.get("variant_scores", {}).items():
        name, _, text = reading.partition("=")
        assert text == str(OTHER_READINGS[name])
        assert best(hand, None, {**SCORING_OPTIONS, name: OTHER_READINGS[name]}) == value, (hand, reading)
    if "discard" in known:
        assert best(hand, known["discard"]) == known["best_score_with_necromancer"], hand


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


@pytest.mark.long
def test_the_known_choices_are_among_all_choices() -> None:
    for known in filter(is_quick_to_score, HANDS):
        assert hand_choices(known) in all_choices(known["hand"]), known["hand"]


@pytest.mark.long
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
