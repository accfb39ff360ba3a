"""The figures of load runs, and their tables. Everything here is pure."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bench.measure import format_rate

MIB = 1024 * 1024
STEADY_SHARE = 0.95  # of the offered moves; below this the server did not keep up
HEAD = (
    "| run | tables | streams | offered, moves/s | played, moves/s | p50 | p95 | p99 | worst | errors | CPU "
    "| memory |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
)


class MoveTiming(NamedTuple):
    """When a move was sent and when the opponent's stream showed it, in seconds of one clock."""

    sent: float
    shown: float


@dataclass(frozen=True)
class Figures:
    """The figures of one run."""

    name: str
    tables: int
    streams: int
    offered_per_s: float | None  # None: as many as possible
    seconds: float
    delays_s: tuple[float, ...]  # per move, from a click to the opponent's stream
    errors: Mapping[str, int] = field(default_factory=dict)
    cpu: float | None = None  # processors in use, on average
    memory: int | None = None
    client_cpu: float | None = None
    other_cpu: Mapping[str, float | None] = field(default_factory=dict)  # of the services that the server uses, by name

    @property
    def moves_per_s(self) -> float:
        """Moves that reached the opponent, per second."""
        return len(self.delays_s) / self.seconds

    @property
    def keeps_up(self) -> bool:
        """Whether the offered moves were played without errors."""
        enough = self.offered_per_s is None or self.moves_per_s >= STEADY_SHARE * self.offered_per_s
        return enough and not self.errors and bool(self.delays_s)

    def time_per_move(self, cpu: float | None) -> float:
        """Return the processor seconds per move of a process that used this many processors; NaN if unknown."""
        return math.nan if cpu is None or not self.delays_s else cpu / self.moves_per_s

    def quantile(self, share: float) -> float:
        """Return the delay that this share of the moves did not exceed."""
        return quantile(self.delays_s, share)


def quantile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least this share of the values does not exceed; NaN if there are none.

    >>> quantile([3.0, 1.0, 2.0, 4.0], 0.5), quantile([3.0, 1.0, 2.0, 4.0], 0.99)
    (2.0, 4.0)
    """
    if not values:
        return math.nan
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def delays_within(played: Sequence[MoveTiming], start: float, end: float) -> tuple[float, ...]:
    """Return the delays of the moves shown between two times."""
    return tuple(move.shown - move.sent for move in played if start <= move.shown < end)


def format_time(seconds: float) -> str:
    """Format a delay to about two digits.

    >>> format_time(0.000042), format_time(0.0042), format_time(0.25), format_time(3.21)
    ('42 µs', '4.2 ms', '250 ms', '3.2 s')
    """
    if math.isnan(seconds):
        return "–"
    if seconds >= 1:
        return f"{seconds:.1f} s"
    if seconds < 0.0001:
        return f"{seconds * 1_000_000:.0f} µs"
    return f"{seconds * 1000:.0f} ms" if seconds >= 0.01 else f"{seconds * 1000:.1f} ms"


def format_row(figures: Figures) -> str:
    """Format a run as a row of the table."""
    delays = [format_time(figures.quantile(share)) for share in (0.5, 0.95, 0.99, 1.0)]
    cells = [
        figures.name,
        f"{figures.tables:,}",
        f"{figures.streams:,}",
        "maximum" if figures.offered_per_s is None else format_rate(figures.offered_per_s),
        format_rate(figures.moves_per_s),
        *delays,
        str(sum(figures.errors.values())),
        "–" if figures.cpu is None else f"{figures.cpu:.2f}",
        "–" if figures.memory is None else f"{figures.memory / MIB:,.0f} MiB",
    ]
    return f"| {' | '.join(cells)} |"


def table(runs: Sequence[Figures]) -> str:
    """Format runs as a table."""
    return "\n".join([HEAD, *map(format_row, runs)])


def ratio_table(ours: Sequence[Figures], peers: Sequence[Figures], peer: str) -> str:
    """Compare our runs with the peer's, each a steady one and one at the limit."""
    lines = [f"| measurement | Realmtable | {peer} | ratio |", "|---|---:|---:|---:|"]
    for own, other in zip(ours, peers, strict=True):
        if own.offered_per_s is None or other.offered_per_s is None:
            lines.append(_format_ratio("maximum moves/s", own.moves_per_s, other.moves_per_s, format_rate))
        else:
            for share, name in ((0.5, "p50"), (0.95, "p95"), (0.99, "p99")):
                pair = own.quantile(share), other.quantile(share)
                lines.append(_format_ratio(f"{name} from move to opponent, steady", *pair, format_time))
        if own.cpu is not None and other.cpu is not None:
            name = "at the limit" if own.offered_per_s is None else "steady"
            pair = own.time_per_move(own.cpu), other.time_per_move(other.cpu)
            lines.append(_format_ratio(f"processor time per move, {name}", *pair, format_time))
    return "\n".join(lines)


def _format_ratio(what: str, own: float, other: float, text: Callable[[float], str]) -> str:
    ratio = own / other if other else math.nan
    shown_ratio = "–" if math.isnan(ratio) else f"{ratio:.2g} ×" if ratio < 10 else f"{ratio:,.0f} ×"
    return f"| {what} | {text(own)} | {text(other)} | {shown_ratio} |"


# ---- several processes

CLUSTER_HEAD = (
    "| processes | tables | offered, moves/s | played, moves/s | p50 | p95 | p99 | errors | server CPU | per move "
    "| PostgreSQL per move | Redis per move | clients per move |\n"
    "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
)


def format_cluster_row(figures: Figures, processes: int) -> str:
    """Format a run on PostgreSQL and Redis as a row of the table."""
    cells = [
        str(processes),
        f"{figures.tables:,}",
        "maximum" if figures.offered_per_s is None else format_rate(figures.offered_per_s),
        format_rate(figures.moves_per_s),
        *(format_time(figures.quantile(share)) for share in (0.5, 0.95, 0.99)),
        str(sum(figures.errors.values())),
        "–" if figures.cpu is None else f"{figures.cpu:.2f}",
        format_time(figures.time_per_move(figures.cpu)),
        *(format_time(figures.time_per_move(figures.other_cpu.get(name))) for name in ("PostgreSQL", "Redis")),
        format_time(figures.time_per_move(figures.client_cpu)),
    ]
    return f"| {' | '.join(cells)} |"


def cluster_table(runs: Mapping[int, Sequence[Figures]]) -> str:
    """Format the runs of each number of processes as a table."""
    return "\n".join(
        [CLUSTER_HEAD, *(format_cluster_row(figures, count) for count, some in runs.items() for figures in some)]
    )


def compare_processes(runs: Mapping[int, Sequence[Figures]]) -> str:
    """Return a sentence on how the rate and the processor time per move change from the first number of processes."""
    (fewer, first), *others = ((count, some[-1]) for count, some in runs.items())
    return " ".join(
        f"From {fewer} to {more} processes, the maximum rate changes by a factor of "
        f"{_format_factor(last.moves_per_s, first.moves_per_s)}, and the servers' processor time per move at that rate "
        f"by a factor of {_format_factor(last.time_per_move(last.cpu), first.time_per_move(first.cpu))}."
        for more, last in others
    )


def _format_factor(value: float, base: float) -> str:
    return "–" if not base or math.isnan(value / base) else f"{value / base:.2f}"
