"""Renders an experiment as one self-contained HTML page with charts, in the site's colours, light and dark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Any, Final

from realmtable.engine import registry
from realmtable.lab.balance import balance_text
from realmtable.lab.balance.balance_result import BalanceResult
from realmtable.lab.balance.estimates import Estimate
from realmtable.lab.balance.measures import Measure
from realmtable.lab.html_page import render_template

WIDTH: Final = 640
MARGIN: Final = 34
ROW: Final = 50
TALL_ROW: Final = 80  # with the label in a line of its own
LONG_LABEL: Final = 18  # letters
TOP: Final = 10
BOTTOM: Final = 34
MARKS: Final = 4  # distances between marks of a scale, about
STEPS: Final = (1, 2, 2.5, 5, 10)  # round distances, times a power of ten
MOST_USES: Final = 25
TOLERANCE: Final = 1e-9  # for rounding


@dataclass(frozen=True)
class Bar:
    """A labelled interval in a chart; its numbers are coordinates."""

    label: str
    text: str
    low: float
    middle: float
    high: float
    y: float


@dataclass(frozen=True)
class IntervalChart:
    """Estimates on a common scale."""

    title: str
    bars: tuple[Bar, ...]
    marks: tuple[tuple[float, str], ...]
    line: float | None  # where a reference value lies
    height: int
    is_tall: bool  # whether labels have lines of their own
    width: int = WIDTH
    bottom: int = BOTTOM


def render_balance(result: BalanceResult, command: str) -> str:
    """Render the page of an experiment; `command` is shown at its end."""
    context: dict[str, Any] = {
        "result": result,
        "report": balance_text,
        "command": command,
        "title": f"Balance of {result.experiment.title}",
        "game": registry.info(result.experiment.game_id),
        "order_charts": _order_charts(result) if result.games_per_setting else [],
        "charts": [chart for measure in result.measures if (chart := _measure_chart(result, measure)) is not None],
        "clear": [effect for effect in result.effects if balance_text.is_clear(effect.difference)],
        "most_uses": MOST_USES,
    }
    return render_template("balance/balance.html", context, percent=lambda share: f"{share:.1%}")


def _order_charts(result: BalanceResult) -> list[IntervalChart]:
    """Return a chart of the shares by order of play for each setting, all on one scale."""
    if result.experiment.seats == 1:
        return []
    even = 1 / result.experiment.seats
    ends = [end for setting in result.settings for share in setting.by_order for end in (share.low, share.high)]
    return [
        make_chart(
            setting.label,
            [
                (f"{balance_text.name_place(place)} to play", balance_text.format_share(share), share)
                for place, share in enumerate(setting.by_order)
            ],
            [*ends, even],
            even,
            is_share=True,
        )
        for setting in result.settings
    ]


def _measure_chart(result: BalanceResult, measure: Measure) -> IntervalChart | None:
    """Return the chart of a measure with a bar for each setting; None if no setting has enough games."""
    rows = [
        (setting.label, balance_text.format_estimate(measure, estimate), estimate)
        for setting in result.settings
        if (estimate := measure.estimate(setting.games)) is not None
    ]
    ends = [end for _, _, estimate in rows for end in (estimate.low, estimate.high)]
    return make_chart(measure.title, rows, ends, None, is_share=measure.is_share) if rows else None


def make_chart(
    title: str,
    rows: Sequence[tuple[str, str, Estimate]],
    ends: Sequence[float],
    line: float | None,
    *,
    is_share: bool,
) -> IntervalChart:
    """Return a chart of labelled estimates whose scale includes all of `ends`."""
    marks = choose_marks(min(ends), max(ends))
    low, high = marks[0], marks[-1]

    def place(value: float) -> float:
        return round(MARGIN + (value - low) / (high - low) * (WIDTH - 2 * MARGIN), 1)

    is_tall = any(len(label) > LONG_LABEL for label, _, _ in rows)
    height = TALL_ROW if is_tall else ROW
    bars = tuple(
        Bar(label, text, place(each.low), place(each.mean), place(each.high), TOP + height * (row + 1) - 14)
        for row, (label, text, each) in enumerate(rows)
    )
    shown = tuple((place(mark), f"{mark:.3g}" if not is_share else f"{mark * 100:.3g}%") for mark in marks)
    reference = None if line is None else place(line)
    return IntervalChart(title, bars, shown, reference, TOP + height * len(bars) + BOTTOM, is_tall)


def choose_marks(low: float, high: float) -> list[float]:
    """Return round marks of a scale from `low` to `high` or a little further.

    >>> choose_marks(0.43, 0.58), choose_marks(7, 7)
    ([0.4, 0.45, 0.5, 0.55, 0.6], [6.0, 6.5, 7.0, 7.5, 8.0])
    """
    if high <= low:
        low, high = low - 1, high + 1
    power = 10.0**-9
    while (high - low) / MARKS > power * STEPS[-1]:
        power *= 10
    step = next(power * factor for factor in STEPS if (high - low) / MARKS <= power * factor * (1 + TOLERANCE))
    first, last = floor(low / step + TOLERANCE), ceil(high / step - TOLERANCE)
    return [round(number * step, 9) for number in range(first, last + 1)]
