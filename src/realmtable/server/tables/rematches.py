"""Seats in a rematch: by the rulebooks, the loser of the previous game begins."""

from __future__ import annotations

from collections.abc import Sequence

FIRST = 0
TWO_PLAYERS = 2


def rematch_seats(ranking: Sequence[int]) -> list[int]:
    """Return the new seat of each seat.

    With two players, the loser gets the first seat. After a draw, and with more players, everyone moves by one seat.

    >>> rematch_seats([1, 2]), rematch_seats([2, 1]), rematch_seats([1, 1]), rematch_seats([1, 3, 2])
    ([1, 0], [0, 1], [1, 0], [1, 2, 0])
    """
    if len(ranking) == TWO_PLAYERS and ranking[0] > ranking[1]:
        return [FIRST, 1]
    return [(seat + 1) % len(ranking) for seat in range(len(ranking))]
