"""Rules for several seats with chance: random games and expected shares."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest

from realmtable.kit.evaluation import expected_shares
from realmtable.kit.playouts import PLAYOUT_SOURCE, PlayoutNumbers, run_kernel
from realmtable.kit.rules import SearchParameters
from realmtable.kit.specialise import specialise
from tests.toys.share_tree import TREE, make_position, make_rules

RULES = make_rules(TREE, "share_tree_playouts")
GAMES = 3000
CHANCE_SOURCE = PLAYOUT_SOURCE.with_name("chance_kernels.py")


@pytest.fixture(scope="module")
def numbers() -> PlayoutNumbers:
    kernels = specialise(PLAYOUT_SOURCE, "realmtable.kit", RULES)
    return run_kernel(kernels.play_many, make_position(TREE, 1), range(GAMES), ("", "drawn"))


def test_random_games_draw_results_by_weight(numbers: PlayoutNumbers) -> None:
    assert numbers.games == numbers.winners.total() == GAMES
    assert set(numbers.winners) == {"0", "2"}
    assert numbers.winners["0"] / GAMES == pytest.approx(0.4, abs=0.04)


def test_results_of_chance_are_steps_but_no_choices(numbers: PlayoutNumbers) -> None:
    assert (numbers.steps, numbers.choices) == (GAMES, 0)


def test_without_weights_all_results_are_equally_likely_and_chance_never_acts() -> None:
    plain = specialise(CHANCE_SOURCE, "realmtable.kit", RULES._replace(chance_weight=None, game_id="without_chance"))
    position = make_position(TREE, 1)
    assert not plain.is_chance_acting(position)
    stream, results = np.array([5], dtype=np.uint64), np.array([3, 4, 6])
    drawn = [plain.pick_result(position, stream, results, 3) for _ in range(300)]
    assert set(drawn) == {3, 4, 6}
    assert all(drawn.count(step) == pytest.approx(100, abs=30) for step in (3, 4, 6))


def test_shared_wins_count_as_drawn() -> None:
    kernels = specialise(PLAYOUT_SOURCE, "realmtable.kit", RULES)
    numbers = run_kernel(kernels.play_many, make_position(TREE, 2), range(60), ("", "drawn"))
    assert set(numbers.winners) == {"2", "draw"}
    assert (numbers.steps, numbers.choices) == (60, 120)


def test_shares_are_expected_by_features_and_known_at_the_end() -> None:
    assert expected_shares(RULES, make_position(TREE, 7)) == (0.5, 0.5, 0.0)
    ann, bob, cid = expected_shares(RULES, make_position(TREE, 3))
    assert ann == pytest.approx(exp(4.0) / (exp(4.0) + 2.0))
    assert bob == cid == pytest.approx((1.0 - ann) / 2.0)


def test_rules_know_whether_they_are_for_several_seats() -> None:
    assert RULES.has_several_seats
    assert not RULES._replace(seats_entry=None).has_several_seats
    parameters = SearchParameters(samples=5, results=0.25, paranoid=True, own_turn=True)
    assert parameters.settings(0)[8:] == [5.0, 0.25, 1.0, 1.0, 0.0]
