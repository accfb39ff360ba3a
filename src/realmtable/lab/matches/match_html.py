"""Renders a match as a self-contained HTML page in the site's colours, light and dark."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isinf
from typing import Any

from realmtable.engine import registry
from realmtable.lab.html_page import render_template
from realmtable.lab.match_statistics import Interval
from realmtable.lab.matches import match_text
from realmtable.lab.matches.match_result import MatchResult

WIDTH = 640
MARGIN = 40
ROW = 44
TOP = 14
BOTTOM = 34
SCALE_STEPS = (10, 20, 50, 100, 200, 500, 1000, 2000)  # possible Elo distances between marks of the scale
MAX_MARKS = 6
MAX_TITLE_NAMES = 3
MIN_SCALE = (-60.0, 60.0)  # the smallest range of Elo that the scale shows


@dataclass(frozen=True)
class Bar:
    """A labelled interval in the chart; its numbers are coordinates."""

    label: str
    text: str
    low: float
    middle: float
    high: float
    open_low: bool  # whether it continues beyond the chart
    open_high: bool
    y: float

    @property
    def has_middle(self) -> bool:
        """Whether the difference itself lies inside the chart."""
        return self.low < self.middle < self.high


@dataclass(frozen=True)
class Chart:
    """Elo differences on a common scale."""

    bars: tuple[Bar, ...]
    marks: tuple[tuple[float, str], ...]
    zero: float
    height: int
    width: int = WIDTH
    bottom: int = BOTTOM


def render_match(result: MatchResult) -> str:
    """Render the page of a match."""
    return render_template("matches/match.html", _template_context(result), percent=lambda share: f"{share:.1%}")


def _template_context(result: MatchResult) -> dict[str, Any]:
    info = registry.info(result.plan.game_id)
    return {
        "result": result,
        "report": match_text,
        "title": f"{info.title}: {_title_names(result.plan.names)}",
        "game": info,
        "names": result.plan.names,
        "options": result.as_dict()["options"],
        "chart": build_chart(*_differences(result)) if result.games else None,
        "order": match_text.ranking(result),
        "scores": match_text.crosstable(result),
    }


def _title_names(names: tuple[str, ...]) -> str:
    return " – ".join(names) if len(names) <= MAX_TITLE_NAMES else f"{len(names)} bots"


Difference = tuple[str, float, Interval]


def _differences(result: MatchResult) -> list[Difference]:
    """Return the rows of the chart: every bot's rating, or the difference of two bots."""
    names = result.plan.names
    if result.ratings:
        return [(names[bot], *result.ratings[bot]) for bot in match_text.ranking(result)]
    return [
        (f"{names[versus.one]} above {names[versus.other]}", versus.elo, versus.elo_interval)
        for versus in result.versus
    ]


def build_chart(*differences: Difference) -> Chart:
    """Build a chart whose scale includes 0 and all intervals; infinite ends are drawn at the edge."""
    ends = {end for _, _, interval in differences for end in interval}
    low, high = (pick(end for end in {*MIN_SCALE, *ends} if not isinf(end)) for pick in (min, max))
    step = next((step for step in SCALE_STEPS if (high - low) / step <= MAX_MARKS), SCALE_STEPS[-1])
    first, last = int(low // step) - (-inf in ends), int(-(-high // step)) + (inf in ends)

    def x_position(elo: float) -> float:
        share = (min(max(elo, first * step), last * step) - first * step) / ((last - first) * step)
        return round(MARGIN + share * (WIDTH - 2 * MARGIN), 1)

    bars = tuple(_bar(row, difference, x_position) for row, difference in enumerate(differences))
    marks = tuple((x_position(mark * step), match_text.format_elo(mark * step)) for mark in range(first, last + 1))
    return Chart(bars, marks, x_position(0), TOP + ROW * len(bars) + BOTTOM)


def _bar(row: int, difference: Difference, place: Callable[[float], float]) -> Bar:
    label, elo, (low, high) = difference
    text = match_text.format_elo_interval(elo, Interval(low, high))
    return Bar(label, text, place(low), place(elo), place(high), isinf(low), isinf(high), TOP + ROW * (row + 0.5))
