"""Policies are evaluated from every seat, with intervals that contain the true score."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from realmtable import rl
from realmtable.engine.errors import BadInput
from realmtable.lab.match_statistics import Interval
from realmtable.rl.evaluate import Evaluation

RNG = np.random.default_rng(3)


def choose_randomly(observed: dict[str, Any]) -> int:
    return int(RNG.choice(np.flatnonzero(observed["action_mask"])))


@pytest.mark.long
def test_a_random_policy_is_as_strong_as_the_random_bot() -> None:
    [found] = rl.evaluate_policy(choose_randomly, "classic_realm", opponents=["level1"], rounds=8)
    assert (found.opponent, found.games, found.unfinished) == ("level1", 16, 0)
    assert found.interval.low < 0.5 < found.interval.high
    assert found.interval.low <= found.score <= found.interval.high
    assert str(found).startswith(f"level1: {found.score:.1%} [")


def test_a_policy_is_asked_in_every_seat() -> None:
    seats = set()

    def choose(observed: dict[str, Any]) -> int:
        seats.add(float(observed["observation"][4, 0, 0]))  # the plane that tells the seat
        return choose_randomly(observed)

    rl.evaluate_policy(choose, "classic_realm", opponents=["level1"], rounds=1)
    assert seats == {0.0, 1.0}


def test_games_that_are_cut_off_count_as_draws() -> None:
    [found] = rl.evaluate_policy(choose_randomly, "classic_realm", opponents=["level1"], rounds=2, max_steps=3)
    assert (found.score, found.unfinished, found.elo) == (0.5, 4, 0.0)


def test_several_seats_are_evaluated_by_their_places() -> None:
    [found] = rl.evaluate_policy(choose_randomly, "fantasy_realms", opponents=["level1"], rounds=1, seats=3)
    assert found.games == 3
    assert 0 <= found.interval.low < found.interval.high <= 1


def test_the_same_seed_gives_the_same_result() -> None:
    def choose_first(observed: dict[str, Any]) -> int:
        return int(np.flatnonzero(observed["action_mask"])[0])

    first, second = (
        rl.evaluate_policy(choose_first, "medieval_realm", opponents=["level1"], rounds=2, seed=5) for _ in range(2)
    )
    assert first == second


def test_elo_follows_from_the_score() -> None:
    found = Evaluation("level1", 10, 0.75, Interval(0.5, 0.9))
    assert math.isclose(found.elo, 190.85, abs_tol=0.01)


def test_impossible_evaluations_are_refused() -> None:
    with pytest.raises(BadInput, match="no opponents"):
        rl.evaluate_policy(choose_randomly, "magic_realm", seats=1)
    with pytest.raises(BadInput, match="at least 1 round, not 0"):
        rl.evaluate_policy(choose_randomly, "classic_realm", rounds=0)
