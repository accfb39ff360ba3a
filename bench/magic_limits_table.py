"""Figures of Magic Realm with the limits of its design, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

GAME: Final = "magic_realm"
SEATS: Final = 4
MS: Final = 1_000.0


class Figure(NamedTuple):
    """A measured figure and its limit."""

    name: str
    value: float
    unit: str
    limit: float
    at_least: bool = False  # whether the limit is a lower one

    @property
    def is_met(self) -> bool:
        """Whether the figure is within its limit."""
        return self.value >= self.limit if self.at_least else self.value <= self.limit


def format_table(figures: Sequence[Figure]) -> str:
    """Format the figures as a table."""
    lines = ["| measurement | figure | limit | met |", "|---|---:|---:|---|"]
    for row in figures:
        limit = f"{'≥' if row.at_least else '≤'} {row.limit:g} {row.unit}"
        lines.append(f"| {row.name} | {row.value:.3g} {row.unit} | {limit} | {'yes' if row.is_met else 'no'} |")
    return "\n".join(lines)
