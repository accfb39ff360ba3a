"""Playout numbers add up, and games with playouts are recognised."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from realmtable.kit.playouts import HasPlayouts, PlayoutNumbers


class Coin:
    """The smallest game with playouts."""

    def playouts(self, state: object, seeds: Sequence[int]) -> PlayoutNumbers:
        winners = Counter(str(seed % 2) for seed in seeds)
        return PlayoutNumbers(
            len(seeds), len(seeds), len(seeds), 2 * len(seeds), winners, Counter({str(state): len(seeds)})
        )


def test_runs_are_added() -> None:
    total = PlayoutNumbers()
    total.add(Coin().playouts("tossed", [1, 2, 3]))
    total.add(Coin().playouts("lost", [4]))
    assert total == PlayoutNumbers(4, 4, 4, 8, Counter({"1": 2, "0": 2}), Counter({"tossed": 3, "lost": 1}))


def test_a_fresh_run_is_empty_and_its_own() -> None:
    first, second = PlayoutNumbers(), PlayoutNumbers()
    first.winners["0"] += 1
    assert (second.winners, second.games) == (Counter(), 0)


def test_a_game_with_playouts_is_known_by_them() -> None:
    assert isinstance(Coin(), HasPlayouts)
    assert not isinstance(object(), HasPlayouts)
