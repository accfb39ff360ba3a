"""Gem of Order for the slow twin (S7): every way to part cards into runs is tried, and the best sum counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.fantasy_realms.twin_cards import RUN_POINTS

Run = tuple[int, ...]  # consecutive strengths, each of one card


def reward(run: Run) -> int:
    return RUN_POINTS.get(min(len(run), max(RUN_POINTS)), 0)


def runs_from_the_lowest(strengths: Sequence[int]) -> Iterator[Run]:
    """Every run that begins with the lowest strength."""
    low = min(strengths)
    length = 1
    while low + length - 1 in strengths:
        yield tuple(range(low, low + length))
        length += 1


def without(strengths: Sequence[int], run: Run) -> list[int]:
    """The strengths of the cards that are left when one card of each strength of a run is taken away."""
    left = list(strengths)
    for strength in run:
        left.remove(strength)
    return left


def partitions(strengths: Sequence[int]) -> Iterator[list[Run]]:
    """Every way to put each card into exactly one run; a card for itself is a run of one."""
    if not strengths:
        yield []
        return
    for run in runs_from_the_lowest(strengths):
        for others in partitions(without(strengths, run)):
            yield [run, *others]


def run_points(strengths: Sequence[int], *, every_run: bool) -> int:
    """What all runs give in the best partition, or the best run alone."""
    sums = sum if every_run else max
    return max(sums([0, *map(reward, runs)]) for runs in partitions(strengths))
