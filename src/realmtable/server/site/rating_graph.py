"""The graph of a player's rating over time, with its error bars, as paths for an SVG of 100 by 100."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Final, NamedTuple

from realmtable.server.accounts.ratings import RatingPoint

SIZE: Final = 100
STEP: Final = 100  # between lines of the grid; doubled until they are few
MIN_MARGIN: Final = 50
MAX_TICKS: Final = 4
MIN_POINTS: Final = 2


class Tick(NamedTuple):
    """A horizontal line of the grid."""

    y: float
    value: int


class RatingGraph(NamedTuple):
    """The paths and labels of a graph."""

    line: str
    band: str
    ticks: list[Tick]
    first: str
    last: str


def draw_graph(points: Sequence[RatingPoint]) -> RatingGraph | None:
    """Return the graph of these ratings; None if there are too few for a line."""
    if len(points) < MIN_POINTS:
        return None
    # The wide error bars of the first games are cut off, or the line would be flat.
    margin = max(points[-1].plus_minus, MIN_MARGIN)
    low = min(point.value for point in points) - margin
    high = max(point.value for point in points) + margin
    begin, span = points[0].at, points[-1].at - points[0].at

    def x(index: int) -> float:
        part = (points[index].at - begin) / span if span > 0 else index / (len(points) - 1)
        return round(SIZE * part, 2)

    def y(value: float) -> float:
        return round(SIZE * (high - value) / (high - low), 2)

    line = [f"{x(index)} {y(point.value)}" for index, point in enumerate(points)]
    upper = [f"{x(index)} {y(point.value + point.plus_minus)}" for index, point in enumerate(points)]
    lower = [f"{x(index)} {y(point.value - point.plus_minus)}" for index, point in enumerate(points)]
    ticks = [Tick(y(value), value) for value in grid_values(low, high)]
    return RatingGraph(
        line="M" + "L".join(line),
        band="M" + "L".join([*upper, *reversed(lower)]) + "Z",
        ticks=ticks,
        first=format_day(points[0].at),
        last=format_day(points[-1].at),
    )


def grid_values(low: float, high: float) -> list[int]:
    """Return a few round values between two ratings, highest first.

    >>> grid_values(1310, 1690), grid_values(900, 2100)
    ([1600, 1500, 1400], [2000, 1600, 1200])
    """
    step = STEP
    while (high - low) / step > MAX_TICKS:
        step *= 2
    first = math.ceil(low / step)
    return [step * number for number in range(math.floor(high / step), first - 1, -1)]


def format_day(moment: float) -> str:
    """Format the day of a time.

    >>> format_day(0)
    '1 Jan 1970'
    """
    day = time.gmtime(moment)
    return f"{day.tm_mday} {time.strftime('%b %Y', day)}"
