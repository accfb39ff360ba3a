"""How a claim is measured: a rate or a time, the best of a few runs, always beside a named peer in the same run."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    claim: str
    figure: str
    peer: str
    peer_figure: str
    ratio: str


def measure_rate(work: Callable[[], int], seconds: float) -> float:
    """Units of work per second, over at least so many seconds; `work` does some and says how much."""
    work()  # compile and warm up
    done = 0
    start = time.perf_counter()
    while (passed := time.perf_counter() - start) < seconds:
        done += work()
    return done / passed


def median_seconds(work: Callable[[], object], runs: int = 7) -> float:
    """The median time of a few runs."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def run_in_process(code: str, **environment: str) -> Any:  # noqa: ANN401 - whatever the code prints as JSON
    """What a piece of code prints as JSON in a fresh interpreter with these settings."""
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=True)  # noqa: S603
    return json.loads(result.stdout)


def format_rate(number: float) -> str:
    """A rate with thousands marked, or with decimals where it is small."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.2f}"
