"""The bound is never below a hand's worth but still useful, and its assumptions about the cards hold."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.fantasy_bound import FULL_SET, line_bound_table, upper_bound
from realmtable.games.fantasy_realms.cards import BY_NAME, CARDS, SUITS, Card
from realmtable.games.fantasy_realms.effect_parser import ALL_SUITS, EffectLine, Selector, bonus_lines, card_power
from realmtable.games.fantasy_realms.scoring.best_choices import best_total
from realmtable.games.fantasy_realms.scoring.card_arrays import MIN_REWARDED, ScoringRules, card_arrays, to_kernel_array
from realmtable.games.fantasy_realms.scoring.workspace import new_workspace
from tests.conformance.random_games import limit_examples

ALL = range(len(CARDS))
CHOOSERS = [card.id for card in CARDS if card_power(card, "copy") or card_power(card, "change")]
LARGEST = 8
LINES: list[EffectLine] = [line for card in CARDS for line in bonus_lines(card)]


def worth(hand: list[int], reading: ScoringRules | None = None) -> int:
    return int(best_total(card_arrays(reading), to_kernel_array(hand), new_workspace()))


def most(hand: list[int], joining: int = 0, reading: ScoringRules | None = None) -> int:
    return int(upper_bound(card_arrays(reading), line_bound_table(reading), to_kernel_array(hand), joining))


def random_hand(rng: Random, choosers: int) -> list[int]:
    """Draw a hand with some cards that choose, since these make a bound difficult."""
    others = [card for card in ALL if card not in CHOOSERS]
    size = rng.choice([3, 5, 7, 7, 8])
    found = rng.sample(CHOOSERS, choosers) + rng.sample(others, size - min(size, choosers))
    return rng.sample(found, len(found))


def random_reading(rng: Random) -> ScoringRules:
    changes: dict[str, Any] = {
        name: not getattr(ScoringRules(), name)
        for name in ScoringRules.__dataclass_fields__
        if name != "ring" and rng.random() < 0.4
    }
    return ScoringRules(ring=rng.choice(["inert", "together"]), **changes)


def compare(rng: Random, choosers: int, reading: ScoringRules) -> None:
    hand = random_hand(rng, choosers)
    total = worth(hand, reading)
    assert most(hand, 0, reading) >= total, (hand, reading)
    cut = rng.randrange(len(hand))
    start, rest = hand[:cut], hand[cut:]
    alone = sum(most([card], len(hand) - 1, reading) for card in rest)
    assert most(start, len(rest), reading) + alone >= total, (start, rest, reading)


# ---- never too low


hands = st.lists(st.sampled_from([card for card in ALL if card not in CHOOSERS]), min_size=1, max_size=8, unique=True)


@limit_examples(150)
@given(hands)
def test_no_hand_without_choices_is_worth_more(hand: list[int]) -> None:
    assert most(hand) >= worth(hand)


def test_the_bound_knows_cards_that_count_twice() -> None:
    """S7: with `forest_once_per_card` off, Elven Archers made a Beast count twice for Forest."""
    reading = ScoringRules(forest_once_per_card=False)
    hand = [BY_NAME[name].id for name in ("Forest", "Elven Archers", "Book of Changes", "Swamp")]
    assert worth(hand, reading) > worth(hand)
    assert most(hand, 0, reading) >= worth(hand, reading)
    assert most(hand, 0, reading) > most(hand)


def test_no_choices_reach_beyond_the_bound() -> None:
    """S2 to S5: whole hands, and hands of which only a part is known."""
    rng = Random("bound")
    for choosers, number in ((0, 60), (1, 60), (2, 6)):
        for _ in range(number):
            compare(rng, choosers, ScoringRules())


def test_no_reading_of_the_rules_reaches_beyond_the_bound() -> None:
    rng = Random("readings")
    for reading in [random_reading(rng) for _ in range(4)]:
        for choosers in [0, 1] * 8:
            compare(rng, choosers, reading)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("choosers", range(5))
def test_no_choices_of_many_hands_reach_beyond_the_bound(choosers: int) -> None:
    rng = Random(f"many {choosers}")
    readings = [ScoringRules(), *(random_reading(rng) for _ in range(9))]
    for _ in range((20_000, 20_000, 10_000, 1500, 200)[choosers]):
        compare(rng, choosers, rng.choice(readings))


# ---- tight enough to be useful


def test_the_bound_is_exact_where_nothing_is_chosen_lost_or_asked_not_to_be_there() -> None:
    """The bound is exact for such hands."""
    plain = [card.id for card in CARDS if not card.penalty and card.id not in CHOOSERS]
    plain = [card for card in plain if card not in {BY_NAME["World Tree"].id, BY_NAME["Elven Archers"].id}]
    rng = Random("exact")
    for _ in range(100):
        hand = rng.sample(plain, 7)
        assert most(hand) == worth(hand), hand


def test_a_card_that_a_choice_can_name_counts() -> None:
    """The best known hand needs the Book, and the bound knows what the Book can do."""
    names = ["Bell Tower", "Candle", "Necromancer", "Warhorse", "Sword of Keth", "Shield of Keth", "Gem of Order"]
    seven = [BY_NAME[name].id for name in names]
    assert most(seven) == worth(seven) < 300
    assert 397 <= most([*seven, BY_NAME["Book of Changes"].id]) < 450


def test_more_may_come_of_a_hand_that_others_join() -> None:
    rng = Random("joined")
    for _ in range(50):
        hand = random_hand(rng, rng.randrange(3))
        assert most(hand) <= most(hand, 1) <= most(hand, 2)


# ---- its assumptions


def is_selected(selector: Selector, card: Card, suit: str) -> bool:
    return card.name in selector.names or selector.matches_suit(card.name, suit)


def test_no_line_gives_less_than_nothing() -> None:
    assert all(line.points >= 0 for line in LINES)
    assert all(card.strength >= 0 for card in CARDS)


def test_no_card_meets_two_things_that_one_line_asks_for() -> None:
    """A copy meets one requirement, and a new suit from the Book at most one more than before."""
    pairs = [pair for line in LINES for pair in combinations(line.held, 2)]
    assert len(pairs) > 5
    for one, two in pairs:
        for card in CARDS:
            before = {is_selected(one, card, card.suit), is_selected(two, card, card.suit)}
            assert before != {True}, card.name
            for suit in SUITS:
                after = is_selected(one, card, suit) + is_selected(two, card, suit)
                assert after <= sum([is_selected(one, card, card.suit), is_selected(two, card, card.suit)]) + 1


def reward_of(line: EffectLine, count: int) -> int:
    return 0 if count < MIN_REWARDED else line.rewards[min(count - MIN_REWARDED, len(line.rewards) - 1)]


def parts(total: int, largest: int) -> list[list[int]]:
    """Yield all partitions of a number, with descending parts."""
    if total == 0:
        return [[]]
    return [[part, *rest] for part in range(min(total, largest), 0, -1) for rest in parts(total - part, part)]


def test_a_longer_run_gives_at_least_what_its_parts_would() -> None:
    (line,) = [line for line in LINES if line.rewards and len(line.rewards) == 5]
    for size in range(1, LARGEST + 1):
        assert reward_of(line, size) >= reward_of(line, size - 1)
        for low in range(size):
            assert reward_of(line, size) >= reward_of(line, low) + reward_of(line, size - 1 - low)
        for cut in parts(size, size):
            for longest in range(cut[0], size + 1):
                most = reward_of(line, longest) + reward_of(line, size - longest)
                assert sum(reward_of(line, part) for part in cut) <= most


def test_full_sets_of_a_suit_are_the_best_that_cards_can_make() -> None:
    (line,) = [line for line in LINES if len(line.rewards) == 3]
    for size in range(1, LARGEST + 1):
        full, rest = divmod(size, FULL_SET)
        best = max(sum(reward_of(line, part) for part in cut) for cut in parts(size, size))
        assert best <= full * reward_of(line, FULL_SET) + reward_of(line, rest)


def test_mirage_and_shapeshifter_have_no_strength_and_share_no_suit() -> None:
    copiers = [card for card in CARDS if card_power(card, "copy") == "game"]
    assert [card.strength for card in copiers] == [0, 0]
    assert sorted(suit for card in copiers for suit in card_power(card, "suits")) == sorted(set(ALL_SUITS) & set(SUITS))
