"""Gem of Order counts every run, also of repeated strengths, and finds the best partition (S7)."""

from __future__ import annotations

from itertools import combinations_with_replacement
from random import Random

import pytest

from realmtable.games.fantasy_realms.cards import BY_NAME, CARDS
from realmtable.games.fantasy_realms.options import FantasyOptions
from realmtable.games.fantasy_realms.scoring.card_arrays import (
    COLUMNS,
    LINE,
    LINES_OF,
    NAME_COUNT,
    REWARD,
    REWARDS,
    ScoringRules,
    card_arrays,
)
from realmtable.games.fantasy_realms.scoring.explain import find_runs as told_runs
from realmtable.games.fantasy_realms.scoring.hand_text import Choices
from realmtable.games.fantasy_realms.scoring.score import best_score, score_with_choices
from realmtable.games.fantasy_realms.scoring.total import score_runs
from realmtable.games.fantasy_realms.scoring.workspace import STRENGTH, new_workspace
from tests.fantasy_realms import twin_scoring as twin
from tests.fantasy_realms.helpers import ids
from tests.fantasy_realms.twin_runs import reward, run_points

GEM, DOUBLE = BY_NAME["Gem of Order"].id, BY_NAME["Doppelgänger"].id
# Cards of strengths that several cards have, without those that choose much.
LOW = [
    card.id
    for card in CARDS
    if card.strength < 10 and card.id != GEM and card.name not in {"Mirage", "Shapeshifter", "Book of Changes"}
]
EXAMPLE = ["Elven Longbow", "Shield of Keth", "Gem of Order", "Warhorse", "Fire Elemental", "Enchantress", "Cavern"]


def kernel_points(strengths: tuple[int, ...], *, every_run: bool) -> int:
    """What the kernel gives for unblanked cards of these strengths."""
    table, workspace = card_arrays(ScoringRules(multi_runs=every_run)), new_workspace()
    for place, strength in enumerate(strengths):
        workspace[STRENGTH + place] = strength
    rewards = REWARD + NAME_COUNT * table[LINE + COLUMNS * table[LINES_OF + GEM] + REWARDS]
    return int(score_runs(table, workspace, len(strengths), (1 << len(strengths)) - 1, rewards))


def compare_all(size: int, highest: int) -> None:
    """Compare the kernel with every partition, for all strengths from 0 to the highest."""
    for strengths in combinations_with_replacement(range(highest + 1), size):
        for every_run in (True, False):
            found = kernel_points(strengths, every_run=every_run)
            assert found == run_points(strengths, every_run=every_run), strengths
        assert sum(reward(tuple(range(low, high + 1))) for low, high in told_runs(strengths)) == run_points(
            strengths, every_run=True
        )


def random_low_hand(rng: Random) -> list[int]:
    """Gem of Order with cards whose strengths often repeat."""
    hand = [GEM, *rng.sample(LOW, rng.choice([5, 6, 6, 7]))]
    return rng.sample(hand, len(hand))


# ---- the clause


@pytest.mark.parametrize(
    ("strengths", "points"),
    [
        ((3, 4, 5, 6, 4, 5, 6), 30 + 10),  # the hand
        ((1, 2, 3, 3, 4, 5), 60),  # a long run rather than two short ones
        ((1, 2, 3, 1, 2, 3), 10 + 10),
        ((1, 2, 3, 1, 2, 3, 1, 2, 3), 3 * 10),
        ((1, 2, 3, 4, 4, 5, 6, 7), 150),
        ((2, 2, 3, 3, 4, 5, 5), 30),
        ((0, 1, 2, 3, 4, 5, 6, 7), 150),
    ],
)
def test_every_run_counts_also_over_the_same_strengths(strengths: tuple[int, ...], points: int) -> None:
    """S7: each card in one run, the runs so that they give most."""
    assert kernel_points(strengths, every_run=True) == run_points(strengths, every_run=True) == points


@pytest.mark.long
@pytest.mark.parametrize("size", range(1, 8))
def test_no_partition_of_up_to_seven_cards_gives_more(size: int) -> None:
    compare_all(size, 6)


@pytest.mark.slow
@pytest.mark.parametrize("size", [8, 9])
def test_no_partition_of_up_to_nine_cards_gives_more(size: int) -> None:
    compare_all(size, 8)


# ---- whole hands
def test_s2_s6_s7_hands_of_repeated_strengths_against_the_twin() -> None:
    """S2, S6, S7: a Doppelgänger among them repeats one more, and blanked cards are in no run."""
    rng = Random("runs")
    several = 0
    for _ in range(300):
        hand, every_run = random_low_hand(rng), rng.random() < 0.8
        names = [CARDS[card].name for card in hand]
        model = rng.choice([card for card in hand if card != DOUBLE]) if DOUBLE in hand else None
        theirs = twin.score(
            names,
            twin.Choices(None if model is None else CARDS[model].name),
            {**twin.SCORING_OPTIONS, "multi_runs": every_run},
        )
        copies = () if model is None else ((DOUBLE, model),)
        ours = score_with_choices(hand, Choices(copies=copies), FantasyOptions(multi_runs=every_run))
        assert {CARDS[card.card].name: card.points for card in ours.cards} == theirs.per_card, names
        several += " and " in next(card.sentence for card in ours.cards if card.card == GEM)
    assert several > 5


def test_gem_of_order_counts_both_runs() -> None:
    assert best_score(ids(*EXAMPLE)).total == 97


# ---- explanations


@pytest.mark.parametrize(
    ("every_run", "words"),
    [(True, "Strength 5; +40 for the runs 3 to 6 and 4 to 6."), (False, "Strength 5; +30 for the run 3 to 6.")],
)
def test_the_sentence_names_the_runs_that_count(every_run: bool, words: str) -> None:
    found = best_score(ids(*EXAMPLE), options=FantasyOptions(multi_runs=every_run))
    assert found.cards[2].sentence == words


@pytest.mark.parametrize(
    ("every_set", "words"),
    [(True, "Strength 7; +50 for 4 Beast and 3 Wizard cards."), (False, "Strength 7; +40 for 4 Beast cards.")],
)
def test_the_sentence_names_the_suits_that_count(every_set: bool, words: str) -> None:
    hand = ["Collector", "Beastmaster", "Enchantress", "Unicorn", "Warhorse", "Dragon", "Hydra"]
    found = best_score(ids(*hand), options=FantasyOptions(multi_sets=every_set))
    assert found.cards[0].sentence == words
