from itertools import combinations
from pathlib import Path

import pytest

from bench.fantasy_hand_search import (
    EIGHT,
    NECROMANCER,
    SEVEN,
    HandSearch,
    HandSet,
    eighth_cards,
    load_progress,
    save_progress,
)
from realmtable.games.fantasy_realms.cards import BY_NAME, CARDS
from realmtable.games.fantasy_realms.scoring.score import best_worth

NAMES = ["Gem of Order", "Collector", "King", "Queen", "Knights", "Elven Archers", "Rangers", "Warlord", "Mountain"]
DECK = tuple(BY_NAME[name].id for name in NAMES)
SEARCHES = {
    "small": HandSet("small", 5, deck=DECK, least=120),
    "fixed": HandSet("fixed", 4, DECK[:1], DECK[4:6], 60, DECK),
}


def brute_force(part: HandSet) -> list[tuple[int, tuple[int, ...]]]:
    """Find the same hands by scoring everything."""
    hands = (
        tuple(sorted((*part.fixed, *cards)))
        for cards in combinations(part.free_cards(), part.size - len(part.fixed))
        if not part.wanted or set(cards) & set(part.wanted)
    )
    found = [(best_worth(hand), hand) for hand in hands]
    return sorted((entry for entry in found if entry[0] >= part.least), key=lambda entry: (-entry[0], entry[1]))


def run_search(part: HandSet, steps: int = 10_000) -> HandSearch:
    walk = HandSearch(part)
    while not walk.is_over:
        walk.run_steps(steps)
    return walk


@pytest.mark.parametrize("name", SEARCHES)
def test_a_walk_finds_all_that_scoring_everything_finds(name: str) -> None:
    expected = brute_force(SEARCHES[name])
    assert 3 < len(expected) < SEARCHES[name].count_hands() / 2
    assert run_search(SEARCHES[name]).ranking() == expected


def test_the_best_hands_are_found_again_with_choices_in_them() -> None:
    names = ["Bell Tower", "Candle", "Warhorse", "Sword of Keth", "Shield of Keth", "Gem of Order", "Swamp"]
    held = tuple(BY_NAME[name].id for name in ("Book of Changes", "Necromancer"))
    part = HandSet("book", 8, held, eighth_cards(), 380, (*held, *(BY_NAME[name].id for name in names)))
    ((total, cards),) = run_search(part).ranking()
    assert total == 397
    assert BY_NAME["Swamp"].id not in cards


@pytest.mark.parametrize("least", [0, 250])
def test_a_walk_counts_every_hand_once(least: int) -> None:
    walk, seen = HandSearch(SEARCHES["small"]._replace(least=least)), [0]
    while not walk.is_over:
        walk.run_steps(1)
        seen.append(walk.hands_done)
    assert seen == sorted(set(seen))
    assert seen[-1] == 126
    passed_over = len(seen) < 127  # hands with the same first cards are skipped together
    assert passed_over == (least > 0)


def test_a_search_resumes_where_it_was_saved(tmp_path: Path) -> None:
    part, path = SEARCHES["small"], tmp_path / "deep" / "state.json"
    first = HandSearch(part)
    first.run_steps(40)
    save_progress(path, [first])
    second = HandSearch(part)
    assert load_progress(path, [second])
    assert (second.hands_done, second.best) == (first.hands_done, first.best)
    while not second.is_over:
        second.run_steps(7)
    assert second.ranking() == run_search(part).ranking()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"digest": "older"}'])
def test_a_file_that_does_not_fit_is_not_gone_on_with(tmp_path: Path, text: str) -> None:
    path = tmp_path / "state.json"
    assert not load_progress(path, [HandSearch(SEARCHES["small"])])
    path.write_text(text, encoding="utf-8")
    assert not load_progress(path, [HandSearch(SEARCHES["small"])])


def test_results_of_other_parts_are_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    save_progress(path, [HandSearch(SEARCHES["small"])])
    assert not load_progress(path, [HandSearch(SEARCHES["small"]._replace(least=121))])


def test_all_hands_are_walked_over() -> None:
    assert (SEVEN.count_hands(), EIGHT.count_hands()) == (154_143_080, 133_784_560)
    assert {CARDS[card].suit for card in eighth_cards()} == {"Army", "Leader", "Wizard", "Beast"}
    assert NECROMANCER not in eighth_cards()
    assert len(eighth_cards()) == 19
