"""A match as one page: a single file without anything from elsewhere, in the colours of the table, light and dark."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isinf
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from realmtable.engine import registry
from realmtable.lab import match_text
from realmtable.lab.match_result import MatchResult
from realmtable.lab.statistics import Interval

WIDTH = 640
MARGIN = 40
ROW = 44
TOP = 14
BOTTOM = 34
SCALE_STEPS = (10, 20, 50, 100, 200, 500, 1000, 2000)  # Elo from one mark of the scale to the next
MAX_MARKS = 6
MAX_TITLE_NAMES = 3  # in the title
MIN_SCALE = (-60.0, 60.0)  # Elo that the scale shows at least


@dataclass(frozen=True)
class Bar:
    """An interval in the chart, with what it is of; the ends are where it is drawn."""

    label: str
    text: str
    low: float
    middle: float
    high: float
    open_low: bool  # whether it goes on beyond the chart
    open_high: bool
    y: float

    @property
    def has_middle(self) -> bool:
        """Whether the difference itself is on the scale."""
        return self.low < self.middle < self.high


@dataclass(frozen=True)
class Chart:
    """Elo differences on one scale."""

    bars: tuple[Bar, ...]
    marks: tuple[tuple[float, str], ...]
    zero: float
    height: int
    width: int = WIDTH
    bottom: int = BOTTOM


def render_match(result: MatchResult) -> str:
    """The page of a match."""
    return render_template("match.html", _template_context(result), percent=lambda share: f"{share:.1%}")


def render_template(template: str, facts: dict[str, Any], **filters: Callable[..., Any]) -> str:
    """A page of the lab: a template filled in, with filters of its own."""
    environment = Environment(loader=PackageLoader("realmtable.lab", ""), autoescape=True, undefined=StrictUndefined)
    environment.filters |= {"number": lambda number: f"{number:,}", **filters}
    return environment.get_template(template).render(facts)


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
    """What the chart shows: every bot's rating, or the one difference of two."""
    names = result.plan.names
    if result.ratings:
        return [(names[bot], *result.ratings[bot]) for bot in match_text.ranking(result)]
    return [
        (f"{names[versus.one]} above {names[versus.other]}", versus.elo, versus.elo_interval)
        for versus in result.versus
    ]


def build_chart(*differences: Difference) -> Chart:
    """Intervals on a scale that holds them all and 0; an end at infinity is drawn at the edge, beyond all others."""
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


def _bar(row: int, difference: Difference, place: Any) -> Bar:  # noqa: ANN401 - a function
    label, elo, (low, high) = difference
    text = match_text.format_elo_interval(elo, Interval(low, high))
    return Bar(label, text, place(low), place(elo), place(high), isinf(low), isinf(high), TOP + ROW * (row + 0.5))
