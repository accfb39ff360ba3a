"""Rewards at the end of a game, from the places of its seats."""

from __future__ import annotations

from realmtable.engine.protocol import Outcome


def rank_rewards(outcome: Outcome) -> tuple[float, ...]:
    """Return the reward of each seat: 1 for the first place, -1 for the last, evenly spaced between.

    Seats that share places share their rewards, so the sum is always 0. A single seat gets 1 if it reached its goal
    and -1 if not.

    >>> rank_rewards(Outcome((3, 5), (2, 1), "", ""))
    (-1.0, 1.0)
    >>> rank_rewards(Outcome((3, 5, 5), (3, 1, 1), "", ""))
    (-1.0, 0.5, 0.5)
    """
    ranking = outcome.ranking
    last = len(ranking) - 1
    if last == 0:
        return (1.0 if any(outcome.reached) else -1.0,)
    return tuple(1 - (2 * (rank - 1) + ranking.count(rank) - 1) / last for rank in ranking)
