"""Draws depend only on the seed, and outcomes are as frequent as their weights say."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from realmtable.engine.chance import commitment, draw, matches_commitment
from tests.conformance.random_games import limit_examples

DRAWS = 3000


@pytest.mark.parametrize("weights", [[1, 1], [1, 1, 1, 1, 1, 1], [5, 1], [1, 0, 3]], ids=str)
def test_outcomes_come_as_often_as_their_weight(weights: list[int]) -> None:
    """This is a chi-squared test at a level of about 0.1%."""
    counts = Counter(draw("a seed", index, weights) for index in range(DRAWS))
    expected = {outcome: DRAWS * weight / sum(weights) for outcome, weight in enumerate(weights) if weight}
    assert set(counts) == set(expected)
    assert sum((counts[outcome] - mean) ** 2 / mean for outcome, mean in expected.items()) < 20


def test_a_draw_says_nothing_about_the_next() -> None:
    pairs = Counter((draw("s", index, [1, 1]), draw("s", index + 1, [1, 1])) for index in range(DRAWS))
    assert all(abs(count - DRAWS / 4) < 120 for count in pairs.values())
    assert len(pairs) == 4


def test_seeds_and_indices_give_other_draws() -> None:
    many = [1] * 1000
    assert len({draw("s", index, many) for index in range(50)}) > 40
    assert len({draw(f"s{number}", 0, many) for number in range(50)}) > 40
    assert draw("1", 12, many) != draw("11", 2, many)


@limit_examples(60)
@given(st.text(max_size=20).filter(lambda text: text.isprintable()), st.integers(0, 10**6), st.integers(1, 2**200))
def test_the_same_draw_again_and_in_bounds(seed: str, index: int, limit: int) -> None:
    weights = [limit, 0, limit]
    assert draw(seed, index, weights) == draw(seed, index, weights)
    assert draw(seed, index, weights) in (0, 2)


def test_hashes_beyond_the_last_multiple_are_drawn_again() -> None:
    """The weights sum to three quarters of all hashes: kept, the last quarter would fall on the first outcome again.

    Then both outcomes would come equally often; the weights say one in three.
    """
    counts = Counter(draw("s", index, [2**254, 2**255]) for index in range(DRAWS))
    assert abs(counts[0] - DRAWS / 3) < 120


def test_a_draw_follows_from_the_first_hash_that_fits() -> None:
    """Anyone can repeat the draws with SHA-256 alone, including the rejected tries."""
    limit = 2**254 + 2**255
    tries = []
    for index in range(40):
        value, attempt = limit, -1
        while value >= limit:
            attempt += 1
            label = f"realmtable draw {index} of s, try {attempt}"
            value = int.from_bytes(hashlib.sha256(label.encode()).digest(), "big")
        assert draw("s", index, [2**254, 2**255]) == (value >= 2**254)
        tries.append(attempt)
    assert max(tries) > 0, "some first hash was thrown away"


@pytest.mark.parametrize("weights", [[], [0], [0, 0], [-1], [2, -1], [-1, 2], [-1, 1]], ids=str)
def test_weights_that_mean_nothing_are_refused(weights: list[int]) -> None:
    with pytest.raises(ValueError, match=r"^weights must be non-negative integers with a positive sum$"):
        draw("s", 0, weights)


@pytest.mark.parametrize("seed", ["", "7", "ein Stück Zufall", "x" * 200])
def test_a_commitment_binds(seed: str) -> None:
    promised = commitment(seed)
    assert len(promised) == 64
    assert matches_commitment(seed, promised)
    assert matches_commitment(seed, promised.upper())
    assert not matches_commitment(seed + " ", promised)


@pytest.mark.parametrize("promised", ["", "abc", "é", "²" * 64], ids=ascii)
def test_another_promise_is_not_kept(promised: str) -> None:
    assert not matches_commitment("7", promised)
