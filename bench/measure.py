"""Helpers for measuring rates and times, always against a named peer in the same run, and for writing pages."""

from __future__ import annotations

import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Row:
    """A row of the table."""

    claim: str
    figure: str
    peer: str
    peer_figure: str
    ratio: str


def compare(claim: str, figure: float, peer: str, peer_figure: float) -> Row:
    """Return the row that compares a rate or a time with that of a peer."""
    ratio = figure / peer_figure
    text = f"{ratio:,.0f} ×" if ratio >= 100 else f"{ratio:.3g} ×"
    return Row(claim, format_rate(figure), peer, format_rate(peer_figure), text)


def measure_rate(work: Callable[[], int], seconds: float, clock: Callable[[], float] = time.perf_counter) -> float:
    """Return units of work per second over at least `seconds`; `work` does some work and returns how much.

    With `time.process_time` as the clock, rates are per second of processor time, which depends less on other programs.
    """
    work()  # compile and warm up
    done = 0
    start = clock()
    while (passed := clock() - start) < seconds:
        done += work()
    return done / passed


def median_seconds(work: Callable[[], object], runs: int = 7) -> float:
    """Return the median duration of a few runs."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def run_in_process(code: str, **environment: str) -> Any:  # noqa: ANN401 - whatever the code prints as JSON
    """Run code in a new interpreter with these environment variables, and return the JSON it prints."""
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=True)  # noqa: S603
    return json.loads(result.stdout)


def measure_interpreted_playouts(game: str, seconds: float) -> dict[str, float]:
    """Measure random games with the rules interpreted, in another process."""
    code = (
        "import json, realmtable; from realmtable.search.playout_speed import measure_playouts; "
        f"game = realmtable.game({game!r}); "
        f"print(json.dumps(measure_playouts(game, game.initial(), seconds={seconds}).as_dict()))"
    )
    figures: dict[str, float] = run_in_process(code, REALMTABLE_COMPILE="0")
    return figures


def format_rate(number: float) -> str:
    """Format a rate with thousands separators, or with decimals if it is small."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.2f}"


def format_rows(rows: Sequence[Row]) -> str:
    """Format rows as a table."""
    lines = ["| measurement | figure | peer | peer's figure | ratio |", "|---|---:|---|---:|---:|"]
    lines += [f"| {row.claim} | {row.figure} | {row.peer} | {row.peer_figure} | {row.ratio} |" for row in rows]
    return "\n".join(lines)


def find_command() -> str:
    """Return the path of the `realmtable` command of this interpreter's environment."""
    return shutil.which("realmtable", path=str(Path(sys.executable).parent)) or "realmtable"


def describe_machine() -> str:
    """Describe this machine in general terms."""
    kinds = {"aarch64": "ARM64", "arm64": "ARM64", "x86_64": "x86-64", "AMD64": "x86-64"}
    kind = kinds.get(platform.machine(), platform.machine())
    return f"a {os.cpu_count()}-core {kind} machine with {platform.system()}, Python {platform.python_version()}"


def describe_run() -> str:
    """Describe this machine, the commit that is measured and the day."""
    git = ["git", "rev-parse", "--short", "HEAD"]
    try:
        commit = subprocess.run(git, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603 - our own command
    except (OSError, subprocess.CalledProcessError):
        commit = "unknown"
    return f"{describe_machine()}, commit `{commit}`, {datetime.now(UTC).date()}"
